//! The agents of a comparison for figures: rows of tables, grouped and named by the options that vary.

use super::wording::option_words;
use super::{FigureRequest, wording};
use crate::report::table::{Row, Table};
use std::collections::BTreeSet;

/// The tables of a comparison. All of them have a row for each agent, in the same order.
pub struct Tables<'a> {
    /// `agents.csv`: the options of each agent.
    pub agents: &'a Table,
    /// `summary.csv`: the results of the games.
    pub summary: &'a Table,
    /// `timing_summary.csv`: the measured times.
    pub timing: &'a Table,
    /// The scores of each agent's games, if `games.csv` is there.
    pub scores: Option<&'a [Vec<f64>]>,
}

/// One agent with everything that is known about it.
#[derive(Clone, Copy)]
pub struct Agent<'a> {
    agent: Row<'a>,
    pub(super) summary: Row<'a>,
    pub(super) timing: Row<'a>,
    pub(super) scores: Option<&'a [f64]>,
}

impl<'a> Agent<'a> {
    pub(super) fn label(&self) -> &'a str {
        self.agent.text("agent")
    }

    /// The text of an axis: the kind, an option or a measured column.
    pub(super) fn text(&self, axis: &str) -> &'a str {
        let found = [self.agent, self.summary, self.timing].map(|row| row.text(axis));
        found.into_iter().find(|text| !text.is_empty()).unwrap_or("")
    }

    pub(super) fn number(&self, axis: &str) -> Option<f64> {
        self.text(axis).parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// An estimate with its interval, from the summary of the games or of the timing.
    pub(super) fn estimate(&self, column: &str) -> Option<crate::stats::Interval> {
        self.summary.interval(column).or(self.timing.interval(column))
    }
}

/// Agents in the order of the experiment.
#[derive(Clone)]
pub struct Agents<'a> {
    pub(super) all: Vec<Agent<'a>>,
    /// Options that any agent was given.
    options: Vec<&'a str>,
}

/// Columns of `agents.csv` that are not options.
const NOT_OPTIONS: [&str; 5] = ["agent", "group", "kind", "timed", CONFIGURATION];
/// The column with all options of an agent as JSON, defaults included.
const CONFIGURATION: &str = "configuration";

impl<'a> Agents<'a> {
    /// All agents of a comparison.
    pub fn new(tables: &Tables<'a>) -> Self {
        let rows = tables.agents.rows().zip(tables.summary.rows()).zip(tables.timing.rows()).enumerate();
        let scores = |index: usize| tables.scores.and_then(|all| all.get(index)).map(Vec::as_slice);
        let agent = |(index, ((agent, summary), timing))| Agent { agent, summary, timing, scores: scores(index) };
        let names = tables.agents.columns().iter().map(String::as_str);
        Agents { all: rows.map(agent).collect(), options: names.filter(|name| !NOT_OPTIONS.contains(name)).collect() }
    }

    pub(super) fn with(&self, all: Vec<Agent<'a>>) -> Self {
        Agents { all, options: self.options.clone() }
    }

    /// The agents that a figure is to show.
    pub fn chosen(&self, request: &FigureRequest) -> Self {
        let fits = |agent: &&Agent| {
            request.only.iter().all(|(axis, values)| values.iter().any(|value| value == agent.text(axis)))
        };
        self.with(self.all.iter().filter(fits).copied().collect())
    }

    /// One group for each value of an axis, in order of appearance, under the value in words.
    pub fn grouped(&self, axis: &str) -> Vec<(String, Self)> {
        self.grouped_by(|agent| value_words(agent, axis))
    }

