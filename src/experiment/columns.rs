//! `columns.json`: what each column of each table in a results folder is, and how its interval was made.

use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::report::table::Table;

pub const COLUMNS_FILE: &str = "columns.json";

/// A column: its file (`*` for any), its name, its meaning, and the method of its interval.
type Column = (&'static str, &'static str, &'static str, &'static str);

const T: &str = "Student's t-interval of the mean (Student 1908)";
const T_OR_BCA: &str =
    "Student's t-interval of the mean (Student 1908); where games stop at a goal, the BCa bootstrap (Efron 1987)";
const WILSON: &str = "Wilson's score interval (Wilson 1927)";
const RATIO: &str = "linearised interval of a ratio of totals (Cochran 1977, equation 6.13)";
const LOG_T: &str = "Student's t-interval of the mean (Student 1908), on the logarithm by the delta method";
const LOG_RATIO: &str = "linearised interval of a ratio of totals (Cochran 1977), on the logarithm by the delta method";
const QUARTILES: &str = "the quartiles of the last 20 candidates; only where the cells were free";
const NONE: &str = "";
const OBJECTIVE: &str = "by the objective: t-interval of a mean, Wilson's of a rate, order statistics of a median";

const COLUMNS: &[Column] = &[
    ("*", "agent", "the label of the agent", NONE),
    ("*", "games", "the number of games", NONE),
    ("agents.csv", "group", "the table of the experiment that the agent comes from", NONE),
    ("agents.csv", "kind", "the kind of agent", NONE),
    ("agents.csv", "timed", "whether its play depends on the clock", NONE),
    ("agents.csv", "configuration", "every option of the agent as JSON, defaults included", NONE),
    ("agents.csv", "*", "an option of the agent, as given in the experiment", NONE),
    ("games.csv", "game", "the number of the game; game n has the same seed for every agent", NONE),
    ("games.csv", "seed", "the seed of the game", NONE),
    ("games.csv", "score", "the score at the end of the game, or where it stopped at its goal", NONE),
    ("games.csv", "max_tile", "the largest tile at the end", NONE),
    ("games.csv", "moves", "the number of moves of the game", NONE),
    ("games.csv", "won", "whether the game was won", NONE),
    ("games.csv", "nodes", "positions that the agent searched in the game", NONE),
    ("games.csv", "work", "units of work that the agent spent in the game", NONE),
    ("timing.csv", "game", "the number of the game", NONE),
    ("timing.csv", "seconds", "measured time of the game", NONE),
    ("timing.csv", "microseconds_per_move", "measured time of the game divided by its moves", NONE),
    ("summary.csv", "wins", "the number of games won", NONE),
    ("summary.csv", "win_rate", "the share of games won", WILSON),
    ("summary.csv", "mean_score", "the mean score; see score_until", T_OR_BCA),
    ("summary.csv", "median_score", "the median score; see score_until", "order statistics (Thompson 1936)"),
    ("summary.csv", "iqm_score", "the mean of the middle half of the scores", "percentile bootstrap (Efron 1979)"),
    ("summary.csv", "max_score", "the highest score", NONE),
    ("summary.csv", "moves_per_game", "the mean number of moves of a game", T_OR_BCA),
    ("summary.csv", "nodes_per_move", "all nodes divided by all moves", RATIO),
    ("summary.csv", "work_per_move", "all units of work divided by all moves", RATIO),
    (
        "summary.csv",
        "work_over_budget",
        "work_per_move divided by the agent's budget of work; empty without such a budget",
        RATIO,
    ),
    ("summary.csv", "moves_to_goal", "the mean number of moves of the won games", T),
    ("summary.csv", "score_until", "`goal` if games stop there, so that scores are cut off; else `end`", NONE),
    ("summary.csv", "distinct_games", "1 if all games are the same game, which then has no interval", NONE),
    (
        "summary.csv",
        "may_be_best",
        "whether the agent is in the set that holds the best one with 95 % confidence (Gupta 1965; Hsu 1984)",
        NONE,
    ),
    ("summary.csv", "same_games_as", "an earlier agent that played exactly the same games; both count as one", NONE),
    ("timing_summary.csv", "seconds_per_game", "the mean measured time of a game", LOG_T),
    ("timing_summary.csv", "microseconds_per_move", "all measured time divided by all moves", LOG_RATIO),
    ("comparisons.csv", "first", "the first agent of the pair", NONE),
    ("comparisons.csv", "second", "the second agent of the pair", NONE),
    (
        "comparisons.csv",
        "win_rate_difference",
        "the win rate of the first agent minus that of the second, over games with the same seeds",
        "Newcombe's hybrid score interval for pairs (Newcombe 1998), not corrected for the number of pairs",
    ),
    (
        "comparisons.csv",
        "score_difference",
        "the mean score of the first agent minus that of the second, over games with the same seeds",
        "paired t-interval (Student 1908), not corrected for the number of pairs",
    ),
    (
        "comparisons.csv",
        "a12",
        "the chance that a game of the first agent scores higher (Vargha and Delaney 2000)",
        "Student's interval on the logit scale (DeLong et al. 1988; Brunner and Munzel 2000), not corrected",
    ),
    ("comparisons.csv", "p_mcnemar", "p-value of equal win rates: McNemar's mid-p test", NONE),
    ("comparisons.csv", "p_mcnemar_holm", "the same, corrected for the family (Holm 1979)", NONE),
    ("comparisons.csv", "p_mann_whitney", "p-value of equal scores: the Mann-Whitney test", NONE),
    ("comparisons.csv", "p_mann_whitney_holm", "the same, corrected for the family (Holm 1979)", NONE),
    (
        "comparisons.csv",
        "p_log_rank",
        "p-value of equal survival, games stopped at the goal being censored: the log-rank test (Mantel 1966)",
        NONE,
    ),
    ("comparisons.csv", "p_log_rank_holm", "the same, corrected for the family (Holm 1979)", NONE),
    (
        "comparisons.csv",
        "seed_correlation",
        "the correlation of both agents over games with the same seed; near 0, sharing seeds buys no variance",
        NONE,
    ),
    ("comparisons.csv", "family", "the comparisons that the correction counts: `planned`, `all pairs`, or none", NONE),
    (
        "comparisons.csv",
        "simultaneous_low",
        "lower end of the interval of the judged difference that holds together with the whole family (Bonferroni)",
        NONE,
    ),
    ("comparisons.csv", "simultaneous_high", "upper end of the same interval", NONE),
    (
        "comparisons.csv",
        "verdict",
        "better needs both the corrected test and the simultaneous interval; level needs the interval within the margin",
        NONE,
    ),
    ("published.csv", "published", "the published win rate", WILSON),
    ("published.csv", "measured", "our win rate", WILSON),
    (
        "published.csv",
        "difference",
        "our win rate minus the published one",
        "Newcombe's hybrid score interval for two samples (Newcombe 1998); a rate without games counts as exact",
    ),
    ("published.csv", "verdict", "`agrees` if the interval of the difference holds 0", NONE),
    ("published.csv", "published_seconds", "published time of a game", NONE),
    ("published.csv", "measured_seconds", "our mean time of a game", NONE),
    ("published.csv", "speedup", "published time divided by ours", NONE),
    ("published.csv", "published_wins", "published number of games won", NONE),
    ("published.csv", "published_games", "published number of games; empty if not published", NONE),
    ("published.csv", "measured_wins", "our number of games won", NONE),
    ("published.csv", "measured_games", "our number of games", NONE),
    ("published.csv", "informative", "whether any result with as many wins could have disagreed", NONE),
    ("published.csv", "misfit", "whether the interval of the difference excludes 0", NONE),
    ("published.csv", "power_15_points", "the chance of seeing a difference of 15 points (Cohen 1988)", NONE),
    ("published.csv", "same_games_as", "an earlier agent of ours that played exactly the same games", NONE),
    ("published.csv", "*", "copied from the published figures", NONE),
    ("survival.csv", "moves", "a number of moves at which games were lost", NONE),
    ("survival.csv", "at_risk", "games that lasted at least so long", NONE),
    ("survival.csv", "lost", "games lost at that move", NONE),
    (
        "survival.csv",
        "survival",
        "the share of games not lost after so many moves; games stopped at the goal are censored (Kaplan and Meier 1958)",
        "Greenwood's interval on the scale of log(-log) (Kalbfleisch and Prentice 1980)",
    ),
    (
        "sequential.csv",
        "difference",
        "the judged difference after so many games",
        "repeated confidence interval (Jennison and Turnbull 1989): all looks together have error alpha",
    ),
    ("sequential.csv", "bounds_low", "lower bound that the margin is compared with: all looks have error beta", NONE),
    ("sequential.csv", "bounds_high", "upper bound that the margin is compared with: all looks have error beta", NONE),
    ("sequential.csv", "decision", "what the test decides at this look", NONE),
    ("*", "training_moves", "moves of training games up to here", NONE),
    ("*", "met_limit", "games with two tiles of 32768, which cannot merge", NONE),
    ("training.csv", "mean_score", "the mean score of training games, which go on while the network learns", T),
    ("validation.csv", "mean_score", "the mean score at one ply on validation games", T),
    ("test.csv", "mean_score", "the mean score at one ply on test games", T),
    ("speed.csv", "part", "what was timed", NONE),
    ("speed.csv", "threads", "the number of threads", NONE),
    ("speed.csv", "cpu", "the processor", NONE),
    ("speed.csv", "moves", "moves made in this run", NONE),
    ("speed.csv", "seconds", "measured time", NONE),
    ("speed.csv", "moves_per_second", "moves divided by measured time", NONE),
    ("*", "objective", "the objective of the tuning", OBJECTIVE),
    (
        "ranking.csv",
        "games_needed",
        "training games until a validation reaches 95 % of the last one of the first optimizer",
        T,
    ),
    ("*", "recent_gain", "the gain over the last validations", OBJECTIVE),
    ("*", "parameter", "the name of the tuned parameter", NONE),
    ("*", "generation", "the generation of the optimizer", NONE),
    ("*", "training_games", "training games played up to here", NONE),
    ("*", "optimizer", "the optimizer", NONE),
    ("*", "repeat", "the number of the independent search", NONE),
    ("*", "repeats", "the number of independent searches", NONE),
    ("*", "tuned_at", "the depth at which the weights were tuned", NONE),
    ("*", "tested_at", "the depth at which they were tested", NONE),
    ("evaluations.csv", "phase", "search, or the race of the finalists", NONE),
    ("evaluations.csv", "first_game", "the first training game of the evaluation", NONE),
    ("evaluations.csv", "mean", "the objective over the evaluation's games", NONE),
    ("evaluations.csv", "standard_error", "the standard error of that mean", NONE),
    ("trajectory.csv", "step", "the step size of the optimizer", NONE),
    ("ablation.csv", "step", "what was changed; each step is the one that gained most on other games", NONE),
    (
        "ablation.csv",
        "change",
        "how much the step changed the objective",
        "from games with the same seeds: paired t for means, Newcombe's paired interval for win rates, squared margins for medians",
    ),
    ("importance.csv", "other", "the second parameter of a pair; empty for a parameter by itself", NONE),
    (
        "importance.csv",
        "share",
        "the share of a random forest's variance over the whole space (Hutter, Hoos and Leyton-Brown 2014); a pair has what both explain beyond each alone",
        "the middle 95 % of forests fitted to resampled evaluations",
    ),
    ("landscape.csv", "other", "the second parameter", NONE),
    ("landscape.csv", "x", "the value of the first parameter", NONE),
    ("landscape.csv", "y", "the value of the second parameter", NONE),
    ("landscape.csv", "objective", "the forest's value there, with all other parameters as recommended", NONE),
    ("optimism.csv", "claimed_games", "training games behind the best value seen", NONE),
    ("optimism.csv", "claimed", "the best value seen in training", NONE),
    ("slices.csv", "value", "the value of the parameter", NONE),
    ("parameters.csv", "start", "its value before tuning", NONE),
    ("parameters.csv", "tuned", "its value after tuning", NONE),
    ("parameters.csv", "low", "the lower end of its range", NONE),
    ("parameters.csv", "high", "the upper end of its range", NONE),
    ("parameters.csv", "spread", "the standard deviation of the last 20 candidates, as a share of the range", NONE),
    ("parameters.csv", "choices", "the numbers that stand for the values of a choice", NONE),
    ("*", "first", "the first objective of the player", T),
    ("*", "second", "the second objective of the player", T),
    ("front.csv", "first_objective", "what the first objective is", NONE),
    ("front.csv", "second_objective", "what the second objective is", NONE),
    ("front.csv", "player", "the start, or a point of the front", NONE),
    ("front.csv", "*", "the value of the parameter of this name", NONE),
    ("hypervolume.csv", "hypervolume", "the area that the front dominates by its training values", NONE),
    ("scenarios.csv", "scenario", "the setting of the agent", NONE),
    ("scenarios.csv", "was_tuned", "whether the search played it too", NONE),
    ("scenarios.csv", "player", "the start, the tuned player or another heuristic", NONE),
    ("scenarios.csv", "measure", "what the objective measures in one scenario", NONE),
    ("scenarios.csv", "tuned_ahead", "the mean score of the tuned player less that of this one", T),
    ("parameters.csv", "scale", "the scale on which it was searched", NONE),
    ("mask.csv", "*", "a column of the board: weights of its cells from top to bottom", QUARTILES),
    ("evaluations.csv", "*", "the value of the parameter of this name", NONE),
    ("trajectory.csv", "*", "the value of the parameter of this name", NONE),
];

