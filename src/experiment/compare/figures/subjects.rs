//! The agents of a comparison as figures see them: rows of CSV files, grouped by what was varied.

use std::collections::BTreeSet;

use crate::experiment::compare::sample::AgentGames;
use crate::experiment::compare::summary::CONFIGURATION;
use crate::report::table::{Row, Table};
use crate::spec::FigureChoice;

/// One agent with everything that is known about it.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub agent: Row<'a>,
    pub summary: Row<'a>,
    pub timing: Row<'a>,
    pub sample: &'a AgentGames,
}

impl<'a> Subject<'a> {
    pub fn label(&self) -> &'a str {
        self.agent.text("agent")
    }

    /// The text of an axis: the kind, an option, or a measured column.
    pub fn text(&self, axis: &str) -> &'a str {
        let found = [self.agent, self.summary, self.timing].map(|row| row.text(axis));
        found.into_iter().find(|text| !text.is_empty()).unwrap_or("")
    }

    pub fn number(&self, axis: &str) -> Option<f64> {
        self.text(axis).parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// The agents that a figure shows, in the order of the experiment.
#[derive(Clone)]
pub struct Subjects<'a> {
    pub all: Vec<Subject<'a>>,
    /// Options that any agent was given.
    options: Vec<&'a str>,
}

/// Columns of `agents.csv` before the options.
const FIXED: usize = 4;

impl<'a> Subjects<'a> {
    pub fn new(agents: &'a Table, summary: &'a Table, timing: &'a Table, samples: &'a [AgentGames]) -> Self {
        let rows = agents.rows().zip(summary.rows()).zip(timing.rows()).zip(samples);
        let subject = |(((agent, summary), timing), sample)| Subject { agent, summary, timing, sample };
        let options = agents.columns().iter().skip(FIXED).map(String::as_str);
        let options = options.filter(|option| *option != CONFIGURATION).collect();
        Subjects { all: rows.map(subject).collect(), options }
    }

    fn with(&self, all: Vec<Subject<'a>>) -> Self {
        Subjects { all, options: self.options.clone() }
    }

    /// Those that the user chose.
    pub fn chosen(&self, choice: &FigureChoice) -> Self {
        let fits = |subject: &&Subject| {
            choice.only.iter().all(|(axis, values)| values.iter().any(|value| value == subject.text(axis)))
        };
        self.with(self.all.iter().filter(fits).copied().collect())
    }

    /// One group for each value of an axis, in order of appearance.
    pub fn grouped(&self, axis: &str) -> Vec<(String, Self)> {
        self.grouped_by(|subject| option_text(axis, subject.text(axis)))
    }

    pub fn grouped_by(&self, name: impl Fn(&Subject) -> String) -> Vec<(String, Self)> {
        let mut groups: Vec<(String, Vec<Subject>)> = Vec::new();
        for subject in &self.all {
            let name = name(subject);
            match groups.iter_mut().find(|(group, _)| *group == name) {
                Some((_, members)) => members.push(*subject),
                None => groups.push((name, vec![*subject])),
            }
        }
        groups.into_iter().map(|(name, members)| (name, self.with(members))).collect()
    }

