//! Small multiples: several charts in a grid, with common labels, aligned frames and one legend.

use super::canvas::{Area, Cell, fitted_all};
use super::legend::{self, Key, Spot};
use super::plot::{Framed, Layout};
use super::style::{LABEL, LETTER, Lettering, NOTE, Width};
use crate::report::scene::{cap_height, text_width};
use plotters::style::text_anchor::{HPos, VPos};

/// One of the charts.
pub(super) struct Facet<'d> {
    pub name: String,
    /// Letters are for charts that a text refers to one by one.
    pub letter: Option<String>,
    pub frame: Framed<'d>,
}

/// Everything around the charts.
#[derive(Default)]
pub(super) struct Surround {
    pub x_label: String,
    pub y_label: String,
    pub keys: Vec<Key>,
    /// The least width of a chart, where it needs more than others.
    pub narrowest: f64,
}

/// Charts narrower than this cannot be read.
pub(super) const NARROWEST: f64 = 112.0;
const MOST_COLUMNS: usize = 4;
/// A lettered panel is read by itself, so it needs more room on a page.
const MOST_LETTERED: usize = 3;
/// The lowest row of charts, and the height that all rows together may have on a page.
const LOWEST: f64 = 92.0;
const TALLEST: f64 = 580.0;
/// Strips for the common labels, and the gap between charts.
const LABELS: f64 = LABEL + 5.0;
const GAP: f64 = 4.0;
/// What is beside the name of a panel: its letter and the gaps.
const BESIDE_NAME: f64 = GAP + LETTER + 6.0;

/// Charts side by side: as many as fit, with rows of equal length.
pub(super) fn columns(count: usize, lettered: bool, narrowest: f64, width: f64) -> usize {
    let limit = if lettered { MOST_LETTERED } else { MOST_COLUMNS };
    let most = ((width / narrowest.max(NARROWEST)) as usize).clamp(1, limit);
    let rows = count.div_ceil(most).max(1);
    count.div_ceil(rows).max(1)
}

/// The height that suits this many charts, none of which is narrower than `narrowest`.
pub(super) fn height(count: usize, lettered: bool, narrowest: f64, keys: &[Key], width: f64) -> f64 {
    let columns = columns(count, lettered, narrowest, width);
    let row = (0.55 * width / columns as f64 + 28.0).clamp(LOWEST, 175.0);
    count.div_ceil(columns).max(1) as f64 * row + LABELS + head(keys, width)
}

/// The height that suits lettered panels with these surroundings.
pub(super) fn panels_height(count: usize, surround: &Surround, width: f64) -> f64 {
    let columns = columns(count, true, surround.narrowest, width);
    let rows = count.div_ceil(columns).max(1) as f64;
    let row = (0.55 * width / columns as f64 + 28.0).min(TALLEST / rows).clamp(LOWEST, 175.0);
    rows * row + LABELS + head(&surround.keys, width)
}

/// The width of a panel that has room for its letter and its name, or that of a column if the name is longer.
pub(super) fn name_width(name: &str) -> f64 {
    (text_width(name, NOTE) + BESIDE_NAME + LABELS).min(Width::COLUMN.points())
}

/// The height of the legend above all charts.
pub(super) fn head(keys: &[Key], width: f64) -> f64 {
    legend::height_above(keys, legend::columns(keys, width))
}

pub(super) fn draw(cell: &Cell, surround: &Surround, facets: Vec<Facet>) {
    let Some(first) = facets.first() else { return cell.no_data() };
    let columns = columns(facets.len(), first.letter.is_some(), surround.narrowest, cell.area.width());
    let rows = facets.len().div_ceil(columns);
    let inner = draw_surround(cell, surround);
    let (width, height) = (inner.width() / columns as f64, inner.height() / rows as f64);
    let area = |index: usize| {
        let left = inner.left + (index % columns) as f64 * width;
        let top = inner.top + (index / columns) as f64 * height;
        Area { left, top, right: left + width - GAP, bottom: top + height }
    };
    let widest = |room: fn(&Layout, &Area) -> f64| {
        facets.iter().map(|facet| room(&facet.frame.layout, &area(0))).fold(0.0, f64::max)
    };
    let (numbers, depth) = (widest(Layout::breadth), widest(Layout::needed_depth));
    let names: Vec<String> = facets.iter().map(|facet| facet.name.clone()).collect();
    let names = fitted_all(&names, NOTE, width - BESIDE_NAME);
    for (index, (facet, name)) in facets.into_iter().zip(names).enumerate() {
        draw_facet(&cell.part(area(index)), facet, &name, (numbers, depth));
    }
}

/// Draws the legend and the common labels, and returns the area that is left.
fn draw_surround(cell: &Cell, Surround { x_label, y_label, keys, .. }: &Surround) -> Area {
    let width = cell.area.width();
    let top = cell.area.top + head(keys, width) + if keys.is_empty() { 0.0 } else { 2.0 };
    let strip = |label: &str| if label.is_empty() { 0.0 } else { LABELS };
    let (left, bottom) = (cell.area.left + strip(y_label), cell.area.bottom - strip(x_label));
    let inner = Area { left, top, bottom, ..cell.area };
    let (x, y) = inner.centre();
    cell.text(x_label, (x, cell.area.bottom - 3.0), Lettering::new(LABEL, HPos::Center, VPos::Bottom));
    cell.text(y_label, (cell.area.left + 3.0, y), Lettering::new(LABEL, HPos::Center, VPos::Top).upwards());
    legend::draw(cell, keys, Spot::Above { columns: legend::columns(keys, width) }, &inner);
    inner
}

/// `numbers` and `depth` are the room beside and below all frames.
fn draw_facet(cell: &Cell, facet: Facet, name: &str, (numbers, depth): (f64, f64)) {
    let baseline = cell.area.top + cap_height(LETTER) + 2.0;
    let lettered = facet.letter.as_ref().map_or(0.0, |letter| text_width(letter, LETTER) + 6.0);
    // A name starts above the frame, or further to the left if it is too long for that.
    let room = cell.area.width() - lettered - text_width(name, NOTE);
    let mut left = cell.area.left + (numbers + 8.0).min(room).max(0.0);
    if let Some(letter) = &facet.letter {
        cell.text(letter, (left, baseline), Lettering::new(LETTER, HPos::Left, VPos::Bottom).bold());
        left += lettered;
    }
    cell.text(name, (left, baseline), Lettering::new(NOTE, HPos::Left, VPos::Bottom));
    let is_named = facet.letter.is_some() || !name.is_empty();
    let body = cell.part(Area { top: if is_named { baseline + 1.0 } else { cell.area.top }, ..cell.area });
    let Framed { layout, data } = facet.frame;
    body.plot(Layout { numbers, depth, ..layout }, |plot| data(plot));
}