/// Describes all tables of a folder, and returns the file's contents.
pub fn describe_folder(folder: &Path) -> io::Result<Vec<u8>> {
    let mut names: Vec<String> = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".csv") && !name.starts_with('.'))
        .collect();
    names.sort();
    let mut files = Map::new();
    for name in names {
        let header = Table::read_header(&folder.join(&name))?;
        files.insert(name.clone(), describe(&name, header.columns()));
    }
    Ok(format!("{:#}\n", Value::Object(files)).into_bytes())
}

/// One object for each column.
fn describe(file: &str, columns: &[String]) -> Value {
    let mut described = Map::new();
    for column in columns {
        let (meaning, interval) = meaning(file, column).unwrap_or_default();
        let value = match interval.is_empty() {
            true => json!({ "meaning": meaning }),
            false => json!({ "meaning": meaning, "interval": interval }),
        };
        described.insert(column.clone(), value);
    }
    Value::Object(described)
}

fn meaning(file: &str, column: &str) -> Option<(String, &'static str)> {
    let find = |name: &str| {
        let in_file = COLUMNS.iter().find(|entry| entry.0 == file && entry.1 == name);
        in_file.or_else(|| COLUMNS.iter().find(|entry| entry.0 == "*" && entry.1 == name))
    };
    if let Some((_, _, meaning, interval)) = find(column) {
        return Some((meaning.to_string(), interval));
    }
    let tile =
        |column: &str| column.strip_prefix("reach_").filter(|tile| tile.parse::<u32>().is_ok()).map(str::to_string);
    if let Some(tile) = tile(column) {
        return Some((format!("the share of games that reach the tile {tile}"), WILSON));
    }
    for (suffix, end) in [("_low", "lower"), ("_high", "upper")] {
        let of = column.strip_suffix(suffix).filter(|name| tile(name).is_some() || find(name).is_some());
        if let Some(name) = of {
            return Some((format!("{end} end of the 95 % interval of {name}"), NONE));
        }
    }
    find("*").filter(|entry| entry.0 == file).map(|entry| (entry.2.to_string(), entry.3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_their_ends_are_described() {
        let of = |file: &str, column: &str| describe(file, &[column.to_string()])[column].clone();
        assert_eq!(of("summary.csv", "win_rate")["interval"], WILSON);
        assert_eq!(of("summary.csv", "win_rate_low")["meaning"], "lower end of the 95 % interval of win_rate");
        assert_eq!(of("summary.csv", "reach_2048")["interval"], WILSON);
        assert_eq!(of("summary.csv", "reach_2048_high")["meaning"], "upper end of the 95 % interval of reach_2048");
        assert_eq!(of("agents.csv", "depth")["meaning"], "an option of the agent, as given in the experiment");
        assert_eq!(of("summary.csv", "surprise")["meaning"], "");
    }

    #[test]
    fn a_folder_is_described_from_its_headers() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("survival.csv"), "agent,moves,survival\na,5,1\n").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "x").unwrap();
        let text = String::from_utf8(describe_folder(folder.path()).unwrap()).unwrap();
        let described: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(described.as_object().unwrap().len(), 1);
        assert!(described["survival.csv"]["survival"]["interval"].as_str().unwrap().contains("Greenwood"));
    }
}
