use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::*;
use crate::heuristics::Heuristic;
use crate::play::GameResult;
use crate::report::manifest::{Checksummed, RunLog, sha256_of};
use crate::report::table::Table;
use crate::stats::Interval;

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

/// Stops the run after this many games, as if the user had pressed Ctrl-C.
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
    let evaluations = |budget: u64, seen_by: &[u64]| {
        let found = run(
            tuning(folder.path(), "cma-es", budget),
            &options(folder.path(), 2),
            &FigureOptions::default(),
            &RUNNING,
            Arc::new(()),
        );
        let TuningResult::Tuned(tuned) = found.unwrap() else { panic!() };
        assert_eq!(tuned.seen_by, seen_by);
        read(folder.path(), EVALUATIONS)
    };
    // `seen_by` lists the other budgets whose results were judged on the same test games. A repeated run adds none.
    let (short, long) = (evaluations(200, &[]), evaluations(400, &[200]));
    assert_eq!(evaluations(400, &[200]), long);
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
    assert_path(&Table::read(&folder.path().join("out").join(ABLATION)).unwrap());
    let agents: Vec<&str> = tuned.summary.rows().map(|row| row.text("agent")).collect();
    assert_eq!(agents, ["start", "tuned", "line-sum"]);
    let manifest = Manifest::read(&folder.path().join("out")).unwrap().unwrap();
    assert!(manifest.complete && manifest.measured.is_empty());
    let run = RunLog::read(&folder.path().join("out")).unwrap().unwrap();
    for (name, hash) in manifest.outputs.iter().chain(&run.outputs) {
        assert_eq!(sha256_of(&folder.path().join("out").join(name)).unwrap(), *hash, "{name}");
    }
    let drawn = ["convergence.pdf", "mask.svg", "slices.png", "importance.svg", "landscape.svg", "parallel.svg"];
    let drawn = drawn.iter().chain(&["evaluations.svg", "ablation.svg"]).map(|name| format!("figures/{name}"));
    for name in drawn.chain([EXPERIMENT, IMPORTANCE, LANDSCAPE].map(str::to_string)) {
        assert!(manifest.outputs.contains_key(&name), "{name}");
    }
}

/// Each step of an ablation path changes another parameter, and all changes together lead from the start to the end.
fn assert_path(path: &Table) {
    let mut names: Vec<&str> = path.rows().map(|row| row.text("step")).collect();
    assert_eq!(names[0], "start");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), path.rows().count());
    let objective: Vec<f64> = path.rows().filter_map(|row| row.number("objective")).collect();
    let changes: Vec<Interval> = path.rows().filter_map(|row| row.interval("change")).collect();
    assert_eq!((objective.len(), changes.len()), (path.rows().count(), path.rows().count() - 1));
    for (change, pair) in changes.iter().zip(objective.windows(2)) {
        assert!((change.estimate - (pair[1] - pair[0])).abs() < 0.02, "{change:?} {pair:?}");
        assert!(change.low < change.estimate && change.estimate < change.high);
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

/// Every kind of parameter, and scenarios.
const MIXED: &str = r#"goal = "none"
scenarios = [{ depth = 1 }, { depth = 2 }]
aggregate = "AGGREGATE"

[agent]
kind = "expectimax"

[heuristic]
preset = "basic"

[[parameters]]
name = "mask.cells"
start = "gradient"
range = [0.01, 100]
scale = "log"
symmetry = "diagonal"
monotone = true

[[parameters]]
name = "mask.tile"
choices = ["value", "power"]

[[parameters]]
name = "mask.power"
range = [0.1, 2]
when = { "mask.tile" = "power" }

[[parameters]]
name = "agent.min-probability"
range = [0, 0.1]

[[parameters]]
name = "agent.table"
range = [6, 16]

[optimizer]
kind = "cma-es"
games = 1
budget = 160

[validation]
games = 3
every = 80

[slices]
points = 3
games = 2

[ablation]
games = 2

[test]
games = 4
scenarios = [{ depth = 3 }]
"#;

fn mixed(folder: &Path, aggregate: &str, stop: &'static AtomicBool, watch: Arc<dyn Progress>) -> Result<Tuned, Error> {
    let path = folder.join("mixed.toml");
    fs::write(&path, MIXED.replace("AGGREGATE", aggregate)).unwrap();
    let threads = folder.to_string_lossy().len() % 2 + 1;
    let tuning = Tuning::open(&path).unwrap();
    match run(tuning, &options(folder, threads), &FigureOptions::default(), stop, watch)? {
        TuningResult::Tuned(tuned) => Ok(*tuned),
        _ => panic!("one search"),
    }
}

#[test]
fn mixed_parameters_in_scenarios_have_the_same_outputs_after_interruptions() {
    for aggregate in ["mean", "mean-rank"] {
        let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let tuned = mixed(whole.path(), aggregate, &RUNNING, Arc::new(())).unwrap();
        let labels: Vec<&str> = tuned.verdict.scenarios.iter().map(|row| row.scenario.as_str()).collect();
        assert_eq!(labels, ["depth=1", "depth=1", "depth=2", "depth=2", "depth=3", "depth=3"]);
        let mut stops = 0;
        loop {
            let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
            let watch = StopAfter { games: AtomicU64::new(300 + 150 * stops), stop };
            match mixed(broken.path(), aggregate, stop, Arc::new(watch)) {
                Ok(_) => break,
                Err(error) => assert!(matches!(error, Error::Interrupted { .. }), "{error}"),
            }
            stops += 1;
        }
        assert!(stops > 1, "the run was too short to be interrupted");
        let names = [EVALUATIONS, TRAJECTORY, VALIDATION, SLICES, PARAMETERS, SCENARIOS, MASK, GAMES, BEST];
        for name in names.into_iter().chain(["best-agent.toml", "figures/mask.svg", "figures/scenarios.svg"]) {
            assert_eq!(read(broken.path(), name), read(whole.path(), name), "{name}");
        }
        assert!(read(whole.path(), PARAMETERS).contains("0 value, 1 power"));
        assert!(read(whole.path(), MASK).starts_with("1,1_low,1_high,2,"));
        let folder = whole.path().join("out");
        let manifest = Manifest::read(&folder).unwrap().unwrap();
        let tuning = reopen(&folder, &manifest).unwrap();
        let players = tested_players(&folder, &tuning).unwrap();
        let tuned = players.iter().find(|(name, _)| name == "tuned depth=3").map(|(_, player)| player).unwrap();
        let game = Twenty48::new(tuning.game.goal());
        let seed = Seeds::<Test>::new(tuning.seed).game(0).value();
        let agent = tuned.factory(&game).unwrap()().unwrap();
        let again = Players::against_chance(agent).play(&game, seed);
        let listed = read(whole.path(), GAMES);
        let line = listed.lines().find(|line| line.starts_with("tuned depth=3,0,")).unwrap();
        assert!(line.contains(&format!(",{},", again.score)), "{line}: {}", again.score);
    }
}

#[test]
fn an_agent_alone_is_tuned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agent.toml");
    let file = "[agent]\nkind = \"mcts\"\niterations = 4\n[[parameters]]\nname = \"agent.exploration\"\nrange = [0.1, 10]\nscale = \"log\"\n\
                [[parameters]]\nname = \"agent.choice\"\n[optimizer]\ngames = 1\nbudget = 60\n[validation]\ngames = 2\nevery = 40\n\
                [slices]\npoints = 2\ngames = 2\n[ablation]\ngames = 2\n[test]\ngames = 3\n";
    fs::write(&path, format!("goal = 128\n{file}")).unwrap();
    let tuning = Tuning::open(&path).unwrap();
    run(tuning, &options(folder.path(), 2), &FigureOptions::default(), &RUNNING, Arc::new(())).unwrap();
    assert!(!folder.path().join("out/best.toml").exists());
    let agent = AgentSpec::open(&folder.path().join("out/best-agent.toml")).unwrap();
    assert!(agent.to_string().contains("exploration=") && agent.to_string().contains("choice="), "{agent}");
}

