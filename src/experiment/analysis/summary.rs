//! `agents.csv`, `summary.csv` and `timing_summary.csv`: one row for each agent.

use std::collections::BTreeSet;

use super::sample::{AgentGames, AgentTimes};
use super::{Analysis, same_games_as};
use crate::agents::AgentSpec;
use crate::heuristics::Playable;
use crate::params::show;
use crate::report::table::{Table, interval_cells, interval_columns, number, optional};
use crate::rng::derive;
use crate::spec::{Comparison, Entrant, GameTask};
use crate::stats::bootstrap::{bca_mean_interval, iqm, iqm_interval};
use crate::stats::proportions::wilson;
use crate::stats::quantiles::{median, median_interval};
use crate::stats::{Interval, Moments};

/// The column of `agents.csv` with every option of an agent.
pub(in crate::experiment) const CONFIGURATION: &str = "configuration";

/// Reach rates are given from this tile on. Almost every agent reaches the smaller ones.
const FIRST_TILE: u32 = 512;
/// Reach rates are given at least up to this tile, also where no agent reaches it.
const CLASSIC_TILE: u32 = 2048;

/// Describes each agent: its group, its kind, and every option that any agent was given. So figures can be drawn
/// against any option from CSV files alone.
pub(in crate::experiment) fn agents_table(comparison: &Comparison) -> Table {
    let mut options: Vec<&str> = Vec::new();
    for key in comparison.entrants.iter().flat_map(|entrant| entrant.agent.given.keys()) {
        if !options.contains(&key.as_str()) {
            options.push(key);
        }
    }
    let columns = ["agent", "group", "kind", "timed"].into_iter().chain(options.iter().copied());
    let mut table = Table::new(columns.chain([CONFIGURATION]));
    for Entrant { label, group, agent } in &comparison.entrants {
        let fixed = [label.clone(), group.clone(), agent.kind.name.to_string(), agent.is_timed().to_string()];
        let given = options.iter().map(|key| agent.given.get(key).map(show).unwrap_or_default());
        table.push(fixed.into_iter().chain(given).chain([configuration(comparison, agent)]));
    }
    table
}

/// Every option of an agent, defaults included, as JSON. The heuristic is given by name; its terms are in the manifest.
fn configuration(comparison: &Comparison, agent: &AgentSpec) -> String {
    let mut options = serde_json::json!(agent.options);
    if let Some(heuristic) = comparison.game.with(NamedHeuristic(agent)) {
        options["heuristic"] = heuristic;
    }
    options.to_string()
}

struct NamedHeuristic<'a>(&'a AgentSpec);

impl GameTask for NamedHeuristic<'_> {
    type Output = Option<serde_json::Value>;

    fn run<G: Playable>(self, _: G) -> Self::Output {
        self.0.heuristic::<G>().map(|named| serde_json::json!(named))
    }
}

/// The results of each agent's games. They depend on the seed alone, so no measured time is among them.
pub(in crate::experiment) fn summary_table(games: &[AgentGames], seed: u64, analysis: &Analysis) -> Table {
    let tiles = tiles(games);
    let may_be_best = analysis.may_be_best(games);
    let same_games_as = same_games_as(games);
    let mut table = Table::new(columns(&tiles, analysis));
    for (place, played) in games.iter().enumerate() {
        let mut cells = row(place, played, &tiles, derive(seed, place as u64), analysis);
        let same = same_games_as[place].map(|other| games[other].agent.clone()).unwrap_or_default();
        cells.extend([may_be_best[place].to_string(), same]);
        table.push(cells);
    }
    table
}

/// What an agent spends of its budget of work.
const OVER_BUDGET: &str = "work_over_budget";

fn columns(tiles: &[u32], analysis: &Analysis) -> Vec<String> {
    let text = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let estimates = ["win_rate", "mean_score", "median_score", "iqm_score"].map(interval_columns).concat();
    let costs = text(&["max_score", "moves_per_game", "nodes_per_move"]);
    let reach = tiles.iter().flat_map(|tile| interval_columns(&format!("reach_{tile}"))).collect();
    let ends = text(&["moves_per_game_low", "moves_per_game_high", "nodes_per_move_low", "nodes_per_move_high"]);
    let work = interval_columns("work_per_move").to_vec();
    let on_budget = if analysis.work_budgets.is_empty() { Vec::new() } else { interval_columns(OVER_BUDGET).to_vec() };
    let to_goal = if analysis.until_goal { interval_columns("moves_to_goal").to_vec() } else { Vec::new() };
    let notes = text(&["score_until", "distinct_games", "may_be_best", "same_games_as"]);
    [text(&["agent", "games", "wins"]), estimates, costs, reach, ends, work, on_budget, to_goal, notes].concat()
}

