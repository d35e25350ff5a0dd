use super::*;
use crate::games::twenty48::tests::random_board;
use crate::rng::seeded;

fn similarity(board: Board) -> f64 {
    Similarity.of(board)
}

/// The similarity computed directly from its definition.
fn by_definition(board: Board) -> f64 {
    let tiles = board.tiles();
    let block = |cell: usize| {
        (0..16).filter(move |&other| {
            tiles[other] != 0 && (cell / 4).abs_diff(other / 4) <= 1 && (cell % 4).abs_diff(other % 4) <= 1
        })
    };
    (0..16)
        .filter(|&cell| tiles[cell] != 0)
        .map(|cell| {
            let sum: u32 = block(cell).map(|other| tiles[cell].abs_diff(tiles[other])).sum();
            f64::from(sum) / block(cell).count() as f64
        })
        .sum()
}

#[test]
fn equals_the_definition() {
    let mut rng = seeded(4);
    for _ in 0..20_000 {
        let board = random_board(&mut rng);
        let (fast, slow) = (similarity(board), by_definition(board));
        assert!((fast - slow).abs() <= 1e-12 * slow, "{board}: {fast} {slow}");
        // The values with and without vector instructions are equal to the last bit.
        assert_eq!(fast, similarity_cell_by_cell(board) as f64 / f64::from(UNIT), "{board}");
    }
}

#[test]
fn replies_have_the_values_of_their_boards() {
    let mut rng = seeded(5);
    for _ in 0..20_000 {
        let after = random_board(&mut rng);
        let (mut sums, mut expected) = ([0.5; MOST_REPLIES], [0.5; MOST_REPLIES]);
        Similarity.add_to_replies(after, -2.0, &mut sums);
        for (sum, reply) in expected.iter_mut().zip(after.replies()) {
            *sum += -2.0 * similarity(reply);
        }
        assert_eq!(sums, expected, "{after}");
    }
}

#[test]
fn extremes_do_not_overflow() {
    for text in ["2,4096,2,4096", "4096,2,4096,2", "2,32768,2,32768", "2,8192,2,8192"] {
        let board: Board = [text, "2,2,2,2", text, "2,2,2,2"].join("/").parse().unwrap();
        assert!((similarity(board) - by_definition(board)).abs() <= 1e-9);
        let checkered: Board = [text, "4096,2,4096,2", text, "4096,2,4096,2"].join("/").parse().unwrap();
        assert!((similarity(checkered) - by_definition(checkered)).abs() <= 1e-9);
    }
}
