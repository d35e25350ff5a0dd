use super::files::{names_in, replace_segments};
use super::*;
use std::sync::atomic::AtomicBool;

use crate::play::GameResult;
use crate::store::Header;

static RUNNING: AtomicBool = AtomicBool::new(false);

fn manifest(seed: u64) -> Manifest {
    crate::experiment::new_manifest("lab2048/test/2", "x", seed, 10, serde_json::json!({ "seed": seed }))
}

fn kinds() -> OutputKinds {
    OutputKinds { measured: vec!["timing.csv".into(), "figures/cost".into()], raw: &["games.csv"] }
}

fn claim(folder: &Path, seed: u64, fresh: bool) -> Result<ResultsFolder, Error> {
    ResultsFolder::claim(folder, manifest(seed), kinds(), fresh)
}

fn store(results: &ResultsFolder) -> GameStore {
    let header = Header::new(&results.manifest().fingerprint, 1);
    GameStore::open(&results.segments(), header, true, &RUNNING).unwrap()
}

/// A whole run whose only table has this text.
fn run(folder: &Path, seed: u64, fresh: bool, text: &str) -> bool {
    let results = claim(folder, seed, fresh).unwrap();
    let mut store = store(&results);
    if store.read(1, &[seed]).unwrap().is_none() {
        let game = GameResult { seed, score: 0, max_tile: 4, moves: 1, won: false, nodes: 0, work: 0, seconds: 0.5 };
        store.append(1, &[game]).unwrap();
    }
    store.repair_and_close().unwrap();
    results.write("games.csv", text.as_bytes()).unwrap();
    results.write("timing.csv", b"0.5").unwrap();
    results.commit(Some(&store)).unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

fn message<T>(outcome: Result<T, Error>) -> String {
    outcome.err().unwrap().to_string()
}

#[test]
fn only_free_and_own_folders_are_taken() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("run");
    run(&folder, 1, false, "a");
    assert!(message(claim(&folder, 2, false)).contains("another experiment"));
    fs::write(root.path().join("mine.txt"), "x").unwrap();
    for fresh in [false, true] {
        assert!(message(claim(root.path(), 1, fresh)).contains("not empty"));
    }
    assert_eq!(names_in(root.path()).unwrap().len(), 2);
    assert!(message(claim(&root.path().join("mine.txt"), 1, false)).contains("not a folder"));
}

#[test]
fn a_folder_is_free_after_a_kill_at_any_of_the_first_steps() {
    for left in [".lab2048-abc.tmp", ".lock", ".lock-1.tmp"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(left), "").unwrap();
        assert!(claim(folder.path(), 1, false).is_ok(), "{left}");
    }
    for left in [SEGMENTS, STAGING, FRESH] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(left)).unwrap();
        assert!(claim(folder.path(), 1, true).is_ok(), "{left}");
    }
}

#[test]
fn a_second_process_is_refused_before_it_touches_anything() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 1, false, "a");
    let first = claim(folder.path(), 1, false).unwrap();
    let before = files_below(folder.path()).unwrap();
    let refusal = message(claim(folder.path(), 2, true));
    assert!(refusal.contains("in use by process"), "{refusal}");
    assert_eq!(files_below(folder.path()).unwrap(), before);
    drop(first);
}

/// Otherwise a run would fail with its results complete, because another process draws them before it adds its report.
#[test]
fn a_process_that_adds_to_results_waits_for_one_that_draws_them() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("out");
    run(&folder, 1, false, "results");
    let drawing = ResultsFolder::reopen(&folder, |_| kinds()).unwrap();
    assert!(matches!(ResultsFolder::reopen(&folder, |_| kinds()), Err(Error::Busy(_))));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| ResultsFolder::reopen_when_free(&folder).map(drop));
        std::thread::sleep(4 * PAUSE);
        drop(drawing);
        waiting.join().unwrap().unwrap();
    });
}

#[test]
fn other_engines_and_layouts_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 1, false, "a");
    let written = Manifest::read(folder.path()).unwrap().unwrap();
    Manifest { engine: 77, ..written.clone() }.write(folder.path()).unwrap();
    let refusal = message(claim(folder.path(), 1, false));
    let ours = crate::engine::ENGINE_REVISION.to_string();
    assert!(["revision 77", &ours, "--fresh"].iter().all(|part| refusal.contains(part)), "{refusal}");
    Manifest { schema: "lab2048/test/1".into(), ..written.clone() }.write(folder.path()).unwrap();
    assert!(message(claim(folder.path(), 1, false)).contains("layout lab2048/test/1"));
    Manifest { schema: "lab2048/other/2".into(), ..written }.write(folder.path()).unwrap();
    assert!(message(claim(folder.path(), 1, true)).contains("another kind"));
}

