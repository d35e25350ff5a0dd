//! Tests of all agents. Reference searches, written directly from the definitions, give the expected values.

use std::fmt::Debug;

use super::{Agent, AgentSpec, KINDS};
use crate::games::connect_four::ConnectFour;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Goal, Twenty48};
use crate::games::{Game, is_win};
use crate::heuristics::{Evaluator, EvaluatorTask, Playable};
use crate::rng::{environment, seeded};
use rand::Rng as _;

/// Positions from random games, with their scores.
pub(super) fn positions<G: Game>(game: &G, count: usize, seed: u64) -> Vec<(G::Position, u32)> {
    let mut rng = seeded(seed);
    let mut found = Vec::new();
    for index in 0.. {
        let mut environment = environment(seed << 32 | index);
        let (mut position, mut score) = (game.start(&mut environment), 0);
        while game.verdict(position).is_none() {
            if rng.random_bool(0.1) {
                found.push((position, score));
            }
            let legal = game.steps(position).count();
            let Some(step) = game.steps(position).nth(rng.random_range(0..legal)) else { break };
            if game.after_step(step.after).is_some() {
                break;
            }
            score += step.reward;
            position = game.sample(step.after, &mut environment);
        }
        if found.len() >= count {
            found.truncate(count);
            break;
        }
    }
    found
}

#[derive(Clone, Copy)]
enum Rule {
    Mean,
    Worst,
    WorstWeighted,
}

/// A search written directly from its definition.
struct Naive<'a, G: Game, E> {
    game: &'a G,
    evaluator: E,
    rule: Rule,
}

impl<G: Game, E: Evaluator<G>> Naive<'_, G, E> {
    fn after(&self, after: G::Position, score: u32, plies: u32) -> f64 {
        if let Some(outcome) = self.game.after_step(after) {
            return self.game.utility(outcome);
        }
        if plies == 0 {
            return self.evaluator.value(after, score).max(G::FLOOR);
        }
        let values = self.game.replies(after).map(|reply| {
            let value = self.position(reply.position, score, plies - 1);
            match self.rule {
                Rule::Mean => reply.probability * value,
                Rule::Worst => value,
                Rule::WorstWeighted => reply.weight * value,
            }
        });
        match self.rule {
            Rule::Mean => values.sum(),
            Rule::Worst | Rule::WorstWeighted => values.fold(f64::INFINITY, f64::min),
        }
    }

    fn position(&self, position: G::Position, score: u32, plies: u32) -> f64 {
        if let Some(outcome) = self.game.verdict(position) {
            return self.game.utility(outcome);
        }
        if plies == 0 {
            return self.evaluator.value(position, score).max(G::FLOOR);
        }
        let values = self.game.steps(position).map(|step| self.after(step.after, score + step.reward, plies - 1));
        values.fold(f64::NEG_INFINITY, f64::max)
    }
}

struct NaiveValues<'a, G: Game> {
    game: &'a G,
    rule: Rule,
    positions: &'a [(G::Position, u32)],
    plies: u32,
}

impl<G: Game> EvaluatorTask<G> for NaiveValues<'_, G> {
    type Output = Vec<Vec<f64>>;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> Self::Output {
        let naive = Naive { game: self.game, evaluator, rule: self.rule };
        let values = |&(position, score): &(G::Position, u32)| {
            let steps = self.game.steps(position);
            steps.map(|step| naive.after(step.after, score + step.reward, self.plies - 1)).collect()
        };
        self.positions.iter().map(values).collect()
    }
}

