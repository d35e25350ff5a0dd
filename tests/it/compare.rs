//! `lab2048 compare` and `lab2048 plot`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use lab2048::spec::{Comparison, Overrides};
use tempfile::TempDir;

use crate::program::{lab, run, said, stdout_in};

/// Agents that are quick, and of every sort: without and with their own randomness, with and without a tree.
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
fn desk() -> TempDir {
    let desk = tempfile::tempdir().unwrap();
    fs::write(desk.path().join("tiny.toml"), EXPERIMENT).unwrap();
    desk
}

/// `compare tiny.toml` without figures, which take longer than the games.
fn tiny<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["compare", "tiny.toml", "--quiet", "--format", "none"], more].concat()
}

/// The files that must not depend on anything but the experiment.
fn lasting(results: &Path) -> BTreeMap<&'static str, String> {
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

fn start(desk: &Path, arguments: &[&str]) -> Child {
    lab(desk, arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until so many blocks are stored. Returns false if the run is over before.
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
    let desk = desk();
    // Blocks are small where a budget allows long games, so there is a lot to be interrupted.
    let slow = "\n[[agents]]\nkind = \"expectimax\"\ndepth = 1\nwork = 1000000\n";
    fs::write(desk.path().join("tiny.toml"), format!("{EXPERIMENT}{slow}")).unwrap();
    let at = |name: &str| desk.path().join(name);
    for (threads, out) in [("1", "one"), ("2", "two"), ("8", "eight")] {
        run(desk.path(), &tiny(&["--threads", threads, "--out", out]), 0);
    }
    let expected = lasting(&at("one"));
    assert_eq!(lasting(&at("two")), expected);
    assert_eq!(lasting(&at("eight")), expected);

    // 52 blocks in all: one of each quick agent, and 45 of the one that could be slow.
    let mut kills = 0;
    for wanted in [0, 1, 4, 5, 11, 17, 26, 40] {
        let mut child = start(desk.path(), &tiny(&["--threads", "2", "--out", "killed"]));
        kills += usize::from(reaches(&mut child, &at("killed"), wanted));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(kills >= 2, "the run was over too soon to be killed");
    run(desk.path(), &tiny(&["--out", "killed"]), 0);
    assert_eq!(lasting(&at("killed")), expected);
}

#[test]
fn a_run_can_grow_and_shrink() {
    let desk = desk();
    let with_games = |games, out| lasting_of(desk.path(), &tiny(&["--games", games, "--out", out]), out);
    let fresh = ["13", "45", "52"].map(|games| with_games(games, games));
    for (games, expected) in [("13", 0), ("45", 1), ("13", 0), ("52", 2), ("52", 2)] {
        assert_eq!(with_games(games, "same"), fresh[expected], "{games} games");
    }
}

fn lasting_of(desk: &Path, arguments: &[&str], out: &str) -> BTreeMap<&'static str, String> {
    run(desk, arguments, 0);
    lasting(&desk.join(out))
}

#[test]
fn ctrl_c_keeps_what_is_finished() {
    let desk = desk();
    let results = desk.path().join("results/tiny");
    let mut child = start(desk.path(), &tiny(&["--games", "100000"]));
    assert!(reaches(&mut child, &results, 3));
    let interrupt = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(said(&output).contains("run the same command again to continue"), "{}", said(&output));
    assert!(blocks(&results) >= 3);
    run(desk.path(), &tiny(&["--games", "20"]), 0);
}

#[test]
fn the_folder_of_another_is_never_touched() {
    let desk = desk();
    let results = desk.path().join("results/tiny");
    run(desk.path(), &tiny(&[]), 0);
    let ours = lasting(&results);
    let refused = run(desk.path(), &tiny(&["--seed", "4"]), 2);
    assert!(refused.contains("another experiment") && refused.contains("--fresh"), "{refused}");
    assert_eq!(lasting(&results), ours);

    fs::write(results.join("notes.txt"), "mine").unwrap();
    run(desk.path(), &tiny(&["--seed", "4", "--fresh"]), 0);
    assert_ne!(lasting(&results), ours);
    assert_eq!(fs::read_to_string(results.join("notes.txt")).unwrap(), "mine");

    fs::create_dir(desk.path().join("holiday")).unwrap();
    fs::write(desk.path().join("holiday/photo.jpg"), "x").unwrap();
    for more in [&["--out", "holiday"][..], &["--out", "holiday", "--fresh"]] {
        let refused = run(desk.path(), &tiny(more), 2);
        assert!(refused.contains("holiday") && refused.contains("not empty"), "{refused}");
    }
    assert_eq!(fs::read_dir(desk.path().join("holiday")).unwrap().count(), 1);
}

#[test]
fn a_full_disk_and_a_damaged_block_lose_nothing() {
    let desk = desk();
    run(desk.path(), &tiny(&["--out", "whole"]), 0);
    // A limit on the size of files stands in for a full disk.
    let program = env!("CARGO_BIN_EXE_lab2048");
    let script = format!("trap '' XFSZ; ulimit -f 24; exec {program} {}", tiny(&["--out", "full"]).join(" "));
    let output = std::process::Command::new("sh").current_dir(desk.path()).args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("too large"), "{}", said(&output));
    let full = desk.path().join("full");
    assert!(!full.join("games.csv").exists());

    let segment = &segments(&full)[0];
    let mut text = fs::read(segment).unwrap();
    let second_line = text.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    text[second_line + 40] ^= 1;
    fs::write(segment, text).unwrap();
    let arguments = ["compare", "tiny.toml", "--format", "none", "--out", "full"];
    let said = run(desk.path(), &arguments, 0);
    assert!(said.contains(".segment`, line 2 is damaged") && said.contains("played again"), "{said}");
    assert_eq!(lasting(&full), lasting(&desk.path().join("whole")));
}

