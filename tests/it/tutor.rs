//! The tutor, run in a pseudo-terminal.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::Parser;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lab2048");
/// How often to look at the screen, every 10 ms, before a test fails: enough for a busy machine.
const LOOKS: usize = 6_000;

/// The program in its own terminal.
struct Terminal {
    screen: Arc<Mutex<Parser>>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    fn open(folder: &Path, arguments: &[&str], (columns, rows): (u16, u16)) -> Terminal {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(arguments);
        command.cwd(folder);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let [rows, columns] = [rows, columns].map(|side| NonZeroU16::new(side).unwrap());
        let screen = Arc::new(Mutex::new(Parser::new(rows, columns, 0)));
        let mut output = pair.master.try_clone_reader().unwrap();
        let shown = Arc::clone(&screen);
        spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        Terminal { screen, keyboard: pair.master.take_writer().unwrap(), child, master: pair.master }
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn wait_for(&self, part: &str) -> String {
        self.wait_for_any(&[part])
    }

    fn wait_for_any(&self, parts: &[&str]) -> String {
        for _ in 0..LOOKS {
            let text = self.text();
            if parts.iter().any(|part| text.contains(part)) {
                return text;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("{parts:?} is not on the screen:\n{}", self.text());
    }

    /// The lines of the board, which is at the same place on every screen.
    fn board(&self) -> Vec<String> {
        let text: Vec<String> = self.screen.lock().unwrap().screen().rows(0, 40).collect();
        text[1..20].iter().map(|line| line.trim_end().to_string()).collect()
    }

    /// Changes the size of the terminal.
    fn resize(&self, columns: u16, rows: u16) {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let [height, width] = [rows, columns].map(|side| NonZeroU16::new(side).unwrap());
        self.screen.lock().unwrap().screen_mut().set_size(height, width);
        self.master.resize(size).unwrap();
    }

    /// Waits until the program ends, and returns its exit code.
    fn end(mut self) -> u32 {
        let code = self.child.wait().unwrap().exit_code();
        for _ in 0..LOOKS {
            if !self.screen.lock().unwrap().screen().alternate_screen() {
                return code;
            }
            sleep(Duration::from_millis(10));
        }
        panic!("the terminal has not been restored");
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).current_dir(folder).output().unwrap()
}

const LEFT: &str = "\x1b[D";
const UP: &str = "\x1b[A";
const RIGHT: &str = "\x1b[C";
const DOWN: &str = "\x1b[B";
const END: &str = "\x1b[F";

#[test]
fn a_game_is_played_saved_and_replayed_to_the_same_board() {
    let folder = tempfile::tempdir().unwrap();
    let mut play = Terminal::open(folder.path(), &["play", "--seed", "7", "--record", "mine.game"], (80, 24));
    play.wait_for("moves 0");
    let mut made = 0;
    for (key, name) in [(LEFT, "left"), (UP, "up"), (RIGHT, "right"), (DOWN, "down"), (LEFT, "left")] {
        play.press(key);
        let next = format!("moves {}", made + 1);
        if play.wait_for_any(&[&next, &format!("{name} is not legal")]).contains(&next) {
            made += 1;
        }
    }
    assert!(made >= 2, "{}", play.text());
    play.press("h");
    play.wait_for("the agent would play");
    play.press("u");
    play.wait_for("took back a move");
    play.press(".");
    play.wait_for(&format!("moves {made}"));
    play.press("s");
    play.wait_for("saved to mine.game");
    let board = play.board();
    play.press("q");
    assert_eq!(play.end(), 0);

    let mut replay = Terminal::open(folder.path(), &["replay", "mine.game"], (80, 24));
    replay.wait_for("move 0 of");
    replay.press(END);
    replay.wait_for(&format!("move {made} of {made}"));
    assert_eq!(replay.board(), board);
    replay.press("q");
    assert_eq!(replay.end(), 0);
    let check = run(folder.path(), &["replay", "mine.game", "--check"]);
    assert!(check.status.success());
    assert!(String::from_utf8_lossy(&check.stdout).contains("every move and reply is legal"));
}

#[test]
fn noughts_and_crosses_can_be_played_and_its_tree_explored() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "--game", "tic-tac-toe", "--agent", "alphabeta:depth=4"];
    let mut play = Terminal::open(folder.path(), &arguments, (100, 30));
    play.wait_for("the same 4 plies");
    play.press("t");
    play.wait_for("alphabeta on tic-tac-toe with open-lines, 4 plies");
    play.press("nn");
    play.wait_for("step 3 of");
    play.press("t5");
    play.wait_for("moves 1");
    play.wait_for("last b2, O");
    play.press("q");
    assert_eq!(play.end(), 0);
}

#[test]
fn control_c_quits_without_an_error_and_saves_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["watch", "--agent", "random", "--speed", "50", "--record", "watched.game"];
    let mut watch = Terminal::open(folder.path(), &arguments, (80, 24));
    watch.wait_for("moves 5");
    watch.press("\x03");
    let screen = Arc::clone(&watch.screen);
    assert_eq!(watch.end(), 0);
    assert!(!screen.lock().unwrap().screen().contents().contains("error"));
    let check = run(folder.path(), &["replay", "watched.game", "--check"]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}

#[cfg(unix)]
#[test]
fn a_signal_from_another_process_restores_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let play = Terminal::open(folder.path(), &["play"], (80, 24));
    play.wait_for("moves 0");
    let process = play.child.process_id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
    assert_eq!(play.end(), 130);
}