#[test]
fn a_run_that_changes_nothing_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), 1, false, "a"));
    let times = || -> Vec<_> {
        let files = files_below(folder.path()).unwrap();
        files.iter().map(|name| fs::metadata(folder.path().join(name)).unwrap().modified().unwrap()).collect()
    };
    let before = times();
    assert!(!run(folder.path(), 1, false, "a"));
    assert_eq!(times(), before);
    assert!(run(folder.path(), 1, false, "b"));
    assert_eq!(read(folder.path(), "games.csv"), "b");
}

#[test]
fn outputs_are_listed_by_kind() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 1, false, "a");
    let manifest = Manifest::read(folder.path()).unwrap().unwrap();
    let run = RunLog::read(folder.path()).unwrap().unwrap();
    assert!(manifest.complete && manifest.is_intact() && run.is_intact());
    assert_eq!(manifest.outputs.keys().collect::<Vec<_>>(), ["games.csv"]);
    assert!(manifest.measured.contains("timing.csv") && manifest.raw.contains("games.csv"));
    assert_eq!((run.outputs.len(), run.stretches.len(), run.stretches[0].games), (2, 1, 1));
    assert!(kinds().is_measured("figures/cost.png") && !kinds().is_measured("figures/costs.png"));
}

#[test]
fn fresh_results_replace_old_ones_only_when_they_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 1, false, "old");
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let old = files_below(folder.path()).unwrap();
    let begun = claim(folder.path(), 2, true).unwrap();
    store(&begun).append(1, &[]).unwrap();
    begun.write("games.csv", b"half").unwrap();
    drop(begun);
    assert_eq!(read(folder.path(), "games.csv"), "old");
    assert!(claim(folder.path(), 1, false).unwrap().was_complete());
    assert!(old.iter().all(|name| folder.path().join(name).exists()));
    run(folder.path(), 2, true, "new");
    assert_eq!((read(folder.path(), "games.csv"), read(folder.path(), "notes.txt")), ("new".into(), "mine".into()));
    assert_eq!(Manifest::read(folder.path()).unwrap().unwrap().seed, 2);
    assert_eq!(files_below(&folder.path().join(SEGMENTS)).unwrap().len(), 1);
    assert!(!folder.path().join(FRESH).exists());
}

#[test]
fn a_kill_during_the_commit_is_repaired() {
    // Every state that a kill can leave: after 0, 1, 2, ... of the files have been moved.
    for moved in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        run(folder.path(), 1, false, "old");
        let other = tempfile::tempdir().unwrap();
        run(other.path(), 2, false, "new");
        fs::rename(other.path(), folder.path().join(COMMIT)).unwrap();
        let commit = folder.path().join(COMMIT);
        if moved > 0 {
            replace_segments(folder.path(), &commit).unwrap();
        }
        for name in ["games.csv", "run.json", "timing.csv"].iter().take(moved.max(1) - 1) {
            fs::rename(commit.join(name), folder.path().join(name)).unwrap();
        }
        assert!(claim(folder.path(), 2, false).unwrap().was_complete(), "{moved} moved");
        assert_eq!(read(folder.path(), "games.csv"), "new");
        assert!(!run(folder.path(), 2, false, "new"), "{moved} moved");
    }
}

#[test]
fn files_of_an_earlier_run_are_kept_while_the_results_stay_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let with_figure = claim(folder.path(), 1, false).unwrap();
    let games = store(&with_figure);
    with_figure.write("games.csv", b"a").unwrap();
    with_figure.write("figure.svg", b"of a").unwrap();
    with_figure.commit(Some(&games)).unwrap();
    run(folder.path(), 1, false, "a");
    assert!(folder.path().join("figure.svg").exists());
    assert!(Manifest::read(folder.path()).unwrap().unwrap().outputs.contains_key("figure.svg"));
    run(folder.path(), 1, false, "b");
    assert!(!folder.path().join("figure.svg").exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_written_or_deleted_through_a_link() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("cost.png"), "mine").unwrap();
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), 1, false, "a");
    symlink(outside.path(), folder.path().join("figures")).unwrap();
    symlink(outside.path(), folder.path().join(STAGING)).unwrap();
    // A manifest that claims files behind the link, and outside the folder.
    let mut edited = Manifest::read(folder.path()).unwrap().unwrap();
    edited.outputs.insert("figures/cost.png".into(), String::new());
    edited.outputs.insert("../outside".into(), String::new());
    edited.write(folder.path()).unwrap();
    run(folder.path(), 2, true, "b");
    assert_eq!(read(outside.path(), "cost.png"), "mine");
    let results = claim(folder.path(), 2, false).unwrap();
    fs::create_dir(results.stage().join("figures")).unwrap();
    results.write("figures/cost.png", b"ours").unwrap();
    let games = store(&results);
    assert!(message(results.commit(Some(&games))).contains("figures"));
    assert_eq!(read(outside.path(), "cost.png"), "mine");
}

