//! Keeps records of chosen games. The games are played again from their seeds, because the first time only their
//! results were stored.

use std::fs;
use std::path::Path;

use rayon::prelude::*;

use super::play::players;
use super::sample::AgentGames;
use crate::experiment::error::{Error, at};
use crate::experiment::runner::GameRunner;
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::record::{Header, Record};
use crate::rng::{Comparison as Stage, Seeds};
use crate::spec::{Comparison, GameTask};

/// The folder of records inside a results folder.
const RECORDS: &str = "records";
/// Games that one thread plays with the same agent before it builds another.
const CHUNK: usize = 10;

/// Which games of each agent to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The one with the highest score, the first of equals.
    Best,
    /// The one with the lowest score, the first of equals.
    Worst,
    /// Every game.
    All,
}

impl Keep {
    fn games(self, sample: &AgentGames) -> Vec<u64> {
        let ahead = |a: f64, b: f64| if self == Keep::Best { a > b } else { a < b };
        let scores = sample.scores.iter().copied().zip(0..);
        match self {
            Keep::All => scores.map(|(_, game)| game).collect(),
            _ => {
                let found = scores.reduce(|kept, next| if ahead(next.0, kept.0) { next } else { kept });
                found.map(|(_, game)| game).into_iter().collect()
            }
        }
    }
}

/// Refuses agents whose moves depend on the clock, because they would play a different game the second time.
pub(super) fn check(comparison: &Comparison) -> Result<(), Error> {
    match comparison.entrants.iter().find(|entrant| entrant.agent.is_timed()) {
        Some(timed) => Err(InputError::new(format!(
            "`{}` cannot be recorded: its moves depend on the clock, so it would not play the same game again; give it a \
             budget of `work`",
            timed.label
        ))
        .into()),
        None => Ok(()),
    }
}

/// Writes the records into `folder`.
pub(super) fn keep(
    comparison: &Comparison,
    samples: &[AgentGames],
    keep: Keep,
    folder: &Path,
    runner: &GameRunner,
) -> Result<(), Error> {
    let records = folder.join(RECORDS);
    fs::create_dir_all(&records).map_err(at(&records))?;
    let chunks: Vec<(usize, Vec<u64>)> = samples
        .iter()
        .enumerate()
        .flat_map(|(entrant, sample)| {
            keep.games(sample).chunks(CHUNK).map(|games| (entrant, games.to_vec())).collect::<Vec<_>>()
        })
        .collect();
    let written = chunks.par_iter().map(|(entrant, games)| {
        runner.check_stop()?;
        comparison.game.with(ReplayGames { comparison, entrant: *entrant, games, folder: &records })
    });
    written.collect()
}

/// Plays some games of one agent again.
struct ReplayGames<'a> {
    comparison: &'a Comparison,
    entrant: usize,
    games: &'a [u64],
    folder: &'a Path,
}

impl GameTask for ReplayGames<'_> {
    type Output = Result<(), Error>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let mut players = players(&game, self.comparison, self.entrant)?;
        for number in self.games {
            let seed = Seeds::<Stage>::new(self.comparison.seed).game(*number).value();
            let mut record = Record::begin(&game, self.header(seed));
            players.play_observed(&game, seed, |turn| record.observe(turn));
            let path = self.folder.join(format!("{}-{number}.game", self.file_stem()));
            fs::write(&path, record.to_text(&game)).map_err(at(&path))?;
        }
        Ok(())
    }
}

impl ReplayGames<'_> {
    fn header(&self, seed: u64) -> Header {
        let Comparison { game, opponent, entrants, .. } = self.comparison;
        Header {
            game: game.name().to_string(),
            goal: game.has_goal().then(|| game.goal().to_string()),
            seed,
            agent: entrants[self.entrant].agent.to_string(),
            opponent: opponent.as_ref().map(ToString::to_string),
        }
    }

    /// The number of the agent distinguishes agents whose labels give the same file name.
    fn file_stem(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        let label: String = self.comparison.entrants[self.entrant].label.chars().map(plain).take(60).collect();
        format!("{}-{label}", self.entrant + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equals_is_kept() {
        let sample = AgentGames { scores: vec![3.0, 9.0, 1.0, 9.0, 1.0], ..AgentGames::default() };
        assert_eq!(Keep::Best.games(&sample), [1]);
        assert_eq!(Keep::Worst.games(&sample), [2]);
        assert_eq!(Keep::All.games(&sample), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn agents_with_a_budget_of_time_are_refused() {
        let of =
            |text: &str| Comparison::of_agents(Default::default(), &[text.parse().unwrap()], None, Default::default());
        assert!(check(&of("random").unwrap()).is_ok());
        assert!(check(&of("rollout:ms=5").unwrap()).unwrap_err().to_string().contains("rollout ms=5"));
    }
}
