//! A part of a page that a chart draws into, in points.

use super::style::{CURVE, DASHED, FRAME, INK, Lettering, MUTED, NOTE, Pattern, colour, pattern, pen, wash};
use crate::report::scene::{Sheet, markup, text_width, units};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, ShapeStyle};

/// A place on the page, in points from its upper left corner.
pub(super) type Place = (f64, f64);

/// An upright rectangle on the page, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Area {
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn centre(&self) -> Place {
        ((self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0)
    }

    pub fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    pub fn holds(&self, other: &Area) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }

    pub fn grown(&self, by: f64) -> Area {
        Area { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    /// Whether the straight line from `a` to `b` touches the area, by the clipping of Liang and Barsky (1984).
    pub fn meets(&self, a: Place, b: Place) -> bool {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let edges = [(-dx, a.0 - self.left), (dx, self.right - a.0), (-dy, a.1 - self.top), (dy, self.bottom - a.1)];
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for (slope, room) in edges {
            if slope == 0.0 && room < 0.0 {
                return false;
            }
            if slope < 0.0 {
                enter = enter.max(room / slope);
            } else if slope > 0.0 {
                leave = leave.min(room / slope);
            }
        }
        enter <= leave
    }
}

/// The part of a page given to one chart.
pub struct Cell<'s, 'a> {
    sheet: &'s Sheet<'a>,
    pub(super) area: Area,
}

impl<'s, 'a> Cell<'s, 'a> {
    pub(super) fn new(sheet: &'s Sheet<'a>, area: Area) -> Cell<'s, 'a> {
        Cell { sheet, area }
    }

    pub(super) fn sheet(&self) -> &'s Sheet<'a> {
        self.sheet
    }

    /// Another part of the same page.
    pub(super) fn part(&self, area: Area) -> Cell<'s, 'a> {
        Cell { sheet: self.sheet, area }
    }

    pub(super) fn line(&self, places: &[Place], style: ShapeStyle) {
        let path = PathElement::new(places.iter().map(grid).collect::<Vec<_>>(), style);
        // The result is ignored here and below because recording cannot fail.
        let _ = self.sheet.draw(&path);
    }

    /// A dashed line. The pattern runs along the whole path, so that corners do not restart it.
    pub(super) fn dashes(&self, places: &[Place], style: ShapeStyle) {
        self.patterned(places, style, DASHED);
    }

    fn patterned(&self, places: &[Place], style: ShapeStyle, pattern: Pattern) {
        if pattern.is_empty() {
            return self.line(places, style);
        }
        for dash in dashes(places, pattern) {
            self.line(&dash, style);
        }
    }

    /// The curve of a series in its colour and line style.
    pub(super) fn curve(&self, places: &[Place], series: usize) {
        self.patterned(places, pen(colour(series), CURVE), pattern(series));
    }

    pub(super) fn polygon(&self, places: &[Place], colour: impl Color) {
        let _ = self.sheet.draw(&Polygon::new(places.iter().map(grid).collect::<Vec<_>>(), wash(colour)));
    }

    pub(super) fn disc(&self, place: Place, radius: f64, colour: impl Color) {
        let _ = self.sheet.draw(&Circle::new(grid(&place), units(radius), wash(colour)));
    }

    pub(super) fn fill(&self, area: &Area, colour: impl Color) {
        let _ = self.sheet.draw(&Rectangle::new(corners(area), wash(colour)));
    }

    pub(super) fn outline(&self, area: &Area, style: ShapeStyle) {
        let _ = self.sheet.draw(&Rectangle::new(corners(area), style));
    }

    pub(super) fn text(&self, content: &str, place: Place, lettering: Lettering) {
        if !content.is_empty() {
            let _ = self.sheet.draw_text(content, &lettering.style(), grid(&place));
        }
    }

    /// Writes that a chart has no data.
    pub(super) fn no_data(&self) {
        self.outline(&self.area.grown(-6.0), pen(INK, FRAME));
        let lettering = Lettering::new(NOTE, HPos::Center, VPos::Center).colour(MUTED);
        self.text("no data", self.area.centre(), lettering);
    }
}

fn grid(&(x, y): &Place) -> (i32, i32) {
    (units(x), units(y))
}

fn corners(area: &Area) -> [(i32, i32); 2] {
    [grid(&(area.left, area.top)), grid(&(area.right, area.bottom))]
}

/// Divides a path into strokes and gaps with the lengths of the pattern, in turn. The first length is a stroke.
fn dashes(places: &[Place], pattern: &[f64]) -> Vec<Vec<Place>> {
    let mut strokes: Vec<Vec<Place>> = Vec::new();
    let (mut part, mut left) = (0, pattern[0]);
    let mut drawing = true;
    for pair in places.windows(2) {
        let ((mut x, mut y), end) = (pair[0], pair[1]);
        if drawing {
            start_or_extend(&mut strokes, (x, y));
        }
        loop {
            let rest = (end.0 - x).hypot(end.1 - y);
            if rest <= left {
                left -= rest;
                if drawing {
                    start_or_extend(&mut strokes, end);
                }
                break;
            }
            (x, y) = (x + (end.0 - x) * left / rest, y + (end.1 - y) * left / rest);
            if drawing {
                start_or_extend(&mut strokes, (x, y));
                strokes.push(Vec::new());
            } else {
                start_or_extend(&mut strokes, (x, y));
            }
            drawing = !drawing;
            part = (part + 1) % pattern.len();
            left = pattern[part];
        }
    }
    strokes.retain(|stroke| stroke.len() > 1);
    strokes
}

fn start_or_extend(strokes: &mut Vec<Vec<Place>>, place: Place) {
    match strokes.last_mut() {
        Some(stroke) => stroke.push(place),
        None => strokes.push(vec![place]),
    }
}

/// A name from the data as markup. One that is wider than `room` is cut in the middle, because names often differ at an
/// end.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    let whole = markup::plain(text);
    if text_width(&whole, size) <= room {
        return whole;
    }
    let letters: Vec<char> = text.chars().collect();
    let cut = |kept: usize| {
        let head: String = letters[..kept.div_ceil(2)].iter().collect();
        let tail: String = letters[letters.len() - kept / 2..].iter().collect();
        markup::plain(&format!("{}…{}", head.trim_end(), tail.trim_start()))
    };
    let fits = (1..letters.len()).rev().find(|&kept| text_width(&cut(kept), size) <= room);
    fits.map_or_else(|| "…".to_string(), cut)
}

