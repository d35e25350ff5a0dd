//! `lab2048 screenshot`: the pictures of the manual, from the real screens.

use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use anyhow::anyhow;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::session::{Replier, Session, SessionArgs};
use super::{Context, Failure, recorded};
use crate::record::save_new;
use crate::report::scene::Format;
use crate::spec::GameSpec;
use crate::tutor::{App, Keys, Palette, Play, Replay, screenshot};

/// A picture of a screen, for the manual
#[derive(Debug, clap::Args)]
pub struct Args {
    #[arg(value_enum)]
    screen: Screen,
    /// The PNG or SVG to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// For a replay: the record
    #[arg(long, value_name = "FILE", required_if_eq("screen", "replay"))]
    record: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Screen {
    Play,
    Tree,
    Replay,
}

/// Characters across and down: room for a tree.
const SIZE: (u16, u16) = (92, 24);
/// Moves that the agent makes before the picture of the play screen: the middle of a game.
const MOVES: usize = 400;

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        let scene = match self.screen {
            Screen::Play => screenshot(&middle_of_a_game()?, SIZE)?,
            Screen::Tree => screenshot(&open_tree()?, SIZE)?,
            Screen::Replay => {
                let timeline = recorded::timeline(self.record.as_deref().unwrap_or(&self.out))?;
                let middle = timeline.last() / 2;
                let mut replay = Replay::new(timeline, 4.0, Palette::True);
                replay.jump(middle);
                screenshot(&replay, SIZE)?
            }
        };
        let is_svg = self.out.extension().is_some_and(|extension| extension == "svg");
        let bytes = scene.encode(if is_svg { Format::Svg } else { Format::Png })?;
        Ok(save_new(&self.out, bytes).map_err(|error| anyhow!(error))?)
    }
}

fn session(game: &str, agent: &str) -> Result<Play, Failure> {
    let session = Session {
        game: GameSpec::new(game, None)?,
        args: SessionArgs { game: game.into(), goal: None, seed: 7, speed: 1000.0, record: None },
        agent: agent.parse()?,
        opponent: Replier::Agent,
        keys: Keys::default(),
        watch: false,
    };
    Ok(session.open(Palette::True)?)
}

fn middle_of_a_game() -> Result<Play, Failure> {
    let mut play = session("2048", "alphabeta:depth=5")?;
    press(&mut play, "a");
    while play.moves() < MOVES && play.is_open() {
        play.tick(Duration::from_millis(1));
    }
    press(&mut play, "h");
    settle(&mut play);
    Ok(play)
}

fn open_tree() -> Result<Play, Failure> {
    let mut play = session("tic-tac-toe", "alphabeta:depth=4")?;
    press(&mut play, "5");
    settle(&mut play);
    press(&mut play, "tc");
    Ok(play)
}

fn press(play: &mut Play, keys: &str) {
    for key in keys.chars() {
        play.handle(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE));
    }
}

/// Long enough for every answer to have come.
fn settle(play: &mut Play) {
    for _ in 0..300 {
        play.tick(Duration::ZERO);
        sleep(Duration::from_millis(10));
    }
}
