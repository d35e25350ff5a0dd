//! Places for names beside points: a name covers no other name, no point and no line, and stays in the frame.

use super::canvas::{Area, Place};
use crate::report::scene::{cap_height, text_width};

/// A name that is to be placed near a point.
pub(super) struct Note {
    pub at: Place,
    pub text: String,
    /// Placed before the others, and on the left, where a front leaves room.
    pub first: bool,
    /// Whether the name may cross lines rather than be left out.
    pub required: bool,
}

/// What names must not cover, and lines that they may cross if there is no other place.
pub(super) struct Surroundings<'a> {
    pub frame: Area,
    pub points: &'a [Area],
    pub lines: &'a [(Place, Place)],
    pub soft_lines: &'a [(Place, Place)],
}

/// Distances from the point, in points. From the third on, a thin line leads from the point to its name.
const DISTANCES: [f64; 11] = [3.5, 6.0, 11.0, 17.0, 25.0, 36.0, 48.0, 62.0, 78.0, 96.0, 116.0];
const LEADER_FROM: f64 = 10.0;
/// Names that may be left out get no line, so they are placed within this distance.
const OPTIONAL_WITHIN: f64 = 11.0;
/// The distance that a name keeps from lines, in points.
const CLEARANCE: f64 = 0.7;
/// The distance between two names, which leaves room for the parts of letters below the line.
const TO_OTHERS: f64 = 1.8;
/// A name closer than this to another point would be read as that of the other point.
const AWAY: f64 = 2.5;
/// Attempts to place all names. In each, the names that found no place before go first.
const ROUNDS: usize = 4;
/// Crossing a line costs as much as this many steps away from the point.
const LINE_COST: usize = 16;

/// Where each name goes; `None` for one without any free place.
pub(super) fn place(notes: &[Note], size: f64, around: &Surroundings) -> Vec<Option<Area>> {
    let mut order: Vec<usize> = (0..notes.len()).collect();
    order.sort_by_key(|&index| !notes[index].first);
    let mut best = attempt(notes, size, around, &order);
    for _ in 1..ROUNDS {
        if missing(&best) == 0 {
            break;
        }
        order.sort_by_key(|&index| best[index].is_some());
        let next = attempt(notes, size, around, &order);
        if missing(&next) < missing(&best) {
            best = next;
        }
    }
    best
}

fn missing(places: &[Option<Area>]) -> usize {
    places.iter().filter(|place| place.is_none()).count()
}

fn attempt(notes: &[Note], size: f64, around: &Surroundings, order: &[usize]) -> Vec<Option<Area>> {
    let mut placed: Vec<Option<Area>> = vec![None; notes.len()];
    for &index in order {
        placed[index] = best_place(&notes[index], size, around, &placed, &leaders(notes, &placed));
    }
    placed
}

/// The lines from points to their distant names.
fn leaders(notes: &[Note], placed: &[Option<Area>]) -> Vec<(Place, Place)> {
    let line = |(note, area): (&Note, &Option<Area>)| Some((note.at, leader(note.at, area.as_ref()?)?));
    notes.iter().zip(placed).filter_map(line).collect()
}

fn best_place(
    note: &Note,
    size: f64,
    around: &Surroundings,
    placed: &[Option<Area>],
    leaders: &[(Place, Place)],
) -> Option<Area> {
    let free = candidates(note, size).into_iter().filter(|(_, area)| {
        let leader = leader(note.at, area);
        around.frame.grown(-2.0).holds(area)
            && !around.points.iter().any(|point| point.overlaps(area))
            && !leaders.iter().any(|(from, to)| area.meets(*from, *to))
            && !placed.iter().flatten().any(|other| {
                other.grown(TO_OTHERS).overlaps(area) || leader.is_some_and(|end| other.meets(note.at, end))
            })
    });
    let crossings = |lines: &[(Place, Place)], area: &Area| {
        let area = area.grown(CLEARANCE);
        lines.iter().filter(|(a, b)| area.meets(*a, *b)).count()
    };
    let cost = |(step, area): &(usize, Area)| {
        let others = around.points.iter().filter(|point| !point.meets(note.at, note.at));
        let beside_others = others.filter(|point| point.grown(AWAY).overlaps(area)).count();
        step + LINE_COST * (crossings(around.soft_lines, area) + 4 * crossings(around.lines, area) + beside_others)
    };
    let best = free.min_by_key(cost).map(|(_, area)| area);
    best.filter(|area| note.required || crossings(around.lines, area) == 0)
}

/// Where the line from a point to its distant name ends; `None` for a name close to its point.
pub(super) fn leader((x, y): Place, area: &Area) -> Option<Place> {
    let end = (x.clamp(area.left, area.right), y.clamp(area.top, area.bottom));
    ((end.0 - x).hypot(end.1 - y) > LEADER_FROM).then_some(end)
}

/// Places around the point, nearest first, each with its rank.
fn candidates(note: &Note, size: f64) -> Vec<(usize, Area)> {
    let (width, height) = (text_width(&note.text, size), cap_height(size));
    // Names on a front are tried on the left first, others on the right.
    let toward: f64 = if note.first { -1.0 } else { 1.0 };
    let sides = [(1.0, 0.0), (1.0, -0.7 * toward), (0.0, toward), (-1.0, 0.0), (0.0, -toward), (0.6, toward)];
    let more = [(-0.6, toward), (0.6, -toward), (-0.6, -toward), (-1.0, 0.7), (1.0, 0.7 * toward), (-1.0, -0.7)];
    let sides = sides.into_iter().chain(more).map(|(dx, dy): (f64, f64)| (dx * toward, dy));
    let area = |(dx, dy): (f64, f64), distance: f64| {
        let (x, y) = (note.at.0 + dx * distance, note.at.1 + dy * (distance + height / 2.0));
        let left = x - width / 2.0 + dx * width / 2.0;
        Area { left, top: y - height / 2.0, right: left + width, bottom: y + height / 2.0 }
    };
    let distances = DISTANCES.iter().filter(|distance| note.required || **distance <= OPTIONAL_WITHIN);
    let rings = distances.flat_map(|distance| sides.clone().map(move |side| (side, *distance)));
    rings.map(|(side, distance)| area(side, distance)).enumerate().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cover_no_other_name_and_no_point() {
        let frame = Area { left: 0.0, top: 0.0, right: 220.0, bottom: 150.0 };
        let at = |k: usize| (20.0 + 37.0 * (k % 5) as f64, 20.0 + 23.0 * (k / 5) as f64 + 3.0 * (k % 3) as f64);
        let note =
            |k: usize| Note { at: at(k), text: format!("agent {k}"), first: k.is_multiple_of(4), required: true };
        let notes: Vec<Note> = (0..20).map(note).collect();
        let point = |n: &Note| Area { left: n.at.0, top: n.at.1, right: n.at.0, bottom: n.at.1 }.grown(2.0);
        let points: Vec<Area> = notes.iter().map(point).collect();
        let places = place(&notes, 8.0, &Surroundings { frame, points: &points, lines: &[], soft_lines: &[] });
        let shown: Vec<Area> = places.into_iter().flatten().collect();
        assert!(shown.len() >= 15, "only {} of 20 names found a place", shown.len());
        for (index, area) in shown.iter().enumerate() {
            assert!(frame.holds(area) && !points.iter().any(|point| point.overlaps(area)));
            assert!(shown[..index].iter().all(|other| !other.overlaps(area)));
        }
    }
}
