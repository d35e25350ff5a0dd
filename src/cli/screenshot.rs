//! `lab2048 screenshot`: pictures of the screens for the manual.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use anyhow::anyhow;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::session::{OpponentArg, Session, SessionArgs, Start};
use super::{Context, Failure, recorded};
use crate::record::save_new;
use crate::report::scene::Format;
use crate::spec::GameSpec;
use crate::tutor::{App, KeyBindings, Palette, PlayScreen, ReplayScreen, screenshot};

/// Draw a picture of a screen, for the manual
#[derive(Debug, clap::Args)]
pub struct Args {
    #[arg(value_enum)]
    screen: Screen,
    /// The PNG or SVG to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The record to replay
    #[arg(long, value_name = "FILE", required_if_eq("screen", "replay"))]
    record: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Screen {
    Play,
    Tree,
    Replay,
}

/// Columns and rows of the screen: large enough for a tree.
const SIZE: (u16, u16) = (92, 24);
/// How many moves the agent makes before the picture of the play screen is taken.
const MOVES: usize = 400;

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        let scene = match self.screen {
            Screen::Play => screenshot(&middle_of_a_game()?, SIZE)?,
            Screen::Tree => screenshot(&open_tree()?, SIZE)?,
            Screen::Replay => {
                let timeline = recorded::timeline(self.record.as_deref().unwrap_or(&self.out))?;
                let middle = timeline.last() / 2;
                let mut replay = ReplayScreen::new(timeline, 4.0, Palette::True);
                replay.jump(middle);
                screenshot(&replay, SIZE)?
            }
        };
        let is_svg = self.out.extension().is_some_and(|extension| extension == "svg");
        let bytes = scene.encode(if is_svg { Format::Svg } else { Format::Png })?;
        Ok(save_new(&self.out, bytes).map_err(|error| anyhow!(error))?)
    }
}

fn session(game: &str, agent: &str) -> Result<PlayScreen, Failure> {
    let session = Session {
        game: GameSpec::new(game, None)?,
        args: SessionArgs { game: game.into(), goal: None, seed: 7, speed: 1000.0, record: None },
        agent: agent.parse()?,
        opponent: OpponentArg::Agent,
        start: Start::Seed,
        keys: KeyBindings::default(),
        watch: false,
    };
    session.open(Palette::True)
}

fn middle_of_a_game() -> Result<PlayScreen, Failure> {
    let mut play = session("2048", "alphabeta:depth=5")?;
    press(&mut play, "a");
    while play.moves() < MOVES && play.is_open() {
        play.tick(Duration::from_millis(1));
    }
    press(&mut play, "h");
    settle(&mut play);
    Ok(play)
}

fn open_tree() -> Result<PlayScreen, Failure> {
    let mut play = session("tic-tac-toe", "alphabeta:depth=4")?;
    press(&mut play, "5");
    settle(&mut play);
    press(&mut play, "tc");
    Ok(play)
}

fn press(play: &mut PlayScreen, keys: &str) {
    for key in keys.chars() {
        play.handle(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE));
    }
}

/// Waits until all responses have arrived.
fn settle(play: &mut PlayScreen) {
    for _ in 0..300 {
        play.tick(Duration::ZERO);
        sleep(Duration::from_millis(10));
    }
}
