//! How the Monte Carlo agents value a position: play on at random, then look at how it went.

use crate::games::{Finished, Game, Playouts};
use crate::heuristics::Evaluator;
use crate::params::{Param, ParamType, Values};

use super::Sample;

pub(super) const PARAMS: &[Param] = &[
    Param {
        name: "statistic",
        kind: ParamType::Choice(&["score", "win", "survival"]),
        default: "score",
        help: "what a playout is worth: its final score, 1 for a win, or the moves it lasted",
    },
    Param {
        name: "cap",
        kind: ParamType::Integer { min: 0, max: 1_000_000 },
        default: "",
        help: "stop each playout after this many moves",
    },
    super::options::OPTIONAL_HEURISTIC,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Statistic {
    Score,
    Win,
    Survival,
}

/// Values after-positions by playouts.
pub(super) struct Finish<E> {
    statistic: Statistic,
    cap: Option<u32>,
    evaluator: Option<E>,
}

impl<E> Finish<E> {
    pub fn new(evaluator: E, options: &Values) -> Self {
        let statistic = match options.text("statistic") {
            Some("win") => Statistic::Win,
            Some("survival") => Statistic::Survival,
            _ => Statistic::Score,
        };
        Finish {
            statistic,
            cap: options.integer("cap").map(|cap| cap as u32),
            evaluator: options.get("heuristic").map(|_| evaluator),
        }
    }

    /// Plays `runs` games from each after-position, adds what they are worth to `tallies`, and returns the moves played.
    /// `scores` are what had been collected at each.
    pub fn play<G: Game>(
        &self,
        game: &G,
        afters: &[G::Position],
        scores: &[u32],
        runs: u32,
        seed: u64,
        tallies: &mut [Tally],
    ) -> u64
    where
        E: Evaluator<G>,
    {
        let mut moves = 0;
        game.playouts(Playouts { afters, runs, cap: self.cap, seed }, |finished| {
            moves += u64::from(finished.moves);
            tallies[finished.from].add(self.worth(game, &finished, scores[finished.from]));
        });
        moves
    }

    pub fn worth<G: Game>(&self, game: &G, finished: &Finished<G::Position>, score: u32) -> f64
    where
        E: Evaluator<G>,
    {
        let total = score + finished.gained;
        match (&self.evaluator, finished.outcome) {
            (Some(evaluator), Some(outcome)) => evaluator.ended(game, outcome, total),
            (Some(evaluator), None) => evaluator.after_reply(game, finished.last, total),
            (None, outcome) => match self.statistic {
                Statistic::Score => match outcome {
                    Some(outcome) => game.final_score(total, outcome) as f64,
                    None => f64::from(total),
                },
                Statistic::Win => f64::from(u8::from(outcome.is_some_and(|o| game.is_won(finished.last, o)))),
                Statistic::Survival => f64::from(finished.moves),
            },
        }
    }
}

/// Values of playouts, added up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    runs: u64,
    sum: f64,
    squares: f64,
}

impl Tally {
    pub fn add(&mut self, value: f64) {
        self.runs += 1;
        self.sum += value;
        self.squares += value * value;
    }

    pub fn mean(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.sum / self.runs as f64 }
    }

    pub fn runs(&self) -> u64 {
        self.runs
    }

    pub fn sample(&self) -> Sample {
        let (runs, mean) = (self.runs as f64, self.mean());
        let variance = (self.squares - runs * mean * mean) / (runs - 1.0).max(1.0);
        Sample { runs: self.runs, mean, sd: variance.max(0.0).sqrt() }
    }
}
