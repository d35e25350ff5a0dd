//! Recorded games that a reader can step through.

use std::path::Path;

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use crate::heuristics::Playable;
use crate::record::{Header, Record, load};
use crate::spec::{GameSpec, GameTask};
use crate::tutor::timeline::Timeline;
use crate::web::files;
use crate::web::text::{json_island, label};

/// Games in a report, and boards of one game; longer games are shown in part.
const MOST_GAMES: usize = 4;
const MOST_BOARDS: usize = 6000;

/// The recorded games of a folder; nothing if there are none.
pub fn players(folder: &Path) -> Option<Markup> {
    let games: Vec<Timeline> = paths(folder).iter().take(MOST_GAMES).filter_map(|path| timeline(path)).collect();
    (!games.is_empty()).then(|| {
        html! {
            div.players {
                @for game in &games {
                    div.player data-player {
                        p { (label(&game.summary())) }
                        script type="application/json" { (PreEscaped(json_island(&to_json(game)))) }
                    }
                }
            }
        }
    })
}

fn paths(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder.join("records")).into_iter().flatten().flatten();
    let name = |entry: &std::fs::DirEntry| format!("records/{}", entry.file_name().to_string_lossy());
    let mut paths: Vec<_> =
        entries.filter(|entry| files::is_plain(folder, &name(entry))).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Reads a record. One that cannot be read is left out, because a report should not show its error.
fn timeline(path: &Path) -> Option<Timeline> {
    let text = load(path).ok()?;
    let header = Header::read(&text).ok()?;
    GameSpec::new(&header.game, header.goal.as_deref()).ok()?.with(LayOut { text: &text })
}

struct LayOut<'a> {
    text: &'a str,
}

impl GameTask for LayOut<'_> {
    type Output = Option<Timeline>;

    fn run<G: Playable>(self, game: G) -> Option<Timeline> {
        Record::read(&game, self.text).ok().map(|record| Timeline::of(&game, &record))
    }
}

fn to_json(game: &Timeline) -> Value {
    // Of a long game the last boards are shown, because they are the most interesting ones.
    let skipped = game.frames.len().saturating_sub(MOST_BOARDS);
    let frames = game.frames.iter().skip(skipped);
    let frames: Vec<Value> =
        frames.map(|frame| json!([frame.board, frame.score, frame.label(), frame.number])).collect();
    json!({ "frames": frames })
}
