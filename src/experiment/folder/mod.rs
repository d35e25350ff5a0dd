//! A results folder: who may use it, what an earlier run left in it, and how new results replace old ones.
//!
//! A run writes all its outputs into a staging folder inside the results folder. When everything is there, the staging
//! folder is renamed to `.commit` and its files are moved into place. A kill before the rename changes no result; a
//! kill after it is repaired by the next command, which moves the rest. With `--fresh` the new games, too, are kept in
//! `.fresh` until the run is over, so that the old results stay until the new ones are complete.

mod claim;
mod files;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::error::{Error, at};
use super::progress::Progress;
use crate::params::InputError;
use crate::report::manifest::{self, Checksummed, Manifest, RunLog, Stretch, sha256_of};
use crate::report::table::Table;
use crate::store::{FolderLock, GameStore, Header, check_headers};
use claim::{accepted, check_intact, is_free, is_manifest_or_games, open_locked, prepare_fresh, refused, unreadable};
pub use claim::{has_pending_commit, open_shared};
use files::{check_targets, real_folder, roll_forward, sync_all};
pub use files::{files_below, kept_experiment, remove, stays_inside};

/// The folder of finished games.
pub const SEGMENTS: &str = "segments";
const STAGING: &str = ".staging";
const FRESH: &str = ".fresh";
const COMMIT: &str = ".commit";
const REPLACED: &str = ".replaced";
const LOCK: &str = ".lock";

/// How long to wait for a process that draws the figures of a folder.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// How long to wait before the next look at the lock.
const PAUSE: Duration = Duration::from_millis(50);

const NO_MANIFEST: &str = "is not empty and has no manifest.json: it is not a results folder";

/// Which outputs of an experiment have measured times in them, and which need not be kept.
#[derive(Clone, Debug, Default)]
pub struct OutputKinds {
    /// Names of files; a figure is named without its extension.
    pub measured: Vec<String>,
    pub raw: &'static [&'static str],
}

impl OutputKinds {
    fn is_measured(&self, name: &str) -> bool {
        let matches =
            |listed: &String| name.strip_prefix(listed.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('.'));
        self.measured.iter().any(matches)
    }
}

/// A locked results folder that a run fills.
#[derive(Debug)]
pub struct ResultsFolder {
    folder: PathBuf,
    /// Where this run keeps its games: the folder itself, or `.fresh` in it.
    root: PathBuf,
    stage: PathBuf,
    manifest: Manifest,
    earlier: Option<Manifest>,
    kinds: OutputKinds,
    lock: FolderLock,
    /// Budgets whose results were judged on the test games.
    tested: Vec<u64>,
    /// The processes that trained, in an experiment without stored games.
    stretches: Option<Vec<Stretch>>,
}

impl ResultsFolder {
    /// Locks `folder` for the run that `ours` describes. Creates it if needed.
    ///
    /// A folder is free if it is empty, and ours if its manifest has our schema, engine and configuration. Anything else
    /// is refused. With `fresh` a folder of our kind is used whatever it holds.
    pub fn claim(folder: &Path, ours: Manifest, kinds: OutputKinds, fresh: bool) -> Result<Self, Error> {
        let lock = open_locked(folder)?;
        let earlier = Manifest::read(folder);
        let earlier = match earlier {
            Ok(None) if is_free(folder)? => None,
            Ok(None) => {
                return Err(refused(folder, NO_MANIFEST));
            }
            Ok(Some(earlier)) => Some(accepted(folder, earlier, &ours, fresh)?),
            Err(error) => return Err(unreadable(folder, &error)),
        };
        let apart = fresh && earlier.is_some();
        let root = if apart { folder.join(FRESH) } else { folder.to_path_buf() };
        if apart {
            prepare_fresh(&root, &ours)?;
        } else if earlier.is_none() {
            // Shards write games but no manifest. If the games belong to another experiment, the manifest of this one
            // would keep that experiment from using them.
            check_headers(&folder.join(SEGMENTS), &Header::new(&ours.fingerprint, 1))?;
            ours.write(folder).map_err(at(&folder.join(manifest::FILE)))?;
        }
        let stage = if apart { root.clone() } else { folder.join(STAGING) };
        real_folder(&stage)?;
        let log = RunLog::read_intact(folder);
        // A damaged log must not keep a fresh run from writing a new one.
        let log = if fresh { log.unwrap_or_default() } else { log? };
        Ok(ResultsFolder {
            folder: folder.into(),
            root,
            stage,
            manifest: ours,
            earlier,
            kinds,
            lock,
            tested: log.unwrap_or_default().tested,
            stretches: None,
        })
    }

