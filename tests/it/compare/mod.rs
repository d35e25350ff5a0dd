//! `lab2048 compare` and `lab2048 plot`.

mod figures;
mod statistics;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use lab2048::spec::{Comparison, Overrides};
use tempfile::TempDir;

use crate::program::{lab, run, said, stdout_in};

/// Quick agents of every kind: with and without their own randomness, with and without a tree.
const EXPERIMENT: &str = r#"
name = "tiny"
seed = 3
games = 45

[[agents]]
kind = "random"

[[agents]]
kind = "expectimax"
depth = [1, 2]
heuristic = ["line-sum", "snake"]

[[agents]]
kind = "rollout"
runs = 2

[[agents]]
kind = "mcts"
iterations = 2
runs = 1
"#;

/// A folder with the experiment in `tiny.toml`.
fn workdir() -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("tiny.toml"), EXPERIMENT).unwrap();
    workdir
}

/// `compare tiny.toml` without figures, which take longer than the games.
fn tiny<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["compare", "tiny.toml", "--quiet", "--format", "none"], more].concat()
}

/// The files that depend on the experiment alone.
fn repeatable(results: &Path) -> BTreeMap<&'static str, String> {
    let names = ["games.csv", "summary.csv", "comparisons.csv", "agents.csv", "experiment.toml"];
    names.into_iter().map(|name| (name, fs::read_to_string(results.join(name)).unwrap())).collect()
}

/// The segment files of a results folder.
fn segments(results: &Path) -> Vec<PathBuf> {
    fs::read_dir(results.join("segments")).map_or(Vec::new(), |entries| entries.map(|e| e.unwrap().path()).collect())
}

/// How many blocks are stored: every line but the headers.
fn blocks(results: &Path) -> usize {
    let lines = |path: &PathBuf| fs::read(path).map_or(0, |text| text.iter().filter(|byte| **byte == b'\n').count());
    segments(results).iter().map(|path| lines(path).saturating_sub(1)).sum()
}

fn start(workdir: &Path, arguments: &[&str]) -> Child {
    lab(workdir, arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until this many blocks are stored. Returns `false` if the run ends before.
fn reaches(child: &mut Child, results: &Path, wanted: usize) -> bool {
    while blocks(results) < wanted {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        sleep(Duration::from_millis(2));
    }
    child.try_wait().unwrap().is_none()
}

#[test]
fn threads_and_kills_change_nothing() {
    let workdir = workdir();
    // Blocks are small where a budget allows long games, so there is a lot to be interrupted.
    let slow = "\n[[agents]]\nkind = \"expectimax\"\ndepth = 1\nwork = 1000000\n";
    fs::write(workdir.path().join("tiny.toml"), format!("{EXPERIMENT}{slow}")).unwrap();
    let at = |name: &str| workdir.path().join(name);
    for (threads, out) in [("1", "one"), ("2", "two"), ("8", "eight")] {
        run(workdir.path(), &tiny(&["--threads", threads, "--out", out]), 0);
    }
    let expected = repeatable(&at("one"));
    assert_eq!(repeatable(&at("two")), expected);
    assert_eq!(repeatable(&at("eight")), expected);

    // 52 blocks in all: one of each quick agent, and 45 of the one that could be slow.
    let mut kills = 0;
    for wanted in [0, 1, 4, 5, 11, 17, 26, 40] {
        let mut child = start(workdir.path(), &tiny(&["--threads", "2", "--out", "killed"]));
        kills += usize::from(reaches(&mut child, &at("killed"), wanted));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills >= 2, "the run was over too soon to be killed");
    run(workdir.path(), &tiny(&["--out", "killed"]), 0);
    assert_eq!(repeatable(&at("killed")), expected);
}

#[test]
fn a_run_can_grow_and_shrink() {
    let workdir = workdir();
    let with_games = |games, out| repeatable_of(workdir.path(), &tiny(&["--games", games, "--out", out]), out);
    let fresh = ["13", "45", "52"].map(|games| with_games(games, games));
    for (games, expected) in [("13", 0), ("45", 1), ("13", 0), ("52", 2), ("52", 2)] {
        assert_eq!(with_games(games, "same"), fresh[expected], "{games} games");
    }
}

fn repeatable_of(workdir: &Path, arguments: &[&str], out: &str) -> BTreeMap<&'static str, String> {
    run(workdir, arguments, 0);
    repeatable(&workdir.join(out))
}

#[test]
fn ctrl_c_keeps_what_is_finished() {
    let workdir = workdir();
    let results = workdir.path().join("results/tiny");
    let mut child = start(workdir.path(), &tiny(&["--games", "100000"]));
    assert!(reaches(&mut child, &results, 3));
    let interrupt = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("run the same command again to continue"), "{}", said(&output));
    assert!(blocks(&results) >= 3);
    run(workdir.path(), &tiny(&["--games", "20"]), 0);
}

