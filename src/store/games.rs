//! A folder of segments, with an index of the blocks in them.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::checksum::unseal;
use super::segment::{
    Block, Damage, EXTENSION, Header, Place, SegmentSummary, SegmentWriter, parse_block, read_header, scan,
};
use super::{StoreError, at};
use crate::play::GameResult;

/// The key of a block: its player and the seed of its first game. A game is a function of these two.
type Key = (u64, u64);

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Index into the store's files.
    file: usize,
    place: Place,
    games: usize,
}

/// The number of segments that are kept open. A cluster leaves thousands of them, and a process may have only about
/// 1,000 files open.
const KEPT_OPEN: usize = 256;

#[derive(Debug)]
struct SegmentFile {
    path: PathBuf,
    /// `None` if the file is opened for each block that is read.
    open: Option<File>,
}

impl SegmentFile {
    fn read(&mut self, place: Place) -> io::Result<Vec<u8>> {
        let mut opened;
        let file = match &mut self.open {
            Some(file) => file,
            None => {
                opened = File::open(&self.path)?;
                &mut opened
            }
        };
        let mut bytes = vec![0; place.length];
        file.seek(SeekFrom::Start(place.offset))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

/// The finished games of an experiment. Memory grows with the number of blocks, not with their games.
#[derive(Debug)]
pub struct GameStore {
    folder: PathBuf,
    header: Header,
    files: Vec<SegmentFile>,
    index: HashMap<Key, Entry>,
    summaries: Vec<SegmentSummary>,
    damage: Vec<Damage>,
    writer: Option<SegmentWriter>,
    appended: u64,
    /// Whether two copies of a block must hold the same games. This is false if play depends on the clock.
    pub copies_must_agree: bool,
}

impl GameStore {
    /// Opens the store in `folder`, which is created if it does not exist, and indexes all segments. Fails if the
    /// header of a segment does not match `header`.
    pub fn open(folder: &Path, header: Header, repeatable: bool, stop: &AtomicBool) -> Result<Self, StoreError> {
        match fs::symlink_metadata(folder) {
            Ok(found) if !found.is_dir() => {
                return Err(StoreError::Foreign(format!("`{}` is not a folder", folder.display())));
            }
            Ok(_) => {}
            Err(_) => fs::create_dir_all(folder).map_err(at(folder))?,
        }
        let mut store = GameStore {
            folder: folder.to_path_buf(),
            header,
            files: Vec::new(),
            index: HashMap::new(),
            summaries: Vec::new(),
            damage: Vec::new(),
            writer: None,
            appended: 0,
            copies_must_agree: repeatable,
        };
        for path in segment_files(folder)? {
            store.add_segment(&path, stop)?;
        }
        Ok(store)
    }

    fn add_segment(&mut self, path: &Path, stop: &AtomicBool) -> Result<(), StoreError> {
        let file = self.files.len();
        let (mut blocks, mut damage) = (Vec::new(), Vec::new());
        let summary = scan(path, &mut damage, |place, block| {
            if stop.load(Ordering::Relaxed) {
                return Err(StoreError::Interrupted);
            }
            let seed = block.games.first().map_or(0, |game| game.seed);
            blocks.push(((block.player, seed), Entry { file, place, games: block.games.len() }));
            Ok(())
        })?;
        // `repair_and_close` removes damaged lines by writing a new file. The places of the blocks are then valid only
        // in the old file, so it must stay open.
        let keep = file < KEPT_OPEN || !damage.is_empty();
        let open = keep.then(|| File::open(path)).transpose().map_err(at(path))?;
        self.files.push(SegmentFile { path: path.to_path_buf(), open });
        self.damage.extend(damage);
        let Some(summary) = summary else { return Ok(()) };
        check_header(path, &self.header, &summary.header)?;
        self.summaries.push(summary);
        blocks.into_iter().try_for_each(|(key, entry)| self.insert(key, entry))
    }

    /// Adds a block to the index. Of two copies the longer one is used, and both must hold the same games.
    fn insert(&mut self, key: Key, entry: Entry) -> Result<(), StoreError> {
        if let Some(known) = self.index.get(&key).copied() {
            if self.copies_must_agree {
                self.compare(known, entry)?;
            }
            if known.games >= entry.games {
                return Ok(());
            }
        }
        self.index.insert(key, entry);
        Ok(())
    }

    fn compare(&mut self, one: Entry, other: Entry) -> Result<(), StoreError> {
        let (Some(first), Some(second)) = (self.load(one)?, self.load(other)?) else { return Ok(()) };
        if first.games.iter().zip(&second.games).all(|(a, b)| a.is_same_game(b)) {
            return Ok(());
        }
        let name = |entry: Entry| format!("`{}`, line {}", self.files[entry.file].path.display(), entry.place.line);
        let (one, other) = (name(one), name(other));
        Err(StoreError::Contradiction(format!("{one} and {other} hold the same games with different results")))
    }

    /// Reads a block again; `None` if it is damaged.
    fn load(&mut self, entry: Entry) -> Result<Option<Block>, StoreError> {
        let Some(file) = self.files.get_mut(entry.file) else { return Ok(None) };
        let bytes = file.read(entry.place).map_err(at(&file.path))?;
        Ok(unseal(&bytes).and_then(|content| parse_block(content).ok()))
    }

    /// The games of a player with these seeds, in order; `None` if some are missing or damaged. A block may hold more
    /// games than these, if an earlier run was longer.
    pub fn read(&mut self, player: u64, seeds: &[u64]) -> Result<Option<Vec<GameResult>>, StoreError> {
        let Some(key) = seeds.first().map(|seed| (player, *seed)) else { return Ok(Some(Vec::new())) };
        let Some(entry) = self.index.get(&key).copied().filter(|entry| entry.games >= seeds.len()) else {
            return Ok(None);
        };
        let block = self.load(entry)?;
        let whole = block.filter(|block| seeds.iter().zip(&block.games).all(|(seed, game)| *seed == game.seed));
        let Some(Block { mut games, .. }) = whole else {
            let file = self.files[entry.file].path.clone();
            let why = "its games do not have the expected seeds".to_string();
            self.damage.push(Damage { file, line: entry.place.line, why });
            self.index.remove(&key);
            return Ok(None);
        };
        games.truncate(seeds.len());
        Ok(Some(games))
    }

    /// Appends a block to the segment of this process, which the first call creates.
    pub fn append(&mut self, player: u64, games: &[GameResult]) -> Result<(), StoreError> {
        let Some(first) = games.first() else { return Ok(()) };
        if self.writer.is_none() {
            let writer = SegmentWriter::create(&self.folder, &self.header)?;
            let open = Some(File::open(writer.path()).map_err(at(writer.path()))?);
            self.files.push(SegmentFile { path: writer.path().into(), open });
            self.writer = Some(writer);
        }
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let path = writer.path().to_path_buf();
        let place = writer.append(player, games).map_err(at(&path))?;
        let entry = Entry { file: self.files.len() - 1, place, games: games.len() };
        self.appended += games.len() as u64;
        self.index.insert((player, first.seed), entry);
        Ok(())
    }

    /// Removes damaged lines from all segments, because their games have been played again, and ends the segment of this
    /// process.
    pub fn repair_and_close(&mut self) -> Result<(), StoreError> {
        let damaged: BTreeSet<&PathBuf> = self.damage.iter().map(|damage| &damage.file).collect();
        for path in damaged {
            let lines = self.damage.iter().filter(|damage| damage.file == *path).map(|damage| damage.line).collect();
            remove_lines(path, &lines).map_err(at(path))?;
        }
        self.close()
    }

    /// Ends the segment of this process. It does not change the others, because other processes may be writing them.
    pub fn close(&mut self) -> Result<(), StoreError> {
        let Some(mut writer) = self.writer.take() else { return Ok(()) };
        writer.finish().map_err(at(writer.path()))?;
        let summary = scan(writer.path(), &mut self.damage, |_, _| Ok(()))?;
        self.summaries.extend(summary);
        Ok(())
    }

    /// The number of games appended since the store was opened.
    pub fn appended(&self) -> u64 {
        self.appended
    }

    /// The summaries of all finished or abandoned segments, oldest first.
    pub fn stretches(&self) -> Vec<SegmentSummary> {
        let mut stretches = self.summaries.clone();
        stretches.sort_by(|a, b| (&a.header.started, &a.file).cmp(&(&b.header.started, &b.file)));
        stretches
    }

    /// The processors that played, by name.
    pub fn processors(&self) -> BTreeSet<String> {
        let played = self.summaries.iter().filter(|summary| summary.games > 0);
        played.map(|summary| summary.header.origin.cpu.clone()).collect()
    }

    /// Lines that could not be used.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }
}

/// Replaces a segment by one without these lines, or removes it if its header is among them. Open files keep the old
/// content, so that blocks can still be read.
fn remove_lines(path: &Path, lines: &BTreeSet<usize>) -> io::Result<()> {
    let bytes = fs::read(path)?;
    if lines.contains(&1) {
        return fs::remove_file(path);
    }
    let whole = bytes.split_inclusive(|byte| *byte == b'\n').zip(1..).filter(|(_, number)| !lines.contains(number));
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".segment-").suffix(".tmp").tempfile_in(folder)?;
    for (line, _) in whole {
        file.write_all(line)?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// The segments of a folder by name. Links are not followed.
pub fn segment_files(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        let is_file = entry.file_type().map_err(at(folder))?.is_file();
        if is_file && entry.path().extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// Refuses a folder with a segment whose games must not be mixed with those under `header`.
pub fn check_headers(folder: &Path, header: &Header) -> Result<(), StoreError> {
    if !folder.is_dir() {
        return Ok(());
    }
    for path in segment_files(folder)? {
        if let Some(found) = read_header(&path).map_err(at(&path))? {
            check_header(&path, header, &found)?;
        }
    }
    Ok(())
}

fn check_header(path: &Path, ours: &Header, found: &Header) -> Result<(), StoreError> {
    let refuse = |objection: String| {
        let advice = "move the file away, or choose another folder with --out";
        StoreError::Foreign(format!("`{}` {objection}; {advice}", path.display()))
    };
    ours.objection(found).map_or(Ok(()), |objection| Err(refuse(objection)))
}

/// Damaged lines in the segments of a folder; none if there is no such folder.
pub fn segment_damage(folder: &Path) -> Result<Vec<Damage>, StoreError> {
    let mut damage = Vec::new();
    if folder.is_dir() {
        for path in segment_files(folder)? {
            scan(&path, &mut damage, |_, _| Ok(()))?;
        }
    }
    Ok(damage)
}

#[cfg(test)]
mod tests;
