//! The colours of the screens, for terminals with and without colour.

use ratatui::style::{Color, Modifier, Style};

/// Which colours the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// Only the terminal's text and background colour.
    Plain,
    /// The 256 colours of xterm.
    Indexed,
    /// 24-bit colours.
    True,
}

/// Red, green and blue.
pub type Rgb = (u8, u8, u8);

/// The colours of the tiles 2, 4, 8 and so on in the original game (Gabriele Cirulli's 2048, MIT licence).
const TILES: [Rgb; 11] = [
    (0xee, 0xe4, 0xda),
    (0xed, 0xe0, 0xc8),
    (0xf2, 0xb1, 0x79),
    (0xf5, 0x95, 0x63),
    (0xf6, 0x7c, 0x5f),
    (0xf6, 0x5e, 0x3b),
    (0xed, 0xcf, 0x72),
    (0xed, 0xcc, 0x61),
    (0xed, 0xc8, 0x50),
    (0xed, 0xc5, 0x3f),
    (0xed, 0xc2, 0x2e),
];
/// The colour of all larger tiles.
const LARGER_TILES: Rgb = (0x3c, 0x3a, 0x32);
pub const EMPTY: Rgb = (0xcd, 0xc1, 0xb4);
pub const FRAME: Rgb = (0xbb, 0xad, 0xa0);
pub const DARK_TEXT: Rgb = (0x77, 0x6e, 0x65);
const LIGHT_TEXT: Rgb = (0xf9, 0xf6, 0xf2);
/// The colours of X and O: a blue and an orange that colour-blind readers can distinguish (Okabe and Ito 2008).
const CROSS: Rgb = (0x00, 0x72, 0xb2);
const NOUGHT: Rgb = (0xd5, 0x5e, 0x00);
const ACCENT: Rgb = (0xe6, 0x9f, 0x00);
const BAR: Rgb = (0x56, 0xb4, 0xe9);
const CUT: Rgb = (0xcc, 0x79, 0xa7);

/// The background colour and the text colour of a cell.
pub fn cell_colours(cell: &str) -> (Rgb, Rgb) {
    match cell {
        "" => (EMPTY, DARK_TEXT),
        "X" => (CROSS, LIGHT_TEXT),
        "O" => (NOUGHT, LIGHT_TEXT),
        tile => {
            let rank = tile.parse::<u32>().map_or(0, |value| value.max(1).ilog2()) as usize;
            let ground = TILES.get(rank.wrapping_sub(1)).copied().unwrap_or(LARGER_TILES);
            (ground, if rank <= 2 { DARK_TEXT } else { LIGHT_TEXT })
        }
    }
}

impl Palette {
    /// Chooses the palette by the environment variables NO_COLOR, COLORTERM and TERM.
    pub fn detect(variable: impl Fn(&str) -> Option<String>) -> Palette {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let term = variable("TERM").unwrap_or_default();
        let has_few = ["", "dumb", "linux", "ansi", "vt52", "vt100", "vt102", "vt220"].contains(&term.as_str());
        if is_set("NO_COLOR") || (has_few && !is_set("COLORTERM")) {
            return Palette::Plain;
        }
        let colour = variable("COLORTERM").unwrap_or_default();
        let is_true = colour == "truecolor" || colour == "24bit" || term.ends_with("-direct");
        if is_true { Palette::True } else { Palette::Indexed }
    }

    /// The palette for this process.
    pub fn from_environment() -> Palette {
        Palette::detect(|name| std::env::var(name).ok())
    }

    fn colour(self, (r, g, b): Rgb) -> Color {
        match self {
            Palette::Plain => Color::Reset,
            Palette::Indexed => Color::Indexed(nearest_index((r, g, b))),
            Palette::True => Color::Rgb(r, g, b),
        }
    }