    pub(super) fn grouped_by(&self, name: impl Fn(&Agent<'a>) -> String) -> Vec<(String, Self)> {
        let mut groups: Vec<(String, Vec<Agent>)> = Vec::new();
        for agent in &self.all {
            let name = name(agent);
            match groups.iter_mut().find(|(group, _)| *group == name) {
                Some((_, members)) => members.push(*agent),
                None => groups.push((name, vec![*agent])),
            }
        }
        groups.into_iter().map(|(name, members)| (name, self.with(members))).collect()
    }

    fn values(&self, axis: &str) -> BTreeSet<&'a str> {
        self.all.iter().map(|agent| agent.text(axis)).collect()
    }

    fn varies(&self, axis: &str) -> bool {
        self.values(axis).len() > 1
    }

    pub(super) fn is_option(&self, axis: &str) -> bool {
        self.options.contains(&axis)
    }

    /// The option with the most different numbers, if any has two. Figures are drawn against it unless the user chooses.
    pub(super) fn natural_x(&self) -> Option<&'a str> {
        let numbers = |axis: &str| self.values(axis).iter().filter(|text| text.parse::<f64>().is_ok()).count();
        let most = self.options.iter().map(|axis| numbers(axis)).max().filter(|most| *most > 1)?;
        self.options.iter().copied().find(|axis| numbers(axis) == most)
    }

    /// The agents of the same group as this one.
    fn relatives(&self, agent: &Agent) -> Self {
        let group = agent.text("group");
        self.with(self.all.iter().filter(|other| other.text("group") == group).copied().collect())
    }

    /// The numeric option in which the agents of one group differ most, such as depth or a budget.
    pub(super) fn sweep(&self, agent: &Agent) -> Option<&'a str> {
        self.relatives(agent).natural_x()
    }

    /// A name that distinguishes an agent from the others: its group if there are several, and every option in which
    /// the agents of its group differ, except those in `without`.
    pub(super) fn name(&self, agent: &Agent, without: &[&str]) -> String {
        let alike = self.relatives(agent);
        let options = self.options.iter().filter(|axis| !without.contains(axis) && alike.varies(axis));
        let words = options.map(|axis| value_words(agent, axis)).filter(|words| !words.is_empty());
        let group = option_words("group", agent.text("group"));
        let shown = (self.varies("group") && !without.contains(&"group")).then(|| group.clone());
        let parts: Vec<String> = shown.into_iter().chain(words).collect();
        if parts.is_empty() { group } else { parts.join(", ") }
    }

    /// The tiles for which the summary has the share of games that reach them.
    pub(super) fn tiles(&self) -> Vec<u64> {
        let columns = self.all.first().into_iter().flat_map(|agent| agent.summary.columns());
        columns.filter_map(|name| name.strip_prefix("reach_")?.parse().ok()).collect()
    }

    /// Whether the agents play a game with tiles and scores, not one that is won, drawn or lost.
    pub(super) fn have_tiles(&self) -> bool {
        !self.tiles().is_empty()
    }

    /// The best few, best first: by win rate where games stop at a goal, and by mean score where they are played to the end.
    pub(super) fn best(&self, count: usize) -> Self {
        let by = |agent: &Agent| match agent.text("score_until") {
            "end" => ["mean_score", "win_rate"],
            _ => ["win_rate", "mean_score"],
        };
        let merit = |agent: &Agent| by(agent).map(|column| agent.number(column).unwrap_or(0.0));
        let mut best = self.all.clone();
        best.sort_by(|a, b| merit(b).partial_cmp(&merit(a)).unwrap_or(std::cmp::Ordering::Equal));
        best.truncate(count);
        self.with(best)
    }
}

/// The value of an axis in words. A heuristic file goes by the name that the file gives itself, where the table has it.
pub(super) fn value_words(agent: &Agent, axis: &str) -> String {
    let named = if axis == "heuristic" && !agent.text(axis).is_empty() { heuristic_name(agent) } else { None };
    named.unwrap_or_else(|| option_words(axis, agent.text(axis)))
}

