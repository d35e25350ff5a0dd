use super::*;
use crate::games::Game;
use crate::games::connect_four::ConnectFour;
use crate::games::tic_tac_toe::TicTacToe;
use crate::games::twenty48::{Goal, Twenty48};
use crate::play::{Match, Opponent};

fn header(game: &str, opponent: Option<&str>) -> Header {
    Header { game: game.into(), goal: None, seed: 7, agent: "person".into(), opponent: opponent.map(Into::into) }
}

#[test]
fn a_move_taken_back_and_made_again_gets_the_same_reply() {
    let mut session = TypedSession::new(Twenty48::new(Goal::None), header("2048", None));
    let start = session.state();
    let action = session.legal()[0].clone();
    assert!(session.play(&action));
    let after = session.state();
    assert_eq!((after.moves, session.undo(), session.state()), (1, true, start));
    assert!(session.play(&action));
    assert_eq!(session.state(), after);
    assert!(!session.play("sideways"));
    assert!(session.undo() && !session.undo());
}

#[test]
fn a_game_can_continue_after_the_goal_and_its_record_is_valid() {
    let mut session = TypedSession::new(Twenty48::new(Goal::Rank(3)), header("2048", None));
    while session.state().status == GameStatus::Open {
        let action = session.legal()[0].clone();
        session.play(&action);
    }
    assert_eq!(session.state().status, GameStatus::Over(Outcome::Win));
    assert!(session.legal().is_empty() && session.play_on());
    assert_eq!(session.state().status, GameStatus::Open);
    let action = session.legal()[0].clone();
    assert!(session.play(&action));
    let text = session.record("person", None);
    assert!(text.contains("goal none"));
    Record::read(&Twenty48::new(Goal::None), &text).unwrap();
    assert!(!session.play_on());
}

#[test]
fn an_opponent_names_its_replies_as_its_own_moves() {
    let mut session = TypedSession::new(TicTacToe, header("tic-tac-toe", Some("minimax")));
    assert!(session.play("b2"));
    assert_eq!((session.state().status, session.state().board.as_str()), (GameStatus::Waiting, ".../.X./..."));
    assert_eq!(session.to_move().0.to_string(), ".../.O./...");
    assert!(!session.play("a1") && !session.reply("b2"));
    assert!(session.reply("a1"));
    assert_eq!((session.state().status, session.state().board.as_str()), (GameStatus::Open, "O../.X./..."));
    assert!(session.play("c3") && session.undo());
    assert_eq!(session.state().board, "O../.X./...");
    assert!(session.record("person", None).contains("b2 O a1\nend 0 unfinished"));
}

/// Plays one game with [`Match::play`], and makes the same moves in a session.
fn check_same_rules<G: Playable>(game: &G, opponent: Option<&str>) {
    let build = |spec: &str| spec.parse::<AgentSpec>().unwrap().build(game).unwrap();
    let mut agent = build("random");
    let mut replies = opponent.map_or(Opponent::Chance, |spec| Opponent::Agent(build(spec)));
    let header = header(G::NAME, opponent);
    let mut record = Record::begin(game, header.clone());
    let mut matched = Match { game, agent: agent.as_mut(), opponent: &mut replies };
    let played = matched.play(header.seed, |turn| record.observe(turn));
    let mut session = TypedSession::new(game.clone(), header);
    for PlayedMove { step, reply } in &record.moves {
        assert!(session.play(&step.action.to_string()));
        if let (Some(reply), true) = (reply, session.state().status == GameStatus::Waiting) {
            let seen = game.seen_by_opponent(step.after).unwrap();
            let names = game.steps(seen).find(|s| game.seen_by_opponent(s.after) == Some(*reply));
            assert!(session.reply(&names.unwrap().action.to_string()));
        }
    }
    assert_eq!(session.record.to_text(game), record.to_text(game));
    let state = session.state();
    assert_eq!((state.status, state.score), (GameStatus::Over(played.outcome), played.result.score));
    // The parser of records applies the rules a third time.
    let text = record.to_text(game);
    assert_eq!(Record::read(game, &text).unwrap().to_text(game), text);
}

#[test]
fn sessions_matches_and_records_apply_the_same_rules() {
    check_same_rules(&Twenty48::new(Goal::None), None);
    check_same_rules(&Twenty48::new(Goal::Rank(6)), None);
    check_same_rules(&TicTacToe, None);
    check_same_rules(&TicTacToe, Some("random"));
    check_same_rules(&ConnectFour, Some("greedy"));
}

#[test]
fn a_continued_game_goes_on_as_if_it_had_not_been_interrupted() {
    let game = Twenty48::new(Goal::None);
    let mut straight = TypedSession::new(game, header("2048", None));
    for _ in 0..5 {
        let action = straight.legal()[0].clone();
        straight.play(&action);
    }
    let saved = Record::read(&game, &straight.record("person", None)).unwrap();
    let mut continued = TypedSession::from_record(game, saved);
    assert_eq!(continued.state(), straight.state());
    for _ in 0..5 {
        let action = straight.legal()[0].clone();
        assert!(straight.play(&action) && continued.play(&action));
        assert_eq!(continued.state(), straight.state());
    }
    (0..10).for_each(|_| assert!(continued.undo()));
    assert_eq!(continued.state().moves, 0);
}

#[test]
fn a_game_from_a_board_starts_there_again() {
    let game = Twenty48::new(Goal::None);
    let board = game.parse("2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2").unwrap();
    let mut session = TypedSession::from_position(game, header("2048", None), board);
    assert!(session.play("down"));
    session.restart(9);
    assert_eq!((session.state().board, session.state().seed), (board.to_string(), 9));
}
