//! One search: what it found, the objective around that point, and the test on games that nothing has seen.

use std::sync::Arc;

use super::ablation::{self, ablation};
use super::context::{Player, TuningContext};
use super::importance::{Importance, importance};
use super::search_run::{self, Outlook, SearchJob, SearchRun};
use super::sensitivity;
use super::statistic::estimate;
use super::{best, tables};
use crate::agents::AgentSpec;
use crate::experiment::compare::{Analysis, comparisons_table, summary_table};
use crate::experiment::error::{Error, at};
use crate::experiment::folder::ResultsFolder;
use crate::play::GameResult;
use crate::report::records::GamesWriter;
use crate::report::table::Table;
use crate::rng::Test;
use crate::spec::Tuning;
use crate::spec::tune::Method;
use crate::stats::means::welch_difference;
use crate::stats::ranks::a12;
use crate::stats::{Interval, Moments};

/// Start against tuned, on games that nothing has looked at before.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The tuned parameters.
    pub point: Vec<f64>,
    /// The objective of the start.
    pub start: Interval,
    /// The objective of the tuned player.
    pub tuned: Interval,
    /// Mean score, tuned less start.
    pub score_gain: Option<Interval>,
    /// The probability that a game of the tuned player is better than one of the start; ties count half.
    pub a12: Option<Interval>,
    /// For each further heuristic: its name, its objective, and by how much the tuned player's mean score is higher.
    pub rivals: Vec<(String, Interval, Option<Interval>)>,
}

/// What a tuning run has found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The test on games that nothing had seen.
    pub verdict: Verdict,
    /// Training games, the race included.
    pub trained: u64,
    /// The value of the search's best trial, and its value when the same point is played again.
    pub best_seen: Option<(f64, Interval)>,
    /// Whether more training games would help.
    pub outlook: Outlook,
    /// `summary.csv`.
    pub summary: Table,
}

/// The games of a search with its validation curve.
pub(super) fn search_games(tuning: &Tuning, method: &Method) -> u64 {
    method.budget + (method.budget / tuning.validation.every + 2) * tuning.validation.games
}

pub(super) fn expected_games(tuning: &Tuning, method: &Method) -> u64 {
    let free = tuning.space.dimensions().len() as u64;
    let slices = free * tuning.slices.points * tuning.slices.games;
    // The best point seen is played again on as many games as a step of the path.
    let ablation = ablation::expected_games(free, tuning.ablation) + tuning.ablation;
    let players = 2 + tuning.test.against.len() as u64;
    search_games(tuning, method) + slices + ablation + players * tuning.test.games
}

pub(super) fn run(context: &Arc<TuningContext>, folder: &ResultsFolder, jobs: &[SearchJob]) -> Result<Tuned, Error> {
    let (tuning, runs) = (&context.tuning, search_run::run_all(context, jobs)?);
    let (job, run) = runs.first().ok_or_else(|| Error::Failed("there was no search".into()))?;
    let (agent, point) = (&job.agent, &run.findings.recommendation);
    context.runner.progress.say("playing the points around the recommendation");
    let optimism = sensitivity::optimism(context, agent, run)?;
    let ablation = ablation(context, agent, point)?;
    let slices = sensitivity::slices(context, agent, point)?;
    context.runner.progress.say("learning from the evaluations which parameters matter");
    let importance = context.runner.pool().install(|| importance(&tuning.space, tuning.seed, run));
    context.runner.progress.say("playing the test games");
    let test = test(context, agent, point)?;
    let verdict = judge(tuning, point, &test);
    write_searches(folder, tuning, &runs)?;
    folder.write_table(super::PARAMETERS, &tables::parameters(tuning, point))?;
    folder.write_table(super::OPTIMISM, &tables::optimism(tuning, optimism.as_ref()))?;
    folder.write_table(super::SLICES, &tables::slices(tuning, &slices))?;
    folder.write_table(super::ABLATION, &tables::ablation(tuning, &ablation))?;
    write_importance(folder, tuning, &importance)?;
    let summary = write_test(folder, tuning, &test)?;
    let tested = [("start", verdict.start), ("tuned", verdict.tuned)];
    folder.write(super::BEST, best::file(tuning, job, run, &tuning.name, &tested)?.as_bytes())?;
    if let Some(mask) = tables::mask(&tuning.heuristic_at(point)?) {
        folder.write_table(super::MASK, &mask)?;
    }
    Ok(Tuned {
        verdict,
        trained: run.games(),
        best_seen: optimism.map(|optimism| (optimism.claimed.evaluation.mean, optimism.again)),
        outlook: run.outlook(),
        summary,
    })
}

