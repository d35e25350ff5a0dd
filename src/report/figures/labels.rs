//! Names beside points: none over another, over a point or outside the frame.

use super::canvas::{Area, Place};
use crate::report::scene::{cap_height, text_width};

/// A name that wants to stand by a point.
pub(super) struct Note {
    pub at: Place,
    pub text: String,
    /// Placed before the others, and on the left, where a front leaves room.
    pub first: bool,
}

/// What names must keep clear of, and lines that they should.
pub(super) struct Surroundings<'a> {
    pub frame: Area,
    pub points: &'a [Area],
    pub lines: &'a [(Place, Place)],
}

/// Distances from the point, in points; from the third on a leader shows the way.
const DISTANCES: [f64; 6] = [4.0, 6.5, 11.0, 17.0, 25.0, 36.0];
const LEADER_FROM: f64 = 10.0;
/// Rounds in which names without a place go first.
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
        placed[index] = best_place(&notes[index], size, around, &placed);
    }
    placed
}

fn best_place(note: &Note, size: f64, around: &Surroundings, placed: &[Option<Area>]) -> Option<Area> {
    let free = candidates(note, size).into_iter().filter(|(_, area)| {
        let leader = leader(note.at, area);
        around.frame.grown(-2.0).holds(area)
            && !around.points.iter().any(|point| point.overlaps(area))
            && !placed
                .iter()
                .flatten()
                .any(|other| other.grown(0.8).overlaps(area) || leader.is_some_and(|end| other.meets(note.at, end)))
    });
    let crossings = |area: &Area| around.lines.iter().filter(|(a, b)| area.meets(*a, *b)).count();
    free.min_by_key(|(step, area)| step + LINE_COST * crossings(area)).map(|(_, area)| area)
}

/// Where the line from a point to its distant name ends; names close by need none.
pub(super) fn leader((x, y): Place, area: &Area) -> Option<Place> {
    let end = (x.clamp(area.left, area.right), y.clamp(area.top, area.bottom));
    ((end.0 - x).hypot(end.1 - y) > LEADER_FROM).then_some(end)
}

/// Places around the point, nearest first, each with its rank.
fn candidates(note: &Note, size: f64) -> Vec<(usize, Area)> {
    let (width, height) = (text_width(&note.text, size), cap_height(size));
    // Which way the name stands, and which way it is to be tried first.
    let toward: f64 = if note.first { -1.0 } else { 1.0 };
    let sides = [(1.0, 0.0), (1.0, -0.7 * toward), (0.0, toward), (-1.0, 0.0), (0.0, -toward), (0.6, toward)];
    let more = [(-0.6, toward), (0.6, -toward), (-0.6, -toward), (-1.0, 0.7), (1.0, 0.7 * toward), (-1.0, -0.7)];
    let sides = sides.into_iter().chain(more).map(|(dx, dy): (f64, f64)| (dx * toward, dy));
    let area = |(dx, dy): (f64, f64), distance: f64| {
        let (x, y) = (note.at.0 + dx * distance, note.at.1 + dy * (distance + height / 2.0));
        let left = x - width / 2.0 + dx * width / 2.0;
        Area { left, top: y - height / 2.0, right: left + width, bottom: y + height / 2.0 }
    };
    let rings = DISTANCES.iter().flat_map(|distance| sides.clone().map(move |side| (side, *distance)));
    rings.map(|(side, distance)| area(side, distance)).enumerate().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_clear_of_each_other_and_of_points() {
        let frame = Area { left: 0.0, top: 0.0, right: 220.0, bottom: 150.0 };
        let at = |k: usize| (20.0 + 37.0 * (k % 5) as f64, 20.0 + 23.0 * (k / 5) as f64 + 3.0 * (k % 3) as f64);
        let note = |k: usize| Note { at: at(k), text: format!("agent {k}"), first: k.is_multiple_of(4) };
        let notes: Vec<Note> = (0..20).map(note).collect();
        let point = |n: &Note| Area { left: n.at.0, top: n.at.1, right: n.at.0, bottom: n.at.1 }.grown(2.0);
        let points: Vec<Area> = notes.iter().map(point).collect();
        let places = place(&notes, 8.0, &Surroundings { frame, points: &points, lines: &[] });
        let shown: Vec<Area> = places.into_iter().flatten().collect();
        assert!(shown.len() >= 15, "only {} of 20 names found a place", shown.len());
        for (index, area) in shown.iter().enumerate() {
            assert!(frame.holds(area) && !points.iter().any(|point| point.overlaps(area)));
            assert!(shown[..index].iter().all(|other| !other.overlaps(area)));
        }
    }
}