    /// Locks a folder of finished results to add to them. A run that has just ended releases its folder before it adds
    /// its report, so another process may have locked it to draw figures. That takes seconds, so this waits.
    pub fn reopen_when_free(folder: &Path) -> Result<Self, Error> {
        let deadline = Instant::now() + LONGEST_WAIT;
        loop {
            match ResultsFolder::reopen(folder, |_| OutputKinds::default()) {
                Err(Error::Busy(_)) if Instant::now() < deadline => std::thread::sleep(PAUSE),
                reopened => return reopened,
            }
        }
    }

    /// Says which of the files to be written have measured times in them.
    pub fn set_measured(&mut self, names: Vec<String>) {
        self.kinds.measured = names;
    }

    /// Locks a folder of finished results to draw its figures again.
    pub fn reopen(folder: &Path, kinds: impl FnOnce(&Manifest) -> OutputKinds) -> Result<Self, Error> {
        if !folder.is_dir() {
            return Err(InputError::new(format!("there is no folder `{}`", folder.display())).into());
        }
        let lock = open_locked(folder)?;
        let earlier = Manifest::read(folder)?.filter(|manifest| manifest.complete);
        let Some(earlier) = earlier else {
            return Err(refused(folder, "holds no finished results: it has no manifest.json of a complete run"));
        };
        check_intact(folder, &earlier)?;
        let stage = folder.join(STAGING);
        real_folder(&stage)?;
        let (kinds, manifest) = (kinds(&earlier), earlier.clone());
        let tested = RunLog::read_intact(folder)?.unwrap_or_default().tested;
        Ok(ResultsFolder {
            folder: folder.into(),
            root: folder.into(),
            stage,
            manifest,
            earlier: Some(earlier),
            kinds,
            lock,
            tested,
            stretches: None,
        })
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where finished games are kept.
    pub fn segments(&self) -> PathBuf {
        self.root.join(SEGMENTS)
    }

    /// Opens the store of finished games. Reports damaged parts, whose games are played again.
    pub fn open_store(
        &self,
        threads: usize,
        stop: &'static AtomicBool,
        progress: &dyn Progress,
    ) -> Result<GameStore, Error> {
        let header = Header::new(&self.manifest.fingerprint, threads);
        let store = GameStore::open(&self.segments(), header, self.manifest.timed.is_empty(), stop)?;
        store.damage().iter().for_each(|damage| progress.say(&format!("{damage}; its games are played again")));
        Ok(store)
    }

    /// The staging folder, in which outputs are written until all are complete.
    pub fn stage(&self) -> &Path {
        &self.stage
    }

    /// Whether an earlier run of the same experiment was finished with the same number of games.
    pub fn was_complete(&self) -> bool {
        !self.is_fresh()
            && self.earlier.as_ref().is_some_and(|earlier| earlier.complete && earlier.games == self.manifest.games)
    }

    /// Whether this run replaces an earlier one instead of continuing it.
    fn is_fresh(&self) -> bool {
        self.root != self.folder
    }

    /// A message about the lock of a killed process, if there was one.
    pub fn taken_over(&self) -> Option<String> {
        let who = self.lock.taken_over.as_ref()?;
        Some(format!("the lock of {who} is taken over, because that process has ended"))
    }

    /// Notes that the result of this budget was judged on the test games. Returns the other budgets whose results were.
    pub fn note_test(&mut self, budget: u64) -> Vec<u64> {
        let earlier: Vec<u64> = self.tested.iter().copied().filter(|tested| *tested != budget).collect();
        self.tested = [earlier.clone(), vec![budget]].concat();
        earlier
    }

    /// Sets the processes that trained, in an experiment without stored games.
    pub fn note_stretches(&mut self, stretches: Vec<Stretch>) {
        self.stretches = Some(stretches);
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.stage.join(name);
        fs::write(&path, bytes).map_err(at(&path))
    }

    /// Copies a file with measured times of the earlier run to the staging folder. Returns `false` if there is no such
    /// file, or if it has changed since that run wrote it.
    pub fn keep(&self, name: &str) -> Result<bool, Error> {
        let earlier = self.folder.join(name);
        let is_plain = fs::symlink_metadata(&earlier).is_ok_and(|found| found.is_file());
        let log = RunLog::read_intact(&self.folder).ok().flatten().unwrap_or_default();
        if !is_plain || log.outputs.get(name) != Some(&sha256_of(&earlier).map_err(at(&earlier))?) {
            return Ok(false);
        }
        fs::copy(&earlier, self.stage.join(name)).map_err(at(&earlier))?;
        Ok(true)
    }

    pub fn write_table(&self, name: &str, table: &Table) -> Result<(), Error> {
        self.write(name, &table.to_csv()?)
    }

    /// As [`ResultsFolder::write`], for content that is too long to be held in memory.
    pub fn create(&self, name: &str) -> Result<io::BufWriter<fs::File>, Error> {
        let path = self.stage.join(name);
        Ok(io::BufWriter::new(fs::File::create(&path).map_err(at(&path))?))
    }

    /// Copies the tables of the last run to the staging folder. It is an error if a table has changed since that run
    /// wrote it. Raw tables need not be kept: for those that are not there, the result is a sentence that says how
    /// `command` makes them again.
    pub fn stage_tables(&self, command: &str) -> Result<Option<String>, Error> {
        let is_table = |name: &&str| name.ends_with(".csv") || name.ends_with(".toml");
        let run = RunLog::read_intact(&self.folder)?.unwrap_or_default();
        let mut not_kept = Vec::new();
        for name in self.manifest.files().filter(is_table) {
            let path = self.folder.join(name);
            if !path.exists() && self.manifest.raw.contains(name) {
                not_kept.push(format!("`{name}`"));
                continue;
            }
            let expected = self.manifest.outputs.get(name).or(run.outputs.get(name));
            let found = sha256_of(&path).map_err(at(&path))?;
            if expected != Some(&found) {
                let why =
                    if expected.is_some() { "it is not as the run wrote it" } else { "run.json has no hash of it" };
                return Err(Error::Failed(format!("`{}` is damaged: {why}", path.display())));
            }
            fs::copy(&path, self.stage.join(name)).map_err(at(&path))?;
        }
        Ok((!not_kept.is_empty()).then(|| self.how_to_make(&not_kept.join(", "), command)))
    }

    fn how_to_make(&self, tables: &str, command: &str) -> String {
        let (experiment, folder) = (&self.manifest.name, self.folder.display());
        format!(
            "not kept in `{folder}`: {tables}; to make them again, run the experiment, such as \
             `lab2048 {command} experiments/{experiment}.toml --out {folder}`"
        )
    }

    /// Replaces the results by what is in the staging folder. Returns whether any file has changed.
    ///
    /// Unchanged files are not written again. Files of an earlier run that were not made this time are kept if the
    /// results are the same, and removed if they are not.
    pub fn commit(mut self, store: Option<&GameStore>) -> Result<bool, Error> {
        let mut run = match store {
            Some(store) => {
                RunLog { stretches: store.stretches().into_iter().map(Into::into).collect(), ..RunLog::default() }
            }
            // A fresh run has nothing from the earlier log, which may be damaged.
            None if self.is_fresh() => RunLog::default(),
            None => RunLog::read_intact(&self.folder)?.unwrap_or_default(),
        };
        run.tested.clone_from(&self.tested);
        run.stretches = self.stretches.take().unwrap_or(run.stretches);
        let staged = files_below(&self.stage)?;
        let staged: Vec<String> = staged.into_iter().filter(|name| !is_manifest_or_games(name)).collect();
        self.list(&staged, &mut run)?;
        if let Some(store) = store {
            for file in store.stretches().iter().map(|stretch| &stretch.file) {
                let name = format!("{SEGMENTS}/{}", file.file_name().unwrap_or_default().to_string_lossy());
                run.outputs.insert(name, sha256_of(file).map_err(at(file))?);
            }
        }
        self.keep_earlier(&mut run)?;
        self.manifest.complete = true;
        self.write(manifest::FILE, self.manifest.to_text()?.as_bytes())?;
        self.write(manifest::RUN_FILE, run.to_text()?.as_bytes())?;
        let changed = self.drop_unchanged(&staged)?;
        if !changed {
            fs::remove_dir_all(&self.stage).map_err(at(&self.stage))?;
            return Ok(false);
        }
        check_targets(&self.folder, &self.stage)?;
        sync_all(&self.stage)?;
        let commit = self.folder.join(COMMIT);
        fs::rename(&self.stage, &commit).map_err(at(&commit))?;
        roll_forward(&self.folder)?;
        Ok(true)
    }

    /// Adds the staged files to the manifest or, if they have measured times, to the run's log.
    fn list(&mut self, staged: &[String], run: &mut RunLog) -> Result<(), Error> {
        for name in staged {
            let path = self.stage.join(name);
            let hash = sha256_of(&path).map_err(at(&path))?;
            if self.kinds.is_measured(name) {
                self.manifest.measured.insert(name.clone());
                run.outputs.insert(name.clone(), hash);
            } else {
                self.manifest.outputs.insert(name.clone(), hash);
            }
            if self.kinds.raw.contains(&name.as_str()) {
                self.manifest.raw.insert(name.clone());
            }
        }
        Ok(())
    }

    /// Keeps the outputs of an earlier run that were not made again, if all repeatable outputs are the same.
    fn keep_earlier(&mut self, run: &mut RunLog) -> Result<(), Error> {
        let Some(earlier) = self.earlier.as_ref().filter(|_| !self.is_fresh()) else { return Ok(()) };
        let ours = &self.manifest.outputs;
        if !ours.iter().all(|(name, hash)| earlier.outputs.get(name).is_none_or(|old| old == hash)) {
            return Ok(());
        }
        let old_run = RunLog::read_intact(&self.folder)?.unwrap_or_default();
        let absent = |name: &String| !self.folder.join(name).exists();
        for (name, hash) in earlier.outputs.iter().filter(|(name, _)| !absent(name)) {
            self.manifest.outputs.entry(name.clone()).or_insert_with(|| hash.clone());
        }
        for name in earlier.measured.iter().filter(|name| !absent(name)) {
            self.manifest.measured.insert(name.clone());
            if let Some(hash) = old_run.outputs.get(name) {
                run.outputs.entry(name.clone()).or_insert_with(|| hash.clone());
            }
        }
        self.manifest.raw.extend(earlier.raw.iter().filter(|name| !absent(name)).cloned());
        Ok(())
    }

    /// Removes the files from the staging folder that are the same in the results folder. Returns whether any are left.
    fn drop_unchanged(&self, staged: &[String]) -> Result<bool, Error> {
        if self.is_fresh() {
            return Ok(true);
        }
        let mut changed = false;
        let own = [manifest::FILE.to_string(), manifest::RUN_FILE.to_string()];
        for name in staged.iter().chain(&own) {
            let (new, old) = (self.stage.join(name), self.folder.join(name));
            let is_plain = fs::symlink_metadata(&old).is_ok_and(|found| found.is_file());
            if is_plain && sha256_of(&old).map_err(at(&old))? == sha256_of(&new).map_err(at(&new))? {
                fs::remove_file(&new).map_err(at(&new))?;
            } else {
                changed = true;
            }
        }
        Ok(changed)
    }
}

#[cfg(test)]
mod tests;
