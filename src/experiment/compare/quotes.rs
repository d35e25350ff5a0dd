//! Sentences that may be quoted. They claim no more than the corrected tests show.

use super::analysis::{Analysis, difference_at, same_games_as};
use super::pairs::{Judged, Verdict, family, judge};
use super::sample::AgentGames;
use super::text::fixed;
use crate::spec::Criterion;
use crate::stats::Interval;
use crate::stats::best::bound_level;

/// A list of agents names this many; the rest are counted.
const MOST_NAMES: usize = 8;

/// Sentences on planned contrasts; without any, on the agents that may be the best. A single pair counts as planned.
pub(super) fn quotes(games: &[AgentGames], groups: &[&str], analysis: &Analysis) -> Vec<String> {
    let pairs = family(games, analysis);
    let mut said = match analysis.contrasts.is_empty() && pairs.len() != 1 {
        true => best_agents(games, groups, analysis),
        false => contrasts(games, analysis),
    };
    said.extend(same_games(games, analysis));
    said
}

/// Warnings about the games themselves.
pub(super) fn warnings(games: &[AgentGames]) -> Vec<String> {
    let repeated = games.iter().filter(|games| games.is_one_game());
    let warning = |games: &AgentGames| {
        format!(
            "All {} games of {} are the same game although their seeds differ, because nothing in them is random. They \
             count as one game, and no interval is given.",
            games.games(),
            games.agent
        )
    };
    repeated.map(warning).collect()
}

fn contrasts(games: &[AgentGames], analysis: &Analysis) -> Vec<String> {
    let judged = judge(games, analysis);
    let level = if judged.len() > 1 { "simultaneous 95 % interval" } else { "95 % interval" };
    judged.iter().map(|judged| sentence(judged, games, analysis, level)).collect()
}

fn sentence(judged: &Judged, games: &[AgentGames], analysis: &Analysis, level: &str) -> String {
    let (first, second) = (&games[judged.pair.0], &games[judged.pair.1]);
    let (a, b) = (&first.agent, &second.agent);
    let beats = if analysis.criterion == Criterion::WinRate { "beats" } else { "outscores" };
    let amount = |interval| amount(interval, analysis.criterion, level);
    match judged.verdict {
        Verdict::FirstBetter => format!("{a} {beats} {b} by {}", amount(judged.interval)),
        Verdict::SecondBetter => format!("{b} {beats} {a} by {}", amount(judged.interval.scaled(-1.0))),
        Verdict::Equivalent => {
            let margin = Interval::around(analysis.margin.unwrap_or(0.0), 0.0);
            let margin = points(margin, analysis.criterion);
            format!(
                "{a} is level with {b} within the margin of {margin}: the difference is {}",
                amount(judged.interval)
            )
        }
        Verdict::Undecided => format!(
            "{} games do not tell {a} and {b} apart: the difference is {}",
            first.games(),
            amount(judged.interval)
        ),
    }
}

/// `31 points of win rate, 95 % interval 22 to 40`.
pub(super) fn amount(interval: Interval, criterion: Criterion, level: &str) -> String {
    let scaled = in_points(interval, criterion);
    let digits = digits(scaled);
    let [low, high] = [scaled.low, scaled.high].map(|value| fixed(value, digits));
    format!("{}, {level} {low} to {high}", points(interval, criterion))
}

fn points(interval: Interval, criterion: Criterion) -> String {
    let of_what = if criterion == Criterion::WinRate { "of win rate" } else { "a game" };
    let interval = in_points(interval, criterion);
    format!("{} points {of_what}", fixed(interval.estimate, digits(interval)))
}

fn in_points(interval: Interval, criterion: Criterion) -> Interval {
    interval.scaled(if criterion == Criterion::WinRate { 100.0 } else { 1.0 })
}

/// The digits after the decimal point: one if the interval is narrow, and more if an end would be rounded to 0, because
/// the reader could not see on which side of 0 it lies.
fn digits(interval: Interval) -> usize {
    let narrow = usize::from(interval.high - interval.low < 10.0 && interval.high > interval.low);
    let hidden = |digits: usize| {
        let hides = |end: f64| end != 0.0 && fixed(end, digits).parse() == Ok(0.0);
        hides(interval.low) || hides(interval.high)
    };
    (narrow..4).find(|&digits| !hidden(digits)).unwrap_or(4)
}

