//! Plain curves of known values, such as the values of the positions of one game.

use crate::report::figures::axis::Axis;
use crate::report::figures::canvas::Place;
use crate::report::figures::legend::Key;
use crate::report::figures::plot::{Framed, Layout, Obstacle, Plot};
use crate::report::figures::scale::Scale;
use crate::report::figures::{Chart, Width};

/// Curves over the same axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    /// The label of the x axis.
    pub x_label: String,
    /// The label of the y axis.
    pub y_label: String,
    /// Each curve with its name and its points, in order of x.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

impl Chart for Curves {
    fn title(&self) -> String {
        format!("{} against {}", self.y_label, self.x_label)
    }

    fn natural_width(&self) -> Width {
        Width::PAGE
    }

    fn frame(&self) -> Option<Framed<'_>> {
        let points = || self.curves.iter().flat_map(|(_, points)| points).filter(|(_, y)| y.is_finite());
        let x = Scale::covering(points().map(|point| point.0), false, 0.02)?;
        let y = Scale::covering(points().map(|point| point.1), false, 0.06)?;
        let keys = self.curves.iter().enumerate().map(|(index, (label, _))| Key::line(label, index)).collect();
        let obstacles = self.curves.iter().map(|(_, points)| Obstacle::Line(points.clone())).collect();
        let layout = Layout::new(Axis::new(&self.x_label, x), Axis::new(&self.y_label, y));
        Framed::new(layout.legend(keys, obstacles), |plot| self.draw_data(plot))
    }
}

impl Curves {
    fn draw_data(&self, plot: &Plot) {
        for (index, (_, points)) in self.curves.iter().enumerate() {
            let shown = points.iter().filter(|(x, y)| plot.shows(*x, *y));
            plot.cell.curve(&shown.map(|(x, y)| plot.at(*x, *y)).collect::<Vec<Place>>(), index);
        }
    }
}
