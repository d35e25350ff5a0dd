//! The heuristics of 2048, by name.

use std::sync::Arc;

use crate::games::twenty48::{Board, Twenty48, boxed_table, unpack};
use crate::params::{Problem, show, unknown};

use super::{Evaluator, EvaluatorTask, Named, Playable};

const LINE_SUM: Named =
    Named { name: "line-sum", summary: "empty cells, merges, monotonicity and ranks of every row and column" };

/// A value for every line, summed over rows and columns.
#[derive(Clone)]
struct LineSum(Arc<[f64; 1 << 16]>);

impl LineSum {
    /// With the constants published in nneonneo/2048-ai.
    fn published() -> Self {
        let mut table = boxed_table();
        for (line, value) in table.iter_mut().enumerate() {
            *value = line_value(unpack(line as u16));
        }
        LineSum(table.into())
    }
}

fn line_value(ranks: [u8; 4]) -> f64 {
    let ranks = ranks.map(f64::from);
    let empty = ranks.iter().filter(|&&rank| rank == 0.0).count() as f64;
    let tiles: Vec<f64> = ranks.into_iter().filter(|&rank| rank > 0.0).collect();
    let merges: usize = tiles.chunk_by(f64::eq).map(<[f64]>::len).filter(|&run| run > 1).sum();
    let (left, right) = ranks.windows(2).fold((0.0, 0.0), |(left, right), pair| {
        let fall: f64 = pair[0].powi(4) - pair[1].powi(4);
        (left + fall.max(0.0), right + (-fall).max(0.0))
    });
    let powers: f64 = tiles.iter().map(|rank| rank.powf(3.5)).sum();
    200_000.0 + 270.0 * empty + 700.0 * merges as f64 - 47.0 * left.min(right) - 11.0 * powers
}

impl Evaluator<Twenty48> for LineSum {
    fn value(&self, board: Board, _score: u32) -> f64 {
        let lines = board.rows().into_iter().chain(board.transposed().rows());
        lines.map(|line| self.0[usize::from(line)]).sum()
    }
}

impl Playable for Twenty48 {
    const DEFAULT_HEURISTIC: &'static str = LINE_SUM.name;

    fn heuristics() -> Vec<Named> {
        vec![LINE_SUM]
    }

    fn with_evaluator<T: EvaluatorTask<Self>>(&self, heuristic: &toml::Value, task: T) -> Result<T::Output, Problem> {
        let found = show(heuristic);
        if found != LINE_SUM.name {
            return Err(Problem::at("heuristic", unknown("heuristic", &found, [LINE_SUM.name].into_iter())));
        }
        Ok(task.run(LineSum::published()))
    }
}
