//! Tests of the recorded searches. Searches written directly from the definitions give the expected values.

mod formats;

use std::collections::HashMap;

use rand::Rng as _;

use super::*;
use crate::games::connect_four::ConnectFour;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Board, Goal, Twenty48};
use crate::games::{Game, WIN};
use crate::heuristics::Evaluator;
use crate::heuristics::open_lines::OpenLines;
use crate::rng::{Rng, seeded};

const ALL: u64 = u64::MAX;

/// A game with a heuristic for its searches.
trait Case: Game {
    type Heuristic: Evaluator<Self>;
    fn heuristic() -> Self::Heuristic;
}

impl Case for TicTacToe {
    type Heuristic = OpenLines;
    fn heuristic() -> OpenLines {
        OpenLines::of::<TicTacToe>()
    }
}

impl Case for ConnectFour {
    type Heuristic = OpenLines;
    fn heuristic() -> OpenLines {
        OpenLines::of::<ConnectFour>()
    }
}

/// The number of empty cells plus the score: simple, but different positions have different values.
#[derive(Clone)]
struct EmptyAndScore;

impl Evaluator<Twenty48> for EmptyAndScore {
    fn value(&self, board: Board, score: u32) -> f64 {
        10.0 * f64::from(board.empty_count()) + f64::from(score).sqrt()
    }
}

impl Case for Twenty48 {
    type Heuristic = EmptyAndScore;
    fn heuristic() -> EmptyAndScore {
        EmptyAndScore
    }
}

fn trace<G: Case>(game: &G, algorithm: Algorithm, depth: u32, max_nodes: u64, position: G::Position) -> Tree {
    TracedSearch { game, evaluator: &G::heuristic(), algorithm, depth, stop: &|_| None, max_nodes }
        .trace(position, 0)
        .unwrap()
}

/// A position after a few random moves of both sides, at which the game has not ended.
pub(super) fn midgame<G: Game>(game: &G, moves: usize, rng: &mut Rng) -> G::Position {
    let mut position = game.start(rng);
    for _ in 0..moves {
        let steps: Vec<_> = game.steps(position).collect();
        let after = steps[rng.random_range(0..steps.len())].after;
        if game.after_step(after).is_some() {
            break;
        }
        let next = game.sample(after, rng);
        if game.verdict(next).is_some() {
            break;
        }
        position = next;
    }
    position
}

/// The value of a position by the simplest recursion, without cuts.
fn plain<G: Case>(game: &G, algorithm: Algorithm, position: G::Position, score: u32, plies: u32) -> f64 {
    if plies == 0 || game.verdict(position).is_some() {
        return G::heuristic().after_reply(game, position, score);
    }
    let mut best = f64::NEG_INFINITY;
    for step in game.steps(position) {
        let score = score + step.reward;
        let value = match plies == 1 || game.after_step(step.after).is_some() {
            true => G::heuristic().after_step(game, step.after, score),
            false => plain_replies(game, algorithm, step.after, score, plies - 1),
        };
        best = best.max(value);
    }
    best
}

fn plain_replies<G: Case>(game: &G, algorithm: Algorithm, after: G::Position, score: u32, plies: u32) -> f64 {
    let (mut mean, mut worst, mut weighted) = (0.0, f64::INFINITY, f64::INFINITY);
    for reply in game.replies(after) {
        let value = plain(game, algorithm, reply.position, score, plies - 1);
        mean += reply.probability * value;
        worst = worst.min(value);
        weighted = weighted.min(reply.weight * value);
    }
    match algorithm {
        Algorithm::Minimax | Algorithm::AlphaBeta => worst,
        Algorithm::Expectimax => mean,
        Algorithm::Expectiminimax => weighted,
    }
}

fn check_values<G: Case>(game: &G, depths: std::ops::RangeInclusive<u32>, longest: usize, positions: usize) {
    let mut rng = seeded(11);
    let mut cut = 0;
    for index in 0..positions {
        let position = midgame(game, index * longest / positions, &mut rng);
        for depth in depths.clone() {
            for algorithm in Algorithm::ALL {
                let expected = plain(game, algorithm, position, 0, depth);
                let tree = trace(game, algorithm, depth, 50, position);
                assert_eq!(tree.root().value, Some(expected), "{} at {position}, {depth} plies", tree.algorithm);
                cut += tree.cut;
            }
        }
    }
    assert!(cut > 100, "hardly anything was cut");
}

#[test]
fn the_root_has_the_value_of_a_search_without_cuts() {
    check_values(&TicTacToe, 1..=5, 4, 60);
    check_values(&ConnectFour, 1..=4, 12, 40);
    check_values(&Twenty48::new(Goal::None), 1..=4, 300, 20);
    // Many lines of play reach this low goal.
    check_values(&Twenty48::new(Goal::Rank(5)), 1..=4, 20, 20);
}

#[test]
fn noughts_and_crosses_is_a_draw() {
    let tree = trace(&TicTacToe, Algorithm::AlphaBeta, 9, 100, TicTacToe.start(&mut seeded(0)));
    assert_eq!(tree.root().value, Some(0.0));
    assert_eq!(tree.root().bound, Bound::Exact);
}

#[test]
fn every_node_agrees_with_its_children() {
    check_nodes(&TicTacToe, 4, 1);
    check_nodes(&Twenty48::new(Goal::Rank(6)), 3, 25);
}

fn check_nodes<G: Case>(game: &G, depth: u32, moves: usize) {
    let mut rng = seeded(12);
    for _ in 0..20 {
        let position = midgame(game, moves, &mut rng);
        for algorithm in Algorithm::ALL {
            let tree = trace(game, algorithm, depth, ALL, position);
            assert_eq!(tree.visited + tree.cut, tree.nodes().len() as u64, "everything is recorded");
            (0..tree.nodes().len()).for_each(|id| check_node(&tree, id));
        }
    }
}

