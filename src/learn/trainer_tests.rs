use std::collections::{BTreeMap, VecDeque};

use super::super::player::{Play, play};
use super::*;
use crate::games::Game;
use crate::games::twenty48::Board;
use crate::rng::{Rng, Validation};

fn settings(patterns: &str) -> Settings {
    Settings {
        patterns: Patterns::parse(patterns).unwrap(),
        method: Method::Coherence,
        rate: 1.0,
        final_rate: 1.0,
        lambda: 0.0,
        epsilon: 0.0,
        initial: 0.0,
        batch: 12,
        budget: Budget::Games(120),
        seed: 7,
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);

/// Trains to the end, pausing at these numbers of games.
fn trained(settings: &Settings, threads: usize, pauses: &[u64]) -> (Trainer, Vec<Finished>) {
    let (mut trainer, mut games) = (Trainer::new(settings.clone()).unwrap(), Vec::new());
    let threads = Threads::new(threads).unwrap();
    for until in pauses.iter().chain([&u64::MAX]) {
        trainer.train(*until, &threads, &NEVER, |game, _| games.push(game));
    }
    (trainer, games)
}

fn bytes(trainer: &Trainer) -> Vec<u8> {
    let mut bytes = Vec::new();
    trainer.write_checkpoint(&mut bytes, "test", &()).unwrap();
    bytes
}

/// Settings that use every option.
fn all_options() -> Settings {
    Settings { lambda: 0.5, epsilon: 0.01, initial: 5000.0, final_rate: 0.2, ..settings("rows") }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    for settings in [settings("0123 4567 0145"), all_options()] {
        let (one, games) = trained(&settings, 1, &[]);
        assert!(games.len() >= 120 && one.progress().games == games.len() as u64);
        for threads in [2, 8] {
            let (other, others) = trained(&settings, threads, &[3, 50]);
            assert_eq!(others, games);
            assert!(bytes(&other) == bytes(&one), "{threads} threads");
        }
    }
}

#[test]
fn a_training_continued_from_a_checkpoint_equals_one_that_never_stopped() {
    let (folder, settings) = (tempfile::tempdir().unwrap(), all_options());
    let (whole, games) = trained(&settings, 1, &[]);
    let path = folder.path().join("checkpoint.bin");
    for stop_at in [0, 17, 60, 119] {
        let (mut first, mut seen) = (Trainer::new(settings.clone()).unwrap(), Vec::new());
        first.train(stop_at, &Threads::new(1).unwrap(), &NEVER, |game, _| seen.push(game));
        let mut written = Vec::new();
        first.write_checkpoint(&mut written, "test", &seen).unwrap();
        std::fs::write(&path, written).unwrap();
        let mut second = Trainer::new(settings.clone()).unwrap();
        let mut seen: Vec<Finished> = second.read_checkpoint(&path, "test").unwrap();
        second.train(u64::MAX, &Threads::new(2).unwrap(), &NEVER, |game, _| seen.push(game));
        assert_eq!(seen, games);
        assert!(bytes(&second) == bytes(&whole), "stopped at {stop_at}");
    }
}

#[test]
fn checkpoints_of_another_training_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.bin");
    let whole = bytes(&Trainer::new(settings("rows")).unwrap());
    let read = |bytes: &[u8], patterns: &str, training: &str| {
        std::fs::write(&path, bytes).unwrap();
        Trainer::new(settings(patterns)).unwrap().read_checkpoint::<()>(&path, training).unwrap_err().message
    };
    assert!(read(&whole, "rows", "other").contains("another training"));
    assert!(read(&whole, "0123", "test").contains("another training"));
    assert!(read(&whole[..whole.len() - 1], "rows", "test").contains("cut short"));
    let mut flipped = whole.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 8;
    assert!(read(&flipped, "rows", "test").contains("checksum"));
}

/// A reference implementation: the weights of a `rows` network as a map. It uses the same 32-bit arithmetic, because a
/// difference of one bit soon leads to different games.
#[derive(Default)]
struct ReferenceNetwork(BTreeMap<(usize, u16), f32>);

