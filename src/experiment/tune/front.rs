//! Two objectives: searches for the Pareto front, and tests its points on games that are used for nothing else.

use std::sync::Arc;

use super::context::{Player, Request, TuningContext};
use super::statistic::{estimate, evaluation};
use super::{best, tables};
use crate::experiment::analysis::Analysis;
use crate::experiment::analysis::sample::AgentTimes;
use crate::experiment::analysis::summary::{summary_table, timing_table};
use crate::experiment::error::Error;
use crate::experiment::folder::ResultsFolder;
use crate::optimize::{Candidate, Evaluation, FrontPoint, FrontResult, FrontStep, FrontTrial, TwoObjectives};
use crate::play::GameResult;
use crate::report::table::{Table, interval_cells, interval_columns, number};
use crate::rng::{Seeds, Test, Training};
use crate::spec::Tuning;
use crate::spec::tune::{FrontMethod, Objective};
use crate::stats::Interval;

/// A point of the front on test games.
#[derive(Clone, Debug)]
pub struct TestedPoint {
    /// `start`, or the name of the point's file without its extension.
    pub name: String,
    /// In the user's units.
    pub point: Vec<f64>,
    /// Both objectives, in the user's units.
    pub values: [Interval; 2],
}

/// The result of a search for a front.
#[derive(Clone, Debug)]
pub struct Front {
    /// The start, then the points of the front by rising first objective in training.
    pub points: Vec<TestedPoint>,
    /// Training games.
    pub trained: u64,
}

/// At most this many points of the front are tested.
const MOST_TESTED: usize = 12;

pub(super) fn expected_games(tuning: &Tuning, method: &FrontMethod) -> u64 {
    method.budget + (MOST_TESTED as u64 + 1) * tuning.test.games
}

/// The objectives as the optimizer sees them: training games, and larger is better.
struct FrontTrainer<'a> {
    context: &'a TuningContext,
    objectives: [Objective; 2],
}

impl TwoObjectives for FrontTrainer<'_> {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<[Evaluation; 2]>> {
        let player = |candidate: &Candidate| self.context.player(&self.context.tuning.agent, &candidate.point);
        let players: Vec<Player> = batch.iter().map(player).collect::<Result<_, _>>()?;
        let request = |(player, candidate): (_, &Candidate)| Request { player, games: candidate.game_indices() };
        let requests: Vec<Request> = players.iter().zip(batch).map(request).collect();
        let played = self.context.play(Seeds::<Training>::new(self.context.tuning.seed), &requests)?;
        let both = |games: &Vec<GameResult>| {
            let of = |objective: Objective| Some(larger_is_better(objective, evaluation(objective, games)?));
            let [first, second] = self.objectives.map(of);
            first.zip(second).map(|(first, second)| [first, second]).ok_or_else(|| anyhow::anyhow!("no games"))
        };
        let values: Vec<[Evaluation; 2]> = played.iter().map(both).collect::<anyhow::Result<_>>()?;
        let shown: Vec<Evaluation> = values.iter().map(|both| both[0]).collect();
        self.context.runner.progress.evaluated("search", batch, &shown);
        Ok(values)
    }
}

/// The evaluation with the sign of costs changed, so that larger is better.
fn larger_is_better(objective: Objective, evaluation: Evaluation) -> Evaluation {
    if objective.is_cost() { Evaluation { mean: -evaluation.mean, ..evaluation } } else { evaluation }
}

pub(super) fn run(context: &Arc<TuningContext>, folder: &ResultsFolder, method: &FrontMethod) -> Result<Front, Error> {
    let tuning = &context.tuning;
    let trainer = FrontTrainer { context, objectives: method.objectives };
    let search = method.search(tuning.space.clone(), tuning.seed);
    let found = search.run(&trainer, |step, front| {
        let FrontStep { games, hypervolume, .. } = step;
        let text =
            format!("search: {games} training games, {} points on the front, area {hypervolume:.4e}", front.len());
        context.runner.progress.say(&text);
        Ok(())
    })?;
    context.runner.progress.say("playing the test games");
    let points = test(context, method, &found, folder)?;
    folder.write(super::EXPERIMENT, tuning.text.as_bytes())?;
    folder.write_table(super::EVALUATIONS, &evaluations(tuning, method, &found.trials))?;
    folder.write_table(super::HYPERVOLUME, &history(&found))?;
    folder.write_table(super::FRONT, &table(tuning, method, &points))?;
    for TestedPoint { name, point, values } in points.iter().skip(1) {
        let values: Vec<(&str, Interval)> =
            method.objectives.iter().map(|objective| objective.name()).zip(*values).collect();
        for (kind, text) in best::point_files(tuning, point, name, &values)? {
            folder.write(&format!("{}.toml", kind.replace("best", name)), text.as_bytes())?;
        }
    }
    Ok(Front { points, trained: found.trials.iter().map(|trial| trial.candidate.games).sum() })
}

