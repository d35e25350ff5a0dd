//! A chart with a frame: margins as wide as the text needs, ticks on four sides, data and a legend.

use super::axis::{Axis, LINE, Ticked};
use super::canvas::{Area, Cell, Place};
use super::legend::{self, Key, Spot};
use super::scale::Scale;
use super::style::{FRAME, INK, LABEL, Lettering, TICK, pen};
use crate::report::scene::{Scene, UNITS_PER_POINT, cap_height, text_width, units};
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::DrawingArea;
use plotters::style::text_anchor::{HPos, VPos};

/// Lengths of ticks, and distances between frame, numbers, label and edge, in points.
const MAJOR: f64 = 3.0;
const MINOR: f64 = 1.6;
const TO_NUMBERS: f64 = 4.0;
const TO_LABEL: f64 = 4.0;
const TO_EDGE: f64 = 3.0;

/// Where data are, in the coordinates of the axes. The legend avoids them.
pub enum Obstacle {
    Line(Vec<(f64, f64)>),
    Block((f64, f64), (f64, f64)),
}

/// The axes and the legend of a chart with a frame.
pub struct Layout {
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) keys: Vec<Key>,
    pub(super) obstacles: Vec<Obstacle>,
    /// The least room for the numbers of y and of x, so that the frames of several panels align.
    pub(super) numbers: f64,
    pub(super) depth: f64,
}

impl Layout {
    pub(super) fn new(x: Axis, y: Axis) -> Layout {
        Layout { x, y, keys: Vec::new(), obstacles: Vec::new(), numbers: 0.0, depth: 0.0 }
    }

    pub(super) fn legend(self, keys: Vec<Key>, obstacles: Vec<Obstacle>) -> Layout {
        Layout { keys, obstacles, ..self }
    }

    /// Room that the numbers of y take in a cell of this area.
    pub(super) fn breadth(&self, area: &Area) -> f64 {
        self.upright(area).breadth()
    }

    /// Room that the numbers or names of x take in a cell of this area.
    pub(super) fn needed_depth(&self, area: &Area) -> f64 {
        depth(&self.across(area))
    }

    fn across(&self, area: &Area) -> Ticked {
        self.x.across(area.width() - self.breadth(area) - 20.0)
    }

    fn upright(&self, area: &Area) -> Ticked {
        let below = if self.x.label.is_empty() { 15.0 } else { 30.0 };
        self.y.upright(area.width(), area.height() - below)
    }
}

/// A chart with one frame, before it is drawn.
pub struct Framed<'d> {
    pub layout: Layout,
    /// Draws the data into the frame.
    pub data: Box<dyn Fn(&Plot) + 'd>,
}

impl<'d> Framed<'d> {
    pub(super) fn new(layout: Layout, data: impl Fn(&Plot) + 'd) -> Option<Self> {
        Some(Framed { layout, data: Box::new(data) })
    }
}

/// A frame with coordinates, ready for data.
pub struct Plot<'c, 's, 'a> {
    pub(super) cell: &'c Cell<'s, 'a>,
    pub(super) frame: Area,
    pub(super) x: Scale,
    pub(super) y: Scale,
    coordinates: DrawingArea<&'a mut Scene, Cartesian2d<Scale, Scale>>,
}

impl Plot<'_, '_, '_> {
    /// Where a pair of values is on the page.
    pub(super) fn at(&self, x: f64, y: f64) -> Place {
        let (x, y) = self.coordinates.map_coordinate(&(x, y));
        (f64::from(x) / UNITS_PER_POINT, f64::from(y) / UNITS_PER_POINT)
    }

    pub(super) fn shows(&self, x: f64, y: f64) -> bool {
        self.x.shows(x) && self.y.shows(y)
    }
}

