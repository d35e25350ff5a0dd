//! The objective over several scenarios, and the test in each of them.
//!
//! Deep searches score several times as much as shallow ones. So the value in a scenario is divided by the value of the
//! start in it, which is measured on separate training games. The ratios are comparable, and their weighted mean or
//! their minimum is the objective. Ranks within a generation need no division.

use super::context::{Player, Request, TuningContext};
use super::statistic::{difference, estimate, evaluation, scores, value};
use crate::experiment::error::Error;
use crate::optimize::Evaluation;
use crate::play::GameResult;
use crate::report::table::{Table, interval_cells, interval_columns};
use crate::rng::{Seeds, Test, Training};
use crate::spec::tune::{Aggregate, Objective, Scenario};
use crate::stats::means::{paired_difference, welch_difference};
use crate::stats::{Interval, Level, Moments};

/// The index of the first training game for the values of the start. Searches and races use far smaller indices.
const BASELINE_FIRST_GAME: u64 = 1 << 41;
/// Games of the start in each scenario: enough to know its value to about 4 %, which is enough for a scale.
const BASELINE_GAMES: u64 = 200;

/// The games of one player in each scenario.
pub(super) type ScenarioGames = Vec<Vec<GameResult>>;

impl TuningContext {
    /// The player in each of these scenarios; the player itself if there are none.
    pub fn in_scenarios(&self, player: &Player, scenarios: &[Scenario]) -> Result<Vec<Player>, Error> {
        let agents = self.tuning.agents(&player.agent, scenarios)?;
        Ok(agents.into_iter().map(|agent| Player { agent, heuristic: player.heuristic.clone() }).collect())
    }

    /// How many scenarios the objective has.
    pub fn scenario_count(&self) -> usize {
        self.tuning.scenario_count() as usize
    }

    /// The evaluation of one candidate for the optimizer, given its games in each scenario.
    pub fn evaluation(&self, games: &[Vec<GameResult>]) -> Result<Evaluation, Error> {
        let nothing = || Error::Failed("a player without games".into());
        let parts: Option<Vec<Evaluation>> =
            games.iter().map(|games| evaluation(self.tuning.objective, games)).collect();
        let parts = parts.ok_or_else(nothing)?;
        if self.tuning.scenarios.is_empty() {
            return parts.first().copied().ok_or_else(nothing);
        }
        Ok(combined(&self.tuning.scenarios, self.tuning.aggregate, &parts, &self.baselines()?))
    }

    /// The evaluations of the candidates of one batch for the optimizer.
    pub fn evaluations(&self, batch: &[ScenarioGames]) -> Result<Vec<Evaluation>, Error> {
        let plain: Vec<Evaluation> = batch.iter().map(|games| self.evaluation(games)).collect::<Result<_, _>>()?;
        match self.tuning.aggregate {
            Aggregate::MeanRank => Ok(self.mean_ranks(batch, &plain)),
            _ => Ok(plain),
        }
    }

    /// The objective of a player with its 95 % interval, given its games in each scenario of the search.
    pub fn estimate(&self, games: &[Vec<GameResult>]) -> Result<Interval, Error> {
        if self.tuning.scenarios.is_empty() {
            let unknown = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
            return Ok(games.first().and_then(|games| estimate(self.tuning.objective, games)).unwrap_or(unknown));
        }
        let Evaluation { mean, standard_error, .. } = self.evaluation(games)?;
        Ok(Interval::around(mean, Level::P95.z() * standard_error.unwrap_or(f64::NAN)))
    }

    /// How much the objective changes from some games to others with the same seeds.
    pub fn change(&self, after: &[Vec<GameResult>], before: &[Vec<GameResult>]) -> Option<Interval> {
        if self.tuning.scenarios.is_empty() {
            return difference(self.tuning.objective, after.first()?, before.first()?);
        }
        let (tuning, baselines) = (&self.tuning, self.baselines().ok()?);
        if tuning.aggregate == Aggregate::Worst {
            return change_of_worst(tuning.objective, &baselines, after, before);
        }
        let total: f64 = tuning.scenarios.iter().map(|scenario| scenario.weight).sum();
        let factor = |(scenario, baseline): (&Scenario, &f64)| scenario.weight / total / baseline;
        let factors: Vec<f64> = tuning.scenarios.iter().zip(&baselines).map(factor).collect();
        change_of_mean(tuning.objective, &factors, after, before)
    }

