//! `lab2048 replay`: step through a recorded game.

use std::path::PathBuf;

use super::output::print;
use super::{Context, Failure, recorded};
use crate::tutor::timeline::Timeline;

/// Step through a recorded game; without a terminal, print its boards
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 replay best.game
  lab2048 replay best.game --check")]
pub struct Args {
    /// A record, as `play` and `watch` write them
    file: PathBuf,
    /// Only verify that every move and reply is legal
    #[arg(long)]
    check: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let timeline = recorded::timeline(&self.file)?;
        if self.check {
            return print(&format!("{}: every move and reply is legal\n", timeline.summary()));
        }
        self.print(&timeline, context)
    }

    fn print(&self, timeline: &Timeline, context: &Context) -> Result<(), Failure> {
        let frames = if context.quiet { &[] } else { timeline.frames.as_slice() };
        let boards: String = frames.iter().map(|frame| frame.plain() + "\n").collect();
        print(&format!("{boards}{}\n", timeline.summary()))
    }
}
