//! A recorded game as an animated GIF.
//!
//! Each kind of tile is drawn once and then copied. A frame has only the rectangle that has changed since the frame
//! before. So files of long games are small and quick to write.

use std::collections::BTreeMap;
use std::io;

use gif::{DisposalMethod, Encoder, Repeat};

use crate::report::scene::Scene;

use super::painter::{Painter, Side, TextFormat};
use super::palette::{DARK_TEXT, FRAME, Rgb, cell_colours};
use super::timeline::Timeline;

/// In pixels: the largest width of a board, the height of the line above it, and the gap between tiles.
const WIDTH: usize = 320;
const HEAD: usize = 30;
const GAP: usize = 8;
const HEAD_SIZE: f64 = 15.0;
const PAPER: Rgb = (255, 255, 255);
/// How many shades there are from a background colour to its text colour, including both. Eight give smooth letters.
const SHADES: usize = 8;
/// The last board stays for three seconds; the unit is 1/100 s.
const LAST_DELAY: u16 = 300;
/// Browsers slow down animations with more than 50 frames per second.
const LEAST_DELAY: f64 = 2.0;

/// Writes these frames of a game as a GIF, at `speed` moves per second.
pub fn encode(timeline: &Timeline, frames: &[usize], speed: f64) -> io::Result<Vec<u8>> {
    let mut renderer = GifRenderer::new(timeline);
    let mut out = Vec::new();
    let (width, height) = (renderer.width as u16, renderer.height as u16);
    let mut encoder = Encoder::new(&mut out, width, height, &renderer.palette.bytes()).map_err(io::Error::other)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
    let delay = (100.0 / speed).clamp(LEAST_DELAY, f64::from(LAST_DELAY)) as u16;
    for (index, &at) in frames.iter().enumerate() {
        let mut frame = renderer.next(timeline, at)?;
        frame.delay = if index + 1 == frames.len() { LAST_DELAY } else { delay };
        encoder.write_frame(&frame).map_err(io::Error::other)?;
    }
    drop(encoder);
    Ok(out)
}

/// The colour table: for every background colour the shades up to its text colour.
struct Colours {
    list: Vec<Rgb>,
    known: BTreeMap<Rgb, u8>,
}

impl Colours {
    fn new(cells: &[&str]) -> Self {
        let pairs = cells.iter().map(|cell| cell_colours(cell)).chain([(PAPER, DARK_TEXT), (FRAME, FRAME)]);
        let mut list: Vec<Rgb> =
            pairs.flat_map(|(ground, ink)| (0..SHADES).map(move |at| mix(ground, ink, at))).collect();
        list.sort_unstable();
        list.dedup();
        Colours { list, known: BTreeMap::new() }
    }

    /// Three bytes for each colour, then those of the transparent one.
    fn bytes(&self) -> Vec<u8> {
        self.list.iter().chain([&PAPER]).flat_map(|&(r, g, b)| [r, g, b]).collect()
    }

    /// The index of the transparent colour, for pixels that have not changed. Long runs of it compress well.
    fn unchanged(&self) -> u8 {
        self.list.len() as u8
    }

    /// The index of the nearest colour in the table.
    fn index(&mut self, colour: Rgb) -> u8 {
        let list = &self.list;
        *self.known.entry(colour).or_insert_with(|| {
            let nearest = list.iter().enumerate().min_by_key(|(_, known)| distance(**known, colour));
            nearest.map_or(0, |(index, _)| index as u8)
        })
    }
}

fn mix(from: Rgb, to: Rgb, at: usize) -> Rgb {
    let share = at as f64 / (SHADES - 1) as f64;
    let part = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
    (part(from.0, to.0), part(from.1, to.1), part(from.2, to.2))
}

fn distance(a: Rgb, b: Rgb) -> i32 {
    let part = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
    part(a.0, b.0) + part(a.1, b.1) + part(a.2, b.2)
}

