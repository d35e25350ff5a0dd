//! Reading records of games, for the commands that use them.

use std::path::Path;

use super::Failure;
use crate::games::Game;
use crate::heuristics::Playable;
use crate::record::{Header, Record, load};
use crate::spec::{GameSpec, GameTask};
use crate::tutor::timeline::Timeline;

/// Reads the file of a record. Returns the game that was played and the text.
pub fn open(path: &Path) -> Result<(GameSpec, String), Failure> {
    let text = load(path).map_err(|error| Failure::Usage(error.to_string()))?;
    let header = Header::read(&text).map_err(|error| damaged(path, &error.to_string()))?;
    let game = GameSpec::new(&header.game, header.goal.as_deref()).map_err(|error| damaged(path, &error.message))?;
    Ok((game, text))
}

/// Reads and checks a record, and returns its boards.
pub fn timeline(path: &Path) -> Result<Timeline, Failure> {
    let (game, text) = open(path)?;
    game.with(ReadTimeline { text: &text }).map_err(|what| damaged(path, &what))
}

fn damaged(path: &Path, what: &str) -> Failure {
    Failure::Usage(format!("{}: {what}", path.display()))
}

struct ReadTimeline<'a> {
    text: &'a str,
}

impl GameTask for ReadTimeline<'_> {
    type Output = Result<Timeline, String>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let record = Record::read(&game, self.text).map_err(|error| error.to_string())?;
        Ok(Timeline::of(&game, &record))
    }
}

/// Checks that a new file can be written at this path, before any work is done.
pub fn check_free(path: &Path) -> Result<(), Failure> {
    if path.exists() {
        return Err(Failure::Usage(format!("{} exists already, and nothing is overwritten", path.display())));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Failure::Usage(format!("there is no folder {}", folder.display()))),
        _ => Ok(()),
    }
}

/// The header of a new record.
pub fn header<G: Game>(game: GameSpec, seed: u64, agent: &str, opponent: Option<&str>) -> Header {
    Header {
        game: G::NAME.to_string(),
        goal: game.has_goal().then(|| game.goal().to_string()),
        seed,
        agent: agent.to_string(),
        opponent: opponent.map(str::to_string),
    }
}
