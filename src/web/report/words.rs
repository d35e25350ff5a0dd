//! Sentences on what the statistics of a run show, and on their limits.

use serde_json::Value;

use super::answer::{Pair, family_size, ranked, stops_at_goal};
use super::format::{interval, number};
use super::source::{RunFolder, RunKind};
use crate::report::table::{Row, Table};

/// Above this corrected p-value a difference counts as undecided.
const LEVEL: f64 = 0.05;
/// Standard normal quantiles for a two-sided test at 5 % and a power of 80 %.
const FOR_LEVEL: f64 = 1.96;
const FOR_POWER: f64 = 0.8416;

/// Sentences about intervals, tests and their limits.
pub fn statistics(run: &RunFolder) -> Vec<String> {
    let mut sentences = vec![
        "Every interval is a 95 % confidence interval unless it says otherwise: of many such intervals, 95 in 100 contain \
         the true value."
            .to_string(),
    ];
    sentences.extend(methods(run));
    if let Some(comparisons) = run.table("comparisons.csv") {
        sentences.extend(tests(comparisons));
        sentences.extend(open_pairs(run, comparisons));
    }
    sentences.push(limits(run));
    sentences
}

/// How the intervals of the summary were made, as far as the folder says so.
fn methods(run: &RunFolder) -> Vec<String> {
    let columns = ["win_rate", "mean_score", "median_score", "iqm_score", "nodes_per_move", "work_per_move"];
    let told = columns.iter().filter_map(|column| match run.about("summary.csv", column, "interval") {
        "" => None,
        method => Some(format!("{}: {method}", column.replace('_', " "))),
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { Vec::new() } else { vec![format!("How they were made: {}.", told.join("; "))] }
}

fn tests(comparisons: &Table) -> Vec<String> {
    let pairs = family_size(comparisons);
    let scores = if comparisons.has("p_log_rank") {
        "Games stop at a goal, so they are compared by how long they last, with the log-rank test."
    } else {
        "Scores are compared by the Mann-Whitney test. A12 is the share of pairs of games in which the first agent has the \
         higher score; 0.5 is no difference."
    };
    let settled = |row: &Row| match row.text("verdict") {
        "" => row.number("p_mann_whitney_holm").is_some_and(|p| p < LEVEL),
        verdict => verdict.contains("better"),
    };
    let settled = comparisons.rows().filter(settled).count();
    vec![
        format!("Win rates are compared by McNemar's test on the same games. {scores} All tests are two-sided."),
        format!(
            "The tests are corrected by Holm's method for {pairs} {}. After the correction, a difference is shown in \
             {settled} of {pairs}.",
            if pairs == 1 { "comparison" } else { "comparisons" }
        ),
    ]
}

/// How many more games would decide between the best agents.
fn open_pairs(run: &RunFolder, comparisons: &Table) -> Vec<String> {
    let rows = ranked(run);
    let Some((best, others)) = rows.split_first() else { return Vec::new() };
    let first = best.text("agent");
    let open = others.iter().filter_map(|other| open_pair(comparisons, first, other.text("agent")));
    let open: Vec<String> = open.take(3).collect();
    let known = others.iter().filter(|other| Pair::find(comparisons, first, other.text("agent")).is_some()).count();
    if open.is_empty() && known > 1 && known == others.len() {
        return vec![format!("{first} is ahead of every other agent by more than chance explains.")];
    }
    open
}

fn open_pair(comparisons: &Table, first: &str, other: &str) -> Option<String> {
    let pair = Pair::find(comparisons, first, other).filter(|pair| !pair.is_settled())?;
    let (difference, games) = (pair.score_difference()?, pair.games()?);
    let Some(wanted) = games_wanted(games, difference.estimate, (difference.high - difference.low) / 2.0) else {
        return Some(format!("{first} and {other} have the same mean score: more games would not tell them apart."));
    };
    Some(format!(
        "Between {first} and {other} the comparison is open: the difference of mean scores is {}. If it is as large as it \
         looks, about {} games for each agent would show it with a probability of 80 %, before any correction.",
        interval(difference),
        number(wanted)
    ))
}

/// The number of games with which a difference would be found at the 5 % level with 80 % power. The spread follows from
/// the half width of the present interval.
fn games_wanted(games: f64, difference: f64, half_width: f64) -> Option<f64> {
    let error = half_width / FOR_LEVEL;
    let wanted = games * ((FOR_LEVEL + FOR_POWER) * error / difference).powi(2);
    (wanted.is_finite() && difference != 0.0).then(|| round_up(wanted.max(games)))
}

/// Rounds up to two significant digits, because the estimate is not more precise.
fn round_up(value: f64) -> f64 {
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    (value / unit).ceil() * unit
}

fn limits(run: &RunFolder) -> String {
    let same = "All results hold for these rules, these agents and games drawn like these.";
    match run.kind {
        RunKind::Comparison => format!(
            "{same} All agents start from the same games, but they part after the first different move, so the pairing \
             reduces noise by little. A difference that is not shown is not shown to be zero."
        ),
        RunKind::Tuning | RunKind::Contest | RunKind::Transfer | RunKind::Front | RunKind::Learning => format!(
            "{same} The search or the training saw training games alone. The final figures come from test games that were played once, \
             so they are not better than the truth on average. They say nothing about other depths or agents."
        ),
        RunKind::Other => same.to_string(),
    }
}

/// What a reader must know before using a figure of this run.
pub fn warnings(run: &RunFolder) -> Vec<String> {
    let of_games = [timed(run), cut_at_goal(run), unequal_cost(run), overdrawn(run), identical(run), noisy(run)];
    let of_run = [damaged(run), tested_before(run), unfinished(run)];
    of_run.into_iter().chain(of_games).flatten().collect()
}

/// A warning if the test games have been used before. A budget that was extended after a test was chosen by the test
/// games.
fn tested_before(run: &RunFolder) -> Option<String> {
    let budget = run.manifest.get("games").and_then(Value::as_u64);
    let earlier: Vec<String> =
        run.tested.iter().filter(|tested| Some(**tested) != budget).map(u64::to_string).collect();
    let known = format!("The same test games have been used before, at a budget of {} games.", earlier.join(", "));
    (!earlier.is_empty()).then(|| format!("{known} Another seed gives new test games."))
}

fn damaged(run: &RunFolder) -> Option<String> {
    let names = run.damaged.join(", ");
    let why = "has been changed or removed since the run wrote it, so this page may be wrong";
    (!names.is_empty()).then(|| format!("Damage: {names} {why}. `lab2048 verify` says more."))
}

fn unfinished(run: &RunFolder) -> Option<String> {
    let running = run.manifest.get("complete").is_some_and(|complete| complete == false);
    running.then(|| "The run has not come to its end: figures and tables show a part of it.".into())
}

fn timed(run: &RunFolder) -> Option<String> {
    let agents: Vec<&str> = run.manifest.get("timed")?.as_array()?.iter().filter_map(|name| name.as_str()).collect();
    let some = !agents.is_empty();
    some.then(|| {
        format!("Play depends on the speed of the machine and cannot be repeated exactly: {}.", agents.join(", "))
    })
}

fn cut_at_goal(run: &RunFolder) -> Option<String> {
    let wins = run.table("summary.csv")?.rows().any(|row| row.number("win_rate").is_some_and(|rate| rate > 0.0));
    (stops_at_goal(run) && wins).then(|| {
        "Games stop at their goal. Scores of games that reach it are cut there, so mean scores understate strong agents; \
         compare win rates."
            .to_string()
    })
}

/// The column that says what a move costs.
fn cost_column(summary: &Table) -> Option<&'static str> {
    ["work_per_move", "nodes_per_move"].into_iter().find(|name| summary.has(name))
}

fn unequal_cost(run: &RunFolder) -> Option<String> {
    if run.kind != RunKind::Comparison {
        return None;
    }
    let summary = run.table("summary.csv")?;
    let column = cost_column(summary)?;
    let costs: Vec<(f64, &str)> = summary
        .rows()
        .filter_map(|row| Some((row.number(column)?, row.text("agent"))))
        .filter(|(c, _)| *c > 0.0)
        .collect();
    let least = costs.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let most = costs.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let ratio = most.0 / least.0;
    (ratio > 2.0).then(|| {
        format!(
            "The agents do not have the same cost: a move of {} takes {} times the {} of {}.",
            most.1,
            number(ratio),
            column.trim_end_matches("_per_move"),
            least.1
        )
    })
}

fn overdrawn(run: &RunFolder) -> Option<String> {
    let (agents, summary) = (run.table("agents.csv")?, run.table("summary.csv")?);
    let column = cost_column(summary)?;
    let budget = column.trim_end_matches("_per_move");
    let over = agents.rows().filter_map(|row| {
        let (name, allowed) = (row.text("agent"), row.number(budget)?);
        let spent = summary.find("agent", name)?.number(column)?;
        (spent > 1.1 * allowed).then(|| format!("{name} ({} of {})", number(spent), number(allowed)))
    });
    let over: Vec<String> = over.collect();
    (!over.is_empty()).then(|| format!("Budgets were overdrawn, on average for a move: {}.", list(&over)))
}

/// At most five, then how many more.
fn list(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(5).map(String::as_str).collect();
    let more = names.len().saturating_sub(shown.len());
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

fn identical(run: &RunFolder) -> Option<String> {
    let same = |row: &Row| {
        let difference = row.interval("score_difference");
        difference.is_some_and(|d| d.low == 0.0 && d.high == 0.0) && row.number("a12") == Some(0.5)
    };
    let rows = run.table("comparisons.csv")?.rows().filter(same);
    let mut pairs: Vec<String> = rows.map(|row| format!("{} and {}", row.text("first"), row.text("second"))).collect();
    let twins = run.table("summary.csv")?.rows().filter(|row| !row.text("same_games_as").is_empty());
    pairs.extend(twins.map(|row| format!("{} and {}", row.text("agent"), row.text("same_games_as"))));
    (!pairs.is_empty()).then(|| {
        format!("These agents played identical games, so they are one agent as far as scores go: {}.", list(&pairs))
    })
}

/// A warning if times vary much between games, because they then depend more on the machine than on the agent.
fn noisy(run: &RunFolder) -> Option<String> {
    let spread = |row: &Row| {
        let time = row.interval("seconds_per_game")?;
        Some((time.high - time.low) / (2.0 * time.estimate))
    };
    let rows = run.table("timing_summary.csv")?.rows();
    let names: Vec<String> =
        rows.filter(|row| spread(row).is_some_and(|s| s > 0.25)).map(|row| row.text("agent").to_string()).collect();
    (!names.is_empty()).then(|| format!("Measured times are uncertain by more than a quarter for {}.", list(&names)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_games_are_asked_for_where_the_difference_is_small() {
        // A difference of two standard errors at 100 games needs (2.80 / 2)^2 times as many.
        let wanted = games_wanted(100.0, 20.0, 19.6).unwrap();
        assert_eq!(wanted, 200.0);
        assert!(games_wanted(100.0, 2.0, 19.6).unwrap() > 15_000.0);
        assert_eq!(games_wanted(100.0, 0.0, 19.6), None);
    }

    #[test]
    fn all_warnings_are_given() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("manifest.json", "{\"schema\": \"lab2048/compare/2\", \"timed\": [\"slow\"], \"complete\": true}");
        write("experiment.toml", "goal = 2048\n");
        write("agents.csv", "agent,nodes\nslow,100\nquick,\n");
        write(
            "summary.csv",
            "agent,games,win_rate,nodes_per_move,same_games_as\nslow,10,0.5,200,\nquick,10,0.1,20,slow\n",
        );
        write("comparisons.csv", "first,second,games\n");
        write(
            "timing_summary.csv",
            "agent,seconds_per_game,seconds_per_game_low,seconds_per_game_high\nslow,1,0.5,1.5\n",
        );
        let told = warnings(&RunFolder::read(folder.path()).unwrap()).join("\n");
        for part in [
            "cannot be repeated exactly: slow",
            "Games stop at their goal",
            "takes 10 times the nodes of quick",
            "overdrawn, on average for a move: slow (200 of 100)",
            "identical games, so they are one agent as far as scores go: quick and slow",
            "uncertain by more than a quarter for slow",
        ] {
            assert!(told.contains(part), "`{part}` is not in\n{told}");
        }
    }
}
