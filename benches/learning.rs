//! Training and one-ply play: many games in lockstep with prefetching, compared with one game at a time without it.
//! Compare the two times of one run.
//!
//! `cargo bench -p lab2048-benches --bench learning`

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use lab2048::games::Game;
use lab2048::games::twenty48::{Board, Goal, Twenty48};
use lab2048::learn::{Budget, Method, Network, Patterns, Play, Settings, Threads, Trainer, play};
use lab2048::rng::{Rng, Seeds, Test, seeded};

static NEVER: AtomicBool = AtomicBool::new(false);
/// The number of training moves before the measurement. After these, the tables are in use and games have hundreds of
/// moves.
const WARM_UP: u64 = 2_000_000;

fn settings(batch: usize) -> Settings {
    let patterns = Patterns::parse("4x6").unwrap_or_else(|_| unreachable!("4x6 is a named set of patterns"));
    Settings {
        patterns,
        method: Method::Coherence,
        rate: 1.0,
        final_rate: 1.0,
        lambda: 0.0,
        epsilon: 0.0,
        initial: 0.0,
        batch,
        budget: Budget::Moves(u64::MAX),
        seed: 1,
    }
}

/// A trainer that has already made some moves.
fn warm_trainer() -> Trainer {
    let mut trainer = Trainer::new(settings(64)).expect("enough memory for 4x6");
    train(&mut trainer, 1, WARM_UP);
    trainer
}

/// Trains for at least this many moves, and returns the time of one move.
fn train(trainer: &mut Trainer, threads: usize, moves: u64) -> Duration {
    let threads = Threads::new(threads).expect("threads can be started");
    let (first, begun) = (trainer.progress(), Instant::now());
    let mut games = first.games;
    while trainer.progress().moves - first.moves < moves {
        games += 1;
        trainer.train(games, &threads, &NEVER, |_, _| {});
    }
    begun.elapsed().div_f64((trainer.progress().moves - first.moves) as f64)
}

/// The simple loop: one game at a time, without prefetching. The weight, E and A of an index are stored next to each
/// other.
struct Plain {
    game: Twenty48,
    indexer: Network,
    tables: Vec<Vec<[f32; 3]>>,
    board: Board,
    last: Option<Board>,
    rng: Rng,
}

impl Plain {
    /// Starts from the weights of a trained network.
    fn new(network: &Network) -> Self {
        let (game, mut rng) = (Twenty48::new(Goal::None), seeded(1));
        let board = game.start(&mut rng);
        let table = |weights: &[f32]| weights.iter().map(|weight| [*weight, 0.0, 0.0]).collect();
        let tables = network.tables().iter().map(|weights| table(weights.as_slice())).collect();
        let indexer = Network::new(settings(1).patterns).expect("enough memory for 4x6");
        Plain { game, indexer, tables, board, last: None, rng }
    }

    fn value(&self, board: Board) -> f32 {
        let places = self.tables.iter().zip(self.indexer.indexer().each(board));
        places.flat_map(|(table, places)| places.map(|place| table[place as usize][0])).sum()
    }

    fn step(&mut self, learns: bool) {
        let game = self.game;
        let totals = game.steps(self.board).map(|step| (step.reward as f32 + self.value(step.after), step));
        let best = totals.reduce(|best, next| if next.0 > best.0 { next } else { best });
        if let Some(last) = self.last.filter(|_| learns) {
            let error = best.as_ref().map_or(0.0, |(total, _)| *total) - self.value(last);
            for (table, places) in self.tables.iter_mut().zip(self.indexer.indexer().each(last)) {
                for place in places {
                    let [weight, sum, size] = table[place as usize];
                    let rate = if size == 0.0 { 1.0 } else { sum.abs() / size };
                    table[place as usize] = [weight + rate * error / 32.0, sum + error, size + error.abs()];
                }
            }
        }
        (self.last, self.board) = match best {
            Some((_, step)) => (Some(step.after), game.sample(step.after, &mut self.rng)),
            None => (None, game.start(&mut self.rng)),
        };
    }
}

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(1)).sample_size(10);
    group
}

/// The number of moves in one sample.
const MOVES: u64 = 200_000;

fn training(criterion: &mut Criterion) {
    let mut trainer = warm_trainer();
    let mut group = group(criterion, "training, 4x6, a move");
    let mut plain = Plain::new(trainer.network());
    group.bench_function("one game at a time, no prefetch", |bencher| bencher.iter(|| plain.step(true)));
    drop(plain);
    for threads in [1, 2] {
        group.bench_function(format!("64 games in lockstep, threads: {threads}"), |bencher| {
            bencher.iter_custom(|moves| train(&mut trainer, threads, MOVES).mul_f64(moves as f64));
        });
    }
}

fn playing(criterion: &mut Criterion) {
    let trainer = warm_trainer();
    let network = trainer.network();
    let mut group = group(criterion, "one-ply play, 4x6, a move");
    let mut plain = Plain::new(network);
    group.bench_function("one game at a time, no prefetch", |bencher| bencher.iter(|| plain.step(false)));
    drop(plain);
    group.bench_function("several games, prefetch", |bencher| {
        bencher.iter_custom(|moves| {
            let (plan, begun) = (Play { seeds: Seeds::<Test>::new(1), games: 100, threads: 1 }, Instant::now());
            let played: u64 = play(network, plan, &NEVER).iter().map(|game| u64::from(game.moves)).sum();
            begun.elapsed().div_f64(played as f64).mul_f64(moves as f64)
        });
    });
}

criterion_group!(benches, training, playing);
criterion_main!(benches);
