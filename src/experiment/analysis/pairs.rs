//! `comparisons.csv`: pairs of agents, with tests that are corrected for their number.
//!
//! The *family* is the set of comparisons that the correction counts: the planned contrasts, or else all pairs of agents
//! that play differently. If all pairs are counted, a reader may choose a pair after looking at the results.

use rayon::prelude::*;

use super::sample::AgentGames;
use super::{Analysis, difference_at, outcomes, p_value, same_games_as, seed_correlation};
use crate::report::table::{Table, interval_cells, interval_columns, number, optional};
use crate::spec::{Contrast, Criterion};
use crate::stats::equivalence::within_margin;
use crate::stats::means::paired_difference;
use crate::stats::ranks::{a12, mann_whitney};
use crate::stats::survival::log_rank;
use crate::stats::{Interval, Level, holm};

/// The verdict on a pair, from the corrected test and the simultaneous interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiment) enum Verdict {
    FirstBetter,
    SecondBetter,
    /// The whole interval lies within the margin.
    Equivalent,
    Undecided,
}

impl Verdict {
    fn text(self) -> &'static str {
        match self {
            Verdict::FirstBetter => "first is better",
            Verdict::SecondBetter => "second is better",
            Verdict::Equivalent => "level within the margin",
            Verdict::Undecided => "undecided",
        }
    }
}

/// One comparison of the family, by the criterion of the experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::experiment) struct Judged {
    pub pair: Contrast,
    /// Simultaneous with the intervals of the rest of the family. If the corrected test does not reject "no
    /// difference", the interval is widened to contain 0, so that it never contradicts the verdict.
    pub interval: Interval,
    pub verdict: Verdict,
}

/// The family: planned contrasts, or all pairs. Two agents that played the same games do not form a pair.
pub(in crate::experiment) fn family(games: &[AgentGames], analysis: &Analysis) -> Vec<Contrast> {
    let different = |&(i, j): &Contrast| !games[i].plays_as(&games[j]);
    match analysis.contrasts.is_empty() {
        false => analysis.contrasts.iter().copied().filter(different).collect(),
        true => {
            let same_games_as = same_games_as(games);
            let distinct: Vec<usize> = (0..games.len()).filter(|&place| same_games_as[place].is_none()).collect();
            all_pairs(&distinct)
        }
    }
}

fn all_pairs(places: &[usize]) -> Vec<Contrast> {
    places.iter().enumerate().flat_map(|(n, &i)| places[n + 1..].iter().map(move |&j| (i, j))).collect()
}

/// Judges each pair of the family. An agent is better only if both the corrected test and the simultaneous interval say
/// so.
pub(in crate::experiment) fn judge(games: &[AgentGames], analysis: &Analysis) -> Vec<Judged> {
    let family = family(games, analysis);
    let level = Level::simultaneous(family.len());
    let tests = |&(i, j): &Contrast| p_value(analysis.criterion, &games[i], &games[j]);
    let corrected = holm(&family.par_iter().map(tests).collect::<Vec<_>>());
    let judged = |(&(i, j), p): (&Contrast, &f64)| {
        let interval = difference_at(analysis.criterion, &games[i], &games[j], level)?;
        let rejects = *p < 0.05 && ranks_agree(analysis.criterion, interval, &games[i], &games[j]);
        let interval = if rejects { interval } else { interval.widened_to(0.0) };
        let verdict = match interval {
            interval if interval.low > 0.0 => Verdict::FirstBetter,
            interval if interval.high < 0.0 => Verdict::SecondBetter,
            interval if analysis.margin.is_some_and(|margin| within_margin(interval, margin)) => Verdict::Equivalent,
            _ => Verdict::Undecided,
        };
        Some(Judged { pair: (i, j), interval, verdict })
    };
    let is_judged = |(pair, _): &(&Contrast, &f64)| !analysis.is_sequential(**pair);
    family.par_iter().zip(&corrected).filter(is_judged).filter_map(judged).collect()
}

/// Whether the ranks favour the same agent as the means. If not, the means differ because of a few extreme games, which
/// must not decide.
fn ranks_agree(criterion: Criterion, interval: Interval, first: &AgentGames, second: &AgentGames) -> bool {
    let ranks = || a12(&first.scores, &second.scores).map_or(0.0, |a12| a12.estimate - 0.5);
    criterion == Criterion::WinRate || ranks() * interval.estimate >= 0.0
}

