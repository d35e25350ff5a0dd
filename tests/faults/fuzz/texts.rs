//! Short texts that users write: boards, agents, heuristics. They are read and then used once.

use lab2048::agents::AgentSpec;
use lab2048::games::Game;
use lab2048::games::twenty48::{Board, Goal, Twenty48};
use lab2048::heuristics::Heuristic;

use super::fuzz;
use crate::Trial;

const BOARDS: [&str; 4] = [
    "2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2",
    "131072,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0",
    "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0",
    "32768,32768,2,2/4,4,8,8/2,0,0,2/16384,16384,0,0",
];

/// Every board that can be read can be played on.
pub fn boards(trial: &mut Trial) -> Result<u64, String> {
    let game = Twenty48::new(Goal::None);
    fuzz(trial, 80_000, "a board", &BOARDS, |input| {
        if let Ok(board) = String::from_utf8_lossy(input).parse::<Board>() {
            let replies = game.steps(board).map(|step| game.replies(step.after).count());
            std::hint::black_box(replies.sum::<usize>());
        }
    })
}

const AGENTS: [&str; 7] = [
    "expectimax:depth=4..6,heuristic=malaga-1,table=14",
    "expectiminimax:depth=3,table=0",
    "minimax:ms=1",
    "alphabeta:work=1000",
    "rollout:runs=100,cap=10,heuristic=line-sum,allocation=halving",
    "mcts:iterations=100,runs=1,backup=max",
    "tree-rollout:moves=2,width=3",
];
/// A larger transposition table would take most of the time of the campaign.
const LARGEST_TABLE: i64 = 14;

/// Every agent that can be read can be built, or is refused.
pub fn agents(trial: &mut Trial) -> Result<u64, String> {
    let game = Twenty48::new(Goal::None);
    let mut number = 0;
    fuzz(trial, 80_000, "an agent", &AGENTS, |input| {
        number += 1;
        let Ok(spec) = String::from_utf8_lossy(input).parse::<AgentSpec>() else { return };
        let is_small = spec.options.integer("table").is_none_or(|bits| bits <= LARGEST_TABLE);
        // Building an agent takes a thousand times as long as parsing its text.
        if is_small && number % 100 == 0 {
            drop(spec.build(&game));
        }
    })
}

const HEURISTIC: &str = "name = \"mine\"\n[[terms]]\nfeature = \"mask\"\ncoefficient = 2.0\nmask = \"geometric\"\nratio = 0.4\n\
                         [[terms]]\nfeature = \"empty\"\nlabel = \"more\"\ntimes = \"ln-score\"\n";

pub fn heuristics(trial: &mut Trial) -> Result<u64, String> {
    fuzz(trial, 4000, "a heuristic", &[HEURISTIC], |input| {
        drop(Heuristic::parse("fuzzed.toml", &String::from_utf8_lossy(input)));
    })
}
