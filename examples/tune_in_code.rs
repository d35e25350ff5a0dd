//! Tunes two coefficients of your own heuristic, without an experiment file.
//!
//!     cargo run --release --example tune_in_code

use lab2048::agents::{AgentConfig, Greedy};
use lab2048::games::twenty48::{Goal, Twenty48};
use lab2048::heuristics::Heuristic;
use lab2048::optimize::{Candidate, Dimension, Evaluation, NoisyObjective, Scale, Search, Space, find};
use lab2048::params::{InputError, Table, Values};
use lab2048::play::{Match, Opponent};
use lab2048::rng::{Seeds, Test, Training};
use rayon::prelude::*;

/// The mean score of greedy play with the heuristic that a point describes.
struct MeanScore {
    game: Twenty48,
}

fn heuristic(point: &[f64]) -> Result<Heuristic, InputError> {
    Heuristic::builder("mine")
        .term(1.0, "mask")
        .param("mask", "snake")
        .term(point[0], "empty")
        .term(point[1], "smoothness")
        .build()
}

impl MeanScore {
    fn score(&self, point: &[f64], seed: u64) -> Result<f64, InputError> {
        let mut agent = Greedy.build_2048(&self.game, &heuristic(point)?);
        let mut players = Match { game: &self.game, agent: agent.as_mut(), opponent: &mut Opponent::Chance };
        Ok(players.play(seed, |_| {}).result.score as f64)
    }
}

impl NoisyObjective for MeanScore {
    /// The whole generation is played in parallel. Each candidate has its own training games.
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let seeds = Seeds::<Training>::new(1);
        let evaluate = |candidate: &Candidate| {
            let games = candidate.game_indices();
            let scores: Result<Vec<f64>, InputError> =
                games.map(|game| self.score(&candidate.point, seeds.game(game).value())).collect();
            Evaluation::of(&scores?).ok_or_else(|| anyhow::anyhow!("a candidate without games"))
        };
        batch.par_iter().map(evaluate).collect()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dimension = |name: &str, low: f64, high: f64| Dimension {
        name: name.into(),
        start: (low + high) / 2.0,
        low,
        high,
        scale: Scale::Linear,
    };
    let kind = find("cma-es")?;
    let search = Search {
        space: Space::new(vec![dimension("empty", 0.0, 50_000.0), dimension("smoothness", -500.0, 0.0)])?,
        kind,
        options: Values::check(kind.name, kind.params, &Table::new())?,
        seed: 1,
        budget: 5_000,
        restarts: 0,
    };
    let objective = MeanScore { game: Twenty48::new(Goal::None) };
    let found = search.run(&objective, Vec::new())?;

    // The recommendation is judged on games that the search never saw.
    let seeds = Seeds::<Test>::new(1);
    for (name, point) in [("start", vec![25_000.0, -250.0]), ("tuned", found.recommendation)] {
        let scores: Result<Vec<f64>, InputError> =
            (0..500).map(|game| objective.score(&point, seeds.game(game).value())).collect();
        let mean = lab2048::stats::Moments::of(&scores?).mean_interval().ok_or("too few games")?;
        println!("{name} {point:.1?}: {:.0} (95 % interval {:.0} to {:.0})", mean.estimate, mean.low, mean.high);
    }
    Ok(())
}
