//! One search: its recommendation, the objective around it, and the test on games that are used for nothing else.

use std::sync::Arc;

use super::ablation::{self, ablation};
use super::context::{Player, TuningContext};
use super::importance::{Importance, importance};
use super::scenarios::{self, ScenarioRow, TestedPlayer};
use super::search_run::{self, Outlook, SearchJob, SearchRun};
use super::sensitivity;
use super::statistic::scores;
use super::{best, tables};
use crate::agents::AgentSpec;
use crate::experiment::analysis::Analysis;
use crate::experiment::analysis::pairs::comparisons_table;
use crate::experiment::analysis::summary::summary_table;
use crate::experiment::error::{Error, at};
use crate::experiment::folder::ResultsFolder;
use crate::report::records::GamesWriter;
use crate::report::table::Table;
use crate::spec::Tuning;
use crate::spec::tune::Method;
use crate::stats::means::welch_difference;
use crate::stats::ranks::a12;
use crate::stats::{Interval, Moments};

/// The comparison of start and tuned player on the test games.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The tuned parameters.
    pub point: Vec<f64>,
    /// The objective of the start.
    pub start: Interval,
    /// The objective of the tuned player.
    pub tuned: Interval,
    /// The mean score of the tuned player minus that of the start.
    pub score_gain: Option<Interval>,
    /// The probability that a game of the tuned player is better than one of the start; ties count half.
    pub a12: Option<Interval>,
    /// For each further heuristic: its name, its objective, and by how much the tuned player's mean score is higher.
    pub rivals: Vec<(String, Interval, Option<Interval>)>,
    /// The test in every scenario; empty if there are none.
    pub scenarios: Vec<ScenarioRow>,
}

/// The result of a tuning run.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The result on the test games.
    pub verdict: Verdict,
    /// Training games, the race included.
    pub trained: u64,
    /// The value of the search's best trial, and its value when the same point is played again.
    pub best_seen: Option<(f64, Interval)>,
    /// Whether more training games would help.
    pub outlook: Outlook,
    /// `summary.csv`.
    pub summary: Table,
    /// Other budgets of this experiment whose results were judged on the same test games.
    pub seen_by: Vec<u64>,
}

/// The games of a search with its validation curve.
pub(super) fn search_games(tuning: &Tuning, method: &Method) -> u64 {
    let scenarios = tuning.scenario_count();
    method.budget + (method.budget / tuning.validation.every + 2) * tuning.validation.games * scenarios
}

pub(super) fn expected_games(tuning: &Tuning, method: &Method) -> u64 {
    let free = tuning.space.dimensions().len() as u64;
    let slices = free * tuning.slices.points * tuning.slices.games;
    // The best point seen is played again on as many games as a step of the path.
    let ablation = ablation::expected_games(free, tuning.ablation) + tuning.ablation;
    let players = (2 + tuning.test.against.len() as u64) * tuning.test_scenario_count();
    let sensitivity = (slices + ablation) * tuning.scenario_count();
    search_games(tuning, method) + sensitivity + players * tuning.test.games
}

pub(super) fn run(context: &Arc<TuningContext>, folder: &ResultsFolder, jobs: &[SearchJob]) -> Result<Tuned, Error> {
    let (tuning, runs) = (&context.tuning, search_run::run_all(context, jobs)?);
    let (job, run) = runs.first().ok_or_else(|| Error::Failed("there was no search".into()))?;
    let (agent, point) = (&job.agent, &run.result.recommendation);
    context.runner.progress.say("playing the points around the recommendation");
    let optimism = sensitivity::optimism(context, agent, run)?;
    let ablation = ablation(context, agent, point)?;
    let slices = sensitivity::slices(context, agent, point)?;
    context.runner.progress.say("learning from the evaluations which parameters matter");
    let importance = context.runner.pool().install(|| importance(&tuning.space, tuning.seed, run));
    context.runner.progress.say("playing the test games");
    let test = test(context, agent, point)?;
    let verdict = judge(context, point, &test)?;
    write_searches(folder, tuning, &runs)?;
    folder.write_table(super::PARAMETERS, &tables::parameters(tuning, run))?;
    folder.write_table(super::OPTIMISM, &tables::optimism(tuning, optimism.as_ref()))?;
    folder.write_table(super::SLICES, &tables::slices(tuning, &slices))?;
    folder.write_table(super::ABLATION, &tables::ablation(tuning, &ablation))?;
    write_importance(folder, tuning, &importance)?;
    let summary = write_test(folder, tuning, &test)?;
    let tested = [("start", verdict.start), ("tuned", verdict.tuned)];
    for (name, text) in best::files(tuning, job, run, &tuning.name, &tested)? {
        folder.write(&format!("{name}.toml"), text.as_bytes())?;
    }
    if !verdict.scenarios.is_empty() {
        folder.write_table(super::SCENARIOS, &scenarios::table(context, &verdict.scenarios))?;
    }
    if let Some(mask) = tables::mask(tuning, run)? {
        folder.write_table(super::MASK, &mask)?;
    }
    Ok(Tuned {
        verdict,
        trained: run.games(),
        best_seen: optimism.map(|optimism| (optimism.claimed.evaluation.mean, optimism.again)),
        outlook: run.outlook(),
        summary,
        seen_by: Vec::new(),
    })
}

