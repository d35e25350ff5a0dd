//! The lines that a leader and its workers exchange.

use serde::{Deserialize, Serialize};

use crate::engine::{ENGINE_REVISION, arithmetic_check, tool};
use crate::play::GameResult;
use crate::store::machine;

/// About the longest line that either side writes, in bytes. The pipes of `srun` take 88 ms for a longer line and 0.4
/// ms for a shorter one.
const LONGEST_LINE: usize = 1000;
/// The longest part of a player's description in one line.
const LONGEST_PART: usize = LONGEST_LINE - 100;
/// Games that a request may ask for. The answer has up to 75 bytes for each.
pub const MOST_GAMES: usize = 12;

/// A message of the leader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Request {
    /// A part of a player's description.
    Player {
        player: u64,
        part: String,
        /// Whether this is the last part.
        last: bool,
    },
    /// Games to be played.
    Play { id: u64, player: u64, seeds: Vec<u64> },
    /// A player that is not needed any more.
    Forget { player: u64 },
}

/// A message of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// The first line.
    Hello(Hello),
    /// The games of a request, in its order.
    Played {
        id: u64,
        games: Vec<Numbers>,
        /// Indices of the games that had two tiles of 32768, which cannot merge. Only a network's games are checked.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        met_limit: Vec<usize>,
    },
    /// A request that cannot be carried out.
    Failed { id: u64, why: String },
}

/// Score, largest tile, moves, whether won, nodes, work and seconds of a game.
pub(super) type Numbers = (i64, u32, u32, bool, u64, u64, f64);

pub(super) fn numbers(game: &GameResult) -> Numbers {
    (game.score, game.max_tile, game.moves, game.won, game.nodes, game.work, game.seconds)
}

pub(super) fn game(seed: u64, (score, max_tile, moves, won, nodes, work, seconds): Numbers) -> GameResult {
    GameResult { seed, score, max_tile, moves, won, nodes, work, seconds }
}

/// The greeting of a worker: its program, its machine and its threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Hello {
    pub tool: String,
    pub engine: u32,
    pub arithmetic: String,
    pub threads: usize,
    pub host: String,
    pub cpu: String,
}

impl Hello {
    pub fn of_this_process(threads: usize) -> Self {
        Hello {
            tool: tool(),
            engine: ENGINE_REVISION,
            arithmetic: arithmetic_check(),
            threads,
            host: machine::host(),
            cpu: machine::cpu(),
        }
    }

    /// Why this leader cannot use the games of a worker; `None` if it can.
    pub fn objection(&self, worker: &Hello) -> Option<String> {
        if worker.engine != self.engine {
            Some(format!("has engine revision {}, but this program has revision {}", worker.engine, self.engine))
        } else if worker.tool != self.tool {
            Some(format!("is {}, but this program is {}", worker.tool, self.tool))
        } else if worker.arithmetic != self.arithmetic {
            Some(format!("computes on `{}`, whose floating-point functions round differently than here", worker.cpu))
        } else if worker.threads == 0 {
            Some("has no threads".into())
        } else {
            None
        }
    }
}

/// A message as a line. Serialization cannot fail, because messages have only numbers and texts.
pub(super) fn line(message: &impl Serialize) -> String {
    serde_json::to_string(message).unwrap_or_default() + "\n"
}

/// The lines that describe a player.
pub(super) fn player_lines(player: u64, text: &str) -> String {
    let parts = parts(text);
    let request = |(place, part): (usize, &&str)| {
        line(&Request::Player { player, part: part.to_string(), last: place + 1 == parts.len() })
    };
    parts.iter().enumerate().map(request).collect()
}

/// Splits a text into parts that are short enough even after JSON has escaped their characters.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    loop {
        let mut length = 0;
        let cut = rest.char_indices().find(|(_, c)| {
            length += escaped_length(*c);
            length > LONGEST_PART
        });
        let Some((cut, _)) = cut else {
            parts.push(rest);
            return parts;
        };
        let (part, tail) = rest.split_at(cut);
        parts.push(part);
        rest = tail;
    }
}

fn escaped_length(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' => 2,
        c if c.is_control() => 6,
        c => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_descriptions_are_cut_into_short_lines_and_put_together_again() {
        for text in ["", "short", &"\"\\\n".repeat(1000), &"ü\u{1}☃".repeat(777)] {
            let lines = player_lines(7, text);
            assert!(lines.lines().all(|line| line.len() <= LONGEST_LINE));
            let requests: Vec<Request> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let mut whole = String::new();
            for (place, request) in requests.iter().enumerate() {
                let Request::Player { player: 7, part, last } = request else { panic!("{request:?}") };
                whole += part;
                assert_eq!(*last, place + 1 == requests.len());
            }
            assert_eq!(whole, text);
        }
    }

    #[test]
    fn the_longest_lines_of_games_are_short_enough() {
        let seeds = vec![u64::MAX; MOST_GAMES];
        assert!(line(&Request::Play { id: u64::MAX, player: u64::MAX, seeds }).len() <= LONGEST_LINE);
        // No game of 2048 has more moves, nodes or work than these.
        let game = (3_932_100, 131_072, 131_072, false, 10_u64.pow(13), 10_u64.pow(14), 123_456.789_012_345);
        let games = vec![game; MOST_GAMES];
        let played = line(&Answer::Played { id: 10_u64.pow(15), games, met_limit: Vec::new() });
        assert!(played.len() <= LONGEST_LINE, "{}", played.len());
        // Games of networks have neither nodes, work nor seconds.
        let games = vec![(3_932_100, 131_072, 131_072, false, 0, 0, 0.0); MOST_GAMES];
        let met_limit = (0..MOST_GAMES).collect();
        assert!(line(&Answer::Played { id: 10_u64.pow(15), games, met_limit }).len() <= LONGEST_LINE);
    }

    #[test]
    fn games_keep_every_digit() {
        let played = GameResult {
            seed: u64::MAX,
            score: 123_456,
            max_tile: 8192,
            moves: 5000,
            won: true,
            nodes: u64::MAX,
            work: 3,
            seconds: 0.1 + 0.2,
        };
        let text = line(&Answer::Played { id: 1, games: vec![numbers(&played)], met_limit: Vec::new() });
        let Answer::Played { games, .. } = serde_json::from_str(&text).unwrap() else { panic!("{text}") };
        assert_eq!(game(u64::MAX, games[0]), played);
    }

    #[test]
    fn workers_with_another_engine_or_arithmetic_are_refused() {
        let ours = Hello::of_this_process(2);
        assert_eq!(ours.objection(&Hello { threads: 64, host: "x".into(), cpu: "y".into(), ..ours.clone() }), None);
        for (theirs, part) in [
            (Hello { engine: 1, ..ours.clone() }, "engine revision 1"),
            (Hello { tool: "lab2048 0.0.1".into(), ..ours.clone() }, "lab2048 0.0.1"),
            (Hello { arithmetic: "0".into(), ..ours.clone() }, "round differently"),
            (Hello { threads: 0, ..ours.clone() }, "no threads"),
        ] {
            assert!(ours.objection(&theirs).unwrap().contains(part));
        }
    }
}
