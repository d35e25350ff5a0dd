//! `tune --workers`: the same bytes as on one machine, also if workers or the leader fail.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::program::{files, lab, run, said};

const EXPERIMENT: &str = r#"name = "tiny"
seed = 5
goal = "none"

[agent]
kind = "expectimax"
depth = 2

[heuristic]
preset = "basic"

[[parameters]]
name = "mask"
range = [0.01, 100]
scale = "log"

[[parameters]]
name = "mask.ratio"
range = [0.1, 0.9]

[optimizer]
kind = "cma-es"
budget = 600

[validation]
games = 20
every = 200

[slices]
points = 3
games = 10

[ablation]
games = 10

[test]
games = 60
"#;

/// A folder with the experiment in `tiny.toml`.
fn workdir() -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("tiny.toml"), EXPERIMENT).unwrap();
    workdir
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_lab2048");

/// A command for workers that note their process in the file `workers`.
fn worker(threads: u32) -> String {
    format!("echo $$ >> workers; exec {PROGRAM} worker --threads {threads}")
}

fn arguments<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["tune", "tiny.toml", "--threads", "2", "--format", "none", "--out", out], more].concat()
}

fn start(workdir: &TempDir, more: &[&str]) -> Child {
    lab(workdir.path(), &arguments("out", more)).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Every repeatable output by its name.
fn outputs(workdir: &TempDir, out: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let results = workdir.path().join(out);
    let named = |path: PathBuf| (path.strip_prefix(&results).unwrap().to_path_buf(), fs::read(&path).unwrap());
    let is_repeatable = |(name, _): &(PathBuf, Vec<u8>)| !name.starts_with("segments") && name != Path::new("run.json");
    files(&results).into_iter().map(named).filter(is_repeatable).collect()
}

fn assert_same(workdir: &TempDir, out: &str, expected: &BTreeMap<PathBuf, Vec<u8>>) {
    let found = outputs(workdir, out);
    assert!(expected.contains_key(Path::new("best.toml")) && expected.contains_key(Path::new("manifest.json")));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{} differs", name.display());
    }
}

/// The results of this machine's own threads.
fn play_here(workdir: &TempDir) -> BTreeMap<PathBuf, Vec<u8>> {
    run(workdir.path(), &arguments("whole", &["--quiet"]), 0);
    outputs(workdir, "whole")
}

/// The processes of the workers that have begun.
fn processes(workdir: &TempDir) -> Vec<String> {
    fs::read_to_string(workdir.path().join("workers")).unwrap_or_default().lines().map(str::to_string).collect()
}

