//! The same bytes on processors with and without FMA and AVX2.
//!
//! glibc computes `exp`, `pow` and `log` in a different way on processors with FMA, and the last bits differ. Matrix
//! libraries choose their kernels by processor. So no result may depend on either of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::program::{files, said};

/// Every kind of agent, and heuristics with powers and logarithms.
const COMPARISON: &str = r#"
name = "compare"
seed = 3
games = 3
goal = 64

[[agents]]
kind = "expectimax"
depth = 1
heuristic = ["line-sum", "snake", "basic", "mixed"]

[[agents]]
kind = "mcts"
iterations = 20
runs = 4

[[agents]]
kind = "mcts"
iterations = 20
runs = 0
heuristic = "line-sum"

[[agents]]
kind = "rollout"
runs = 20

[[agents]]
kind = "tree-rollout"

[[agents]]
kind = "alphabeta"
depth = 2
"#;

/// All optimizers, in seven dimensions: from five on, nalgebra would multiply matrices by another kernel with FMA.
const TUNING: &str = r#"
name = "tune"
seed = 5
goal = "none"

[agent]
kind = "greedy"

[heuristic]
preset = "line-sum"

[[parameters]]
name = "alive"
start = 10000
range = [100, 1000000]
scale = "log"

[[parameters]]
name = "empty"
start = 1
range = [0.001, 1000]
scale = "log"

[[parameters]]
name = "merges"
start = 1
range = [-10, 10]

[[parameters]]
name = "monotonicity"
start = -1
range = [-100, -0.001]
scale = "log"

[[parameters]]
name = "monotonicity.power"
start = 1
range = [0.5, 6]

[[parameters]]
name = "rank-powers"
start = -1
range = [-2, 2]

[[parameters]]
name = "rank-powers.power"
start = 1
range = [0.5, 4]

[optimizer]
kind = ["cma-es", "spsa", "nelder-mead", "particle-swarm", "annealing", "random"]
repeats = 1
budget = BUDGET
cma-es = { games = 2 }
spsa = { games = 2 }
nelder-mead = { games = 4 }
particle-swarm = { games = 2 }
annealing = { games = 4 }
random = { games = 4 }

[validation]
games = 10
every = 1000

[test]
games = 20
"#;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lab2048");

fn workdir(budget: &str) -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("compare.toml"), COMPARISON).unwrap();
    fs::write(workdir.path().join("tune.toml"), TUNING.replace("BUDGET", budget)).unwrap();
    workdir
}

/// Runs an experiment with a program that may be under an emulator. Returns its repeatable files.
fn play(workdir: &TempDir, kind: &str, out: &str, mut program: Command) -> BTreeMap<String, Vec<u8>> {
    let file = format!("{kind}.toml");
    let words = [kind, &file, "--quiet", "--threads", "1", "--format", "none", "--out", out];
    let output = program.args(words).current_dir(workdir.path()).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let folder = workdir.path().join(out);
    let measured = ["run.json", "report.", "tables.tex", "timing", "segments/"];
    let name = |path: &Path| path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
    let kept = files(&folder).into_iter().filter(|path| !measured.iter().any(|part| name(path).starts_with(part)));
    kept.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

fn assert_same(workdir: &TempDir, kind: &str, other: Command) {
    let here = play(workdir, kind, "here", Command::new(PROGRAM));
    let there = play(workdir, kind, "there", other);
    assert!(here.len() > 5 && here.contains_key("manifest.json"));
    assert_eq!(here.keys().collect::<Vec<_>>(), there.keys().collect::<Vec<_>>());
    for (name, bytes) in here {
        assert!(there[&name] == bytes, "{name} differs");
    }
    fs::remove_dir_all(workdir.path().join("here")).unwrap();
    fs::remove_dir_all(workdir.path().join("there")).unwrap();
}

const WITHOUT_FMA: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-FMA,-AVX2");

/// A number that depends on the last bits of the system's own functions. Run by itself, it prints that number.
#[test]
fn last_bits_of_the_system() {
    let mut sum = 0_u64;
    for step in 1..100_000 {
        let x = std::hint::black_box(f64::from(step) * 1.234_567e-3);
        for value in [x.ln(), (x * 0.1).exp(), x.powf(1.37)] {
            sum = sum.rotate_left(7) ^ value.to_bits();
        }
    }
    println!("last bits: {sum:016x}");
}

fn last_bits(environment: &[(&str, &str)]) -> String {
    let mut probe = Command::new(std::env::current_exe().unwrap());
    probe.args(["--exact", "processors::last_bits_of_the_system", "--nocapture"]).envs(environment.iter().copied());
    let output = probe.output().unwrap();
    let text = said(&output);
    let number = text.split("last bits: ").nth(1).unwrap_or_else(|| panic!("{text}"));
    number.chars().take(16).collect()
}

#[test]
fn the_same_bytes_without_fma_and_avx2_in_the_c_library() {
    if last_bits(&[]) == last_bits(&[WITHOUT_FMA]) {
        println!("left out: this processor or C library computes the same without FMA, so nothing can differ");
        return;
    }
    let workdir = workdir("400");
    for kind in ["compare", "tune"] {
        let mut other = Command::new(PROGRAM);
        other.env(WITHOUT_FMA.0, WITHOUT_FMA.1);
        assert_same(&workdir, kind, other);
    }
}

#[test]
fn the_same_bytes_on_an_emulated_processor_without_avx() {
    let emulator = "qemu-x86_64";
    if !cfg!(target_arch = "x86_64") || Command::new(emulator).arg("--version").output().is_err() {
        println!("left out: there is no {emulator} (Debian: qemu-user)");
        return;
    }
    let workdir = workdir("200");
    for kind in ["compare", "tune"] {
        let mut other = Command::new(emulator);
        other.args(["-cpu", "Nehalem", PROGRAM]);
        assert_same(&workdir, kind, other);
    }
}
