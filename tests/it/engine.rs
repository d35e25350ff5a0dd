//! `eval`, `hint`, `explain`, `list` and `bench`.

use crate::program::{assert_fails, json, stdout};

const EXAMPLE: &str = "4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0";

#[test]
fn eval_gives_the_published_example_values_of_malaga() {
    for (name, expected) in [
        ("malaga-1", 104.6199651668247),
        ("malaga-2", 96.6199651668247),
        ("malaga-3", 30.619965166824695),
        ("malaga-4", 106.0),
    ] {
        let found = json(&["eval", "--board", EXAMPLE, "--score", "8", "--heuristic", name, "--json"]);
        let value = found["value"].as_f64().unwrap();
        assert!((value - expected).abs() < 1e-9, "{name}: {value}");
        let terms = found["terms"].as_array().unwrap();
        let sum: f64 = terms.iter().map(|term| term["value"].as_f64().unwrap()).sum();
        assert!((sum - value).abs() < 1e-9, "{name}: terms add up to {sum}");
        for term in terms {
            let product = term["coefficient"].as_f64().unwrap() * term["raw"].as_f64().unwrap();
            assert!((product - term["value"].as_f64().unwrap()).abs() < 1e-9, "{term}");
        }
    }
}

#[test]
fn every_listed_heuristic_works() {
    let list = json(&["list", "heuristics", "--json"]);
    for heuristic in list["heuristics"].as_array().unwrap() {
        let name = heuristic["name"].as_str().unwrap();
        let (game, board) = if name == "open-lines" { ("tic-tac-toe", "X.O/.../...") } else { ("2048", EXAMPLE) };
        let found = json(&["eval", "--game", game, "--board", board, "--heuristic", name, "--json"]);
        assert!(found["value"].is_number(), "{name}: {found}");
    }
}

#[test]
fn hint_gives_a_legal_move_for_every_listed_agent() {
    let list = json(&["list", "agents", "--json"]);
    for agent in list["agents"].as_array().unwrap() {
        let name = agent["name"].as_str().unwrap();
        let found = json(&["hint", "--board", EXAMPLE, "--score", "8", "--agent", name, "--json"]);
        let values = found["values"].as_object().unwrap();
        assert!(values.contains_key(found["move"].as_str().unwrap()), "{name}: {found}");
        let legal = ["left", "right", "up", "down"];
        assert!(values.keys().all(|action| legal.contains(&action.as_str())), "{name}: {found}");
        assert!(found["nodes"].as_u64().unwrap() > 0, "{name}: {found}");
    }
}

#[test]
fn hint_shows_only_legal_moves_and_calls_a_win_a_win() {
    let board = "1024,1024,4,2/2,4,8,16/16,8,4,2/2,4,8,16";
    for agent in ["minimax:depth=1", "alphabeta:depth=3", "expectimax:depth=2", "rollout:runs=5"] {
        let found = json(&["hint", "--board", board, "--agent", agent, "--json"]);
        assert_eq!(found["move"], "left", "{agent}");
        assert_eq!(found["values"]["left"], "win", "{agent}");
        assert!(found["values"].get("up").is_none(), "{agent}: {found}");
    }
    let found = json(&["hint", "--board", board, "--goal", "none", "--agent", "expectimax:depth=2", "--json"]);
    assert!(found["values"]["left"].is_number(), "{found}");
}

#[test]
fn hint_gives_the_same_answer_with_the_same_seed() {
    let hint = |seed: &str| stdout(&["hint", "--board", EXAMPLE, "--agent", "rollout:runs=20", "--seed", seed]);
    assert_eq!(hint("3"), hint("3"));
    assert_ne!(hint("3"), hint("4"));
}

#[test]
fn explain_writes_trees_of_every_game_in_every_format() {
    for (game, board) in [
        ("2048", "2,4,8,16/32,64,128,256/2,4,8,16/32,64,0,2"),
        ("tic-tac-toe", "XO./.X./O.."),
        ("connect-four", "......./......./......./......./...O.../...XX.O"),
    ] {
        for (format, start) in [("text", "alphabeta"), ("json", "{"), ("dot", "digraph"), ("svg", "<svg")] {
            let agent = "alphabeta:depth=3";
            let found = stdout(&["explain", "--game", game, "--board", board, "--agent", agent, "--format", format]);
            assert!(found.trim_start().starts_with(start), "{game} {format}: {}", &found[..80]);
        }
    }
}