#[test]
fn changed_results_are_noticed_and_made_again() {
    let desk = desk();
    run(desk.path(), &tiny(&[]), 0);
    let games = desk.path().join("results/tiny/games.csv");
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, text.replace("false", "true")).unwrap();
    let noticed = run(desk.path(), &["plot", "results/tiny"], 1);
    assert!(noticed.contains("games.csv` is damaged"), "{noticed}");
    run(desk.path(), &tiny(&[]), 0);
    assert_eq!(fs::read_to_string(&games).unwrap(), text);
}

#[test]
fn what_cannot_be_written_fails() {
    let desk = desk();
    fs::write(desk.path().join("file"), "x").unwrap();
    let failed = run(desk.path(), &tiny(&["--out", "file/inside"]), 1);
    assert!(failed.contains("file/inside"), "{failed}");
    let refused = run(desk.path(), &tiny(&["--out", "file"]), 2);
    assert!(refused.contains("not a folder"), "{refused}");
}

#[test]
fn bad_experiments_point_at_the_fault() {
    let desk = desk();
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
        fs::write(desk.path().join("bad.toml"), EXPERIMENT.replacen(change.0, change.1, 1)).unwrap();
        let refused = run(desk.path(), &["compare", "bad.toml", "--format", "none"], 2);
        for part in parts {
            assert!(refused.contains(part), "{change:?}\n{refused}");
        }
        assert!(!desk.path().join("results").exists(), "{change:?}");
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
        let refused = run(desk.path(), &arguments, 2);
        assert!(refused.contains(part), "{arguments:?}\n{refused}");
    }
}

