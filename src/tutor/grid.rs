//! A board as rows of cells, parsed from the notation of any game.

/// The text of every cell; an empty cell has an empty text.
///
/// ```
/// use lab2048::tutor::grid::Grid;
///
/// let grid = Grid::read("X.O/.X./..O");
/// assert_eq!(grid.rows[0], ["X", "", "O"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// From top to bottom.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// Rows are separated by `/`. Cells are separated by `,`, or are one character each if there is no comma.
    pub fn read(notation: &str) -> Grid {
        let cell = |text: &str| if matches!(text, "0" | ".") { String::new() } else { text.to_string() };
        let row = |text: &str| match text.contains(',') {
            true => text.split(',').map(cell).collect(),
            false => text.chars().map(|character| cell(&character.to_string())).collect(),
        };
        Grid { rows: notation.split('/').map(row).collect() }
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The board as lines of text, with a dot for an empty cell.
    pub fn plain(&self) -> String {
        let width = self.rows.iter().flatten().map(String::len).max().unwrap_or(0).max(1);
        let cell = |text: &String| format!(" {:>width$}", if text.is_empty() { "." } else { text });
        self.rows.iter().map(|row| row.iter().map(cell).collect::<String>() + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_notations_can_be_parsed() {
        let tiles = Grid::read("4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,128");
        assert_eq!((tiles.rows.len(), tiles.columns(), tiles.rows[3][3].as_str()), (4, 4, "128"));
        assert_eq!(Grid::read("X.O/.X./..O").plain(), " X . O\n . X .\n . . O\n");
        assert!(tiles.plain().starts_with("   4   2   2   .\n"));
    }
}
