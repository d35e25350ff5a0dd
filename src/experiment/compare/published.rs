//! Compares published win rates with ours.
//!
//! A file of published figures has a column `agent` with the kind of agent; columns named after options (`heuristic`,
//! `depth`, or `runs_or_depth` for whichever of the two the kind has) that say which agent it was; `games` and `wins`, or
//! `win_rate_percent`; and `seconds_per_game` or `mean_seconds`. Other columns are copied as notes.
//!
//! There is one rule: a published rate agrees with ours if the 95 % interval of the difference of the two rates holds 0
//! (two samples, Newcombe 1998). A rate that was published without its number of games counts as exact.

use std::path::Path;

use super::analysis::same_games_as;
use super::sample::{AgentGames, AgentTimes};
use crate::agents::AgentSpec;
use crate::params::{InputError, parse_bare, show};
use crate::report::table::{Row, Table, interval_cells, interval_columns, number, optional};
use crate::spec::Comparison;
use crate::stats::power::power_of_rates;
use crate::stats::proportions::{difference, wilson};
use crate::stats::{Interval, Level};

/// The difference of rates for which the power is given.
const DIFFERENCE: f64 = 0.15;

/// Columns that hold figures, not the description of an agent.
const FIGURES: &[&str] = &["agent", "games", "wins", "win_rate_percent", "seconds_per_game", "mean_seconds"];

/// A published row and our agent that it describes.
struct Matched<'a> {
    row: Row<'a>,
    place: usize,
}

/// Reads a file of published figures.
pub(super) fn read(path: &Path) -> Result<Table, InputError> {
    let published = Table::read(path).map_err(|error| InputError::new(error.to_string()))?;
    if !published.has("agent") || !(published.has("wins") || published.has("win_rate_percent")) {
        let why = format!("`{}` needs the columns `agent` and `wins` or `win_rate_percent`", path.display());
        return Err(InputError::new(why));
    }
    Ok(published)
}

/// Joins each published figure to all our agents that it describes. Figures without such an agent are left out, because an
/// experiment may repeat only some of them.
pub(super) fn join(published: &Table, comparison: &Comparison, samples: &[AgentGames], times: &[AgentTimes]) -> Table {
    let notes = notes(published);
    let same_games_as = same_games_as(samples);
    let mut table = Table::new(columns(&notes));
    for row in published.rows() {
        for (place, entrant) in comparison.entrants.iter().enumerate() {
            if describes(&row, published, &notes, &entrant.agent) {
                let same = same_games_as[place].map_or("", |other| samples[other].agent.as_str());
                table.push(cells(&Matched { row, place }, same, samples, times, &notes));
            }
        }
    }
    table
}

/// Columns that are neither figures nor options of the agents in their rows. A name alone does not make an option: a
/// column `table` that says `depth` is not the size of a transposition table.
fn notes(published: &Table) -> Vec<&str> {
    let is_option = |name: &str| published.rows().all(|row| row.text(name).is_empty() || asked(&row, name).is_some());
    let is_note = |name: &&str| !FIGURES.contains(name) && !is_option(name);
    published.columns().iter().map(String::as_str).filter(is_note).collect()
}

/// The option that a column names for the row's agent, and its value; `None` if such an agent has no such option.
fn asked<'a>(row: &Row<'a>, column: &'a str) -> Option<(&'a str, &'a str)> {
    let (kind, value) = (row.text("agent"), row.text(column));
    let possible = |option: &&str| {
        let given = crate::params::Table::from_iter([(option.to_string(), parse_bare(value))]);
        AgentSpec::new(kind, given).is_ok()
    };
    let option = column.split("_or_").filter(|_| !value.is_empty()).find(possible)?;
    Some((option, value))
}

/// Whether the row is about this agent.
fn describes(row: &Row, published: &Table, notes: &[&str], agent: &AgentSpec) -> bool {
    let columns = published.columns().iter().map(String::as_str);
    let mut options = columns.filter(|name| !FIGURES.contains(name) && !notes.contains(name));
    let fits = |column: &str| match asked(row, column) {
        Some((option, value)) => agent.options.get(option).map(show).as_deref() == Some(value),
        None => true,
    };
    row.text("agent") == agent.kind.name && options.all(fits)
}

