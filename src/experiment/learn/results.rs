//! Writes the results of a training.

use std::io::Write;

use super::curve::{self, Curve, Point};
use crate::engine::tool;
use crate::experiment::analysis::Analysis;
use crate::experiment::analysis::sample::AgentGames;
use crate::experiment::analysis::summary::summary_table;
use crate::experiment::error::{Error, at};
use crate::experiment::folder::ResultsFolder;
use crate::learn::{Finished, Network, Progress, Provenance};
use crate::play::GameResult;
use crate::report::records::GamesWriter;
use crate::report::table::{Table, number};
use crate::spec::Learning;
use crate::store::machine::cpu;

/// The name of the player in `games.csv`.
pub(super) const PLAYER: &str = "network, one ply";

/// Writes the experiment, the curves and the test games.
pub(super) fn write_tables(
    folder: &ResultsFolder,
    learning: &Learning,
    curve: &Curve,
    validation: &[Point],
    test: &Point,
    games: &[Finished],
) -> Result<(), Error> {
    folder.write(super::EXPERIMENT, learning.text.as_bytes())?;
    folder.write_table(super::TRAINING, &curve::table(&curve.training))?;
    folder.write_table(super::VALIDATION, &curve::table(validation))?;
    folder.write_table(super::TEST, &curve::table(std::slice::from_ref(test)))?;
    let (path, mut sample) =
        (folder.stage().join(super::GAMES), AgentGames { agent: PLAYER.into(), ..Default::default() });
    let mut writer = GamesWriter::games(folder.create(super::GAMES)?).map_err(at(&path))?;
    for (number, game) in games.iter().map(|game| (game.number, GameResult::from(game))) {
        writer.write(PLAYER, number, &game).map_err(at(&path))?;
        sample.add(&game);
    }
    writer.finish().map_err(at(&path))?;
    folder.write_table(super::SUMMARY, &summary_table(&[sample], learning.settings.seed, &Analysis::default()))
}

/// The threads and the processor that made moves.
pub(super) struct Players {
    pub threads: usize,
    pub cpu: String,
}

impl Players {
    /// This process.
    pub fn here(threads: usize) -> Self {
        Players { threads, cpu: cpu() }
    }

    /// Workers, whose processors may differ.
    pub fn elsewhere(threads: usize) -> Self {
        Players { threads, cpu: "workers".into() }
    }
}

/// Writes the moves and the measured seconds of each part of this run.
pub(super) fn write_timing(folder: &ResultsFolder, parts: [(&str, (u64, f64), Players); 2]) -> Result<(), Error> {
    let mut table = Table::new(["part", "threads", "cpu", "moves", "seconds", "moves_per_second"]);
    for (part, (moves, seconds), Players { threads, cpu }) in parts {
        let rate = if seconds > 0.0 { number(moves as f64 / seconds) } else { String::new() };
        table.push([part.to_string(), threads.to_string(), cpu, moves.to_string(), number(seconds), rate]);
    }
    folder.write_table(super::TIMING, &table)
}

/// How a network was trained, after so many games.
pub(super) fn provenance(learning: &Learning, progress: Progress) -> Provenance {
    Provenance {
        name: learning.name.clone(),
        seed: learning.settings.seed,
        tool: tool(),
        settings: learning.configuration(),
        games: progress.games,
        moves: progress.moves,
    }
}

/// Writes the network, with how it was trained in its header.
pub(super) fn write_network(folder: &ResultsFolder, network: &Network, trained: &Provenance) -> Result<(), Error> {
    let path = folder.stage().join(super::NETWORK);
    let mut file = folder.create(super::NETWORK)?;
    network.write(&mut file, trained).and_then(|()| file.flush()).map_err(at(&path))
}
