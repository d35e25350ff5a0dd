use super::*;
use crate::agents::AgentSpec;
use crate::games::connect_four::ConnectFour;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Goal, Twenty48};
use crate::heuristics::Playable;
use crate::play::{FinishedGame, Match, Opponent};

fn header(game: &str, goal: Option<&str>, seed: u64) -> Header {
    Header { game: game.into(), goal: goal.map(Into::into), seed, agent: "random".into(), opponent: None }
}

/// A whole game of the random agent.
fn played<G: Playable>(game: &G, header: Header) -> (Record<G>, FinishedGame<G::Position>) {
    let mut agent = "random".parse::<AgentSpec>().unwrap().build(game).unwrap();
    let seed = header.seed;
    let mut record = Record::begin(game, header);
    let mut matched = Match { game, agent: agent.as_mut(), opponent: &mut Opponent::Chance };
    let played = matched.play(seed, |turn| record.observe(turn));
    (record, played)
}

fn check_round_trip<G: Playable>(game: &G, header: Header) {
    let (record, played) = played(game, header);
    let text = record.to_text(game);
    let again = Record::read(game, &text).unwrap();
    assert_eq!(again.to_text(game), text);
    assert_eq!(again.last(), played.last);
    assert_eq!(again.score(game), played.result.score);
    assert_eq!(again.outcome(game), Some(played.outcome));
    assert_eq!(again.moves.len(), played.result.moves as usize);
    assert_eq!(Header::read(&text).unwrap(), record.header);
}

#[test]
fn a_record_that_is_written_and_read_again_is_the_same() {
    for seed in 0..5 {
        check_round_trip(&Twenty48::new(Goal::Rank(6)), header("2048", Some("64"), seed));
        check_round_trip(&Twenty48::new(Goal::None), header("2048", Some("none"), seed));
        check_round_trip(&TicTacToe, header("tic-tac-toe", None, seed));
        check_round_trip(&ConnectFour, header("connect-four", None, seed));
    }
}

const SMALL: &str = "lab2048-record 1
game 2048
goal 8
seed 7
agent person
# two twos merge in the first move
start 0,0,0,0/0,0,2,2/0,0,0,0/0,0,0,0

left 4 at d4
down 2 at a1
right 2 at a1
end 4 unfinished
";

fn read(text: &str) -> Result<Record<Twenty48>, RecordError> {
    Record::read(&Twenty48::new(Goal::Rank(3)), text)
}

#[test]
fn a_record_written_by_hand_is_read() {
    let record = read(&SMALL.replace("right 2 at a1\nend 4 unfinished", "right\nend 12 win")).unwrap();
    assert_eq!(record.moves.len(), 3);
    assert_eq!(record.last().to_string(), "0,0,0,2/0,0,0,0/0,0,0,0/0,0,0,8");
}

#[test]
fn errors_name_the_line() {
    let whole = SMALL.replace("right 2 at a1\nend 4 unfinished", "right\nend 12 win");
    for (from, to, line, part) in [
        ("lab2048-record 1", "lab2048-record 2", 1, "not `lab2048-record 1`"),
        ("game 2048\n", "", 2, "expected `game ...`, found `goal 8`"),
        ("seed 7", "seed minus", 4, "`minus` is not a seed"),
        ("0,0,2,2/", "0,0,2,3/", 7, "3 is not a tile"),
        ("left 4 at d4", "lift 4 at d4", 9, "`lift` is not legal at"),
        ("left 4 at d4", "left 4 at a2", 9, "`4 at a2` is not a legal reply"),
        ("left 4 at d4", "left 8 at d4", 9, "`8 at d4` is not a legal reply"),
        ("left 4 at d4", "left", 9, "reply is missing"),
        ("right\n", "right 2 at a1\n", 11, "the move ends the game"),
        ("right\n", "right\nup 2 at a1\n", 12, "the game has ended (win)"),
        ("end 12 win", "end 14 win", 12, "the moves lead to `end 12 win`"),
        ("end 12 win", "end 12 loss", 12, "the moves lead to `end 12 win`"),
        ("end 12 win\n", "end 12 win\nleft 2 at a1\n", 13, "comes after the `end` line"),
        ("end 12 win\n", "", 11, "cut short: the `end` line is missing"),
    ] {
        let error = read(&whole.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn every_truncation_is_an_error() {
    let game = Twenty48::new(Goal::Rank(5));
    let text = played(&game, header("2048", Some("32"), 3)).0.to_text(&game);
    // A record without its last line break is still complete.
    for length in 0..text.len() - 1 {
        assert!(Record::read(&game, &text[..length]).is_err(), "{}", &text[..length]);
    }
}

#[test]
fn files_are_never_overwritten_and_errors_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("first.game");
    save_new(&path, SMALL).unwrap();
    assert_eq!(load(&path).unwrap(), SMALL);
    let error = save_new(&path, "other").unwrap_err().to_string();
    assert!(error.contains("first.game") && error.contains("nothing is overwritten"), "{error}");
    assert_eq!(load(&path).unwrap(), SMALL);
    assert!(load(&folder.path().join("absent")).unwrap_err().to_string().contains("absent"));
    std::fs::write(&path, [0xff, 0xfe, 0x00]).unwrap();
    assert!(load(&path).unwrap_err().to_string().contains("not text"));
    assert!(save_new(&folder.path().join("no/such.game"), SMALL).is_err());
}
