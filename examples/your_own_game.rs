//! Your own game in one file: Nim. Two players take one to three matches from a pile. The player who takes the last one
//! wins.
//!
//!     cargo run --release --example your_own_game
//!
//! Everything that an agent needs is in [`Game`]. The evaluator is only asked where a search does not reach the end.

use std::fmt;

use lab2048::agents::{Agent, AgentConfig, AlphaBeta, Depth};
use lab2048::games::{Game, Outcome, Reply, Step};
use lab2048::heuristics::Evaluator;
use lab2048::play::{Match, Opponent};
use lab2048::rng::Rng;
use rand::Rng as _;

/// The rules; the pile begins with 15 to 21 matches.
#[derive(Clone, Debug)]
struct Nim;

/// The matches that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pile(u32);

/// How many matches to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Take(u32);

impl fmt::Display for Pile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "take-{}", self.0)
    }
}

/// The piles after each possible move.
fn takes(pile: Pile) -> impl Iterator<Item = (Take, Pile)> {
    (1..=pile.0.min(3)).map(move |count| (Take(count), Pile(pile.0 - count)))
}

impl Game for Nim {
    const NAME: &'static str = "nim";
    const SUMMARY: &'static str = "take one to three matches; who takes the last one wins";
    const NOTATION: &'static str = "the number of matches, such as 21";
    /// The opponent has taken the last match.
    const STUCK: Outcome = Outcome::Loss;
    const ADVERSARIAL: bool = true;
    const FLOOR: f64 = -1.0;

    type Position = Pile;
    type Move = Take;

    fn start(&self, rng: &mut Rng) -> Pile {
        Pile(rng.random_range(15..=21))
    }

    fn steps(&self, pile: Pile) -> impl Iterator<Item = Step<Pile, Take>> {
        takes(pile).map(|(action, after)| Step { action, after, reward: 0 })
    }

    fn replies(&self, after: Pile) -> impl Iterator<Item = Reply<Pile>> {
        let count = takes(after).count() as f64;
        takes(after).map(move |(_, position)| Reply { probability: 1.0 / count, weight: 1.0, position })
    }

    fn sample(&self, after: Pile, rng: &mut Rng) -> Pile {
        Pile(after.0 - rng.random_range(1..=after.0.min(3)))
    }

    fn after_step(&self, after: Pile) -> Option<Outcome> {
        (after.0 == 0).then_some(Outcome::Win)
    }

    fn after_reply(&self, pile: Pile) -> Option<Outcome> {
        (pile.0 == 0).then_some(Outcome::Loss)
    }

    fn utility(&self, outcome: Outcome) -> f64 {
        match outcome {
            Outcome::Win => 1.0,
            Outcome::Draw => 0.0,
            Outcome::Loss => -1.0,
        }
    }

    fn final_score(&self, _: u32, outcome: Outcome) -> i64 {
        self.utility(outcome) as i64
    }

    fn empty_cells(&self, _: Pile) -> u32 {
        0
    }

    fn key(&self, pile: Pile) -> u64 {
        pile.0.into()
    }

    /// The opponent sees the same pile.
    fn seen_by_opponent(&self, after: Pile) -> Option<Pile> {
        Some(after)
    }

    fn parse(&self, text: &str) -> Result<Pile, String> {
        text.parse().map(Pile).map_err(|error| format!("`{text}` is not a number of matches: {error}"))
    }
}

/// Knows nothing, so that all the skill comes from the search.
#[derive(Clone)]
struct NoKnowledge;

impl Evaluator<Nim> for NoKnowledge {
    fn value(&self, _: Pile, _: u32) -> f64 {
        0.0
    }
}

fn main() {
    println!("plies   games won of 100 against random replies");
    for plies in [1, 3, 5, 7, 9] {
        let config = AlphaBeta { depth: Some(Depth::new(plies)), ..AlphaBeta::default() };
        let mut agent: Box<dyn Agent<Nim>> = config.build(&Nim, NoKnowledge);
        let mut players = Match { game: &Nim, agent: agent.as_mut(), opponent: &mut Opponent::Chance };
        let won = (0..100).filter(|seed| players.play(*seed, |_| {}).result.won).count();
        println!("{plies:>5}   {won}");
    }
}