/// The agents that may be the best. The 95 % confidence holds although the best agent is chosen after looking at the
/// results.
fn best_agents(games: &[AgentGames], groups: &[&str], analysis: &Analysis) -> Vec<String> {
    let may_be_best = analysis.may_be_best(games);
    let same_games_as = same_games_as(games);
    let order = analysis.ranking(games);
    let distinct: Vec<usize> = order.iter().copied().filter(|&place| same_games_as[place].is_none()).collect();
    let candidates: Vec<usize> = distinct.iter().copied().filter(|&place| may_be_best[place]).collect();
    let by = if analysis.criterion == Criterion::WinRate { "win rate" } else { "mean score" };
    if distinct.len() < 2 || candidates.is_empty() {
        return Vec::new();
    }
    if let [best] = candidates[..] {
        return vec![single_best(games, best, &distinct, analysis, by)];
    }
    let mut said = vec![format!(
        "With 95 % confidence the best agent by {by} is one of these {}: {}",
        candidates.len(),
        names(games, &candidates)
    )];
    let absent = groups_without(groups, &may_be_best);
    if !absent.is_empty() {
        said.push(format!("It is in none of these groups of agents: {}", absent.join(", ")));
    }
    said
}

/// The sentence if only one agent may be the best. The bounds of its lead over all others hold simultaneously.
fn single_best(games: &[AgentGames], best: usize, distinct: &[usize], analysis: &Analysis, by: &str) -> String {
    let level = bound_level(distinct.len());
    let lead = |&other: &usize| difference_at(analysis.criterion, &games[best], &games[other], level);
    let others = distinct.iter().filter(|&&other| other != best);
    let nearest = others.filter_map(lead).min_by(|a, b| a.low.total_cmp(&b.low));
    let name = &games[best].agent;
    match nearest.map(|interval| Interval { estimate: interval.low, ..interval }) {
        Some(lead) if lead.low > 0.0 => format!(
            "{name} is the best agent by {by} with 95 % confidence: at least {} ahead of each other agent",
            points(lead, analysis.criterion)
        ),
        _ => format!("{name} is the best agent by {by} with 95 % confidence"),
    }
}

fn names(games: &[AgentGames], places: &[usize]) -> String {
    let named: Vec<&str> = places.iter().take(MOST_NAMES).map(|&place| games[place].agent.as_str()).collect();
    match places.len().saturating_sub(MOST_NAMES) {
        0 => named.join(", "),
        rest => format!("{}, and {rest} more", named.join(", ")),
    }
}

/// The groups of which no agent may be the best, in the order of the experiment.
fn groups_without<'a>(groups: &[&'a str], may_be_best: &[bool]) -> Vec<&'a str> {
    let mut absent: Vec<&str> = Vec::new();
    for group in groups {
        let member = |(other, may): (&&str, &bool)| other == group && *may;
        if !groups.iter().zip(may_be_best).any(member) && !absent.contains(group) {
            absent.push(group);
        }
    }
    absent
}

