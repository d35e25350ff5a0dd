//! Progress bars on standard error if it is a terminal; otherwise only messages.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::{printable, say};
use crate::experiment::Progress;
use crate::learn::Budget;
use crate::play::GameResult;

/// With more agents than this, only their total is shown.
const MOST_LINES: usize = 16;

/// A bar for all games, and a line for each agent if there are few.
pub struct ProgressBars {
    all: MultiProgress,
    total: ProgressBar,
    lines: Vec<ProgressBar>,
    tallies: Mutex<Vec<Tally>>,
    /// The training that the bar shows, if it is one.
    training: Option<Training>,
    quiet: bool,
}

/// The state that a bar needs to show a training.
struct Training {
    budget: Budget,
    /// When the first game ended in this run, and how many moves had been made by then.
    begun: Mutex<Option<(Instant, u64)>>,
}

/// The results of an agent in this run. Games of earlier runs are not included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    games: u64,
    wins: u64,
    moves: u64,
    seconds: f64,
}

impl ProgressBars {
    /// One line for each of these agents, unless there are too many. Each agent plays this many games.
    pub fn new(labels: &[String], games: u64, quiet: bool) -> Self {
        let all = MultiProgress::new();
        if quiet || !stderr().is_terminal() {
            all.set_draw_target(ProgressDrawTarget::hidden());
        }
        let labels: Vec<String> = labels.iter().map(|label| printable(label)).collect();
        let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let shown = if labels.len() <= MOST_LINES { labels.as_slice() } else { &[] };
        let line = |label: &String| {
            let bar = all.add(ProgressBar::new(games).with_prefix(format!("{label:width$}")));
            bar.with_style(style("{prefix}  {pos:>6}/{len}  {msg}"))
        };
        let lines: Vec<ProgressBar> = shown.iter().map(line).collect();
        let total = all.add(ProgressBar::new(0)).with_style(style("{bar:30} {pos}/{len} games  {msg}  {eta} left"));
        let tallies = Mutex::new(vec![Tally::default(); lines.len().max(1)]);
        ProgressBars { all, total, lines, tallies, training: None, quiet }
    }

    /// One bar for a training with this budget.
    pub fn of_training(budget: Budget, quiet: bool) -> Self {
        let bars = ProgressBars::new(&[], 0, quiet);
        let (length, unit) = match budget {
            Budget::Games(games) => (games, "games"),
            Budget::Moves(moves) => (moves, "moves"),
        };
        bars.total.set_length(length);
        bars.total.set_style(style(&format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}  {{eta}} left")));
        ProgressBars { training: Some(Training { budget, begun: Mutex::new(None) }), ..bars }
    }

    /// Removes the bars from the screen.
    pub fn clear(&self) {
        self.lines.iter().for_each(ProgressBar::finish_and_clear);
        self.total.finish_and_clear();
    }

    fn tally(&self, player: usize, add: impl FnOnce(&mut Tally)) -> Option<Tally> {
        let mut tallies = self.tallies.lock().unwrap_or_else(PoisonError::into_inner);
        // Without lines there is one tally for all agents.
        let place = if self.lines.is_empty() { 0 } else { player };
        let tally = tallies.get_mut(place)?;
        add(tally);
        Some(*tally)
    }
}

impl Training {
    /// Moves per second since the first game ended in this run. Moves of earlier runs do not count.
    fn speed(&self, bar: &ProgressBar, moves: u64) -> f64 {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, before) = *begun.get_or_insert_with(|| {
            bar.reset_eta();
            (Instant::now(), moves)
        });
        (moves - before) as f64 / since.elapsed().as_secs_f64().max(1e-9)
    }
}

/// A bar that counts finished tasks and names the current one.
pub fn task_bar(tasks: usize, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::new(tasks as u64).with_style(style("{bar:30} {pos}/{len}  {msg}  {eta} left"));
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// The style of a bar. A template that cannot be parsed is a bug of this program, and the default style is used.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Progress for ProgressBars {
    fn expect(&self, games: u64) {
        self.total.set_length(games);
    }

    fn played(&self, player: usize, game: &GameResult) {
        let tally = self.tally(player, |tally| {
            tally.games += 1;
            tally.wins += u64::from(game.won);
            tally.moves += u64::from(game.moves);
            tally.seconds += game.seconds;
        });
        self.total.inc(1);
        if let Some((line, tally)) = self.lines.get(player).zip(tally) {
            line.inc(1);
            line.set_message(describe(&tally));
        }
    }

    fn resumed(&self, player: usize, games: &[GameResult]) {
        self.total.inc(games.len() as u64);
        // The speed of an earlier run says nothing about the speed of this one.
        self.total.reset_eta();
        if let Some(line) = self.lines.get(player) {
            line.inc(games.len() as u64);
        }
    }

    fn trained(&self, games: u64, moves: u64, mean_score: f64) {
        let Some(training) = self.training.as_ref().filter(|_| !self.total.is_hidden()) else { return };
        self.total.set_position(match training.budget {
            Budget::Games(_) => games,
            Budget::Moves(_) => moves,
        });
        let speed = training.speed(&self.total, moves) / 1e6;
        self.total.set_message(format!("mean score {mean_score:.0}  {speed:.2} million moves/s"));
    }

    fn say(&self, line: &str) {
        let line = printable(line);
        match (self.quiet, self.total.is_hidden()) {
            (true, _) => {}
            (false, true) => say(&line),
            // An error is ignored, because the run can continue without the message.
            (false, false) => drop(self.all.println(line)),
        }
    }
}

fn describe(tally: &Tally) -> String {
    let games = tally.games.max(1) as f64;
    let per_move = tally.seconds * 1e6 / tally.moves.max(1) as f64;
    let won = 100.0 * tally.wins as f64 / games;
    format!("{won:.1} % won  {:.3} s/game  {per_move:.1} µs/move", tally.seconds / games)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(won: bool) -> GameResult {
        GameResult { seed: 1, score: 4, max_tile: 8, moves: 250, won, nodes: 0, work: 0, seconds: 0.5 }
    }

    #[test]
    fn a_line_shows_the_win_rate_and_the_time() {
        let tally = Tally { games: 4, wins: 1, moves: 1000, seconds: 2.0 };
        assert_eq!(describe(&tally), "25.0 % won  0.500 s/game  2000.0 µs/move");
    }

    #[test]
    fn games_are_counted_for_their_agent_and_in_total() {
        let progress = ProgressBars::new(&["a".to_string(), "b".to_string()], 10, true);
        progress.expect(20);
        progress.resumed(1, &[game(true); 3]);
        progress.played(0, &game(true));
        progress.played(0, &game(false));
        let positions: Vec<u64> = progress.lines.iter().map(ProgressBar::position).collect();
        assert_eq!((progress.total.position(), positions), (5, vec![2, 3]));
        assert!(progress.lines[0].message().contains("50.0 % won"));
    }

    #[test]
    fn many_agents_share_one_bar() {
        let labels: Vec<String> = (0..100).map(|number| number.to_string()).collect();
        let progress = ProgressBars::new(&labels, 10, true);
        progress.played(99, &game(true));
        assert_eq!((progress.total.position(), progress.lines.len()), (1, 0));
    }
}
