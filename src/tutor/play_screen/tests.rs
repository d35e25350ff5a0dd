use std::thread::sleep;

use ratatui::style::Color;

use super::*;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Goal, Twenty48};
use crate::heuristics::Playable;
use crate::record::{Header, Record};
use crate::tutor::session::TypedSession;
use crate::tutor::testing::{buffer, press_all, screen};
use crate::tutor::{App, Flow};

fn setup<G: Playable>(game: G, agent: &str, folder: &tempfile::TempDir) -> Setup {
    let opponent = G::ADVERSARIAL.then(|| agent.to_string());
    let header = Header { game: G::NAME.into(), goal: None, seed: 7, agent: String::new(), opponent };
    Setup {
        table: Box::new(TypedSession::new(game, header)),
        agent: agent.parse().unwrap(),
        opponent: None,
        answered: G::ADVERSARIAL,
        keys: Keys::Commands,
        palette: Palette::Plain,
        record_path: RecordPath::new(folder.path().join("mine.game")),
        keep: false,
        watch: false,
        speed: 4.0,
    }
}

fn twenty48(agent: &str, goal: Goal) -> (Play, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Play::new(setup(Twenty48::new(goal), agent, &folder)).unwrap(), folder)
}

fn tic_tac_toe(agent: &str) -> Play {
    Play::new(setup(TicTacToe, agent, &tempfile::tempdir().unwrap())).unwrap()
}

fn press(play: &mut Play, keys: &str) -> Flow {
    press_all(keys, |key| play.handle(key)).unwrap_or(Flow::Stay)
}

/// Lets the agents answer, without letting time pass for the game.
fn wait(play: &mut Play, enough: impl Fn(&Play) -> bool) {
    for _ in 0..10_000 {
        play.tick(Duration::ZERO);
        if enough(play) {
            return;
        }
        sleep(Duration::from_millis(2));
    }
    panic!("the agent has not answered: {}", play.message);
}

fn shown(play: &Play) -> String {
    screen(100, 30, |frame| play.draw(frame))
}

fn assert_shows(play: &Play, parts: &[&str]) {
    let text = shown(play);
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

#[test]
fn arrows_slide_and_what_is_not_legal_is_said() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    let legal = play.table.legal();
    for (key, action) in [("←", "left"), ("→", "right"), ("↑", "up"), ("↓", "down")] {
        let before = play.facts.moves;
        let is_legal = play.table.legal().iter().any(|legal| legal == action);
        press(&mut play, key);
        assert_eq!(play.facts.moves > before, is_legal);
        assert_eq!(play.message.contains("not legal"), !is_legal);
    }
    assert!(!legal.is_empty() && play.facts.moves >= 2);
    assert_shows(&play, &["score", "best tile", "moves", "seed 7", "last"]);
    press(&mut play, "u");
    assert_shows(&play, &["took back a move"]);
}

#[test]
fn a_hint_names_the_move_and_the_value_of_each() {
    let (mut play, _folder) = twenty48("expectimax:depth=3", Goal::None);
    press(&mut play, "ph");
    wait(&mut play, |play| play.thought.is_some());
    let thought = play.thought.clone().unwrap();
    let proposal = format!("the agent proposes {}", thought.choice);
    assert_shows(&play, &[&proposal, "expectimax depth=3", "█", "nodes, 3 plies, "]);
    for (action, _) in &thought.values {
        assert_shows(&play, &[action]);
    }
    // The panel was put away with `p`, so it goes when the hint goes.
    press_all("←→↑↓", |key| play.handle(key));
    assert!(!shown(&play).contains("plies"));
}

#[test]
fn the_panel_tells_the_main_line_and_what_was_cut() {
    let mut play = tic_tac_toe("alphabeta:depth=5");
    wait(&mut play, |play| play.tree.as_ref().is_some_and(|tree| tree.depth == 5));
    assert_shows(&play, &["Main line", "followed 5 plies", "Cut: ", "branches", "after ", "cut:"]);
    press(&mut play, "t");
    assert_shows(&play, &["alphabeta on tic-tac-toe, 5 plies", "Tree", "Here", "alpha -inf, beta inf"]);
    press(&mut play, "q");
    assert_shows(&play, &["Main line"]);
}

#[test]
fn the_agent_plays_pauses_steps_and_is_taken_over() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    press(&mut play, "a");
    assert_shows(&play, &["the agent plays, 4 moves/s"]);
    wait(&mut play, |play| play.thought.is_some());
    play.tick(Duration::from_millis(249));
    assert_eq!(play.facts.moves, 0);
    play.tick(Duration::from_millis(1));
    assert_eq!(play.facts.moves, 1);
    press(&mut play, " ");
    wait(&mut play, |play| play.thought.is_some());
    play.tick(Duration::from_secs(10));
    assert_eq!((play.facts.moves, play.auto), (1, Auto::Paused));
    press(&mut play, ".");
    wait(&mut play, |play| play.facts.moves == 2);
    assert_eq!(play.auto, Auto::Paused);
    press(&mut play, " +");
    assert_eq!((play.auto, play.pace.interval()), (Auto::Running, Duration::from_millis(125)));
    press(&mut play, "h");
    assert_eq!(play.auto, Auto::Off);
    assert_eq!(play.players(), "random");
}

#[test]
fn a_stale_thought_is_ignored() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    let thought =
        Thought { choice: "nowhere".into(), values: vec![], nodes: 0, depth: None, runs: 0, time: Duration::ZERO };
    play.desk.send((play.number - 1, Answer::Thought(thought))).unwrap();
    wait(&mut play, |play| play.thought.is_some());
    assert_ne!(play.thought.unwrap().choice, "nowhere");
}

