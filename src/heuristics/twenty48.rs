//! The heuristics of 2048, by name.

use std::sync::Arc;

use crate::games::twenty48::{Board, Twenty48};
use crate::params::Problem;

use super::{Evaluator, EvaluatorTask, Heuristic, Named, PRESETS, Playable};

impl Evaluator<Twenty48> for Arc<Heuristic> {
    fn value(&self, board: Board, score: u32) -> f64 {
        Heuristic::value(self, board, score)
    }
}

impl Playable for Twenty48 {
    const DEFAULT_HEURISTIC: &'static str = "line-sum";

    fn heuristics() -> Vec<Named> {
        PRESETS.iter().map(|preset| Named { name: preset.name, summary: preset.summary }).collect()
    }

    fn with_evaluator<T: EvaluatorTask<Self>>(&self, heuristic: &toml::Value, task: T) -> Result<T::Output, Problem> {
        Ok(task.run(Arc::new(Heuristic::load(heuristic)?)))
    }
}
