//! Malformed input, made from valid input by small changes. Nothing may panic.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rand::Rng as _;
use rand::seq::IndexedRandom;

use lab2048::agents::AgentSpec;
use lab2048::games::twenty48::{Board, Goal, Twenty48};
use lab2048::heuristics::Heuristic;
use lab2048::record::{Header as RecordHeader, Record};
use lab2048::report::manifest::{Manifest, RunLog, Signed};
use lab2048::rng::Rng;
use lab2048::spec::{Comparison, Overrides, Tuning};
use lab2048::store::{GameStore, Header};

use crate::Trial;
use crate::program::{self, Task};

/// Inputs of one trial: many of the cheap ones, few of those that need a file.
const TEXTS: u64 = 40_000;
const EXPERIMENTS: u64 = 60;
const FILES: u64 = 400;

static RUNNING: AtomicBool = AtomicBool::new(false);

/// Pieces that have a meaning somewhere.
const PIECES: [&str; 28] = [
    "=",
    ",",
    "/",
    ":",
    "..",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "#",
    "\n",
    "0",
    "-1",
    "1e308",
    "nan",
    "inf",
    "131072",
    "262144",
    "9223372036854775807",
    "18446744073709551616",
    "true",
    "depth",
    "heuristic",
    "\u{1b}[31m",
    "\0",
    "é",
    "[[agents]]",
];

/// A changed copy of a text.
fn mutated(rng: &mut Rng, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..rng.random_range(1..6) {
        let place = rng.random_range(0..=bytes.len());
        let end = (place + rng.random_range(0..12)).min(bytes.len());
        match rng.random_range(0..5) {
            0 if place < bytes.len() => bytes[place] ^= 1 << rng.random_range(0..8),
            1 => drop(bytes.drain(place..end)),
            2 => {
                let copy = bytes[place..end].to_vec();
                let target = rng.random_range(0..=bytes.len());
                bytes.splice(target..target, copy).for_each(drop);
            }
            3 => bytes.truncate(place),
            _ => {
                let piece = PIECES.choose(rng).copied().unwrap_or("");
                bytes.splice(place..end, piece.bytes()).for_each(drop);
            }
        }
    }
    bytes
}

/// Runs a target on one input; a panic is an error that shows the input.
fn survive(what: &str, input: &[u8], target: impl FnOnce()) -> Result<(), String> {
    let shown = || String::from_utf8_lossy(input).into_owned();
    catch_unwind(AssertUnwindSafe(target)).map_err(|_| format!("{what} panics on {:?}", shown()))
}

const BOARDS: [&str; 3] =
    ["2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2", "131072,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0", "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0"];
const AGENTS: [&str; 5] = [
    "expectimax:depth=4..6,heuristic=malaga-1,table=14",
    "rollout:runs=100,cap=10,heuristic=line-sum",
    "mcts:iterations=100,runs=1",
    "tree-rollout:moves=8,width=100",
    "alphabeta:nodes=1000",
];
const HEURISTIC: &str = "name = \"mine\"\n[[terms]]\nfeature = \"mask\"\ncoefficient = 2.0\nmask = \"geometric\"\nratio = 0.4\n\
                         [[terms]]\nfeature = \"empty\"\nlabel = \"more\"\ntimes = \"ln-score\"\n";

pub fn texts(trial: &mut Trial) -> Result<u64, String> {
    for number in 0..TEXTS {
        let valid = match number % 16 {
            0 => HEURISTIC,
            1..8 => BOARDS[number as usize % BOARDS.len()],
            _ => AGENTS[number as usize % AGENTS.len()],
        };
        let input = mutated(&mut trial.rng, valid.as_bytes());
        let text = String::from_utf8_lossy(&input);
        survive("reading a text", &input, || match number % 16 {
            0 => drop(Heuristic::parse("fuzzed.toml", &text).is_ok()),
            1..8 => drop(text.parse::<Board>().is_ok()),
            _ => drop(text.parse::<AgentSpec>().is_ok()),
        })?;
    }
    Ok(TEXTS)
}

pub fn experiments(trial: &mut Trial) -> Result<u64, String> {
    let folder = trial.setup.folder();
    let path = folder.path().join("fuzzed.toml");
    for number in 0..EXPERIMENTS {
        let task = if number % 2 == 0 { Task::Compare } else { Task::Tune };
        let valid = read(&trial.setup.truth(task, None).join("experiment.toml"))?;
        let input = mutated(&mut trial.rng, &valid);
        fs::write(&path, &input).map_err(|error| error.to_string())?;
        survive("an experiment file", &input, || match task {
            Task::Tune => drop(Tuning::open(&path).is_ok()),
            _ => drop(Comparison::open(&path, Overrides::default()).is_ok()),
        })?;
    }
    Ok(EXPERIMENTS)
}

/// The bytes of a true segment.
fn segment(trial: &Trial) -> Result<Vec<u8>, String> {
    let segments = trial.setup.truth(Task::Compare, None).join("segments");
    program::files(&segments).first().map_or(Err("there is no segment".into()), |path| read(path))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A record of a short game.
fn record() -> String {
    let game = Twenty48::new(Goal::None);
    let header = RecordHeader {
        game: "2048".into(),
        goal: Some("none".into()),
        seed: 1,
        agent: "random".into(),
        opponent: None,
    };
    let mut record = Record::begin(&game, header);
    if let Ok(mut agent) = "random".parse::<AgentSpec>().and_then(|spec| spec.build(&game)) {
        let mut opponent = lab2048::play::Opponent::Chance;
        lab2048::play::Match { game: &game, agent: agent.as_mut(), opponent: &mut opponent }
            .play(1, |turn| record.observe(turn));
    }
    record.to_text(&game)
}

pub fn files(trial: &mut Trial) -> Result<u64, String> {
    let (record, segment) = (record().into_bytes(), segment(trial)?);
    let folder = trial.setup.folder();
    let truth = trial.setup.truth(Task::Compare, None);
    let [manifest, run] = ["manifest.json", "run.json"].map(|name| read(&truth.join(name)));
    let (manifest, run) = (manifest?, run?);
    let (game, header) = (Twenty48::new(Goal::None), Header::new("x", 1));
    for number in 0..FILES {
        let valid: &[u8] = [&record, &segment, &manifest, &run][number as usize % 4];
        let input = mutated(&mut trial.rng, valid);
        let text = String::from_utf8_lossy(&input);
        let name = ["", "a.segment", "manifest.json", "run.json"][number as usize % 4];
        if !name.is_empty() {
            fs::write(folder.path().join(name), &input).map_err(|error| error.to_string())?;
        }
        survive("a file", &input, || match number % 4 {
            0 => drop((RecordHeader::read(&text).is_ok(), Record::read(&game, &text).is_ok())),
            1 => {
                let store = GameStore::open(folder.path(), header.clone(), true, &RUNNING);
                drop(store.map(|mut store| store.read(1, &[1, 2]).is_ok()));
            }
            2 => drop(Manifest::read(folder.path()).is_ok()),
            _ => drop(RunLog::read(folder.path()).is_ok()),
        })?;
    }
    Ok(FILES)
}
