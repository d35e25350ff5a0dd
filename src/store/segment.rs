//! One segment file: a header line, then a line for each block of games.
//!
//! Every line starts with a checksum of its content. The header is JSON. A block is the hash of the player in
//! hexadecimal and its games as JSON arrays. If the process ended normally, the last line has the time of its end.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::checksum::{seal, unseal};
use super::machine;
use super::origin::Origin;
use crate::engine::arithmetic_check;
use crate::play::GameResult;

/// The extension of segment files.
pub const EXTENSION: &str = "segment";
const SCHEMA: &str = "lab2048/games/1";
/// The maximum length of a line. A longer line is damaged, and is not read into memory.
const LONGEST_LINE: u64 = 16 << 20;
/// While lines are written, they are synced to the disk about this often. Lines that are not synced are lost only in a
/// power failure.
const SYNC_EVERY: Duration = Duration::from_secs(2);

/// The configuration, program and machine on which the games of a segment depend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the segment format.
    pub schema: String,
    /// The hash of the experiment's configuration.
    pub configuration: String,
    /// See [`arithmetic_check`].
    pub arithmetic: String,
    /// The program and the machine.
    #[serde(flatten)]
    pub origin: Origin,
    /// The number of the process.
    pub process: u32,
    /// The time at which the process started to play.
    pub started: String,
    /// The share of the experiment that the process played, such as `3/16`; `None` if it played all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

impl Header {
    /// The header of a new segment of this process.
    pub fn new(configuration: &str, threads: usize) -> Self {
        Header {
            schema: SCHEMA.into(),
            configuration: configuration.into(),
            arithmetic: arithmetic_check(),
            origin: Origin::here(threads),
            process: std::process::id(),
            started: machine::now(),
            shard: None,
        }
    }

    /// The reason why games under `found` must not be mixed with games under this header; `None` if they may.
    pub fn objection(&self, found: &Header) -> Option<String> {
        if found.schema != self.schema {
            Some(format!("has the format {}, but this program writes {}", found.schema, self.schema))
        } else if found.origin.engine != self.origin.engine {
            Some(format!(
                "was played by engine revision {}, but this program has revision {}",
                found.origin.engine, self.origin.engine
            ))
        } else if found.configuration != self.configuration {
            Some("holds games of another experiment".into())
        } else if found.arithmetic != self.arithmetic {
            Some(format!(
                "was computed on `{}`, whose floating-point functions round differently than here",
                found.origin.cpu
            ))
        } else {
            None
        }
    }
}

/// A line that was written but cannot be used. Its games are played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The segment.
    pub file: PathBuf,
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: String,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "`{}`, line {} is damaged: {}", self.file.display(), self.line, self.why)
    }
}

/// The location of a block in its segment.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub offset: u64,
    pub length: usize,
    /// The number of the line, from 1.
    pub line: usize,
}

/// A block of games of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub player: u64,
    pub games: Vec<GameResult>,
}

/// The summary of a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentSummary {
    /// The segment.
    pub file: PathBuf,
    /// Its first line.
    pub header: Header,
    /// The number of games in it.
    pub games: u64,
    /// The time at which the process ended; `None` if it was killed.
    pub finished: Option<String>,
}

const FINISHED: &str = "finished ";

type Numbers = (u64, i64, u32, u32, bool, u64, u64, f64);

/// The content of a block's line.
fn block_text(player: u64, games: &[GameResult]) -> io::Result<String> {
    let numbers =
        |g: &GameResult| -> Numbers { (g.seed, g.score, g.max_tile, g.moves, g.won, g.nodes, g.work, g.seconds) };
    let games: Vec<Numbers> = games.iter().map(numbers).collect();
    Ok(format!("{player:016x} {}", serde_json::to_string(&games)?))
}

/// Reads the content of a block's line. The checksum was already checked, so a wrong value here was already wrong when
/// it was written.
pub fn parse_block(content: &str) -> Result<Block, String> {
    let (player, games) = content.split_once(' ').ok_or("it is not a block of games")?;
    let player = u64::from_str_radix(player, 16).map_err(|error| format!("player `{player}`: {error}"))?;
    let numbers: Vec<Numbers> = serde_json::from_str(games).map_err(|error| error.to_string())?;
    let game = |(seed, score, max_tile, moves, won, nodes, work, seconds): Numbers| {
        let game = GameResult { seed, score, max_tile, moves, won, nodes, work, seconds };
        check_rules(&game).map(|()| game)
    };
    let games: Vec<GameResult> = numbers.into_iter().map(game).collect::<Result<_, _>>()?;
    if games.is_empty() { Err("it holds no games".into()) } else { Ok(Block { player, games }) }
}

/// The largest tile that can be made on 16 cells.
const LARGEST_TILE: u32 = 131_072;