#[test]
fn in_a_small_terminal_the_game_waits() {
    let folder = tempfile::tempdir().unwrap();
    let mut play = Terminal::open(folder.path(), &["play"], (40, 12));
    play.wait_for("too small");
    play.press(LEFT);
    play.press(UP);
    play.press("a?");
    // The keys must have arrived before the terminal grows.
    sleep(Duration::from_secs(1));
    play.resize(80, 24);
    let text = play.wait_for("moves 0");
    assert!(!text.contains("the agent plays") && !text.contains("Keys"), "{text}");
    play.resize(40, 12);
    play.wait_for("too small");
    play.press("q");
    assert_eq!(play.end(), 0);
}

#[test]
fn a_question_mark_shows_the_keys_of_every_screen() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["play", "--game", "tic-tac-toe", "--agent", "alphabeta:depth=2"];
    let mut play = Terminal::open(folder.path(), &arguments, (80, 24));
    play.wait_for("the same 2 plies");
    for (open, help) in [("", "take back a move"), ("t", "the next node of the search"), ("m", "type a new value")] {
        play.press(open);
        play.press("?");
        play.wait_for(help);
        play.press(" ");
        play.press(if open == "t" { "t" } else { "" });
    }
    play.press("\x03");
    assert_eq!(play.end(), 0);
}

#[test]
fn a_saved_game_is_continued_and_a_board_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let mut play = Terminal::open(folder.path(), &["play", "--seed", "7", "--record", "mine.game"], (80, 24));
    play.wait_for("moves 0");
    play.press(".");
    play.wait_for("moves 1");
    play.press(".");
    play.wait_for("moves 2");
    play.press("s");
    play.wait_for("saved to mine.game");
    let board = play.board();
    play.press("q");
    assert_eq!(play.end(), 0);
    let saved = std::fs::read(folder.path().join("mine.game")).unwrap();

    let mut play = Terminal::open(folder.path(), &["play", "mine.game"], (80, 24));
    play.wait_for("moves 2");
    play.wait_for("q quit");
    assert_eq!(play.board(), board);
    play.press(".");
    play.wait_for("moves 3");
    play.press("s");
    play.wait_for("saved to mine-2.game");
    play.press("q");
    assert_eq!(play.end(), 0);
    assert_eq!(std::fs::read(folder.path().join("mine.game")).unwrap(), saved);
    assert!(run(folder.path(), &["replay", "mine-2.game", "--check"]).status.success());

    let board = ["play", "--board", "512,256,128,64/0,0,0,0/0,0,0,0/0,0,0,2"];
    let mut play = Terminal::open(folder.path(), &board, (80, 24));
    let text = play.wait_for("moves 0");
    assert!(text.contains("512") && text.contains("256"), "{text}");
    play.press("q");
    assert_eq!(play.end(), 0);
}

#[test]
fn coordinates_are_beside_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let play = Terminal::open(folder.path(), &["play"], (80, 24));
    // The last line is drawn last.
    play.wait_for("q quit");
    let board = play.board();
    for column in ["a", "b", "c", "d"] {
        assert!(board[0].contains(column), "{board:?}");
    }
    for row in ["1", "2", "3", "4"] {
        assert!(board.iter().any(|line| line.starts_with(row)), "{board:?}");
    }
}