/// All pairs of agents that play differently. Planned contrasts come first, as they were written; the other pairs
/// follow in the order of the experiment.
pub(in crate::experiment) fn comparisons_table(games: &[AgentGames], analysis: &Analysis) -> Table {
    let mut pairs = family(games, analysis);
    let planned = pairs.len();
    if !analysis.contrasts.is_empty() {
        let listed = |&(i, j): &Contrast| pairs.contains(&(i, j)) || pairs.contains(&(j, i));
        let unplanned = family(games, &Analysis { contrasts: Vec::new(), ..analysis.clone() });
        let unplanned: Vec<Contrast> = unplanned.into_iter().filter(|pair| !listed(pair)).collect();
        pairs.extend(unplanned);
    }
    let rows: Vec<Tests> = pairs.par_iter().map(|&(i, j)| Tests::new(&games[i], &games[j], analysis)).collect();
    let corrected = |p: fn(&Tests) -> f64| holm(&rows[..planned].iter().map(p).collect::<Vec<_>>());
    let (wins_holm, second_holm) = (corrected(|tests| tests.p_wins), corrected(|tests| tests.p_second));
    let judged = judge(games, analysis);
    let mut table = Table::new(columns(analysis));
    for (index, (tests, pair)) in rows.iter().zip(&pairs).enumerate() {
        let names = [&games[pair.0].agent, &games[pair.1].agent].map(Clone::clone);
        let holm = |corrected: &[f64]| corrected.get(index).map_or(String::new(), |p| p_cell(*p));
        let mut cells = names.to_vec();
        cells.push(games[pair.0].games().to_string());
        cells.extend(tests.estimates.iter().flatten().cloned());
        cells.extend([p_cell(tests.p_wins), holm(&wins_holm), p_cell(tests.p_second), holm(&second_holm)]);
        cells.push(optional(tests.correlation));
        cells.extend(family_cells(judged.iter().find(|judged| judged.pair == *pair), index < planned, analysis));
        table.push(cells);
    }
    table
}

fn p_cell(p: f64) -> String {
    if p.is_nan() { String::new() } else { number(p) }
}

fn family_cells(judged: Option<&Judged>, in_family: bool, analysis: &Analysis) -> [String; 4] {
    let family = match (in_family, analysis.contrasts.is_empty()) {
        (false, _) => "",
        (true, true) => "all pairs",
        (true, false) => "planned",
    };
    let [_, low, high] = interval_cells(judged.map(|judged| judged.interval));
    [family.to_string(), low, high, judged.map_or("", |judged| judged.verdict.text()).to_string()]
}

/// The estimates and tests of one pair, not corrected for the number of pairs.
struct Tests {
    /// The cells of each estimate and its ends.
    estimates: Vec<[String; 3]>,
    p_wins: f64,
    /// The p-value of equal scores, or of equal survival curves if games stop at a goal.
    p_second: f64,
    correlation: Option<f64>,
}

impl Tests {
    fn new(first: &AgentGames, second: &AgentGames, analysis: &Analysis) -> Self {
        let outcomes = outcomes(first, second);
        let one_game = first.is_one_game() || second.is_one_game();
        let cells = |interval: Option<Interval>| match one_game {
            true => [optional(interval.map(|interval| interval.estimate)), String::new(), String::new()],
            false => interval_cells(interval),
        };
        let mut estimates = vec![cells(outcomes.difference())];
        if !analysis.until_goal {
            let score = paired_difference(&first.scores, &second.scores).map(|difference| difference.interval);
            estimates.extend([cells(score), cells(a12(&first.scores, &second.scores))]);
        }
        let p_second = match analysis.until_goal {
            true => log_rank(&first.lifetimes(), &second.lifetimes()).unwrap_or(f64::NAN),
            false => mann_whitney(&first.scores, &second.scores).map_or(1.0, |test| test.p_value),
        };
        let unless_one = |p: f64| if one_game { f64::NAN } else { p };
        Tests {
            estimates,
            p_wins: unless_one(outcomes.mcnemar()),
            p_second: unless_one(p_second),
            correlation: seed_correlation(analysis.criterion, first, second),
        }
    }
}

fn columns(analysis: &Analysis) -> Vec<String> {
    let text = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let estimates: &[&str] = match analysis.until_goal {
        true => &["win_rate_difference"],
        false => &["win_rate_difference", "score_difference", "a12"],
    };
    let tests: &[&str] = match analysis.until_goal {
        true => &["p_mcnemar", "p_mcnemar_holm", "p_log_rank", "p_log_rank_holm"],
        false => &["p_mcnemar", "p_mcnemar_holm", "p_mann_whitney", "p_mann_whitney_holm"],
    };
    let family = text(&["seed_correlation", "family", "simultaneous_low", "simultaneous_high", "verdict"]);
    let estimates = estimates.iter().flat_map(|name| interval_columns(name)).collect();
    [text(&["first", "second", "games"]), estimates, text(tests), family].concat()
}

