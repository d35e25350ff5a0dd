//! Contrasts, repeated games, stop rules and plans.

use super::*;

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
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("planned.toml"), PLANNED).unwrap();
    let said = run(workdir.path(), &["compare", "planned.toml", "--format", "none"], 0);
    assert!(said.contains("score until goal") && said.contains("moves to goal"), "{said}");
    assert!(said.contains("greedy beats random by") && said.contains("simultaneous 95 % interval"), "{said}");
    assert!(said.contains("played exactly the same games"), "{said}");
    let results = workdir.path().join("results/planned");
    let comparisons = fs::read_to_string(results.join("comparisons.csv")).unwrap();
    assert!(!comparisons.contains("a12") && comparisons.contains("p_log_rank_holm"), "{comparisons}");
    assert_eq!(comparisons.matches("planned").count(), 2, "{comparisons}");
    assert!(!comparisons.contains("the same"), "identical agents are no pair");
    assert!(fs::read_to_string(results.join("survival.csv")).unwrap().lines().count() > 5);
    let report = fs::read_to_string(results.join("report.md")).unwrap();
    assert!(report.contains("sharing seeds makes games repeatable"), "{report}");

    let json = stdout_in(workdir.path(), &["compare", "planned.toml", "--format", "none", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["pairs"][0]["family"], "planned");
    assert!(json["pairs"][0]["simultaneous_low"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_column_is_described() {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("planned.toml"), PLANNED).unwrap();
    run(workdir.path(), &["compare", "planned.toml", "--quiet", "--format", "none"], 0);
    run(workdir.path(), &["compare", "planned.toml", "--quiet", "--format", "none", "--out", "results/again"], 0);
    let described = read_json(&workdir.path().join("results/planned/columns.json"));
    for (file, columns) in described.as_object().unwrap() {
        for (column, text) in columns.as_object().unwrap() {
            assert_ne!(text["meaning"], "", "{file}: {column}");
        }
    }
    assert!(described["summary.csv"]["mean_score"]["interval"].as_str().unwrap().contains("BCa"));
}

#[test]
fn repeated_games_count_once() {
    let workdir = tempfile::tempdir().unwrap();
    let perfect = ["compare", "--game", "tic-tac-toe", "--opponent", "alphabeta:depth=9", "--agent", "minimax:depth=9"];
    let more = ["--agent", "random", "--games", "20", "--format", "none", "--out", "perfect"];
    let said = run(workdir.path(), &[&perfect[..], &more[..]].concat(), 0);
    assert!(said.contains("All 20 games of minimax depth=9 are the same game"), "{said}");
    let summary = fs::read_to_string(workdir.path().join("perfect/summary.csv")).unwrap();
    assert!(summary.lines().any(|line| line.starts_with("minimax depth=9,20,0,0,,,0,,,")), "{summary}");
}

/// An experiment that stops as soon as it is clear which of two agents reaches 128 more often.
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
fn a_stop_rule_ends_after_the_same_games_on_any_number_of_threads() {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("sequential.toml"), SEQUENTIAL).unwrap();
    let compare = |threads: &'static str, out: &'static str| {
        let arguments = ["compare", "sequential.toml", "--format", "none", "--threads", threads, "--out", out];
        run(workdir.path(), &arguments, 0)
    };
    let said = compare("1", "one");
    assert!(said.contains("Sequential test (alpha 0.05, beta 0.1) after"), "{said}");
    assert!(said.contains("expectimax depth=2 is better than random by"), "{said}");
    assert!(!said.contains("beats"), "an ordinary interval does not allow for early stopping: {said}");
    compare("3", "three");
    let read = |folder: &str, name: &str| fs::read_to_string(workdir.path().join(folder).join(name)).unwrap();
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
    assert!(run(workdir.path(), &longer, 2).contains("another experiment"));
}

#[test]
fn a_plan_says_how_many_games_are_needed() {
    let workdir = tempfile::tempdir().unwrap();
    fs::write(workdir.path().join("planned.toml"), PLANNED).unwrap();
    let before = run(workdir.path(), &["plan", "planned.toml", "--difference", "0.15", "--win-rate", "0.5"], 0);
    assert!(before.contains("Assumed, because there are no results: a win rate of 0.5"), "{before}");
    assert!(before.contains("games needed") && before.contains("2 contrasts are declared"), "{before}");
    run(workdir.path(), &["compare", "planned.toml", "--quiet", "--format", "none"], 0);
    let after = run(workdir.path(), &["plan", "planned.toml", "--json"], 0);
    let after: serde_json::Value = serde_json::from_str(&after).unwrap();
    assert_eq!(after["contrasts"][0]["basis"], "measured");
    assert_eq!(after["contrasts"][0]["difference"], 0.4, "the margin of the experiment");
    assert!(after["contrasts"][0]["games_needed"].as_u64().unwrap() > 2);
    for (arguments, part) in [
        (vec!["plan", "absent.toml"], "absent.toml"),
        (vec!["plan", "planned.toml", "--power", "1"], "--power"),
        (vec!["plan", "planned.toml", "--difference", "5"], "below 1"),
    ] {
        let refused = run(workdir.path(), &arguments, 2);
        assert!(refused.contains(part), "{arguments:?}\n{refused}");
    }
    assert!(run(workdir.path(), &["plan", "planned.toml", "--results", "nowhere"], 1).contains("nowhere"));
}