fn columns(notes: &[&str]) -> Vec<String> {
    let mut columns = vec!["agent".to_string()];
    columns.extend(["published", "measured", "difference"].into_iter().flat_map(interval_columns));
    columns.extend(["verdict", "published_seconds", "measured_seconds", "speedup"].map(str::to_string));
    columns.extend(notes.iter().map(|note| note.to_string()));
    columns.extend(["published_wins", "published_games", "measured_wins", "measured_games"].map(str::to_string));
    columns.extend(["informative", "misfit", "power_15_points", "same_games_as"].map(str::to_string));
    columns
}

fn cells(matched: &Matched, same: &str, samples: &[AgentGames], times: &[AgentTimes], notes: &[&str]) -> Vec<String> {
    let (row, sample) = (&matched.row, &samples[matched.place]);
    let measured = (sample.wins(), sample.games());
    let theirs = PublishedRate::new(row);
    // One repeated game has no interval, so nothing can be judged by it.
    let apart = theirs.against(measured).filter(|_| !sample.is_one_game());
    let seconds = row.number("seconds_per_game").or(row.number("mean_seconds"));
    let ours = times[matched.place].seconds.mean();
    let speedup = seconds.zip(ours).filter(|(_, ours)| *ours > 0.0).map(|(theirs, ours)| theirs / ours);
    let mut cells = vec![sample.agent.clone()];
    cells.extend([theirs.interval(), wilson(measured.0, measured.1), apart].into_iter().flat_map(interval_cells));
    cells.push(verdict(apart).to_string());
    cells.extend([optional(seconds), optional(ours), speedup.map(number).unwrap_or_default()]);
    cells.extend(notes.iter().map(|note| row.text(note).to_string()));
    let (wins, games) = theirs.counts().map_or((None, None), |(wins, games)| (Some(wins), Some(games)));
    let counts = [wins, games, Some(measured.0), Some(measured.1)];
    cells.extend(counts.map(|count| count.map(|count| count.to_string()).unwrap_or_default()));
    let misfit = apart.is_some_and(|apart| !apart.contains(0.0));
    cells.extend([theirs.is_informative(measured).to_string(), misfit.to_string()]);
    cells.extend([optional(theirs.power(measured)), same.to_string()]);
    cells
}

/// A published rate, with or without its number of games.
enum PublishedRate {
    Counted(u64, u64),
    Rate(f64),
    Nothing,
}

impl PublishedRate {
    fn new(row: &Row) -> Self {
        match (row.count("wins"), row.count("games"), row.number("win_rate_percent")) {
            (Some(wins), Some(games), _) => PublishedRate::Counted(wins, games),
            (_, _, Some(percent)) => PublishedRate::Rate(percent / 100.0),
            _ => PublishedRate::Nothing,
        }
    }

    fn interval(&self) -> Option<Interval> {
        match *self {
            PublishedRate::Counted(wins, games) => wilson(wins, games),
            PublishedRate::Rate(rate) => Some(Interval::around(rate, 0.0)),
            PublishedRate::Nothing => None,
        }
    }

    fn counts(&self) -> Option<(u64, u64)> {
        if let PublishedRate::Counted(wins, games) = *self { Some((wins, games)) } else { None }
    }

    /// Whether the two rates could have disagreed at all, given the total number of wins. They could not if almost no
    /// game or almost every game is won.
    fn is_informative(&self, measured: (u64, u64)) -> bool {
        let Some((wins, games)) = self.counts() else { return true };
        let all = wins + measured.0;
        let disagrees = |ours: u64| {
            let theirs = all - ours;
            difference((ours, measured.1), (theirs, games)).is_some_and(|apart| !apart.contains(0.0))
        };
        disagrees(all.min(measured.1)) || disagrees(all.saturating_sub(games))
    }

    /// The power to see a difference of 15 points from the common rate, towards one half.
    fn power(&self, measured: (u64, u64)) -> Option<f64> {
        let (wins, games) = self.counts()?;
        let rate = (wins + measured.0) as f64 / (games + measured.1).max(1) as f64;
        let other = if rate < 0.5 { rate + DIFFERENCE } else { rate - DIFFERENCE };
        power_of_rates((rate, other), (games, measured.1), Level::P95)
    }

    /// Measured minus published. A rate without its number of games counts as exact: only our own games are uncertain.
    fn against(&self, measured: (u64, u64)) -> Option<Interval> {
        match *self {
            PublishedRate::Counted(wins, games) => difference(measured, (wins, games)),
            PublishedRate::Rate(rate) => {
                let ours = wilson(measured.0, measured.1)?;
                Some(Interval { estimate: ours.estimate - rate, low: ours.low - rate, high: ours.high - rate })
            }
            PublishedRate::Nothing => None,
        }
    }
}

