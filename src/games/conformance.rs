//! A test suite for games: it checks the requirements of [`Game`] in random games.
//!
//! The searches rely on these requirements: probabilities sum to 1, the order of moves never changes, and no position
//! has more moves or replies than the arrays of a search can hold. Call [`conformance`] in the tests of a game. It
//! panics at the first requirement that the game breaks, with a message that names it.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{Game, MOST_MOVES, MOST_REPLIES, Outcome, Reply, Step};
use crate::rng::{Rng, environment, seeded};
use rand::Rng as _;

/// The number of afterstates at which samples are compared with the probabilities.
const SAMPLED: usize = 5;
/// The number of samples at each of them.
const DRAWS: usize = 4_000;

/// Plays `games` random games and checks each position against the requirements of [`Game`].
///
/// # Panics
///
/// If the game breaks a requirement.
pub fn conformance<G: Game>(game: &G, seed: u64, games: u64) {
    let mut sampled = 0;
    for index in 0..games {
        let mut rng = environment(seed << 32 | index);
        let mut position = game.start(&mut rng);
        while let Some(after) = advance(game, position, &mut rng) {
            check_replies(game, after);
            if sampled < SAMPLED && rng.random_bool(0.3) {
                check_sampling(game, after, seed + sampled as u64);
                sampled += 1;
            }
            position = game.sample(after, &mut rng);
        }
    }
    assert_eq!(sampled, SAMPLED, "too few games to check sampling");
    check_starts(game, seed);
    check_utilities(game);
}

/// Checks a position and makes a random step. `None` if the game ends there.
fn advance<G: Game>(game: &G, position: G::Position, rng: &mut Rng) -> Option<G::Position> {
    check_notation(game, position);
    let steps = check_steps(game, position);
    if game.verdict(position).is_some() {
        return None;
    }
    let after = steps[rng.random_range(0..steps.len())].after;
    game.after_step(after).is_none().then_some(after)
}

fn check_notation<G: Game>(game: &G, position: G::Position) {
    let text = position.to_string();
    assert_eq!(game.parse(&text), Ok(position), "{text}");
}

fn check_steps<G: Game>(game: &G, position: G::Position) -> Vec<Step<G::Position, G::Move>> {
    let steps: Vec<_> = game.steps(position).collect();
    assert_eq!(steps, game.steps(position).collect::<Vec<_>>(), "the order of steps changes at {position}");
    assert!(steps.len() <= MOST_MOVES, "{} moves at {position}, more than a search has room for", steps.len());
    assert_eq!(game.is_stuck(position), steps.is_empty(), "{position}");
    if game.after_reply(position).is_none() {
        assert_eq!(game.verdict(position), steps.is_empty().then_some(G::STUCK), "{position}");
    }
    for (index, step) in steps.iter().enumerate() {
        assert_ne!(step.after, position, "{} does not change {position}", step.action);
        for other in &steps[..index] {
            assert_ne!(step.action, other.action, "the same move occurs twice at {position}");
            assert_ne!(step.action.to_string(), other.action.to_string(), "two moves have the same name at {position}");
        }
    }
    steps
}

fn check_replies<G: Game>(game: &G, after: G::Position) {
    let replies: Vec<Reply<G::Position>> = game.replies(after).collect();
    assert_eq!(replies, game.replies(after).collect::<Vec<_>>(), "the order of replies changes at {after}");
    assert_eq!(replies.len(), game.reply_count(after), "{after}");
    assert!(replies.len() <= MOST_REPLIES, "{} replies to {after}, more than a search has room for", replies.len());
    let total: f64 = replies.iter().map(|reply| reply.probability).sum();
    assert!((total - 1.0).abs() < 1e-12, "replies to {after} sum to {total}");
    let mut labels = std::collections::HashSet::new();
    for reply in &replies {
        assert!(reply.probability > 0.0 && reply.position != after, "{reply:?}");
        assert!(labels.insert(game.reply_label(after, reply.position)), "two replies to {after} have the same label");
    }
}

fn check_sampling<G: Game>(game: &G, after: G::Position, seed: u64) {
    let replies: Vec<Reply<G::Position>> = game.replies(after).collect();
    let mut counts = vec![0u32; replies.len()];
    let mut rng = seeded(seed);
    for _ in 0..DRAWS {
        let drawn = game.sample(after, &mut rng);
        let found = replies.iter().position(|reply| reply.position == drawn);
        counts[found.unwrap_or_else(|| panic!("the sample {drawn} is not a reply to {after}"))] += 1;
    }
    if replies.len() < 2 {
        return;
    }
    let statistic: f64 = replies
        .iter()
        .zip(&counts)
        .map(|(reply, &count)| {
            let expected = reply.probability * DRAWS as f64;
            (f64::from(count) - expected).powi(2) / expected
        })
        .sum();
    let p = ChiSquared::new((replies.len() - 1) as f64).map_or(0.0, |chi_squared| chi_squared.sf(statistic));
    assert!(p > 1e-3, "samples of {after} do not match their probabilities: chi-square {statistic}, p {p}");
}

fn check_starts<G: Game>(game: &G, seed: u64) {
    let start = game.start(&mut seeded(seed));
    assert_eq!(start, game.start(&mut seeded(seed)), "the same seed gives two different starts");
    assert_eq!(game.verdict(start), None);
}

fn check_utilities<G: Game>(game: &G) {
    let [win, draw, loss] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| game.utility(outcome));
    assert!(win > draw && draw >= loss && loss >= G::FLOOR);
    assert!(win.is_finite() && loss.is_finite(), "utilities must be finite, because expectimax takes their mean");
}
