//! `comparisons.csv`: every pair of agents, and what can be said of the best.

use rayon::prelude::*;

use super::sample::AgentGames;
use super::text::fixed;
use crate::report::table::{Table, interval_cells, interval_columns, number};
use crate::stats::means::paired_difference;
use crate::stats::ranks::{a12, mann_whitney};
use crate::stats::{Interval, PairedOutcomes, holm};

/// First against second, over the same games.
#[derive(Clone, Copy, Debug)]
struct Pair {
    score: Option<Interval>,
    wins: Option<Interval>,
    a12: Option<Interval>,
    p_score: f64,
    p_wins: f64,
}

impl Pair {
    fn new(first: &AgentGames, second: &AgentGames) -> Self {
        let outcomes: PairedOutcomes = first.won.iter().copied().zip(second.won.iter().copied()).collect();
        Pair {
            score: paired_difference(&first.scores, &second.scores).map(|difference| difference.interval),
            wins: outcomes.difference(),
            a12: a12(&first.scores, &second.scores),
            p_score: mann_whitney(&first.scores, &second.scores).map_or(1.0, |test| test.p_value),
            p_wins: outcomes.mcnemar(),
        }
    }
}

/// All pairs in the order of the experiment, with both p-values corrected for their number (Holm).
pub(in crate::experiment) fn comparisons_table(samples: &[AgentGames]) -> Table {
    let all = 0..samples.len();
    let places: Vec<(usize, usize)> = all.clone().flat_map(|i| (i + 1..all.end).map(move |j| (i, j))).collect();
    let pairs: Vec<Pair> = places.par_iter().map(|&(i, j)| Pair::new(&samples[i], &samples[j])).collect();
    let corrected = |p: fn(&Pair) -> f64| holm(&pairs.iter().map(p).collect::<Vec<_>>());
    let (score_holm, wins_holm) = (corrected(|pair| pair.p_score), corrected(|pair| pair.p_wins));
    let mut table = Table::new(columns());
    for (index, (pair, (i, j))) in pairs.iter().zip(places).enumerate() {
        let mut cells = vec![samples[i].agent.clone(), samples[j].agent.clone(), samples[i].games().to_string()];
        cells.extend([pair.wins, pair.score, pair.a12].into_iter().flat_map(interval_cells));
        cells.extend([pair.p_wins, wins_holm[index], pair.p_score, score_holm[index]].map(number));
        table.push(cells);
    }
    table
}

fn columns() -> Vec<String> {
    let names = ["first", "second", "games"].map(str::to_string).to_vec();
    let estimates = ["win_rate_difference", "score_difference", "a12"].map(interval_columns).concat();
    let tests = ["p_mcnemar", "p_mcnemar_holm", "p_mann_whitney", "p_mann_whitney_holm"].map(str::to_string).to_vec();
    [names, estimates, tests].concat()
}

/// Agents from best to worst: by win rate, then by mean score, then in the order of the experiment.
pub(super) fn ranking(samples: &[AgentGames]) -> Vec<usize> {
    let merit = |sample: &AgentGames| {
        let games = sample.games().max(1) as f64;
        (sample.wins() as f64 / games, sample.scores.iter().sum::<f64>() / games)
    };
    let merits: Vec<(f64, f64)> = samples.iter().map(merit).collect();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    order.sort_by(|&a, &b| merits[b].0.total_cmp(&merits[a].0).then(merits[b].1.total_cmp(&merits[a].1)));
    order
}

/// Agents of other groups that the best is set against, beside its runner-up.
const MOST_QUOTES: usize = 6;

/// Sentences to quote: the best agent against the next, and against the best of each other group.
pub(super) fn quotes(samples: &[AgentGames], groups: &[&str]) -> Vec<String> {
    let order = ranking(samples);
    let Some((&best, others)) = order.split_first() else { return Vec::new() };
    let mut seen = vec![groups[best]];
    let mut rivals = Vec::new();
    for &rival in others {
        if rivals.is_empty() || !seen.contains(&groups[rival]) {
            rivals.push(rival);
            seen.push(groups[rival]);
        }
    }
    rivals.truncate(MOST_QUOTES);
    rivals.into_iter().map(|rival| quote(&samples[best], &samples[rival])).collect()
}

