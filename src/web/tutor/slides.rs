//! Where each tile of 2048 slides when a move is made, for the animation on the page.

/// A tile that slides from one cell to another; cells are counted by rows from 0. Two tiles with the same end merge.
pub type Slide = [usize; 2];

const SIDE: usize = 4;

/// The slides of all tiles, also of those that stay; `None` for boards and moves of other games.
pub fn slides(board: &str, action: &str) -> Option<Vec<Slide>> {
    let tiles: Vec<u32> = board.split(['/', ',']).map(str::parse).collect::<Result<_, _>>().ok()?;
    let lines: Vec<[usize; SIDE]> = (0..SIDE).map(|line| cells(line, action)).collect::<Option<_>>()?;
    if tiles.len() != SIDE * SIDE {
        return None;
    }
    Some(lines.iter().flat_map(|cells| slide_line(&tiles, cells)).collect())
}

/// The cells of a line, beginning at the side that tiles slide to.
fn cells(line: usize, action: &str) -> Option<[usize; SIDE]> {
    let along = [0, 1, 2, 3];
    match action {
        "left" => Some(along.map(|at| line * SIDE + at)),
        "right" => Some(along.map(|at| line * SIDE + (SIDE - 1 - at))),
        "up" => Some(along.map(|at| at * SIDE + line)),
        "down" => Some(along.map(|at| (SIDE - 1 - at) * SIDE + line)),
        _ => None,
    }
}

fn slide_line(tiles: &[u32], cells: &[usize; SIDE]) -> Vec<Slide> {
    let mut slides: Vec<Slide> = Vec::new();
    // The next free place, and the tile before it that may still merge.
    let (mut free, mut last) = (0, None);
    for &from in cells {
        let tile = tiles.get(from).copied().unwrap_or(0);
        if tile == 0 {
            continue;
        }
        let to = if last == Some(tile) { free - 1 } else { free };
        last = if last == Some(tile) { None } else { Some(tile) };
        free = to + 1;
        slides.extend(cells.get(to).map(|&to| [from, to]));
    }
    slides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Game;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::rng::seeded;

    /// The board that the slides lead to.
    fn slid(board: &str, slides: &[Slide]) -> Vec<u32> {
        let tiles: Vec<u32> = board.split(['/', ',']).map(|tile| tile.parse().unwrap()).collect();
        let mut after = vec![0; tiles.len()];
        slides.iter().for_each(|&[from, to]| after[to] += tiles[from]);
        after
    }

    #[test]
    fn slides_lead_to_the_board_that_the_rules_give() {
        let game = Twenty48::new(Goal::None);
        let mut rng = seeded(3);
        let mut position = game.start(&mut rng);
        let mut moves = 0;
        while game.verdict(position).is_none() {
            for step in game.steps(position) {
                let slides = slides(&position.to_string(), &step.action.to_string()).unwrap();
                assert_eq!(slid(&position.to_string(), &slides), slid(&step.after.to_string(), &identity()));
            }
            let step = game.steps(position).nth(moves % game.steps(position).count()).unwrap();
            position = game.sample(step.after, &mut rng);
            moves += 1;
        }
        assert!(moves > 50);
    }

    fn identity() -> Vec<Slide> {
        (0..16).map(|cell| [cell, cell]).collect()
    }

    #[test]
    fn other_games_have_no_slides() {
        assert_eq!(slides("X.O/.X./..O", "a1"), None);
        assert_eq!(slides("2,2/0,0", "left"), None);
    }
}