fn check_node(tree: &Tree, id: NodeId) {
    let node = &tree[id];
    let children: Vec<&Node> = node.children.iter().map(|&child| &tree[child]).collect();
    assert!(children.iter().all(|child| child.parent == Some(id) && child.depth == node.depth + 1));
    assert_eq!(node.status == Status::Expanded, !children.is_empty());
    assert_eq!(node.omitted, 0);
    if let Status::Cut(cut) = &node.status {
        let reached = if cut.at == NodeKind::Max { cut.value >= cut.limit } else { cut.value <= cut.limit };
        assert!(reached, "{cut:?}");
        assert_eq!(node.value, None);
    }
    if node.kind == NodeKind::Chance && !children.is_empty() {
        let total: f64 = children.iter().filter_map(|child| child.probability).sum();
        assert!((total - 1.0).abs() < 1e-12, "probabilities sum to {total}");
    }
    if let Some(best) = node.best {
        assert_eq!(node.value, tree[best].value.map(|value| value * tree[best].weight.unwrap_or(1.0)));
    }
    if tree.algorithm == "expectimax" && node.kind == NodeKind::Chance && !children.is_empty() {
        let mean: f64 = children.iter().filter_map(|child| Some(child.probability? * child.value?)).sum();
        assert_eq!(node.value, Some(mean));
    }
}

#[test]
fn bounds_of_alpha_beta_are_true_of_minimax_values() {
    let mut rng = seeded(13);
    let (mut exact, mut bounds) = (0, 0);
    for _ in 0..20 {
        let position = midgame(&TicTacToe, 1, &mut rng);
        let truth = trace(&TicTacToe, Algorithm::Minimax, 4, ALL, position);
        let truth: HashMap<_, _> = truth.nodes().iter().map(|node| (&node.board, node.value)).collect();
        let tree = trace(&TicTacToe, Algorithm::AlphaBeta, 4, ALL, position);
        for node in tree.nodes() {
            let (Some(value), Some(Some(truth))) = (node.value, truth.get(&node.board)) else { continue };
            match node.bound {
                Bound::Exact => assert_eq!(value, *truth),
                Bound::AtMost => assert!(value >= *truth),
                Bound::AtLeast => assert!(value <= *truth),
            }
            *(if node.bound == Bound::Exact { &mut exact } else { &mut bounds }) += 1;
        }
    }
    assert!(exact > 100 && bounds > 100, "{exact} exact, {bounds} bounds");
}

#[test]
fn nodes_beyond_the_limit_are_counted_but_not_recorded() {
    let position = TicTacToe.start(&mut seeded(0));
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Expectimax] {
        let whole = trace(&TicTacToe, algorithm, 3, ALL, position);
        for max_nodes in [0, 1, 2, 9, 10, 11, 50, 100, 300] {
            let tree = trace(&TicTacToe, algorithm, 3, max_nodes, position);
            let kept = tree.nodes().len() as u64;
            let omitted: u64 = tree.nodes().iter().map(|node| node.omitted).sum();
            assert!(kept <= max_nodes.max(1), "{kept} of {max_nodes}");
            assert_eq!(kept + omitted, whole.nodes().len() as u64);
            assert_eq!((tree.root().value, tree.visited, tree.cut), (whole.root().value, whole.visited, whole.cut));
        }
    }
    let tree = trace(&TicTacToe, Algorithm::Minimax, 3, 30, position);
    assert_eq!(tree.root().children.len(), 9, "all moves of the root are recorded first");
}

#[test]
fn a_search_with_too_many_nodes_is_refused() {
    let position = TicTacToe.start(&mut seeded(0));
    let evaluator = OpenLines::of::<TicTacToe>();
    let search = TracedSearch {
        game: &TicTacToe,
        evaluator: &evaluator,
        algorithm: Algorithm::Minimax,
        depth: 4,
        stop: &|_| None,
        max_nodes: 9,
    };
    let visited = search.trace(position, 0).unwrap().visited;
    assert_eq!(visited, 1 + 9 + 9 * 8 + 9 * 8 * 7 + 9 * 8 * 7 * 6);
    assert_eq!(search.trace_within(position, 0, visited - 1), None);
    assert!(search.trace_within(position, 0, visited).is_some());
}

#[test]
fn a_search_can_stop_before_its_full_depth() {
    let position = TicTacToe.start(&mut seeded(0));
    let evaluator = OpenLines::of::<TicTacToe>();
    let stop = |state: &SearchState<_>| (state.probability < 0.5).then_some("unlikely");
    let search = TracedSearch {
        game: &TicTacToe,
        evaluator: &evaluator,
        algorithm: Algorithm::Expectimax,
        depth: 4,
        stop: &stop,
        max_nodes: ALL,
    };
    let tree = search.trace(position, 0).unwrap();
    let early = Status::Horizon { early: Some("unlikely") };
    assert!(tree.nodes().iter().all(|node| (node.depth == 2) == (node.status == early) && node.depth <= 2));
}

#[test]
fn a_finished_game_is_one_node() {
    let position = TicTacToe.parse("XX./OOO/..X").unwrap();
    let tree = trace(&TicTacToe, Algorithm::AlphaBeta, 3, ALL, position);
    assert_eq!((tree.nodes().len(), tree.root().value), (1, Some(-1.0)));
    assert!(render(&tree, Format::Text).contains("game over: loss"));
}
