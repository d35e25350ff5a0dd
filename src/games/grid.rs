//! Reading, writing and checking the boards of the two-player games, made of `X`, `O` and `.`.
//!
//! In a position `X` is the mover and is to move. If `X` made the first move, both sides have the same number of
//! pieces. If `O` did, `O` has one more.

use std::fmt::{Formatter, Result as Written};

/// The cells of each side, one bit for each cell in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The cells of the mover.
    pub x: u64,
    /// The cells of the opponent.
    pub o: u64,
}

/// Reads `rows` rows of `columns` cells. The error message names the wrong part.
pub fn read(text: &str, rows: usize, columns: usize) -> Result<Sides, String> {
    let lines: Vec<&str> = text.trim().split('/').collect();
    if lines.len() != rows {
        return Err(format!("`{text}` has {} rows, but the board has {rows}, separated by `/`", lines.len()));
    }
    let mut sides = Sides { x: 0, o: 0 };
    for (row, line) in lines.iter().enumerate() {
        let width = line.chars().count();
        if width != columns {
            return Err(format!("row {} `{line}` has {width} cells, but must have {columns}", row + 1));
        }
        for (column, cell) in line.chars().enumerate() {
            let bit = 1 << (row * columns + column);
            match cell {
                'X' | 'x' => sides.x |= bit,
                'O' | 'o' => sides.o |= bit,
                '.' => {}
                other => return Err(format!("row {} has `{other}`, but a cell is `X`, `O` or `.`", row + 1)),
            }
        }
    }
    Ok(sides)
}

/// Writes what [`read`] reads.
pub fn write(f: &mut Formatter, sides: Sides, rows: usize, columns: usize) -> Written {
    for row in 0..rows {
        if row > 0 {
            f.write_str("/")?;
        }
        for column in 0..columns {
            let cell = row * columns + column;
            f.write_str(match (sides.x >> cell & 1, sides.o >> cell & 1) {
                (1, _) => "X",
                (_, 1) => "O",
                _ => ".",
            })?;
        }
    }
    Ok(())
}

/// Checks that the numbers of pieces are possible with `X` to move.
pub fn check_counts(sides: Sides) -> Result<(), String> {
    let (x, o) = (sides.x.count_ones(), sides.o.count_ones());
    if o == x || o == x + 1 {
        return Ok(());
    }
    Err(format!("the board has {x} X and {o} O, but X is to move: O must have as many, or one more if O began"))
}

/// Checks that the complete lines of each side are possible with `X` to move.
pub fn check_lines(x_has_line: bool, o_has_line: bool) -> Result<(), String> {
    match (x_has_line, o_has_line) {
        (true, true) => Err("both X and O have a finished line".into()),
        (true, false) => Err("X has a finished line, so the game ended before O's last move".into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_messages_name_the_wrong_part() {
        assert!(read("X.O/...", 3, 3).unwrap_err().contains("2 rows"));
        assert!(read("X.O/..../...", 3, 3).unwrap_err().contains("row 2 `....` has 4 cells"));
        assert!(read("X.O/.?./...", 3, 3).unwrap_err().contains("row 2 has `?`"));
        assert!(read("é.O/.../...", 3, 3).unwrap_err().contains("row 1 has `é`"));
        assert!(check_counts(Sides { x: 0b111, o: 0 }).unwrap_err().contains("3 X and 0 O"));
        assert!(check_counts(Sides { x: 0, o: 0b11 }).unwrap_err().contains("0 X and 2 O"));
    }
}
