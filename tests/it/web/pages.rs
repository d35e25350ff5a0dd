//! The pages in a real browser.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::browser::Browser;
use super::client::Server;
use crate::program::{lab, run};

const CROWDED: &str = "2,4,8,16/32,64,128,256/2,4,8,16/32,64,0,2";

/// The tutor page with a game from this board.
fn tutor(browser: &Browser, server: &Server, game: &str, board: &str, agent: &str) {
    browser.open_page(&server.address("/play"));
    browser.wait_for("document.body.dataset.ready");
    let opening = json!({ "game": game, "board": board, "seed": 7 });
    let id = server.post("/api/games", &opening).json()["id"].clone();
    browser.value(&format!("localStorage.setItem('game', JSON.stringify({{ id: {id} }}))"));
    browser.value(&format!("localStorage.setItem('agent', '{agent}')"));
    browser.open_page(&server.address("/play"));
    browser.wait_for("document.body.dataset.ready");
}

fn start(test: &str) -> Option<(tempfile::TempDir, Server, Browser)> {
    let browser = Browser::start(test)?;
    let folder = super::requests::results("plain");
    let server = Server::start(&folder.path().join("results"));
    Some((folder, server, browser))
}

#[test]
fn a_game_is_played_with_keys_hints_and_undo() {
    let Some((_folder, server, browser)) = start("a game in the browser") else { return };
    tutor(&browser, &server, "2048", "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,4", "expectimax:depth=2");
    browser.press("left");
    browser.wait_for("document.getElementById('moves').textContent === '1'");
    assert_eq!(browser.value("document.getElementById('score').textContent"), "4");
    browser.wait_for("document.querySelectorAll('#board .tile').length === 3");
    browser.press("u");
    browser.wait_for("document.getElementById('moves').textContent === '0'");
    browser.press("h");
    browser.wait_for("document.querySelector('#pad .hinted')");
    browser.wait_for("document.querySelectorAll('#bars .bar').length >= 2");
    browser.press("p");
    browser.wait_for("Number(document.getElementById('moves').textContent) > 3");
    browser.press("p");
    browser.reduce_motion();
    browser.press("u");
    let animations = "[...document.querySelectorAll('#board .tile')].map(tile => getComputedStyle(tile).animationName)";
    browser.wait_for(&format!("{animations}.every(name => name === 'none')"));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn two_player_games_are_played_against_an_agent() {
    let Some((_folder, server, browser)) = start("two-player games in the browser") else { return };
    tutor(&browser, &server, "tic-tac-toe", ".../.../...", "alphabeta:depth=9");
    browser.click("#board [data-move=b2]");
    browser.wait_for(
        "[...document.querySelectorAll('#board .cell')].filter(cell => cell.textContent === 'O').length === 1",
    );
    browser.value("document.getElementById('game').value = 'connect-four'");
    browser.value("document.getElementById('game').dispatchEvent(new Event('change'))");
    browser.wait_for("document.querySelectorAll('#board .cell').length === 42");
    browser.click("#board [data-move='4']");
    browser.wait_for(
        "[...document.querySelectorAll('#board .cell')].filter(cell => cell.textContent === 'O').length === 1",
    );
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_search_is_followed_step_by_step() {
    let Some((_folder, server, browser)) = start("the search tree in the browser") else { return };
    tutor(&browser, &server, "tic-tac-toe", "XO./.X./O..", "alphabeta:depth=3");
    browser.click("#tab-tree");
    browser.wait_for("document.querySelectorAll('#tree .node').length > 3");
    browser.click("#tree button");
    let sentence = "document.querySelector('#tree .sentence').textContent";
    browser.wait_for(&format!("{sentence}.startsWith('The search starts here')"));
    browser.click("#tree [aria-label='Step forward']");
    browser.wait_for(&format!("!{sentence}.startsWith('The search starts here')"));
    let steps = browser
        .value("document.querySelector('#tree input[type=range]').max")
        .as_str()
        .unwrap()
        .parse::<u32>()
        .unwrap();
    let sentences: Vec<String> = (0..steps)
        .map(|_| {
            browser.click("#tree [aria-label='Step forward']");
            browser.value(sentence).as_str().unwrap().to_string()
        })
        .collect();
    assert!(sentences.iter().any(|sentence| sentence.contains("the rest cannot matter")), "{sentences:?}");
    assert!(sentences.last().unwrap().contains("The move to play is"), "{sentences:?}");
    assert!(!browser.value("document.querySelector('#tree .drawing').textContent").as_str().unwrap().contains(" p 0."));
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn the_growth_of_a_monte_carlo_tree_is_shown() {
    let Some((_folder, server, browser)) = start("MCTS in the browser") else { return };
    tutor(&browser, &server, "2048", CROWDED, "mcts:iterations=60");
    browser.click("#tab-growth");
    let visits = "[...document.querySelectorAll('#growth tbody td:nth-child(3)')].reduce((sum, cell) => sum + Number(cell.textContent), 0)";
    browser.wait_for(&format!("{visits} > 0"));
    let before = browser.value(visits).as_u64().unwrap();
    // The first iterations only value each move once, so a single step may change nothing.
    for _ in 0..12 {
        browser.click("#growth [aria-label='Step forward']");
    }
    browser.wait_for(&format!("{visits} > {before}"));
    // The tree has replies below the moves, and moves below these, each with its statistics.
    browser.click("#growth [aria-label='Last step']");
    browser
        .wait_for("document.querySelectorAll('#growth .tree > li > details > ul > li > details > ul > li').length > 0");
    let deep = browser.value("document.querySelector('#growth .tree ul ul li').textContent");
    assert!(["visit", "mean", "UCB"].iter().all(|part| deep.as_str().unwrap().contains(part)), "{deep}");
    browser.click("#tab-playouts");
    browser.wait_for("document.querySelectorAll('#playouts .card').length >= 2");
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_game_is_analysed() {
    let Some((_folder, server, browser)) = start("the analysis in the browser") else { return };
    tutor(&browser, &server, "2048", "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,4", "expectimax:depth=2");
    for _ in 0..6 {
        let before = browser.value("Number(document.getElementById('moves').textContent)");
        for key in ["left", "down"] {
            browser.press(key);
            std::thread::sleep(Duration::from_millis(150));
        }
        browser.wait_for(&format!("Number(document.getElementById('moves').textContent) >= {before}"));
    }
    browser.click("#tab-analysis");
    browser.wait_for("!document.querySelector('#analysis .primary').disabled");
    browser.click("#analysis .primary");
    browser
        .wait_for("document.querySelector('#analysis progress').hidden && document.querySelector('#analysis .line')");
    assert!(
        browser
            .value("document.querySelector('#analysis').textContent")
            .as_str()
            .unwrap()
            .contains("would have played the same")
    );
    assert_eq!(browser.errors(), Vec::<String>::new());
}

#[test]
fn a_report_opens_from_the_disk_and_hostile_labels_do_nothing() {
    let Some(browser) = Browser::start("the report in the browser") else { return };
    let folder = tempfile::tempdir().unwrap();
    let compare =
        ["compare", "--agent", "greedy", "--agent", "random", "--games", "20", "--out", "run", "--record", "best"];
    run(folder.path(), &compare, 0);
    browser.open_page(&format!("file://{}", folder.path().join("run/report.html").display()));
    let sizes =
        browser.value("[...document.querySelectorAll('figure svg')].map(svg => svg.getBoundingClientRect().width)");
    assert!(sizes.as_array().is_some_and(|sizes| !sizes.is_empty()), "no figures");
    assert!(sizes.as_array().unwrap().iter().all(|width| width.as_f64().unwrap() > 100.0), "{sizes}");
    browser.click("th button");
    browser.wait_for("document.querySelector('th[aria-sort]')");
    browser.click(".player [aria-label='One move on']");
    browser.wait_for("document.querySelector('.player p.small').textContent.startsWith('Move 1')");
    assert_eq!(browser.errors(), Vec::<String>::new());

    let label = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>";
    let agents = format!("[[agents]]\nkind = \"random\"\nlabel = \"{label}\"\n[[agents]]\nkind = \"greedy\"\n");
    std::fs::write(folder.path().join("evil.toml"), format!("games = 20\n{agents}")).unwrap();
    run(folder.path(), &["compare", "evil.toml", "--out", "evil"], 0);
    browser.open_page(&format!("file://{}", folder.path().join("evil/report.html").display()));
    assert_eq!(browser.value("typeof window.hacked"), "undefined");
}

const TUNING: &str = "name = \"live\"\nseed = 1\ngoal = \"none\"\n[agent]\nkind = \"expectimax\"\ndepth = 2\n[heuristic]\npreset = \"basic\"\n\
    [[parameters]]\nname = \"mask\"\nrange = [0.01, 100]\nscale = \"log\"\n[optimizer]\nkind = \"cma-es\"\nbudget = 100000\n\
    [validation]\ngames = 20\nevery = 200\n";

#[test]
fn a_running_tune_is_shown_live() {
    let Some(browser) = Browser::start("a running tune in the browser") else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("live.toml"), TUNING).unwrap();
    let mut tune = lab(folder.path(), &["tune", "live.toml", "--quiet", "--threads", "1"]).spawn().unwrap();
    let server = Server::start(&folder.path().join("results"));
    wait_for_run(&folder.path().join("results/live/live.json"));
    browser.open_page(&server.address("/runs/live"));
    browser.wait_for("document.querySelector('#charts .line')");
    let counts = browser.value("document.getElementById('counts').textContent");
    let began = Instant::now();
    browser.wait_for(&format!("document.getElementById('counts').textContent !== {counts}"));
    println!("the page followed the run after {:.1} s", began.elapsed().as_secs_f64());
    browser.open_page(&server.address("/"));
    browser.wait_for("document.querySelector('.state.running')");
    tune.kill().unwrap();
    tune.wait().unwrap();
    assert_eq!(browser.errors(), Vec::<String>::new());
}

fn wait_for_run(file: &Path) {
    let began = Instant::now();
    while !file.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "the run does not write its progress");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Draws the pictures of the README: `cargo test --release --test it web_pictures -- --ignored`.
#[test]
#[ignore = "writes results/screens/web-play.png, web-tree.png and report.png"]
fn web_pictures() {
    let Some((_folder, server, browser)) = start("the pictures of the README") else { return };
    let screens = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/screens");
    let save = |name: &str| fs::write(screens.join(name), browser.picture()).unwrap();
    browser.look(1280, 860, "light");
    let board = "256,128,64,8/64,32,16,4/8,16,4,2/4,2,0,0";
    tutor(&browser, &server, "2048", board, "expectimax:depth=5");
    browser.wait_for("document.querySelectorAll('#bars .bar').length >= 2");
    save("web-play.png");
    tutor(&browser, &server, "tic-tac-toe", "XO./.X./O..", "alphabeta:depth=4");
    browser.look(1280, 1080, "light");
    browser.click("#tab-tree");
    browser.wait_for("document.querySelectorAll('#tree .node').length > 3");
    browser.click("#tree button");
    let sentence = "document.querySelector('#tree .sentence').textContent";
    while !browser.value(sentence).as_str().unwrap().contains("cannot matter") {
        browser.click("#tree [aria-label='Step forward']");
    }
    save("web-tree.png");
    let folder = tempfile::tempdir().unwrap();
    let agents =
        ["compare", "--agent", "expectimax:depth=2", "--agent", "greedy", "--agent", "random", "--games", "40"];
    run(folder.path(), &[&agents[..], &["--goal", "none", "--out", "three-agents"]].concat(), 0);
    browser.open_page(&format!("file://{}", folder.path().join("three-agents/report.html").display()));
    save("report.png");
}