/// A run without stored games, as `learn` makes one.
fn train(folder: &Path, fresh: bool) -> Result<bool, Error> {
    let mut results = claim(folder, 1, fresh)?;
    results.note_stretches(vec![Stretch::begin(1)]);
    results.write("test.csv", b"1")?;
    results.commit(None)
}

#[test]
fn a_damaged_log_does_not_stop_a_fresh_run() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("run");
    train(&folder, false).unwrap();
    fs::write(folder.join(manifest::RUN_FILE), "{ 12").unwrap();
    assert!(message(train(&folder, false)).contains("run.json` is damaged"));
    assert!(train(&folder, true).unwrap());
    assert_eq!(RunLog::read(&folder).unwrap().unwrap().stretches.len(), 1);
}

#[test]
fn only_intact_times_of_an_earlier_run_are_kept() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("run");
    run(&folder, 1, false, "a");
    assert!(claim(&folder, 1, false).unwrap().keep("timing.csv").unwrap());
    assert!(!claim(&folder, 1, false).unwrap().keep("speed.csv").unwrap());
    fs::write(folder.join("timing.csv"), "0.6").unwrap();
    assert!(!claim(&folder, 1, false).unwrap().keep("timing.csv").unwrap());
}

#[test]
fn a_changed_log_does_not_get_a_new_checksum() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("run");
    let mut results = claim(&folder, 1, false).unwrap();
    results.note_test(600);
    results.write("games.csv", b"a").unwrap();
    let games = store(&results);
    results.commit(Some(&games)).unwrap();
    let text = read(&folder, manifest::RUN_FILE);
    fs::write(folder.join(manifest::RUN_FILE), text.replace("600", "700")).unwrap();
    for outcome in [claim(&folder, 1, false), ResultsFolder::reopen(&folder, |_| kinds())] {
        assert!(message(outcome).contains("run.json` is damaged"));
    }
    assert!(claim(&folder, 1, true).is_ok());
}

#[test]
fn a_manifest_leads_to_no_file_outside_its_folder() {
    let root = tempfile::tempdir().unwrap();
    let (folder, outside) = (root.path().join("run"), root.path().join("outside.csv"));
    run(&folder, 1, false, "a");
    fs::write(&outside, "mine").unwrap();
    let intact = Manifest::read(&folder).unwrap().unwrap();
    for name in [outside.to_str().unwrap(), "../outside.csv"] {
        let mut edited = intact.clone();
        edited.outputs.insert(name.into(), sha256_of(&outside).unwrap());
        edited.write(&folder).unwrap();
        for outcome in [claim(&folder, 1, false), ResultsFolder::reopen(&folder, |_| kinds())] {
            let problem = outcome.and_then(|results| results.stage_tables("compare"));
            assert!(message(problem).contains("not in its folder"), "{name}");
        }
        assert_eq!(read(root.path(), "outside.csv"), "mine");
        let found = crate::experiment::verify(&folder, 0, 1).unwrap();
        assert!(found.problems.iter().any(|problem| problem.contains("not in the folder")), "{found:?}");
    }
}

#[test]
fn tables_without_a_hash_are_not_drawn() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("run");
    run(&folder, 1, false, "a");
    fs::remove_file(folder.join(manifest::RUN_FILE)).unwrap();
    fs::write(folder.join("timing.csv"), "0.1").unwrap();
    let results = ResultsFolder::reopen(&folder, |_| kinds()).unwrap();
    assert!(message(results.stage_tables("compare")).contains("no hash"));
}

#[test]
fn a_folder_in_the_place_of_a_file_stops_a_commit_before_it_begins() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("run");
    run(&folder, 1, false, "a");
    fs::remove_file(folder.join("timing.csv")).unwrap();
    fs::create_dir(folder.join("timing.csv")).unwrap();
    let results = claim(&folder, 1, true).unwrap();
    results.write("games.csv", b"b").unwrap();
    results.write("timing.csv", b"0.5").unwrap();
    let games = store(&results);
    assert!(message(results.commit(Some(&games))).contains("timing.csv` is a folder"));
    assert_eq!(read(&folder, "games.csv"), "a");
    assert!(!folder.join(COMMIT).exists());
}
