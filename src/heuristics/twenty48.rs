//! The heuristics of 2048, by name.

use crate::games::twenty48::{Board, Twenty48};
use crate::params::InputError;

use super::{Compiled, EvaluatorTask, Heuristic, Named, PRESETS, Playable, TermValue};

impl Playable for Twenty48 {
    const DEFAULT_HEURISTIC: &'static str = "line-sum";

    fn heuristics() -> Vec<Named> {
        PRESETS.iter().map(|preset| Named { name: preset.name, summary: preset.summary }).collect()
    }

    fn breakdown(
        &self,
        heuristic: &crate::params::Value,
        board: Board,
        score: u32,
    ) -> Result<(f64, Vec<TermValue>), InputError> {
        let heuristic = Heuristic::load(heuristic)?;
        Ok((heuristic.value(board, score), heuristic.breakdown(board, score)))
    }

    fn with_evaluator<T: EvaluatorTask<Self>>(
        &self,
        heuristic: &crate::params::Value,
        task: T,
    ) -> Result<T::Output, InputError> {
        Ok(match Heuristic::load(heuristic)?.compile() {
            Compiled::Lines(evaluator) => task.run(evaluator),
            Compiled::Mixed(evaluator) => task.run(evaluator),
        })
    }
}
