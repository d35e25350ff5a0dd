//! The scores of random games after each legal move. A rollout agent compares the means of these distributions.

use serde_json::{Value, json};

use super::advice::{Ask, Asked};
use crate::games::{Effort, Finished, Game, Playouts, Policy, Step};
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::rng::derive;
use crate::stats::Moments;
use crate::stats::quantiles::quantile;

/// Playouts for each move: enough for a smooth histogram, done in a few milliseconds.
const RUNS: u32 = 2000;
const BINS: usize = 24;

/// Histograms over bins that all moves share.
pub struct Distributions;

impl Ask for Distributions {
    type Output = Value;

    fn run<G: Playable>(self, game: &G, asked: Asked<G>) -> Result<Value, InputError> {
        let steps: Vec<Step<G::Position, G::Move>> = game.steps(asked.position).collect();
        let afters: Vec<G::Position> = steps.iter().map(|step| step.after).collect();
        let mut scores: Vec<Vec<f64>> = vec![Vec::new(); steps.len()];
        let seed = derive(asked.seed, 1);
        let batch = Playouts { afters: &afters, runs: RUNS, cap: None, policy: Policy::Random, seed };
        let keep = |finished: Finished<G::Position>| {
            if let (Some(scores), Some(step)) = (scores.get_mut(finished.from), steps.get(finished.from)) {
                scores.push(final_score(game, &finished, asked.score + step.reward));
            }
        };
        game.playouts(batch, |_| Effort::UNLIMITED, keep);
        let all = scores.iter().flatten().copied();
        let (low, high) = (all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max));
        let moves: Vec<Value> =
            steps.iter().zip(&mut scores).map(|(step, scores)| to_json(step.action, scores, low, high)).collect();
        Ok(json!({ "runs": RUNS, "low": low, "high": high, "moves": moves }))
    }
}

fn final_score<G: Game>(game: &G, finished: &Finished<G::Position>, collected: u32) -> f64 {
    let outcome = finished.outcome.unwrap_or(G::STUCK);
    game.final_score(collected + finished.gained, outcome) as f64
}

fn to_json(action: impl ToString, scores: &mut [f64], low: f64, high: f64) -> Value {
    let mut bins = vec![0u32; BINS];
    let width = ((high - low) / BINS as f64).max(f64::MIN_POSITIVE);
    for score in scores.iter() {
        let bin = (((score - low) / width) as usize).min(BINS - 1);
        bins.iter_mut().skip(bin).take(1).for_each(|count| *count += 1);
    }
    scores.sort_by(f64::total_cmp);
    let interval = Moments::of(scores).mean_interval();
    let quartiles = [0.25, 0.5, 0.75].map(|share| quantile(scores, share));
    json!({
        "move": action.to_string(),
        "bins": bins,
        "mean": interval.map(|mean| mean.estimate),
        "mean_low": interval.map(|mean| mean.low),
        "mean_high": interval.map(|mean| mean.high),
        "quartiles": quartiles,
    })
}