/// The largest tile that a board can hold.
const LIMIT_TILE: u32 = 1 << crate::games::twenty48::TOP_RANK;

/// A note on each agent that has made the largest tile. Two such tiles would merge in the original game, so from there
/// on these games may differ from it.
pub(in crate::experiment) fn limit_notes(samples: &[AgentGames]) -> Vec<String> {
    let note = |sample: &AgentGames| {
        let (reached, games) = (sample.reached(LIMIT_TILE), sample.games());
        (reached > 0).then(|| {
            let agent = &sample.agent;
            format!("{agent} reached {LIMIT_TILE} in {reached} of {games} games; two such tiles cannot merge here.")
        })
    };
    samples.iter().filter_map(note).collect()
}

/// An agent may spend this much of its budget of work without a warning.
const MOST_OVER_BUDGET: f64 = 1.1;

/// A note on each agent that spends clearly more than its budget of work, because its results are then not comparable
/// with those of the other agents with the same budget.
pub(in crate::experiment) fn budget_notes(samples: &[AgentGames], analysis: &Analysis) -> Vec<String> {
    let note = |(place, sample): (usize, &AgentGames)| {
        let spent = analysis.work_over_budget(place, sample)?.estimate;
        let agent = &sample.agent;
        (spent > MOST_OVER_BUDGET).then(|| {
            format!("{agent} spends {spent:.2} times its budget of work, so it is not compared at equal cost.")
        })
    };
    samples.iter().enumerate().filter_map(note).collect()
}

fn row(place: usize, played: &AgentGames, tiles: &[u32], seed: u64, analysis: &Analysis) -> Vec<String> {
    let games = played.games();
    let per = |total: u64, n: u64| number(total as f64 / n.max(1) as f64);
    // Repeated games count as one game, which has no interval.
    let cells = |interval: Option<Interval>, estimate: Option<f64>| {
        cells_of(interval.filter(|_| !played.is_one_game()), estimate)
    };
    let rate = |interval: Option<Interval>| cells(interval, interval.map(|interval| interval.estimate));
    let scores = &played.scores;
    let lengths: Vec<f64> = played.lengths.iter().map(|moves| f64::from(*moves)).collect();
    let estimates = [
        rate(wilson(played.wins(), games)),
        cells(mean_interval(scores, derive(seed, 0), analysis), Moments::of(scores).mean()),
        cells(median_interval(scores), median(scores)),
        cells(iqm_interval(scores, seed), iqm(scores)),
    ];
    let best = scores.iter().copied().reduce(f64::max);
    let mut row = vec![played.agent.clone(), games.to_string(), played.wins().to_string()];
    row.extend(estimates.concat());
    row.extend([optional(best), per(played.moves, games), per(played.nodes, played.moves)]);
    row.extend(tiles.iter().flat_map(|tile| rate(wilson(played.reached(*tile), games))));
    let moves = mean_interval(&lengths, derive(seed, 1), analysis);
    row.extend([moves, played.nodes_per_move.interval()].into_iter().flat_map(|interval| ends(cells(interval, None))));
    row.extend(cells(played.work_per_move.interval(), played.work_per_move.estimate()));
    if !analysis.work_budgets.is_empty() {
        let spent = analysis.work_over_budget(place, played);
        row.extend(cells(spent.filter(|spent| spent.low.is_finite()), spent.map(|spent| spent.estimate)));
    }
    if analysis.until_goal {
        let to_goal = Moments::of(&played.moves_to_goal());
        row.extend(cells(to_goal.mean_interval(), to_goal.mean()));
    }
    let until = if analysis.until_goal { "goal" } else { "end" };
    let distinct = if played.is_one_game() { "1".to_string() } else { games.to_string() };
    row.extend([until.to_string(), distinct]);
    row
}

/// The mean with Student's interval. Games that stop at a goal are skewed and need the BCa bootstrap: in simulations
/// with 90 to 95 % of games won, Student's interval covers 89 to 92 % and BCa 94 to 95 %.
fn mean_interval(values: &[f64], seed: u64, analysis: &Analysis) -> Option<Interval> {
    match analysis.until_goal {
        true => bca_mean_interval(values, seed),
        false => Moments::of(values).mean_interval(),
    }
}

fn ends([_, low, high]: [String; 3]) -> [String; 2] {
    [low, high]
}

/// The cells of an estimate with its interval, or of the estimate alone where there is no interval.
fn cells_of(interval: Option<Interval>, estimate: Option<f64>) -> [String; 3] {
    match interval {
        None => [optional(estimate), String::new(), String::new()],
        interval => interval_cells(interval),
    }
}

