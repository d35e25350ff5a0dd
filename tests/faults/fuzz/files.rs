//! Files that users write or that runs leave behind.
//!
//! Files with a checksum are damaged in two ways: without a change of the checksum, and with a checksum that fits the
//! damage, so that the later checks are tested too.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use lab2048::agents::AgentSpec;
use lab2048::games::twenty48::{Goal, Twenty48};
use lab2048::learn::{Network, Patterns, Provenance, Threads, Trainer};
use lab2048::play::{Match, Opponent};
use lab2048::record::{Header as RecordHeader, Record};
use lab2048::report::manifest::{Checksummed, Manifest, RunLog};
use lab2048::spec::{Comparison, Learning, Overrides, Tuning};
use lab2048::store::checksum::seal;
use lab2048::store::{GameStore, Header};

use super::fuzz;
use crate::Trial;
use crate::program::{self, Task};

static RUNNING: AtomicBool = AtomicBool::new(false);

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes each input to a file and reads it. Every second input goes through `seal` first.
fn fuzz_file(
    trial: &mut Trial,
    inputs: u64,
    name: &str,
    valid: &[Vec<u8>],
    seal: fn(&[u8]) -> Vec<u8>,
    mut reader: impl FnMut(&Path),
) -> Result<u64, String> {
    let folder = trial.setup.folder();
    let path = folder.path().join(name);
    let mut number = 0;
    fuzz(trial, inputs, name, valid, |input| {
        number += 1;
        let written = if number % 2 == 0 { fs::write(&path, seal(input)) } else { fs::write(&path, input) };
        if written.is_ok() {
            reader(&path);
        }
    })
}

fn as_it_is(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

pub fn experiments(trial: &mut Trial) -> Result<u64, String> {
    let files = Task::ALL.map(|task| read(&trial.setup.truth(task, None).join("experiment.toml")));
    let valid: Vec<Vec<u8>> = files.into_iter().collect::<Result<_, _>>()?;
    fuzz_file(trial, 60, "fuzzed.toml", &valid, as_it_is, |path| {
        drop(Comparison::open(path, Overrides::default()));
        drop(Tuning::open(path));
        drop(Learning::open(path));
    })
}

/// A record of a short game.
fn record(game: &Twenty48) -> String {
    let (name, goal) = ("2048".into(), Some("none".into()));
    let header = RecordHeader { game: name, goal, seed: 1, agent: "random".into(), opponent: None };
    let mut record = Record::begin(game, header);
    if let Ok(mut agent) = "random".parse::<AgentSpec>().and_then(|spec| spec.build(game)) {
        let mut opponent = Opponent::Chance;
        Match { game, agent: agent.as_mut(), opponent: &mut opponent }.play(1, |turn| record.observe(turn));
    }
    record.to_text(game)
}

pub fn records(trial: &mut Trial) -> Result<u64, String> {
    let game = Twenty48::new(Goal::None);
    fuzz(trial, 500, "a record", &[record(&game)], |input| {
        let text = String::from_utf8_lossy(input);
        drop((RecordHeader::read(&text), Record::read(&game, &text)));
    })
}

/// Gives every line the checksum of its content.
fn seal_lines(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let content = |line: &str| line.split_once(' ').map_or(String::new(), |(_, content)| seal(content));
    text.lines().map(content).collect::<String>().into_bytes()
}

/// Segments hold the games of comparisons and are the journals of searches.
pub fn segments(trial: &mut Trial) -> Result<u64, String> {
    let folders = [Task::Compare, Task::Tune].map(|task| trial.setup.truth(task, None).join("segments"));
    let files = folders.iter().flat_map(|folder| program::files(folder));
    let valid: Vec<Vec<u8>> = files.map(|path| read(&path)).collect::<Result<_, _>>()?;
    fuzz_file(trial, 100, "a.segment", &valid, seal_lines, |path| {
        // The store is opened for the experiment that the file names, so that its games are not refused as foreign.
        let folder = path.parent().unwrap_or(path);
        let found = fs::read_to_string(path).ok().and_then(|text| configuration(&text));
        let header = Header::new(found.as_deref().unwrap_or("x"), 1);
        let store = GameStore::open(folder, header, true, &RUNNING);
        drop(store.map(|mut store| store.read(1, &[1, 2])));
    })
}

/// The configuration that a segment's header names.
fn configuration(text: &str) -> Option<String> {
    let (_, header) = text.lines().next()?.split_once(' ')?;
    let header: serde_json::Value = serde_json::from_str(header).ok()?;
    header["configuration"].as_str().map(str::to_string)
}

pub fn manifests(trial: &mut Trial) -> Result<u64, String> {
    let truth = trial.setup.truth(Task::Compare, None).to_path_buf();
    let [manifest, run] = ["manifest.json", "run.json"].map(|name| read(&truth.join(name)));
    let here = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let manifests =
        fuzz_file(trial, 100, "manifest.json", &[manifest?], as_it_is, |path| drop(Manifest::read(&here(path))))?;
    let runs = fuzz_file(trial, 100, "run.json", &[run?], as_it_is, |path| drop(RunLog::read(&here(path))))?;
    Ok(manifests + runs)
}

/// Gives a file of tables the checksum of everything before it.
fn seal_tables(bytes: &[u8]) -> Vec<u8> {
    let content = &bytes[..bytes.len().saturating_sub(4)];
    [content, &crc32fast::hash(content).to_le_bytes()].concat()
}

const PATTERNS: &str = "01 45";

pub fn networks(trial: &mut Trial) -> Result<u64, String> {
    let wrong = |error: lab2048::params::InputError| error.message;
    let network = Network::new(Patterns::parse(PATTERNS).map_err(wrong)?).map_err(wrong)?;
    let mut bytes = Vec::new();
    network.write(&mut bytes, &Provenance::default()).map_err(|error| error.to_string())?;
    fuzz_file(trial, 200, "network.bin", &[bytes], seal_tables, |path| drop(Network::open(path)))
}

/// Checkpoints of a stopped training. A training that accepts one must be able to continue.
pub fn checkpoints(trial: &mut Trial) -> Result<u64, String> {
    let wrong = |error: lab2048::params::InputError| error.message;
    let experiment = trial.setup.truth(Task::Learn, None).join("experiment.toml");
    let settings = Learning::open(&experiment).map_err(wrong)?.settings;
    let mut trainer = Trainer::new(settings).map_err(wrong)?;
    let one_thread = Threads::new(1).map_err(wrong)?;
    let mut bytes = Vec::new();
    trainer.write_checkpoint(&mut bytes, "training", &()).map_err(|error| error.to_string())?;
    fuzz_file(trial, 100, "a.checkpoint", &[bytes], seal_tables, |path| {
        if trainer.read_checkpoint::<()>(path, "training").is_ok() {
            let games = trainer.progress().games.saturating_add(1);
            trainer.train(games, &one_thread, &RUNNING, |_, _| ());
        }
    })
}