/// The tables that every kind of tuning experiment has about its searches.
pub(super) fn write_searches(
    folder: &ResultsFolder,
    tuning: &Tuning,
    runs: &[(SearchJob, SearchRun)],
) -> Result<(), Error> {
    folder.write(super::EXPERIMENT, tuning.text.as_bytes())?;
    folder.write_table(super::EVALUATIONS, &tables::evaluations(tuning, runs))?;
    folder.write_table(super::TRAJECTORY, &tables::trajectory(tuning, runs))?;
    folder.write_table(super::VALIDATION, &tables::validation(tuning, runs))
}

/// A search with too few evaluations has no such tables.
fn write_importance(folder: &ResultsFolder, tuning: &Tuning, importance: &Importance) -> Result<(), Error> {
    if importance.shares.is_empty() {
        return Ok(());
    }
    folder.write_table(super::IMPORTANCE, &tables::importance(tuning, &importance.shares))?;
    folder.write_table(super::LANDSCAPE, &tables::landscape(tuning, &importance.landscape))
}

/// Players with their test games: start, tuned, then the others.
type Tested = Vec<(String, Vec<GameResult>)>;

fn test(context: &TuningContext, agent: &AgentSpec, point: &[f64]) -> Result<Tested, Error> {
    let tuning = &context.tuning;
    let mut players = vec![("start".to_string(), Player::new(agent, &tuning.heuristic))];
    players.push(("tuned".to_string(), context.player(agent, point)?));
    for rival in &tuning.test.against {
        players.push((rival.name().to_string(), Player::new(agent, rival)));
    }
    let (names, players): (Vec<String>, Vec<Player>) = players.into_iter().unzip();
    let played = context.measure::<Test>(&players, tuning.test.games)?;
    Ok(names.into_iter().zip(played).collect())
}

fn judge(tuning: &Tuning, point: &[f64], test: &Tested) -> Verdict {
    let unknown = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
    let objective = |games: &[GameResult]| estimate(tuning.objective, games).unwrap_or(unknown);
    let scores = |games: &[GameResult]| games.iter().map(|game| game.score as f64).collect::<Vec<_>>();
    let games = |player: usize| test.get(player).map(|(_, games)| games.as_slice()).unwrap_or_default();
    let (start, tuned) = (scores(games(0)), scores(games(1)));
    let ahead_of = |other: &[f64]| {
        welch_difference(&Moments::of(&tuned), &Moments::of(other)).map(|difference| difference.interval)
    };
    let rival = |(name, games): &(String, Vec<GameResult>)| (name.clone(), objective(games), ahead_of(&scores(games)));
    Verdict {
        point: point.to_vec(),
        start: objective(games(0)),
        tuned: objective(games(1)),
        score_gain: ahead_of(&start),
        a12: a12(&tuned, &start),
        rivals: test.iter().skip(2).map(rival).collect(),
    }
}

fn write_test(folder: &ResultsFolder, tuning: &Tuning, test: &Tested) -> Result<Table, Error> {
    let path = folder.stage().join(super::GAMES);
    let mut writer = GamesWriter::games(folder.create(super::GAMES)?).map_err(at(&path))?;
    for (name, games) in test {
        (0..).zip(games).try_for_each(|(number, game)| writer.write(name, number, game)).map_err(at(&path))?;
    }
    writer.finish().map_err(at(&path))?;
    let samples: Vec<_> = test.iter().map(|(name, games)| tables::sample(name, games)).collect();
    let summary = summary_table(&samples, tuning.seed, &Analysis::default());
    folder.write_table(super::SUMMARY, &summary)?;
    folder.write_table(super::COMPARISONS, &comparisons_table(&samples, &Analysis::default()))?;
    Ok(summary)
}
