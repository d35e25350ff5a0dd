//! Weights tuned at one depth, tested at others.

use std::sync::Arc;

use super::best;
use super::context::{Player, TuningContext};
use super::search_run::{self, SearchJob, SearchRun};
use super::single_run::{search_games, write_searches};
use super::statistic::estimate;
use crate::experiment::error::Error;
use crate::experiment::folder::ResultsFolder;
use crate::report::table::{Table, interval_cells, interval_columns};
use crate::rng::Test;
use crate::spec::Tuning;
use crate::spec::tune::{AgentAtDepth, Method};
use crate::stats::Interval;

/// The objective for each pair of a depth of tuning and a depth of testing.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// `start`, then the depths of tuning.
    pub rows: Vec<String>,
    /// The depths of testing.
    pub columns: Vec<String>,
    /// One row for each entry of `rows`.
    pub values: Vec<Vec<Interval>>,
}

const START: &str = "start";

pub(super) fn jobs(tuning: &Tuning, method: &Method, levels: &[AgentAtDepth]) -> Vec<SearchJob> {
    let job = |level: &AgentAtDepth| SearchJob {
        name: job_name(&level.depth),
        mark: vec![("tuned_at", level.depth.clone())],
        agent: level.agent.clone(),
        method: method.clone(),
        seed: tuning.seed,
    };
    levels.iter().map(job).collect()
}

fn job_name(depth: &str) -> String {
    format!("depth-{depth}")
}

pub(super) fn expected_games(tuning: &Tuning, jobs: &[SearchJob], tested: &[AgentAtDepth]) -> u64 {
    let searches: u64 = jobs.iter().map(|job| search_games(tuning, &job.method)).sum();
    searches + (jobs.len() as u64 + 1) * tested.len() as u64 * tuning.test.games
}

pub(super) fn run(
    context: &Arc<TuningContext>,
    folder: &ResultsFolder,
    jobs: &[SearchJob],
    tested: &[AgentAtDepth],
) -> Result<Transfer, Error> {
    let (tuning, runs) = (&context.tuning, search_run::run_all(context, jobs)?);
    context.runner.progress.say("playing the test games");
    let transfer = test(context, &runs, tested)?;
    write_searches(folder, tuning, &runs)?;
    folder.write_table(super::TRANSFER, &table(tuning, &transfer))?;
    for ((job, run), values) in runs.iter().zip(transfer.values.iter().skip(1)) {
        let labels: Vec<String> = tested.iter().map(|level| format!("depth {}:", level.depth)).collect();
        let values: Vec<(&str, Interval)> = labels.iter().map(String::as_str).zip(values.iter().copied()).collect();
        let name = format!("{}-{}", tuning.name, job.name);
        for (kind, text) in best::files(tuning, job, run, &name, &values)? {
            folder.write(&format!("{kind}-{}.toml", job.name), text.as_bytes())?;
        }
    }
    Ok(transfer)
}

fn test(context: &TuningContext, runs: &[(SearchJob, SearchRun)], tested: &[AgentAtDepth]) -> Result<Transfer, Error> {
    let tuning = &context.tuning;
    let mut rows: Vec<(String, Vec<f64>)> = vec![(START.to_string(), tuning.start())];
    for (job, run) in runs {
        let depth = job.mark.first().map(|(_, depth)| depth.clone()).unwrap_or_default();
        rows.push((depth, run.result.recommendation.clone()));
    }
    let mut values = Vec::new();
    for (_, point) in &rows {
        let players: Vec<Player> =
            tested.iter().map(|level| context.player(&level.agent, point)).collect::<Result<_, _>>()?;
        let played = context.measure::<Test>(&players, tuning.test.games)?;
        let value = |games: &Vec<_>| estimate(tuning.objective, games).unwrap_or(Interval::around(f64::NAN, 0.0));
        values.push(played.iter().map(value).collect());
    }
    let columns = tested.iter().map(|level| level.depth.clone()).collect();
    Ok(Transfer { rows: rows.into_iter().map(|(name, _)| name).collect(), columns, values })
}

fn table(tuning: &Tuning, transfer: &Transfer) -> Table {
    let own = ["tuned_at", "tested_at", "games"].map(str::to_string).to_vec();
    let mut table = Table::new([own, interval_columns("objective").to_vec()].concat());
    for (row, values) in transfer.rows.iter().zip(&transfer.values) {
        for (column, value) in transfer.columns.iter().zip(values) {
            let cells = vec![row.clone(), column.clone(), tuning.test.games.to_string()];
            table.push([cells, interval_cells(Some(*value)).to_vec()].concat());
        }
    }
    table
}