fn is_running(process: &str) -> bool {
    // A process that has ended and that nobody has waited for is still listed, in the state Z.
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn signal(name: &str, process: &str) {
    assert!(Command::new("kill").args([name, process]).status().unwrap().success());
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// How many bytes of finished games are stored.
fn stored(workdir: &TempDir) -> u64 {
    let segments = workdir.path().join("out/segments");
    if !segments.is_dir() {
        return 0;
    }
    files(&segments).iter().map(|path| fs::metadata(path).map_or(0, |file| file.len())).sum()
}

/// Waits until this many bytes of games are stored. The run must not end before.
fn wait_for_games(workdir: &TempDir, child: &mut Child, bytes: u64) {
    wait_until("no games were stored", || {
        assert!(child.try_wait().unwrap().is_none(), "the run was over too soon");
        stored(workdir) > bytes
    });
}

fn assert_succeeds(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

#[test]
fn one_worker_and_three_give_the_bytes_of_this_machine() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    run(workdir.path(), &arguments("one", &["--workers", &worker(2)]), 0);
    assert_same(&workdir, "one", &expected);
    run(workdir.path(), &arguments("three", &["--workers", &worker(1), "--worker-count", "3"]), 0);
    assert_same(&workdir, "three", &expected);
    assert_eq!(processes(&workdir).len(), 4);
    wait_until("the workers are still there", || !processes(&workdir).iter().any(|process| is_running(process)));
}

#[test]
fn searches_of_a_contest_run_side_by_side_with_the_same_bytes() {
    let workdir = workdir();
    let here = arguments("whole", &["--quiet", "--repeats", "3"]);
    run(workdir.path(), &here, 0);
    run(workdir.path(), &arguments("out", &["--repeats", "3", "--workers", &worker(1), "--worker-count", "2"]), 0);
    let found = outputs(&workdir, "out");
    for (name, bytes) in outputs(&workdir, "whole") {
        assert!(found[&name] == bytes, "{} differs", name.display());
    }
}

/// Workers get each player as text, so this tests players of every kind. Restarts depend on validation games.
#[test]
fn keys_of_the_agent_scenarios_and_restarts_give_the_same_bytes() {
    let workdir = workdir();
    let agent = "scenarios = [{ depth = 1 }, { depth = 2 }]\n";
    let key = "[[parameters]]\nname = \"agent.min-probability\"\nrange = [0, 0.1]\n\n";
    let text = EXPERIMENT
        .replacen("name =", &format!("{agent}name ="), 1)
        .replacen("[[parameters]]", &format!("{key}[[parameters]]"), 1)
        .replacen("budget = 600", "budget = 1200\nrestarts = 1", 1)
        .replacen("every = 200", "every = 100", 1);
    fs::write(workdir.path().join("tiny.toml"), text).unwrap();
    let expected = play_here(&workdir);
    run(workdir.path(), &arguments("out", &["--workers", &worker(1), "--worker-count", "2"]), 0);
    assert_same(&workdir, "out", &expected);

    let alone = "name = \"tiny\"\ngoal = 256\n[agent]\nkind = \"mcts\"\niterations = 4\n[[parameters]]\nname = \
                 \"agent.exploration\"\nrange = [0.1, 10]\nscale = \"log\"\n[optimizer]\nkind = \"random\"\nbudget = 1000\n\
                 [test]\ngames = 20\n[validation]\ngames = 10\nevery = 500\n";
    fs::write(workdir.path().join("tiny.toml"), alone).unwrap();
    run(workdir.path(), &arguments("alone", &["--quiet"]), 0);
    run(workdir.path(), &arguments("alone-workers", &["--workers", &worker(1)]), 0);
    let found = outputs(&workdir, "alone-workers");
    assert!(found.contains_key(Path::new("manifest.json")));
    assert_eq!(found, outputs(&workdir, "alone"));
}

#[test]
fn the_games_of_a_killed_worker_go_to_the_others() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    let mut leader = start(&workdir, &["--workers", &worker(1), "--worker-count", "3"]);
    wait_for_games(&workdir, &mut leader, 4_000);
    signal("-KILL", &processes(&workdir)[0]);
    let said = assert_succeeds(leader);
    assert!(said.contains("worker ") && said.contains("signal: 9"), "{said}");
    assert_same(&workdir, "out", &expected);
}

#[test]
fn the_games_of_a_stopped_worker_are_repeated_by_others() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    let mut leader = start(&workdir, &["--workers", &worker(1), "--worker-count", "2"]);
    wait_for_games(&workdir, &mut leader, 4_000);
    let stopped = processes(&workdir)[1].clone();
    signal("-STOP", &stopped);
    assert_succeeds(leader);
    assert_same(&workdir, "out", &expected);
    wait_until("the stopped worker was left behind", || !is_running(&stopped));
}

#[test]
fn a_killed_leader_leaves_no_workers_and_resumes_with_any_number_of_them() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    for (count, bytes) in [("1", 3_000), ("3", 9_000)] {
        let mut leader = start(&workdir, &["--workers", &worker(1), "--worker-count", count]);
        wait_for_games(&workdir, &mut leader, bytes);
        leader.kill().unwrap();
        leader.wait().unwrap();
        wait_until("workers outlive their leader", || !processes(&workdir).iter().any(|process| is_running(process)));
        assert!(!workdir.path().join("out/best.toml").exists());
    }
    run(workdir.path(), &arguments("out", &["--workers", &worker(2), "--worker-count", "2"]), 0);
    assert_same(&workdir, "out", &expected);
}

#[test]
fn a_run_that_loses_all_workers_ends_and_the_same_command_continues_it() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    let mut leader = start(&workdir, &["--workers", &worker(1), "--worker-count", "2"]);
    wait_for_games(&workdir, &mut leader, 4_000);
    processes(&workdir).iter().for_each(|process| signal("-KILL", process));
    let output = leader.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("run the same command again to continue"), "{}", said(&output));
    run(workdir.path(), &arguments("out", &["--workers", &worker(1), "--worker-count", "2"]), 0);
    assert_same(&workdir, "out", &expected);
}

