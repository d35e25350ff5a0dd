//! One search: what it found, what surrounds it, and the test on untouched games.

use std::sync::Arc;

use super::context::TuningContext;
use super::outcome::{Outcome, estimate};
use super::results_folder::ResultsFolder;
use super::search_run::{self, Outlook, SearchJob, SearchRun};
use super::sensitivity;
use super::{best, tables};
use crate::agents::AgentSpec;
use crate::experiment::compare::{comparisons_table, summary_table};
use crate::experiment::error::Error;
use crate::report::records::GameRow;
use crate::report::table::Table;
use crate::rng::{Seeds, Test};
use crate::spec::Tuning;
use crate::spec::tune::{Method, with_heuristic};
use crate::stats::means::welch_difference;
use crate::stats::ranks::a12;
use crate::stats::{Interval, Moments};

/// Start against tuned, on games that nothing has looked at before.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The tuned parameters.
    pub point: Vec<f64>,
    /// The objective at either end.
    pub start: Interval,
    pub tuned: Interval,
    /// Mean score, tuned less start.
    pub score_gain: Option<Interval>,
    /// How often a game of the tuned player is better than one of the start's; ties count half.
    pub a12: Option<Interval>,
    /// Of each further heuristic: its name, the objective, and the mean score of the tuned player less its own.
    pub rivals: Vec<(String, Interval, Option<Interval>)>,
}

/// What a tuning run has found.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub verdict: Verdict,
    pub trained: u64,
    /// Of the search's best trial: the value it showed, and the one it has when played again.
    pub best_seen: Option<(f64, Interval)>,
    pub outlook: Outlook,
    pub summary: Table,
}

/// What a search costs with its validation curve.
pub(super) fn search_games(tuning: &Tuning, method: &Method) -> u64 {
    method.budget + (method.budget / tuning.validation.every + 2) * tuning.validation.games
}

pub(super) fn expected_games(tuning: &Tuning, method: &Method) -> u64 {
    let free = tuning.space.dimensions().len() as u64;
    let slices = free * tuning.slices.points * tuning.slices.games;
    let players = 2 + tuning.test.against.len() as u64;
    search_games(tuning, method) + slices + (free + 2) * tuning.ablation + players * tuning.test.games
}

pub(super) fn run(
    context: &Arc<TuningContext>,
    results: &mut ResultsFolder,
    jobs: &[SearchJob],
) -> Result<Tuned, Error> {
    let (tuning, runs) = (&context.tuning, search_run::run_all(context, jobs)?);
    let (job, run) = runs.first().ok_or_else(|| Error::Failed("there was no search".into()))?;
    let (agent, point) = (&job.agent, &run.findings.recommendation);
    context.runner.say("playing what surrounds the recommendation");
    let optimism = sensitivity::optimism(context, agent, run)?;
    let ablation = sensitivity::ablation(context, agent, point)?;
    let slices = sensitivity::slices(context, agent, point)?;
    context.runner.say("playing the test games");
    let test = test(context, agent, point)?;
    let verdict = judge(tuning, point, &test);
    write_searches(results, tuning, &runs)?;
    results.table(super::PARAMETERS, &tables::parameters(tuning, point))?;
    results.table(super::OPTIMISM, &tables::optimism(tuning, optimism.as_ref()))?;
    results.table(super::SLICES, &tables::slices(tuning, &slices))?;
    results.table(super::ABLATION, &tables::ablation(tuning, &ablation))?;
    let summary = write_test(results, tuning, &test)?;
    let tested = [("start", verdict.start), ("tuned", verdict.tuned)];
    results.text(super::BEST, &best::file(tuning, job, run, &tuning.name, &tested)?)?;
    if let Some(mask) = tables::mask(&tuning.heuristic_at(point)?) {
        results.table(super::MASK, &mask)?;
    }
    Ok(Tuned {
        verdict,
        trained: run.games(),
        best_seen: optimism.map(|optimism| (optimism.claimed.evaluation.mean, optimism.again)),
        outlook: run.outlook(),
        summary,
    })
}

/// What every kind of tuning experiment has to show of its searches.
pub(super) fn write_searches(
    results: &mut ResultsFolder,
    tuning: &Tuning,
    runs: &[(SearchJob, SearchRun)],
) -> Result<(), Error> {
    results.text(super::EXPERIMENT, &tuning.text)?;
    results.table(super::EVALUATIONS, &tables::evaluations(tuning, runs))?;
    results.table(super::TRAJECTORY, &tables::trajectory(tuning, runs))?;
    results.table(super::VALIDATION, &tables::validation(tuning, runs))
}

/// Players with their test games: start, tuned, then the others.
type Tested = Vec<(String, Vec<Outcome>)>;

fn test(context: &TuningContext, agent: &AgentSpec, point: &[f64]) -> Result<Tested, Error> {
    let tuning = &context.tuning;
    let mut players = vec![("start".to_string(), with_heuristic(agent, &tuning.heuristic)?)];
    players.push(("tuned".to_string(), context.player(agent, point)?));
    for rival in &tuning.test.against {
        players.push((rival.name().to_string(), with_heuristic(agent, rival)?));
    }
    let (names, players): (Vec<String>, Vec<AgentSpec>) = players.into_iter().unzip();
    let outcomes = context.measure::<Test>(&players, tuning.test.games)?;
    Ok(names.into_iter().zip(outcomes).collect())
}

fn judge(tuning: &Tuning, point: &[f64], test: &Tested) -> Verdict {
    let unknown = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
    let objective = |outcomes: &[Outcome]| estimate(tuning.objective, outcomes).unwrap_or(unknown);
    let scores = |outcomes: &[Outcome]| outcomes.iter().map(|outcome| outcome.score as f64).collect::<Vec<_>>();
    let outcomes = |player: usize| test.get(player).map(|(_, outcomes)| outcomes.as_slice()).unwrap_or_default();
    let (start, tuned) = (scores(outcomes(0)), scores(outcomes(1)));
    let ahead_of = |other: &[f64]| {
        welch_difference(&Moments::of(&tuned), &Moments::of(other)).map(|difference| difference.interval)
    };
    let rival =
        |(name, outcomes): &(String, Vec<Outcome>)| (name.clone(), objective(outcomes), ahead_of(&scores(outcomes)));
    Verdict {
        point: point.to_vec(),
        start: objective(outcomes(0)),
        tuned: objective(outcomes(1)),
        score_gain: ahead_of(&start),
        a12: a12(&tuned, &start),
        rivals: test.iter().skip(2).map(rival).collect(),
    }
}

fn write_test(results: &mut ResultsFolder, tuning: &Tuning, test: &Tested) -> Result<Table, Error> {
    let seeds = Seeds::<Test>::new(tuning.seed);
    let rows: Vec<Vec<GameRow>> =
        test.iter().map(|(name, outcomes)| tables::game_rows(name, seeds, outcomes)).collect();
    results.records(super::GAMES, rows.iter().flatten())?;
    let samples: Vec<_> = test.iter().zip(&rows).map(|((name, _), rows)| tables::sample(name, rows)).collect();
    let summary = summary_table(&samples, tuning.seed);
    results.table(super::SUMMARY, &summary)?;
    results.table(super::COMPARISONS, &comparisons_table(&samples))?;
    Ok(summary)
}
