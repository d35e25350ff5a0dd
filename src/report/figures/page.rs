//! From charts to scenes: one chart, or several panels with letters.

use super::canvas::{Area, Cell};
use super::style::{LETTER, Lettering};
use super::{Chart, Width};
use crate::report::scene::{Scene, cap_height, markup};
use plotters::style::text_anchor::{HPos, VPos};

/// Between neighbouring panels, and from a letter to its panel, in points.
const GUTTER: f64 = 10.0;
const UNDER_LETTER: f64 = 3.0;

/// One chart at this width.
pub fn draw(chart: &dyn Chart, width: Width) -> Scene {
    let (w, h) = (width.points(), chart.height(width.points()));
    let mut scene = Scene::new(w, h, &markup::bare(&chart.title()));
    let (w, h) = scene.size();
    let sheet = scene.sheet();
    chart.draw(&Cell::new(&sheet, Area { left: 0.0, top: 0.0, right: w, bottom: h }));
    drop(sheet);
    scene
}

/// Several charts side by side, `columns` to a row, lettered a, b, c, ... Rows are as high as their tallest panel.
pub fn panels(charts: &[&dyn Chart], columns: usize, width: Width, title: &str) -> Scene {
    let columns = columns.clamp(1, charts.len().max(1));
    let panel = (width.points() - GUTTER * (columns - 1) as f64) / columns as f64;
    let head = cap_height(LETTER) + UNDER_LETTER;
    let heights: Vec<f64> = charts.chunks(columns).map(|row| head + tallest(row, panel)).collect();
    let height = heights.iter().sum::<f64>() + GUTTER * heights.len().saturating_sub(1) as f64;
    let mut scene = Scene::new(width.points(), height, title);
    let sheet = scene.sheet();
    let mut top = 0.0;
    for (row, charts) in charts.chunks(columns).enumerate() {
        for (column, chart) in charts.iter().enumerate() {
            let left = column as f64 * (panel + GUTTER);
            let area = Area { left, top: top + head, right: left + panel, bottom: top + heights[row] };
            let cell = Cell::new(&sheet, area);
            let lettering = Lettering::new(LETTER, HPos::Left, VPos::Top).bold();
            cell.text(&letter(row * columns + column), (left + 1.0, top + 1.0), lettering);
            chart.draw(&cell);
        }
        top += heights[row] + GUTTER;
    }
    drop(sheet);
    scene
}

fn tallest(row: &[&dyn Chart], width: f64) -> f64 {
    row.iter().map(|chart| chart.height(width)).fold(0.0, f64::max)
}

/// a to z, then numbers: nobody reads a page of more than 26 panels by letter.
fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(small) if small < 26 => char::from(b'a' + small).to_string(),
        _ => (index + 1).to_string(),
    }
}