#[test]
fn wrong_boards_and_records_to_play_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.game"), "not a record").unwrap();
    for (arguments, code, part) in [
        (&["play", "--board", "1,2"][..], 2, "4 rows"),
        (&["play", "--board", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2"], 2, "already over"),
        (&["play", "bad.game"], 2, "bad.game: line 1"),
        (&["play", "absent.game"], 2, "absent.game"),
        (&["play", "bad.game", "--board", "1,2"], 2, "cannot be used with"),
        (&["analyse", "bad.game", "--agent", "random"], 2, "bad.game: line 1"),
        (&["analyse", "bad.game", "--agent", "nobody"], 2, "unknown agent"),
        (&["analyse", "bad.game", "--agent", "random", "--figure", "x.gif"], 2, ".png, .svg or .pdf"),
    ] {
        let output = run(folder.path(), arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
}

#[test]
fn a_game_is_analysed() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["watch", "-q", "--agent", "random", "--seed", "3", "--record", "three.game"]);
    let analyse = ["analyse", "three.game", "--agent", "expectimax:depth=2"];
    let table = run(folder.path(), &[&analyse[..], &["--figure", "values.svg", "--worst", "3"]].concat());
    let text = String::from_utf8_lossy(&table.stdout).into_owned();
    assert!(
        table.status.success() && text.contains("agrees with") && text.contains("The worst move is number"),
        "{text}"
    );
    assert!(std::fs::read_to_string(folder.path().join("values.svg")).unwrap().contains("played move"));
    let output = run(folder.path(), &[&analyse[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let moves = json["moves"].as_array().unwrap();
    let worst = &moves[json["worst"].as_u64().unwrap() as usize - 1];
    assert_ne!(worst["played"], worst["agent"]);
    let losses = moves.iter().filter_map(|each| each["loss"].as_f64());
    assert_eq!(worst["loss"].as_f64(), losses.max_by(f64::total_cmp));
    // An agent agrees with every move of its own game.
    run(folder.path(), &["watch", "-q", "--agent", "greedy", "--seed", "3", "--record", "own.game"]);
    let own = run(folder.path(), &["analyse", "own.game", "--agent", "greedy", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&own.stdout).unwrap();
    assert!(json["worst"].is_null(), "{}", json["worst"]);
}

#[test]
fn without_a_terminal_watch_prints_and_play_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let play = run(folder.path(), &["play"]);
    assert_eq!(play.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&play.stderr).contains("needs a terminal"));

    let watch = run(folder.path(), &["watch", "--agent", "random", "--seed", "3", "--record", "three.game"]);
    let text = String::from_utf8_lossy(&watch.stdout).into_owned();
    assert!(watch.status.success() && text.contains("move 1: ") && text.contains("2048, seed 3, random: loss"));
    assert!(!text.contains('\x1b'));
    let replay = run(folder.path(), &["replay", "three.game"]);
    let replayed = String::from_utf8_lossy(&replay.stdout).into_owned();
    let last = text.rsplit("\n\n").nth(1).unwrap();
    assert!(replayed.contains(last), "{last}\nis not in\n{replayed}");
}

#[test]
fn bad_input_is_refused_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.game");
    std::fs::write(&path, "lab2048-record 1\ngame 2048\ngoal 2048\nseed 1\nagent person\nstart 2,2,0,0/").unwrap();
    let damaged = run(folder.path(), &["replay", "kept.game", "--check"]);
    assert_eq!(damaged.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&damaged.stderr).contains("kept.game: line 6"));
    for arguments in [&["watch", "--agent", "random", "--record"], &["play", "--agent", "random", "--record"]] {
        let before = std::fs::read(&path).unwrap();
        let refused = run(folder.path(), &[&arguments[..], &["kept.game"]].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("nothing is overwritten"));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        let refused = run(folder.path(), &[&arguments[..], &["no/such/folder.game"]].concat());
        assert_eq!(refused.status.code(), Some(2));
    }
    for arguments in [&["watch", "--agent", "random", "--speed", "0"][..], &["watch", "--agent", "nobody"]] {
        assert_eq!(run(folder.path(), arguments).status.code(), Some(2));
    }
}

#[test]
fn a_game_is_exported_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["watch", "-q", "--agent", "random", "--seed", "3", "--record", "three.game"]);
    for (format, start) in [("gif", &b"GIF89a"[..]), ("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")] {
        let arguments = ["export", "three.game", "--format", format];
        assert!(run(folder.path(), &arguments).status.success());
        let bytes = std::fs::read(folder.path().join(format!("three.{format}"))).unwrap();
        assert!(bytes.starts_with(start), "{format}");
        assert_eq!(run(folder.path(), &arguments).status.code(), Some(2));
    }
    let one = ["export", "three.game", "--format", "svg", "--out", "one.svg", "--move"];
    assert!(run(folder.path(), &[&one[..], &["5"]].concat()).status.success());
    assert!(std::fs::read_to_string(folder.path().join("one.svg")).unwrap().contains("<text"));
    assert_eq!(run(folder.path(), &[&one[..], &["100000"]].concat()).status.code(), Some(2));
}
