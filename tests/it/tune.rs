//! `lab2048 tune`: the same bytes after any interruption, and clear errors.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::program::{files, lab, run};

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
budget = 1000

[validation]
games = 20
every = 200

[slices]
points = 3
games = 10

[ablation]
games = 10

[test]
games = 100
"#;

/// A folder with the experiment in `tiny.toml`.
fn workdir() -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("tiny.toml"), EXPERIMENT).unwrap();
    workdir
}

fn edit(workdir: &TempDir, from: &str, to: &str) {
    let path = workdir.path().join("tiny.toml");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn start(workdir: &TempDir) -> Child {
    let quiet = ["tune", "tiny.toml", "--quiet", "--threads", "2"];
    lab(workdir.path(), &quiet).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Every repeatable output by its name, the manifest included.
fn outputs(workdir: &TempDir) -> BTreeMap<PathBuf, Vec<u8>> {
    let results = workdir.path().join("results/tiny");
    let name = |path: &PathBuf| path.strip_prefix(&results).unwrap().to_path_buf();
    let is_repeatable = |path: &PathBuf| !name(path).starts_with("segments") && name(path) != Path::new("run.json");
    files(&results).into_iter().filter(is_repeatable).map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

/// How many bytes of finished games are stored.
fn stored(workdir: &TempDir) -> u64 {
    let segments = workdir.path().join("results/tiny/segments");
    if !segments.is_dir() {
        return 0;
    }
    files(&segments).iter().map(|path| fs::metadata(path).map_or(0, |file| file.len())).sum()
}

fn assert_same(left: &BTreeMap<PathBuf, Vec<u8>>, right: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!(left.keys().collect::<Vec<_>>(), right.keys().collect::<Vec<_>>());
    for (name, bytes) in left {
        assert!(*bytes == right[name], "{} differs", name.display());
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (one, eight) = (workdir(), workdir());
    let said = run(one.path(), &["tune", "tiny.toml", "--threads", "1"], 0);
    run(eight.path(), &["tune", "tiny.toml", "--threads", "8"], 0);
    assert_same(&outputs(&one), &outputs(&eight));
    for part in ["start", "tuned", "Gain in mean score", "lab2048 watch --agent expectimax:depth=2,heuristic=results"] {
        assert!(said.contains(part), "{part} is missing from {said}");
    }
    let best = "expectimax:depth=2,heuristic=results/tiny/best.toml";
    run(one.path(), &["hint", "--board", "2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2", "--agent", best], 0);
}

#[test]
fn kills_at_any_point_change_nothing() {
    let (whole, broken) = (workdir(), workdir());
    run(whole.path(), &["tune", "tiny.toml", "--quiet"], 0);
    let total = stored(&whole);
    // Each run is killed when it has stored a twelfth more of the games, so every kill comes while it plays.
    for kill in 0..12 {
        let mut child = start(&broken);
        while stored(&broken) < total * kill / 12 {
            assert!(child.try_wait().unwrap().is_none(), "the run was over before kill {kill}");
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(child.try_wait().unwrap().is_none(), "the run was over before kill {kill}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!broken.path().join("results/tiny/best.toml").exists(), "kill {kill} came after the end");
    }
    run(broken.path(), &["tune", "tiny.toml", "--quiet"], 0);
    assert_same(&outputs(&whole), &outputs(&broken));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_its_own_code_and_can_be_continued() {
    let (whole, broken) = (workdir(), workdir());
    run(whole.path(), &["tune", "tiny.toml", "--quiet"], 0);
    edit(&broken, "budget = 1000", "budget = 1000000");
    let mut child = start(&broken);
    while stored(&broken) < 5000 {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    edit(&broken, "budget = 1000000", "budget = 1000");
    run(broken.path(), &["tune", "tiny.toml", "--quiet"], 0);
    let evaluations = Path::new("evaluations.csv");
    assert!(outputs(&whole)[evaluations] == outputs(&broken)[evaluations]);
}

#[test]
fn a_larger_budget_keeps_the_first_half() {
    let workdir = workdir();
    let evaluations = || fs::read_to_string(workdir.path().join("results/tiny/evaluations.csv")).unwrap();
    run(workdir.path(), &["tune", "tiny.toml", "--quiet"], 0);
    let short = evaluations();
    edit(&workdir, "budget = 1000", "budget = 2000");
    run(workdir.path(), &["tune", "tiny.toml", "--quiet"], 0);
    let long = evaluations();
    assert!(long.starts_with(&short) && long.lines().count() == 2 * short.lines().count() - 1);
}

#[test]
fn bad_input_is_refused_before_anything_is_written() {
    for (from, to, part) in [
        ("name = \"mask.ratio\"", "name = \"mask.ratoi\"", "did you mean `mask.ratio`"),
        ("range = [0.1, 0.9]", "range = [0.6, 0.9]", "excludes the start"),
        ("range = [0.1, 0.9]", "range = [0.9, 0.1]", "must be below its upper end"),
        ("budget = 1000", "budget = 99", "too small"),
        ("kind = \"expectimax\"\ndepth = 2", "kind = \"random\"", "uses no heuristic"),
    ] {
        let workdir = workdir();
        edit(&workdir, from, to);
        let said = run(workdir.path(), &["tune", "tiny.toml"], 2);
        assert!(said.contains(part) && said.contains("tiny.toml:"), "{to}: {said}");
        assert!(!workdir.path().join("results").exists(), "{to}");
    }
}

#[test]
fn games_of_another_experiment_are_refused_and_kept() {
    let workdir = workdir();
    run(workdir.path(), &["tune", "tiny.toml", "--quiet"], 0);
    let before = outputs(&workdir);
    edit(&workdir, "seed = 5", "seed = 6");
    let said = run(workdir.path(), &["tune", "tiny.toml"], 2);
    assert!(said.contains("another experiment"), "{said}");
    assert_same(&before, &outputs(&workdir));
    // The manifest fits, but the header of the copied segment names the other experiment.
    run(workdir.path(), &["tune", "tiny.toml", "--quiet", "--out", "other"], 0);
    let foreign = files(&workdir.path().join("other/segments")).remove(0);
    let copied = workdir.path().join("results/tiny/segments").join(foreign.file_name().unwrap());
    fs::copy(&foreign, &copied).unwrap();
    edit(&workdir, "seed = 6", "seed = 5");
    let said = run(workdir.path(), &["tune", "tiny.toml"], 2);
    assert!(said.contains("holds games of another experiment"), "{said}");
    assert_eq!(fs::read(&foreign).unwrap(), fs::read(&copied).unwrap());
    let said = run(workdir.path(), &["tune", "tiny.toml", "--quiet", "--fresh", "--json"], 0);
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert!(said["parameters"]["mask.ratio"].is_number() && said["tuned"]["low"].is_number(), "{said}");
    assert_same(&before, &outputs(&workdir));
}

#[test]
fn figures_are_drawn_again_from_the_tables() {
    let workdir = workdir();
    run(workdir.path(), &["tune", "tiny.toml", "--quiet"], 0);
    let before = outputs(&workdir);
    fs::remove_dir_all(workdir.path().join("results/tiny/figures")).unwrap();
    run(workdir.path(), &["plot", "results/tiny"], 0);
    assert_same(&before, &outputs(&workdir));
    assert!(run(workdir.path(), &["plot", "results/tiny", "--only", "slice"], 2).contains("did you mean `slices`"));
}

#[test]
fn shipped_tuning_experiments_can_be_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tunes = |path: &PathBuf| path.is_file() && fs::read_to_string(path).unwrap().contains("\n[[parameters]]\n");
    let tunings: Vec<PathBuf> = files.filter(tunes).collect();
    assert!(tunings.len() >= 18, "{tunings:?}");
    for path in tunings {
        let tuning = lab2048::spec::Tuning::open(&path).unwrap();
        assert_eq!(Some(tuning.name.as_ref()), path.file_stem());
    }
}
