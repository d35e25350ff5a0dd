//! Lines of equal value on a grid of values, by marching squares (Lorensen and Cline 1987, in two dimensions).

use std::collections::BTreeMap;

/// Values on a grid, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Grid {
    pub columns: usize,
    pub values: Vec<f64>,
}

/// An edge between two neighbouring places of the grid: the index of the lower one, and whether the edge is upright.
type Edge = (usize, bool);

impl Grid {
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// The lines where the grid has this value, in units of columns and rows. A closed line ends where it begins.
    pub fn lines(&self, level: f64) -> Vec<Vec<(f64, f64)>> {
        let mut neighbours: BTreeMap<Edge, Vec<Edge>> = BTreeMap::new();
        for row in 1..self.rows() {
            for column in 1..self.columns {
                for (from, to) in self.segments((row - 1) * self.columns + column - 1, level) {
                    neighbours.entry(from).or_default().push(to);
                    neighbours.entry(to).or_default().push(from);
                }
            }
        }
        // Open lines are followed from their ends, and what is left is closed.
        let ends: Vec<Edge> = neighbours.iter().filter(|(_, next)| next.len() == 1).map(|(edge, _)| *edge).collect();
        let all: Vec<Edge> = neighbours.keys().copied().collect();
        let mut lines = Vec::new();
        for start in ends.into_iter().chain(all) {
            let line = follow(&mut neighbours, start);
            if line.len() > 1 {
                lines.push(line.into_iter().map(|edge| self.crossing(edge, level)).collect());
            }
        }
        lines
    }

    /// The segments of a level within the square whose lower left corner has this index.
    fn segments(&self, corner: usize, level: f64) -> Vec<(Edge, Edge)> {
        let corners = [corner, corner + 1, corner + 1 + self.columns, corner + self.columns];
        let high = corners.map(|index| self.values[index] >= level);
        if corners.iter().any(|index| !self.values[*index].is_finite()) {
            return Vec::new();
        }
        let edges = [(corner, false), (corner + 1, true), (corner + self.columns, false), (corner, true)];
        let crossed: Vec<Edge> =
            (0..4).filter(|side| high[*side] != high[(side + 1) % 4]).map(|side| edges[side]).collect();
        match *crossed.as_slice() {
            [a, b] => vec![(a, b)],
            // A saddle: its middle decides which corners belong together.
            [a, b, c, d] => {
                let middle = corners.map(|index| self.values[index]).iter().sum::<f64>() / 4.0 >= level;
                if middle == high[0] { vec![(a, b), (c, d)] } else { vec![(d, a), (b, c)] }
            }
            _ => Vec::new(),
        }
    }

    /// Where an edge has this value, by linear interpolation.
    fn crossing(&self, (index, upright): Edge, level: f64) -> (f64, f64) {
        let other = if upright { index + self.columns } else { index + 1 };
        let (a, b) = (self.values[index], self.values[other]);
        let share = if a == b { 0.5 } else { ((level - a) / (b - a)).clamp(0.0, 1.0) };
        let (column, row) = ((index % self.columns) as f64, (index / self.columns) as f64);
        if upright { (column, row + share) } else { (column + share, row) }
    }
}

/// Takes a line out of the map, from one edge to the next.
fn follow(neighbours: &mut BTreeMap<Edge, Vec<Edge>>, start: Edge) -> Vec<Edge> {
    let mut line = vec![start];
    let mut at = start;
    while let Some(next) = neighbours.get_mut(&at).and_then(Vec::pop) {
        if let Some(back) = neighbours.get_mut(&next) {
            back.retain(|edge| *edge != at);
        }
        line.push(next);
        at = next;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hill_has_closed_lines_at_the_right_distance() {
        let (columns, centre) = (41, 20.0);
        let distance = |index: usize| ((index % columns) as f64 - centre).hypot((index / columns) as f64 - centre);
        let grid = Grid { columns, values: (0..columns * columns).map(|index| -distance(index)).collect() };
        let lines = grid.lines(-10.3);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last());
        assert!(lines[0].iter().all(|(x, y)| ((x - centre).hypot(y - centre) - 10.3).abs() < 0.1));
        assert!(grid.lines(1.0).is_empty());
    }

    #[test]
    fn a_slope_has_one_line_from_edge_to_edge() {
        let grid = Grid { columns: 5, values: (0..20).map(|index| f64::from(index % 5)).collect() };
        let lines = grid.lines(1.5);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].len(), 4);
        assert!(lines[0].iter().all(|(x, _)| *x == 1.5));
    }

    #[test]
    fn saddles_and_holes_are_no_problem() {
        let saddle = Grid { columns: 2, values: vec![1.0, 0.0, 0.0, 1.0] };
        assert_eq!(saddle.lines(0.5).len(), 2);
        let hole = Grid { columns: 2, values: vec![1.0, f64::NAN, 0.0, 1.0] };
        assert!(hole.lines(0.5).is_empty());
        assert!(Grid::default().lines(0.0).is_empty());
    }
}