#[test]
fn a_win_is_announced_and_one_can_go_on() {
    let (mut play, _folder) = twenty48("greedy", Goal::Rank(4));
    press(&mut play, "a");
    for _ in 0..10_000 {
        play.tick(Duration::from_secs(1));
        if matches!(play.facts.status, GameStatus::Over(_)) {
            break;
        }
        sleep(Duration::from_millis(1));
    }
    assert_shows(&play, &["16 is made: you win!", "c goes on"]);
    assert_eq!(play.auto, Auto::Off);
    press(&mut play, "←c");
    assert_eq!(play.facts.status, GameStatus::Open);
    assert!(!shown(&play).contains("you win"));
    wait(&mut play, |play| play.thought.is_some());
}

#[test]
fn a_lost_game_is_announced() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    while play.facts.status == GameStatus::Open {
        press(&mut play, "←↑→↓");
    }
    assert_shows(&play, &["No move is left: game over."]);
    press(&mut play, "n");
    assert_eq!((play.facts.moves, play.facts.seed, play.facts.status), (0, 8, GameStatus::Open));
}

#[test]
fn noughts_and_crosses_are_played_against_the_agent() {
    let mut play = tic_tac_toe("minimax:depth=9");
    press(&mut play, "→↓");
    assert_shows(&play, &["[·]"]);
    press(&mut play, "⏎");
    assert_eq!((play.facts.board.as_str(), play.facts.status), (".../.X./...", GameStatus::Waiting));
    press(&mut play, "1");
    assert!(play.message.contains("the opponent is thinking"));
    wait(&mut play, |play| play.facts.status == GameStatus::Open);
    assert_eq!(play.facts.board.matches('O').count(), 1);
    // A person who does not look loses to perfect play, or draws at best.
    for key in "2346789123456789".chars() {
        wait(&mut play, |play| play.facts.status != GameStatus::Waiting);
        press(&mut play, &key.to_string());
    }
    wait(&mut play, |play| play.facts.status != GameStatus::Waiting);
    assert!(matches!(play.facts.status, GameStatus::Over(outcome) if outcome != crate::games::Outcome::Win));
    let text = play.record();
    assert!(text.contains("agent person\nopponent minimax:depth=9"), "{text}");
    Record::read(&TicTacToe, &text).unwrap();
}

#[test]
fn the_menu_puts_another_agent_to_work() {
    let (mut play, _folder) = twenty48("expectimax:depth=2", Goal::None);
    press(&mut play, "m");
    assert_shows(&play, &["Menu", "algorithm", "expectimax", "heuristic", "depth"]);
    press(&mut play, "↓→⏎");
    assert_eq!(play.agent.to_string(), "expectimax:depth=3");
    wait(&mut play, |play| play.thought.as_ref().is_some_and(|thought| thought.depth == Some(3)));
    press(&mut play, "m↓↓");
    press(&mut play, "nosuch⏎");
    assert_shows(&play, &["nosuch"]);
    press(&mut play, "⎋");
    assert_eq!(play.agent.to_string(), "expectimax:depth=3");
}

#[test]
fn games_are_saved_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let game = Twenty48::new(Goal::None);
    let mut play = Play::new(Setup { keep: true, ..setup(game, "random", &folder) }).unwrap();
    press(&mut play, "←→s");
    assert!(play.message.contains("saved to") && play.message.contains("mine.game"));
    press(&mut play, "↑↓n↑↓←");
    let second = play.finish().unwrap().unwrap();
    assert_eq!(second, folder.path().join("mine-2.game"));
    for (path, seed) in [(folder.path().join("mine.game"), 7), (second, 8)] {
        let record = Record::read(&game, &std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!((record.header.seed, record.header.agent.as_str()), (seed, "person"));
        assert!(record.moves.len() >= 2);
    }
}

#[test]
fn help_lists_the_keys_and_any_key_closes_it() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    press(&mut play, "?");
    assert_shows(&play, &["Keys", "hint: what would the agent do", "H j k l", "undo"]);
    press(&mut play, "q");
    assert!(!shown(&play).contains("hint: what"));
    assert_eq!(press(&mut play, "q"), Flow::Quit);
}

#[test]
fn colours_are_as_rich_as_the_terminal_and_none_where_unwanted() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    let colours = |play: &Play| {
        let buffer = buffer(80, 24, |frame| play.draw(frame));
        buffer.content().iter().flat_map(|cell| [cell.fg, cell.bg]).collect::<Vec<Color>>()
    };
    assert!(colours(&play).iter().all(|colour| *colour == Color::Reset));
    play.palette = Palette::True;
    assert!(colours(&play).contains(&Color::Rgb(0xee, 0xe4, 0xda)));
    play.palette = Palette::Indexed;
    let indexed = colours(&play);
    assert!(indexed.iter().all(|colour| matches!(colour, Color::Reset | Color::Indexed(_))));
    assert!(indexed.iter().any(|colour| *colour != Color::Reset));
}

#[test]
fn a_small_terminal_is_told_so_and_the_usual_one_is_enough() {
    let (play, _folder) = twenty48("random", Goal::None);
    assert!(screen(50, 24, |frame| play.draw(frame)).contains("too small"));
    assert!(screen(20, 3, |frame| play.draw(frame)).contains("too small"));
    let text = screen(80, 24, |frame| play.draw(frame));
    assert!(text.contains("q quit") && text.contains('2'), "{text}");
}
