//! Pictures of a recorded game: one board, or a sheet of boards from the start to the end.

use crate::report::scene::Scene;

use super::painter::{Painter, Side, TextFormat, board_size};
use super::timeline::{BoardFrame, Timeline};

/// The side of a cell in points, on a single board and on a sheet. Four boards fill a page that is 7 inches wide.
const CELL: f64 = 30.0;
const SHEET_CELL: f64 = 27.0;
const ACROSS: usize = 4;
/// The space above each board for its caption, and the gap between boards.
const CAPTION: f64 = 14.0;
const GAP: f64 = 12.0;
const CAPTION_SIZE: f64 = 8.0;

/// A picture of one board.
pub fn board(frame: &BoardFrame) -> Scene {
    let grid = frame.grid();
    let (width, height) = board_size(&grid, CELL);
    let mut scene = Scene::new(width, height, &frame.label());
    Painter::new(&mut scene).board(&grid, (0.0, 0.0), CELL);
    scene
}

/// A picture of `count` boards, evenly spread over the game, each with its move and score.
pub fn sheet(timeline: &Timeline, count: usize) -> Scene {
    let frames: Vec<&BoardFrame> =
        spread(timeline.last(), count).iter().filter_map(|&at| timeline.frames.get(at)).collect();
    let cell = cell_size(timeline);
    let (width, height) = timeline.frames.first().map_or((0.0, 0.0), |frame| board_size(&frame.grid(), cell));
    let across = frames.len().clamp(1, ACROSS);
    let down = frames.len().div_ceil(across);
    let page = (across as f64 * (width + GAP) - GAP, down as f64 * (height + CAPTION + GAP) - GAP);
    let mut scene = Scene::new(page.0, page.1, &timeline.summary());
    let painter = Painter::new(&mut scene);
    let format = TextFormat { size: CAPTION_SIZE, bold: false, mono: false, colour: (20, 20, 20), side: Side::Left };
    for (index, frame) in frames.iter().enumerate() {
        let (column, row) = (index % across, index / across);
        let (x, y) = (column as f64 * (width + GAP), row as f64 * (height + CAPTION + GAP));
        let caption = format!("move {}, score {}", frame.number, frame.score);
        painter.text(&caption, (x, y + CAPTION / 2.0), format);
        painter.board(&frame.grid(), (x, y + CAPTION), cell);
    }
    drop(painter);
    scene
}

/// The side of a cell with which a board is as wide as one of 2048.
fn cell_size(timeline: &Timeline) -> f64 {
    let columns = timeline.frames.first().map_or(4, |frame| frame.grid().columns());
    SHEET_CELL * 4.0 / columns.max(1) as f64
}

/// `count` numbers from 0 to `last`, including both ends.
fn spread(last: usize, count: usize) -> Vec<usize> {
    let count = count.clamp(1, last + 1);
    let step = |index: usize| if count == 1 { last } else { (index * last).div_ceil(count - 1) };
    (0..count).map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_spread_evenly_from_start_to_end() {
        assert_eq!(spread(10, 3), [0, 5, 10]);
        assert_eq!(spread(2, 12), [0, 1, 2]);
        assert_eq!(spread(7, 1), [7]);
        assert_eq!(spread(0, 5), [0]);
        assert_eq!(spread(1000, 12).last(), Some(&1000));
    }
}
