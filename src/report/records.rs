//! The rows of `games.csv` and `timing.csv`.

use std::io;
use std::path::Path;

use super::table::{guarded, unguarded};
use crate::play::GameResult;

/// Columns of `games.csv`. All values depend on the experiment's seed alone.
const GAME_COLUMNS: [&str; 9] = ["agent", "game", "seed", "score", "max_tile", "moves", "won", "nodes", "work"];
/// Columns of `timing.csv`. The values are measured, so they differ from run to run.
const TIMING_COLUMNS: [&str; 4] = ["agent", "game", "seconds", "microseconds_per_move"];

/// Writes one row for each game: its agent, its number, and its result or its time.
pub struct GamesWriter<W: io::Write> {
    writer: csv::Writer<W>,
    columns: &'static [&'static str],
}

impl<W: io::Write> GamesWriter<W> {
    /// For `games.csv`.
    pub fn games(file: W) -> io::Result<Self> {
        Self::begin(file, &GAME_COLUMNS)
    }

    /// For `timing.csv`.
    pub fn timing(file: W) -> io::Result<Self> {
        Self::begin(file, &TIMING_COLUMNS)
    }

    fn begin(file: W, columns: &'static [&'static str]) -> io::Result<Self> {
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(columns)?;
        Ok(GamesWriter { writer, columns })
    }

    /// Writes one row.
    pub fn write(&mut self, agent: &str, game: u64, result: &GameResult) -> io::Result<()> {
        let agent = &*guarded(agent);
        let GameResult { seed, score, max_tile, moves, won, nodes, work, seconds } = *result;
        if self.columns.len() == GAME_COLUMNS.len() {
            return Ok(self.writer.serialize((agent, game, seed, score, max_tile, moves, won, nodes, work))?);
        }
        Ok(self.writer.serialize((agent, game, seconds, seconds * 1e6 / f64::from(moves.max(1))))?)
    }

    /// Writes the rows that are still in memory.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The rows of `games.csv` with their agents and numbers, one at a time. Errors name the file.
pub fn read_games(path: &Path) -> io::Result<impl Iterator<Item = io::Result<(String, u64, GameResult)>> + use<>> {
    type Row = (String, u64, u64, i64, u32, u32, bool, u64, u64);
    let result = |(agent, game, seed, score, max_tile, moves, won, nodes, work): Row| {
        (
            unguarded(&agent).to_string(),
            game,
            GameResult { seed, score, max_tile, moves, won, nodes, work, seconds: 0.0 },
        )
    };
    Ok(read::<Row>(path)?.map(move |row| row.map(result)))
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> io::Result<impl Iterator<Item = io::Result<T>> + use<T>> {
    let name = path.display().to_string();
    let file = std::fs::File::open(path).map_err(|error| io::Error::new(error.kind(), format!("`{name}`: {error}")))?;
    let wrong = move |error: csv::Error| io::Error::other(format!("`{name}` is damaged: {error}"));
    Ok(csv::Reader::from_reader(file).into_deserialize().map(move |row| row.map_err(&wrong)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_read_back_as_written() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let result =
            GameResult { seed: u64::MAX, score: -1, max_tile: 8, moves: 3, won: true, nodes: 5, work: 6, seconds: 0.0 };
        let mut writer = GamesWriter::games(file.reopen().unwrap()).unwrap();
        writer.write("a, \"b\"", 4, &result).unwrap();
        writer.finish().unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        assert_eq!(
            text,
            "agent,game,seed,score,max_tile,moves,won,nodes,work\n\"a, \"\"b\"\"\",4,18446744073709551615,-1,8,3,true,5,6\n"
        );
        let rows: Vec<_> = read_games(file.path()).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows, [("a, \"b\"".to_string(), 4, result)]);
    }

    #[test]
    fn times_are_given_for_the_game_and_for_each_move() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let result =
            GameResult { seed: 1, score: 4, max_tile: 8, moves: 4, won: false, nodes: 0, work: 0, seconds: 0.5 };
        let mut writer = GamesWriter::timing(file.reopen().unwrap()).unwrap();
        writer.write("a", 0, &result).unwrap();
        writer.finish().unwrap();
        assert!(std::fs::read_to_string(file.path()).unwrap().ends_with("a,0,0.5,125000.0\n"));
    }
}
