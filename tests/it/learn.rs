//! `lab2048 learn`: the same network after any interruption, and its use as a heuristic in every command.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tempfile::TempDir;

use crate::program::{lab, run};

const EXPERIMENT: &str = r#"name = "tiny"
seed = 5

[network]
patterns = "rows"

[training]
games = 1500
batch = 16
checkpoint = 100

[validation]
games = 20
every = 500

[test]
games = 50
"#;

const BOARD: &str = "2,4,8,16/2,2,0,0/0,0,4,0/0,0,0,2";
const NETWORK: &str = "results/tiny/network.bin";

/// A folder with the experiment in `tiny.toml`.
fn workdir() -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("tiny.toml"), EXPERIMENT).unwrap();
    workdir
}

fn learned(threads: &str) -> TempDir {
    let workdir = workdir();
    run(workdir.path(), &["learn", "tiny.toml", "--quiet", "--format", "none", "--threads", threads], 0);
    workdir
}

/// All files except those that depend on the clock or the machine.
fn outputs(workdir: &TempDir) -> Vec<(&'static str, Vec<u8>)> {
    let names = ["network.bin", "training.csv", "validation.csv", "test.csv", "games.csv", "summary.csv"];
    names.map(|name| (name, fs::read(workdir.path().join("results/tiny").join(name)).unwrap())).into()
}

fn assert_same(left: &TempDir, right: &TempDir) {
    for ((name, left), (_, right)) in outputs(left).into_iter().zip(outputs(right)) {
        assert!(left == right, "{name} differs");
    }
}

fn json(workdir: &TempDir, arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&run(workdir.path(), arguments, 0)).unwrap()
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_lab2048");

fn learn_with_workers(workdir: &TempDir, worker: &str, count: &str, code: i32) -> String {
    let words =
        ["learn", "tiny.toml", "--format", "none", "--threads", "2", "--workers", worker, "--worker-count", count];
    run(workdir.path(), &words, code)
}

#[test]
fn validation_and_test_games_by_workers_change_nothing() {
    let here = learned("2");
    let good = format!("echo begun >> workers; exec {PROGRAM} worker --threads 1");
    for count in ["1", "3"] {
        let workdir = workdir();
        learn_with_workers(&workdir, &good, count, 0);
        assert_same(&here, &workdir);
        let begun = fs::read_to_string(workdir.path().join("workers")).unwrap();
        assert_eq!(begun.lines().count().to_string(), count);
        let speed = fs::read_to_string(workdir.path().join("results/tiny/speed.csv")).unwrap();
        assert!(speed.contains(&format!("test,{count},workers,")), "{speed}");
    }
}

#[test]
fn lost_workers_of_a_training_cost_no_result() {
    let here = learned("2");
    // It greets, and ends at once, since it has no input.
    let lost = format!("{PROGRAM} worker --threads 1 < /dev/null");
    let workdir = workdir();
    let said = learn_with_workers(&workdir, &lost, "2", 1);
    assert!(said.contains("all workers have ended") && said.contains("run the same command again"), "{said}");
    let said = learn_with_workers(&workdir, "/nowhere/lab2048 worker", "1", 2);
    assert!(said.contains("no worker can be used") && said.contains("exit status: 127"), "{said}");
    let mixed = format!("if mkdir taken 2>/dev/null; then {lost}; else exec {PROGRAM} worker --threads 1; fi");
    let said = learn_with_workers(&workdir, &mixed, "2", 0);
    assert!(said.contains("worker ") && said.contains("ended with exit status: 0"), "{said}");
    assert_same(&here, &workdir);
    // The networks that workers have read are not kept.
    let kept = fs::read_dir(workdir.path().join("results/tiny/segments")).unwrap();
    let kept: Vec<String> = kept.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!kept.iter().any(|name| name.starts_with("workers-")), "{kept:?}");
}

#[test]
fn threads_and_kills_change_nothing() {
    let (one, broken) = (learned("1"), workdir());
    for threads in ["2", "8"] {
        assert_same(&one, &learned(threads));
    }
    // Each kill comes later than the one before, so that some come in the middle of the training on any machine.
    for kill in 0..8 {
        let arguments = ["learn", "tiny.toml", "--quiet", "--format", "none", "--threads", "2"];
        let mut child = lab(broken.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 + 45 * kill));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    run(broken.path(), &["learn", "tiny.toml", "--quiet", "--format", "none"], 0);
    assert_same(&one, &broken);
}