/// As [`fitted`], for a list of names that must stay different. If cuts make two of them equal, the characters that all
/// names share at both ends are removed before the names are cut.
pub(super) fn fitted_all(names: &[String], size: f64, room: f64) -> Vec<String> {
    let cut = |names: &[String]| names.iter().map(|name| fitted(name, size, room)).collect::<Vec<String>>();
    let different = |cuts: &[String]| {
        let pairs = (0..names.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.into_iter().all(|(a, b)| cuts[a] != cuts[b] || names[a] == names[b])
    };
    let cuts = cut(names);
    if different(&cuts) {
        return cuts;
    }
    let letters: Vec<Vec<char>> = names.iter().map(|name| name.chars().collect()).collect();
    let shortest = letters.iter().map(Vec::len).min().unwrap_or(0);
    let shared = |at: fn(&[char], usize) -> Option<&char>| {
        (0..shortest).take_while(|k| letters.windows(2).all(|pair| at(&pair[0], *k) == at(&pair[1], *k))).count()
    };
    let head = shared(|name, k| name.get(k));
    let tail = shared(|name, k| name.get(name.len().wrapping_sub(k + 1))).min(shortest - head);
    let middle = |name: &Vec<char>| format!("…{}…", name[head..name.len() - tail].iter().collect::<String>());
    cut(&letters.iter().map(middle).collect::<Vec<String>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_different_when_they_are_cut() {
        let names: Vec<String> =
            (0..12).map(|i| format!("expectimax with heuristic <no. {i}> of a long name")).collect();
        let cuts = fitted_all(&names, 8.0, 60.0);
        let different: std::collections::BTreeSet<&String> = cuts.iter().collect();
        assert_eq!(different.len(), 12, "{cuts:?}");
        assert!(cuts.iter().all(|cut| text_width(cut, 8.0) <= 60.0));
        assert_eq!(fitted_all(&["a".into(), "b".into()], 8.0, 60.0), ["a", "b"]);
        assert_eq!(fitted_all(&["same".into(), "same".into()], 8.0, 0.0), ["…", "…"]);
    }

    #[test]
    fn dashes_have_the_length_of_the_pattern() {
        let path = [(0.0, 0.0), (30.0, 0.0), (30.0, 22.0)];
        let strokes = dashes(&path, DASHED);
        let length =
            |stroke: &Vec<Place>| -> f64 { stroke.windows(2).map(|p| (p[1].0 - p[0].0).hypot(p[1].1 - p[0].1)).sum() };
        assert_eq!(strokes.len(), 10);
        assert!(strokes.iter().all(|stroke| (length(stroke) - 3.2).abs() < 1e-9));
        assert!(dashes(&[(1.0, 1.0)], DASHED).is_empty());
    }

    #[test]
    fn long_names_are_cut_to_fit() {
        let long = "expectimax with a very long description of its heuristic";
        let cut = fitted(long, 8.0, 60.0);
        assert!(text_width(&cut, 8.0) <= 60.0 && cut.starts_with("exp") && cut.ends_with("tic"), "{cut}");
        assert_eq!(fitted("a*b", 8.0, 60.0), "a\\*b");
        assert_eq!(fitted("wide", 8.0, 0.0), "…");
    }

    #[test]
    fn lines_and_areas_meet_where_they_cross() {
        let area = Area { left: 10.0, top: 10.0, right: 20.0, bottom: 20.0 };
        assert!(area.meets((0.0, 0.0), (30.0, 30.0)));
        assert!(area.meets((12.0, 12.0), (12.0, 12.0)));
        assert!(!area.meets((0.0, 0.0), (30.0, 5.0)));
        assert!(!area.meets((5.0, 0.0), (5.0, 30.0)));
        assert!(!area.meets((0.0, 25.0), (25.0, 50.0)));
    }
}
