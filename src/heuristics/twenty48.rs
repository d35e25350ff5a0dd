//! The heuristics of 2048, by name.

use crate::games::twenty48::{Board, Twenty48};
use crate::params::InputError;

use super::{Compiled, Evaluator, EvaluatorTask, Heuristic, Learned, Named, PRESETS, Playable, TermValue};

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
        if let Some(learned) = learned(heuristic)? {
            let terms = learned.breakdown(board, score);
            return Ok((learned.value(board, score), terms));
        }
        let heuristic = Heuristic::load(heuristic)?;
        Ok((heuristic.value(board, score), heuristic.breakdown(board, score)))
    }

    fn with_evaluator<T: EvaluatorTask<Self>>(
        &self,
        heuristic: &crate::params::Value,
        task: T,
    ) -> Result<T::Output, InputError> {
        if let Some(learned) = learned(heuristic)? {
            return Ok(task.run(learned));
        }
        Ok(match Heuristic::load(heuristic)?.compile() {
            Compiled::Lines(evaluator) => task.run(evaluator),
            Compiled::Mixed(evaluator) => task.run(evaluator),
        })
    }
}

/// The network that the user named; `None` if the name is not that of a network. A network is recognised by its first
/// bytes or by the extension `bin`. Because of the extension, a damaged network is not reported as a misspelt
/// heuristic.
#[cfg(feature = "files")]
fn learned(heuristic: &crate::params::Value) -> Result<Option<Learned>, InputError> {
    use crate::learn::{Network, is_network};
    let Some(path) = heuristic.as_str().map(std::path::Path::new) else { return Ok(None) };
    if !is_network(path) && path.extension().is_none_or(|ending| ending != "bin") {
        return Ok(None);
    }
    Network::shared(path).map(|network| Some(Learned::new(network))).map_err(|error| error.under("heuristic"))
}

/// Networks are files, so without the feature `files` there is none.
#[cfg(not(feature = "files"))]
fn learned(_: &crate::params::Value) -> Result<Option<Learned>, InputError> {
    Ok(None)
}
