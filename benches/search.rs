//! The searches compared with the simple search that they replace. Compare the two times of one run.
//!
//! `cargo bench --bench search`

use std::hint::black_box;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use lab2048::agents::AgentSpec;
use lab2048::games::Game;
use lab2048::games::twenty48::{Board, Goal, Twenty48};
use lab2048::heuristics::{Compiled, Evaluator, LineSum, preset};

/// Positions from games of expectimax: early, middle and late.
const POSITIONS: [&str; 4] = [
    "16,8,4,2/2,4,2,0/0,2,0,0/0,0,0,0",
    "256,64,16,4/32,16,8,2/4,2,4,0/2,0,0,0",
    "1024,256,64,8/128,32,16,4/8,4,2,0/2,0,0,0",
    "2048,512,128,16/64,32,64,8/4,16,4,2/2,0,0,4",
];

fn boards() -> Vec<Board> {
    POSITIONS.iter().filter_map(|text| text.parse().ok()).collect()
}

fn line_sum() -> LineSum {
    match preset("line-sum").map(|heuristic| heuristic.compile()) {
        Ok(Compiled::Lines(line_sum)) => line_sum,
        _ => unreachable!("line-sum is a sum over lines"),
    }
}

/// An evaluator with only `value`. Every other method has its default, a simple loop.
#[derive(Clone)]
struct ValueOnly(LineSum);

impl Evaluator<Twenty48> for ValueOnly {
    #[inline(always)]
    fn value(&self, board: Board, score: u32) -> f64 {
        self.0.value(board, score)
    }
}

/// A simple expectimax for 2048 only: tables for moves and lines, and loops for the rest.
struct Plain {
    game: Twenty48,
    evaluator: LineSum,
    nodes: u64,
}

impl Plain {
    fn best(&mut self, board: Board, score: u32, plies: u32) -> f64 {
        self.nodes += 1;
        let mut best = f64::NEG_INFINITY;
        for (after, points) in self.game.slides(board) {
            if after != board {
                best = best.max(self.mean(after, score + points, plies - 1));
            }
        }
        if best == f64::NEG_INFINITY { 0.0 } else { best }
    }

    fn mean(&mut self, after: Board, score: u32, plies: u32) -> f64 {
        self.nodes += 1;
        if plies == 0 {
            return self.evaluator.value(after, score).max(0.0);
        }
        let mut empty = after.empty_mask();
        let share = 1.0 / f64::from(empty.count_ones());
        let mut sum = 0.0;
        while empty != 0 {
            let cell = empty & empty.wrapping_neg();
            empty ^= cell;
            sum += 0.9 * share * self.reply(after.with(cell, 1), score, plies - 1);
            sum += 0.1 * share * self.reply(after.with(cell, 2), score, plies - 1);
        }
        sum
    }

    fn reply(&mut self, board: Board, score: u32, plies: u32) -> f64 {
        if plies > 0 {
            return self.best(board, score, plies);
        }
        self.nodes += 1;
        if board.is_dead() { 0.0 } else { self.evaluator.value(board, score).max(0.0) }
    }
}

fn measure(group: &mut BenchmarkGroup<WallTime>, name: &str, mut search: impl FnMut(Board) -> f64) {
    let boards = boards();
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| boards.iter().map(|board| search(black_box(*board))).sum::<f64>());
    });
}

fn with_agent(spec: &str) -> impl FnMut(Board) -> f64 {
    let game = Twenty48::new(Goal::None);
    let mut agent = spec.parse::<AgentSpec>().and_then(|spec| spec.build(&game)).expect("a valid agent");
    move |board| agent.decide(board, 0).map_or(0.0, |decision| decision.values[0].1)
}

/// The full search compared with the simple one.
fn expectimax(criterion: &mut Criterion) {
    for plies in [3, 5, 6, 8] {
        let mut group = criterion.benchmark_group(format!("expectimax, {plies} plies, moves"));
        group.sample_size(10);
        let mut plain = Plain { game: Twenty48::new(Goal::None), evaluator: line_sum(), nodes: 0 };
        measure(&mut group, "plain", |board| plain.best(board, 0, plies));
        measure(&mut group, "lab2048", with_agent(&format!("expectimax:depth={plies}")));
        group.finish();
    }
}

/// The generic search without its optimizations compared with the one for 2048 only. It shows that generic code costs
/// nothing.
fn parity(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generic against hand-written, 5 plies");
    group.sample_size(20);
    let game = Twenty48::new(Goal::None);
    let mut plain = Plain { game, evaluator: line_sum(), nodes: 0 };
    measure(&mut group, "hand-written", |board| plain.best(board, 0, 5));
    let spec: AgentSpec = "expectimax:depth=5,table=0".parse().expect("a valid agent");
    let mut generic = spec.build_with(&game, ValueOnly(line_sum())).expect("a valid agent");
    measure(&mut group, "generic", |board| generic.decide(board, 0).map_or(0.0, |decision| decision.values[0].1));
    group.finish();
}

/// The nodes per second of every agent.
fn nodes(criterion: &mut Criterion) {
    for spec in [
        "greedy",
        "minimax:depth=4",
        "alphabeta:depth=4",
        "alphabeta:depth=6",
        "expectimax:depth=4",
        "expectimax:depth=5,heuristic=malaga-1",
        "expectiminimax:depth=4,heuristic=snake",
        "rollout:runs=100",
        "tree-rollout:moves=3",
        "mcts:iterations=100",
    ] {
        let game = Twenty48::new(Goal::None);
        let mut agent = spec.parse::<AgentSpec>().and_then(|spec| spec.build(&game)).expect("a valid agent");
        let mut nodes = |board: Board| agent.decide(board, game.implied_score(board)).map_or(0, |d| d.nodes);
        let total: u64 = boards().into_iter().map(&mut nodes).sum();
        let mut group = criterion.benchmark_group("nodes");
        group.sample_size(10).throughput(Throughput::Elements(total));
        group.bench_function(spec, |bencher| {
            bencher.iter(|| boards().into_iter().map(|board| nodes(black_box(board))).sum::<u64>());
        });
        group.finish();
    }
}

criterion_group!(benches, expectimax, parity, nodes);
criterion_main!(benches);