pub(super) fn build<G: Playable>(game: &G, spec: &str) -> Box<dyn Agent<G>> {
    spec.parse::<AgentSpec>().unwrap().build(game).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Compares the values of `agent` with those of the definition, at a depth of `plies` with this heuristic.
fn check_search<G: Playable>(game: &G, agent: &str, rule: Rule, plies: u32, heuristic: &str, count: usize) {
    check_positions(game, agent, rule, plies, heuristic, &positions(game, count, 11 + u64::from(plies)));
}

fn check_positions<G: Playable>(
    game: &G,
    agent: &str,
    rule: Rule,
    plies: u32,
    heuristic: &str,
    positions: &[(G::Position, u32)],
) {
    let task = NaiveValues { game, rule, positions, plies };
    let expected = game.with_evaluator(&heuristic.into(), task).unwrap();
    for options in ["", ",table=0", ",table=6"] {
        let spec = format!("{agent}:depth={plies},heuristic={heuristic}{options}");
        let mut built = build(game, &spec);
        for (&(position, score), expected) in positions.iter().zip(&expected) {
            let decision = built.evaluate(position, score).unwrap();
            let found: Vec<f64> = decision.values.iter().map(|(_, value)| *value).collect();
            let agree = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| close(*a, *b));
            assert!(agree, "{spec} at {position}: {found:?}, by definition {expected:?}");
        }
    }
}

const HEURISTICS: [&str; 5] = ["line-sum", "malaga-1", "malaga-4", "mixed", "snake"];

#[test]
fn searches_of_2048_follow_their_definitions() {
    for goal in [Goal::None, Goal::Rank(6)] {
        let game = Twenty48::new(goal);
        for heuristic in HEURISTICS {
            for (agent, rule) in [
                ("minimax", Rule::Worst),
                ("alphabeta", Rule::Worst),
                ("expectimax", Rule::Mean),
                ("expectiminimax", Rule::WorstWeighted),
            ] {
                for (plies, count) in [(1, 100), (2, 60), (3, 30), (4, 8)] {
                    check_search(&game, agent, rule, plies, heuristic, count);
                }
            }
        }
    }
}

/// Nearly full boards have so few replies that even the reference search reaches 8 plies.
#[test]
fn deep_searches_follow_their_definitions() {
    let game = Twenty48::new(Goal::None);
    for board in ["1024,256,64,8/128,32,16,4/8,4,2,16/2,8,0,4", "2048,512,128,16/64,32,64,8/4,16,4,2/2,8,0,4"] {
        let positions = [(board.parse().unwrap(), 20_000)];
        for (plies, heuristic) in [(6, "line-sum"), (6, "malaga-1"), (8, "line-sum")] {
            check_positions(&game, "expectimax", Rule::Mean, plies, heuristic, &positions);
        }
    }
}

#[test]
fn searches_of_small_games_follow_their_definitions() {
    for (agent, rule) in [("minimax", Rule::Worst), ("alphabeta", Rule::Worst), ("expectimax", Rule::Mean)] {
        for plies in [1, 2, 3, 5, 7] {
            check_search(&TicTacToe, agent, rule, plies, "open-lines", 20);
        }
        for plies in [2, 3, 4] {
            check_search(&ConnectFour, agent, rule, plies, "open-lines", 20);
        }
    }
}

#[test]
fn alpha_beta_plays_minimax() {
    for goal in [Goal::None, Goal::Rank(6), Goal::CLASSIC] {
        let game = Twenty48::new(goal);
        for (plies, count) in [(1, 1000), (2, 500), (3, 300), (4, 60), (5, 12), (6, 3), (7, 1)] {
            let mut minimax = build(&game, &format!("minimax:depth={plies}"));
            let mut alphabeta = build(&game, &format!("alphabeta:depth={plies}"));
            for (position, score) in positions(&game, count, 23) {
                let expected = minimax.evaluate(position, score).unwrap();
                assert_eq!(alphabeta.evaluate(position, score).unwrap().values, expected.values, "{position}");
                let decision = alphabeta.decide(position, score).unwrap();
                assert_eq!(decision.choice, expected.choice, "{plies} plies at {position}");
            }
        }
    }
}

#[test]
fn the_transposition_table_changes_no_move() {
    for (game, agent) in [
        (Twenty48::new(Goal::CLASSIC), "expectiminimax:heuristic=snake,depth"),
        (Twenty48::new(Goal::None), "expectiminimax:heuristic=snake,depth"),
        (Twenty48::new(Goal::None), "alphabeta:heuristic=mixed,depth"),
    ] {
        let [mut with, mut without] = ["14", "0"].map(|table| build(&game, &format!("{agent}=6,table={table}")));
        for (position, score) in positions(&game, 60, 29) {
            let found = with.decide(position, score).unwrap();
            assert_eq!(found.choice, without.decide(position, score).unwrap().choice, "{agent} at {position}");
        }
    }
}