/// Tests the start and the points of the front.
fn test(
    context: &TuningContext,
    method: &FrontMethod,
    found: &FrontResult,
    folder: &ResultsFolder,
) -> Result<Vec<TestedPoint>, Error> {
    let tuning = &context.tuning;
    let named = spaced(&found.front).into_iter().enumerate();
    let named = named.map(|(place, found)| (format!("front-{}", place + 1), found.point.clone()));
    let points: Vec<(String, Vec<f64>)> = std::iter::once(("start".to_string(), tuning.start())).chain(named).collect();
    let players: Vec<Player> =
        points.iter().map(|(_, point)| context.player(&tuning.agent, point)).collect::<Result<_, _>>()?;
    let played = context.measure::<Test>(&players, tuning.test.games)?;
    let samples: Vec<_> = points.iter().zip(&played).map(|((name, _), games)| tables::sample(name, games)).collect();
    folder.write_table(super::SUMMARY, &summary_table(&samples, tuning.seed, &Analysis::default()))?;
    let times: Vec<AgentTimes> =
        points.iter().zip(&played).map(|((name, _), games)| agent_times(name, games)).collect();
    folder.write_table(super::TIMING_SUMMARY, &timing_table(&times, &samples))?;
    let unknown = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
    let tested = |((name, point), games): ((String, Vec<f64>), &Vec<GameResult>)| TestedPoint {
        name,
        point,
        values: method.objectives.map(|objective| estimate(objective, games).unwrap_or(unknown)),
    };
    Ok(points.into_iter().zip(&played).map(tested).collect())
}

/// The measured times of one player.
fn agent_times(name: &str, games: &[GameResult]) -> AgentTimes {
    let mut agent_times = AgentTimes { agent: name.to_string(), ..AgentTimes::default() };
    games.iter().for_each(|game| agent_times.add(game.seconds));
    agent_times
}

/// At most [`MOST_TESTED`] points of a front, at equal steps along it. Both ends are among them.
fn spaced(front: &[FrontPoint]) -> Vec<&FrontPoint> {
    if front.len() <= MOST_TESTED {
        return front.iter().collect();
    }
    (0..MOST_TESTED).filter_map(|place| front.get(place * (front.len() - 1) / (MOST_TESTED - 1))).collect()
}

/// `front.csv`.
fn table(tuning: &Tuning, method: &FrontMethod, points: &[TestedPoint]) -> Table {
    let own = ["player", "games", "first_objective", "second_objective"].map(str::to_string).to_vec();
    let intervals = [interval_columns("first"), interval_columns("second")].concat();
    let mut table = Table::new([own, intervals, tuning.parameter_names()].concat());
    for TestedPoint { name, point, values } in points {
        let labels = method.objectives.map(|objective| objective.label().to_string());
        let words = [vec![name.clone(), tuning.test.games.to_string()], labels.to_vec()].concat();
        let values = values.map(|value| interval_cells(Some(value))).concat();
        let shown = tuning.parameters.iter().zip(point).map(|(parameter, value)| parameter.show(*value)).collect();
        table.push([words, values, shown].concat());
    }
    table
}

/// `evaluations.csv`: every candidate with both objectives in the user's units.
fn evaluations(tuning: &Tuning, method: &FrontMethod, trials: &[FrontTrial]) -> Table {
    let own = ["generation", "first_game", "games", "first", "second"].map(str::to_string);
    let mut table = Table::new(own.into_iter().chain(tuning.parameter_names()));
    for FrontTrial { generation, candidate, values } in trials {
        let counts = [*generation, candidate.first_game, candidate.games].map(|count| count.to_string());
        // Costs were negated for the optimizer. A second change of the sign gives the user's units.
        let both = [0, 1].map(|side| number(larger_is_better(method.objectives[side], values[side]).mean));
        table.push(counts.into_iter().chain(both).chain(candidate.point.iter().map(f64::to_string)));
    }
    table
}

/// `hypervolume.csv`.
fn history(found: &FrontResult) -> Table {
    let mut table = Table::new(["generation", "training_games", "hypervolume"]);
    for FrontStep { generation, games, hypervolume } in &found.history {
        table.push([generation.to_string(), games.to_string(), number(*hypervolume)]);
    }
    table
}
