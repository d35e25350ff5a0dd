//! From blocks to `games.csv` and `timing.csv`, and back when a finished run is to grow.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::schedule::Schedule;
use super::{GAMES, TIMING};
use crate::experiment::blocks::{Block, Blocks, GameResult};
use crate::experiment::error::{Error, at};
use crate::report::atomic;
use crate::report::records::{GameRow, TimingRow};
use crate::spec::Comparison;

/// Writes both files, a block at a time.
pub(super) fn assemble(comparison: &Comparison, blocks: &Blocks, folder: &Path) -> Result<(), Error> {
    assemble_into(&folder.join(GAMES), comparison, blocks, |agent, row| GameRow {
        agent: agent.to_string(),
        game: row.game,
        seed: row.seed,
        score: row.score,
        max_tile: row.max_tile,
        moves: row.moves,
        won: row.won,
        nodes: row.nodes,
    })?;
    assemble_into(&folder.join(TIMING), comparison, blocks, |agent, row| {
        TimingRow::new(agent, row.game, row.moves, row.seconds)
    })
}

fn assemble_into<T: Serialize>(
    path: &Path,
    comparison: &Comparison,
    blocks: &Blocks,
    to_record: impl Fn(&str, &GameResult) -> T,
) -> Result<(), Error> {
    let schedule = Schedule::new(comparison);
    let fill = |file: &mut dyn io::Write| {
        let mut writer = csv::Writer::from_writer(file);
        for block in schedule.blocks() {
            let rows =
                blocks.read(block, schedule.range(block)).map_err(|error| io::Error::other(error.to_string()))?;
            let rows = rows.ok_or_else(|| io::Error::other("a block of games has disappeared"))?;
            let agent = &comparison.entrants[block.entrant].label;
            rows.iter().try_for_each(|row| writer.serialize(to_record(agent, row)))?;
        }
        writer.flush()
    };
    atomic::stream(path, fill).map_err(at(path))
}

/// Cuts both files into blocks again. `comparison` has the number of games that they hold.
pub(super) fn take_apart(comparison: &Comparison, blocks: &Blocks, folder: &Path) -> Result<(), Error> {
    let schedule = Schedule::new(comparison);
    let mut games = records::<GameRow>(&folder.join(GAMES))?;
    let mut timing = records::<TimingRow>(&folder.join(TIMING))?;
    for block in schedule.blocks() {
        let label = &comparison.entrants[block.entrant].label;
        let rows = schedule.range(block).map(|game| {
            let (played, timed) = (games.next().transpose()?, timing.next().transpose()?);
            let whole = played.zip(timed).filter(|(played, timed)| {
                (&played.agent, played.game) == (label, game) && (&timed.agent, timed.game) == (label, game)
            });
            let lost = || Error::Failed(format!("{GAMES} and {TIMING} do not hold game {game} of `{label}`"));
            whole.map(|(played, timed)| joined(&played, timed.seconds)).ok_or_else(lost)
        });
        blocks.write(block, &rows.collect::<Result<Vec<GameResult>, Error>>()?)?;
    }
    Ok(())
}

fn joined(played: &GameRow, seconds: f64) -> GameResult {
    GameResult {
        game: played.game,
        seed: played.seed,
        score: played.score,
        max_tile: played.max_tile,
        moves: played.moves,
        won: played.won,
        nodes: played.nodes,
        seconds,
    }
}

/// The records of a file, one at a time.
pub(super) fn records<T: DeserializeOwned>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<T, Error>> + use<T>, Error> {
    let reader = csv::Reader::from_reader(File::open(path).map_err(at(path))?);
    let name = path.display().to_string();
    let wrong = move |error: csv::Error| Error::Failed(format!("`{name}` is damaged: {error}"));
    Ok(reader.into_deserialize().map(move |record| record.map_err(&wrong)))
}

/// Removes the blocks whose games now stand in the files.
pub(super) fn remove_blocks(comparison: &Comparison, blocks: Blocks) -> Result<(), Error> {
    let schedule = Schedule::new(comparison);
    let remove = |block: Block| blocks.remove(block, schedule.range(block));
    schedule.blocks().try_for_each(remove)?;
    blocks.close();
    Ok(())
}