#[test]
fn a_window_as_narrow_as_a_rounding_error_does_not_become_empty() {
    let game = Twenty48::new(Goal::CLASSIC);
    let board = game.parse("512,256,128,8/2,8,16,32/0,2,2,4/0,0,4,2").unwrap();
    for table in ["0", "14", "20"] {
        let mut agent = build(&game, &format!("expectiminimax:heuristic=snake,depth=6,table={table}"));
        let exact = agent.evaluate(board, 0).unwrap();
        assert_eq!(agent.decide(board, 0).unwrap().choice, exact.choice, "table={table}");
    }
}

/// Every kind of agent, with options that make its decisions cheap.
fn specs(with_heuristic: bool) -> Vec<String> {
    let cheap = |name: &str| match name {
        "rollout" => "rollout:runs=3".to_string(),
        "tree-rollout" => "tree-rollout:moves=2,runs=1".into(),
        "mcts" => "mcts:iterations=20,runs=1".into(),
        "random" | "greedy" => name.into(),
        name => format!("{name}:depth=2"),
    };
    let mut specs: Vec<String> = KINDS.iter().map(|kind| cheap(kind.name)).collect();
    if with_heuristic {
        specs.extend(
            ["rollout:allocation=halving,runs=9", "rollout:runs=2,statistic=win", "rollout:work=200"].map(String::from),
        );
        specs.extend(["mcts:work=300", "tree-rollout:work=300", "expectimax:work=2000"].map(String::from));
        specs.extend(["rollout:runs=2,cap=5,heuristic=HEURISTIC", "mcts:runs=0,heuristic=HEURISTIC"].map(String::from));
        specs.extend(["tree-rollout:runs=0,heuristic=HEURISTIC", "alphabeta:work=500"].map(String::from));
    }
    specs
}

fn conformance<G: Playable>(game: &G)
where
    G::Position: Debug,
{
    for spec in specs(true).iter().map(|spec| spec.replace("HEURISTIC", G::DEFAULT_HEURISTIC)) {
        let (mut agent, mut same_agent) = (build(game, &spec), build(game, &spec));
        agent.reset(5);
        same_agent.reset(5);
        for (position, score) in positions(game, 12, 31) {
            let decision = agent.decide(position, score).unwrap();
            let legal: Vec<_> = game.steps(position).map(|step| step.action).collect();
            let valued: Vec<_> = decision.values.iter().map(|(action, _)| *action).collect();
            assert_eq!(valued, legal, "{spec} at {position}");
            assert!(legal.contains(&decision.choice), "{spec} at {position}");
            assert!(decision.nodes > 0 && decision.work > 0, "{spec} reports no cost");
            assert!(decision.values.iter().all(|(_, value)| value.is_finite()), "{spec} at {position}");
            let again = same_agent.decide(position, score).unwrap();
            assert_eq!((again.choice, again.nodes, again.work), (decision.choice, decision.nodes, decision.work));
            assert_eq!(again.values, decision.values);
        }
    }
}

#[test]
fn every_agent_conforms_on_every_game() {
    conformance(&Twenty48::new(Goal::CLASSIC));
    conformance(&Twenty48::new(Goal::None));
    conformance(&TicTacToe);
    conformance(&ConnectFour);
}

#[test]
fn an_immediate_win_is_played_and_a_board_without_legal_moves_has_no_decision() {
    let game = Twenty48::new(Goal::CLASSIC);
    let winning = game.parse("2,1024,2,4/8,1024,4,2/4,2,8,16/8,0,2,4").unwrap();
    let dead = game.parse("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2").unwrap();
    for spec in specs(false).iter().filter(|spec| *spec != "random") {
        let mut agent = build(&game, spec);
        let decision = agent.evaluate(winning, 20_000).unwrap();
        assert_eq!(decision.choice.to_string(), "up", "{spec}");
        let up = decision.values.iter().find(|(action, _)| action.to_string() == "up").unwrap().1;
        assert!(is_win(up), "{spec}: {up}");
        assert!(agent.decide(dead, 100).is_none(), "{spec}");
    }
}