impl<'s, 'a> Cell<'s, 'a> {
    /// Lays out a chart with a frame, draws the data, and then the axes and the legend above them.
    pub(super) fn plot(&self, layout: Layout, data: impl FnOnce(&Plot<'_, 's, 'a>)) {
        // The number of ticks depends on the frame, and the frame on the width of their labels. Two rounds are enough.
        let guess = margins(&self.area, &layout.across(&self.area), &layout.upright(&self.area), &layout);
        let guess = self.with_legend(&layout, guess).0;
        let x = layout.x.across(guess.width());
        let y = layout.y.upright(self.area.width(), guess.height());
        let (frame, spot) = self.with_legend(&layout, margins(&self.area, &x, &y, &layout));
        let plot = self.coordinates(frame, x.scale, y.scale);
        data(&plot);
        draw_axes(&plot, &x, &y);
        legend::draw(self, &layout.keys, spot, &frame);
    }

    fn coordinates<'c>(&'c self, frame: Area, x: Scale, y: Scale) -> Plot<'c, 's, 'a> {
        let across = units(frame.left)..units(frame.right);
        let upwards = units(frame.bottom)..units(frame.top);
        let coordinates = self.sheet().apply_coord_spec(Cartesian2d::new(x, y, (across, upwards)));
        Plot { cell: self, frame, x, y, coordinates }
    }

    /// The frame that leaves room for the legend if no corner is free for it.
    fn with_legend(&self, layout: &Layout, bare: Area) -> (Area, Spot) {
        let trial = self.coordinates(bare, layout.x.scale, layout.y.scale);
        let free = |area: &Area| layout.obstacles.iter().all(|obstacle| !covers(&trial, obstacle, area));
        let spot = legend::spot(&layout.keys, &bare, self.area.width(), free);
        let above = match spot {
            Spot::Above { columns } => legend::height_above(&layout.keys, columns),
            Spot::Corner { .. } => 0.0,
        };
        // A very long legend must not take all the room.
        let top = (bare.top + above).min(bare.bottom - 20.0);
        (Area { top, ..bare }, spot)
    }
}

fn covers(plot: &Plot, obstacle: &Obstacle, area: &Area) -> bool {
    match obstacle {
        Obstacle::Line(values) => {
            let places: Vec<Place> = values.iter().map(|(x, y)| plot.at(*x, *y)).collect();
            match places.as_slice() {
                [only] => area.meets(*only, *only),
                more => more.windows(2).any(|pair| area.meets(pair[0], pair[1])),
            }
        }
        Obstacle::Block(from, to) => {
            let ((ax, ay), (bx, by)) = (plot.at(from.0, from.1), plot.at(to.0, to.1));
            let block = Area { left: ax.min(bx), top: ay.min(by), right: ax.max(bx), bottom: ay.max(by) };
            area.overlaps(&block)
        }
    }
}

/// The height of the numbers or names of x.
fn depth(x: &Ticked) -> f64 {
    if x.turned { x.breadth() } else { cap_height(TICK) + (x.lines() - 1) as f64 * LINE }
}

/// The frame that leaves the room that numbers and labels need, and at least that of the layout.
fn margins(area: &Area, x: &Ticked, y: &Ticked, layout: &Layout) -> Area {
    let label = |ticked: &Ticked| if ticked.label.is_empty() { 0.0 } else { TO_LABEL + LABEL };
    let below = depth(x).max(layout.depth);
    // A number at the end of the x axis reaches beyond the frame by half its width.
    let beyond = |tick: Option<&(f64, String)>, room: fn(f64) -> f64| {
        let upright = tick.filter(|_| !x.turned);
        upright.map_or(0.0, |(value, text)| {
            let widest = text.split('\n').map(|line| text_width(line, TICK)).fold(0.0, f64::max);
            widest / 2.0 - room(x.scale.fraction(*value)) * 0.7 * area.width()
        })
    };
    let before = beyond(x.ticks.major.first(), |share| share);
    let after = beyond(x.ticks.major.last(), |share| 1.0 - share);
    Area {
        left: area.left + TO_EDGE + (label(y) + y.breadth().max(layout.numbers) + TO_NUMBERS).max(before),
        top: area.top + TO_EDGE + TICK / 3.0,
        right: area.right - TO_EDGE - after.max(2.0),
        bottom: area.bottom - TO_EDGE - label(x) - below - TO_NUMBERS - 1.0,
    }
}

