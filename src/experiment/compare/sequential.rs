//! The sequential test of an experiment with a `stop` rule: a pure function of the games played so far.

use super::analysis::interval_of_difference;
use super::quotes::amount;
use super::sample::AgentGames;
use crate::report::table::{Table, interval_cells, interval_columns};
use crate::spec::{Comparison, Criterion, StopRule};
use crate::stats::{Decision, Interval, Look, SequentialTest};

/// Looks at the results after each planned number of games that both agents have played, up to the decision.
pub(super) fn looks(comparison: &Comparison, rule: &StopRule, games: &[AgentGames]) -> Vec<Look> {
    let test = rule.test();
    let criterion = Criterion::of(&comparison.game);
    let (Some(first), Some(second)) = (games.get(rule.contrast.0), games.get(rule.contrast.1)) else {
        return Vec::new();
    };
    let played = first.games().min(second.games());
    let mut looks: Vec<Look> = Vec::new();
    for number in test.looks().into_iter().take_while(|number| *number <= played) {
        let (first, second) = (first.first(number), second.first(number));
        looks.extend(test.look(number, |level| interval_of_difference(criterion, &first, &second, level)));
        if is_decided(&looks) {
            break;
        }
    }
    looks
}

/// Whether the games played so far settle the question.
pub(super) fn is_decided(looks: &[Look]) -> bool {
    looks.last().is_some_and(|look| look.decision != Decision::Continue)
}

/// `sequential.csv`: one row for each look.
pub(super) fn sequential_table(looks: &[Look]) -> Table {
    let ends = ["bounds_low", "bounds_high", "decision"].map(str::to_string);
    let mut table =
        Table::new([vec!["games".to_string()], interval_columns("difference").to_vec(), ends.to_vec()].concat());
    for look in looks {
        let [_, low, high] = interval_cells(Some(look.bounds));
        let cells = [look.games.to_string()].into_iter().chain(interval_cells(Some(look.interval)));
        table.push(cells.chain([low, high, decision(look.decision).to_string()]));
    }
    table
}

fn decision(decision: Decision) -> &'static str {
    match decision {
        Decision::Continue => "continue",
        Decision::FirstBetter => "first is better",
        Decision::SecondBetter => "second is better",
        Decision::WithinMargin => "within the margin",
        Decision::Undecided => "undecided",
    }
}

/// One sentence on the last look, with the interval that decided it.
pub(super) fn sentence(comparison: &Comparison, rule: &StopRule, look: &Look) -> String {
    let criterion = Criterion::of(&comparison.game);
    let label = |place: usize| comparison.entrants.get(place).map_or("", |entrant| entrant.label.as_str());
    let (a, b) = (label(rule.contrast.0), label(rule.contrast.1));
    let SequentialTest { alpha, beta, margin, most_games } = rule.test();
    let games = look.games;
    let show = |interval: Interval, error: f64| {
        amount(interval, criterion, &format!("repeated {} % interval", round(100.0 * (1.0 - error))))
    };
    let found = match look.decision {
        Decision::FirstBetter => format!("{a} is better than {b} by {}", show(look.interval, alpha)),
        Decision::SecondBetter => format!("{b} is better than {a} by {}", show(look.interval.scaled(-1.0), alpha)),
        Decision::WithinMargin => {
            format!("{a} and {b} differ by less than the margin of {margin}: {}", show(look.bounds, 2.0 * beta))
        }
        Decision::Undecided | Decision::Continue => {
            format!("{a} and {b} are not told apart: the difference is {}", show(look.interval, alpha))
        }
    };
    format!("Sequential test (alpha {alpha}, beta {beta}) after {games} of at most {most_games} games: {found}")
}

/// Rounds a percentage, because 100 * (1 - 0.05) is not exactly 95 in binary.
fn round(percent: f64) -> f64 {
    (percent * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::played;
    use super::*;
    use crate::spec::{GameSpec, Overrides, Questions};

    fn comparison(margin: f64, games: u64) -> (Comparison, StopRule) {
        let agents = ["random", "greedy"].map(|text| text.parse().unwrap());
        let overrides = Overrides { games: Some(games), ..Overrides::default() };
        let comparison = Comparison::of_agents(GameSpec::default(), &agents, None, overrides).unwrap();
        let rule = StopRule { contrast: (0, 1), alpha: 0.05, beta: 0.05, margin, most_games: games };
        (Comparison { questions: Questions { stop: Some(rule), ..Questions::default() }, ..comparison }, rule)
    }

    #[test]
    fn a_clear_difference_stops_the_games_early() {
        let (comparison, rule) = comparison(0.1, 100);
        let looks = looks(&comparison, &rule, &[played("random", 90, 50), played("greedy", 10, 20)]);
        let last = looks.last().unwrap();
        assert_eq!(last.decision, Decision::FirstBetter);
        assert!(last.games < 100 && is_decided(&looks), "{}", last.games);
        let said = sentence(&comparison, &rule, last);
        assert!(said.contains("random is better than greedy by") && said.contains("repeated 95 % interval"), "{said}");
        assert!(last.interval.low > 0.0);
        assert_eq!(sequential_table(&looks).rows().len(), looks.len());
    }

    #[test]
    fn the_decision_depends_on_the_games_up_to_the_look_alone() {
        let (comparison, rule) = comparison(0.1, 100);
        let all = [played("random", 90, 50), played("greedy", 10, 20)];
        let decided = looks(&comparison, &rule, &all);
        let until = decided.last().unwrap().games;
        let shorter = [all[0].first(until), all[1].first(until)];
        assert_eq!(looks(&comparison, &rule, &shorter), decided);
    }

    #[test]
    fn equal_agents_are_played_to_the_limit_or_found_within_a_wide_margin() {
        let games = [played("random", 50, 50), played("greedy", 50, 23)];
        let (narrow, rule) = comparison(0.02, 100);
        assert_eq!(looks(&narrow, &rule, &games).last().unwrap().decision, Decision::Undecided);
        let (wide, rule) = comparison(0.5, 100);
        let looks = looks(&wide, &rule, &games);
        assert_eq!(looks.last().unwrap().decision, Decision::WithinMargin);
        assert!(sentence(&wide, &rule, looks.last().unwrap()).contains("less than the margin of 0.5"));
    }

    #[test]
    fn too_few_games_are_no_look() {
        let (comparison, rule) = comparison(0.1, 4_000);
        assert!(looks(&comparison, &rule, &[played("random", 50, 50), played("greedy", 50, 23)]).is_empty());
        assert!(!is_decided(&[]));
    }
}