/// Refuses values that no game can end with.
fn check_rules(game: &GameResult) -> Result<(), String> {
    let is_tile = game.max_tile.is_power_of_two() && (2..=LARGEST_TILE).contains(&game.max_tile);
    let fits = match game.max_tile {
        0 => (-1..=1).contains(&game.score),
        // Making a tile of value t = 2^k earns at most (k - 1) t points, and there are 16 cells. Each merge earns a
        // multiple of 4.
        tile => is_tile && game.score >= 0 && game.score <= 16 * 16 * i64::from(tile) && game.score % 4 == 0,
    };
    if !fits {
        return Err(format!("no game ends with score {} and largest tile {}", game.score, game.max_tile));
    }
    let is_time = game.seconds.is_finite() && game.seconds >= 0.0;
    is_time.then_some(()).ok_or_else(|| format!("{} seconds is no duration", game.seconds))
}

/// The header of a segment; `None` if its first line is not whole.
pub fn read_header(path: &Path) -> io::Result<Option<Header>> {
    let mut line = Vec::new();
    BufReader::new(File::open(path)?).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    let content = line.strip_suffix(b"\n").and_then(unseal);
    Ok(content.and_then(|content| serde_json::from_str(content).ok()))
}

/// Reads a segment line by line. `block` is called with the location and the content of every complete block.
///
/// A last line without a newline was cut off by a kill and is skipped. A segment without a complete header line is
/// empty, because its process was killed at once.
pub fn scan(
    path: &Path,
    damage: &mut Vec<Damage>,
    mut block: impl FnMut(Place, Block) -> Result<(), super::StoreError>,
) -> Result<Option<SegmentSummary>, super::StoreError> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).map_err(super::at(path))?);
    let (mut offset, mut line, mut bytes) = (0, 0, Vec::new());
    let mut summary: Option<SegmentSummary> = None;
    loop {
        bytes.clear();
        let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).map_err(super::at(path))?;
        let place = Place { offset, length: read.saturating_sub(1), line: line + 1 };
        (offset, line) = (offset + read as u64, line + 1);
        let Some((b'\n', content)) = bytes.split_last() else {
            // An incomplete last line, the end of the file, or a line that is too long.
            if read as u64 == LONGEST_LINE {
                damage.push(Damage {
                    file: path.into(),
                    line,
                    why: "it is too long, so nothing after it is read".into(),
                });
            }
            return Ok(summary);
        };
        let mut damaged = |why: String| damage.push(Damage { file: path.into(), line, why });
        let Some(content) = unseal(content) else {
            damaged("its checksum does not match".into());
            if line == 1 {
                // Without a header it is unknown to which experiment the games belong.
                return Ok(None);
            }
            continue;
        };
        match &mut summary {
            None => match serde_json::from_str(content) {
                Ok(header) => summary = Some(SegmentSummary { file: path.into(), header, games: 0, finished: None }),
                Err(error) => {
                    damaged(format!("it is not a header ({error})"));
                    return Ok(None);
                }
            },
            Some(summary) => match content.strip_prefix(FINISHED) {
                Some(time) => summary.finished = Some(time.to_string()),
                None => match parse_block(content) {
                    Ok(found) => {
                        summary.games += found.games.len() as u64;
                        block(place, found)?;
                    }
                    Err(why) => damaged(why),
                },
            },
        }
    }
}

/// The segment that this process writes.
#[derive(Debug)]
pub struct SegmentWriter {
    path: PathBuf,
    file: File,
    length: u64,
    lines: usize,
    synced: Instant,
}

impl SegmentWriter {
    /// Creates a new file. Its name contains the host, the process and a random number, so that no other process uses
    /// it.
    pub fn create(folder: &Path, header: &Header) -> Result<Self, super::StoreError> {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let host: String = header.origin.host.chars().map(plain).take(40).collect();
        let random = machine::random() as u32;
        let path = folder.join(format!("{host}-{}-{random:08x}.{EXTENSION}", header.process));
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path).map_err(super::at(&path))?;
        let mut writer = SegmentWriter { path: path.clone(), file, length: 0, lines: 0, synced: Instant::now() };
        let begun = serde_json::to_string(header).map_err(io::Error::from).and_then(|text| writer.write(&text));
        begun.and_then(|_| writer.sync()).map_err(super::at(&path))?;
        Ok(writer)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn append(&mut self, player: u64, games: &[GameResult]) -> io::Result<Place> {
        let place = self.write(&block_text(player, games)?)?;
        if self.synced.elapsed() > SYNC_EVERY {
            self.sync()?;
        }
        Ok(place)
    }

    fn write(&mut self, content: &str) -> io::Result<Place> {
        let line = seal(content);
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // On a full disk a part of the line may have been written. Remove it.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        let place = Place { offset: self.length, length: line.len() - 1, line: self.lines + 1 };
        self.length += line.len() as u64;
        self.lines += 1;
        Ok(place)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.synced = Instant::now();
        self.file.sync_data()
    }

    /// Writes the time of the end and syncs everything to the disk.
    pub fn finish(&mut self) -> io::Result<()> {
        self.write(&format!("{FINISHED}{}", machine::now()))?;
        self.file.sync_all()
    }
}