impl ReferenceNetwork {
    /// The outer and the inner line of the eight images of a board.
    fn keys(board: Board, table: usize) -> [(usize, u16); 8] {
        board.symmetries().map(|image| (table, image.rows()[table]))
    }

    fn value(&self, board: Board) -> f64 {
        let weight = |key| self.0.get(&key).copied().unwrap_or(0.0);
        let sum = |table| {
            let [a, b, c, d, e, f, g, h] = Self::keys(board, table).map(weight);
            f64::from(((a + b) + (c + d)) + ((e + f) + (g + h)))
        };
        sum(0) + sum(1)
    }

    /// Every weight of these boards changes by `step` times the mean of its errors.
    fn learn(&mut self, updates: &[(Board, f32)], step: f32) {
        for table in [0, 1] {
            let mut hits: BTreeMap<(usize, u16), (f32, usize)> = BTreeMap::new();
            for (board, error) in updates {
                for key in Self::keys(*board, table) {
                    let (sum, count) = hits.entry(key).or_default();
                    (*sum, *count) = (*sum + error, *count + 1);
                }
            }
            for (key, (sum, count)) in hits {
                *self.0.entry(key).or_default() += step * (sum / count as f32);
            }
        }
    }

    /// Plays one game and learns from it by the definition of TD(lambda): an afterstate is updated by its own error and
    /// the shares of the next ones, `reach` errors in all.
    fn play(&mut self, game: &Twenty48, environment: &mut Rng, lambda: f32, reach: usize) -> u32 {
        let (mut board, mut score) = (game.start(environment), 0);
        let mut waiting: VecDeque<(Board, f32)> = VecDeque::new();
        loop {
            let steps = game.steps(board).map(|step| (f64::from(step.reward) + self.value(step.after), step));
            let best = steps.reduce(|a, b| if b.0 > a.0 { b } else { a });
            let before = waiting.front().map_or(0.0, |(last, _)| self.value(*last));
            let mut share = (best.map_or(0.0, |(total, _)| total) - before) as f32;
            for (_, error) in &mut waiting {
                (*error, share) = (*error + share, share * lambda);
            }
            let keep = if best.is_none() { 0 } else { reach - 1 };
            self.learn(
                &waiting.split_off(keep.min(waiting.len())).into_iter().collect::<Vec<_>>(),
                (0.1 / 16.0) as f32,
            );
            let Some((_, step)) = best else { return score };
            waiting.push_front((step.after, 0.0));
            (score, board) = (score + step.reward, game.sample(step.after, environment));
        }
    }
}

/// With one game at a time, the trainer must equal the reference implementation.
#[test]
fn one_game_at_a_time_follows_the_definition_of_td_lambda() {
    for (lambda, reach) in [(0.0, 1), (0.5, 4)] {
        let settings = Settings { method: Method::Constant, rate: 0.1, final_rate: 0.1, batch: 1, ..settings("rows") };
        let (trainer, games) = trained(&Settings { lambda, budget: Budget::Games(20), ..settings }, 1, &[]);
        let (game, mut plain) = (Twenty48::new(Goal::None), ReferenceNetwork::default());
        for played in games {
            let mut environment = crate::rng::environment(Seeds::<Training>::new(7).game(played.number).value());
            assert_eq!(plain.play(&game, &mut environment, lambda as f32, reach), played.score);
        }
        for ((table, line), weight) in plain.0 {
            assert_eq!(trainer.network().tables()[table].as_slice()[usize::from(line)], weight);
        }
    }
}

#[test]
fn games_with_fixed_weights_do_not_depend_on_threads() {
    let (trainer, _) = trained(&settings("rows"), 1, &[]);
    let played = |threads| {
        let plan = Play { seeds: Seeds::<Validation>::new(7), games: 30, threads };
        play(trainer.network(), plan, &NEVER)
    };
    let one = played(1);
    assert_eq!(one.iter().map(|game| game.number).collect::<Vec<_>>(), (0..30).collect::<Vec<_>>());
    assert_eq!(one, played(3));
}

#[test]
fn budgets_in_moves_are_kept() {
    let settings = Settings { budget: Budget::Moves(5000), ..settings("rows") };
    let (trainer, _) = trained(&settings, 1, &[]);
    assert!((5000..5012).contains(&trainer.progress().moves));
}
