//! The learning curve: a row for every thousand training games, and a point for each validation.

use serde::{Deserialize, Serialize};

use crate::games::twenty48::{TOP_RANK, tile};
use crate::learn::{Finished, Progress};
use crate::report::table::{Table, interval_cells, interval_columns};
use crate::stats::proportions::wilson;
use crate::stats::{Interval, Moments};

/// Training games that make a row of `training.csv`.
const BLOCK: usize = 1000;

/// Tiles whose share of games is shown, as ranks: 512 to 32768.
const FIRST_RANK: u8 = 9;

/// The results of some games at one stage of the training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Training games up to here.
    pub training_games: u64,
    /// Training moves up to here.
    pub training_moves: u64,
    /// The number of these games.
    pub games: u64,
    /// Their mean score.
    pub mean_score: f64,
    /// The lower end of its 95 % interval.
    pub mean_low: f64,
    /// The upper end.
    pub mean_high: f64,
    /// Games whose largest tile has this rank.
    by_rank: [u64; TOP_RANK as usize + 1],
    /// Games that had two tiles of 32768, which cannot merge.
    pub met_limit: u64,
}

impl Point {
    /// The point of these games, at this stage of the training.
    pub fn new(progress: Progress, games: &[Finished]) -> Self {
        let moments = Moments::of(&games.iter().map(|game| f64::from(game.score)).collect::<Vec<_>>());
        let mean = moments.mean().unwrap_or(0.0);
        let interval = moments.mean_interval().unwrap_or(Interval { estimate: mean, low: mean, high: mean });
        let mut by_rank = [0; TOP_RANK as usize + 1];
        games.iter().for_each(|game| by_rank[usize::from(game.max_rank)] += 1);
        Point {
            training_games: progress.games,
            training_moves: progress.moves,
            games: games.len() as u64,
            mean_score: mean,
            mean_low: interval.low,
            mean_high: interval.high,
            by_rank,
            met_limit: games.iter().filter(|game| game.met_limit).count() as u64,
        }
    }

    /// The mean score with its interval.
    pub fn mean(&self) -> Interval {
        Interval { estimate: self.mean_score, low: self.mean_low, high: self.mean_high }
    }

    /// For people: `101234 (98000 to 104000)`.
    pub fn show_mean(&self) -> String {
        format!("{:.0} ({:.0} to {:.0})", self.mean_score, self.mean_low, self.mean_high)
    }

    /// The share of games that reached a tile of this rank.
    pub fn reach(&self, rank: u8) -> Option<Interval> {
        wilson(self.by_rank[usize::from(rank)..].iter().sum(), self.games)
    }

    fn cells(&self) -> Vec<String> {
        let counts = [self.training_games, self.training_moves, self.games].map(|count| count.to_string());
        let reach = (FIRST_RANK..=TOP_RANK).flat_map(|rank| interval_cells(self.reach(rank)));
        let mean = interval_cells(Some(self.mean()));
        counts.into_iter().chain(mean).chain(reach).chain([self.met_limit.to_string()]).collect()
    }
}

/// The names of the columns that show a tile's share.
pub(super) fn reach_columns() -> impl Iterator<Item = (u32, String)> {
    (FIRST_RANK..=TOP_RANK).map(|rank| (tile(rank), format!("reach_{}", tile(rank))))
}

/// A row for each point.
pub(super) fn table(points: &[Point]) -> Table {
    let counts = ["training_games", "training_moves", "games"].map(str::to_string).to_vec();
    let reach = reach_columns().flat_map(|(_, name)| interval_columns(&name)).collect();
    let columns = [counts, interval_columns("mean_score").to_vec(), reach, vec!["met_limit".to_string()]];
    let mut table = Table::new(columns.concat());
    points.iter().for_each(|point| table.push(point.cells()));
    table
}

/// The learning curve so far. It is a part of every checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Curve {
    pub training: Vec<Point>,
    pub validation: Vec<Point>,
    /// The training games since the last row.
    open: Vec<Finished>,
}

impl Curve {
    /// Adds a training game that has ended.
    pub fn add(&mut self, game: &Finished, progress: Progress) {
        self.open.push(game.clone());
        if self.open.len() == BLOCK {
            self.training.push(Point::new(progress, &self.open));
            self.open.clear();
        }
    }

    /// The mean score of the last row and of the games since.
    pub fn recent_mean(&self) -> f64 {
        let open: f64 = self.open.iter().map(|game| f64::from(game.score)).sum();
        let (before, games) =
            self.training.last().map_or((0.0, 0), |row| (row.mean_score * row.games as f64, row.games));
        (before + open) / (games + self.open.len() as u64).max(1) as f64
    }
}
