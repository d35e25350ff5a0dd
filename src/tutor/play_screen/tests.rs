use std::thread::sleep;

use ratatui::style::Color;

use super::*;
use crate::games::connect_four::ConnectFour;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Goal, Twenty48};
use crate::heuristics::Playable;
use crate::record::{Header, Record};
use crate::tutor::grid::Grid;
use crate::tutor::session::TypedSession;
use crate::tutor::testing::{buffer, press_all, screen};
use crate::tutor::{App, Flow};

fn setup<G: Playable>(game: G, agent: &str, folder: &tempfile::TempDir) -> PlaySetup {
    let opponent = G::ADVERSARIAL.then(|| agent.to_string());
    let header = Header { game: G::NAME.into(), goal: None, seed: 7, agent: String::new(), opponent };
    PlaySetup {
        session: Box::new(TypedSession::new(game, header)),
        agent: agent.parse().unwrap(),
        opponent: None,
        has_opponent: G::ADVERSARIAL,
        keys: KeyBindings::Commands,
        palette: Palette::Plain,
        record_path: RecordPath::new(folder.path().join("mine.game")),
        keep: false,
        watch: false,
        speed: 4.0,
    }
}

fn twenty48(agent: &str, goal: Goal) -> (PlayScreen, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (PlayScreen::new(setup(Twenty48::new(goal), agent, &folder)).unwrap(), folder)
}

fn tic_tac_toe(agent: &str) -> PlayScreen {
    PlayScreen::new(setup(TicTacToe, agent, &tempfile::tempdir().unwrap())).unwrap()
}

fn press(play: &mut PlayScreen, keys: &str) -> Flow {
    press_all(keys, |key| play.handle(key)).unwrap_or(Flow::Stay)
}

/// Waits for the agents' responses, without letting time pass for the game.
fn wait(play: &mut PlayScreen, enough: impl Fn(&PlayScreen) -> bool) {
    for _ in 0..10_000 {
        play.tick(Duration::ZERO);
        if enough(play) {
            return;
        }
        sleep(Duration::from_millis(2));
    }
    panic!("no response from the agent: {}", play.message);
}

fn shown(play: &PlayScreen) -> String {
    screen(100, 30, |frame| play.draw(frame))
}

fn assert_shows(play: &PlayScreen, parts: &[&str]) {
    let text = shown(play);
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

#[test]
fn arrows_slide_the_tiles_and_illegal_moves_get_a_message() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    let legal = play.session.legal();
    for (key, action) in [("←", "left"), ("→", "right"), ("↑", "up"), ("↓", "down")] {
        let before = play.state.moves;
        let is_legal = play.session.legal().iter().any(|legal| legal == action);
        press(&mut play, key);
        assert_eq!(play.state.moves > before, is_legal);
        assert_eq!(play.message.contains("not legal"), !is_legal);
    }
    assert!(!legal.is_empty() && play.state.moves >= 2);
    assert_shows(&play, &["score", "best tile", "moves", "seed 7", "last"]);
    press(&mut play, "u");
    assert_shows(&play, &["took back a move"]);
}

#[test]
fn a_hint_shows_the_agents_move_and_the_value_of_each_move() {
    let (mut play, _folder) = twenty48("expectimax:depth=3", Goal::None);
    press(&mut play, "ph");
    wait(&mut play, |play| play.advice.is_some());
    let advice = play.advice.clone().unwrap();
    let proposal = format!("the agent would play {}", advice.choice);
    assert_shows(&play, &[&proposal, "expectimax depth=3", "█", "nodes, 3 plies, "]);
    for (action, _) in &advice.values {
        assert_shows(&play, &[action]);
    }
    // `p` has hidden the panel, so it disappears with the hint.
    press_all("←→↑↓", |key| play.handle(key));
    assert!(!shown(&play).contains("plies"));
}

#[test]
fn the_panel_shows_the_main_line_and_the_cuts() {
    let mut play = tic_tac_toe("alphabeta:depth=5");
    wait(&mut play, |play| play.tree.as_ref().is_some_and(|tree| tree.depth == 5));
    assert_shows(&play, &["Main line", "the same 5 plies", "Cut: ", "branches", "after ", "already has"]);
    press(&mut play, "t");
    assert_shows(&play, &["alphabeta on tic-tac-toe with open-lines, 5 plies", "Tree", "Node", "alpha -inf, beta inf"]);
    press(&mut play, "q");
    assert_shows(&play, &["Main line"]);
}

#[test]
fn the_agent_plays_pauses_makes_single_moves_and_stops() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    press(&mut play, "a");
    assert_shows(&play, &["the agent plays 4 moves/s"]);
    wait(&mut play, |play| play.advice.is_some());
    play.tick(Duration::from_millis(249));
    assert_eq!(play.state.moves, 0);
    play.tick(Duration::from_millis(1));
    assert_eq!(play.state.moves, 1);
    press(&mut play, " ");
    wait(&mut play, |play| play.advice.is_some());
    play.tick(Duration::from_secs(10));
    assert_eq!((play.state.moves, play.autoplay), (1, Autoplay::Paused));
    press(&mut play, ".");
    wait(&mut play, |play| play.state.moves == 2);
    assert_eq!(play.autoplay, Autoplay::Paused);
    press(&mut play, " +");
    assert_eq!((play.autoplay, play.timer.interval()), (Autoplay::Running, Duration::from_millis(125)));
    press(&mut play, "h");
    assert_eq!(play.autoplay, Autoplay::Off);
    assert_eq!(play.players(), "random");
}