fn draw_axes(plot: &Plot, x: &Ticked, y: &Ticked) {
    // A long name of x keeps away from the name of y.
    let beside = if y.label.is_empty() { 1.0 } else { TO_LABEL + LABEL };
    draw_x(plot, x, plot.cell.area.left + beside);
    draw_y(plot, y);
    plot.cell.outline(&plot.frame, pen(INK, FRAME));
}

/// `leftmost` is where the label may begin.
fn draw_x(plot: &Plot, axis: &Ticked, leftmost: f64) {
    let frame = &plot.frame;
    let place = |value: f64| frame.left + plot.x.fraction(value) * frame.width();
    let tick = |value: f64, length: f64| {
        let x = place(value);
        plot.cell.line(&[(x, frame.bottom), (x, frame.bottom - length)], pen(INK, FRAME));
        plot.cell.line(&[(x, frame.top), (x, frame.top + length)], pen(INK, FRAME));
    };
    let upright = Lettering::new(TICK, HPos::Center, VPos::Top);
    let turned = Lettering::new(TICK, HPos::Right, VPos::Center).upwards();
    for (value, text) in &axis.ticks.major {
        if axis.marked {
            tick(*value, MAJOR);
        }
        let last = text.split('\n').count() - 1;
        for (line, text) in text.split('\n').enumerate() {
            let (x, y) = (place(*value), frame.bottom + TO_NUMBERS);
            match axis.turned {
                true => plot.cell.text(text, (x + (line as f64 - last as f64 / 2.0) * LINE, y), turned),
                false => plot.cell.text(text, (x, y + line as f64 * LINE), upright),
            }
        }
    }
    axis.ticks.minor.iter().for_each(|value| tick(*value, MINOR));
    if !axis.label.is_empty() {
        let middle = centred(&axis.label, frame.centre().0, leftmost, plot.cell.area.right - 1.0);
        let at = (middle, plot.cell.area.bottom - TO_EDGE);
        plot.cell.text(&axis.label, at, Lettering::new(LABEL, HPos::Center, VPos::Bottom));
    }
}

fn draw_y(plot: &Plot, axis: &Ticked) {
    let frame = &plot.frame;
    let place = |value: f64| frame.bottom - plot.y.fraction(value) * frame.height();
    let tick = |value: f64, length: f64| {
        let y = place(value);
        plot.cell.line(&[(frame.left, y), (frame.left + length, y)], pen(INK, FRAME));
        plot.cell.line(&[(frame.right, y), (frame.right - length, y)], pen(INK, FRAME));
    };
    let lettering = Lettering::new(TICK, HPos::Right, VPos::Center);
    for (value, text) in &axis.ticks.major {
        if axis.marked {
            tick(*value, MAJOR);
        }
        let lines = text.split('\n').count();
        for (line, text) in text.split('\n').enumerate() {
            let shift = (line as f64 - (lines - 1) as f64 / 2.0) * LINE;
            plot.cell.text(text, (frame.left - TO_NUMBERS, place(*value) + shift), lettering);
        }
    }
    axis.ticks.minor.iter().for_each(|value| tick(*value, MINOR));
    if !axis.label.is_empty() {
        let area = &plot.cell.area;
        let middle = centred(&axis.label, frame.centre().1, area.top + 1.0, area.bottom - 1.0);
        let at = (frame.left - TO_NUMBERS - axis.breadth() - TO_LABEL, middle);
        plot.cell.text(&axis.label, at, Lettering::new(LABEL, HPos::Center, VPos::Bottom).upwards());
    }
}

/// The middle of a label: that of the frame, or moved so far that a long label stays between both ends.
fn centred(label: &str, middle: f64, from: f64, to: f64) -> f64 {
    let half = text_width(label, LABEL) / 2.0;
    let (low, high) = (from + half, to - half);
    if low > high { (from + to) / 2.0 } else { middle.clamp(low, high) }
}