#[test]
fn a_front_is_found_tested_and_the_same_after_interruptions() {
    let file = "objectives = [\"mean-score\", \"work-per-move\"]\ngoal = 256\n[agent]\nkind = \"expectimax\"\ndepth = 1\n\
                [heuristic]\npreset = \"basic\"\n[[parameters]]\nname = \"agent.depth\"\nrange = [1, 3]\n\
                [[parameters]]\nname = \"smoothness\"\nrange = [-10, -0.01]\nscale = \"log\"\n\
                [optimizer]\npopulation = 8\ngames = 2\nbudget = 120\n[test]\ngames = 4\n";
    let play = |folder: &Path, threads: usize, stop: &'static AtomicBool, watch: Arc<dyn Progress>| {
        let path = folder.join("front.toml");
        fs::write(&path, file).unwrap();
        run(Tuning::open(&path).unwrap(), &options(folder, threads), &FigureOptions::default(), stop, watch)
    };
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let TuningResult::Front(front) = play(whole.path(), 1, &RUNNING, Arc::new(())).unwrap() else { panic!() };
    assert!(front.points.len() > 1 && front.trained <= 120);
    // A better score costs more work in training, and front points are sorted by score.
    assert_eq!(front.points[0].name, "start");
    let mut stops = 0;
    loop {
        let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
        let watch = StopAfter { games: AtomicU64::new(20 + 13 * stops), stop };
        match play(broken.path(), 2, stop, Arc::new(watch)) {
            Ok(_) => break,
            Err(error) => assert!(matches!(error, Error::Interrupted { .. }), "{error}"),
        }
        stops += 1;
    }
    assert!(stops > 1, "the run was too short to be interrupted");
    for name in [EVALUATIONS, FRONT, HYPERVOLUME, SUMMARY, "front-1.toml", "front-1-agent.toml", "figures/front.svg"] {
        assert_eq!(read(broken.path(), name), read(whole.path(), name), "{name}");
    }
    let timed = Table::read(&whole.path().join("out").join(TIMING_SUMMARY)).unwrap();
    assert_eq!(timed.rows().count(), front.points.len());
    assert!(timed.rows().all(|row| row.interval("microseconds_per_move").is_some_and(|time| time.low > 0.0)));
    assert!(read(whole.path(), FRONT).starts_with("player,games,first_objective,second_objective,first,first_low,"));
}

#[test]
fn a_search_whose_validation_stalls_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tiny.toml");
    let text = FILE.replace("KIND", "cma-es").replace("budget = BUDGET", "budget = 1200\nrestarts = 1\npopulation = 4");
    fs::write(&path, text).unwrap();
    let tuning = Tuning::open(&path).unwrap();
    run(tuning, &options(folder.path(), 2), &FigureOptions::default(), &RUNNING, Arc::new(())).unwrap();
    let evaluations = read(folder.path(), EVALUATIONS);
    let generation = |line: &str| line.split(',').nth(1).and_then(|cell| cell.parse::<u64>().ok());
    let sizes: Vec<usize> =
        (1..).map(|g| evaluations.lines().filter(|line| generation(line) == Some(g)).count()).take(60).collect();
    assert!(sizes.contains(&4) && sizes.contains(&8), "{sizes:?}");
    assert!(evaluations.lines().any(|line| line.starts_with("race,")));
}
