//! The tables of a tuning run.

use super::ablation::AblationStep;
use super::importance::{LandscapePoint, Share};
use super::search_run::{SearchJob, SearchRun, ValidationPoint};
use super::sensitivity::{Optimism, SlicePoint};
use crate::experiment::analysis::sample::AgentGames;
use crate::heuristics::Heuristic;
use crate::heuristics::features::read_mask;
use crate::optimize::{Iterate, Trial};
use crate::params::{InputError, show};
use crate::play::GameResult;
use crate::report::table::{Table, interval_cells, interval_columns, number, optional};
use crate::spec::Tuning;
use crate::spec::tune::{Parameter, SPREAD};
use crate::stats::quantiles::quantile;
use crate::stats::{Interval, Moments};

/// Searches that share a table.
type SearchRuns = [(SearchJob, SearchRun)];

fn columns(runs: &SearchRuns, own: &[&str], parameters: &[String]) -> Vec<String> {
    let marks = runs.first().into_iter().flat_map(|(job, _)| job.mark.iter().map(|(name, _)| *name));
    marks.chain(own.iter().copied()).map(str::to_string).chain(parameters.iter().cloned()).collect()
}

fn marked(job: &SearchJob, cells: Vec<String>, point: &[f64]) -> Vec<String> {
    let marks = job.mark.iter().map(|(_, value)| value.clone());
    marks.chain(cells).chain(point.iter().map(f64::to_string)).collect()
}

/// Every candidate that was played.
pub(super) fn evaluations(tuning: &Tuning, runs: &SearchRuns) -> Table {
    let own = ["phase", "generation", "first_game", "games", "mean", "standard_error"];
    let mut table = Table::new(columns(runs, &own, &tuning.parameter_names()));
    for (job, run) in runs {
        let phases = [("search", &run.result.trials), ("race", &run.result.race)];
        for (phase, trial) in phases.into_iter().flat_map(|(phase, trials)| trials.iter().map(move |t| (phase, t))) {
            let Trial { generation, candidate, evaluation } = trial;
            let counts = [*generation, candidate.first_game, evaluation.games].map(|count| count.to_string());
            let values = [number(evaluation.mean), optional(evaluation.standard_error)];
            let cells = [vec![phase.to_string()], counts.to_vec(), values.to_vec()].concat();
            table.push(marked(job, cells, &candidate.point));
        }
    }
    table
}

/// The point that the search would recommend after each generation.
pub(super) fn trajectory(tuning: &Tuning, runs: &SearchRuns) -> Table {
    let mut table = Table::new(columns(runs, &["generation", "games", "step"], &tuning.parameter_names()));
    for (job, run) in runs {
        for Iterate { generation, games, point, step } in &run.result.trajectory {
            let cells = vec![generation.to_string(), games.to_string(), optional(*step)];
            table.push(marked(job, cells, point));
        }
    }
    table
}

/// The objective on validation games during the search.
pub(super) fn validation(tuning: &Tuning, runs: &SearchRuns) -> Table {
    let estimates = [interval_columns("objective"), interval_columns("recent_gain")].concat();
    let own = [vec!["generation".to_string(), "training_games".into(), "games".into()], estimates].concat();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let mut table = Table::new(columns(runs, &own, &[]));
    for (job, run) in runs {
        for ValidationPoint { generation, games, value, gain, .. } in &run.validations {
            let counts = [*generation, *games, tuning.validation.games].map(|count| count.to_string());
            let cells = [counts.to_vec(), interval_cells(Some(*value)).to_vec(), interval_cells(*gain).to_vec()];
            table.push(marked(job, cells.concat(), &[]));
        }
    }
    table
}

/// The free parameters with their start and tuned values, and the spread of the last candidates.
pub(super) fn parameters(tuning: &Tuning, run: &SearchRun) -> Table {
    let has_choices = tuning.parameters.iter().any(|parameter| parameter.choices().is_some());
    let columns = ["parameter", "start", "tuned", "low", "high", "scale", SPREAD].into_iter();
    let mut table = Table::new(columns.chain(has_choices.then_some("choices")));
    let last: Vec<Vec<f64>> = last_candidates(run).map(|point| tuning.space.to_unit(point)).collect();
    for (place, (dimension, parameter)) in tuning.space.dimensions().iter().zip(&tuning.parameters).enumerate() {
        let tuned = run.result.recommendation[place];
        let numbers = [dimension.start, tuned, dimension.low, dimension.high].map(|number| number.to_string());
        let spread: Vec<f64> = last.iter().map(|unit| unit[place]).collect();
        let spread = number(Moments::of(&spread).sd().unwrap_or(0.0));
        let choices = has_choices.then(|| choices(parameter));
        let words = vec![dimension.scale.name().to_string(), spread].into_iter().chain(choices);
        table.push([vec![dimension.name.clone()], numbers.to_vec(), words.collect()].concat());
    }
    table
}

/// The numbers of the choices with their values: `0 value, 1 log2`.
fn choices(parameter: &Parameter) -> String {
    let list = parameter.choices().unwrap_or_default().iter().enumerate();
    list.map(|(place, value)| format!("{place} {}", show(value))).collect::<Vec<_>>().join(", ")
}