/// One sentence on two agents: by win rate if that tells them apart, else by score, else that nothing does.
fn quote(first: &AgentGames, second: &AgentGames) -> String {
    let pair = Pair::new(first, second);
    let (a, b) = (&first.agent, &second.agent);
    let apart = |interval: Option<Interval>| interval.filter(|interval| !interval.contains(0.0));
    let points = |wins: Interval| counted(wins.scaled(100.0), "of win rate");
    match (apart(pair.wins), apart(pair.score), pair.wins) {
        (Some(wins), ..) => format!("{a} beats {b} by {}", points(wins)),
        (None, Some(score), _) if score.estimate > 0.0 => format!("{a} outscores {b} by {}", counted(score, "a game")),
        (None, Some(score), _) => {
            format!("{a} wins as often as {b}, which outscores it by {}", counted(score.scaled(-1.0), "a game"))
        }
        (None, None, Some(wins)) => {
            format!("{a} and {b} cannot be told apart by {} games: a difference of {}", first.games(), points(wins))
        }
        (None, None, None) => format!("{a} and {b} have played too few games to be compared"),
    }
}

/// `31 points of win rate, 95 % interval 22 to 40`, with a digit after the point where the interval is narrow.
fn counted(interval: Interval, of_what: &str) -> String {
    let digits = usize::from(interval.high - interval.low < 10.0);
    let [estimate, low, high] = [interval.estimate, interval.low, interval.high].map(|value| fixed(value, digits));
    format!("{estimate} points {of_what}, 95 % interval {low} to {high}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(agent: &str, wins: usize, score: f64) -> AgentGames {
        let won: Vec<bool> = (0..100).map(|game| game < wins).collect();
        let scores = (0..100).map(|game| score + f64::from(game * 7 % 10)).collect();
        AgentGames { agent: agent.into(), scores, won, ..AgentGames::default() }
    }

    #[test]
    fn every_pair_has_a_row() {
        let samples = [sample("a", 80, 50.0), sample("b", 40, 20.0), sample("c", 40, 20.0), sample("d", 0, 1.0)];
        let table = comparisons_table(&samples);
        assert_eq!(table.rows().len(), 6);
        let first = table.rows().next().unwrap();
        assert_eq!((first.text("first"), first.text("second"), first.text("games")), ("a", "b", "100"));
        assert_eq!(first.interval("win_rate_difference").map(|i| i.estimate), Some(0.4));
        assert_eq!(first.interval("score_difference").map(|i| i.estimate), Some(30.0));
        assert_eq!(first.number("a12"), Some(1.0));
        assert!(first.number("p_mcnemar_holm") > first.number("p_mcnemar"));
        let equal = table.rows().find(|row| (row.text("first"), row.text("second")) == ("b", "c")).unwrap();
        assert_eq!((equal.number("p_mann_whitney_holm"), equal.number("p_mcnemar")), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn quotes_say_no_more_than_the_data() {
        let samples = [sample("weak", 10, 20.0), sample("good", 80, 50.0), sample("other", 10, 30.0)];
        let said = quotes(&samples, &["x", "y", "z"]);
        assert!(said[0].starts_with("good beats other by 70 points of win rate, 95 % interval"), "{}", said[0]);
        assert_eq!(said.len(), 2);
        let by_score = quotes(&samples[..1].iter().chain(&samples[2..]).cloned().collect::<Vec<_>>(), &["x", "z"]);
        assert!(by_score[0].starts_with("other outscores weak by 10.0 points a game"), "{}", by_score[0]);
        let same = quotes(&[sample("a", 50, 5.0), sample("b", 50, 5.0)], &["x", "x"]);
        assert!(same[0].contains("cannot be told apart by 100 games: a difference of 0"), "{}", same[0]);
        assert!(quotes(&samples[..1], &["x"]).is_empty());
    }

    #[test]
    fn the_best_is_first() {
        let samples = [sample("a", 10, 20.0), sample("b", 80, 10.0), sample("c", 10, 30.0)];
        assert_eq!(ranking(&samples), [1, 2, 0]);
    }
}
