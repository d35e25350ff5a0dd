use std::collections::BTreeMap;

use super::block::{Block, Engine};
use super::coding::encode;
use super::driver::{Rules, drive};
use super::kernel::{CORNER, MERGE, RANDOM, byte_of_rank, corner_byte};
use super::noise::Noise;
use super::*;
use crate::games::Outcome;
use crate::games::twenty48::tests::random_board;

fn playouts(goal: Goal, afters: &[Board], runs: u32, cap: Option<u32>, seed: u64) -> Vec<Finished<Board>> {
    let mut finished = Vec::new();
    let batch = Playouts { afters, runs, cap, policy: Policy::Random, seed };
    Twenty48::new(goal).playouts(batch, |_| Effort::UNLIMITED, |game| finished.push(game));
    finished
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

/// Whether two samples can have the same mean: a difference of 4 standard errors has a probability of 1 in 16,000.
fn agree(a: &[f64], b: &[f64]) -> bool {
    let ((mean_a, var_a), (mean_b, var_b)) = (mean_and_variance(a), mean_and_variance(b));
    let error = (var_a / a.len() as f64 + var_b / b.len() as f64).sqrt();
    (mean_a - mean_b).abs() < 4.0 * error
}

fn scores(games: &[Finished<Board>]) -> Vec<f64> {
    games.iter().map(|game| f64::from(game.gained)).collect()
}

fn lengths(games: &[Finished<Board>]) -> Vec<f64> {
    games.iter().map(|game| f64::from(game.moves)).collect()
}

#[test]
fn both_engines_play_the_same_steps() {
    let mut rng = seeded(1);
    for round in 0..500 {
        let mut block = Block::new(byte_of_rank(9));
        for lane in 0..LANES {
            block.put(lane, &encode(random_board(&mut rng)), corner_byte(lane % 2 == 0, lane % 3 == 0));
            block.limit.0[lane] = (round + lane) as u8 % 12;
        }
        let (mut a, mut b) = (block.clone(), block);
        let (mut noise_a, mut noise_b) = (Noise::new(round as u64), Noise::new(round as u64));
        for _ in 0..3 {
            a.advance::<false, RANDOM>(Engine::Portable, &mut noise_a, 8);
            b.advance::<false, RANDOM>(Engine::detect(), &mut noise_b, 8);
            assert_eq!(a, b);
            a.advance::<true, MERGE>(Engine::Portable, &mut noise_a, 5);
            b.advance::<true, MERGE>(Engine::detect(), &mut noise_b, 5);
            assert_eq!(a, b);
            a.advance::<true, CORNER>(Engine::Portable, &mut noise_a, 3);
            b.advance::<true, CORNER>(Engine::detect(), &mut noise_b, 3);
            assert_eq!(a, b);
        }
    }
}

#[test]
fn both_engines_play_the_same_games() {
    let play = |engine| {
        let mut games = Vec::new();
        random_games_on(engine, 500, 5, |game| games.push(game));
        games
    };
    assert_eq!(play(Engine::Portable), play(Engine::detect()));
}

#[test]
fn the_games_of_a_seed_do_not_change() {
    // If these change, the results of every agent with random playouts change.
    assert_eq!(random_games(1000, 1), Totals { games: 1000, moves: 120_691, score: 1_128_440 });
}

#[test]
fn scores_and_lengths_are_those_of_games_played_one_at_a_time() {
    let game = Twenty48::new(Goal::None);
    let mut rng = seeded(7);
    for after in ["0,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0", "2,4,8,2/8,64,32,4/0,0,256,16/0,0,4,0"].map(board) {
        let batch = playouts(Goal::None, &[after], 20_000, None, 3);
        let single: Vec<_> = (0..20_000).map(|_| single::play(&game, after, &mut rng)).collect();
        assert!(agree(&scores(&batch), &scores(&single)));
        assert!(agree(&lengths(&batch), &lengths(&single)));
    }
}

#[test]
fn short_games_are_not_favoured() {
    let after = board("0,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0");
    // There are few games for many lanes. Stopping early would leave out the long games.
    let few: Vec<_> = (0..400).flat_map(|seed| playouts(Goal::None, &[after], 40, None, seed)).collect();
    let many = playouts(Goal::None, &[after], 16_000, None, 1000);
    assert_eq!(few.len(), many.len());
    assert!(agree(&lengths(&few), &lengths(&many)));
}

#[test]
fn every_playout_is_played_to_its_end() {
    let mut rng = seeded(4);
    let afters: Vec<Board> = (0..57).map(|_| random_board(&mut rng)).collect();
    for (goal, cap) in [(Goal::None, None), (Goal::Rank(8), None), (Goal::None, Some(5)), (Goal::Rank(5), Some(0))] {
        for runs in [0, 1, 7] {
            let mut counts = [0; 57];
            for game in playouts(goal, &afters, runs, cap, 9) {
                counts[game.from] += 1;
            }
            assert_eq!(counts, [runs; 57]);
        }
    }
}

#[test]
fn every_outcome_agrees_with_the_last_board() {
    let mut rng = seeded(11);
    let afters: Vec<Board> = (0..200).map(|_| random_board(&mut rng)).collect();
    for (goal, cap) in [(Goal::Rank(9), None), (Goal::Rank(9), Some(3)), (Goal::None, Some(300)), (Goal::None, None)] {
        let game = Twenty48::new(goal);
        for played in playouts(goal, &afters, 5, cap, 2) {
            assert!(cap.is_none_or(|cap| played.moves <= cap));
            match played.outcome {
                Some(Outcome::Win) => assert!(goal.is_reached(played.last)),
                Some(_) => assert!(game.is_stuck(played.last) && !goal.is_reached(played.last)),
                None => assert!(cap == Some(played.moves) && !game.is_stuck(played.last)),
            }
        }
    }
}

#[test]
fn caps_are_exact_beyond_a_byte() {
    let after = board("0,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0");
    let endless = playouts(Goal::None, &[after], 4000, None, 6);
    let longest = endless.iter().map(|game| game.moves).max().unwrap();
    assert!(longest > 300, "{longest}");
    for cap in [1, 8, 100, 255, 256, 300] {
        let capped = playouts(Goal::None, &[after], 4000, Some(cap), 6);
        let reached = |games: &[Finished<Board>]| games.iter().filter(|game| game.moves >= cap).count() as f64;
        assert!(capped.iter().all(|game| game.moves <= cap));
        // Up to chance, as many games reach the cap as reach this length without it.
        let (a, b) = (reached(&capped), reached(&endless));
        assert!((a - b).abs() <= 4.0 * (a + b).sqrt(), "{cap}: {a} {b}");
        assert!(a > 0.0 && capped.iter().any(|game| game.outcome.is_none()));
    }
}

/// The probability of each final board of a playout of at most one move.
fn one_move(game: &Twenty48, after: Board) -> BTreeMap<(Board, u32), f64> {
    let mut ends = BTreeMap::new();
    let mut end = |board, moves, probability| *ends.entry((board, moves)).or_insert(0.0) += probability;
    for reply in game.replies(after) {
        let legal = game.steps(reply.position).count() as f64;
        if legal == 0.0 {
            end(reply.position, 0, reply.probability);
        }
        for step in game.steps(reply.position) {
            match game.after_step(step.after) {
                Some(_) => end(step.after, 1, reply.probability / legal),
                None => game
                    .replies(step.after)
                    .for_each(|next| end(next.position, 1, reply.probability / legal * next.probability)),
            }
        }
    }
    ends
}

#[test]
fn moves_and_spawns_follow_their_probabilities() {
    for (text, goal) in [
        ("2,4,8,16/32,64,128,256/2,4,8,16/32,64,0,2", Goal::None),
        ("2,4,8,2/4,16,32,8/8,2,4,16/0,64,2,0", Goal::None),
        ("4,8,8,2/4,32,64,4/8,2,4,32/0,64,2,4", Goal::Rank(4)),
        ("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", Goal::None),
    ] {
        let after = board(text);
        let draws = 200_000;
        let mut counts = BTreeMap::new();
        for game in playouts(goal, &[after], draws, Some(1), 8) {
            *counts.entry((game.last, game.moves)).or_insert(0u32) += 1;
        }
        let expected = one_move(&Twenty48::new(goal), after);
        assert!(counts.keys().all(|end| expected.contains_key(end)), "{text}");
        let chi_square: f64 = expected
            .iter()
            .map(|(end, probability)| {
                let expected = probability * f64::from(draws);
                (f64::from(counts.get(end).copied().unwrap_or(0)) - expected).powi(2) / expected
            })
            .sum();
        // The mean of chi-square is its degrees of freedom, and its variance is twice that.
        let freedom = (expected.len() - 1) as f64;
        assert!(chi_square < freedom + 4.0 * (2.0 * freedom).sqrt() + 4.0, "{text}: {chi_square} for {freedom}");
    }
}

/// A batch with a limit uses exactly its limit, and every afterstate gets a playout.
#[test]
fn limited_playouts_keep_their_limit() {
    let mut rng = seeded(12);
    let game = Twenty48::new(Goal::None);
    let afters: Vec<Board> = (0..50).map(|_| random_board(&mut rng)).collect();
    for policy in [Policy::Random, Policy::Merge, Policy::Corner, Policy::Greedy] {
        for (limit, count) in [(0, 4), (1, 4), (13, 4), (500, 4), (40, 50), (0, 50)] {
            let batch = Playouts { afters: &afters[..count], runs: u32::MAX, cap: None, policy, seed: 3 };
            let mut counts = vec![0; count];
            let left = |effort: Effort| Effort {
                block_steps: limit - effort.block_steps,
                single_moves: limit.saturating_sub(effort.single_moves),
                ..Effort::UNLIMITED
            };
            let effort = game.playouts(batch, left, |game| counts[game.from] += 1);
            assert!(counts.iter().all(|&count| count > 0), "{policy:?} {limit}: {counts:?}");
            assert_eq!(effort.games, counts.iter().sum::<u64>());
            let (steps, moves) = (effort.block_steps, effort.single_moves);
            assert!(steps <= limit && steps + moves >= limit && moves <= limit, "{policy:?} {limit}: {effort:?}");
        }
    }
}

#[test]
fn policies_play_better_than_random() {
    let game = Twenty48::new(Goal::None);
    let after = board("0,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0");
    let mean = |policy| {
        let batch = Playouts { afters: &[after], runs: 2000, cap: None, policy, seed: 4 };
        let mut games = Vec::new();
        game.playouts(batch, |_| Effort::UNLIMITED, |game| games.push(game));
        mean_and_variance(&scores(&games)).0
    };
    let random = mean(Policy::Random);
    for policy in [Policy::Merge, Policy::Corner, Policy::Greedy] {
        assert!(mean(policy) > 1.1 * random, "{policy:?}: {} and {random}", mean(policy));
    }
}

#[test]
fn tiles_of_32768_do_not_merge() {
    let after = board("32768,32768,32768,32768/16384,16384,2,4/8,16,32,64/0,0,2,4");
    let played = playouts(Goal::None, &[after], 200, None, 5);
    for game in &played {
        let tops = game.last.cells_of(15).count_ones();
        assert!((4..=5).contains(&tops) && game.last.at_limit());
        assert!(game.gained < 32768 + 4096);
    }
    assert!(played.iter().any(|game| game.last.cells_of(15).count_ones() == 5 && game.gained >= 32768));
    // A board full of 32768s has no legal move.
    let full = only_playout(Board(u64::MAX));
    assert_eq!((full.moves, full.gained, full.outcome), (0, 0, Some(Outcome::Loss)));
}

fn only_playout(after: Board) -> Finished<Board> {
    let opening = Opening::new(after);
    let mut source = Some((&opening, 42));
    let mut finished = Vec::new();
    let rules = Rules { game: Twenty48::new(Goal::None), cap: None, required: 1, policy: Policy::Random, seed: 1 };
    drive(Engine::detect(), rules, || source.take(), |_| Effort::UNLIMITED, |game| finished.push(game));
    assert_eq!((finished.len(), finished[0].from), (1, 42));
    finished[0]
}