fn heuristic_name(agent: &Agent) -> Option<String> {
    let options: serde_json::Value = serde_json::from_str(agent.text(CONFIGURATION)).ok()?;
    let heuristic = options.get("heuristic")?;
    let name = heuristic.as_str().or_else(|| heuristic.get("name")?.as_str())?;
    // A name that looks like a path was not given by the file.
    (!name.is_empty() && !name.contains(['/', '\\'])).then(|| name.to_string())
}

/// Says how many agents are shown, if not all are.
pub(super) fn shown_note(shown: usize, all: usize) -> Option<String> {
    let all_text = wording::thousands(&all.to_string());
    (shown < all).then(|| format!("{shown} of {all_text} agents shown"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(agents: &[[&str; 7]]) -> (Table, Table) {
        let mut table = Table::new(["agent", "group", "kind", "timed", "depth", "heuristic", "runs"]);
        let mut summary = Table::new(["agent", "win_rate", "mean_score"]);
        for (index, agent) in agents.iter().enumerate() {
            table.push(*agent);
            summary.push([agent[0].to_string(), "0.5".into(), index.to_string()]);
        }
        (table, summary)
    }

    const AGENTS: [[&str; 7]; 4] = [
        ["minimax depth=1 heuristic=a", "minimax", "minimax", "false", "1", "a", ""],
        ["minimax depth=2 heuristic=a", "minimax", "minimax", "false", "2", "a", ""],
        ["minimax depth=2 heuristic=b", "minimax", "minimax", "false", "2", "b", ""],
        ["Mark 1", "Mark 1", "rollout", "false", "", "", "5"],
    ];

    #[test]
    fn names_consist_of_the_options_that_vary() {
        let (agents, summary) = tables(&AGENTS);
        let all = Agents::new(&Tables { agents: &agents, summary: &summary, timing: &summary, scores: None });
        assert_eq!(all.natural_x(), Some("depth"));
        let lines: Vec<String> = all.grouped_by(|s| all.name(s, &["depth"])).into_iter().map(|(n, _)| n).collect();
        assert_eq!(lines, ["minimax, a", "minimax, b", "Mark 1"]);
        let names: Vec<String> = all.all.iter().map(|agent| all.name(agent, &[])).collect();
        assert_eq!(names, ["minimax, depth 1, a", "minimax, depth 2, a", "minimax, depth 2, b", "Mark 1"]);
        let only = FigureRequest { only: vec![("kind".into(), vec!["minimax".into()])], ..FigureRequest::of("ecdf") };
        let minimax = all.chosen(&only);
        assert_eq!(minimax.name(&minimax.all[0], &["depth"]), "a");
        assert_eq!(minimax.best(1).all[0].label(), "minimax depth=2 heuristic=b");
        assert_eq!((all.sweep(&all.all[0]), all.sweep(&all.all[3])), (Some("depth"), None));
    }

    #[test]
    fn one_number_makes_no_axis() {
        let (agents, summary) = tables(&AGENTS[1..]);
        let all = Agents::new(&Tables { agents: &agents, summary: &summary, timing: &summary, scores: None });
        assert_eq!(all.natural_x(), None);
    }

    #[test]
    fn the_best_are_those_that_the_experiment_asks_for() {
        let (agents, _) = tables(&AGENTS[..2]);
        for (until, best) in [("goal", AGENTS[0][0]), ("end", AGENTS[1][0])] {
            let mut summary = Table::new(["agent", "win_rate", "mean_score", "score_until"]);
            summary.push([AGENTS[0][0], "0.9", "100", until]);
            summary.push([AGENTS[1][0], "0.8", "200", until]);
            let all = Agents::new(&Tables { agents: &agents, summary: &summary, timing: &summary, scores: None });
            assert_eq!(all.best(1).all[0].label(), best);
        }
    }

    #[test]
    fn a_note_says_how_many_agents_are_shown() {
        assert_eq!(shown_note(10, 84).as_deref(), Some("10 of 84 agents shown"));
        assert_eq!(shown_note(5, 5), None);
    }
}
