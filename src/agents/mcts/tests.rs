use super::tree::ReplyLink;
use super::*;
use crate::agents::AgentSpec;
use crate::games::twenty48::{Board, Goal, Twenty48};
use crate::rng::environment;

fn agent(spec: &str) -> Box<dyn Agent<Twenty48>> {
    spec.parse::<AgentSpec>().unwrap().build(&Twenty48::new(Goal::None)).unwrap()
}

/// With a large bonus all moves are visited equally often, so the depth of the tree lies between those of two full
/// searches.
#[test]
fn expectimax_backup_converges_to_expectimax() {
    let board = "1024,256,64,8/128,32,16,4/8,4,2,16/2,8,0,4".parse().unwrap();
    let tree = agent("mcts:runs=0,heuristic=line-sum,leaf-plies=1,backup=expectimax,iterations=600,exploration=1000")
        .decide(board, 20_000)
        .unwrap();
    let full =
        |depth: u32| agent(&format!("expectimax:heuristic=line-sum,depth={depth}")).decide(board, 20_000).unwrap();
    let (shallow, deep) = (full(4), full(6));
    for (index, (_, value)) in tree.values.iter().enumerate() {
        let (low, high) = (shallow.values[index].1, deep.values[index].1);
        let (low, high) = (low.min(high), low.max(high));
        assert!((0.98 * low..=1.02 * high).contains(value), "{value} and {low} to {high}");
    }
}

#[test]
fn mcts_with_a_heuristic_mostly_agrees_with_a_full_search() {
    let game = Twenty48::new(Goal::None);
    let mut rng = environment(3);
    let (mut board, mut score, mut agreed) = (game.start(&mut rng), 0, 0);
    let mut full = agent("expectimax:heuristic=line-sum,depth=5");
    let mut tree = agent("mcts:runs=0,heuristic=line-sum,leaf-plies=2,backup=expectimax,work=20000");
    for _ in 0..100 {
        let expected = full.decide(board, score).unwrap();
        agreed += u32::from(tree.decide(board, score).unwrap().choice == expected.choice);
        let step = game.steps(board).find(|step| step.action == expected.choice).unwrap();
        (board, score) = (game.sample(step.after, &mut rng), score + step.reward);
    }
    assert!(agreed >= 75, "{agreed} of 100");
}

const BOARD: &str = "2,4,8,2/8,64,32,4/0,0,256,16/0,0,4,0";

/// A tree with a root and one node below its first move, and the position and score of that node.
fn small_tree(is_valued: bool) -> (Tree<Twenty48>, Board, u32) {
    let game = Twenty48::new(Goal::None);
    let mut tree = Tree::new();
    tree.add_node(&game, BOARD.parse().unwrap(), 100);
    let (after, score) = (tree.edges[0].after, tree.edges[0].score);
    tree.replies.extend(game.replies(after).map(|reply| ReplyLink::new(&reply, 0.0)));
    (tree.edges[0].first_reply, tree.edges[0].reply_count) = (0, tree.replies.len());
    let next = tree.replies[3].position;
    let child = tree.add_node(&game, next, score);
    tree.replies[3].set_child(child);
    tree.nodes[child].is_valued = is_valued;
    (tree, next, score)
}

#[test]
fn a_tree_is_reused_for_the_next_position_of_the_game() {
    let (mut tree, next, score) = small_tree(true);
    assert!(tree.descend_to(&mut Tree::new(), next, score));
    assert_eq!((tree.nodes.len(), tree.nodes[0].position), (1, next));
    assert_eq!(tree.edges.len(), Twenty48::new(Goal::None).steps(next).count());
}

#[test]
fn a_tree_is_dropped_if_the_position_is_not_in_it() {
    for (position, score, is_valued) in [(None, 100, true), (None, 0, true), (Some(4), 0, true), (Some(0), 0, false)] {
        let (mut tree, next, at_next) = small_tree(is_valued);
        let (position, score) = match position {
            None => (BOARD.parse().unwrap(), score),
            Some(more) => (next, at_next + more),
        };
        assert!(!tree.descend_to(&mut Tree::new(), position, score) && tree.nodes.is_empty());
    }
}

#[derive(Clone)]
struct Zero;

impl Evaluator<Twenty48> for Zero {
    fn value(&self, _: Board, _: u32) -> f64 {
        0.0
    }
}

#[test]
fn chance_replies_follow_their_probabilities() {
    let mut mcts = Mcts::default().agent(&Twenty48::new(Goal::None), Some(Zero)).unwrap();
    mcts.tree.add_node(&mcts.game, BOARD.parse().unwrap(), 0);
    mcts.add_replies(0);
    let mut counts = vec![0.0; mcts.tree.edges[0].reply_count];
    for visits in 1..=1000 {
        mcts.tree.edges[0].set_visits(visits);
        counts[mcts.chance_reply(0)] += 1.0;
    }
    for (count, reply) in counts.iter().zip(&mcts.tree.replies) {
        // A low-discrepancy sequence is off by a few visits, where independent draws are off by ten.
        let difference: f64 = count - 1000.0 * reply.probability;
        assert!(difference.abs() < 4.0, "{count} {}", reply.probability);
    }
}