/// Positions from the middle of games, where no search reaches the end of the game.
fn open_positions(count: usize) -> Vec<(crate::games::twenty48::Board, u32)> {
    let game = Twenty48::new(Goal::None);
    let is_open = |&(board, _): &(crate::games::twenty48::Board, u32)| (3..=10).contains(&game.empty_cells(board));
    positions(&game, 6 * count, 41).into_iter().filter(is_open).take(count).collect()
}

#[test]
fn tree_searches_keep_their_budgets() {
    let game = Twenty48::new(Goal::None);
    for kind in ["expectimax", "minimax", "alphabeta", "expectiminimax"] {
        for heuristic in ["line-sum", "snake", "malaga-1"] {
            for (work, most) in [(300, 1.10), (1_000, 1.03), (10_000, 1.03)] {
                let mut agent = build(&game, &format!("{kind}:work={work},heuristic={heuristic}"));
                let spent = |(position, score)| agent.decide(position, score).unwrap().work as f64 / work as f64;
                let shares: Vec<f64> = open_positions(40).into_iter().map(spent).collect();
                let mean = shares.iter().sum::<f64>() / shares.len() as f64;
                let highest = shares.iter().copied().fold(0.0, f64::max);
                assert!((0.9..=most).contains(&mean), "{kind} {heuristic} {work}: spends {mean} of its budget");
                assert!(highest <= 1.5, "{kind} {heuristic} {work}: spends {highest} of its budget on one move");
            }
        }
    }
}

#[test]
fn searches_of_two_player_games_prefer_the_shorter_win_and_the_longer_loss() {
    for agent in ["alphabeta:depth=9", "minimax:depth=9", "alphabeta:work=100000", "expectimax:depth=9"] {
        let mut agent = build(&TicTacToe, agent);
        let mut choice = |board: &str| agent.decide(TicTacToe.parse(board).unwrap(), 0).unwrap().choice.to_string();
        // c3 wins at once; a2 wins two plies later.
        assert_eq!(choice("XO./.X./O.."), "c3");
    }
    for agent in ["alphabeta:depth=9", "minimax:depth=9", "alphabeta:work=100000"] {
        let mut agent = build(&TicTacToe, agent);
        let mut choice = |board: &str| agent.decide(TicTacToe.parse(board).unwrap(), 0).unwrap().choice.to_string();
        // Every move loses. c3 blocks O's line, but then O makes two threats at once.
        assert_eq!(choice("OX./.O./..."), "c3");
    }
}

/// Both moves merge the 128s and leave one empty cell. Any new tile there ends the game, so playouts have no moves. A
/// budget that counts only moves would never be spent.
#[test]
fn a_budget_ends_even_where_every_move_ends_the_game() {
    let game = Twenty48::new(Goal::None);
    let board = "16,8,16,8/8,16,8,16/16,8,16,8/32,64,128,128".parse().unwrap();
    for kind in ["rollout", "tree-rollout", "mcts", "minimax", "alphabeta", "expectimax"] {
        let decision = build(&game, &format!("{kind}:work=500")).decide(board, 0).unwrap();
        assert_eq!(decision.values.len(), 2, "{kind}");
    }
}

#[test]
fn cuts_reduce_the_number_of_nodes() {
    let game = Twenty48::new(Goal::None);
    let (position, score) = positions(&game, 40, 43)[7];
    let nodes = |spec: &str| build(&game, spec).decide(position, score).unwrap().nodes;
    let full = nodes("expectimax:depth=5,table=0");
    assert!(nodes("expectimax:depth=5,table=0,partial-cut=true") < full);
    assert!(nodes("expectimax:depth=5,table=0,min-probability=0.01") < full);
    assert!(nodes("expectimax:depth=5") < full);
    assert!(nodes("alphabeta:depth=5") < nodes("minimax:depth=5"));
}

#[test]
fn minimax_finds_that_noughts_and_crosses_is_a_draw() {
    let start = TicTacToe.start(&mut seeded(0));
    for kind in ["minimax", "alphabeta"] {
        let decision = build(&TicTacToe, &format!("{kind}:depth=9")).evaluate(start, 0).unwrap();
        assert!(decision.values.iter().all(|(_, value)| *value == 0.0), "{kind}: {:?}", decision.values);
    }
}
