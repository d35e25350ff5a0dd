//! Several optimizers on the same problem with the same budget, each several times.

use std::sync::Arc;

use super::context::{Player, TuningContext};
use super::search_run::{self, SearchJob, SearchRun};
use super::single_run::{search_games, write_searches};
use super::tables;
use crate::experiment::analysis::Analysis;
use crate::experiment::analysis::summary::summary_table;
use crate::experiment::error::Error;
use crate::experiment::folder::ResultsFolder;
use crate::report::table::{Table, interval_cells, interval_columns};
use crate::rng::derive;
use crate::spec::Tuning;
use crate::spec::tune::Method;
use crate::stats::{Interval, Moments};

/// The results of an optimizer over its repeats.
#[derive(Clone, Debug)]
pub struct OptimizerScore {
    /// Its name.
    pub optimizer: String,
    /// The objective on test games, for the recommendation of each repeat.
    pub tested: Vec<f64>,
    /// Their mean; the interval is over repeats.
    pub mean: Interval,
    /// The training games after which each repeat has reached 95 % of the final validation score of the first
    /// optimizer. A repeat that never does so counts with all its games.
    pub games_needed: Vec<f64>,
}

/// The share of the first optimizer's final score that an optimizer must reach.
const SHARE: f64 = 0.95;

/// The result of a contest.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The objective of the start on test games.
    pub start: Option<Interval>,
    /// Best first.
    pub standings: Vec<OptimizerScore>,
}

/// The searches. Each repeat has its own solver seed and its own training games. The same repeat of every optimizer has
/// the same games.
pub(super) fn jobs(tuning: &Tuning, methods: &[Method], repeats: u64) -> Vec<SearchJob> {
    let job = |method: &Method, repeat: u64| SearchJob {
        name: format!("{}-{repeat}", method.label),
        mark: vec![("optimizer", method.label.clone()), ("repeat", repeat.to_string())],
        agent: tuning.agent.clone(),
        method: method.clone(),
        seed: derive(tuning.seed, repeat),
    };
    methods.iter().flat_map(|method| (1..=repeats).map(move |repeat| job(method, repeat))).collect()
}

pub(super) fn expected_games(tuning: &Tuning, jobs: &[SearchJob]) -> u64 {
    let searches: u64 = jobs.iter().map(|job| search_games(tuning, &job.method)).sum();
    searches + (jobs.len() as u64 + 1) * tuning.test.games * tuning.test_scenario_count()
}

pub(super) fn run(context: &Arc<TuningContext>, folder: &ResultsFolder, jobs: &[SearchJob]) -> Result<Contest, Error> {
    let (tuning, runs) = (&context.tuning, search_run::run_all(context, jobs)?);
    context.runner.progress.say("playing the test games");
    let mut players = vec![("start".to_string(), context.start(&tuning.agent))];
    for (job, run) in &runs {
        players.push((job.name.clone(), context.player(&job.agent, &run.result.recommendation)?));
    }
    let tested = test(context, players)?;
    write_searches(folder, tuning, &runs)?;
    folder.write_table(super::SUMMARY, &tested.summary)?;
    let contest =
        Contest { start: tested.values.first().copied().flatten(), standings: standings(&runs, &tested.values) };
    folder.write_table(super::RANKING, &ranking(&contest))?;
    Ok(contest)
}

struct Tested {
    /// The objective of the start, then of every search.
    values: Vec<Option<Interval>>,
    summary: Table,
}

fn test(context: &TuningContext, players: Vec<(String, Player)>) -> Result<Tested, Error> {
    let (tuning, tested) = (&context.tuning, context.test(players)?);
    let named = tested.iter().flat_map(|player| player.named_games(&tuning.test.scenarios));
    let samples: Vec<_> = named.map(|(name, games)| tables::sample(&name, games)).collect();
    let value = |games| context.estimate(games).map(|value| Some(value).filter(|value| value.estimate.is_finite()));
    let values = tested.iter().map(|player| value(&player.games)).collect::<Result<_, _>>()?;
    Ok(Tested { values, summary: summary_table(&samples, tuning.seed, &Analysis::default()) })
}

fn standings(runs: &[(SearchJob, SearchRun)], values: &[Option<Interval>]) -> Vec<OptimizerScore> {
    let mut standings: Vec<OptimizerScore> = Vec::new();
    let threshold = SHARE * final_validation(runs);
    for ((job, run), value) in runs.iter().zip(values.iter().skip(1)) {
        let optimizer = job.method.label.as_str();
        let place = standings.iter().position(|standing| standing.optimizer == optimizer).unwrap_or_else(|| {
            standings.push(OptimizerScore::without_results(optimizer));
            standings.len() - 1
        });
        standings[place].tested.push(value.map_or(f64::NAN, |value| value.estimate));
        standings[place].games_needed.push(games_needed(run, threshold));
    }
    for standing in &mut standings {
        standing.mean = Moments::of(&standing.tested).mean_interval_or_value().unwrap_or(standing.mean);
    }
    standings.sort_by(|a, b| b.mean.estimate.total_cmp(&a.mean.estimate));
    standings
}

impl OptimizerScore {
    fn without_results(optimizer: &str) -> Self {
        let mean = Interval::around(f64::NAN, 0.0);
        OptimizerScore { optimizer: optimizer.to_string(), tested: Vec::new(), mean, games_needed: Vec::new() }
    }
}

/// The last validation score of the first optimizer, as a mean over its repeats.
fn final_validation(runs: &[(SearchJob, SearchRun)]) -> f64 {
    let first = runs.first().map(|(job, _)| &job.method.label);
    let own = runs.iter().filter(|(job, _)| Some(&job.method.label) == first);
    let last: Vec<f64> = own.filter_map(|(_, run)| Some(run.validations.last()?.value.estimate)).collect();
    Moments::of(&last).mean().unwrap_or(f64::NAN)
}

/// The training games before the first validation that reaches the threshold; without one, all training games.
fn games_needed(run: &SearchRun, threshold: f64) -> f64 {
    let reached = run.validations.iter().find(|validation| validation.value.estimate >= threshold);
    reached.map_or(run.games(), |validation| validation.games) as f64
}

fn ranking(contest: &Contest) -> Table {
    let own = ["optimizer", "repeats"].map(str::to_string).to_vec();
    let estimates = ["objective", "games_needed"].map(interval_columns);
    let mut table = Table::new([own, estimates.concat()].concat());
    for standing in &contest.standings {
        let cells = vec![standing.optimizer.clone(), standing.tested.len().to_string()];
        let estimates =
            [Some(standing.mean), Moments::of(&standing.games_needed).mean_interval_or_value()].map(interval_cells);
        table.push([cells, estimates.concat()].concat());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::search_run::tests::run;
    use super::*;

    #[test]
    fn games_needed_are_those_of_the_first_validation_that_is_high_enough() {
        let run = run(&[10.0, 96.0, 94.0, 100.0]);
        assert_eq!([95.0, 99.0].map(|threshold| games_needed(&run, threshold)), [1.0, 3.0]);
        assert_eq!(games_needed(&run, 101.0), run.games() as f64, "never reached");
    }
}