#[test]
fn hosts_are_read_from_a_file_and_inserted_into_the_command() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    fs::write(workdir.path().join("hosts"), "# two machines\nalpha\n\nbeta  # the other\n").unwrap();
    let command = format!("echo {{host}} >> seen; exec {PROGRAM} worker --threads 1");
    run(workdir.path(), &arguments("out", &["--workers", &command, "--hosts", "hosts"]), 0);
    assert_same(&workdir, "out", &expected);
    let mut seen: Vec<String> =
        fs::read_to_string(workdir.path().join("seen")).unwrap().lines().map(str::to_string).collect();
    seen.sort();
    assert_eq!(seen, ["alpha", "beta"]);
}

#[test]
fn workers_that_cannot_be_used_are_named_and_nothing_is_lost() {
    let workdir = workdir();
    let hello =
        r#"{"hello":{"tool":"TOOL","engine":ENGINE,"arithmetic":"SUM","threads":1,"host":"oldhost","cpu":"Abacus"}}"#;
    let says = |engine: &str, sum: &str| {
        let tool = format!("lab2048 {}", env!("CARGO_PKG_VERSION"));
        let text = hello.replace("TOOL", &tool).replace("ENGINE", engine).replace("SUM", sum);
        format!("echo '{text}'; cat > /dev/null")
    };
    let revision = lab2048::engine::ENGINE_REVISION.to_string();
    for (command, part) in [
        ("/nowhere/lab2048 worker".to_string(), "worker 0 (`/nowhere/lab2048 worker`) ended with exit status: 127"),
        (
            format!("echo Welcome to the cluster; exec {PROGRAM} worker"),
            "said `Welcome to the cluster` instead of its greeting",
        ),
        (says("1", "0"), "worker 0 on oldhost has engine revision 1"),
        (
            says(&revision, "0"),
            "worker 0 on oldhost computes on `Abacus`, whose floating-point functions round differently",
        ),
        ("true".to_string(), "exit status: 0"),
    ] {
        let said = run(workdir.path(), &arguments("out", &["--workers", &command]), 2);
        assert!(said.contains("no worker can be used") && said.contains(part), "{command}: {said}");
    }
    // One good worker is enough, and the others are named.
    let mixed =
        format!("if mkdir taken 2>/dev/null; then {}; else exec {PROGRAM} worker --threads 1; fi", says("1", "0"));
    let expected = play_here(&workdir);
    let said = run(workdir.path(), &arguments("out", &["--workers", &mixed, "--worker-count", "2"]), 0);
    assert!(said.contains("on oldhost has engine revision 1"), "{said}");
    assert_same(&workdir, "out", &expected);
}

#[test]
fn wrong_arguments_are_refused_before_anything_is_written() {
    let workdir = workdir();
    fs::write(workdir.path().join("empty"), "# nobody\n").unwrap();
    fs::write(workdir.path().join("odd"), "alpha\n$(reboot)\n").unwrap();
    for (more, part) in [
        (&["--worker-count", "2"][..], "--workers"),
        (&["--workers", " "], "is empty"),
        (&["--workers", "ssh {host} lab2048 worker"], "--hosts must name a file"),
        (&["--workers", "lab2048 worker", "--hosts", "empty"], "needs {host}"),
        (&["--workers", "ssh {host} x", "--hosts", "empty"], "names no hosts"),
        (&["--workers", "ssh {host} x", "--hosts", "absent"], "cannot read `absent`"),
        (&["--workers", "ssh {host} x", "--hosts", "odd"], "`odd`, line 2: `$(reboot)` is not the name of a host"),
        (&["--workers", "x", "--worker-count", "0"], "worker-count"),
    ] {
        let said = run(workdir.path(), &arguments("out", more), 2);
        assert!(said.contains(part), "{more:?}: {said}");
    }
    assert!(!workdir.path().join("out").exists());
}

#[test]
fn a_worker_that_gets_an_unknown_message_ends_with_an_error() {
    let mut child = lab(Path::new("."), &["worker", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"hello\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("the leader: "), "{}", said(&output));
}
