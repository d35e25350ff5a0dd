//! Progress of a comparison on standard error, where that is a terminal.

use std::io::{IsTerminal, stderr};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::experiment::compare::{AgentProgress, Watch};

/// With more agents than this, only their total is shown.
const MOST_LINES: usize = 16;

/// A bar for the whole, with a line for each of a few agents.
pub struct Progress {
    total: ProgressBar,
    lines: Vec<ProgressBar>,
}

impl Progress {
    pub fn new(labels: &[String], games: u64, quiet: bool) -> Self {
        let all = MultiProgress::new();
        if quiet || !stderr().is_terminal() {
            all.set_draw_target(indicatif::ProgressDrawTarget::hidden());
        }
        let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        let shown = if labels.len() <= MOST_LINES { labels } else { &[] };
        let line = |label: &String| {
            let bar = all.add(ProgressBar::new(games).with_prefix(format!("{label:width$}")));
            bar.with_style(style("{prefix}  {pos:>6}/{len}  {msg}"))
        };
        let lines = shown.iter().map(line).collect();
        let total = all.add(ProgressBar::new(games * labels.len() as u64));
        Progress { total: total.with_style(style("{bar:30} {pos}/{len} games  {msg}  {eta} left")), lines }
    }
}

/// A template that cannot be read is our own mistake; a plain bar is better than none.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Watch for Progress {
    fn tick(&mut self, standings: &[AgentProgress]) {
        for (line, standing) in self.lines.iter().zip(standings) {
            line.set_position(standing.games);
            line.set_message(describe(standing));
        }
        let (games, wins) = standings.iter().fold((0, 0), |(games, wins), s| (games + s.games, wins + s.wins));
        if self.total.position() == 0 && games > 0 {
            // What an earlier run has done says nothing about the speed of this one.
            self.total.reset_eta();
        }
        self.total.set_position(games);
        self.total.set_message(format!("{} won", percent(wins, games)));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.lines.iter().for_each(ProgressBar::finish_and_clear);
        self.total.finish_and_clear();
    }
}

fn describe(standing: &AgentProgress) -> String {
    if standing.games == 0 {
        return "waiting".into();
    }
    let per_game = standing.seconds / standing.games as f64;
    let per_move = standing.seconds * 1e6 / standing.moves.max(1) as f64;
    format!("{} won  {per_game:.3} s/game  {per_move:.1} µs/move", percent(standing.wins, standing.games))
}

fn percent(wins: u64, games: u64) -> String {
    format!("{:.1} %", 100.0 * wins as f64 / games.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_rate_and_time() {
        let standing = AgentProgress { games: 4, wins: 1, moves: 1000, seconds: 2.0 };
        assert_eq!(describe(&standing), "25.0 % won  0.500 s/game  2000.0 µs/move");
        assert_eq!(describe(&AgentProgress::default()), "waiting");
    }

    #[test]
    fn templates_are_read() {
        let labels: Vec<String> = ["a".to_string(), "b".to_string()].into();
        let mut progress = Progress::new(&labels, 10, true);
        progress.tick(&[AgentProgress { games: 4, wins: 1, moves: 1, seconds: 1.0 }, AgentProgress::default()]);
        assert_eq!((progress.total.position(), progress.lines[0].position()), (4, 4));
        assert!(progress.total.message().contains("25.0 % won"));
    }
}
