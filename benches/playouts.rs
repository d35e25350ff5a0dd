//! Playouts: many at a time compared with one at a time, and the agents that use them, in one run. Compare only the
//! times of one run, because the speed of a shared machine changes between runs.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use lab2048::agents::AgentSpec;
use lab2048::games::twenty48::playouts::{self, Totals, single};
use lab2048::games::twenty48::{Board, Goal, Twenty48};
use lab2048::games::{Effort, Game, Playouts, Policy};
use lab2048::rng::seeded;

/// A board from the middle of a game.
const MID_GAME: &str = "2,4,8,2/8,64,32,4/0,0,256,16/0,0,4,0";
/// The usual number of rollouts for each legal move.
const RUNS: u32 = 100;

type Group<'a> = BenchmarkGroup<'a, criterion::measurement::WallTime>;

fn quick<'a>(criterion: &'a mut Criterion, name: &str) -> Group<'a> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    group
}

/// Moves per second in whole games.
fn random_games(criterion: &mut Criterion) {
    let mut group = quick(criterion, "random games");
    let mut bench = |name, games, play: fn(u64, u64) -> Totals| {
        group.throughput(Throughput::Elements(play(games, 1).moves));
        group.bench_function(name, |bencher| bencher.iter(|| play(games, black_box(1))));
    };
    bench("batch", 20_000, playouts::random_games);
    bench("one at a time", 2_000, single::random_games);
    group.finish();
}

/// Rollouts per second in batches of the size that an agent uses.
fn rollouts(criterion: &mut Criterion) {
    let game = Twenty48::new(Goal::None);
    let Ok(board) = MID_GAME.parse::<Board>() else { return };
    let afters: Vec<Board> = game.steps(board).map(|step| step.after).collect();
    let mut group = quick(criterion, "rollouts from mid-game");
    group.throughput(Throughput::Elements(u64::from(RUNS) * afters.len() as u64));
    for (name, goal, cap, policy) in [
        ("batch", Goal::None, None, Policy::Random),
        ("batch, goal 2048", Goal::CLASSIC, None, Policy::Random),
        ("batch, 20 moves", Goal::None, Some(20), Policy::Random),
        ("batch, policy merge", Goal::None, None, Policy::Merge),
        ("batch, policy corner", Goal::None, None, Policy::Corner),
        ("one at a time, policy greedy", Goal::None, None, Policy::Greedy),
    ] {
        let game = Twenty48::new(goal);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut sum = 0;
                let batch = Playouts { afters: &afters, runs: RUNS, cap, policy, seed: black_box(1) };
                game.playouts(batch, |_| Effort::UNLIMITED, |played| sum += u64::from(played.gained));
                sum
            });
        });
    }
    group.bench_function("one at a time", |bencher| {
        let mut rng = seeded(1);
        bencher.iter(|| {
            let starts = afters.iter().flat_map(|&after| std::iter::repeat_n(after, RUNS as usize));
            starts.map(|after| u64::from(single::play(&game, after, &mut rng).gained)).sum::<u64>()
        });
    });
    group.finish();
}

/// Iterations of MCTS per second with 8 playouts for each leaf: one leaf, one position or several positions at a time.
fn mcts_iterations(criterion: &mut Criterion) {
    const ITERATIONS: u64 = 2000;
    let game = Twenty48::new(Goal::None);
    let Ok(board) = MID_GAME.parse::<Board>() else { return };
    let mut group = quick(criterion, "mcts, 8 runs a leaf");
    group.throughput(Throughput::Elements(ITERATIONS));
    for batch in [1, 4, 16] {
        let spec = format!("mcts:iterations={ITERATIONS},runs=8,reuse=false,batch={batch}");
        let Ok(mut agent) = spec.parse::<AgentSpec>().and_then(|spec| spec.build(&game)) else { return };
        group.bench_function(format!("{batch} positions together"), |bencher| {
            bencher.iter(|| agent.decide(black_box(board), 0).map(|decision| decision.nodes));
        });
    }
    // The time of one leaf alone, which is the cost of an iteration without batches.
    let Some(after) = game.steps(board).map(|step| step.after).next() else { return };
    group.throughput(Throughput::Elements(1));
    group.bench_function("playouts of one leaf at a time", |bencher| {
        bencher.iter(|| {
            let mut sum = 0;
            let batch = Playouts { afters: &[after], runs: 8, cap: None, policy: Policy::Random, seed: black_box(1) };
            game.playouts(batch, |_| Effort::UNLIMITED, |played| sum += u64::from(played.gained));
            sum
        });
    });
    group.finish();
}

criterion_group!(benches, random_games, rollouts, mcts_iterations);
criterion_main!(benches);