pub(super) fn slices(tuning: &Tuning, points: &[SlicePoint]) -> Table {
    let mut table = Table::new(
        [vec!["parameter".to_string(), "value".into(), "games".into()], interval_columns("objective").to_vec()]
            .concat(),
    );
    let names = tuning.parameter_names();
    for SlicePoint { parameter, at, value } in points {
        let cells = vec![names[*parameter].clone(), at.to_string(), tuning.slices.games.to_string()];
        table.push([cells, interval_cells(Some(*value)).to_vec()].concat());
    }
    table
}

/// The path from the start to the tuned parameters.
pub(super) fn ablation(tuning: &Tuning, steps: &[AblationStep]) -> Table {
    let estimates = [interval_columns("objective"), interval_columns("change")].concat();
    let mut table = Table::new([vec!["step".to_string(), "games".into()], estimates].concat());
    let names = tuning.parameter_names();
    for AblationStep { parameter, value, change } in steps {
        let label = parameter.and_then(|parameter| names.get(parameter));
        let label = label.map_or("start".to_string(), |name| format!("+ {name}"));
        let cells = vec![label, tuning.ablation.to_string()];
        table.push([cells, interval_cells(*value).to_vec(), interval_cells(*change).to_vec()].concat());
    }
    table
}

/// The share of the explained variance of each parameter and pair.
pub(super) fn importance(tuning: &Tuning, shares: &[Share]) -> Table {
    let own = ["parameter", "other"].map(str::to_string).to_vec();
    let mut table = Table::new([own, interval_columns("share").to_vec()].concat());
    let names = tuning.parameter_names();
    for Share { parameter, other, share } in shares {
        let cells = vec![names[*parameter].clone(), other.map_or(String::new(), |other| names[other].clone())];
        table.push(
            [cells, [share.estimate, share.low, share.high].map(|share| format!("{share:.5}")).to_vec()].concat(),
        );
    }
    table
}

/// The learned objective over pairs of parameters.
pub(super) fn landscape(tuning: &Tuning, points: &[LandscapePoint]) -> Table {
    let mut table = Table::new(["parameter", "other", "x", "y", "objective"]);
    let names = tuning.parameter_names();
    for LandscapePoint { parameters: (first, second), at: (x, y), value } in points {
        table.push([names[*first].clone(), names[*second].clone(), x.to_string(), y.to_string(), number(*value)]);
    }
    table
}

/// The best value that the search saw, and the same point played again.
pub(super) fn optimism(tuning: &Tuning, optimism: Option<&Optimism>) -> Table {
    let own = ["claimed_games", "claimed", "games"].map(str::to_string).to_vec();
    let mut table = Table::new([own, interval_columns("objective").to_vec()].concat());
    if let Some(Optimism { claimed, again }) = optimism {
        let evaluation = claimed.evaluation;
        let cells = vec![evaluation.games.to_string(), number(evaluation.mean), tuning.ablation.to_string()];
        table.push([cells, interval_cells(Some(*again)).to_vec()].concat());
    }
    table
}

/// The weights of a heuristic's first mask, times its coefficient; nothing if it has no mask.
fn weights(heuristic: &Heuristic) -> Option<Vec<f64>> {
    let term = heuristic.terms().iter().find(|term| term.feature().name == "mask")?;
    let weights = read_mask(term.values()).ok()?;
    Some(weights.iter().map(|weight| weight * term.coefficient()).collect())
}

/// The tuned mask. If its cells were free, each has the quartiles of the last candidates. Quartiles are used because
/// weights are searched on a logarithmic scale, on which they are not symmetric.
pub(super) fn mask(tuning: &Tuning, run: &SearchRun) -> Result<Option<Table>, InputError> {
    let point = &run.result.recommendation;
    let Some(tuned) = tuning.heuristic_at(point)?.as_ref().and_then(weights) else { return Ok(None) };
    if !tuning.space.dimensions().iter().any(|dimension| dimension.name.contains(".cells.")) {
        let mut table = Table::new(["1", "2", "3", "4"]);
        tuned.chunks(4).for_each(|row| table.push(row.iter().map(|weight| number(*weight))));
        return Ok(Some(table));
    }
    let mut last = Vec::new();
    for point in last_candidates(run) {
        last.extend(tuning.heuristic_at(point)?.as_ref().and_then(weights));
    }
    let spread = |cell: usize| {
        let values: Vec<f64> = last.iter().filter_map(|weights| weights.get(cell).copied()).collect();
        let quartile = |p: f64| quantile(&values, p).unwrap_or(tuned[cell]);
        Interval { estimate: tuned[cell], low: quartile(0.25), high: quartile(0.75) }
    };
    let mut table = Table::new(["1", "2", "3", "4"].map(interval_columns).concat());
    for row in 0..4 {
        table.push((0..4).flat_map(|column| interval_cells(Some(spread(4 * row + column)))));
    }
    Ok(Some(table))
}

/// The candidates whose spread is shown: about one generation.
const LAST_CANDIDATES: usize = 20;

fn last_candidates(run: &SearchRun) -> impl Iterator<Item = &[f64]> {
    let trials = &run.result.trials;
    trials[trials.len().saturating_sub(LAST_CANDIDATES)..].iter().map(|trial| trial.candidate.point.as_slice())
}

/// The games of one player as the statistics need them.
pub(super) fn sample(agent: &str, games: &[GameResult]) -> AgentGames {
    let mut sample = AgentGames { agent: agent.to_string(), ..AgentGames::default() };
    games.iter().for_each(|game| sample.add(game));
    sample
}
