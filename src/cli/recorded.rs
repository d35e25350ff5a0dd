//! Records on the command line.

use std::path::Path;

use anyhow::anyhow;

use super::Failure;
use crate::games::Game;
use crate::heuristics::Playable;
use crate::record::{Header, Record, load};
use crate::spec::{GameSpec, GameTask};
use crate::tutor::timeline::Timeline;

/// Reads a record, checks all of it, and lays it out for showing.
pub fn timeline(path: &Path) -> Result<Timeline, Failure> {
    let text = load(path).map_err(anyhow::Error::from)?;
    let damaged = |what: String| Failure::Failed(anyhow!("{}: {what}", path.display()));
    let header = Header::read(&text).map_err(|error| damaged(error.to_string()))?;
    let game = GameSpec::new(&header.game, header.goal.as_deref()).map_err(|problem| damaged(problem.message))?;
    game.with(LayOut { text: &text }).map_err(damaged)
}

struct LayOut<'a> {
    text: &'a str,
}

impl GameTask for LayOut<'_> {
    type Output = Result<Timeline, String>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let record = Record::read(&game, self.text).map_err(|error| error.to_string())?;
        Ok(Timeline::of(&game, &record))
    }
}

/// Refuses a path that a new file could not take, before the work is done for nothing.
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

/// What the record of a game says about it.
pub fn header<G: Game>(game: GameSpec, seed: u64, agent: &str, opponent: Option<&str>) -> Header {
    Header {
        game: G::NAME.to_string(),
        goal: game.has_goal().then(|| game.goal().to_string()),
        seed,
        agent: agent.to_string(),
        opponent: opponent.map(str::to_string),
    }
}
