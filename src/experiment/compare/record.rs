//! Keeping games worth looking at: played again from their seeds, with somebody writing down the moves.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::play::Player;
use super::sample::AgentGames;
use super::{interrupted, write};
use crate::experiment::error::{Error, at};
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::record::{Header, Record};
use crate::rng::{Comparison as Stage, Seeds};
use crate::spec::{Comparison, GameTask};

/// The folder of records inside one of results.
const RECORDS: &str = "records";
/// Games that one thread plays with the same agent before it asks for more.
const CHUNK: usize = 10;

/// Which games of each agent to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The one with the highest score, the first of equals.
    Best,
    /// The one with the lowest score, the first of equals.
    Worst,
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

/// A game of an agent whose moves depend on the clock would be another one the second time.
pub(super) fn check(comparison: &Comparison) -> Result<(), Error> {
    match comparison.entrants.iter().find(|entrant| entrant.agent.is_timed()) {
        Some(timed) => Err(InputError::new(format!(
            "`{}` plays by the clock and would not play the same game again: it cannot be recorded; give it a budget in \
             nodes",
            timed.label
        ))
        .into()),
        None => Ok(()),
    }
}

/// Writes the records, and says which files these are.
pub(super) fn keep(
    comparison: &Comparison,
    samples: &[AgentGames],
    keep: Keep,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<Vec<PathBuf>, Error> {
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
        if stop.load(Ordering::Relaxed) {
            return Err(interrupted(comparison, samples));
        }
        comparison.game.with(ReplayGames { comparison, entrant: *entrant, games, folder })
    });
    Ok(written.collect::<Result<Vec<_>, Error>>()?.concat())
}

/// Plays some games of one agent again.
struct ReplayGames<'a> {
    comparison: &'a Comparison,
    entrant: usize,
    games: &'a [u64],
    folder: &'a Path,
}

impl GameTask for ReplayGames<'_> {
    type Output = Result<Vec<PathBuf>, Error>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let mut player = Player::new(&game, self.comparison, self.entrant)?;
        let mut one = |number: &u64| {
            let seed = Seeds::<Stage>::new(self.comparison.seed).game(*number).value();
            let mut record = Record::begin(&game, self.header(seed));
            player.play(&game, *number, seed, |turn| record.observe(turn));
            let name = format!("{RECORDS}/{}-{number}.game", self.file_stem());
            write(self.folder, &name, record.to_text(&game).as_bytes())?;
            Ok(self.folder.join(name))
        };
        self.games.iter().map(&mut one).collect()
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

    /// The number of the agent keeps apart those whose labels look alike as file names.
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
    fn clocks_are_refused() {
        let of =
            |text: &str| Comparison::of_agents(Default::default(), &[text.parse().unwrap()], None, Default::default());
        assert!(check(&of("random").unwrap()).is_ok());
        assert!(check(&of("rollout:ms=5").unwrap()).unwrap_err().to_string().contains("rollout ms=5"));
    }
}
