//! Legends: in a corner that is free of data, or above the frame.

use super::canvas::{Area, Cell, Place, fitted};
use super::marker::Marker;
use super::style::{CURVE, LEGEND, Lettering, MARKER, MUTED, colour, pen, tint};
use crate::report::scene::text_width;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

/// The sign in front of the name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Line(usize),
    Dashes,
    MarkedLine(Marker),
    Stroke,
    Marker(Marker),
    Band(usize),
    Swatch,
    /// Nothing: the entry is a remark.
    None,
}

/// One entry of a legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    label: String,
    colour: RGBColor,
    sign: Sign,
}

impl Key {
    fn new(label: &str, colour: RGBColor, sign: Sign) -> Key {
        Key { label: label.to_string(), colour, sign }
    }

    pub(super) fn line(label: &str, series: usize) -> Key {
        Key::new(label, colour(series), Sign::Line(series))
    }

    pub(super) fn dashes(label: &str, colour: RGBColor) -> Key {
        Key::new(label, colour, Sign::Dashes)
    }

    pub(super) fn marked_line(label: &str, series: usize) -> Key {
        Key::line_with(label, Marker::of(series))
    }

    /// A line in the colour of its marker.
    pub(super) fn line_with(label: &str, marker: Marker) -> Key {
        Key::new(label, marker.colour, Sign::MarkedLine(marker))
    }

    pub(super) fn stroke(label: &str, colour: RGBColor) -> Key {
        Key::new(label, colour, Sign::Stroke)
    }

    pub(super) fn marker(label: &str, marker: Marker) -> Key {
        Key::new(label, marker.colour, Sign::Marker(marker))
    }

    pub(super) fn band(label: &str, series: usize) -> Key {
        Key::new(label, colour(series), Sign::Band(series))
    }

    /// A remark on the chart, such as how many agents it leaves out.
    pub(super) fn note(text: &str) -> Key {
        Key::new(text, MUTED, Sign::None)
    }

    /// Adds the keys of another panel that are new.
    pub(super) fn unite(all: &mut Vec<Key>, more: Vec<Key>) {
        for key in more {
            if !all.contains(&key) {
                all.push(key);
            }
        }
    }

    /// Where the name starts, seen from the start of the sign.
    fn indent(&self) -> f64 {
        if self.sign == Sign::None { 0.0 } else { SIGN + GAP }
    }

    pub(super) fn swatch(label: &str, colour: RGBColor) -> Key {
        Key::new(label, colour, Sign::Swatch)
    }
}

/// Length of the sign, its distance from the name, and the distance between columns.
const SIGN: f64 = 17.0;
const GAP: f64 = 3.5;
const COLUMN_GAP: f64 = 9.0;
const ROW: f64 = LEGEND * 1.35;
/// From the frame to a legend in its corner.
const PAD: f64 = 6.0;
/// A legend in a corner covers at most this share of the frame.
const CORNER_SHARE: f64 = 0.3;
/// Rows that fit above a chart of ordinary height without squeezing it.
const FREE_ROWS: usize = 2;

/// Where a legend goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spot {
    Corner { area: Area },
    Above { columns: usize },
}

/// The first free corner, or above. `free` says whether an area has no data.
pub(super) fn spot(keys: &[Key], frame: &Area, width: f64, free: impl Fn(&Area) -> bool) -> Spot {
    let (w, h) = size(keys, 1);
    let small = w * h <= CORNER_SHARE * frame.width() * frame.height()
        && w + 2.0 * PAD <= 0.6 * frame.width()
        && h + 2.0 * PAD <= 0.8 * frame.height();
    let corner = |right: bool, low: bool| {
        let left = if right { frame.right - PAD - w } else { frame.left + PAD };
        let top = if low { frame.bottom - PAD - h } else { frame.top + PAD };
        Area { left, top, right: left + w, bottom: top + h }
    };
    let corners = [(true, true), (false, false), (true, false), (false, true)].map(|(right, low)| corner(right, low));
    match corners.into_iter().find(|area| small && free(&area.grown(2.0))) {
        Some(area) => Spot::Corner { area },
        None => Spot::Above { columns: columns(keys, width) },
    }
}

/// As many columns as the width holds, then as few as give the same number of rows.
pub(super) fn columns(keys: &[Key], width: f64) -> usize {
    let most = (1..=keys.len().max(1)).rev().find(|c| size(keys, *c).0 + 2.0 * PAD <= width).unwrap_or(1);
    let rows = keys.len().div_ceil(most).max(1);
    keys.len().div_ceil(rows).max(1)
}

fn column_widths(keys: &[Key], columns: usize) -> Vec<f64> {
    let rows = keys.len().div_ceil(columns).max(1);
    let width = |key: &Key| key.indent() + text_width(&fitted(&key.label, LEGEND, f64::INFINITY), LEGEND);
    keys.chunks(rows).map(|column| column.iter().map(width).fold(0.0, f64::max)).collect()
}

