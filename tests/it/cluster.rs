//! Shards and merge: many processes play, and the results are those of one machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use lab2048::store::checksum::{seal, unseal};
use tempfile::TempDir;

use crate::program::{files, lab, run, said};

/// Expensive and cheap agents, so that blocks have several sizes. The numbers of blocks are 40, 20, 4, 2 and 1: 67 in
/// all.
const EXPERIMENT: &str = r#"
name = "tiny"
seed = 3
games = 40

[[agents]]
kind = "random"

[[agents]]
kind = "expectimax"
depth = [1, 2]
heuristic = "line-sum"

[[agents]]
kind = "expectimax"
work = [1000000, 300000, 30000, 10]
depth = 2
"#;

/// A folder with the experiment in `tiny.toml`.
fn workdir() -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("tiny.toml"), EXPERIMENT).unwrap();
    workdir
}

fn arguments<'a>(command: &'a str, out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command, "tiny.toml", "--threads", "1", "--out", out], more].concat()
}

fn play_shard(workdir: &TempDir, shard: &str) -> String {
    run(workdir.path(), &arguments("compare", "out", &["--shard", shard]), 0)
}

fn merge(workdir: &TempDir, code: i32) -> String {
    run(workdir.path(), &arguments("merge", "out", &["--format", "svg"]), code)
}

fn play_here(workdir: &TempDir) -> BTreeMap<String, Vec<u8>> {
    run(workdir.path(), &arguments("compare", "whole", &["--format", "svg", "--quiet"]), 0);
    repeatable(&workdir.path().join("whole"))
}

/// All files that must not depend on who plays: all but the stored games, the times, and the files that show times.
fn repeatable(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let measured = ["run.json", "report.", "tables.tex", "timing", "figures/cost", "figures/pareto", "segments/"];
    let named =
        |path: PathBuf| (path.strip_prefix(folder).unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap());
    let all = files(folder).into_iter().map(named);
    all.filter(|(name, _)| !measured.iter().any(|part| name.starts_with(part))).collect()
}

fn assert_same(found: &Path, expected: &BTreeMap<String, Vec<u8>>) {
    let found = repeatable(found);
    assert!(expected.contains_key("manifest.json") && expected.contains_key("games.csv"));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, bytes) in expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
}

fn segments(workdir: &TempDir) -> Vec<PathBuf> {
    let mut segments = files(&workdir.path().join("out/segments"));
    segments.sort();
    segments
}

/// The segment of a shard.
fn segment_of(workdir: &TempDir, shard: &str) -> PathBuf {
    let named = format!("\"shard\":\"{shard}\"");
    segments(workdir).into_iter().find(|path| fs::read_to_string(path).unwrap().contains(&named)).unwrap()
}

/// Changes the content of one line of a segment, with a good checksum.
fn rewrite_line(path: &Path, line: usize, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines: Vec<String> = text.lines().map(|line| format!("{line}\n")).collect();
    lines[line] = seal(&change(unseal(lines[line].trim_end().as_bytes()).unwrap()));
    fs::write(path, lines.concat()).unwrap();
}

#[test]
fn shards_and_merge_give_the_results_of_one_machine() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    for shard in ["2/3", "0/3", "1/3"] {
        let said = play_shard(&workdir, shard);
        assert!(said.contains(&format!("Shard {shard} is complete")), "{said}");
    }
    assert_eq!(
        fs::read_dir(workdir.path().join("out")).unwrap().count(),
        1,
        "a shard writes segments and nothing else"
    );
    assert!(merge(&workdir, 0).contains("Results are in out"));
    assert_same(&workdir.path().join("out"), &expected);
    run(workdir.path(), &["verify", "out"], 0);
    // Nothing is played twice, and a finished folder can be merged again.
    assert!(play_shard(&workdir, "0/3").contains(": 0 of "));
    merge(&workdir, 0);
    assert_same(&workdir.path().join("out"), &expected);
}

#[test]
fn shards_may_run_at_once_and_some_of_them_twice() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    let start = |shard: &&str| -> Child {
        let mut command = lab(workdir.path(), &arguments("compare", "out", &["--shard", shard]));
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<Child> = ["0/4", "1/4", "2/4", "3/4", "1/4", "0/2"].iter().map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
    // A copy of a segment is a set of duplicates, too.
    let segments = segments(&workdir);
    fs::copy(&segments[0], segments[0].with_file_name("copy.segment")).unwrap();
    merge(&workdir, 0);
    assert_same(&workdir.path().join("out"), &expected);
}

#[test]
fn missing_blocks_are_reported_with_the_shards_to_run_again() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    let said = merge(&workdir, 1);
    assert!(said.contains("there are no games of `tiny`") && !workdir.path().join("out").exists(), "{said}");
    for shard in ["0/4", "2/4"] {
        play_shard(&workdir, shard);
    }
    let said = merge(&workdir, 1);
    assert!(said.contains("blocks are missing") && said.contains("games "), "{said}");
    assert!(said.contains("--shard 1/4, 3/4 (in a job array: --array=1,3)"), "{said}");
    assert!(!workdir.path().join("out/games.csv").exists());
    play_shard(&workdir, "1/4");
    assert!(merge(&workdir, 1).contains("run again: --shard 3/4"));
    play_shard(&workdir, "3/4");
    merge(&workdir, 0);
    assert_same(&workdir.path().join("out"), &expected);
}