#[test]
fn a_folder_with_other_results_is_never_changed() {
    let workdir = workdir();
    let results = workdir.path().join("results/tiny");
    run(workdir.path(), &tiny(&[]), 0);
    let ours = repeatable(&results);
    let refused = run(workdir.path(), &tiny(&["--seed", "4"]), 2);
    assert!(refused.contains("another experiment") && refused.contains("--fresh"), "{refused}");
    assert_eq!(repeatable(&results), ours);

    fs::write(results.join("notes.txt"), "mine").unwrap();
    run(workdir.path(), &tiny(&["--seed", "4", "--fresh"]), 0);
    assert_ne!(repeatable(&results), ours);
    assert_eq!(fs::read_to_string(results.join("notes.txt")).unwrap(), "mine");

    fs::create_dir(workdir.path().join("holiday")).unwrap();
    fs::write(workdir.path().join("holiday/photo.jpg"), "x").unwrap();
    for more in [&["--out", "holiday"][..], &["--out", "holiday", "--fresh"]] {
        let refused = run(workdir.path(), &tiny(more), 2);
        assert!(refused.contains("holiday") && refused.contains("not empty"), "{refused}");
    }
    assert_eq!(fs::read_dir(workdir.path().join("holiday")).unwrap().count(), 1);
}

#[test]
fn a_full_disk_and_a_damaged_block_lose_nothing() {
    let workdir = workdir();
    run(workdir.path(), &tiny(&["--out", "whole"]), 0);
    // A limit on the size of files simulates a full disk.
    let program = env!("CARGO_BIN_EXE_lab2048");
    let script = format!("trap '' XFSZ; ulimit -f 24; exec {program} {}", tiny(&["--out", "full"]).join(" "));
    let output = std::process::Command::new("sh").current_dir(workdir.path()).args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("too large"), "{}", said(&output));
    let full = workdir.path().join("full");
    assert!(!full.join("games.csv").exists());

    let segment = &segments(&full)[0];
    let mut text = fs::read(segment).unwrap();
    let second_line = text.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    text[second_line + 40] ^= 1;
    fs::write(segment, text).unwrap();
    let arguments = ["compare", "tiny.toml", "--format", "none", "--out", "full"];
    let said = run(workdir.path(), &arguments, 0);
    assert!(said.contains(".segment`, line 2 is damaged") && said.contains("played again"), "{said}");
    assert_eq!(repeatable(&full), repeatable(&workdir.path().join("whole")));
}

#[test]
fn changed_results_are_noticed_and_made_again() {
    let workdir = workdir();
    run(workdir.path(), &tiny(&[]), 0);
    let games = workdir.path().join("results/tiny/games.csv");
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, text.replace("false", "true")).unwrap();
    let noticed = run(workdir.path(), &["plot", "results/tiny"], 1);
    assert!(noticed.contains("games.csv` is damaged"), "{noticed}");
    run(workdir.path(), &tiny(&[]), 0);
    assert_eq!(fs::read_to_string(&games).unwrap(), text);
}

#[test]
fn folders_that_cannot_be_written_are_errors() {
    let workdir = workdir();
    fs::write(workdir.path().join("file"), "x").unwrap();
    let failed = run(workdir.path(), &tiny(&["--out", "file/inside"]), 1);
    assert!(failed.contains("file/inside"), "{failed}");
    let refused = run(workdir.path(), &tiny(&["--out", "file"]), 2);
    assert!(refused.contains("not a folder"), "{refused}");
}

#[test]
fn errors_in_experiments_show_the_line() {
    let workdir = workdir();
    for (change, parts) in [
        (("games = 45", "gamse = 45"), vec!["bad.toml:4:1", "did you mean `games`", "^^^^^"]),
        (("games = 45", "games = 0"), vec!["bad.toml:4:1", "from 1 up"]),
        (("kind = \"mcts\"", "kind = \"mtcs\""), vec!["bad.toml:19:1", "did you mean `mcts`"]),
        (("depth = [1, 2]", "depth = [1, 200]"), vec!["bad.toml:11:1", "200", "1 to 60"]),
        (("\"snake\"", "\"snaek\""), vec!["bad.toml", "did you mean `snake`"]),
        (("runs = 2", "runs = 2\nlabel = \"random\""), vec!["bad.toml", "two agents are called `random`"]),
        (("seed = 3", "seed = 3\npublished = \"none.csv\""), vec!["none.csv"]),
        (("seed = 3", "seed = "), vec!["bad.toml:3"]),
    ] {
        fs::write(workdir.path().join("bad.toml"), EXPERIMENT.replacen(change.0, change.1, 1)).unwrap();
        let refused = run(workdir.path(), &["compare", "bad.toml", "--format", "none"], 2);
        for part in parts {
            assert!(refused.contains(part), "{change:?}\n{refused}");
        }
        assert!(!workdir.path().join("results").exists(), "{change:?}");
    }
    for (arguments, part) in [
        (vec!["compare"], "required"),
        (vec!["compare", "absent.toml"], "absent.toml"),
        (vec!["compare", "tiny.toml", "--games", "0"], "--games"),
        (vec!["compare", "tiny.toml", "--threads", "0"], "--threads"),
        (vec!["compare", "tiny.toml", "--record", "some"], "best, worst, all"),
        (vec!["compare", "tiny.toml", "--format", "gif"], "gif"),
        (vec!["compare", "--agent", "expectimx"], "did you mean `expectimax`"),
        (vec!["compare", "--agent", "random", "--agent", "random"], "two agents are called `random`"),
        (vec!["compare", "--agent", "random", "--opponent", "random"], "against chance"),
    ] {
        let refused = run(workdir.path(), &arguments, 2);
        assert!(refused.contains(part), "{arguments:?}\n{refused}");
    }
}