#[test]
fn wrong_input_gets_a_message_and_exit_code_2() {
    let hint = |board: &'static str, agent: &'static str| ["hint", "--board", board, "--agent", agent];
    assert_fails(&hint("1,2", "random"), 2, &["4 rows"]);
    assert_fails(&hint("4,2,2/4,0,0,0/0,0,0,0/0,0,0,0", "random"), 2, &["row 1", "needs 4"]);
    assert_fails(&hint("4,2,2,3/4,0,0,0/0,0,0,0/0,0,0,0", "random"), 2, &["row 1, column 4", "3 is not a tile"]);
    assert_fails(&hint("4,2,2,6/4,0,0,0/0,0,0,0/0,0,0,0", "random"), 2, &["6 is not a tile"]);
    assert_fails(&hint("4,2,2,-2/4,0,0,0/0,0,0,0/0,0,0,0", "random"), 2, &["`-2`"]);
    assert_fails(&hint("4,2,2,65536/4,0,0,0/0,0,0,0/0,0,0,0", "random"), 2, &["32768"]);
    assert_fails(&hint("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2", "random"), 2, &["no move is legal"]);
    assert_fails(&hint("0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "random"), 2, &["no move is legal"]);
    assert_fails(&hint(EXAMPLE, "expectimx"), 2, &["did you mean `expectimax`"]);
    assert_fails(&hint(EXAMPLE, "expectimax:dept=3"), 2, &["did you mean `depth`"]);
    assert_fails(&hint(EXAMPLE, "expectimax:depth=0"), 2, &["depth", "from 1 to 60"]);
    assert_fails(&hint(EXAMPLE, "expectimax:heuristic=snak"), 2, &["did you mean `snake`"]);
    assert_fails(&hint(EXAMPLE, "expectimax:depth"), 2, &["key=value"]);
    assert_fails(&["hint", "--board", EXAMPLE, "--agent", "random", "--goal", "100"], 2, &["goal", "100"]);
    assert_fails(&["hint", "--game", "chess", "--board", "x", "--agent", "random"], 2, &["unknown game `chess`"]);
    assert_fails(&["eval", "--board", EXAMPLE, "--heuristic", "/no/such/file.toml"], 2, &["/no/such/file.toml"]);
    assert_fails(&["explain", "--board", EXAMPLE, "--agent", "minimax", "--format", "pdf"], 2, &["unknown format"]);
    assert_fails(&["bench", "--seconds", "0"], 2, &["--seconds"]);
    assert_fails(&["list", "nothing"], 2, &["nothing"]);
}

#[test]
fn shells_can_complete_commands_and_agents() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completions", shell]);
        assert!(["compare", "tune", "explain", "replay"].iter().all(|command| script.contains(command)), "{shell}");
    }
    // The script for fish has a line for each option of each command.
    let script = stdout(&["completions", "fish"]);
    let options: Vec<&str> = script
        .split("\ncomplete ")
        .filter(|line| [" agent ", " opponent "].iter().any(|name| line.contains(&format!("-l{name}"))))
        .collect();
    assert!(options.len() >= 7, "{options:?}");
    for line in options {
        assert!(["expectiminimax", "tree-rollout"].iter().all(|agent| line.contains(agent)), "no agents in {line}");
    }
}

#[test]
fn bench_measures_all_speeds() {
    let found = json(&["bench", "--seconds", "0.01", "--repeats", "6", "--json"]);
    for key in ["random_moves_per_second", "rollouts_per_second"] {
        let [middle, low, high] = ["", "_low", "_high"].map(|end| found[format!("{key}{end}")].as_f64().unwrap());
        assert!(0.0 < low && low <= middle && middle <= high, "{key}: {found}");
    }
    for plies in ["2", "3", "4", "5", "6", "7"] {
        assert!(found["expectimax_moves_per_second"][plies].as_f64().unwrap() > 0.0, "{plies}: {found}");
    }
}