    /// The style of a cell.
    pub fn cell(self, cell: &str) -> Style {
        let (ground, text) = cell_colours(cell);
        let style = Style::new().bg(self.colour(ground)).fg(self.colour(text));
        style.add_modifier(Modifier::BOLD)
    }

    /// The style of the upper edge of a cell, which is half a line in the colour of the board.
    pub fn edge(self, cell: &str) -> Style {
        Style::new().fg(self.colour(cell_colours(cell).0)).bg(self.colour(FRAME))
    }

    /// The style of the gaps between cells.
    pub fn board(self) -> Style {
        Style::new().bg(self.colour(FRAME)).fg(self.colour(FRAME))
    }

    /// The style of the most important text.
    pub fn accent(self) -> Style {
        Style::new().fg(self.colour(ACCENT)).add_modifier(Modifier::BOLD)
    }

    /// The style of bars and windows.
    pub fn bar(self) -> Style {
        Style::new().fg(self.colour(BAR))
    }

    /// The style of cut branches and errors.
    pub fn cut(self) -> Style {
        Style::new().fg(self.colour(CUT))
    }

    /// The style of the least important text.
    pub fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// The style of the selected line, which is visible without colours too.
    pub fn selected(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}

/// The nearest colour of xterm's 6x6x6 cube and its 24 greys.
fn nearest_index((r, g, b): Rgb) -> u8 {
    // The cube's levels are 0, 95, 135, 175, 215 and 255.
    let level = |part: u8| if part < 48 { 0 } else { (u16::from(part).saturating_sub(35) / 40).clamp(1, 5) as u8 };
    let value = |level: u8| if level == 0 { 0 } else { 55 + 40 * i32::from(level) };
    let (cube_r, cube_g, cube_b) = (level(r), level(g), level(b));
    let mean = (i32::from(r) + i32::from(g) + i32::from(b)) / 3;
    let grey = ((mean - 3) / 10).clamp(0, 23);
    let distance =
        |x: i32, y: i32, z: i32| (x - i32::from(r)).pow(2) + (y - i32::from(g)).pow(2) + (z - i32::from(b)).pow(2);
    let shade = 8 + 10 * grey;
    let by_cube = distance(value(cube_r), value(cube_g), value(cube_b));
    if distance(shade, shade, shade) < by_cube {
        return 232 + grey as u8;
    }
    16 + 36 * cube_r + 6 * cube_g + cube_b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(variables: &[(&str, &str)]) -> Palette {
        Palette::detect(|name| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string()))
    }

    #[test]
    fn environment_variables_choose_the_palette() {
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]), Palette::True);
        assert_eq!(detect(&[("TERM", "xterm-256color")]), Palette::Indexed);
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("NO_COLOR", "1")]), Palette::Plain);
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("NO_COLOR", "")]), Palette::Indexed);
        assert_eq!(detect(&[("TERM", "dumb")]), Palette::Plain);
        assert_eq!(detect(&[]), Palette::Plain);
    }

    #[test]
    fn the_nearest_index_is_found() {
        assert_eq!(nearest_index((0, 0, 0)), 16);
        assert_eq!(nearest_index((255, 255, 255)), 231);
        assert_eq!(nearest_index((0xf6, 0x5e, 0x3b)), 203);
        assert_eq!(nearest_index((118, 118, 118)), 243);
    }

    #[test]
    fn the_plain_palette_has_no_colours() {
        for style in [Palette::Plain.cell("2048"), Palette::Plain.edge(""), Palette::Plain.bar()] {
            assert!(matches!(style.fg, None | Some(Color::Reset)) && matches!(style.bg, None | Some(Color::Reset)));
        }
    }

    #[test]
    fn every_tile_up_to_4096_has_its_own_colour() {
        let grounds: std::collections::HashSet<_> =
            (1..=12).map(|rank| cell_colours(&(1 << rank).to_string()).0).collect();
        assert_eq!(grounds.len(), 12);
        assert_eq!(cell_colours("4096").0, cell_colours("32768").0);
    }
}