#[cfg(test)]
mod tests {
    use super::super::tests::played;
    use super::*;

    fn by_win_rate() -> Analysis {
        Analysis { criterion: Criterion::WinRate, until_goal: true, ..Analysis::default() }
    }

    #[test]
    fn every_pair_has_a_row() {
        let games = [played("a", 80, 50), played("b", 40, 20), played("c", 35, 20), played("d", 0, 1)];
        let table = comparisons_table(&games, &Analysis::default());
        assert_eq!(table.rows().len(), 6);
        let first = table.rows().next().unwrap();
        assert_eq!((first.text("first"), first.text("second"), first.text("games")), ("a", "b", "100"));
        assert_eq!(first.interval("win_rate_difference").map(|i| i.estimate), Some(0.4));
        assert_eq!(first.interval("score_difference").map(|i| i.estimate), Some(30.0));
        assert_eq!(first.number("a12"), Some(1.0));
        assert!(first.number("p_mcnemar_holm") > first.number("p_mcnemar"));
        assert_eq!((first.text("family"), first.text("verdict")), ("all pairs", "first is better"));
    }

    #[test]
    fn agents_that_play_the_same_games_are_no_pair() {
        let games = [played("a", 80, 50), played("twin", 80, 50), played("b", 40, 20)];
        let table = comparisons_table(&games, &by_win_rate());
        let pairs: Vec<_> = table.rows().map(|row| (row.text("first"), row.text("second"))).collect();
        assert_eq!(pairs, [("a", "b")]);
        let planned = Analysis { contrasts: vec![(0, 1), (1, 2)], ..by_win_rate() };
        assert_eq!(family(&games, &planned), [(1, 2)]);
    }

    #[test]
    fn planned_contrasts_are_the_family() {
        let games = [played("a", 80, 50), played("b", 60, 20), played("c", 55, 30), played("d", 0, 1)];
        let planned = Analysis { contrasts: vec![(2, 1)], ..by_win_rate() };
        let table = comparisons_table(&games, &planned);
        let rows: Vec<_> = table.rows().collect();
        assert_eq!((rows.len(), rows[0].text("first"), rows[0].text("family")), (6, "c", "planned"));
        assert_eq!(rows[0].number("p_mcnemar_holm"), rows[0].number("p_mcnemar"));
        assert!(rows[1..].iter().all(|row| row.text("family").is_empty() && row.text("p_mcnemar_holm").is_empty()));
    }

    #[test]
    fn scores_that_are_cut_off_are_not_compared() {
        let table = comparisons_table(&[played("a", 80, 50), played("b", 40, 20)], &by_win_rate());
        assert!(!table.has("score_difference") && !table.has("a12") && !table.has("p_mann_whitney"));
        assert!(table.rows().next().unwrap().number("p_log_rank").is_some());
    }

    #[test]
    fn the_interval_never_contradicts_the_verdict() {
        for wins in 0..=100 {
            for others in [played("b", 50, 20), played("b", 3, 20), played("b", 97, 20)] {
                let games = [played("a", wins, 23), others, played("c", 45, 25), played("d", 20, 26)];
                for judged in judge(&games, &by_win_rate()) {
                    let holds_zero = judged.interval.contains(0.0);
                    assert_eq!(holds_zero, matches!(judged.verdict, Verdict::Undecided | Verdict::Equivalent));
                }
            }
        }
    }

    #[test]
    fn only_the_sequential_test_judges_its_pair() {
        let games = [played("a", 80, 50), played("b", 40, 20), played("c", 10, 30)];
        let analysis = Analysis { sequential: Some((1, 0)), ..by_win_rate() };
        let pairs: Vec<Contrast> = judge(&games, &analysis).iter().map(|judged| judged.pair).collect();
        assert_eq!(pairs, [(0, 2), (1, 2)]);
    }

    #[test]
    fn agents_are_equivalent_only_if_the_margin_contains_the_whole_interval() {
        let games = [played("a", 50, 20), played("b", 50, 23)];
        let with = |margin| judge(&games, &Analysis { margin, ..by_win_rate() })[0].verdict;
        assert_eq!(with(None), Verdict::Undecided);
        assert_eq!(with(Some(0.01)), Verdict::Undecided);
        assert_eq!(with(Some(0.9)), Verdict::Equivalent);
    }
}