    /// The value of the start in each scenario.
    fn baselines(&self) -> Result<Vec<f64>, Error> {
        if let Some(known) = self.baselines.get() {
            return Ok(known.clone());
        }
        let players = self.in_scenarios(&self.start(&self.tuning.agent), &self.tuning.scenarios)?;
        let games = BASELINE_FIRST_GAME..BASELINE_FIRST_GAME + BASELINE_GAMES;
        let requests: Vec<Request> = players.iter().map(|player| Request { player, games: games.clone() }).collect();
        let played = self.play(Seeds::<Training>::new(self.tuning.seed), &requests)?;
        let value = |games: &Vec<GameResult>| evaluation(self.tuning.objective, games).map(|of| of.mean);
        // A start that never wins has the value 0, by which nothing can be divided. Its scenario is then not scaled.
        let values = played.iter().map(|games| value(games).filter(|value| *value > 0.0).unwrap_or(1.0)).collect();
        Ok(self.baselines.get_or_init(|| values).clone())
    }

    /// Minus the weighted mean of each candidate's ranks, so that larger is better.
    fn mean_ranks(&self, batch: &[ScenarioGames], plain: &[Evaluation]) -> Vec<Evaluation> {
        let mut sums = vec![0.0; batch.len()];
        let total: f64 = self.tuning.scenarios.iter().map(|scenario| scenario.weight).sum();
        for (place, scenario) in self.tuning.scenarios.iter().enumerate() {
            let value = |games: &ScenarioGames| {
                let of = games.get(place).and_then(|games| evaluation(self.tuning.objective, games));
                -of.map_or(f64::NEG_INFINITY, |of| of.mean)
            };
            let values: Vec<f64> = batch.iter().map(value).collect();
            for (sum, rank) in sums.iter_mut().zip(ranks(&values)) {
                *sum -= scenario.weight / total * rank;
            }
        }
        let ranked = |(sum, plain): (f64, &Evaluation)| Evaluation { mean: sum, standard_error: None, ..*plain };
        sums.into_iter().zip(plain).map(ranked).collect()
    }

    /// Plays the test games of these players in every scenario of the test.
    pub fn test(&self, players: Vec<(String, Player)>) -> Result<Vec<TestedPlayer>, Error> {
        let scenarios = &self.tuning.test.scenarios;
        let mut all = Vec::new();
        for (_, player) in &players {
            all.extend(self.in_scenarios(player, scenarios)?);
        }
        let mut played = self.measure::<Test>(&all, self.tuning.test.games)?.into_iter();
        let each = self.tuning.test_scenario_count() as usize;
        let tested = |(name, _)| TestedPlayer { name, games: played.by_ref().take(each).collect() };
        Ok(players.into_iter().map(tested).collect())
    }
}

/// The rank of each value from 1 for the smallest; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        below + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// The value of a scenario, divided by that of the start.
fn relative(part: &Evaluation, baseline: f64) -> Evaluation {
    let standard_error = part.standard_error.map(|error| error / baseline);
    Evaluation { mean: part.mean / baseline, standard_error, games: part.games }
}

/// Combines the values of several scenarios, each divided by that of the start.
fn combined(scenarios: &[Scenario], aggregate: Aggregate, parts: &[Evaluation], baselines: &[f64]) -> Evaluation {
    let parts: Vec<Evaluation> = parts.iter().zip(baselines).map(|(part, base)| relative(part, *base)).collect();
    let games = parts.iter().map(|part| part.games).sum();
    if aggregate == Aggregate::Worst {
        let worst = parts.iter().min_by(|a, b| a.mean.total_cmp(&b.mean)).copied();
        return Evaluation { games, ..worst.unwrap_or(Evaluation { mean: 0.0, standard_error: None, games }) };
    }
    let total: f64 = scenarios.iter().map(|scenario| scenario.weight).sum();
    let shares = || scenarios.iter().map(|scenario| scenario.weight / total);
    let mean = parts.iter().zip(shares()).map(|(part, share)| share * part.mean).sum();
    let variance: Option<f64> =
        parts.iter().zip(shares()).map(|(part, share)| Some((share * part.standard_error?).powi(2))).sum();
    Evaluation { mean, standard_error: variance.map(f64::sqrt), games }
}

