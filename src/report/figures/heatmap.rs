//! A matrix of colours and numbers: the weights of a board, or the scores of weights that were tuned at one depth and
//! tested at others.

use super::Chart;
use super::canvas::{Area, Cell, fitted_all};
use super::lines::spans_factor;
use super::scale::Scale;
use super::style::{FRAME, INK, LABEL, Lettering, NOTE, PAPER, TICK, pen};
use super::ticks::{Ticks, alike, significant};
use super::viridis::{is_light, viridis};
use crate::report::scene::{cap_height, text_width};
use crate::stats::Interval;
use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

/// Values by row and column, from the top left. Labels may be empty: a board has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heatmap {
    pub x_label: String,
    pub y_label: String,
    pub columns: Vec<String>,
    pub rows: Vec<String>,
    pub values: Vec<Vec<Interval>>,
    /// What the colours mean, beside the colour bar.
    pub scale_label: String,
}

/// Sizes in points: the largest field, the gap between fields, the colour bar and its distance.
const FIELD: f64 = 44.0;
const SEAM: f64 = 0.8;
const BAR: f64 = 9.0;
const TO_BAR: f64 = 9.0;
const TO_TEXT: f64 = 4.0;
const EDGE: f64 = 3.0;
/// Text size of the margin under a value.
const SMALL: f64 = 6.5;
/// Colours of the bar, enough to look continuous.
const SHADES: usize = 128;
/// Values that span this factor are coloured by their logarithm.
const LOG_FROM: f64 = 50.0;
/// Labels beside the bar.
const BAR_LABELS: usize = 5;
const MISSING: RGBColor = RGBColor(232, 232, 232);
/// Names may take this share of the width, and at most this many points.
const NAME_SHARE: f64 = 0.3;
const NAME_ROOM: f64 = 90.0;

impl Chart for Heatmap {
    fn title(&self) -> String {
        self.scale_label.clone()
    }

    fn height(&self, width: f64) -> f64 {
        let plan = self.plan(width);
        let (_, rows) = self.shape();
        EDGE + rows as f64 * plan.field.1 + plan.below + EDGE
    }

    fn draw(&self, cell: &Cell) {
        let Some(scale) = self.scale() else { return cell.no_data() };
        let plan = self.plan(cell.area.width());
        let matrix = self.matrix(&cell.area, &plan);
        self.draw_fields(cell, &matrix, &plan, scale);
        self.draw_names(cell, &matrix, &plan);
        self.draw_bar(cell, &matrix, scale);
    }
}

/// The room that the parts take at some width.
struct Plan {
    field: (f64, f64),
    left: f64,
    right: f64,
    below: f64,
    /// Column names that do not fit side by side are turned.
    turned: bool,
}

impl Heatmap {
    fn shape(&self) -> (usize, usize) {
        let columns = self.values.iter().map(Vec::len).max().unwrap_or(0);
        (columns.max(1), self.values.len().max(1))
    }

    fn estimates(&self) -> impl Iterator<Item = f64> {
        self.values.iter().flatten().map(|value| value.estimate)
    }

    /// Values that span a large factor have a logarithmic scale, where small ones differ in colour as well.
    fn scale(&self) -> Option<Scale> {
        Scale::covering(self.estimates(), spans_factor(self.estimates(), LOG_FROM), 0.0)
    }

    fn plan(&self, width: f64) -> Plan {
        let (columns, _) = self.shape();
        let label = |text: &str| if text.is_empty() { 0.0 } else { LABEL + TO_TEXT };
        let widest = |names: &[String], room: f64| {
            fitted_all(names, TICK, room).iter().map(|name| text_width(name, TICK)).fold(0.0, f64::max)
        };
        let names = widest(&self.rows, name_room(width));
        let left = EDGE + label(&self.y_label) + if names > 0.0 { names + TO_TEXT } else { 0.0 };
        let numbers = self.scale().map_or(0.0, |scale| bar_ticks(scale).1);
        let right = TO_BAR + BAR + TO_TEXT + numbers + label(&self.scale_label) + EDGE;
        let field = ((width - left - right) / columns as f64).clamp(1.0, if names > 0.0 { 2.0 * FIELD } else { FIELD });
        let turned = widest(&self.columns, f64::INFINITY) + 3.0 > field;
        let headings = match widest(&self.columns, name_room(width)) {
            0.0 => 0.0,
            tall if turned => tall + TO_TEXT,
            _ => cap_height(TICK) + TO_TEXT,
        };
        let below = headings + label(&self.x_label);
        Plan { field: (field, field.min(FIELD * 0.75).max(field.min(FIELD) * 0.5)), left, right, below, turned }
            .squared(self.rows.is_empty() && self.columns.is_empty())
    }

    /// Centred in the cell with its labels.
    fn matrix(&self, area: &Area, plan: &Plan) -> Area {
        let (columns, rows) = self.shape();
        let (width, height) = (plan.field.0 * columns as f64, plan.field.1 * rows as f64);
        let left = area.left + plan.left + (area.width() - plan.left - plan.right - width).max(0.0) / 2.0;
        let top = area.top + EDGE + (area.height() - 2.0 * EDGE - plan.below - height).max(0.0) / 2.0;
        Area { left, top, right: left + width, bottom: top + height }
    }

