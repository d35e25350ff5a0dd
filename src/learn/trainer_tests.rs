use super::super::player::{Play, play};
use super::*;
use crate::rng::Validation;

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

const NEVER: AtomicBool = AtomicBool::new(false);

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

/// Settings that use everything there is.
fn all_options() -> Settings {
    Settings { lambda: 0.5, epsilon: 0.01, initial: 5000.0, final_rate: 0.2, ..settings("rows") }
}

#[test]
fn any_number_of_threads_learns_the_same() {
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
fn a_training_goes_on_from_a_checkpoint_as_if_it_had_never_stopped() {
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

/// TD(0) on one game at a time, written down as it is defined: a plain map of weights and no tricks.
#[test]
fn one_game_at_a_time_is_learning_by_the_book() {
    let settings = Settings { method: Method::Constant, rate: 0.1, batch: 1, ..settings("rows") };
    let settings = Settings { final_rate: 0.1, budget: Budget::Games(5), ..settings };
    let (trainer, games) = trained(&settings, 1, &[]);
    let game = Twenty48::new(Goal::None);
    let mut weights = std::collections::BTreeMap::<(usize, u32), f64>::new();
    let lines = |board: crate::games::twenty48::Board| {
        let images = board.symmetries();
        images.into_iter().flat_map(|image| [(0, u32::from(image.rows()[0])), (1, u32::from(image.rows()[1]))])
    };
    let mut scores = Vec::new();
    for number in 0..5 {
        use crate::games::Game;
        let mut environment = crate::rng::environment(Seeds::<Training>::new(7).game(number).value());
        let (mut board, mut last, mut score) = (game.start(&mut environment), None, 0);
        loop {
            let value = |board| lines(board).map(|key| weights.get(&key).copied().unwrap_or(0.0)).sum::<f64>();
            let total = |step: &crate::games::Step<_, _>| f64::from(step.reward) + value(step.after);
            let best = game.steps(board).reduce(|a, b| if total(&b) > total(&a) { b } else { a });
            let target = best.as_ref().map_or(0.0, total);
            if let Some(last) = last {
                let error = target - value(last);
                // The errors of a weight that a board hits twice are averaged.
                let keys: std::collections::BTreeSet<_> = lines(last).collect();
                keys.into_iter().for_each(|key| *weights.entry(key).or_default() += 0.1 / 16.0 * error);
            }
            let Some(best) = best else { break };
            (last, score, board) = (Some(best.after), score + best.reward, game.sample(best.after, &mut environment));
        }
        scores.push(score);
    }
    assert_eq!(scores, games.iter().map(|game| game.score).collect::<Vec<_>>());
    for ((table, place), weight) in weights {
        let ours = f64::from(trainer.network().tables()[table].as_slice()[place as usize]);
        assert!((ours - weight).abs() < 1e-3 * weight.abs().max(1.0), "{ours} {weight}");
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
