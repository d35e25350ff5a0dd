use rand::Rng as _;

use super::*;
use crate::rng::seeded;

/// A random board with any number of empty cells.
pub(crate) fn random_board(rng: &mut Rng) -> Board {
    let (top, fill) = (rng.random_range(2..=15), rng.random_range(0.1..1.0));
    Board::from_ranks(std::array::from_fn(|_| if rng.random_bool(fill) { rng.random_range(1..=top) } else { 0 }))
}

#[test]
fn moves_equal_the_reference_on_a_million_boards() {
    let game = Twenty48::new(Goal::None);
    let mut rng = seeded(2048);
    for _ in 0..1_000_000 {
        let board = random_board(&mut rng);
        let slides = game.slides(board);
        for direction in Direction::ALL {
            let (expected, points) = reference::slid(board, direction);
            let (after, reward) = slides[direction as usize];
            assert_eq!(after, expected, "{board} {direction}");
            assert!(after == board || reward == points, "{board} {direction}");
        }
        assert_eq!(board.is_dead(), slides.iter().all(|(after, _)| *after == board), "{board}");
    }
}

#[test]
fn it_conforms() {
    crate::games::conformance::conformance(&Twenty48::new(Goal::None), 4, 20);
    crate::games::conformance::conformance(&Twenty48::new(Goal::Rank(6)), 5, 60);
}

/// The number of paths of `moves` moves and replies from a position.
fn perft(game: &Twenty48, board: Board, moves: u32) -> u64 {
    if moves == 0 {
        return 1;
    }
    game.steps(board)
        .flat_map(|step| game.replies(step.after))
        .map(|reply| perft(game, reply.position, moves - 1))
        .sum()
}

#[test]
fn perft_counts_are_the_known_ones() {
    let game = Twenty48::new(Goal::None);
    let board = game.parse("2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0").unwrap();
    // By hand: left and right leave one 4 and 15 empty cells, down leaves two 2s and 14 empty cells, up is illegal.
    assert_eq!(perft(&game, board, 1), 2 * (15 + 15 + 14));
    // The other counts were confirmed by an independent program that works on lists of tiles.
    assert_eq!(perft(&game, board, 2), 8_876);
    assert_eq!(perft(&game, board, 3), 875_584);
    let late = game.parse("2,4,8,16/32,64,128,256/2,4,8,16/32,64,0,2").unwrap();
    assert_eq!(perft(&game, late, 4), 192);
}

#[test]
fn spawns_follow_their_probabilities() {
    let game = Twenty48::new(Goal::None);
    let after = game.parse("2,4,8,16/32,64,128,256/2,4,8,0/32,64,0,0").unwrap();
    let mut rng = seeded(3);
    let draws = 200_000;
    let mut counts = std::collections::HashMap::new();
    for _ in 0..draws {
        *counts.entry(game.sample(after, &mut rng)).or_insert(0u32) += 1;
    }
    let chi_square: f64 = game
        .replies(after)
        .map(|reply| {
            let expected = reply.probability * f64::from(draws);
            (f64::from(counts[&reply.position]) - expected).powi(2) / expected
        })
        .sum();
    // The 99.9 % quantile of chi-square with 5 degrees of freedom.
    assert!(chi_square < 20.5, "{chi_square}");
}

#[test]
fn the_goal_ends_the_game_at_once() {
    let game = Twenty48::new(Goal::CLASSIC);
    let board = game.parse("1024,1024,0,0/0,0,0,0/0,0,0,0/0,0,0,2").unwrap();
    let step = game.steps(board).next().unwrap();
    assert_eq!((step.action, step.reward), (Direction::Left, 2048));
    assert_eq!(game.after_step(step.after), Some(Outcome::Win));
    assert_eq!(Twenty48::new(Goal::None).after_step(step.after), None);
}

#[test]
fn goals_are_read_and_refused() {
    assert_eq!("2048".parse(), Ok(Goal::CLASSIC));
    assert_eq!("none".parse(), Ok(Goal::None));
    for bad in ["0", "4", "100", "65536", "never"] {
        assert!(bad.parse::<Goal>().unwrap_err().contains("goal"), "{bad}");
    }
}
