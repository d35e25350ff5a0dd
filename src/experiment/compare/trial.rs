//! Estimates how long a comparison will take from a few games of each agent.

use std::time::Duration;

use super::block_size::seconds_per_game;
use super::play::players;
use super::schedule::Schedule;
use crate::experiment::error::Error;
use crate::experiment::progress::Progress;
use crate::experiment::trial;
use crate::heuristics::Playable;
use crate::rng::{Comparison as Stage, Seeds};
use crate::spec::{Comparison, GameTask};
use crate::stats::quantiles::median;

/// The longest time to play with one agent, and the most games.
const TRIAL: (Duration, u64) = (Duration::from_millis(200), 20);
/// Agents whose games are expected to take longer than this many seconds are not tried.
const LONGEST_GAME: f64 = 1.0;

/// The estimated size of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Workload {
    /// The estimated time of all games on one core of this machine.
    pub seconds: f64,
    /// The number of blocks.
    pub blocks: u64,
}

/// Plays a few games of each agent. For agents that are too slow, the time is expected from their configuration and
/// scaled by the median ratio of measured to expected time of the other agents.
pub fn workload(comparison: &Comparison, progress: &dyn Progress) -> Result<Workload, Error> {
    progress.expect(comparison.entrants.len() as u64);
    let expected: Vec<f64> =
        comparison.entrants.iter().map(|entrant| seconds_per_game(&comparison.game, &entrant.agent)).collect();
    let mut measured = Vec::new();
    for (entrant, expected) in expected.iter().enumerate() {
        let trial = Trial { comparison, entrant, progress };
        let is_quick = *expected <= LONGEST_GAME;
        measured.push(if is_quick { Some(comparison.game.with(trial)?) } else { None });
    }
    let ratios: Vec<f64> = measured.iter().zip(&expected).filter_map(|(time, guess)| Some((*time)? / guess)).collect();
    let ratio = median(&ratios).unwrap_or(1.0);
    let seconds: f64 = measured.iter().zip(&expected).map(|(time, guess)| time.unwrap_or(guess * ratio)).sum();
    let blocks = Schedule::new(comparison).blocks().count() as u64;
    Ok(Workload { seconds: seconds * comparison.games as f64, blocks })
}

struct Trial<'a> {
    comparison: &'a Comparison,
    entrant: usize,
    progress: &'a dyn Progress,
}

impl GameTask for Trial<'_> {
    type Output = Result<f64, Error>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let mut players = players(&game, self.comparison, self.entrant)?;
        let seeds = Seeds::<Stage>::new(self.comparison.seed);
        let play = |number: u64| players.play(&game, seeds.game(number).value());
        let (seconds, first) = trial::seconds_per_game(TRIAL.0, TRIAL.1, play);
        self.progress.played(self.entrant, &first);
        Ok(seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentSpec;
    use crate::spec::{GameSpec, Overrides};

    #[test]
    fn slow_agents_are_estimated_and_not_played() {
        let of = |agents: &[&str]| {
            let agents: Vec<AgentSpec> = agents.iter().map(|text| text.parse().unwrap()).collect();
            let overrides = Overrides { games: Some(10), ..Overrides::default() };
            workload(&Comparison::of_agents(GameSpec::default(), &agents, None, overrides).unwrap(), &()).unwrap()
        };
        let quick = of(&["random", "expectimax:depth=1"]);
        assert!(quick.seconds > 0.0 && quick.blocks == 2);
        let slow = of(&["random", "expectimax:depth=1", "expectimax:depth=12"]);
        assert!(slow.seconds > 100.0 * quick.seconds && slow.blocks == 12, "{slow:?}");
    }
}