/// A rectangle of pixels, one byte each.
#[derive(Clone)]
struct PixelBlock {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

/// Draws the frames of a game.
struct GifRenderer {
    width: usize,
    height: usize,
    /// The side of a cell including its gap, and the gap.
    cell: usize,
    gap: usize,
    palette: Colours,
    tiles: BTreeMap<String, PixelBlock>,
    shown: Option<Vec<u8>>,
}

/// All texts that a cell can have, in any game.
const CELLS: [&str; 18] = [
    "", "X", "O", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384",
    "32768",
];

impl GifRenderer {
    fn new(timeline: &Timeline) -> Self {
        let grid = timeline.frames.first().map(|frame| frame.grid());
        let (rows, columns) = grid.map_or((1, 1), |grid| (grid.rows.len().max(1), grid.columns().max(1)));
        let gap = GAP * 3 / columns.max(3);
        let cell = (WIDTH - gap) / columns;
        GifRenderer {
            width: cell * columns + gap,
            height: HEAD + cell * rows + gap,
            cell,
            gap,
            palette: Colours::new(&CELLS),
            tiles: BTreeMap::new(),
            shown: None,
        }
    }

    /// The part of the next picture that differs from the one before.
    fn next(&mut self, timeline: &Timeline, at: usize) -> io::Result<gif::Frame<'static>> {
        let picture = self.draw(timeline, at)?;
        let changed = match &self.shown {
            Some(before) => self.changed(before, &picture),
            None => (0, 0, self.width, self.height),
        };
        let (left, top, width, height) = changed;
        let unchanged = self.palette.unchanged();
        let pixel = |at: usize| match &self.shown {
            Some(before) if before[at] == picture[at] => unchanged,
            _ => picture[at],
        };
        let places = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        let buffer: Vec<u8> = places.map(|(x, y)| pixel(y * self.width + x)).collect();
        let frame = gif::Frame {
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(unchanged),
            buffer: buffer.into(),
            ..gif::Frame::default()
        };
        self.shown = Some(picture);
        Ok(frame)
    }

    /// The smallest rectangle that contains all changed pixels; one pixel if nothing has changed.
    fn changed(&self, before: &[u8], after: &[u8]) -> (usize, usize, usize, usize) {
        let places = (0..after.len()).filter(|&at| before[at] != after[at]);
        let bounds = places.map(|at| (at % self.width, at / self.width)).fold(None, |bounds, (x, y)| {
            let (left, top, right, bottom) = bounds.unwrap_or((x, y, x, y));
            Some((x.min(left), y.min(top), x.max(right), y.max(bottom)))
        });
        let (left, top, right, bottom) = bounds.unwrap_or((0, 0, 0, 0));
        (left, top, right - left + 1, bottom - top + 1)
    }

    fn draw(&mut self, timeline: &Timeline, at: usize) -> io::Result<Vec<u8>> {
        let frame = &timeline.frames[at];
        let ground = self.palette.index(FRAME);
        let mut picture = vec![ground; self.width * self.height];
        let head = self.head(&format!("{}   score {}   move {}", timeline.header.game, frame.score, frame.number))?;
        self.paste(&mut picture, &head, 0, 0);
        for (row, cells) in frame.grid().rows.iter().enumerate() {
            for (column, text) in cells.iter().enumerate() {
                let tile = self.tile(text)?;
                self.paste(&mut picture, &tile, self.gap + column * self.cell, HEAD + self.gap + row * self.cell);
            }
        }
        Ok(picture)
    }

    fn paste(&self, picture: &mut [u8], block: &PixelBlock, left: usize, top: usize) {
        for (row, line) in block.pixels.chunks_exact(block.width).enumerate().take(block.height) {
            let start = (top + row) * self.width + left;
            picture[start..start + block.width].copy_from_slice(line);
        }
    }

    fn tile(&mut self, text: &str) -> io::Result<PixelBlock> {
        if let Some(tile) = self.tiles.get(text) {
            return Ok(tile.clone());
        }
        let side = self.cell - self.gap;
        let mut scene = Scene::new(side as f64, side as f64, text);
        Painter::new(&mut scene).tile(text, (0.0, 0.0), side as f64);
        let tile = self.block(&scene)?;
        self.tiles.insert(text.to_string(), tile.clone());
        Ok(tile)
    }