/// The change of a weighted sum over the scenarios. Game n has the same seed in every scenario, so its values are added
/// to one observation, and the observations are paired. A median is no mean over games. For it each scenario has an
/// interval of its own, and the squares of the margins are added.
fn change_of_mean(
    objective: Objective,
    factors: &[f64],
    after: &[Vec<GameResult>],
    before: &[Vec<GameResult>],
) -> Option<Interval> {
    if objective == Objective::MedianScore {
        let parts = after.iter().zip(before).zip(factors);
        let parts: Option<Vec<Interval>> = parts
            .map(|((after, before), factor)| Some(difference(objective, after, before)?.scaled(*factor)))
            .collect();
        return parts.map(|parts| sum(&parts));
    }
    let joined = |games: &[Vec<GameResult>]| -> Vec<f64> {
        let count = games.iter().map(Vec::len).min().unwrap_or(0);
        let value =
            |game: usize| games.iter().zip(factors).map(|(of, factor)| factor * value(objective, &of[game])).sum();
        (0..count).map(value).collect()
    };
    Some(paired_difference(&joined(after), &joined(before))?.interval)
}

/// The sum of independent estimates.
fn sum(parts: &[Interval]) -> Interval {
    let estimate = parts.iter().map(|part| part.estimate).sum::<f64>();
    let margin = |of: fn(&Interval) -> f64| parts.iter().map(|part| of(part).powi(2)).sum::<f64>().sqrt();
    Interval {
        estimate,
        low: estimate - margin(|p| p.estimate - p.low),
        high: estimate + margin(|p| p.high - p.estimate),
    }
}

/// The change of the lowest value over the scenarios. If another scenario becomes the lowest one, the two values come
/// from different games, so the squares of their standard errors are added.
fn change_of_worst(
    objective: Objective,
    baselines: &[f64],
    after: &[Vec<GameResult>],
    before: &[Vec<GameResult>],
) -> Option<Interval> {
    let worst = |games: &[Vec<GameResult>]| -> Option<(usize, Evaluation)> {
        let values = games.iter().zip(baselines).enumerate();
        let values =
            values.map(|(place, (games, baseline))| Some((place, relative(&evaluation(objective, games)?, *baseline))));
        let values: Vec<(usize, Evaluation)> = values.collect::<Option<_>>()?;
        values.into_iter().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean))
    };
    let ((place, last), (first_place, first)) = (worst(after)?, worst(before)?);
    if place == first_place {
        return Some(difference(objective, &after[place], &before[place])?.scaled(1.0 / baselines[place]));
    }
    let error = last.standard_error?.hypot(first.standard_error?);
    Some(Interval::around(last.mean - first.mean, Level::P95.z() * error))
}

/// A player with its test games in every scenario of the test.
#[derive(Clone, Debug)]
pub(super) struct TestedPlayer {
    pub name: String,
    pub games: ScenarioGames,
}

impl TestedPlayer {
    /// The games with their names in the tables.
    pub fn named_games<'a>(&'a self, scenarios: &'a [Scenario]) -> impl Iterator<Item = (String, &'a [GameResult])> {
        let name = |place: usize| name_in(&self.name, scenarios.get(place));
        self.games.iter().enumerate().map(move |(place, games)| (name(place), games.as_slice()))
    }
}

/// The name of a player in a scenario, as in the tables.
pub(super) fn name_in(player: &str, scenario: Option<&Scenario>) -> String {
    scenario.map_or_else(|| player.to_string(), |scenario| format!("{player} {}", scenario.label))
}

/// One row of the test: a player in a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioRow {
    /// The scenario.
    pub scenario: String,
    /// Whether the search played it too.
    pub was_tuned: bool,
    /// The player.
    pub player: String,
    /// Its objective.
    pub value: Interval,
    /// By how much the tuned player's mean score is higher.
    pub behind: Option<Interval>,
}

/// The test in every scenario; empty if there are none.
pub(super) fn rows(context: &TuningContext, tested: &[TestedPlayer]) -> Vec<ScenarioRow> {
    let tuning = &context.tuning;
    let scores = |games: &[GameResult]| Moments::of(&scores(games));
    let tuned = tested.iter().find(|player| player.name == "tuned");
    let mut rows = Vec::new();
    for (place, scenario) in tuning.test.scenarios.iter().enumerate() {
        for player in tested {
            let Some(games) = player.games.get(place) else { continue };
            let best = tuned.filter(|tuned| tuned.name != player.name).and_then(|tuned| tuned.games.get(place));
            let ahead = best.and_then(|best| welch_difference(&scores(best), &scores(games)));
            rows.push(ScenarioRow {
                scenario: scenario.label.clone(),
                was_tuned: place < context.scenario_count(),
                player: player.name.clone(),
                value: estimate(tuning.objective, games).unwrap_or(Interval::around(f64::NAN, 0.0)),
                behind: ahead.map(|difference| difference.interval),
            });
        }
    }
    rows
}