    fn values(&self, axis: &str) -> BTreeSet<&'a str> {
        self.all.iter().map(|subject| subject.text(axis)).collect()
    }

    fn varies(&self, axis: &str) -> bool {
        self.values(axis).len() > 1
    }

    /// The option with the most numbers, if any has two: what a figure is drawn against when the user says nothing.
    pub fn natural_x(&self) -> Option<&'a str> {
        let numbers = |axis: &str| self.values(axis).iter().filter(|text| text.parse::<f64>().is_ok()).count();
        let most = self.options.iter().map(|axis| numbers(axis)).max().filter(|most| *most > 1)?;
        self.options.iter().copied().find(|axis| numbers(axis) == most)
    }

    /// What tells a line from the others drawn against `x`: its group, and every other option that agents of that group
    /// differ in.
    pub fn line_name(&self, subject: &Subject, x: &str) -> String {
        let group = subject.text("group").to_string();
        let alike = self.all.iter().filter(|other| other.text("group") == group);
        let alike = self.with(alike.copied().collect());
        let options = self.options.iter().filter(|axis| **axis != x && alike.varies(axis));
        let values = options.map(|axis| option_text(axis, subject.text(axis))).filter(|text| !text.is_empty());
        let shown = Some(group.clone()).filter(|_| self.varies("group"));
        let parts: Vec<String> = shown.into_iter().chain(values).collect();
        if parts.is_empty() { group } else { parts.join(" ") }
    }

    /// A name as short as the others allow.
    pub fn short_name(&self, subject: &Subject) -> String {
        self.line_name(subject, "")
    }

    /// The best few, best first.
    pub fn best(&self, count: usize) -> Self {
        let merit = |subject: &Subject| ["win_rate", "mean_score"].map(|column| subject.number(column).unwrap_or(0.0));
        let mut best = self.all.clone();
        best.sort_by(|a, b| merit(b).partial_cmp(&merit(a)).unwrap_or(std::cmp::Ordering::Equal));
        best.truncate(count);
        self.with(best)
    }
}

/// Depths and names speak for themselves; other numbers need their key.
fn option_text(option: &str, value: &str) -> String {
    let speaks = option == "depth" || (value.parse::<f64>().is_err() && value != "true" && value != "false");
    if speaks || value.is_empty() { value.to_string() } else { format!("{option}={value}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(agents: &[[&str; 7]]) -> (Table, Table, Vec<AgentGames>) {
        let mut table = Table::new(["agent", "group", "kind", "timed", "depth", "heuristic", "runs"]);
        let mut summary = Table::new(["agent", "win_rate", "mean_score"]);
        for (index, agent) in agents.iter().enumerate() {
            table.push(*agent);
            summary.push([agent[0].to_string(), "0.5".into(), index.to_string()]);
        }
        (table, summary, vec![AgentGames::default(); agents.len()])
    }

    const AGENTS: [[&str; 7]; 4] = [
        ["minimax depth=1 heuristic=a", "minimax", "minimax", "false", "1", "a", ""],
        ["minimax depth=2 heuristic=a", "minimax", "minimax", "false", "2", "a", ""],
        ["minimax depth=2 heuristic=b", "minimax", "minimax", "false", "2", "b", ""],
        ["Mark 1", "Mark 1", "rollout", "false", "", "", "5"],
    ];

    #[test]
    fn names_say_what_varies() {
        let (agents, summary, samples) = tables(&AGENTS);
        let all = Subjects::new(&agents, &summary, &summary, &samples);
        assert_eq!(all.natural_x(), Some("depth"));
        let lines: Vec<String> = all.grouped_by(|s| all.line_name(s, "depth")).into_iter().map(|(n, _)| n).collect();
        assert_eq!(lines, ["minimax a", "minimax b", "Mark 1"]);
        let short: Vec<String> = all.all.iter().map(|subject| all.short_name(subject)).collect();
        assert_eq!(short, ["minimax 1 a", "minimax 2 a", "minimax 2 b", "Mark 1"]);
        let only = FigureChoice { only: vec![("kind".into(), vec!["minimax".into()])], ..choice() };
        let minimax = all.chosen(&only);
        assert_eq!(minimax.line_name(&minimax.all[0], "depth"), "a");
        assert_eq!(minimax.best(1).all[0].label(), "minimax depth=2 heuristic=b");
    }

    fn choice() -> FigureChoice {
        FigureChoice::of(crate::spec::FigureKind::WinRate)
    }

    #[test]
    fn one_number_makes_no_axis() {
        let (agents, summary, samples) = tables(&AGENTS[1..]);
        assert_eq!(Subjects::new(&agents, &summary, &summary, &samples).natural_x(), None);
    }
}
