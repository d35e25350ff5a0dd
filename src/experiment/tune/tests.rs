use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::*;
use crate::heuristics::Heuristic;
use crate::play::GameResult;
use crate::report::manifest::{RunLog, Signed, sha256_of};

static RUNNING: AtomicBool = AtomicBool::new(false);

const FILE: &str = r#"goal = "none"

[agent]
kind = "greedy"

[heuristic]
preset = "basic"

[[parameters]]
name = "mask"
range = [0.01, 100]
scale = "log"

[[parameters]]
name = "smoothness"
range = [-10, -0.01]
scale = "log"

[optimizer]
kind = "KIND"
games = 2
budget = BUDGET

[validation]
games = 4
every = 20

[slices]
points = 3
games = 3

[ablation]
games = 3

[test]
games = 6
against = ["line-sum"]
"#;

fn tuning(folder: &Path, kind: &str, budget: u64) -> Tuning {
    let path = folder.join("tiny.toml");
    fs::write(&path, FILE.replace("KIND", kind).replace("BUDGET", &budget.to_string())).unwrap();
    Tuning::open(&path).unwrap()
}

fn options(folder: &Path, threads: usize) -> Options {
    Options { folder: folder.join("out"), threads, fresh: false, workers: Vec::new() }
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("out").join(name)).unwrap()
}

/// Stops the run after so many games, as if the user had pressed Ctrl-C.
struct StopAfter {
    games: AtomicU64,
    stop: &'static AtomicBool,
}

impl Progress for StopAfter {
    fn played(&self, _: usize, _: &GameResult) {
        if self.games.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn interruptions_do_not_change_the_outputs() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run(
        tuning(whole.path(), "random", 120),
        &options(whole.path(), 1),
        &FigureOptions::default(),
        &RUNNING,
        Arc::new(()),
    )
    .unwrap();
    let interrupted = |games: u64| {
        let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
        let watch = StopAfter { games: AtomicU64::new(games), stop };
        let outcome = run(
            tuning(broken.path(), "random", 120),
            &options(broken.path(), 2),
            &FigureOptions::default(),
            stop,
            Arc::new(watch),
        );
        matches!(outcome, Err(Error::Interrupted { .. }))
    };
    let mut interruptions = 0;
    while interrupted(30 + 7 * interruptions) {
        interruptions += 1;
        assert!(interruptions < 100, "it never ends");
    }
    assert!(interruptions > 2, "the run was too short to be interrupted");
    for name in [EVALUATIONS, TRAJECTORY, VALIDATION, SLICES, ABLATION, OPTIMISM, SUMMARY, GAMES, BEST] {
        assert_eq!(read(broken.path(), name), read(whole.path(), name), "{name}");
    }
}

#[test]
fn a_larger_budget_continues_the_same_search() {
    let folder = tempfile::tempdir().unwrap();
    let evaluations = |budget: u64| {
        run(
            tuning(folder.path(), "cma-es", budget),
            &options(folder.path(), 2),
            &FigureOptions::default(),
            &RUNNING,
            Arc::new(()),
        )
        .unwrap();
        read(folder.path(), EVALUATIONS)
    };
    let (short, long) = (evaluations(200), evaluations(400));
    assert!(long.starts_with(&short));
    assert_eq!((short.lines().count(), long.lines().count()), (1 + 100, 1 + 200));
}

#[test]
fn all_outputs_are_written_and_listed_with_their_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let tuning = tuning(folder.path(), "cma-es", 200);
    let TuningResult::Tuned(tuned) =
        run(tuning.clone(), &options(folder.path(), 2), &FigureOptions::default(), &RUNNING, Arc::new(())).unwrap()
    else {
        panic!()
    };
    let best = Heuristic::parse("best.toml", &read(folder.path(), BEST)).unwrap();
    for (dimension, value) in tuning.space.dimensions().iter().zip(&tuned.verdict.point) {
        assert_eq!(best.get(&dimension.name).unwrap().to_bits(), value.to_bits());
    }
    let agents: Vec<&str> = tuned.summary.rows().map(|row| row.text("agent")).collect();
    assert_eq!(agents, ["start", "tuned", "line-sum"]);
    let manifest = Manifest::read(&folder.path().join("out")).unwrap().unwrap();
    assert!(manifest.complete && manifest.measured.is_empty());
    let run = RunLog::read(&folder.path().join("out")).unwrap().unwrap();
    for (name, hash) in manifest.outputs.iter().chain(&run.outputs) {
        assert_eq!(sha256_of(&folder.path().join("out").join(name)).unwrap(), *hash, "{name}");
    }
    for name in ["figures/convergence.pdf", "figures/mask.svg", "figures/slices.png", EXPERIMENT] {
        assert!(manifest.outputs.contains_key(name), "{name}");
    }
}

#[test]
fn contests_and_transfers_have_tables_and_a_figure() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.toml");
    let contest = FILE
        .replace("\"KIND\"", "[\"random\", \"cma-es\"]\nrepeats = 2")
        .replace("games = 2\nbudget", "random.games = 2\ncma-es.games = 2\nbudget")
        .replace("BUDGET", "100");
    fs::write(&path, contest).unwrap();
    let TuningResult::Contest(found) = run(
        Tuning::open(&path).unwrap(),
        &options(folder.path(), 2),
        &FigureOptions::default(),
        &RUNNING,
        Arc::new(()),
    )
    .unwrap() else {
        panic!()
    };
    assert_eq!(found.standings.iter().map(|standing| standing.tested.len()).collect::<Vec<_>>(), [2, 2]);
    assert_eq!(read(folder.path(), SUMMARY).lines().count(), 1 + 1 + 4);
    assert!(read(folder.path(), "figures/optimizers.svg").contains("cma-es"));

    let transfer = FILE.replace("KIND", "cma-es").replace("BUDGET", "100").replace("\"greedy\"", "\"expectimax\"");
    fs::write(&path, format!("{transfer}\n[transfer]\ntune = [1]\ntest = [1, 2]\n")).unwrap();
    let elsewhere = Options { folder: folder.path().join("transfer"), threads: 2, fresh: false, workers: Vec::new() };
    let TuningResult::Transfer(found) =
        run(Tuning::open(&path).unwrap(), &elsewhere, &FigureOptions::default(), &RUNNING, Arc::new(())).unwrap()
    else {
        panic!()
    };
    assert_eq!((found.rows, found.columns), (vec!["start".into(), "1".into()], vec!["1".into(), "2".into()]));
    assert!(Heuristic::parse("x", &fs::read_to_string(elsewhere.folder.join("best-depth-1.toml")).unwrap()).is_ok());
}