#[test]
fn a_torn_tail_is_dropped_and_played_again() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    for shard in ["0/2", "1/2"] {
        play_shard(&workdir, shard);
    }
    let torn = segment_of(&workdir, "1/2");
    let bytes = fs::read(&torn).unwrap();
    fs::write(&torn, &bytes[..bytes.len() * 2 / 3]).unwrap();
    assert!(merge(&workdir, 1).contains("run again: --shard 1/2"));
    let said = play_shard(&workdir, "1/2");
    assert!(!said.contains(": 0 of "), "{said}");
    merge(&workdir, 0);
    assert_same(&workdir.path().join("out"), &expected);
}

/// Everything that may go wrong, in one folder: duplicates, a hole and a torn tail.
#[test]
fn duplicates_a_hole_and_a_torn_tail_at_once() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    for shard in ["0/4", "1/4", "2/4"] {
        play_shard(&workdir, shard);
    }
    let copied = segment_of(&workdir, "0/4");
    fs::copy(&copied, copied.with_file_name("copy.segment")).unwrap();
    let torn = segment_of(&workdir, "2/4");
    let bytes = fs::read(&torn).unwrap();
    fs::write(&torn, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let named = merge(&workdir, 1);
    assert!(named.contains("run again: --shard 2/4, 3/4 (in a job array: --array=2,3)"), "{named}");
    assert!(!workdir.path().join("out/games.csv").exists());
    let start = |shard: &&str| -> Child {
        let mut command = lab(workdir.path(), &arguments("compare", "out", &["--shard", shard]));
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<Child> = ["2/4", "3/4", "2/4"].iter().map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
    merge(&workdir, 0);
    assert_same(&workdir.path().join("out"), &expected);
}

#[test]
fn a_killed_shard_loses_only_what_it_was_playing() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    let mut child = lab(workdir.path(), &arguments("compare", "out", &["--shard", "0/1"]))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = || match workdir.path().join("out/segments").is_dir() {
        true => segments(&workdir).iter().map(|path| fs::read_to_string(path).unwrap().lines().count()).sum(),
        false => 0,
    };
    while lines() < 20 {
        assert!(child.try_wait().unwrap().is_none(), "the shard was over too soon");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(merge(&workdir, 1).contains("run again: --shard 0/1"));
    let said = play_shard(&workdir, "0/1");
    assert!(!said.contains(": 280 of 280"), "what was finished is kept: {said}");
    merge(&workdir, 0);
    assert_same(&workdir.path().join("out"), &expected);
}

#[test]
fn segments_of_another_experiment_or_revision_are_refused_by_name() {
    let workdir = workdir();
    for shard in ["0/2", "1/2"] {
        play_shard(&workdir, shard);
    }
    let foreign = segment_of(&workdir, "0/2");
    let original = fs::read(&foreign).unwrap();
    for (from, to, part) in [
        ("\"engine\":", "\"engine\":9", "was played by engine revision 9"),
        ("\"configuration\":\"", "\"configuration\":\"0", "holds games of another experiment"),
        ("\"arithmetic\":\"", "\"arithmetic\":\"0", "round differently"),
    ] {
        fs::write(&foreign, &original).unwrap();
        rewrite_line(&foreign, 0, |header| header.replacen(from, to, 1));
        let before = fs::read(&foreign).unwrap();
        for command in [arguments("merge", "out", &[]), arguments("compare", "out", &["--shard", "0/2"])] {
            let said = run(workdir.path(), &command, 2);
            let name = foreign.file_name().unwrap().to_str().unwrap();
            assert!(said.contains(part) && said.contains(name), "{said}");
        }
        assert_eq!(fs::read(&foreign).unwrap(), before);
    }
    fs::write(&foreign, &original).unwrap();
    // A merge with the wrong experiment does not claim the folder for it.
    let other = EXPERIMENT.replace("seed = 3", "seed = 4");
    fs::write(workdir.path().join("other.toml"), other).unwrap();
    let said = run(workdir.path(), &["merge", "other.toml", "--out", "out"], 2);
    assert!(said.contains("holds games of another experiment; move the file away"), "{said}");
    merge(&workdir, 0);
    // Copies of a block must agree.
    let copy = foreign.with_file_name("copy.segment");
    fs::write(&copy, &original).unwrap();
    rewrite_line(&copy, 3, |block| block.replacen("false", "true", 1));
    let said = merge(&workdir, 1);
    assert!(said.contains("copy.segment`, line 4") && said.contains("different results"), "{said}");
}

#[test]
fn times_from_several_processors_are_marked() {
    let workdir = workdir();
    for shard in ["0/2", "1/2"] {
        play_shard(&workdir, shard);
    }
    let cpu = |header: &str| header.replacen("\"cpu\":\"", "\"cpu\":\"Abacus ", 1);
    rewrite_line(&segment_of(&workdir, "0/2"), 0, cpu);
    let said = merge(&workdir, 0);
    assert!(said.contains("measured on different processors") && said.contains("Abacus"), "{said}");
    assert!(fs::read_to_string(workdir.path().join("out/report.md")).unwrap().contains("Abacus"));
    let log = fs::read_to_string(workdir.path().join("out/run.json")).unwrap();
    assert_eq!(log.matches("\"cpu\": \"").count(), 2);
    assert_eq!(log.matches("\"cpu\": \"Abacus").count(), 1);
}

#[test]
fn wrong_shards_are_refused_before_anything_is_written() {
    let workdir = workdir();
    for (more, part) in [
        (&["--shard", "3/2"][..], "the last 1/2"),
        (&["--shard", "0/0"], "no shards"),
        (&["--shard", "one"], "write I/N"),
        (&["--shard", "0/2", "--fresh"], "cannot be used with"),
        (&["--shard", "0/2", "--record", "all"], "cannot be used with"),
    ] {
        let said = run(workdir.path(), &arguments("compare", "out", more), 2);
        assert!(said.contains(part), "{more:?}: {said}");
        assert!(!workdir.path().join("out").exists());
    }
    fs::create_dir(workdir.path().join("notes")).unwrap();
    fs::write(workdir.path().join("notes/mine.txt"), "mine").unwrap();
    let said = run(workdir.path(), &arguments("compare", "notes", &["--shard", "0/2"]), 2);
    assert!(said.contains("not a results folder"), "{said}");
    assert_eq!(files(&workdir.path().join("notes")).len(), 1);
    // Results of another seed are not mixed with these.
    run(workdir.path(), &arguments("compare", "other", &["--seed", "9", "--quiet", "--format", "none"]), 0);
    let said = run(workdir.path(), &arguments("compare", "other", &["--shard", "0/2"]), 2);
    assert!(said.contains("holds another experiment"), "{said}");
}

/// Runs a shell script in which `$LAB` is the program.
fn shell(workdir: &TempDir, script: &str) -> (Option<i32>, String) {
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(workdir.path())
        .env("LAB", env!("CARGO_BIN_EXE_lab2048"))
        .output()
        .unwrap();
    (output.status.code(), said(&output))
}

#[test]
fn a_full_disk_ends_a_shard_with_a_message_and_loses_nothing() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    // A limit on the size of files simulates a full disk.
    let (code, said) = shell(
        &workdir,
        "trap '' XFSZ; ulimit -f 16; exec \"$LAB\" compare tiny.toml --threads 1 --out out --shard 0/1",
    );
    assert!(code == Some(1) && said.contains(".segment`: File too large"), "{code:?} {said}");
    let said = play_shard(&workdir, "0/1");
    assert!(!said.contains(": 280 of 280"), "what was stored is kept: {said}");
    merge(&workdir, 0);
    assert_same(&workdir.path().join("out"), &expected);
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_named() {
    let workdir = workdir();
    // Nobody can create a folder in /proc, not even the superuser.
    let said = run(workdir.path(), &arguments("compare", "/proc/self/out", &["--shard", "0/2"]), 1);
    assert!(said.contains("`/proc/self/out/segments`"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_system_without_flock_changes_nothing() {
    let workdir = workdir();
    let expected = play_here(&workdir);
    for shard in ["0/2", "1/2"] {
        play_shard(&workdir, shard);
    }
    // A library that simulates such a file system: `flock` fails as it does on Lustre without support for it.
    fs::write(
        workdir.path().join("flock.c"),
        "#include <errno.h>\nint flock(int f, int o) { errno = ENOSYS; return -1; }\n",
    )
    .unwrap();
    let (code, said) = shell(
        &workdir,
        "cc -shared -fPIC -o flock.so flock.c && LD_PRELOAD=$PWD/flock.so \"$LAB\" merge tiny.toml --out out --format svg",
    );
    assert_eq!(code, Some(0), "{said}");
    assert_same(&workdir.path().join("out"), &expected);
    // A search keeps a journal, also in this case; and a lock that a killed process has left is taken over.
    fs::write(workdir.path().join("tune.toml"), TUNING).unwrap();
    let tune = "LD_PRELOAD=$PWD/flock.so \"$LAB\" tune tune.toml --out tuned --format none --quiet";
    let killed = format!("{tune} & leader=$!; until [ -e tuned/.lock ]; do :; done; kill -9 $leader");
    shell(&workdir, &killed);
    let (code, said) = shell(&workdir, tune);
    assert_eq!(code, Some(0), "{said}");
    assert!(workdir.path().join("tuned/best.toml").exists());
}

const TUNING: &str = r#"
name = "tune"
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
[optimizer]
kind = "random"
budget = 1000
[validation]
games = 10
every = 500
[slices]
points = 3
games = 5
[ablation]
games = 5
[test]
games = 20
"#;
