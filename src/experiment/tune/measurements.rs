//! Games that steer nothing, kept game by game: validation, slices, ablation, test.
//!
//! Everything that is reported follows from what is written here and in the searches' journals, so that a run that was
//! killed ends with the same bytes as one that was not.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::outcome::Outcome;
use super::runner::{GameBatch, GameRunner};
use crate::agents::AgentSpec;
use crate::experiment::error::Error;
use crate::optimize::Log;
use crate::rng::{Seeds, Stage, derive};

/// Games that one line holds: what a kill can cost is a few of these.
const BLOCK: u64 = 50;
/// Blocks that are played before they are written together.
const ROUND: usize = 8;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    stage: String,
    /// Of the player, letter by letter.
    player: u64,
    first_game: u64,
    outcomes: Vec<Outcome>,
}

type Place = (String, u64, u64);

/// The outcomes known so far, and the file that keeps them.
pub(super) struct MeasurementLog {
    known: BTreeMap<Place, Vec<Outcome>>,
    log: Log<Entry>,
}

impl MeasurementLog {
    pub fn open(path: &Path, fingerprint: &str) -> Result<Self, Error> {
        let (log, entries) = Log::open(path, fingerprint)?;
        let place = |entry: Entry| ((entry.stage, entry.player, entry.first_game), entry.outcomes);
        Ok(MeasurementLog { known: entries.into_iter().map(place).collect(), log })
    }

    /// The outcomes of the first `games` games of this stage for each player, in order.
    pub fn measure<S: Stage>(
        &mut self,
        runner: &GameRunner,
        seeds: Seeds<S>,
        players: &[AgentSpec],
        games: u64,
    ) -> Result<Vec<Vec<Outcome>>, Error> {
        let place = |player: &AgentSpec, block: &Range<u64>| (S::NAME.to_string(), key(player), block.start);
        let mut missing: Vec<(Place, GameBatch)> = Vec::new();
        for player in players {
            for block in blocks(games) {
                let place = place(player, &block);
                let size = block.end - block.start;
                if self.known.get(&place).is_some_and(|known| known.len() as u64 >= size) {
                    runner.replayed(size);
                } else if missing.iter().all(|(earlier, _)| *earlier != place) {
                    missing.push((place, GameBatch { agent: player.clone(), games: block }));
                }
            }
        }
        self.play(runner, seeds, missing)?;
        let recall =
            |player: &AgentSpec| blocks(games).flat_map(|block| self.recall(&place(player, &block), &block)).collect();
        Ok(players.iter().map(recall).collect())
    }

    fn recall(&self, place: &Place, block: &Range<u64>) -> Vec<Outcome> {
        let size = (block.end - block.start) as usize;
        self.known.get(place).map_or_else(Vec::new, |known| known[..size.min(known.len())].to_vec())
    }

    fn play<S: Stage>(
        &mut self,
        runner: &GameRunner,
        seeds: Seeds<S>,
        missing: Vec<(Place, GameBatch)>,
    ) -> Result<(), Error> {
        let (places, batches): (Vec<Place>, Vec<GameBatch>) = missing.into_iter().unzip();
        for (places, batches) in places.chunks(ROUND).zip(batches.chunks(ROUND)) {
            let played = runner.play(seeds, batches)?;
            let entry = |(place, outcomes): (&Place, Vec<Outcome>)| {
                let (stage, player, first_game) = place.clone();
                Entry { stage, player, first_game, outcomes }
            };
            let entries: Vec<Entry> = places.iter().zip(played).map(entry).collect();
            self.log.append(&entries)?;
            self.known.extend(places.iter().cloned().zip(entries.into_iter().map(|entry| entry.outcomes)));
        }
        Ok(())
    }
}

fn blocks(games: u64) -> impl Iterator<Item = Range<u64>> {
    (0..games.div_ceil(BLOCK)).map(move |block| block * BLOCK..((block + 1) * BLOCK).min(games))
}

fn key(player: &AgentSpec) -> u64 {
    player.to_string().bytes().fold(0, |key, byte| derive(key, byte.into()))
}