/// Width and height with this many columns.
fn size(keys: &[Key], columns: usize) -> (f64, f64) {
    let widths = column_widths(keys, columns);
    let gaps = COLUMN_GAP * widths.len().saturating_sub(1) as f64;
    (widths.iter().sum::<f64>() + gaps, keys.len().div_ceil(columns) as f64 * ROW)
}

/// Height that a legend above the frame takes.
pub(super) fn height_above(keys: &[Key], columns: usize) -> f64 {
    if keys.is_empty() { 0.0 } else { size(keys, columns).1 + 2.0 }
}

/// Height by which a figure of this width should grow so that a long legend does not squeeze the chart.
pub(super) fn overflow(keys: &[Key], width: f64) -> f64 {
    let rows = keys.len().div_ceil(columns(keys, width));
    rows.saturating_sub(FREE_ROWS) as f64 * ROW
}

pub(super) fn draw(cell: &Cell, keys: &[Key], spot: Spot, frame: &Area) {
    match spot {
        Spot::Corner { area } => draw_at(cell, keys, 1, (area.left, area.top)),
        Spot::Above { columns } => {
            let (w, h) = size(keys, columns);
            let centred = frame.centre().0 - w / 2.0;
            let left = centred.min(cell.area.right - PAD - w).max(cell.area.left + 1.0);
            draw_at(cell, keys, columns, (left, frame.top - h - 2.0));
        }
    }
}

fn draw_at(cell: &Cell, keys: &[Key], columns: usize, (left, top): Place) {
    let rows = keys.len().div_ceil(columns).max(1);
    let mut x = left;
    for (column, width) in keys.chunks(rows).zip(column_widths(keys, columns)) {
        for (row, key) in column.iter().enumerate() {
            draw_key(cell, key, (x, top + ROW * (row as f64 + 0.5)));
        }
        x += width + COLUMN_GAP;
    }
}

fn draw_key(cell: &Cell, key: &Key, (x, y): Place) {
    let (line, middle) = ([(x, y), (x + SIGN, y)], (x + SIGN / 2.0, y));
    let bar = |left: f64| Area { left, top: y - 2.7, right: x + SIGN, bottom: y + 2.7 };
    match key.sign {
        Sign::None => {}
        Sign::Line(series) => cell.curve(&line, series),
        Sign::Dashes => cell.dashes(&line, pen(key.colour, CURVE)),
        Sign::Marker(marker) => marker.draw(cell, middle, MARKER),
        Sign::MarkedLine(marker) => {
            cell.line(&line, pen(key.colour, CURVE));
            marker.draw(cell, middle, MARKER);
        }
        Sign::Stroke => cell.line(&line, pen(key.colour, CURVE)),
        Sign::Band(series) => {
            cell.fill(&bar(x), tint(key.colour, 0.25));
            cell.curve(&line, series);
        }
        Sign::Swatch => cell.fill(&bar(x + SIGN - 10.0), key.colour),
    }
    let room = cell.area.right - x - key.indent();
    let lettering = Lettering::new(LEGEND, HPos::Left, VPos::Center);
    let lettering = if key.sign == Sign::None { lettering.colour(MUTED) } else { lettering };
    cell.text(&fitted(&key.label, LEGEND, room), (x + key.indent(), y), lettering);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(count: usize, label: &str) -> Vec<Key> {
        (0..count).map(|i| Key::line(&format!("{label} {i}"), i)).collect()
    }

    const FRAME: Area = Area { left: 40.0, top: 5.0, right: 245.0, bottom: 150.0 };

    #[test]
    fn takes_a_free_corner_and_goes_above_when_there_is_none() {
        let keys = keys(4, "agent");
        let upper_left = Area { left: 40.0, top: 5.0, right: 140.0, bottom: 70.0 };
        let free = |area: &Area| upper_left.holds(area);
        let Spot::Corner { area } = spot(&keys, &FRAME, 240.0, free) else { panic!("the free corner was not used") };
        assert!(upper_left.holds(&area));
        assert!(matches!(spot(&keys, &FRAME, 240.0, |_| false), Spot::Above { .. }));
    }

    #[test]
    fn columns_fit_the_width_and_rows_are_balanced() {
        for count in 1..=12 {
            for label in ["a", "expectimax", "expectimax with a long name, depth"] {
                let keys = keys(count, label);
                let columns = columns(&keys, 240.0);
                assert!(columns == 1 || size(&keys, columns).0 <= 240.0);
            }
        }
        assert_eq!(columns(&keys(4, "Corner gradient"), 240.0), 2);
    }

    #[test]
    fn long_legends_make_figures_taller() {
        assert_eq!(overflow(&keys(4, "agent"), 250.0), 0.0);
        assert!(overflow(&keys(12, "expectimax with a long name, depth"), 250.0) > 80.0);
    }
}