#[test]
fn agents_can_be_named_without_a_file() {
    let desk = tempfile::tempdir().unwrap();
    let arguments = ["compare", "--agent", "random", "--agent", "greedy", "--games", "30", "--format", "none"];
    let said = stdout_in(desk.path(), &arguments);
    assert!(said.starts_with("agent") && said.contains("greedy outscores random"), "{said}");
    let again = run(desk.path(), &arguments, 0);
    let table = said.split("\n\n").next().unwrap();
    assert!(again.starts_with(table) && again.contains("nothing to play"), "{said}\n{again}");
    let json = stdout_in(desk.path(), &[&arguments[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["summary"][0]["agent"], "greedy");
    assert_eq!(json["summary"][0]["games"], 30);
}

/// Agents of which some reach the goal of 128 and some do not, with planned contrasts.
const PLANNED: &str = r#"
name = "planned"
goal = 128
games = 60
margin = 0.4
contrasts = [["greedy", "random"], ["greedy", "expectimax depth=2 heuristic=line-sum"]]

[[agents]]
kind = ["random", "greedy"]

[[agents]]
kind = "expectimax"
depth = 2
heuristic = "line-sum"

[[agents]]
kind = "expectimax"
depth = 2
heuristic = "line-sum"
label = "the same"
"#;

fn read_json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn planned_contrasts_are_the_family_and_goal_stopped_scores_are_marked() {
    let desk = tempfile::tempdir().unwrap();
    fs::write(desk.path().join("planned.toml"), PLANNED).unwrap();
    let said = run(desk.path(), &["compare", "planned.toml", "--format", "none"], 0);
    assert!(said.contains("score until goal") && said.contains("moves to goal"), "{said}");
    assert!(said.contains("greedy beats random by") && said.contains("simultaneous 95 % interval"), "{said}");
    assert!(said.contains("played exactly the same games"), "{said}");
    let results = desk.path().join("results/planned");
    let comparisons = fs::read_to_string(results.join("comparisons.csv")).unwrap();
    assert!(!comparisons.contains("a12") && comparisons.contains("p_log_rank_holm"), "{comparisons}");
    assert_eq!(comparisons.matches("planned").count(), 2, "{comparisons}");
    assert!(!comparisons.contains("the same"), "identical agents are no pair");
    assert!(fs::read_to_string(results.join("survival.csv")).unwrap().lines().count() > 5);
    let report = fs::read_to_string(results.join("report.md")).unwrap();
    assert!(report.contains("sharing seeds makes games repeatable"), "{report}");

    let json = stdout_in(desk.path(), &["compare", "planned.toml", "--format", "none", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["pairs"][0]["family"], "planned");
    assert!(json["pairs"][0]["simultaneous_low"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_column_is_described() {
    let desk = tempfile::tempdir().unwrap();
    fs::write(desk.path().join("planned.toml"), PLANNED).unwrap();
    run(desk.path(), &["compare", "planned.toml", "--quiet", "--format", "none"], 0);
    run(desk.path(), &["compare", "planned.toml", "--quiet", "--format", "none", "--out", "results/again"], 0);
    let described = read_json(&desk.path().join("results/planned/columns.json"));
    for (file, columns) in described.as_object().unwrap() {
        for (column, text) in columns.as_object().unwrap() {
            assert_ne!(text["meaning"], "", "{file}: {column}");
        }
    }
    assert!(described["summary.csv"]["mean_score"]["interval"].as_str().unwrap().contains("BCa"));
}

#[test]
fn games_that_repeat_each_other_count_once() {
    let desk = tempfile::tempdir().unwrap();
    let perfect = ["compare", "--game", "tic-tac-toe", "--opponent", "alphabeta:depth=9", "--agent", "minimax:depth=9"];
    let more = ["--agent", "random", "--games", "20", "--format", "none", "--out", "perfect"];
    let said = run(desk.path(), &[&perfect[..], &more[..]].concat(), 0);
    assert!(said.contains("All 20 games of minimax depth=9 are the same game"), "{said}");
    let summary = fs::read_to_string(desk.path().join("perfect/summary.csv")).unwrap();
    assert!(summary.lines().any(|line| line.starts_with("minimax depth=9,20,0,0,,,0,,,")), "{summary}");
}

/// Stops as soon as it is clear which of two agents reaches 128 more often.
const SEQUENTIAL: &str = r#"
name = "sequential"
goal = 128
games = 400
stop = { contrast = ["expectimax depth=2", "random"], alpha = 0.05, beta = 0.1, margin = 0.1 }

[[agents]]
kind = "random"

[[agents]]
kind = "expectimax"
depth = 2
"#;

#[test]
fn a_stop_rule_ends_the_games_on_any_number_of_threads_alike() {
    let desk = tempfile::tempdir().unwrap();
    fs::write(desk.path().join("sequential.toml"), SEQUENTIAL).unwrap();
    let compare = |threads: &'static str, out: &'static str| {
        let arguments = ["compare", "sequential.toml", "--format", "none", "--threads", threads, "--out", out];
        run(desk.path(), &arguments, 0)
    };
    let said = compare("1", "one");
    assert!(said.contains("Sequential test (alpha 0.05, beta 0.1) after"), "{said}");
    assert!(said.contains("expectimax depth=2 is better than random by"), "{said}");
    assert!(!said.contains("beats"), "an ordinary interval ignores the stopping: {said}");
    compare("3", "three");
    let read = |folder: &str, name: &str| fs::read_to_string(desk.path().join(folder).join(name)).unwrap();
    for name in ["games.csv", "sequential.csv", "summary.csv", "comparisons.csv"] {
        assert_eq!(read("one", name), read("three", name), "{name}");
    }
    let games = read("one", "games.csv").lines().count() - 1;
    assert!(games < 800 && games % 20 == 0, "{games} games");
    let last = read("one", "sequential.csv").lines().last().unwrap().to_string();
    assert!(last.ends_with("first is better") && last.starts_with(&format!("{},", games / 2)), "{last}");
    // A finished run has nothing left to play, and the limit of the test cannot be raised afterwards.
    assert!(compare("2", "one").contains("Sequential test"));
    assert_eq!(read("one", "games.csv"), read("three", "games.csv"));
    let longer = ["compare", "sequential.toml", "--format", "none", "--games", "800", "--out", "one"];
    assert!(run(desk.path(), &longer, 2).contains("another experiment"));
}

#[test]
fn a_plan_says_how_many_games_are_needed() {
    let desk = tempfile::tempdir().unwrap();
    fs::write(desk.path().join("planned.toml"), PLANNED).unwrap();
    let before = run(desk.path(), &["plan", "planned.toml", "--difference", "0.15", "--win-rate", "0.5"], 0);
    assert!(before.contains("Assumed, because no results are there: a win rate of 0.5"), "{before}");
    assert!(before.contains("games needed") && before.contains("2 contrasts are declared"), "{before}");
    run(desk.path(), &["compare", "planned.toml", "--quiet", "--format", "none"], 0);
    let after = run(desk.path(), &["plan", "planned.toml", "--json"], 0);
    let after: serde_json::Value = serde_json::from_str(&after).unwrap();
    assert_eq!(after["contrasts"][0]["basis"], "measured");
    assert_eq!(after["contrasts"][0]["difference"], 0.4, "the margin of the experiment");
    assert!(after["contrasts"][0]["games_needed"].as_u64().unwrap() > 2);
    for (arguments, part) in [
        (vec!["plan", "absent.toml"], "absent.toml"),
        (vec!["plan", "planned.toml", "--power", "1"], "--power"),
        (vec!["plan", "planned.toml", "--difference", "5"], "below 1"),
    ] {
        let refused = run(desk.path(), &arguments, 2);
        assert!(refused.contains(part), "{arguments:?}\n{refused}");
    }
    assert!(run(desk.path(), &["plan", "planned.toml", "--results", "nowhere"], 1).contains("nowhere"));
}

#[test]
fn clocks_are_declared() {
    let desk = tempfile::tempdir().unwrap();
    let timed = ["compare", "--agent", "rollout:ms=0.02", "--games", "2", "--format", "none", "--out", "timed"];
    let said = run(desk.path(), &timed, 0);
    assert!(said.contains("depends on the speed of the machine"), "{said}");
    let manifest = fs::read_to_string(desk.path().join("timed/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["timed"][0], "rollout ms=0.02");
    let refused = run(desk.path(), &[&timed[..], &["--record", "best"]].concat(), 2);
    assert!(refused.contains("plays by the clock"), "{refused}");
}

#[test]
fn kept_games_are_true_records() {
    let desk = tempfile::tempdir().unwrap();
    let agents = ["compare", "--agent", "rollout:runs=2", "--agent", "random", "--games", "12", "--format", "none"];
    for keep in ["best", "worst"] {
        run(desk.path(), &[&agents[..], &["--out", keep, "--record", keep]].concat(), 0);
        let records: Vec<PathBuf> = files(&desk.path().join(keep).join("records"));
        assert_eq!(records.len(), 2, "{records:?}");
        for record in &records {
            run(desk.path(), &["replay", &record.to_string_lossy(), "--check"], 0);
        }
    }
    let (best, worst) = (score_of(&desk.path().join("best")), score_of(&desk.path().join("worst")));
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

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(folder).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn figures_are_drawn_from_tables_alone() {
    let desk = desk();
    fs::write(desk.path().join("claims.csv"), "agent,depth,games,wins\nexpectimax,1,10,0\nexpectimax,2,10,9\n")
        .unwrap();
    fs::write(desk.path().join("tiny.toml"), EXPERIMENT.replacen("seed", "published = \"claims.csv\"\nseed", 1))
        .unwrap();
    let told = run(desk.path(), &["compare", "tiny.toml"], 0);
    assert!(
        told.contains("0 of 2 informative published win rates agree") && told.contains("2 further rates"),
        "{told}"
    );
    let results = desk.path().join("results/tiny");
    let figures = results.join("figures");
    let drawn = contents(&figures);
    let names: Vec<String> =
        drawn.keys().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    for name in ["win-rate", "score", "cost", "ecdf", "violin", "reach", "pareto"] {
        for format in ["png", "svg", "pdf"] {
            assert!(names.contains(&format!("{name}.{format}")), "{name}.{format} is not among {names:?}");
        }
    }
    assert!(!names.contains(&"published.png".to_string()), "two points are no figure: {names:?}");
    fs::remove_dir_all(&figures).unwrap();
    run(desk.path(), &["plot", "results/tiny"], 0);
    assert_eq!(contents(&figures), drawn);

    let said = run(desk.path(), &["plot", "results/tiny", "--only", "ecdf", "--width", "page", "--format", "svg"], 0);
    assert_eq!(said.lines().count(), 1);
    assert_ne!(fs::read(figures.join("ecdf.svg")).unwrap(), drawn[&figures.join("ecdf.svg")]);
    run(desk.path(), &["plot", "results/tiny", "--only", "ecdf", "--font", "serif", "--format", "svg,pdf"], 0);
    assert!(fs::read_to_string(figures.join("ecdf.svg")).unwrap().contains("DejaVu Serif"));
    let pdf = fs::read(figures.join("ecdf.pdf")).unwrap();
    assert!(String::from_utf8_lossy(&pdf).contains("+DejaVuSerifCondensed"));
    assert!(run(desk.path(), &["plot", "results/tiny", "--font", "serifs"], 2).contains("did you mean `serif`"));
    assert!(run(desk.path(), &["plot", "results/tiny", "--only", "edcf"], 2).contains("did you mean `ecdf`"));
    assert!(run(desk.path(), &["plot", "results/tiny", "--width", "wide"], 2).contains("column, page"));
    assert!(run(desk.path(), &["plot", "results/absent"], 1).contains("results/absent"));
}

#[test]
fn games_for_two_have_outcomes() {
    let desk = tempfile::tempdir().unwrap();
    let arguments =
        ["compare", "--game", "tic-tac-toe", "--opponent", "random", "--agent", "minimax:depth=9", "--agent", "random"];
    run(desk.path(), &[&arguments[..], &["--games", "40", "--out", "ttt", "--format", "svg"]].concat(), 0);
    let games = fs::read_to_string(desk.path().join("ttt/games.csv")).unwrap();
    let lost = games.lines().filter(|line| line.starts_with("minimax") && line.contains(",-1,")).count();
    assert_eq!(lost, 0, "minimax never loses");
    assert!(games.lines().any(|line| line.starts_with("random") && line.contains(",-1,")));
    assert!(desk.path().join("ttt/figures/outcomes.svg").exists());
}

#[test]
fn every_experiment_that_ships_is_sound() {
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
