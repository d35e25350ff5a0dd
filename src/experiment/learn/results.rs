//! The results folder of a training.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use super::checkpoints;
use super::curve::{self, Curve, Point};
use super::figures::{self, FIGURES};
use crate::experiment::compare::{AgentGames, FigureOptions, Options, summary_table};
use crate::experiment::error::{Error, at};
use crate::experiment::folder;
use crate::games::twenty48::tile;
use crate::learn::{Budget, Finished, Network, Progress, Provenance};
use crate::report::atomic;
use crate::report::manifest::{self, Manifest};
use crate::report::records::GameRow;
use crate::report::table::{Table, number};
use crate::spec::Learning;

pub(super) const SCHEMA: &str = "lab2048/learn/1";

/// What the player is called in `games.csv`.
const PLAYER: &str = "network, one ply";
/// A game with this tile counts as won.
const WON: u8 = 11;

/// The folder, and what has been put into it so far.
pub(super) struct Results {
    folder: PathBuf,
    manifest: Manifest,
    written: Vec<PathBuf>,
}

impl Results {
    /// Takes possession of the folder. Checkpoints are named in the manifest at once, so that starting over removes
    /// them.
    pub fn claim(learning: &Learning, options: &Options) -> Result<Self, Error> {
        let folder = &options.folder;
        let mut manifest = new_manifest(learning, options.threads);
        if let Some(earlier) = folder::claim(folder, &manifest, options.fresh)? {
            manifest.started = earlier.started;
            manifest.outputs = earlier.outputs;
        }
        std::fs::create_dir_all(folder).map_err(at(folder))?;
        folder::sweep(folder)?;
        folder::sweep(&folder.join(FIGURES))?;
        for file in checkpoints::FILES {
            manifest.outputs.entry(file.to_string()).or_default();
        }
        manifest.write(folder).map_err(at(folder))?;
        Ok(Results { folder: folder.clone(), manifest, written: Vec::new() })
    }

    fn put(&mut self, name: &str, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Error> {
        let path = self.folder.join(name);
        atomic::stream(&path, fill).map_err(at(&path))?;
        self.written.push(path);
        Ok(())
    }

    fn table(&mut self, name: &str, table: &Table) -> Result<(), Error> {
        let text = table.to_csv()?;
        self.put(name, |file| file.write_all(&text))
    }

    pub fn tables(
        &mut self,
        learning: &Learning,
        curve: &Curve,
        validation: &[Point],
        test: &Point,
        games: &[Finished],
    ) -> Result<(), Error> {
        self.put(super::EXPERIMENT, |file| file.write_all(learning.text.as_bytes()))?;
        self.table(super::TRAINING, &curve::table(&curve.training))?;
        self.table(super::VALIDATION, &curve::table(validation))?;
        self.table(super::TEST, &curve::table(std::slice::from_ref(test)))?;
        let rows: Vec<GameRow> = games.iter().map(row).collect();
        self.put(super::GAMES, |file| {
            let mut writer = csv::Writer::from_writer(file);
            rows.iter().try_for_each(|row| writer.serialize(row))?;
            writer.flush()
        })?;
        let mut sample = AgentGames { agent: PLAYER.to_string(), ..AgentGames::default() };
        rows.iter().for_each(|row| sample.add(row));
        self.table(super::SUMMARY, &summary_table(&[sample], learning.settings.seed))
    }

    /// What the clock said, in a file of its own: the moves and seconds of each part of this run.
    pub fn timing(&mut self, parts: [(&str, (u64, f64)); 2], threads: usize) -> Result<(), Error> {
        let mut table = Table::new(["part", "threads", "moves", "seconds", "moves_per_second"]);
        for (part, (moves, seconds)) in parts {
            let rate = if seconds > 0.0 { number(moves as f64 / seconds) } else { String::new() };
            table.push([part.to_string(), threads.to_string(), moves.to_string(), number(seconds), rate]);
        }
        self.table(super::TIMING, &table)
    }

    pub fn network(&mut self, network: &Network, learning: &Learning, progress: Progress) -> Result<(), Error> {
        let trained = Provenance {
            name: learning.name.clone(),
            seed: learning.settings.seed,
            tool: manifest::tool(),
            settings: learning.configuration(),
            games: progress.games,
            moves: progress.moves,
        };
        self.put(super::NETWORK, |file| network.write(file, &trained))
    }

    /// Draws the figures from what was written.
    pub fn figures(&mut self, print: &FigureOptions) -> Result<(), Error> {
        self.written.extend(figures::plot(&self.folder, print)?);
        Ok(())
    }

    /// Hashes what was written and says that the run is over.
    pub fn sign_off(mut self) -> Result<(), Error> {
        self.manifest.list(&self.folder, &self.written).map_err(at(&self.folder))?;
        self.manifest.finished = Some(manifest::now());
        self.manifest.write(&self.folder).map_err(at(&self.folder))
    }
}

fn row(game: &Finished) -> GameRow {
    GameRow {
        agent: PLAYER.to_string(),
        game: game.number,
        seed: game.seed,
        score: i64::from(game.score),
        max_tile: tile(game.max_rank),
        moves: game.moves,
        won: game.max_rank >= WON,
        // One ply looks at each legal move, which nobody counted.
        nodes: 0,
    }
}

fn new_manifest(learning: &Learning, threads: usize) -> Manifest {
    Manifest {
        schema: SCHEMA.into(),
        tool: manifest::tool(),
        commit: manifest::commit(),
        name: learning.name.clone(),
        seed: learning.settings.seed,
        games: match learning.settings.budget {
            Budget::Games(games) => games,
            Budget::Moves(_) => 0,
        },
        configuration: manifest::sha256(learning.configuration().as_bytes()),
        timed: Vec::new(),
        threads,
        cpu: manifest::cpu(),
        started: manifest::now(),
        finished: None,
        outputs: BTreeMap::new(),
    }
}
