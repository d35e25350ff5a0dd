//! A simple implementation of the rules, as a reference for tests.

use super::{Board, Direction};

/// Slides a list of tiles toward its front.
fn slide(tiles: [u32; 4]) -> ([u32; 4], u32) {
    let mut queue: Vec<u32> = tiles.into_iter().filter(|&tile| tile != 0).collect();
    let (mut out, mut points) = (Vec::new(), 0);
    while !queue.is_empty() {
        let tile = queue.remove(0);
        if queue.first() == Some(&tile) && tile < 32768 {
            queue.remove(0);
            out.push(2 * tile);
            points += 2 * tile;
        } else {
            out.push(tile);
        }
    }
    out.resize(4, 0);
    ([out[0], out[1], out[2], out[3]], points)
}

/// The cells of a line, starting at the edge toward which tiles slide.
fn cells(direction: Direction, line: usize) -> [usize; 4] {
    [0, 1, 2, 3].map(|k| match direction {
        Direction::Left => 4 * line + k,
        Direction::Right => 4 * line + 3 - k,
        Direction::Up => 4 * k + line,
        Direction::Down => 4 * (3 - k) + line,
    })
}

/// The board after a move, and the points; the board itself if the move is illegal.
pub fn slid(board: Board, direction: Direction) -> (Board, u32) {
    let (mut tiles, mut total) = (board.tiles(), 0);
    for line in 0..4 {
        let cells = cells(direction, line);
        let (moved, points) = slide(cells.map(|cell| tiles[cell]));
        for (cell, tile) in cells.into_iter().zip(moved) {
            tiles[cell] = tile;
        }
        total += points;
    }
    (Board::from_ranks(tiles.map(|tile| if tile == 0 { 0 } else { tile.trailing_zeros() as u8 })), total)
}