/// `scenarios.csv`.
pub(super) fn table(context: &TuningContext, rows: &[ScenarioRow]) -> Table {
    let own = ["scenario", "was_tuned", "player", "games", "measure"].map(str::to_string).to_vec();
    let intervals = [interval_columns("objective"), interval_columns("tuned_ahead")].concat();
    let mut table = Table::new([own, intervals].concat());
    for row in rows {
        let tuned = if row.was_tuned { "yes" } else { "no" };
        let (games, measure) = (context.tuning.test.games.to_string(), context.tuning.objective.label());
        let words = [&row.scenario, tuned, &row.player, &games, measure].map(str::to_string).to_vec();
        let intervals = [interval_cells(Some(row.value)), interval_cells(row.behind)].concat();
        table.push([words, intervals].concat());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_relative_to_the_start_are_combined_by_mean_or_minimum() {
        let file = "[agent]\nkind = \"greedy\"\n[heuristic]\npreset = \"basic\"\n[[parameters]]\nname = \"mask\"\nrange = [0, 2]\n\
                    [optimizer]\nbudget = 1000\n";
        let text = format!("scenarios = [{{ label = \"a\" }}, {{ label = \"b\", weight = 3 }}]\n{file}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        std::fs::write(&path, text).unwrap();
        let tuning = crate::spec::Tuning::open(&path).unwrap();
        let part = |mean| Evaluation { mean, standard_error: Some(mean / 10.0), games: 5 };
        let join = |aggregate| combined(&tuning.scenarios, aggregate, &[part(20.0), part(300.0)], &[10.0, 100.0]);
        let mean = join(Aggregate::Mean);
        assert!((mean.mean - (0.25 * 2.0 + 0.75 * 3.0)).abs() < 1e-12);
        let error = f64::hypot(0.25 * 0.2, 0.75 * 0.3);
        assert!((mean.standard_error.unwrap() - error).abs() < 1e-12);
        assert_eq!((join(Aggregate::Worst).mean, join(Aggregate::Worst).games), (2.0, 10));
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 9.0]), [2.5, 1.0, 2.5, 4.0]);
    }

    fn played(scores: &[i64]) -> Vec<GameResult> {
        let game = |score: &i64| GameResult {
            seed: 1,
            score: *score,
            max_tile: 8,
            moves: 9,
            won: false,
            nodes: 7,
            work: 0,
            seconds: 0.0,
        };
        scores.iter().map(game).collect()
    }

    #[test]
    fn the_interval_of_a_step_is_that_of_its_games() {
        let (before, gained) = ([1000, 5000, 9000, 3000], [1010, 5010, 9010, 3010]);
        let [before, after] = [&before, &gained].map(|scores| vec![played(scores), played(scores)]);
        // Every game gains 10 points, which are 0.1 of the start's value in one scenario and 0.2 in the other. The gain
        // is the same in every game, so its interval has no width.
        let baselines = [100.0, 50.0];
        let change = change_of_worst(Objective::MeanScore, &baselines, &after, &before).unwrap();
        assert!((change.estimate - 0.1).abs() < 1e-9 && (change.high - change.low).abs() < 1e-9, "{change:?}");
        let factors = [0.25 / 100.0, 0.75 / 50.0];
        let change = change_of_mean(Objective::MeanScore, &factors, &after, &before).unwrap();
        assert!((change.estimate - 0.175).abs() < 1e-9 && (change.high - change.low).abs() < 1e-9, "{change:?}");
        // Another scenario becomes the lowest one, so the standard errors of both values count.
        let other = vec![played(&[1000, 5000, 9000, 3000]), played(&[100, 500, 900, 300])];
        let change = change_of_worst(Objective::MeanScore, &baselines, &other, &before).unwrap();
        assert!(change.estimate < 0.0 && change.high - change.low > 10.0, "{change:?}");
    }
}