#[test]
fn agents_can_be_named_without_a_file() {
    let workdir = tempfile::tempdir().unwrap();
    let arguments = ["compare", "--agent", "random", "--agent", "greedy", "--games", "30", "--format", "none"];
    let said = stdout_in(workdir.path(), &arguments);
    assert!(said.starts_with("agent") && said.contains("greedy outscores random"), "{said}");
    let again = run(workdir.path(), &arguments, 0);
    let table = said.split("\n\n").next().unwrap();
    assert!(again.starts_with(table) && again.contains("nothing to play"), "{said}\n{again}");
    let json = stdout_in(workdir.path(), &[&arguments[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["summary"][0]["agent"], "greedy");
    assert_eq!(json["summary"][0]["games"], 30);
}

#[test]
fn agents_that_depend_on_the_clock_are_marked() {
    let workdir = tempfile::tempdir().unwrap();
    let timed = ["compare", "--agent", "rollout:ms=0.02", "--games", "2", "--format", "none", "--out", "timed"];
    let said = run(workdir.path(), &timed, 0);
    assert!(said.contains("depends on the speed of the machine"), "{said}");
    let manifest = fs::read_to_string(workdir.path().join("timed/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["timed"][0], "rollout ms=0.02");
    let refused = run(workdir.path(), &[&timed[..], &["--record", "best"]].concat(), 2);
    assert!(refused.contains("its moves depend on the clock"), "{refused}");
}

#[test]
fn kept_games_are_valid_records() {
    let workdir = tempfile::tempdir().unwrap();
    let agents = ["compare", "--agent", "rollout:runs=2", "--agent", "random", "--games", "12", "--format", "none"];
    for keep in ["best", "worst"] {
        run(workdir.path(), &[&agents[..], &["--out", keep, "--record", keep]].concat(), 0);
        let records: Vec<PathBuf> = files(&workdir.path().join(keep).join("records"));
        assert_eq!(records.len(), 2, "{records:?}");
        for record in &records {
            run(workdir.path(), &["replay", &record.to_string_lossy(), "--check"], 0);
        }
    }
    let (best, worst) = (score_of(&workdir.path().join("best")), score_of(&workdir.path().join("worst")));
    assert!(best > worst, "{best} {worst}");
}

/// The score of the first record.
fn score_of(results: &Path) -> u64 {
    let record = fs::read_to_string(&files(&results.join("records"))[0]).unwrap();
    let end = record.lines().find_map(|line| line.strip_prefix("end ")).unwrap();
    end.split(' ').next().unwrap().parse().unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn two_player_games_have_outcomes() {
    let workdir = tempfile::tempdir().unwrap();
    let arguments =
        ["compare", "--game", "tic-tac-toe", "--opponent", "random", "--agent", "minimax:depth=9", "--agent", "random"];
    run(workdir.path(), &[&arguments[..], &["--games", "40", "--out", "ttt", "--format", "svg"]].concat(), 0);
    let games = fs::read_to_string(workdir.path().join("ttt/games.csv")).unwrap();
    let lost = games.lines().filter(|line| line.starts_with("minimax") && line.contains(",-1,")).count();
    assert_eq!(lost, 0, "minimax never loses");
    assert!(games.lines().any(|line| line.starts_with("random") && line.contains(",-1,")));
    assert!(workdir.path().join("ttt/figures/outcomes.svg").exists());
}

#[test]
fn every_shipped_experiment_is_valid() {
    let experiments = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut read = 0;
    for path in files(&experiments).iter().filter(|path| path.extension().is_some_and(|e| e == "toml")) {
        let text = fs::read_to_string(path).unwrap();
        if !text.contains("[[agents]]") {
            continue;
        }
        let comparison = match Comparison::open(path, Overrides::default()) {
            // The weights of large networks are not kept: such an experiment says how to train them first.
            Err(problem) if problem.message.contains("network.bin` cannot be read") => {
                assert!(text.contains("lab2048 learn experiments/"), "{problem}");
                continue;
            }
            found => found.unwrap_or_else(|problem| panic!("{problem}")),
        };
        assert_eq!(path.file_stem().unwrap().to_str(), Some(comparison.name.as_str()));
        assert!(comparison.entrants.iter().all(|entrant| !entrant.agent.is_timed()), "{}", comparison.name);
        assert!(comparison.published.iter().all(|path| path.exists()), "{}", comparison.name);
        read += 1;
    }
    assert!(read >= 8);
}
