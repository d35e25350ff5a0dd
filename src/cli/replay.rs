//! `lab2048 replay`: step through a recorded game.

use std::path::PathBuf;

use super::output::print;
use super::session::leave;
use super::{Context, Failure, recorded};
use crate::tutor::timeline::Timeline;
use crate::tutor::{Palette, ReplayScreen, terminal};

/// Step through a recorded game; without a terminal, print its boards
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 replay best.game
  lab2048 replay best.game --check")]
pub struct Args {
    /// A record, as `play` and `watch` write them
    file: PathBuf,
    /// Only check that every move and reply is legal
    #[arg(long)]
    check: bool,
    /// Start at this move
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: usize,
    /// Moves per second when the game plays by itself
    #[arg(long, default_value_t = 4.0, value_parser = super::session::speed)]
    speed: f64,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let timeline = recorded::timeline(&self.file)?;
        if self.check {
            return print(&format!("{}: every move and reply is legal\n", timeline.summary()));
        }
        if !terminal::is_present() || context.quiet {
            return self.print(&timeline, context);
        }
        let mut replay = ReplayScreen::new(timeline, self.speed, Palette::from_environment());
        replay.jump(self.from);
        leave(terminal::run(&mut replay)?)
    }

    fn print(&self, timeline: &Timeline, context: &Context) -> Result<(), Failure> {
        let frames = if context.quiet { &[] } else { timeline.frames.get(self.from..).unwrap_or_default() };
        let boards: String = frames.iter().map(|frame| frame.plain() + "\n").collect();
        print(&format!("{boards}{}\n", timeline.summary()))
    }
}
