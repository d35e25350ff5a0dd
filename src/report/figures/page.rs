//! From charts to scenes: one chart, or several panels with letters.

use super::axis::Axis;
use super::canvas::{Area, Cell};
use super::facets::{self, Facet, Surround};
use super::legend::Key;
use super::plot::{Framed, Layout};
use super::{Chart, Width};
use crate::report::scene::{Scene, markup};

/// One chart at this width.
pub fn draw(chart: &dyn Chart, width: Width) -> Scene {
    let height = chart.height(width.points());
    page(width, height, &markup::bare(&chart.title()), |cell| chart.draw(cell))
}

fn page(width: Width, height: f64, title: &str, content: impl FnOnce(&Cell)) -> Scene {
    let mut scene = Scene::new(width.points(), height, title);
    let (right, bottom) = scene.size();
    let sheet = scene.sheet();
    content(&Cell::new(&sheet, Area { left: 0.0, top: 0.0, right, bottom }));
    drop(sheet);
    scene
}

/// Several charts of one kind as panels a, b, c, ... with their names. They share labels, scales and one legend.
pub fn panels(charts: Vec<(String, Box<dyn Chart>)>, width: Width, title: &str) -> Scene {
    draw(&Panels { charts, title: title.to_string() }, width)
}

/// Several charts of one kind, each with its name.
pub(super) struct Panels {
    pub charts: Vec<(String, Box<dyn Chart>)>,
    pub title: String,
}

impl Panels {
    /// The panels, and all that they share.
    fn facets(&self) -> (Surround, Vec<Facet<'_>>) {
        let frames = self.charts.iter().filter_map(|(name, chart)| Some((name, chart.frame()?)));
        let (names, mut frames): (Vec<&String>, Vec<Framed>) = frames.unzip();
        let needed = |(name, chart): &(String, Box<dyn Chart>)| chart.narrowest_panel().max(facets::name_width(name));
        let narrowest = self.charts.iter().map(needed).fold(0.0, f64::max);
        let surround = Surround { narrowest, ..share(&mut frames) };
        let facets = names.into_iter().zip(frames).enumerate();
        let facet = |(index, (name, frame)): (usize, (&String, _))| Facet {
            name: name.clone(),
            letter: Some(letter(index)),
            frame,
        };
        (surround, facets.map(facet).collect())
    }
}

impl Chart for Panels {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn natural_width(&self) -> Width {
        Width::PAGE
    }

    fn height(&self, width: f64) -> f64 {
        let (surround, facets) = self.facets();
        facets::panels_height(facets.len(), &surround, width)
    }

    fn draw(&self, cell: &Cell) {
        let (surround, facets) = self.facets();
        facets::draw(cell, &surround, facets);
    }
}

/// Takes labels and legends out of the frames, and gives all frames the same scales where they have the same kind.
fn share(frames: &mut [Framed]) -> Surround {
    let axes = |pick: fn(&Layout) -> &Axis| frames.iter().map(|frame| pick(&frame.layout)).collect::<Vec<_>>();
    let (x, y) = (Axis::united(&axes(|layout| &layout.x)), Axis::united(&axes(|layout| &layout.y)));
    let mut surround = Surround::default();
    for Framed { layout, .. } in frames {
        surround.x_label.clone_from(&layout.x.label);
        surround.y_label.clone_from(&layout.y.label);
        Key::unite(&mut surround.keys, std::mem::take(&mut layout.keys));
        layout.x = x.as_ref().unwrap_or(&layout.x).unlabelled();
        layout.y = y.as_ref().unwrap_or(&layout.y).unlabelled();
    }
    surround
}

/// a to z, then numbers.
pub(super) fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(small) if small < 26 => char::from(b'a' + small).to_string(),
        _ => (index + 1).to_string(),
    }
}
