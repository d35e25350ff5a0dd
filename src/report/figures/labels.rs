//! Places for names beside points: a name covers no other name, no point and no line, and stays in the frame.

use super::canvas::{Area, Place};
use crate::report::scene::{cap_height, text_width};

/// A name that is to be placed near a point.
pub(super) struct Note {
    pub at: Place,
    /// The upper and the lower end of the point's error bar on the page. A name above or below the point is beyond them.
    pub bar: (f64, f64),
    pub text: String,
    /// Whether the name is placed before the others and preferably on the left, where a Pareto front leaves room.
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
/// Names that may be left out are placed within this distance, because many long lines would hide the data.
const OPTIONAL_WITHIN: f64 = 17.0;
/// The distance that a name keeps from the frame, in points, so that it covers no tick.
const TO_FRAME: f64 = 4.0;
/// The distance that a name keeps from lines, in points.
const CLEARANCE: f64 = 0.7;
/// The distance between two names, which leaves room for the parts of letters below the line.
const TO_OTHERS: f64 = 1.8;
/// A name should be nearer to its own point than to others by this distance, or it would be read as the name of another
/// one.
const AWAY: f64 = 2.5;
/// A name farther than this from its point may be nearer to other points, but it should keep this distance plus `AWAY`
/// from them.
const FROM_OTHERS: f64 = 5.0;
/// Attempts to place all names. In each, the names that found no place before go first.
const ROUNDS: usize = 4;
/// The cost of crossing a soft line or of lying beside another point, in steps away from the point. Crossing any other
/// line costs four times as much.
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
    notes.iter().zip(placed).filter_map(|(note, area)| leader(note, area.as_ref()?)).collect()
}

fn best_place(
    note: &Note,
    size: f64,
    around: &Surroundings,
    placed: &[Option<Area>],
    leaders: &[(Place, Place)],
) -> Option<Area> {
    let others = || around.points.iter().filter(|point| !point.meets(note.at, note.at));
    let free = candidates(note, size).into_iter().filter(|(_, area)| {
        let leader = leader(note, area);
        let is_crossed = |other: &Area| leader.is_some_and(|(from, to)| other.meets(from, to));
        around.frame.grown(-TO_FRAME).holds(area)
            && !around.points.iter().any(|point| point.overlaps(area))
            && !others().any(is_crossed)
            && !leaders.iter().any(|(from, to)| area.meets(*from, *to))
            && !placed.iter().flatten().any(|other| other.grown(TO_OTHERS).overlaps(area) || is_crossed(other))
    });
    let crossings = |lines: &[(Place, Place)], area: &Area| {
        let area = area.grown(CLEARANCE);
        lines.iter().filter(|(a, b)| area.meets(*a, *b)).count()
    };
    let cost = |(step, area): &(usize, Area)| {
        let reach = distance(note.at, area).min(FROM_OTHERS) + AWAY;
        let beside_others = others().filter(|point| distance(point.centre(), area) < reach).count();
        step + LINE_COST * (crossings(around.soft_lines, area) + 4 * crossings(around.lines, area) + beside_others)
    };
    let best = free.min_by_key(cost).map(|(_, area)| area);
    best.filter(|area| note.required || crossings(around.lines, area) == 0)
}

fn distance((x, y): Place, area: &Area) -> f64 {
    (x.clamp(area.left, area.right) - x).hypot(y.clamp(area.top, area.bottom) - y)
}

/// The line from a point to its distant name; `None` for a name close to its point. To a name straight above or below, it
/// begins at the end of the error bar.
pub(super) fn leader(note: &Note, area: &Area) -> Option<(Place, Place)> {
    let (x, y) = note.at;
    let is_straight = (area.left..=area.right).contains(&x);
    let from = if is_straight { (x, area.centre().1.max(note.bar.0).min(note.bar.1)) } else { (x, y) };
    let to = (x.clamp(area.left, area.right), from.1.clamp(area.top, area.bottom));
    ((to.0 - x).hypot(to.1 - from.1) > LEADER_FROM).then_some((from, to))
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
        let from = match dy {
            _ if dx.abs() >= 1.0 => note.at.1,
            up if up < 0.0 => note.bar.0,
            _ => note.bar.1,
        };
        let (x, y) = (note.at.0 + dx * distance, from + dy * (distance + height / 2.0));
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
        let note = |k: usize| Note {
            at: at(k),
            bar: (at(k).1, at(k).1),
            text: format!("agent {k}"),
            first: k.is_multiple_of(4),
            required: true,
        };
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

    #[test]
    fn a_name_above_an_error_bar_needs_no_line() {
        let note = |high: f64| Note {
            at: (50.0, 60.0),
            bar: (high, 60.0),
            text: "agent".into(),
            first: false,
            required: true,
        };
        let above = Area { left: 40.0, top: 30.0, right: 60.0, bottom: 36.0 };
        assert_eq!(leader(&note(40.0), &above), None);
        assert_eq!(leader(&note(60.0), &above), Some(((50.0, 60.0), (50.0, 36.0))));
        let beside = Area { left: 70.0, top: 57.0, right: 90.0, bottom: 63.0 };
        assert_eq!(leader(&note(40.0), &beside), Some(((50.0, 60.0), (70.0, 60.0))));
    }

    #[test]
    fn a_name_is_nearest_to_its_own_point() {
        let frame = Area { left: 0.0, top: 0.0, right: 200.0, bottom: 100.0 };
        let at = [(100.0, 50.0), (106.0, 50.0)];
        let note = |at: Place| Note { at, bar: (at.1, at.1), text: "agent".into(), first: false, required: true };
        let notes = at.map(note);
        let points = at.map(|(x, y)| Area { left: x, top: y, right: x, bottom: y }.grown(2.0));
        let places = place(&notes, 8.0, &Surroundings { frame, points: &points, lines: &[], soft_lines: &[] });
        let nearer = |own: usize, other: usize| {
            let area = places[own].unwrap();
            distance(at[own], &area) < distance(at[other], &area)
        };
        assert!(nearer(0, 1) && nearer(1, 0), "{places:?}");
    }
}