#[test]
fn advice_on_an_old_position_is_ignored() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    let advice =
        Advice { choice: "nowhere".into(), values: vec![], nodes: 0, depth: None, runs: 0, time: Duration::ZERO };
    play.sender.send((play.number - 1, Response::Advice(advice))).unwrap();
    wait(&mut play, |play| play.advice.is_some());
    assert_ne!(play.advice.unwrap().choice, "nowhere");
}

#[test]
fn a_win_is_shown_without_hiding_the_board_and_the_game_can_continue() {
    let (mut play, _folder) = twenty48("greedy", Goal::Rank(4));
    press(&mut play, "a");
    for _ in 0..10_000 {
        play.tick(Duration::from_secs(1));
        if matches!(play.state.status, GameStatus::Over(_)) {
            break;
        }
        sleep(Duration::from_millis(1));
    }
    assert_shows(&play, &["You reached 16 and win!", "c continues", "16"]);
    assert_eq!(play.autoplay, Autoplay::Off);
    press(&mut play, "←c");
    assert_eq!(play.state.status, GameStatus::Open);
    assert!(!shown(&play).contains("and win!"));
    wait(&mut play, |play| play.advice.is_some());
}

#[test]
fn a_lost_game_is_shown_and_the_message_disappears() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    while play.state.status == GameStatus::Open {
        press(&mut play, "←↑→↓");
    }
    assert_shows(&play, &["No move is left: game over."]);
    let board: Vec<String> = Grid::read(&play.state.board).rows.concat();
    assert_shows(&play, &board.iter().map(String::as_str).collect::<Vec<_>>());
    press(&mut play, "u");
    assert!(!shown(&play).contains("game over"));
    press(&mut play, "n");
    assert_eq!((play.state.moves, play.state.seed, play.state.status), (0, 8, GameStatus::Open));
}

#[test]
fn noughts_and_crosses_are_played_against_the_agent() {
    let mut play = tic_tac_toe("minimax:depth=9");
    press(&mut play, "→↓");
    assert_shows(&play, &["[·]"]);
    press(&mut play, "⏎");
    assert_eq!((play.state.board.as_str(), play.state.status), (".../.X./...", GameStatus::Waiting));
    press(&mut play, "1");
    assert!(play.message.contains("the opponent is thinking"));
    wait(&mut play, |play| play.state.status == GameStatus::Open);
    assert_eq!(play.state.board.matches('O').count(), 1);
    // Against perfect play these moves lose, or draw at best.
    for key in "2346789123456789".chars() {
        wait(&mut play, |play| play.state.status != GameStatus::Waiting);
        press(&mut play, &key.to_string());
    }
    wait(&mut play, |play| play.state.status != GameStatus::Waiting);
    assert!(matches!(play.state.status, GameStatus::Over(outcome) if outcome != crate::games::Outcome::Win));
    let text = play.record();
    assert!(text.contains("agent person\nopponent minimax:depth=9"), "{text}");
    Record::read(&TicTacToe, &text).unwrap();
}

#[test]
fn digits_play_the_columns_of_connect_four_and_nothing_beyond_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut play = PlayScreen::new(setup(ConnectFour, "alphabeta:depth=2", &folder)).unwrap();
    press(&mut play, "89");
    assert_eq!(play.state.moves, 0);
    press(&mut play, "7");
    assert!(play.state.board.ends_with("......X"), "{}", play.state.board);
}

#[test]
fn the_menu_changes_the_agent() {
    let (mut play, _folder) = twenty48("expectimax:depth=2", Goal::None);
    press(&mut play, "m");
    assert_shows(&play, &["Menu", "algorithm", "expectimax", "heuristic", "depth"]);
    press(&mut play, "↓→⏎");
    assert_eq!(play.agent.to_string(), "expectimax:depth=3");
    wait(&mut play, |play| play.advice.as_ref().is_some_and(|advice| advice.depth == Some(3)));
    press(&mut play, "m↓↓");
    press(&mut play, "nosuch⏎");
    assert_shows(&play, &["nosuch"]);
    press(&mut play, "⎋");
    assert_eq!(play.agent.to_string(), "expectimax:depth=3");
}

#[test]
fn games_are_saved_and_with_record_none_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let game = Twenty48::new(Goal::None);
    let mut play = PlayScreen::new(PlaySetup { keep: true, ..setup(game, "random", &folder) }).unwrap();
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
    assert_shows(&play, &["Keys", "hint: show the agent's move", "Hjkl", "take back"]);
    press(&mut play, "q");
    assert!(!shown(&play).contains("hint: show"));
    assert_eq!(press(&mut play, "q"), Flow::Quit);
}

#[test]
fn colours_depend_on_the_palette() {
    let (mut play, _folder) = twenty48("random", Goal::None);
    let colours = |play: &PlayScreen| {
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
fn small_terminals_get_a_message_and_80_by_24_is_enough() {
    let (play, _folder) = twenty48("random", Goal::None);
    assert!(screen(50, 24, |frame| play.draw(frame)).contains("too small"));
    assert!(screen(20, 3, |frame| play.draw(frame)).contains("too small"));
    let text = screen(80, 24, |frame| play.draw(frame));
    assert!(text.contains("q quit") && text.contains('2'), "{text}");
}

#[test]
fn the_panel_says_when_the_tree_has_another_depth_than_the_advice() {
    let (mut play, _folder) = twenty48("expectimax:depth=6", Goal::None);
    wait(&mut play, |play| play.advice.is_some() && play.tree.is_some());
    assert_shows(&play, &["differ."]);
}

#[test]
fn key_lines_fit_80_columns() {
    for (_, keys) in KeyBindings::ALL {
        let (mut play, _folder) = twenty48("random", Goal::None);
        play.keys = keys;
        assert!(screen(80, 24, |frame| play.draw(frame)).contains("q quit"));
    }
}