fn verdict(difference: Option<Interval>) -> &'static str {
    match difference {
        None => "",
        Some(difference) if difference.contains(0.0) => "agrees",
        Some(difference) if difference.estimate > 0.0 => "higher",
        Some(_) => "lower",
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::stats::Moments;

    #[test]
    fn cells_that_cannot_disagree_are_marked() {
        let text = "agent,depth,games,wins\nminimax,1,100,0\nminimax,2,100,40\nminimax,3,100,1\n";
        let table = joined(text, &["minimax:depth=1", "minimax:depth=2", "minimax:depth=3"], &[0, 70, 0]).unwrap();
        let column = |name| table.rows().map(|row| row.text(name).to_string()).collect::<Vec<_>>();
        assert_eq!(column("informative"), ["false", "true", "false"]);
        assert_eq!(column("misfit"), ["false", "true", "false"]);
        assert_eq!(column("published_games"), ["100", "100", "100"]);
        // 40 and 70 of 100 are 0.55 together; 0.55 against 0.40 with 100 games each: see `stats::power`.
        let power = table.rows().nth(1).unwrap().number("power_15_points").unwrap();
        assert!((power - 0.567).abs() < 0.005, "{power}");
    }

    #[test]
    fn agents_of_ours_that_play_the_same_games_are_marked() {
        let text = "agent,depth,games,wins\nminimax,2,100,40\nalphabeta,2,100,45\n";
        let table = joined(text, &["minimax:depth=2", "alphabeta:depth=2"], &[50, 50]).unwrap();
        let same: Vec<_> = table.rows().map(|row| row.text("same_games_as").to_string()).collect();
        assert_eq!(same, ["", "minimax:depth=2"]);
    }

    fn setting(agents: &[&str], wins: &[usize]) -> (Comparison, Vec<AgentGames>, Vec<AgentTimes>) {
        let specs: Vec<AgentSpec> = agents.iter().map(|text| text.parse().unwrap()).collect();
        let comparison = Comparison::of_agents(Default::default(), &specs, None, Default::default()).unwrap();
        let sample = |(agent, wins): (&&str, &usize)| AgentGames {
            agent: agent.to_string(),
            scores: vec![1.0; 100],
            won: (0..100).map(|game| game < *wins).collect(),
            ..AgentGames::default()
        };
        let seconds = Moments::of(&[0.5, 0.5]);
        let agent_times = AgentTimes { agent: String::new(), games: vec![0.5, 0.5], seconds, total: 1.0 };
        let samples = agents.iter().zip(wins).map(sample).collect();
        (comparison, samples, vec![agent_times; agents.len()])
    }

    pub fn joined(text: &str, agents: &[&str], wins: &[usize]) -> Result<Table, InputError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let (comparison, samples, times) = setting(agents, wins);
        Ok(join(&read(file.path())?, &comparison, &samples, &times))
    }

    #[test]
    fn rows_find_their_agents_and_are_judged() {
        let text = "table,agent,heuristic,depth,games,wins,seconds_per_game\n\
                    t1,minimax,snake,2,100,50,5\nt2,minimax,snake,3,100,10,\nt3,minimax,mixed,2,100,1,\n";
        let table =
            joined(text, &["minimax:depth=2,heuristic=snake", "minimax:depth=3,heuristic=snake"], &[55, 60]).unwrap();
        let verdicts: Vec<_> = table.rows().map(|row| (row.text("table").to_string(), row.text("verdict"))).collect();
        assert_eq!(verdicts, [("t1".to_string(), "agrees"), ("t2".to_string(), "higher")]);
        assert_eq!(table.rows().next().unwrap().number("speedup"), Some(10.0));
    }

    #[test]
    fn a_rate_without_games_is_judged_by_our_interval() {
        let text = "system,agent,runs_or_depth,win_rate_percent\nMark 1,rollout,4,28\n";
        let table = joined(text, &["rollout:runs=16", "rollout:runs=4"], &[90, 30]).unwrap();
        let rows: Vec<_> = table.rows().collect();
        assert_eq!((rows.len(), rows[0].text("agent"), rows[0].text("verdict")), (1, "rollout:runs=4", "agrees"));
        assert_eq!(rows[0].text("system"), "Mark 1");
    }

    #[test]
    fn a_file_without_win_rates_is_refused() {
        assert!(joined("agent,depth\nminimax,2\n", &["random"], &[1]).unwrap_err().to_string().contains("wins"));
    }
}
