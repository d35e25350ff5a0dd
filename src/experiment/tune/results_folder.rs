//! The results folder of a tuning run: claimed, filled, signed off.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::figures;
use crate::experiment::compare::Options;
use crate::experiment::error::{Error, at};
use crate::experiment::figures::{FIGURES, FigureOptions};
use crate::experiment::folder;
use crate::report::atomic;
use crate::report::manifest::{self, Manifest};
use crate::report::table::Table;
use crate::spec::Tuning;

pub(super) const SCHEMA: &str = "lab2048/tune/1";

/// The folder, and what has been put into it so far.
pub(super) struct ResultsFolder {
    folder: PathBuf,
    manifest: Manifest,
    written: Vec<String>,
}

impl ResultsFolder {
    /// Takes possession of the folder. The journals are named in the manifest at once, so that starting over can find
    /// them.
    pub fn claim(tuning: &Tuning, options: &Options, journals: Vec<String>) -> Result<Self, Error> {
        let folder = &options.folder;
        let mut manifest = new_manifest(tuning, options.threads);
        if let Some(earlier) = folder::claim(folder, &manifest, options.fresh)? {
            manifest.started = earlier.started;
            manifest.outputs = earlier.outputs;
        }
        let place = folder.join(super::JOURNALS);
        fs::create_dir_all(&place).map_err(at(&place))?;
        folder::sweep(folder)?;
        folder::sweep(&folder.join(FIGURES))?;
        for journal in &journals {
            manifest.outputs.entry(journal.clone()).or_default();
        }
        manifest.write(folder).map_err(at(folder))?;
        Ok(ResultsFolder { folder: folder.clone(), manifest, written: journals })
    }

    pub fn text(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.bytes(name, text.as_bytes())
    }

    pub fn table(&mut self, name: &str, table: &Table) -> Result<(), Error> {
        self.bytes(name, &table.to_csv()?)
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(name);
        atomic::write(&path, bytes).map_err(at(&path))?;
        self.written.push(name.to_string());
        Ok(())
    }

    /// Records that may be too many to be held as text.
    pub fn records<T: Serialize>(&mut self, name: &str, records: impl Iterator<Item = T>) -> Result<(), Error> {
        let path = self.folder.join(name);
        let fill = |file: &mut dyn Write| {
            let mut writer = csv::Writer::from_writer(file);
            for record in records {
                writer.serialize(record)?;
            }
            writer.flush()
        };
        atomic::stream(&path, fill).map_err(at(&path))?;
        self.written.push(name.to_string());
        Ok(())
    }

    /// Draws the figures from what was written.
    pub fn figures(&mut self, tuning: &Tuning, print: &FigureOptions) -> Result<(), Error> {
        for path in figures::plot(&self.folder, tuning, print)?.files {
            self.written.push(path.strip_prefix(&self.folder).unwrap_or(&path).to_string_lossy().into_owned());
        }
        Ok(())
    }

    /// Hashes what was written and says that the run is over.
    pub fn sign_off(mut self) -> Result<(), Error> {
        let paths: Vec<PathBuf> = self.written.iter().map(|name| self.folder.join(name)).collect();
        // What an earlier run wrote besides stays ours, to be thrown away by a fresh start.
        self.manifest.outputs.retain(|name, _| self.folder.join(name).exists());
        self.manifest.list(&self.folder, &paths).map_err(at(&self.folder))?;
        self.manifest.finished = Some(manifest::now());
        self.manifest.write(&self.folder).map_err(at(&self.folder))
    }
}

fn new_manifest(tuning: &Tuning, threads: usize) -> Manifest {
    Manifest {
        schema: SCHEMA.into(),
        tool: manifest::tool(),
        commit: manifest::commit(),
        name: tuning.name.clone(),
        seed: tuning.seed,
        games: tuning.plan.methods().iter().map(|method| method.budget).sum(),
        configuration: manifest::sha256(tuning.configuration().as_bytes()),
        timed: Vec::new(),
        threads,
        cpu: manifest::cpu(),
        started: manifest::now(),
        finished: None,
        outputs: BTreeMap::new(),
    }
}