    fn head(&mut self, text: &str) -> io::Result<PixelBlock> {
        let mut scene = Scene::new(self.width as f64, HEAD as f64, text);
        let format = TextFormat { size: HEAD_SIZE, bold: true, mono: false, colour: DARK_TEXT, side: Side::Left };
        Painter::new(&mut scene).text(text, (2.0, HEAD as f64 / 2.0), format);
        self.block(&scene)
    }

    /// A scene with one pixel per point.
    fn block(&mut self, scene: &Scene) -> io::Result<PixelBlock> {
        let (width, height, rgb) = scene.pixels(1.0)?;
        let pixels = rgb.chunks_exact(3).map(|pixel| self.palette.index((pixel[0], pixel[1], pixel[2]))).collect();
        Ok(PixelBlock { width: width as usize, height: height as usize, pixels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::record::{Header, Record};

    fn timeline(moves: usize) -> Timeline {
        let game = Twenty48::new(Goal::None);
        let header = Header { game: "2048".into(), goal: None, seed: 3, agent: "first".into(), opponent: None };
        let mut session = crate::tutor::TypedSession::new(game, header);
        for _ in 0..moves {
            use crate::tutor::GameSession;
            let action = session.legal()[0].clone();
            session.play(&action);
        }
        let text = crate::tutor::GameSession::record(&session, "first", None);
        Timeline::of(&game, &Record::read(&game, &text).unwrap())
    }

    fn decoded(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(bytes).unwrap();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut canvas = vec![0; width * height];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (row, line) in frame.buffer.chunks_exact(frame.width.into()).enumerate() {
                let start = (usize::from(frame.top) + row) * width + usize::from(frame.left);
                let changed = line.iter().enumerate().filter(|(_, pixel)| Some(**pixel) != frame.transparent);
                changed.for_each(|(column, &pixel)| canvas[start + column] = pixel);
            }
            pictures.push(canvas.clone());
        }
        pictures
    }

    #[test]
    fn the_changed_parts_add_up_to_whole_pictures() {
        let timeline = timeline(30);
        let all: Vec<usize> = (0..=timeline.last()).collect();
        let bytes = encode(&timeline, &all, 8.0).unwrap();
        let pictures = decoded(&bytes);
        assert_eq!(pictures.len(), 31);
        for at in [0, 7, 30] {
            assert_eq!(decoded(&encode(&timeline, &[at], 8.0).unwrap())[0], pictures[at]);
        }
        assert_eq!(encode(&timeline, &all, 8.0).unwrap(), bytes);
        assert!(bytes.len() < 31 * 8_000, "{} bytes", bytes.len());
    }

    #[test]
    fn tiles_have_their_colours() {
        let timeline = timeline(3);
        let bytes = encode(&timeline, &[3], 8.0).unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        let (width, palette) = (usize::from(decoder.width()), decoder.global_palette().unwrap().to_vec());
        let frame = decoder.read_next_frame().unwrap().unwrap().clone();
        let renderer = GifRenderer::new(&timeline);
        for (row, cells) in timeline.frames[3].grid().rows.iter().enumerate() {
            for (column, text) in cells.iter().enumerate() {
                let (x, y) = (renderer.gap + column * renderer.cell + 2, HEAD + renderer.gap + row * renderer.cell + 2);
                let at = 3 * usize::from(frame.buffer[y * width + x]);
                assert_eq!((palette[at], palette[at + 1], palette[at + 2]), cell_colours(text).0, "{text}");
            }
        }
    }

    #[test]
    fn all_colours_fit_a_gif() {
        let colours = Colours::new(&CELLS);
        // There is one more for transparent pixels.
        assert!(colours.list.len() < 256);
        assert!(CELLS.iter().all(|cell| colours.list.contains(&cell_colours(cell).0)));
    }
}