/// The network, read without the program's help.
fn weights(path: &Path) -> Vec<f32> {
    let bytes = fs::read(path).unwrap();
    let header = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let numbers = bytes[16 + header..bytes.len() - 4].chunks_exact(4);
    numbers.map(|number| f32::from_le_bytes(number.try_into().unwrap())).collect()
}

/// The sum over rows and columns, forward and backward, outer lines from the first table and inner ones from the second.
fn independent_value(weights: &[f32], cells: [[u32; 4]; 4]) -> f64 {
    let rank = |tile: u32| if tile == 0 { 0 } else { tile.trailing_zeros() as usize };
    let mut sum = 0.0;
    for (line, row) in cells.into_iter().enumerate() {
        let table = if line == 0 || line == 3 { 0 } else { 65_536 };
        let column = cells.map(|cells| cells[line]);
        for [a, b, c, d] in [row, column].map(|line| line.map(rank)) {
            sum += f64::from(weights[table + a + 16 * b + 256 * c + 4096 * d]);
            sum += f64::from(weights[table + d + 16 * c + 256 * b + 4096 * a]);
        }
    }
    sum
}

#[test]
fn hint_and_eval_show_the_sum_of_the_weights() {
    let workdir = learned("1");
    let weights = weights(&workdir.path().join(NETWORK));
    assert_eq!(weights.len(), 2 * 65_536);
    let agent = format!("greedy:heuristic={NETWORK}");
    let hint =
        json(&workdir, &["hint", "--board", BOARD, "--score", "40", "--goal", "none", "--agent", &agent, "--json"]);
    // Sliding to the left merges the two 2s, which earns 4.
    let left = [[2, 4, 8, 16], [4, 0, 0, 0], [4, 0, 0, 0], [2, 0, 0, 0]];
    let expected = 40.0 + 4.0 + independent_value(&weights, left);
    let shown = hint["values"]["left"].as_f64().unwrap();
    assert!((shown - expected).abs() < 1e-2, "{shown} {expected}");
    let after = "2,4,8,16/4,0,0,0/4,0,0,0/2,0,0,0";
    let eval = json(&workdir, &["eval", "--board", after, "--score", "44", "--heuristic", NETWORK, "--json"]);
    assert!((eval["value"].as_f64().unwrap() - expected).abs() < 1e-2);
    let labels: Vec<&str> = eval["terms"].as_array().unwrap().iter().map(|t| t["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["score so far", "tuple 0123", "tuple 4567"]);
}

#[test]
fn every_agent_and_command_takes_a_network() {
    let workdir = learned("1");
    let agents = [
        "greedy:",
        "minimax:depth=2,",
        "alphabeta:depth=3,",
        "expectimax:depth=3,",
        "expectiminimax:depth=3,",
        "rollout:runs=10,cap=5,",
        "tree-rollout:runs=0,",
        "mcts:runs=0,iterations=50,",
    ];
    for agent in agents {
        let agent = format!("{agent}heuristic={NETWORK}");
        let hint = json(&workdir, &["hint", "--board", BOARD, "--goal", "none", "--agent", &agent, "--json"]);
        assert!(hint["values"]["left"].as_f64().unwrap() > 0.0, "{agent} {hint}");
    }
    let agent = format!("expectimax:depth=3,heuristic={NETWORK}");
    let deeper = format!("expectimax:depth=2,heuristic={NETWORK}");
    let values =
        |agent: &str| json(&workdir, &["hint", "--board", BOARD, "--agent", agent, "--json"])["values"].clone();
    // A network values afterstates. After a reply it takes the best of them, so 2 plies see as far as 3 plies.
    for (direction, value) in values(&agent).as_object().unwrap() {
        let other = values(&deeper)[direction].as_f64().unwrap();
        assert!((value.as_f64().unwrap() - other).abs() < 1e-6 * other, "{direction}");
    }
    run(workdir.path(), &["explain", "--board", BOARD, "--agent", &agent], 0);
    // The value of a search is the same where it is followed step by step.
    let tree = json(&workdir, &["explain", "--board", BOARD, "--agent", &agent, "--format", "json"]);
    let root =
        tree["nodes"][0]["value"].as_f64().or(tree["root"]["value"].as_f64()).or(tree["value"].as_f64()).unwrap();
    let best = values(&agent).as_object().unwrap().values().filter_map(|v| v.as_f64()).fold(0.0, f64::max);
    assert!((root - best).abs() < 1e-6 * best, "{root} {best}");
}

#[test]
fn the_network_beats_the_line_heuristic_at_one_ply() {
    let workdir = learned("2");
    let network = format!("greedy:heuristic={NETWORK}");
    let arguments = ["compare", "--agent", &network, "--agent", "greedy", "--goal", "none", "--games", "100", "--json"];
    run(workdir.path(), &[&arguments[..], &["--out", "duel", "--format", "none"]].concat(), 0);
    let summary = fs::read_to_string(workdir.path().join("duel/summary.csv")).unwrap();
    let mut reader = csv_rows(&summary);
    let (network, lines) = (reader.remove(0), reader.remove(0));
    // The whole interval of the network is above that of the line heuristic.
    assert!(network["mean_score_low"] > lines["mean_score_high"], "{summary}");
}

/// The rows of a table, with the cells that are numbers.
fn csv_rows(text: &str) -> Vec<std::collections::HashMap<String, f64>> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').collect();
    // A label in quotes may have commas: count from the end.
    let row = |line: &str| {
        let cells: Vec<&str> = line.rsplit(',').collect();
        let named = columns.iter().rev().zip(cells);
        named.filter_map(|(name, cell)| Some((name.to_string(), cell.parse().ok()?))).collect()
    };
    lines.map(row).collect()
}

#[test]
fn damaged_networks_are_refused_with_a_reason() {
    let workdir = learned("1");
    let path = workdir.path().join(NETWORK);
    let whole = fs::read(&path).unwrap();
    let mut newer = whole.clone();
    newer[8] = 9;
    let mut flipped = whole.clone();
    flipped[5000] ^= 4;
    let cases: [(&[u8], &str); 5] = [
        (&whole[..whole.len() / 2], "was cut short"),
        (&whole[..5], "only 5 bytes"),
        (b"name = \"a heuristic, not a network\"", "is no network of lab2048"),
        (&newer, "format 9, but this program reads format 1"),
        (&flipped, "checksum"),
    ];
    for (bytes, part) in cases {
        fs::write(&path, bytes).unwrap();
        let agent = format!("greedy:heuristic={NETWORK}");
        let said = run(workdir.path(), &["hint", "--board", BOARD, "--agent", &agent], 2);
        assert!(said.contains(part) && said.contains("network.bin"), "{part}: {said}");
        let said = run(workdir.path(), &["eval", "--board", BOARD, "--heuristic", NETWORK], 2);
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn bad_experiments_are_refused_before_anything_is_written() {
    let sevens: Vec<String> = (0..40).map(|n| format!("\"{}\"", pattern_of_seven(n))).collect();
    let sevens = format!("patterns = [{}]", sevens.join(", "));
    for (from, to, part) in [
        ("\"rows\"", "\"01234567\"", "has 8 cells"),
        ("\"rows\"", "\"012x\"", "`x`, which is no cell"),
        ("games = 1500", "gaems = 1500", "did you mean `games`"),
        ("patterns = \"rows\"", &sevens, "bytes of memory"),
    ] {
        let workdir = workdir();
        let path = workdir.path().join("tiny.toml");
        fs::write(&path, EXPERIMENT.replacen(from, to, 1)).unwrap();
        let said = run(workdir.path(), &["learn", "tiny.toml"], 2);
        assert!(said.contains(part), "{to}: {said}");
        assert!(!workdir.path().join("results").exists(), "{to}");
    }
}

/// Different patterns of seven cells: 40 of them need over 120 GB.
fn pattern_of_seven(number: usize) -> String {
    let pairs: Vec<String> = (5..16).flat_map(|a| (a + 1..16).map(move |b| format!("{a:x}{b:x}"))).collect();
    format!("01234{}", pairs[number])
}

#[test]
fn a_board_with_two_of_the_largest_tiles_gets_a_note() {
    let note = "two tiles of 32768 cannot merge";
    let hint = |board: &str| run(Path::new("."), &["hint", "--board", board, "--agent", "greedy"], 0);
    assert!(hint("32768,32768,2,2/0,0,0,0/0,0,0,0/0,0,0,2").contains(note));
    assert!(!hint("32768,16384,2,2/0,0,0,0/0,0,0,0/0,0,0,2").contains(note));
}
