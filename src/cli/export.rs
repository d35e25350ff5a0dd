//! `lab2048 export`: a recorded game as a picture.

use std::path::PathBuf;

use anyhow::anyhow;

use super::output::print;
use super::{Context, Failure, recorded};
use crate::record::save_new;
use crate::report::scene::{Format as FileFormat, Scene};
use crate::tutor::timeline::Timeline;
use crate::tutor::{animation, board_pictures};

/// Draw a recorded game: an animation, a sheet of boards, or one board
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 export best.game --format gif --speed 12
  lab2048 export best.game --format svg --boards 8
  lab2048 export best.game --format svg --move 120 --out board.svg")]
pub struct Args {
    /// A record, as `play` and `watch` write them
    file: PathBuf,
    /// gif for an animation; svg, png or pdf for a sheet of boards
    #[arg(long, value_enum, default_value_t = Format::Gif)]
    format: Format,
    /// Draw only one board, the one after this many moves
    #[arg(long = "move", value_name = "N")]
    number: Option<usize>,
    /// How many boards a sheet has; they are spread evenly over the game
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=200))]
    boards: u16,
    /// Moves per second in an animation
    #[arg(long, default_value_t = 8.0, value_parser = super::session::speed)]
    speed: f64,
    /// The file to write; by default it is beside the record and has the same name
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Gif,
    Svg,
    Png,
    Pdf,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let timeline = recorded::timeline(&self.file)?;
        let out = self.out.clone().unwrap_or_else(|| self.file.with_extension(self.extension()));
        recorded::check_free(&out)?;
        let bytes = match self.format {
            Format::Gif => animation::encode(&timeline, &self.chosen(&timeline)?, self.speed)?,
            Format::Svg => self.scene(&timeline)?.encode(FileFormat::Svg)?,
            Format::Png => self.scene(&timeline)?.encode(FileFormat::Png)?,
            Format::Pdf => self.scene(&timeline)?.encode(FileFormat::Pdf)?,
        };
        save_new(&out, bytes).map_err(|error| anyhow!(error))?;
        if context.quiet { Ok(()) } else { print(&format!("{}\n", out.display())) }
    }

    fn extension(&self) -> &'static str {
        match self.format {
            Format::Gif => "gif",
            Format::Svg => "svg",
            Format::Png => "png",
            Format::Pdf => "pdf",
        }
    }

    /// The indices of the boards of an animation.
    fn chosen(&self, timeline: &Timeline) -> Result<Vec<usize>, Failure> {
        match self.number {
            Some(number) => self.check(timeline, number).map(|()| vec![number]),
            None => Ok((0..=timeline.last()).collect()),
        }
    }

    fn scene(&self, timeline: &Timeline) -> Result<Scene, Failure> {
        match self.number {
            Some(number) => {
                self.check(timeline, number)?;
                Ok(board_pictures::board(&timeline.frames[number]))
            }
            None => Ok(board_pictures::sheet(timeline, self.boards.into())),
        }
    }

    fn check(&self, timeline: &Timeline, number: usize) -> Result<(), Failure> {
        let last = timeline.last();
        if number <= last {
            return Ok(());
        }
        Err(Failure::Usage(format!("--move {number}: {} has moves 0 to {last}", self.file.display())))
    }
}
