//! Small multiples: many little charts with common labels and aligned frames.

use super::canvas::{Area, Cell, fitted};
use super::plot::{Layout, Plot};
use super::style::{LABEL, Lettering, NOTE};
use crate::report::scene::cap_height;
use plotters::style::text_anchor::{HPos, VPos};

/// One of the little charts.
pub(super) struct Facet<'d> {
    pub name: &'d str,
    pub layout: Layout,
    pub data: Box<dyn Fn(&Plot) + 'd>,
}

/// The height of one facet with its name, in points.
const ROW: f64 = 92.0;
/// Facets narrower than this cannot be read.
const NARROWEST: f64 = 105.0;
/// Strips for the common labels, and between facets.
const LABELS: f64 = LABEL + 5.0;
const GAP: f64 = 4.0;
const MOST_COLUMNS: usize = 4;

fn columns(count: usize, width: f64) -> usize {
    let most = ((width / NARROWEST) as usize).clamp(1, MOST_COLUMNS);
    let rows = count.div_ceil(most).max(1);
    count.div_ceil(rows).max(1)
}

/// The height that suits this many facets.
pub(super) fn height(count: usize, width: f64) -> f64 {
    count.div_ceil(columns(count, width)).max(1) as f64 * ROW + LABELS
}

pub(super) fn draw(cell: &Cell, x_label: &str, y_label: &str, facets: Vec<Facet>) {
    if facets.is_empty() {
        return cell.no_data();
    }
    let inner = Area { left: cell.area.left + LABELS, bottom: cell.area.bottom - LABELS, ..cell.area };
    let (x, y) = inner.centre();
    cell.text(x_label, (x, cell.area.bottom - 3.0), Lettering::new(LABEL, HPos::Center, VPos::Bottom));
    cell.text(y_label, (cell.area.left + 3.0, y), Lettering::new(LABEL, HPos::Center, VPos::Top).upwards());
    let columns = columns(facets.len(), cell.area.width());
    let rows = facets.len().div_ceil(columns);
    let (width, height) = (inner.width() / columns as f64, inner.height() / rows as f64);
    let area = |index: usize| {
        let left = inner.left + (index % columns) as f64 * width;
        let top = inner.top + (index / columns) as f64 * height;
        Area { left, top, right: left + width - GAP, bottom: top + height }
    };
    let numbers = facets.iter().map(|facet| facet.layout.breadth(&area(0))).fold(0.0, f64::max);
    for (index, facet) in facets.into_iter().enumerate() {
        draw_facet(&cell.part(area(index)), facet, numbers);
    }
}

fn draw_facet(cell: &Cell, facet: Facet, numbers: f64) {
    let head = cap_height(NOTE) + 4.0;
    let place = (cell.area.left + numbers + 8.0, cell.area.top + 2.0);
    let room = cell.area.right - place.0;
    cell.text(&fitted(facet.name, NOTE, room), place, Lettering::new(NOTE, HPos::Left, VPos::Top));
    let body = cell.part(Area { top: cell.area.top + head, ..cell.area });
    body.plot(Layout { numbers, ..facet.layout }, |plot| (facet.data)(plot));
}
