//! `lab2048 slurm` and `tune --plan`: scripts and estimates. `tests/slurm` runs scripts on a real Slurm.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use tempfile::TempDir;

use crate::program::{lab, run, said};

const COMPARISON: &str = r#"
name = "tiny"
seed = 3
games = 10

[[agents]]
kind = "random"

[[agents]]
kind = "expectimax"
depth = 1

[[agents]]
kind = "expectimax"
depth = 1
work = 1000000
"#;

const TUNING: &str = r#"
name = "tuned"
goal = "none"

[agent]
kind = "expectimax"
depth = 1

[heuristic]
preset = "basic"

[[parameters]]
name = "mask"
range = [0.01, 100]
scale = "log"

[optimizer]
kind = "cma-es"
budget = 400
games = 5

[test]
games = 10
"#;

fn workdir() -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("tiny.toml"), COMPARISON).unwrap();
    fs::write(workdir.path().join("tuned.toml"), TUNING).unwrap();
    workdir
}

/// Runs a script as a task of an array, or as a job of its own.
fn run_script(workdir: &TempDir, script: &str, task: Option<u64>) -> String {
    let mut bash = Command::new("bash");
    bash.arg(script).current_dir(workdir.path()).env_remove("SLURM_ARRAY_TASK_ID");
    if let Some(task) = task {
        bash.env("SLURM_ARRAY_TASK_ID", task.to_string());
    }
    let output = bash.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

#[test]
fn the_script_of_a_comparison_plays_all_shards_and_merges_them() {
    let workdir = workdir();
    let words = ["slurm", "tiny.toml", "--nodes", "3", "--cpus", "1", "--out", "out dir", "--seed", "9", "--json"];
    let found: serde_json::Value = serde_json::from_str(&run(workdir.path(), &words, 0)).unwrap();
    assert_eq!((found["script"].as_str(), found["shards"].as_u64()), (Some("tiny.sbatch"), Some(3)));
    assert!(found["seconds"].as_f64().unwrap() > 0.0, "{found}");
    for task in 0..3 {
        assert!(run_script(&workdir, "tiny.sbatch", Some(task)).contains(&format!("Shard {task}/3 is complete")));
    }
    assert!(run_script(&workdir, "tiny.sbatch", None).contains("Results are in out dir"));
    run(workdir.path(), &["compare", "tiny.toml", "--seed", "9", "--out", "here", "--quiet", "--format", "none"], 0);
    let games = |folder: &str| fs::read(workdir.path().join(folder).join("games.csv")).unwrap();
    assert!(games("out dir") == games("here"));
}

#[test]
fn a_script_is_submitted_and_one_of_the_user_is_not_overwritten() {
    let workdir = workdir();
    let words = ["slurm", "tiny.toml", "--nodes", "2", "--cpus", "1"];
    assert!(run(workdir.path(), &words, 0).contains("tiny.sbatch: in 2 shards, about "));
    fs::write(workdir.path().join("tiny.sbatch"), "mine").unwrap();
    assert!(run(workdir.path(), &words, 2).contains("`tiny.sbatch` exists already"));
    assert_eq!(fs::read_to_string(workdir.path().join("tiny.sbatch")).unwrap(), "mine");

    // A replacement for sbatch that logs its arguments.
    let sbatch = workdir.path().join("sbatch");
    fs::write(&sbatch, "#!/bin/sh\necho \"$@\" >> asked\necho 41\n").unwrap();
    fs::set_permissions(&sbatch, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", workdir.path().display(), std::env::var("PATH").unwrap_or_default());
    let submit = |file: &str, script: &str| {
        let words = ["slurm", file, "--nodes", "2", "--cpus", "1", "--submit", "--script", script];
        let output = lab(workdir.path(), &words).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    assert!(submit("tiny.toml", "a.sh").contains("Submitted as 41 and 41."));
    assert!(submit("tuned.toml", "b.sh").contains("Submitted as 41."));
    let asked = fs::read_to_string(workdir.path().join("asked")).unwrap();
    assert_eq!(
        asked.lines().collect::<Vec<_>>(),
        ["--parsable --array=0-1%2 a.sh", "--parsable --dependency=afterany:41 a.sh", "--parsable b.sh"]
    );
    let script = fs::read_to_string(workdir.path().join("b.sh")).unwrap();
    assert!(script.contains("#SBATCH --ntasks=2") && script.contains("srun") && script.contains("--worker-count 2"));

    fs::write(&sbatch, "#!/bin/sh\necho no such partition >&2\nexit 1\n").unwrap();
    let words = ["slurm", "tiny.toml", "--nodes", "2", "--cpus", "1", "--submit", "--script", "c.sh"];
    let output = lab(workdir.path(), &words).env("PATH", &path).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("sbatch: no such partition"), "{}", said(&output));
}

#[test]
fn wrong_requests_are_refused() {
    let workdir = workdir();
    for (words, part) in [
        (&["slurm", "tiny.toml", "--nodes", "0", "--cpus", "1"][..], "--nodes"),
        (&["slurm", "absent.toml", "--nodes", "1", "--cpus", "1"], "absent.toml"),
        (&["slurm", "tuned.toml", "--nodes", "1", "--cpus", "1", "--games", "5"], "`budget`"),
        (&["tune", "tuned.toml", "--plan", "0"], "--plan"),
    ] {
        let said = run(workdir.path(), words, 2);
        assert!(said.contains(part), "{words:?}: {said}");
    }
}

#[test]
fn the_plan_of_a_tuning_run_says_how_many_cores_are_busy() {
    let workdir = workdir();
    let said = run(workdir.path(), &["tune", "tuned.toml", "--plan", "6"], 0);
    for part in ["One search: ", "cores  s/generation  busy  whole run", "\n       6 "] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let found = run(workdir.path(), &["tune", "tuned.toml", "--plan", "6", "--json"], 0);
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    let games = found["games_per_generation"].as_f64().unwrap() * found["generations"].as_f64().unwrap();
    assert!((games - 400.0).abs() < 100.0, "the budget is 400 games: {found}");
    let cores: Vec<u64> = found["cores"].as_array().unwrap().iter().map(|row| row["cores"].as_u64().unwrap()).collect();
    assert_eq!(cores, [1, 2, 4, 6]);
    assert!(!workdir.path().join("results").exists());
}