/// Agents that played the same games count as one.
fn same_games(games: &[AgentGames], analysis: &Analysis) -> Vec<String> {
    let same_games_as = same_games_as(games);
    let pairs: Vec<(usize, usize)> =
        (0..games.len()).filter_map(|place| Some((same_games_as[place]?, place))).collect();
    let listed = |i: usize, j: usize| analysis.contrasts.contains(&(i, j)) || analysis.contrasts.contains(&(j, i));
    let mut said: Vec<String> = pairs
        .iter()
        .filter(|&&(i, j)| listed(i, j))
        .map(|&(i, j)| format!("{} and {} played exactly the same games", games[i].agent, games[j].agent))
        .collect();
    if !pairs.is_empty() && said.is_empty() {
        let example = format!("{} and {}", games[pairs[0].0].agent, games[pairs[0].1].agent);
        let count = pairs.len();
        said.push(match count {
            1 => format!("{example} played exactly the same games and count as one agent"),
            _ => format!("{count} agents played exactly the games of an earlier one and count once, such as {example}"),
        });
    }
    said
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::played;
    use super::*;
    use crate::play::GameResult;

    fn by_win_rate() -> Analysis {
        Analysis { criterion: Criterion::WinRate, until_goal: true, ..Analysis::default() }
    }

    #[test]
    fn planned_contrasts_are_quoted_with_simultaneous_intervals() {
        let games = [played("weak", 10, 20), played("good", 80, 50), played("other", 12, 33)];
        let planned = Analysis { contrasts: vec![(0, 1), (2, 0)], ..by_win_rate() };
        let said = quotes(&games, &["x", "y", "z"], &planned);
        assert_eq!(said.len(), 2);
        assert!(
            said[0].starts_with("good beats weak by 70 points of win rate, simultaneous 95 % interval"),
            "{}",
            said[0]
        );
        assert!(said[1].starts_with("100 games do not tell other and weak apart: the difference is 2"), "{}", said[1]);
        let by_score = quotes(&games, &["x", "y", "z"], &Analysis { criterion: Criterion::Score, ..planned });
        assert!(by_score[1].starts_with("other outscores weak by 13"), "{}", by_score[1]);
    }

    #[test]
    fn two_agents_need_no_plan() {
        let games = [played("a", 20, 20), played("b", 80, 50)];
        let said = quotes(&games, &["x", "y"], &by_win_rate());
        assert!(said[0].starts_with("b beats a by 60 points of win rate, 95 % interval"), "{}", said[0]);
        assert!(quotes(&games[..1], &["x"], &by_win_rate()).is_empty());
    }

    #[test]
    fn the_best_of_many_is_not_called_better_after_looking() {
        let games: Vec<AgentGames> =
            (0..23).map(|n| played(&format!("agent {n}"), 45 + n % 10, 20 + n as i64)).collect();
        let groups = vec!["x"; 23];
        let said = quotes(&games, &groups, &by_win_rate());
        assert!(said[0].starts_with("With 95 % confidence the best agent by win rate is one of these"), "{}", said[0]);
        assert!(said.iter().all(|line| !line.contains("beats") && !line.contains("better")), "{said:?}");
    }

    #[test]
    fn a_clear_winner_is_called_the_best() {
        let games = [played("a", 20, 20), played("b", 90, 50), played("c", 30, 40)];
        let said = quotes(&games, &["x", "y", "z"], &by_win_rate());
        assert!(said[0].starts_with("b is the best agent by win rate with 95 % confidence: at least"), "{}", said[0]);
    }

    #[test]
    fn groups_without_a_candidate_are_named() {
        let games = [played("a", 80, 20), played("b", 82, 50), played("c", 3, 40)];
        let said = quotes(&games, &["tree", "tree", "rollout"], &by_win_rate());
        assert_eq!(said[1], "It is in none of these groups of agents: rollout");
    }

    #[test]
    fn a_bound_is_never_rounded_to_zero() {
        let close = Interval { estimate: 0.12, low: 0.0019, high: 0.23 };
        assert_eq!(
            amount(close, Criterion::WinRate, "95 % interval"),
            "12.0 points of win rate, 95 % interval 0.2 to 23.0"
        );
        let wide = Interval { estimate: 31.0, low: 22.0, high: 40.4 };
        assert_eq!(amount(wide, Criterion::Score, "95 % interval"), "31 points a game, 95 % interval 22 to 40");
    }

    #[test]
    fn agents_with_the_same_games_and_repeated_games_are_mentioned() {
        let games = [played("a", 80, 50), played("twin", 80, 50), played("b", 40, 20)];
        let said = quotes(&games, &["x", "x", "y"], &by_win_rate());
        assert_eq!(said.last().unwrap(), "a and twin played exactly the same games and count as one agent");
        assert!(warnings(&games).is_empty());
        let mut one = AgentGames { agent: "fixed".into(), ..AgentGames::default() };
        let game =
            |seed| GameResult { seed, score: 1, max_tile: 0, moves: 4, won: true, nodes: 9, work: 0, seconds: 0.0 };
        (0..200).for_each(|seed| one.add(&game(seed)));
        assert!(warnings(&[one])[0].starts_with("All 200 games of fixed are the same game"));
    }
}
