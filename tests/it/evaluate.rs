//! `lab2048 evaluate`: answers the requests of an optimizer outside the program.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{lab, run, said, stdout_in};

const EXPERIMENT: &str = r#"seed = 5
goal = "none"

[agent]
kind = "greedy"

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
budget = 1000
"#;

fn workdir() -> TempDir {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("tiny.toml"), EXPERIMENT).unwrap();
    workdir
}

fn evaluate(workdir: &TempDir, threads: &str, requests: &str) -> Output {
    let mut command = lab(workdir.path(), &["evaluate", "tiny.toml", "--threads", threads]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(requests.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn request(id: u64, ratio: f64) -> String {
    format!("{{\"id\":{id},\"parameters\":{{\"mask\":1,\"mask.ratio\":{ratio}}},\"games\":10}}\n")
}

#[test]
fn answers_are_the_same_on_any_number_of_threads() {
    let (workdir, requests) = (workdir(), (0..20).map(|id| request(id, 0.3 + 0.02 * id as f64)).collect::<String>());
    let (one, four) = (evaluate(&workdir, "1", &requests), evaluate(&workdir, "4", &requests));
    assert!(one.status.success(), "{}", said(&one));
    assert_eq!(one.stdout, four.stdout);
    assert_eq!(String::from_utf8(one.stdout).unwrap().lines().count(), 20);
    assert!(!workdir.path().join("results").exists());
}

#[test]
fn each_request_is_answered_before_the_next_one_is_sent() {
    let workdir = workdir();
    let mut command = lab(workdir.path(), &["evaluate", "tiny.toml"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for id in 1..4 {
        input.write_all(request(id, 0.5).as_bytes()).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!((answer["id"].as_u64(), answer["games"].as_u64()), (Some(id), Some(10)));
        assert!(answer["mean"].as_f64().unwrap() > 0.0 && answer["standard_error"].as_f64().unwrap() > 0.0);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn faulty_requests_are_answered_and_the_exit_code_says_so() {
    let workdir = workdir();
    let faulty = evaluate(&workdir, "2", &(request(1, 0.5) + &request(2, 1.5) + &request(3, 0.5)));
    assert_eq!(faulty.status.code(), Some(2));
    let lines = String::from_utf8(faulty.stdout.clone()).unwrap();
    let errors: Vec<bool> = lines.lines().map(|line| line.contains("\"error\"")).collect();
    assert_eq!(errors, [false, true, false]);
    assert!(said(&faulty).contains("1 of 3 requests were refused; the first is line 2"), "{}", said(&faulty));
}

#[test]
fn the_space_and_a_heuristic_are_printed() {
    let workdir = workdir();
    let space: Value =
        serde_json::from_str(&stdout_in(workdir.path(), &["evaluate", "tiny.toml", "--describe"])).unwrap();
    assert_eq!((&space["objective"], &space["direction"]), (&"mean-score".into(), &"maximize".into()));
    let mask = &space["parameters"][0];
    assert_eq!((&mask["name"], &mask["type"], &mask["scale"]), (&"mask".into(), &"real".into(), &"log".into()));
    assert_eq!((mask["low"].as_f64(), mask["high"].as_f64()), (Some(0.01), Some(100.0)));
    let parameters = r#"{"mask": 2, "mask.ratio": 0.25}"#;
    let heuristic = stdout_in(workdir.path(), &["evaluate", "tiny.toml", "--heuristic", parameters]);
    fs::write(workdir.path().join("own.toml"), heuristic).unwrap();
    let board = ["eval", "--board", "2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2", "--heuristic", "own.toml"];
    assert!(stdout_in(workdir.path(), &board).contains("mask"));
    let said = run(workdir.path(), &["evaluate", "tiny.toml", "--heuristic", "{\"mask\": 2}"], 2);
    assert!(said.contains("`mask.ratio` is missing"), "{said}");
    assert!(run(Path::new("."), &["evaluate", "nowhere.toml"], 2).contains("nowhere.toml"));
}
