//! Tests of alpha-beta with iterative deepening. A budget that is never spent lets it complete every depth.

use crate::agents::tests::{build, positions};
use crate::games::connect_four::ConnectFour;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Goal, Twenty48};
use crate::heuristics::Playable;

const ENDLESS: &str = "work=1000000000000";

/// Compares iterative deepening to this depth with a search of the completed depth that has no budget. The chosen move
/// must have the best value of that search, and its own value must be the same.
fn check_deepening<G: Playable>(game: &G, agents: [&str; 2], plies: u32, options: &str, count: usize) {
    let [deepening, reference] = agents;
    let mut agent = build(game, &format!("{deepening}:depth={plies},{ENDLESS},{options}"));
    for (position, score) in positions(game, count, 61 + u64::from(plies)) {
        let exact = agent.evaluate(position, score).unwrap();
        let decision = agent.decide(position, score).unwrap();
        let depth = exact.depth.unwrap();
        assert_eq!(decision.depth, exact.depth, "{position}");
        let expected = build(game, &format!("{reference}:depth={depth},{options}")).evaluate(position, score).unwrap();
        assert_eq!(exact.values, expected.values, "{deepening} {options}, {depth} of {plies} plies at {position}");
        let best = expected.values.iter().map(|(_, value)| *value).fold(f64::NEG_INFINITY, f64::max);
        let chosen = |(action, _): &&(G::Move, f64)| *action == decision.choice;
        for values in [&expected.values, &decision.values] {
            let value = values.iter().find(chosen).map(|(_, value)| *value);
            assert_eq!(value, Some(best), "{deepening} {options}, {depth} of {plies} plies at {position}");
        }
    }
}

#[test]
fn deepening_finds_the_values_and_the_move_of_minimax() {
    for (goal, heuristic) in
        [(Goal::None, "line-sum"), (Goal::None, "malaga-1"), (Goal::Rank(6), "snake"), (Goal::CLASSIC, "mixed")]
    {
        let game = Twenty48::new(goal);
        for (plies, count) in [(1, 40), (2, 40), (3, 30), (4, 20), (5, 6), (6, 2)] {
            for table in [0, 6, 14] {
                let options = format!("heuristic={heuristic},table={table}");
                check_deepening(&game, ["alphabeta", "minimax"], plies, &options, count);
            }
        }
    }
}

#[test]
fn deepening_finds_the_values_and_the_move_of_minimax_in_games_for_two() {
    for plies in 1..=6 {
        for options in ["table=6", "table=14"] {
            check_deepening(&TicTacToe, ["alphabeta", "minimax"], plies, options, 30);
            check_deepening(&ConnectFour, ["alphabeta", "minimax"], plies, options, 6);
        }
    }
}

#[test]
fn deepening_finds_the_values_of_a_fixed_depth_with_weighted_replies() {
    let game = Twenty48::new(Goal::None);
    for (plies, count) in [(3, 30), (4, 20), (5, 10), (6, 4)] {
        check_deepening(&game, ["expectiminimax"; 2], plies, "heuristic=line-sum", count);
    }
}

/// The table is kept between the iterations of one decision, but not between decisions.
#[test]
fn a_decision_does_not_depend_on_earlier_decisions() {
    let game = Twenty48::new(Goal::None);
    for table in [6, 14] {
        let spec = format!("alphabeta:work=5000,table={table}");
        let mut used = build(&game, &spec);
        for (position, score) in positions(&game, 30, 67) {
            let [fresh, again] =
                [&mut build(&game, &spec), &mut used].map(|agent| agent.decide(position, score).unwrap());
            assert_eq!((fresh.choice, fresh.nodes, fresh.work), (again.choice, again.nodes, again.work), "{position}");
            assert_eq!((fresh.values, fresh.depth), (again.values, again.depth), "{position}");
        }
    }
}

#[test]
fn the_best_children_of_the_previous_iteration_save_work() {
    let game = Twenty48::new(Goal::None);
    for (heuristic, most) in [("line-sum", 0.75), ("malaga-1", 0.9), ("snake", 0.75)] {
        let work = |table: u32| {
            let mut agent = build(&game, &format!("alphabeta:depth=6,{ENDLESS},heuristic={heuristic},table={table}"));
            let work = |(position, score)| agent.decide(position, score).map_or(0, |decision| decision.work);
            positions(&game, 40, 71).into_iter().map(work).sum::<u64>() as f64
        };
        let share = work(14) / work(0);
        assert!(share < most, "{heuristic}: {share} of the work without a table");
    }
}
