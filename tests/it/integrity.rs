//! The integrity of results: locks, checksums, `verify`, and limits on what is read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use lab2048::experiment::verify;
use tempfile::TempDir;

use crate::program::{assert_fails, files, lab, run, said};

const EXPERIMENT: &str = r#"
name = "small"
seed = 3
games = 30

[[agents]]
kind = "random"

[[agents]]
kind = "expectimax"
depth = [1, 2]
"#;

const COMPARE: [&str; 5] = ["compare", "small.toml", "--quiet", "--format", "svg"];
/// Files that depend on measured time. All others must be the same in every run.
const MEASURED: [&str; 8] = [
    "run.json",
    "report.html",
    "report.md",
    "tables.tex",
    "timing.csv",
    "timing_summary.csv",
    "figures/cost.svg",
    "figures/pareto.svg",
];

fn workdir() -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("small.toml"), EXPERIMENT).unwrap();
    workdir
}

fn results(workdir: &TempDir) -> PathBuf {
    workdir.path().join("results/small")
}

/// The repeatable files of a results folder, without its games.
fn repeatable(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
    // What begins with a dot belongs to a run that has not ended.
    let is_ours = |name: &str| name.starts_with("segments") || name.starts_with('.');
    let kept = |path: &PathBuf| !MEASURED.contains(&name(path).as_str()) && !is_ours(&name(path));
    files(folder).into_iter().filter(kept).map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

fn start(workdir: &TempDir, arguments: &[&str]) -> Child {
    lab(workdir.path(), arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the run has stored some games.
fn wait_for_games(child: &mut Child, folder: &Path) {
    let stored = || fs::read_dir(folder.join("segments")).is_ok_and(|mut entries| entries.next().is_some());
    while !stored() {
        assert!(child.try_wait().unwrap().is_none(), "the run was over too soon");
        sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_second_run_in_the_same_folder_is_refused_with_the_number_of_the_first_process() {
    let workdir = workdir();
    let mut first = start(&workdir, &[&COMPARE[..], &["--games", "1000000"]].concat());
    wait_for_games(&mut first, &results(&workdir));
    for more in [&["--seed", "12", "--fresh"][..], &["--games", "10"]] {
        let refused = run(workdir.path(), &[&COMPARE[..], more].concat(), 1);
        assert!(refused.contains(&format!("in use by process {}", first.id())), "{refused}");
    }
    first.kill().unwrap();
    first.wait().unwrap();
    run(workdir.path(), &COMPARE, 0);
    assert!(verify(&results(&workdir), 0, 1).unwrap().problems.is_empty());
}

#[test]
fn kills_in_the_first_milliseconds_leave_a_folder_that_can_be_used() {
    let whole = workdir();
    run(whole.path(), &COMPARE, 0);
    for fresh in [&[][..], &["--fresh"]] {
        let workdir = workdir();
        for delay in 0..15 {
            let mut child = start(&workdir, &[&COMPARE[..], fresh].concat());
            sleep(Duration::from_millis(delay));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        run(workdir.path(), &[&COMPARE[..], fresh].concat(), 0);
        assert_eq!(repeatable(&results(&workdir)), repeatable(&results(&whole)));
    }
}

#[test]
fn a_killed_rerun_leaves_finished_results_as_they_were() {
    let workdir = workdir();
    run(workdir.path(), &COMPARE, 0);
    let before = repeatable(&results(&workdir));
    for arguments in [&["--seed", "4", "--fresh"][..], &["--fresh"], &["--games", "1000000"]] {
        let mut child = start(&workdir, &[&COMPARE[..], arguments].concat());
        sleep(Duration::from_millis(40));
        child.kill().unwrap();
        child.wait().unwrap();
        run(workdir.path(), &["verify", "results/small"], 0);
    }
    run(workdir.path(), &COMPARE, 0);
    assert_eq!(repeatable(&results(&workdir)), before);
}

#[test]
fn a_finished_run_plays_nothing_and_writes_nothing() {
    let workdir = workdir();
    run(workdir.path(), &COMPARE, 0);
    let times = || -> BTreeMap<PathBuf, _> {
        files(&results(&workdir))
            .into_iter()
            .map(|path| (path.clone(), fs::metadata(path).unwrap().modified().unwrap()))
            .collect()
    };
    let before = times();
    let said = run(workdir.path(), &["compare", "small.toml", "--format", "svg"], 0);
    assert!(said.contains("nothing to play; `--fresh` plays again"), "{said}");
    assert_eq!(times(), before);
}

#[test]
fn a_fresh_clone_plays_again_and_changes_only_measured_files() {
    let workdir = workdir();
    run(workdir.path(), &COMPARE, 0);
    let folder = results(&workdir);
    let before = repeatable(&folder);
    fs::remove_dir_all(folder.join("segments")).unwrap();
    ["games.csv", "timing.csv"].iter().for_each(|name| fs::remove_file(folder.join(name)).unwrap());
    let said = run(workdir.path(), &["verify", "results/small"], 0);
    assert!(said.contains("games.csv: not kept"), "{said}");
    // Without its raw tables a folder has enough for some figures. The others stay, and the message says how to make them.
    let violin = fs::read(folder.join("figures/violin.svg")).unwrap();
    let said = run(workdir.path(), &["plot", "results/small", "--format", "svg"], 0);
    assert!(
        said.contains("figures/reach.svg") && said.contains("violin is not drawn: its table `games.csv`"),
        "{said}"
    );
    assert!(said.contains("lab2048 compare experiments/small.toml --out results/small"), "{said}");
    assert_eq!(fs::read(folder.join("figures/violin.svg")).unwrap(), violin);
    run(workdir.path(), &["verify", "results/small"], 0);
    let said = run(workdir.path(), &["plot", "results/small", "--only", "violin", "--format", "svg"], 1);
    assert!(said.contains("violin is not drawn") && said.contains("lab2048 compare"), "{said}");
    run(workdir.path(), &COMPARE, 0);
    assert_eq!(repeatable(&folder), before);
    run(workdir.path(), &["verify", "results/small", "--replay", "10"], 0);
}

#[test]
fn verify_finds_a_flipped_bit_in_every_file() {
    let workdir = workdir();
    run(workdir.path(), &COMPARE, 0);
    let folder = results(&workdir);
    assert!(verify(&folder, 0, 1).unwrap().problems.is_empty());
    for path in files(&folder) {
        let whole = fs::read(&path).unwrap();
        let bits = 8 * whole.len();
        for bit in [0, bits / 3, bits / 2, bits - 5, bits - 1] {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, damaged).unwrap();
            let found = verify(&folder, 0, 1).map_or(1, |found| found.problems.len());
            assert!(found > 0, "bit {bit} of {}", path.display());
        }
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn replayed_games_must_agree() {
    let workdir = workdir();
    run(workdir.path(), &COMPARE, 0);
    let said = run(workdir.path(), &["verify", "results/small", "--replay", "30"], 0);
    assert!(said.contains("30 games had the same result"), "{said}");
    // A forged row, with hashes that were corrected too.
    use lab2048::report::manifest::{Checksummed, Manifest, sha256_of};
    let (folder, path) = (results(&workdir), results(&workdir).join("games.csv"));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace(",64,", ",128,")).unwrap();
    let mut manifest = Manifest::read(&folder).unwrap().unwrap();
    manifest.outputs.insert("games.csv".into(), sha256_of(&path).unwrap());
    manifest.write(&folder).unwrap();
    assert!(verify(&folder, 0, 1).unwrap().problems.is_empty());
    assert!(verify(&folder, 90, 1).unwrap().problems.iter().any(|problem| problem.contains("ends differently")));
}

#[test]
fn a_changed_score_in_a_finished_search_changes_no_result() {
    let workdir = tempfile::tempdir().unwrap();
    let quickstart = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/quickstart.toml");
    let text = fs::read_to_string(quickstart).unwrap();
    let budget = text.lines().find(|line| line.starts_with("budget")).unwrap();
    fs::write(workdir.path().join("small.toml"), text.replace(budget, "budget = 200").replace("quickstart", "small"))
        .unwrap();
    let tune = ["tune", "small.toml", "--format", "none"];
    run(workdir.path(), &tune, 0);
    let before = repeatable(&results(&workdir));
    let segment = files(&results(&workdir).join("segments")).remove(0);
    let mut stored = fs::read(&segment).unwrap();
    let middle = stored.len() / 2;
    stored[middle] ^= 1;
    fs::write(&segment, stored).unwrap();
    run(workdir.path(), &["verify", "results/small"], 1);
    let said = run(workdir.path(), &tune, 0);
    assert!(said.contains("is damaged") && said.contains("played again"), "{said}");
    assert_eq!(repeatable(&results(&workdir)), before);
}

#[test]
fn provenance_names_the_build_and_the_machine() {
    let workdir = workdir();
    run(workdir.path(), &[&COMPARE[..], &["--threads", "2"]].concat(), 0);
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(results(&workdir).join(name)).unwrap()).unwrap()
    };
    let (manifest, log) = (read("manifest.json"), read("run.json"));
    let stretch = &log["stretches"][0];
    assert_eq!((&stretch["games"], &stretch["threads"]), (&90.into(), &2.into()));
    assert_eq!(stretch["commit"].as_str(), lab2048::engine::BUILD.commit);
    assert_eq!(stretch["dirty"], lab2048::engine::BUILD.dirty);
    assert!(["cpu", "started", "finished", "host"].iter().all(|key| stretch[*key].is_string()), "{stretch}");
    assert!(["cpu", "threads", "started", "commit"].iter().all(|key| manifest[*key].is_null()), "{manifest}");
    assert_eq!(manifest["engine"], lab2048::engine::ENGINE_REVISION);
    // The default heuristic, with its terms, and the defaults of all options.
    let agent = &manifest["configuration"]["agents"][1]["agent"];
    assert!(agent["heuristic"]["terms"].is_array() && agent["options"]["table"].is_number(), "{agent}");
    let agents = fs::read_to_string(results(&workdir).join("agents.csv")).unwrap();
    assert!(agents.contains("line-sum"), "{agents}");
}

#[test]
fn an_interrupt_is_answered_during_a_long_game() {
    let workdir = tempfile::tempdir().unwrap();
    // One move of this agent takes longer than any test may.
    let slow = ["compare", "--agent", "rollout:runs=1000000", "--games", "1000000000", "--out", "slow"];
    let child = start(&workdir, &slow);
    while !workdir.path().join("slow/manifest.json").exists() {
        sleep(Duration::from_millis(2));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
}

/// Interrupts a comparison of 900 agents once `reached` is true of its folder, and completes it afterwards.
#[cfg(unix)]
fn interrupt_a_large_analysis(reached: impl Fn(&Path) -> bool) {
    let workdir = tempfile::tempdir().unwrap();
    let many: Vec<String> = (1..=900).map(|iterations| iterations.to_string()).collect();
    let agents = format!("[[agents]]\nkind = \"mcts\"\nruns = 1\niterations = [{}]\n", many.join(", "));
    fs::write(workdir.path().join("small.toml"), format!("game = \"tic-tac-toe\"\ngames = 2\n{agents}")).unwrap();
    let mut child = start(&workdir, &["compare", "small.toml", "--quiet"]);
    while !reached(&results(&workdir)) {
        assert!(child.try_wait().unwrap().is_none(), "the run was over too soon");
        sleep(Duration::from_millis(2));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", said(&output));
    assert!(!results(&workdir).join("summary.csv").exists());
    let said = run(workdir.path(), &["compare", "small.toml", "--format", "none"], 0);
    assert!(said.contains("Results are in"), "{said}");
    run(workdir.path(), &["verify", "results/small"], 0);
}

/// The analysis of 900 agents takes seconds, and does not check the stop flag.
#[cfg(unix)]
#[test]
fn an_interrupt_is_answered_during_the_analysis() {
    interrupt_a_large_analysis(|folder| {
        let staged = folder.join(".staging");
        staged.join("games.csv").exists() && !staged.join("figures").exists()
    });
}

/// Drawing the figures of 900 agents takes seconds, and does not check the stop flag.
#[cfg(unix)]
#[test]
fn an_interrupt_is_answered_while_figures_are_drawn() {
    interrupt_a_large_analysis(|folder| {
        fs::read_dir(folder.join(".staging/figures")).is_ok_and(|mut files| files.next().is_some())
    });
}

#[test]
fn limits_are_refused_at_once() {
    let workdir = tempfile::tempdir().unwrap();
    let list: Vec<String> = (1..=1000).map(|number| number.to_string()).collect();
    let list = list.join(", ");
    let text = format!("[[agents]]\nkind = \"mcts\"\niterations = [{list}]\nruns = [{list}]\nnodes = [{list}]\n");
    fs::write(workdir.path().join("many.toml"), text).unwrap();
    let refused = run(workdir.path(), &["compare", "many.toml"], 2);
    assert!(refused.contains("many.toml:1") && refused.contains("at most 1000"), "{refused}");
    let wide = ["hint", "--board", "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "--agent", "tree-rollout:moves=8,width=100"];
    assert!(run(workdir.path(), &wide, 2).contains("sequences"));
    for command in ["compare", "tune"] {
        let refused = run(workdir.path(), &[command, "/dev/zero"], 2);
        assert!(refused.contains("/dev/zero") && refused.contains("more than"), "{refused}");
    }
    assert!(run(workdir.path(), &["replay", "/dev/zero", "--check"], 2).contains("/dev/zero"));
}

#[test]
fn scores_and_goals_out_of_range_are_refused() {
    let board = "4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,128";
    assert_fails(&["eval", "--board", board, "--score", "4294967295", "--heuristic", "malaga-1"], 2, &["--score"]);
    assert_fails(&["hint", "--agent", "greedy", "--board", board, "--goal", "64"], 2, &["already over"]);
    assert_fails(&["hint", "--agent", "greedy", "--board", board, "--goal", "128"], 2, &["already over"]);
}

#[test]
fn labels_cannot_become_formulas_or_control_the_terminal() {
    let workdir = tempfile::tempdir().unwrap();
    let text =
        "games = 5\n[[agents]]\nkind = \"random\"\nlabel = \"=1+1\"\n[[agents]]\nkind = \"greedy\"\nlabel = \"@x\"\n";
    fs::write(workdir.path().join("small.toml"), text).unwrap();
    run(workdir.path(), &COMPARE, 0);
    for path in files(&results(&workdir)).iter().filter(|path| path.extension().is_some_and(|e| e == "csv")) {
        let table = fs::read_to_string(path).unwrap();
        assert!(!table.lines().any(|line| line.starts_with(['=', '@'])), "{}", path.display());
    }
    run(workdir.path(), &["plot", "results/small", "--format", "svg"], 0);
    fs::write(workdir.path().join("small.toml"), text.replace("=1+1", "<img src=x> | [a](b)")).unwrap();
    run(workdir.path(), &[&COMPARE[..], &["--fresh"]].concat(), 0);
    let report = fs::read_to_string(results(&workdir).join("report.md")).unwrap();
    assert!(report.contains(r"\<img src=x\> \| \[a\](b)") && !report.replace(r"\<", "").contains('<'), "{report}");
    fs::write(workdir.path().join("bad.toml"), "name = \"\u{1b}[31mred\"\n").unwrap();
    let said = run(workdir.path(), &["compare", "bad.toml"], 2);
    let agent = run(workdir.path(), &["compare", "--agent", "\u{1b}[31mred"], 2);
    assert!(!said.contains('\u{1b}') && !agent.contains('\u{1b}'), "{said}{agent}");
}

#[test]
fn a_closed_pipe_does_not_make_the_program_panic() {
    let workdir = workdir();
    for (arguments, expected) in [(vec!["compare", "absent.toml"], 2), (COMPARE[..2].to_vec(), 0)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = lab(workdir.path(), &arguments).stdout(Stdio::null()).stderr(writer).status().unwrap();
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
}

#[test]
fn verify_finds_every_kind_of_damage_to_a_checkpoint() {
    let workdir = workdir();
    let experiment = "name = \"taught\"\nseed = 1\n[network]\npatterns = \"01 45\"\n[training]\ngames = 20\nbatch = 4\n\
                      [validation]\ngames = 2\nevery = 10\n[test]\ngames = 2\n";
    fs::write(workdir.path().join("taught.toml"), experiment).unwrap();
    run(workdir.path(), &["learn", "taught.toml", "--quiet", "--format", "none"], 0);
    let folder = workdir.path().join("results/taught");
    let paths = files(&folder.join("segments"));
    assert_eq!(paths.len(), 2, "a checkpoint and the log: {paths:?}");
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        assert_eq!(verify(&folder, 0, 1).unwrap().problems, Vec::<String>::new());
        for length in [0, 7, 30, bytes.len() / 2, bytes.len() - 1] {
            let mut flipped = bytes.clone();
            flipped[length] ^= 4;
            for damaged in [&bytes[..length], &flipped[..]] {
                fs::write(&path, damaged).unwrap();
                assert_eq!(verify(&folder, 0, 1).unwrap().problems.len(), 1, "{}, byte {length}", path.display());
            }
        }
        fs::write(&path, bytes).unwrap();
    }
}
