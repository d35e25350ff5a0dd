//! `agents.csv`, `summary.csv` and `timing_summary.csv`: one row for each agent.

use std::collections::BTreeSet;

use super::sample::{AgentGames, Clock};
use crate::params::show;
use crate::report::table::{Table, interval_cells, interval_columns, number, optional};
use crate::rng::derive;
use crate::spec::{Comparison, Entrant};
use crate::stats::bootstrap::{iqm, iqm_interval};
use crate::stats::proportions::wilson;
use crate::stats::quantiles::{median, median_interval};
use crate::stats::{Interval, Moments};

/// Reach rates are given from this tile on: every agent worth its name reaches the smaller ones.
const FIRST_TILE: u32 = 512;
/// And at least up to here, so that tables of weak agents have a familiar column to be zero in.
const CLASSIC_TILE: u32 = 2048;

/// Which agent is which: its group, its kind, and every option that any agent was given. With it, figures can be drawn against any
/// option from CSV alone.
pub(super) fn agents_table(comparison: &Comparison) -> Table {
    let mut options: Vec<&str> = Vec::new();
    for key in comparison.entrants.iter().flat_map(|entrant| entrant.agent.given.keys()) {
        if !options.contains(&key.as_str()) {
            options.push(key);
        }
    }
    let mut table = Table::new(["agent", "group", "kind", "timed"].into_iter().chain(options.iter().copied()));
    for Entrant { label, group, agent } in &comparison.entrants {
        let fixed = [label.clone(), group.clone(), agent.kind.name.to_string(), agent.is_timed().to_string()];
        let given = options.iter().map(|key| agent.given.get(*key).map(show).unwrap_or_default());
        table.push(fixed.into_iter().chain(given));
    }
    table
}

/// The outcome of each agent's games: a function of the seed alone, so no clock in it.
pub(in crate::experiment) fn summary_table(samples: &[AgentGames], seed: u64) -> Table {
    let tiles = tiles(samples);
    let estimates = ["win_rate", "mean_score", "median_score", "iqm_score"].map(interval_columns).concat();
    let reach: Vec<String> = tiles.iter().flat_map(|tile| interval_columns(&format!("reach_{tile}"))).collect();
    let rest = ["max_score", "moves_per_game", "nodes_per_move"].map(str::to_string).to_vec();
    let mut table = Table::new([vec!["agent".into(), "games".into(), "wins".into()], estimates, rest, reach].concat());
    for (index, sample) in samples.iter().enumerate() {
        table.push(row(sample, &tiles, derive(seed, index as u64)));
    }
    table
}

/// The largest tile that a board can hold.
const LIMIT_TILE: u32 = 1 << crate::games::twenty48::TOP_RANK;

/// A sentence on each agent that has made the largest tile: from there on the true game would go on differently.
pub(super) fn limit_notes(samples: &[AgentGames]) -> Vec<String> {
    let note = |sample: &AgentGames| {
        let (reached, games) = (sample.reached(LIMIT_TILE), sample.games());
        (reached > 0).then(|| {
            let agent = &sample.agent;
            format!("{agent} reached {LIMIT_TILE} in {reached} of {games} games; two such tiles cannot merge here.")
        })
    };
    samples.iter().filter_map(note).collect()
}

fn row(sample: &AgentGames, tiles: &[u32], seed: u64) -> Vec<String> {
    let games = sample.games();
    let per = |total: u64, n: u64| number(total as f64 / n.max(1) as f64);
    let scores = &sample.scores;
    let estimates = [
        interval_cells(wilson(sample.wins(), games)),
        mean_cells(&Moments::of(scores)),
        cells_of(median_interval(scores), median(scores)),
        cells_of(iqm_interval(scores, seed), iqm(scores)),
    ];
    let best = scores.iter().copied().reduce(f64::max);
    let mut cells = vec![sample.agent.clone(), games.to_string(), sample.wins().to_string()];
    cells.extend(estimates.concat());
    cells.extend([optional(best), per(sample.moves, games), per(sample.nodes, sample.moves)]);
    cells.extend(tiles.iter().flat_map(|tile| interval_cells(wilson(sample.reached(*tile), games))));
    cells
}

/// An estimate with its interval; of too few games the estimate alone, as no interval can be given.
fn cells_of(interval: Option<Interval>, estimate: Option<f64>) -> [String; 3] {
    match interval {
        None => [optional(estimate), String::new(), String::new()],
        interval => interval_cells(interval),
    }
}

fn mean_cells(moments: &Moments) -> [String; 3] {
    cells_of(moments.mean_interval(), moments.mean())
}

/// The tiles whose reach is worth a column: none for games without tiles.
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

/// What the clock said, apart from everything else because no seed can repeat it.
pub(super) fn timing_table(clocks: &[Clock], samples: &[AgentGames]) -> Table {
    let seconds = interval_columns("seconds_per_game");
    let columns = [vec!["agent".to_string()], seconds.to_vec(), vec!["microseconds_per_move".into()]].concat();
    let mut table = Table::new(columns);
    for (clock, sample) in clocks.iter().zip(samples) {
        let mut cells = vec![clock.agent.clone()];
        cells.extend(mean_cells(&clock.seconds));
        cells.push(number(clock.total * 1e6 / sample.moves.max(1) as f64));
        table.push(cells);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn sample(tiles: &[(u32, u64)]) -> AgentGames {
        let games = tiles.iter().map(|(_, games)| *games).sum::<u64>();
        let scores: Vec<f64> = (0..games).map(|game| game as f64).collect();
        let won = (0..games).map(|game| game % 4 == 0).collect();
        let tiles = BTreeMap::from_iter(tiles.iter().copied());
        AgentGames { agent: "a".into(), scores, won, tiles, moves: 50 * games, nodes: 200 * games }
    }

    #[test]
    fn only_agents_that_made_the_largest_tile_get_a_note() {
        let notes = limit_notes(&[sample(&[(16_384, 7)]), sample(&[(16_384, 6), (32_768, 2)])]);
        assert_eq!(notes, ["a reached 32768 in 2 of 8 games; two such tiles cannot merge here."]);
    }

    #[test]
    fn a_row_says_what_the_games_say() {
        let table = summary_table(&[sample(&[(256, 4), (512, 8), (4096, 8)])], 1);
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
    fn reach_columns_suit_the_game() {
        let has = |tiles: &[(u32, u64)], column| summary_table(&[sample(tiles)], 1).has(column);
        assert!(has(&[(64, 5)], "reach_2048"));
        assert!(!has(&[(64, 5)], "reach_4096"));
        assert!(!has(&[(0, 5)], "reach_512"));
    }

    #[test]
    fn agents_are_described_by_what_they_were_given() {
        let agents = ["random", "minimax:depth=2", "rollout:runs=3,ms=5"].map(|text| text.parse().unwrap());
        let comparison = Comparison::of_agents(Default::default(), &agents, None, Default::default()).unwrap();
        let table = agents_table(&comparison);
        assert_eq!(table.columns(), ["agent", "group", "kind", "timed", "depth", "runs", "ms"]);
        assert_eq!(table.find("kind", "minimax").unwrap().text("depth"), "2");
        assert_eq!(table.find("kind", "rollout").unwrap().text("timed"), "true");
        assert_eq!(table.find("kind", "random").unwrap().text("depth"), "");
    }
}