/// Writes the tables on searches that every kind of tuning experiment has.
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

/// Writes the tables of importance. A search with too few evaluations has none.
fn write_importance(folder: &ResultsFolder, tuning: &Tuning, importance: &Importance) -> Result<(), Error> {
    if importance.shares.is_empty() {
        return Ok(());
    }
    folder.write_table(super::IMPORTANCE, &tables::importance(tuning, &importance.shares))?;
    folder.write_table(super::LANDSCAPE, &tables::landscape(tuning, &importance.landscape))
}

/// Players with their test games: start, tuned, then the others.
type Tested = Vec<TestedPlayer>;

fn test(context: &TuningContext, agent: &AgentSpec, point: &[f64]) -> Result<Tested, Error> {
    let tuning = &context.tuning;
    let mut players = vec![("start".to_string(), context.start(agent))];
    players.push(("tuned".to_string(), context.player(agent, point)?));
    for rival in &tuning.test.against {
        players.push((rival.name().to_string(), Player::new(agent, rival)));
    }
    context.test(players)
}

fn judge(context: &TuningContext, point: &[f64], test: &Tested) -> Result<Verdict, Error> {
    let tuned_in = context.scenario_count();
    let games = |player: &TestedPlayer| player.games.iter().take(tuned_in).cloned().collect::<Vec<_>>();
    let objective = |player: &TestedPlayer| context.estimate(&games(player));
    // Scores of different scenarios are not comparable, so they have differences of their own.
    let scores = |player: &TestedPlayer| match (player.games.first(), context.tuning.scenarios.is_empty()) {
        (Some(games), true) => scores(games),
        _ => Vec::new(),
    };
    let [start, tuned, rivals @ ..] = test.as_slice() else {
        return Err(Error::Failed("the test has no start and no tuned player".into()));
    };
    let ahead_of = |other: &TestedPlayer| {
        let moments = [tuned, other].map(|player| Moments::of(&scores(player)));
        welch_difference(&moments[0], &moments[1]).map(|difference| difference.interval)
    };
    let rival = |player: &TestedPlayer| Ok((player.name.clone(), objective(player)?, ahead_of(player)));
    Ok(Verdict {
        point: point.to_vec(),
        start: objective(start)?,
        tuned: objective(tuned)?,
        score_gain: ahead_of(start),
        a12: a12(&scores(tuned), &scores(start)),
        rivals: rivals.iter().map(rival).collect::<Result<_, Error>>()?,
        scenarios: scenarios::rows(context, test),
    })
}

fn write_test(folder: &ResultsFolder, tuning: &Tuning, test: &Tested) -> Result<Table, Error> {
    let path = folder.stage().join(super::GAMES);
    let mut writer = GamesWriter::games(folder.create(super::GAMES)?).map_err(at(&path))?;
    let named = || test.iter().flat_map(|player| player.named_games(&tuning.test.scenarios));
    for (name, games) in named() {
        (0..).zip(games).try_for_each(|(number, game)| writer.write(&name, number, game)).map_err(at(&path))?;
    }
    writer.finish().map_err(at(&path))?;
    let samples: Vec<_> = named().map(|(name, games)| tables::sample(&name, games)).collect();
    let summary = summary_table(&samples, tuning.seed, &Analysis::default());
    folder.write_table(super::SUMMARY, &summary)?;
    folder.write_table(super::COMPARISONS, &comparisons_table(&samples, &Analysis::default()))?;
    Ok(summary)
}