    fn draw_fields(&self, cell: &Cell, matrix: &Area, plan: &Plan, scale: Scale) {
        let notes = Notes::of(&self.values, scale, plan.field);
        for (row, values) in self.values.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let (w, h) = plan.field;
                let (left, top) = (matrix.left + column as f64 * w, matrix.top + row as f64 * h);
                let field = Area { left, top, right: left + w, bottom: top + h }.grown(-SEAM / 2.0);
                let known = value.estimate.is_finite();
                let colour = if known { viridis(scale.fraction(value.estimate)) } else { MISSING };
                cell.fill(&field, colour);
                notes.draw(cell, &field, (row, column), if is_light(colour) { INK } else { PAPER });
            }
        }
    }

    fn draw_names(&self, cell: &Cell, matrix: &Area, plan: &Plan) {
        let room = name_room(cell.area.width());
        let right = Lettering::new(TICK, HPos::Right, VPos::Center);
        for (row, name) in fitted_all(&self.rows, TICK, room).iter().enumerate() {
            let y = matrix.top + (row as f64 + 0.5) * plan.field.1;
            cell.text(name, (matrix.left - TO_TEXT, y), right);
        }
        let below = if plan.turned { right.upwards() } else { Lettering::new(TICK, HPos::Center, VPos::Top) };
        for (column, name) in fitted_all(&self.columns, TICK, room).iter().enumerate() {
            let x = matrix.left + (column as f64 + 0.5) * plan.field.0;
            cell.text(name, (x, matrix.bottom + TO_TEXT), below);
        }
        let (x, y) = matrix.centre();
        let label = Lettering::new(LABEL, HPos::Center, VPos::Bottom);
        cell.text(&self.x_label, (x, matrix.bottom + plan.below + 0.5), label);
        let label = Lettering::new(LABEL, HPos::Center, VPos::Top).upwards();
        cell.text(&self.y_label, (matrix.left - plan.left + EDGE, y), label);
    }

    fn draw_bar(&self, cell: &Cell, matrix: &Area, scale: Scale) {
        let bar = Area { left: matrix.right + TO_BAR, right: matrix.right + TO_BAR + BAR, ..*matrix };
        let level = |share: f64| bar.bottom - share * bar.height();
        for shade in 0..SHADES {
            let (from, to) = (shade as f64 / SHADES as f64, (shade + 1) as f64 / SHADES as f64);
            // Each shade reaches the top, so that no gap shows between two of them.
            cell.fill(&Area { top: bar.top, bottom: level(from), ..bar }, viridis((from + to) / 2.0));
        }
        cell.outline(&bar, pen(INK, FRAME));
        let (ticks, widest) = bar_ticks(scale);
        for (value, text) in &ticks.major {
            let y = level(scale.fraction(*value));
            cell.line(&[(bar.right, y), (bar.right - 2.0, y)], pen(INK, FRAME));
            cell.text(text, (bar.right + TO_TEXT, y), Lettering::new(TICK, HPos::Left, VPos::Center));
        }
        let place = (bar.right + TO_TEXT + widest + TO_TEXT, bar.centre().1);
        cell.text(&self.scale_label, place, Lettering::new(LABEL, HPos::Center, VPos::Top).upwards());
    }
}

impl Plan {
    /// A board's fields are square.
    fn squared(self, board: bool) -> Plan {
        if board { Plan { field: (self.field.0, self.field.0), ..self } } else { self }
    }
}

fn name_room(width: f64) -> f64 {
    (NAME_SHARE * width).min(NAME_ROOM)
}

/// The ticks of the colour bar and the width of their labels.
fn bar_ticks(scale: Scale) -> (Ticks, f64) {
    let ticks = Ticks::of(scale, BAR_LABELS);
    let widest = ticks.major.iter().map(|(_, text)| text_width(text, TICK)).fold(0.0, f64::max);
    (ticks, widest)
}

/// The numbers that are written into the fields.
struct Notes {
    texts: Vec<Vec<(String, String)>>,
    /// Whether all values, and all margins under them, fit their fields. If one does not fit, none is written.
    values: bool,
    margins: bool,
}

impl Notes {
    fn of(values: &[Vec<Interval>], scale: Scale, (width, height): (f64, f64)) -> Notes {
        let (low, high) = scale.ends();
        let number = alike(low.abs().max(high.abs()));
        // Where values differ by orders of magnitude, each has its own digits.
        let shown = |value: f64| if scale.is_log() { significant(value) } else { number(value) };
        let note = |value: &Interval| {
            let margin = (value.high - value.low) / 2.0;
            let known = margin.is_finite() && margin > 0.0;
            // Only an interval around the value can be written as a margin.
            let is_centred = ((value.high + value.low) / 2.0 - value.estimate).abs() < 0.01 * margin;
            let below = match (known, is_centred) {
                (false, _) => String::new(),
                (true, true) => format!("±{}", number(margin)),
                (true, false) => format!("{} to {}", shown(value.low), shown(value.high)),
            };
            (shown(value.estimate), below)
        };
        let texts: Vec<Vec<(String, String)>> = values.iter().map(|row| row.iter().map(note).collect()).collect();
        let fits = |text: &str, size: f64| text_width(text, size) + SEAM + 1.5 <= width;
        let all = |fit: &dyn Fn(&(String, String)) -> bool| texts.iter().flatten().all(fit);
        let values = all(&|note| fits(&note.0, NOTE)) && height > 10.0;
        let margins = all(&|note| fits(&note.1, SMALL)) && height > 19.0;
        Notes { values, margins, texts }
    }

    fn draw(&self, cell: &Cell, field: &Area, (row, column): (usize, usize), ink: RGBColor) {
        let (x, y) = field.centre();
        let (value, margin) = &self.texts[row][column];
        let two = self.margins && !margin.is_empty();
        let lettering = |size: f64| Lettering::new(size, HPos::Center, VPos::Center).colour(ink);
        if self.values {
            cell.text(value, (x, if two { y - 4.0 } else { y }), lettering(NOTE));
        }
        if self.values && two {
            cell.text(margin, (x, y + 5.0), lettering(SMALL));
        }
    }
}