/// The interval of a time, taken on its logarithm (the delta method). A pause of the machine in one short game makes the
/// spread larger than the mean, and no time is negative.
fn positive(interval: Interval) -> Interval {
    let margin = (interval.high - interval.estimate) / interval.estimate;
    if !margin.is_finite() {
        return interval;
    }
    let (low, high) = (interval.estimate * (-margin).exp(), interval.estimate * margin.exp());
    Interval { low, high, ..interval }
}

/// The tiles that get a column with the share of games that reach them. Games without tiles have none.
fn tiles(samples: &[AgentGames]) -> Vec<u32> {
    let seen: BTreeSet<u32> = samples.iter().flat_map(|sample| sample.tiles.keys().copied()).collect();
    match seen.last() {
        None | Some(0) => Vec::new(),
        Some(&top) => {
            let tiles = std::iter::successors(Some(FIRST_TILE), |tile| tile.checked_mul(2));
            tiles.take_while(|tile| *tile <= top.max(CLASSIC_TILE)).collect()
        }
    }
}

/// Measured times. They have a table of their own because no seed can repeat them.
pub(in crate::experiment) fn timing_table(times: &[AgentTimes], games: &[AgentGames]) -> Table {
    let columns = [interval_columns("seconds_per_game"), interval_columns("microseconds_per_move")].concat();
    let mut table = Table::new([vec!["agent".to_string()], columns].concat());
    for (agent_times, played) in times.iter().zip(games) {
        let per_move = agent_times.per_move(&played.lengths).interval().map(|interval| positive(interval.scaled(1e6)));
        let mut cells = vec![agent_times.agent.clone()];
        cells.extend(cells_of(agent_times.seconds.mean_interval().map(positive), agent_times.seconds.mean()));
        cells.push(number(agent_times.total * 1e6 / played.moves.max(1) as f64));
        cells.extend(ends(interval_cells(per_move)));
        table.push(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::analysis::tests::played;
    use crate::play::GameResult;
    use crate::spec::Criterion;

    fn sample(tiles: &[(u32, u64)]) -> AgentGames {
        let mut games = AgentGames { agent: "a".into(), ..AgentGames::default() };
        let each = tiles.iter().flat_map(|(tile, games)| (0..*games).map(|_| *tile));
        for (game, max_tile) in each.enumerate() {
            let (seed, score, won) = (game as u64, game as i64, game % 4 == 0);
            games.add(&GameResult { seed, score, max_tile, moves: 50, won, nodes: 200, work: 0, seconds: 0.0 });
        }
        games
    }

    #[test]
    fn work_is_compared_with_the_budget() {
        let games = [played("a", 40, 500), played("b", 40, 500)];
        let spent = games[0].work_per_move.estimate().unwrap();
        assert!(!summary_table(&games, 1, &Analysis::default()).has(OVER_BUDGET));
        let with_budget =
            |budget: f64| Analysis { work_budgets: vec![None, Some(budget as u64)], ..Analysis::default() };
        let table = summary_table(&games, 1, &with_budget(2.0 * spent));
        let rows: Vec<_> = table.rows().collect();
        assert_eq!(rows[0].text(OVER_BUDGET), "");
        let interval = rows[1].interval(OVER_BUDGET).unwrap();
        assert!((interval.estimate - 0.5).abs() < 0.01 && interval.low < 0.5 && interval.high > 0.5, "{interval:?}");
        assert!(budget_notes(&games, &with_budget(spent)).is_empty());
        let notes = budget_notes(&games, &with_budget(spent / 2.0));
        assert!(notes.len() == 1 && notes[0].starts_with("b spends 2.0"), "{notes:?}");
    }

    #[test]
    fn only_agents_that_made_the_largest_tile_get_a_note() {
        let notes = limit_notes(&[sample(&[(16_384, 7)]), sample(&[(16_384, 6), (32_768, 2)])]);
        assert_eq!(notes, ["a reached 32768 in 2 of 8 games; two such tiles cannot merge here."]);
    }

    #[test]
    fn a_row_summarises_the_games() {
        let table = summary_table(&[sample(&[(256, 4), (512, 8), (4096, 8)])], 1, &Analysis::default());
        let row = table.rows().next().unwrap();
        let count = |column| row.number(column).unwrap();
        assert_eq!(["games", "wins", "win_rate", "max_score"].map(count), [20.0, 5.0, 0.25, 19.0]);
        assert_eq!(
            ["mean_score", "median_score", "moves_per_game", "nodes_per_move"].map(count),
            [9.5, 9.5, 50.0, 4.0]
        );
        assert_eq!(["reach_512", "reach_1024", "reach_4096"].map(count), [0.8, 0.4, 0.4]);
        assert!(!table.has("reach_8192"));
        let rate = row.interval("win_rate").unwrap();
        assert!(rate.low > 0.1 && rate.high < 0.5);
    }

    #[test]
    fn every_estimate_has_an_interval() {
        let table = summary_table(&[played("a", 40, 500)], 1, &Analysis::default());
        let row = table.rows().next().unwrap();
        let costs = ["moves_per_game", "nodes_per_move", "work_per_move"];
        for column in ["win_rate", "mean_score", "median_score", "iqm_score"].into_iter().chain(costs) {
            let interval = row.interval(column).unwrap();
            assert!(interval.low < interval.high && interval.contains(interval.estimate), "{column}");
        }
        let mut agent_times = AgentTimes { agent: "a".into(), ..AgentTimes::default() };
        (0..100).for_each(|game| agent_times.add(1.0 + f64::from(game)));
        let timing = timing_table(&[agent_times], &[played("a", 40, 500)]);
        let per_move = timing.rows().next().unwrap().interval("microseconds_per_move").unwrap();
        assert!(per_move.low < per_move.estimate && per_move.estimate < per_move.high);
        let mut paused = AgentTimes { agent: "a".into(), ..AgentTimes::default() };
        (0..100).for_each(|game| paused.add(if game == 7 { 1.0 } else { 1e-5 }));
        let timing = timing_table(&[paused], &[played("a", 40, 500)]);
        let per_game = timing.rows().next().unwrap().interval("seconds_per_game").unwrap();
        assert!(0.0 < per_game.low && per_game.low < per_game.estimate && per_game.estimate < per_game.high);
    }

    #[test]
    fn games_that_stop_at_a_goal_are_marked() {
        let analysis = Analysis { criterion: Criterion::WinRate, until_goal: true, ..Analysis::default() };
        let table = summary_table(&[played("a", 40, 500), played("b", 90, 510)], 1, &analysis);
        let row = table.rows().next().unwrap();
        assert_eq!((row.text("score_until"), row.text("may_be_best")), ("goal", "false"));
        let to_goal = row.interval("moves_to_goal").unwrap();
        assert!(to_goal.low >= 50.0 && to_goal.high <= 57.0);
        let whole = summary_table(&[played("a", 40, 500)], 1, &Analysis::default());
        assert!(!whole.has("moves_to_goal"));
        let [stopped, whole] =
            [&table, &whole].map(|table| table.rows().next().unwrap().interval("mean_score").unwrap());
        assert_eq!(stopped.estimate, whole.estimate);
        assert_ne!(stopped.low, whole.low);
    }

    #[test]
    fn repeated_games_have_no_interval() {
        let mut games = AgentGames { agent: "a".into(), ..AgentGames::default() };
        let game =
            |seed| GameResult { seed, score: 1, max_tile: 0, moves: 4, won: true, nodes: 9, work: 0, seconds: 0.0 };
        (0..200).for_each(|seed| games.add(&game(seed)));
        let table = summary_table(&[games], 1, &Analysis::default());
        let row = table.rows().next().unwrap();
        assert_eq!((row.text("games"), row.text("distinct_games"), row.text("win_rate")), ("200", "1", "1"));
        for column in ["win_rate_low", "win_rate_high", "mean_score_low", "median_score_high", "nodes_per_move_low"] {
            assert_eq!(row.text(column), "", "{column}");
        }
    }

    #[test]
    fn reach_columns_suit_the_game() {
        let has = |tiles: &[(u32, u64)], column| summary_table(&[sample(tiles)], 1, &Analysis::default()).has(column);
        assert!(has(&[(64, 5)], "reach_2048"));
        assert!(!has(&[(64, 5)], "reach_4096"));
        assert!(!has(&[(0, 5)], "reach_512"));
    }

    #[test]
    fn agents_are_described_by_their_options() {
        let agents = ["random", "minimax:depth=2", "rollout:runs=3,ms=5"].map(|text| text.parse().unwrap());
        let comparison = Comparison::of_agents(Default::default(), &agents, None, Default::default()).unwrap();
        let table = agents_table(&comparison);
        assert_eq!(table.columns(), ["agent", "group", "kind", "timed", "depth", "runs", "ms", "configuration"]);
        assert_eq!(table.find("kind", "minimax").unwrap().text("depth"), "2");
        assert_eq!(table.find("kind", "rollout").unwrap().text("timed"), "true");
        assert_eq!(table.find("kind", "random").unwrap().text("depth"), "");
        let minimax: serde_json::Value =
            serde_json::from_str(table.find("kind", "minimax").unwrap().text(CONFIGURATION)).unwrap();
        assert_eq!((&minimax["heuristic"], &minimax["table"]), (&"line-sum".into(), &14.into()));
    }
}
