//! Computes how many games each contrast of an experiment needs.
//!
//! Before any game was played, rates and spreads are assumptions. Afterwards they come from `summary.csv` of the results
//! folder. The correction for the number of contrasts is the same as in the results.

use std::path::Path;

use super::SUMMARY;
use super::error::Error;
use crate::params::InputError;
use crate::report::table::{Row, Table, number, optional};
use crate::spec::{Comparison, Contrast, Criterion};
use crate::stats::Level;
use crate::stats::best::bound_level;
use crate::stats::power::{games_for_means, games_for_rates, power_of_means, power_of_rates};

/// What to plan for, and what to assume if there are no results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanOptions {
    /// The chance of seeing the difference.
    pub power: f64,
    /// The smallest difference that matters: a share of games, or a share of the mean score. Without one, the margin of
    /// the experiment, or else 0.1.
    pub difference: Option<f64>,
    /// The assumed win rate.
    pub win_rate: f64,
    /// The assumed standard deviation of a score as a share of its mean.
    pub variation: f64,
}

impl Default for PlanOptions {
    /// A win rate of one half needs the most games. Scores of 2048 have a coefficient of variation of about 0.5.
    fn default() -> Self {
        PlanOptions { power: 0.8, difference: None, win_rate: 0.5, variation: 0.5 }
    }
}

/// The difference to plan for if neither the command line nor the experiment gives one.
const DEFAULT_DIFFERENCE: f64 = 0.1;

/// The plan of an experiment.
#[derive(Clone, Debug)]
pub struct Plan {
    /// One row for each contrast.
    pub contrasts: Table,
    /// The assumptions behind the numbers.
    pub notes: Vec<String>,
}

/// What is known about one agent.
#[derive(Clone, Copy, Debug)]
struct Known {
    win_rate: f64,
    mean: f64,
    sd: f64,
    measured: bool,
}

/// Two agents to compare, the level of their test, and the power that is asked for.
struct Question {
    pair: Option<Contrast>,
    level: Level,
    power: f64,
    difference: Option<f64>,
}

/// Plans an experiment. `summary` is the `summary.csv` of its results, if there is one.
pub fn plan(comparison: &Comparison, options: &PlanOptions, summary: Option<&Table>) -> Result<Plan, InputError> {
    let criterion = Criterion::of(&comparison.game);
    let questions = questions(comparison, options, summary);
    let columns = ["first", "second", "basis", "difference", "games_needed", "planned_games", "power_of_planned_games"];
    let after = ["measured_difference", "games_for_measured_difference"];
    let mut table = Table::new(columns.into_iter().chain(after));
    for question in &questions {
        table.push(row(comparison, options, summary, question, criterion)?);
    }
    Ok(Plan { notes: notes(comparison, options, &questions, criterion, &table), contrasts: table })
}

/// Reads the `summary.csv` of a results folder.
pub fn read_summary(folder: &Path) -> Result<Table, Error> {
    Ok(Table::read(&folder.join(SUMMARY))?)
}

/// The declared contrasts and the sequential test. Without any, the best agent so far against each other agent, or any
/// two agents where nothing was played.
fn questions(comparison: &Comparison, options: &PlanOptions, summary: Option<&Table>) -> Vec<Question> {
    let declared = &comparison.questions.contrasts;
    let ask = |pair, level| Question { pair, level, power: options.power, difference: None };
    let agents = comparison.entrants.len();
    let mut questions: Vec<Question> = match (declared.is_empty(), summary.and_then(|table| best(comparison, table))) {
        (false, _) => {
            let level = Level::simultaneous(declared.len());
            declared.iter().map(|&pair| ask(Some(pair), level)).collect()
        }
        (true, Some(best)) => {
            let others = (0..agents).filter(|&other| other != best);
            others.map(|other| ask(Some((best, other)), bound_level(agents))).collect()
        }
        (true, None) if agents > 1 => vec![ask(None, bound_level(agents))],
        (true, None) => Vec::new(),
    };
    questions.extend(comparison.questions.stop.map(|rule| Question {
        pair: Some(rule.contrast),
        level: rule.test().level(rule.most_games),
        power: 1.0 - rule.beta,
        difference: Some(rule.margin),
    }));
    questions
}

/// The agent with the highest win rate or mean score.
fn best(comparison: &Comparison, summary: &Table) -> Option<usize> {
    let column = if Criterion::of(&comparison.game) == Criterion::WinRate { "win_rate" } else { "mean_score" };
    let value = |place: &usize| summary.find("agent", &comparison.entrants[*place].label)?.number(column);
    let known = (0..comparison.entrants.len()).filter_map(|place| Some((place, value(&place)?)));
    known.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(place, _)| place)
}

fn row(
    comparison: &Comparison,
    options: &PlanOptions,
    summary: Option<&Table>,
    question: &Question,
    criterion: Criterion,
) -> Result<Vec<String>, InputError> {
    let know = |place: usize| {
        let label = comparison.entrants.get(place).map(|entrant| entrant.label.as_str())?;
        summary?.find("agent", label).and_then(|row| Known::read(&row))
    };
    // Scores of a two-player game lie between -1 and 1, so their standard deviation is 1 at most.
    let sd = if comparison.game.has_goal() { options.variation } else { 1.0 };
    let assumed = Known { win_rate: options.win_rate, mean: 1.0, sd, measured: false };
    let known = question.pair.and_then(|(a, b)| know(a).zip(know(b))).unwrap_or((assumed, assumed));
    let difference = difference(comparison, options, question, criterion, known)?;
    let size = SampleSize { criterion, known, level: question.level };
    let measured = match criterion {
        Criterion::WinRate => known.0.win_rate - known.1.win_rate,
        Criterion::Score => known.0.mean - known.1.mean,
    };
    let measured = known.0.measured.then_some(measured);
    let label = |place: usize| comparison.entrants.get(place).map(|entrant| entrant.label.clone()).unwrap_or_default();
    let (first, second) = question.pair.map_or(("any agent".into(), "any other".into()), |(a, b)| (label(a), label(b)));
    let games = |difference: Option<f64>| {
        difference.and_then(|difference| size.games(difference, question.power)).map(|games| games.to_string())
    };
    Ok(vec![
        first,
        second,
        if known.0.measured { "measured" } else { "assumed" }.to_string(),
        number(difference),
        games(Some(difference)).unwrap_or_default(),
        comparison.games.to_string(),
        optional(size.power(difference, comparison.games)),
        optional(measured),
        games(measured).unwrap_or_default(),
    ])
}

/// The difference to plan for, in the units of the criterion. Without measured scores the unit is the mean score.
fn difference(
    comparison: &Comparison,
    options: &PlanOptions,
    question: &Question,
    criterion: Criterion,
    known: (Known, Known),
) -> Result<f64, InputError> {
    let mean = (known.0.mean + known.1.mean) / 2.0;
    let margin = question.difference.or(comparison.questions.margin.filter(|_| options.difference.is_none()));
    let difference = match (criterion, margin) {
        (Criterion::WinRate, margin) => margin.or(options.difference).unwrap_or(DEFAULT_DIFFERENCE),
        (Criterion::Score, Some(margin)) if known.0.measured => margin,
        (Criterion::Score, Some(margin)) if !comparison.game.has_goal() => margin,
        (Criterion::Score, _) if !comparison.game.has_goal() => options.difference.unwrap_or(DEFAULT_DIFFERENCE),
        (Criterion::Score, _) => mean * options.difference.unwrap_or(DEFAULT_DIFFERENCE),
    };
    if criterion == Criterion::WinRate && difference >= 1.0 {
        return Err(InputError::new("a difference of win rates must be below 1 (0.1 is 10 points)"));
    }
    Ok(difference)
}

impl Known {
    fn read(row: &Row) -> Option<Self> {
        let (score, games) = (row.interval("mean_score")?, row.number("games")?);
        // The ends are about 1.96 standard errors from the mean. With few games they are farther away, so the standard
        // deviation is overestimated and more games are planned.
        let sd = (score.high - score.low) / 2.0 / Level::P95.z() * games.sqrt();
        Some(Known { win_rate: row.number("win_rate")?, mean: score.estimate, sd, measured: true })
    }
}

/// Turns differences into numbers of games.
struct SampleSize {
    criterion: Criterion,
    known: (Known, Known),
    level: Level,
}

impl SampleSize {
    /// Two rates between 0 and 1 that differ by this much. Their middle is the mean of the known rates, where possible.
    fn rates(&self, difference: f64) -> (f64, f64) {
        let half = difference.abs() / 2.0;
        let middle = (self.known.0.win_rate + self.known.1.win_rate) / 2.0;
        let middle = middle.clamp(half, (1.0 - half).max(half));
        (middle + half, middle - half)
    }

    fn games(&self, difference: f64, power: f64) -> Option<u64> {
        match self.criterion {
            Criterion::WinRate => games_for_rates(self.rates(difference), power, self.level),
            Criterion::Score => games_for_means(difference, (self.known.0.sd, self.known.1.sd), power, self.level),
        }
    }

    fn power(&self, difference: f64, games: u64) -> Option<f64> {
        match self.criterion {
            Criterion::WinRate => power_of_rates(self.rates(difference), (games, games), self.level),
            Criterion::Score => power_of_means(difference, (self.known.0.sd, self.known.1.sd), games, self.level),
        }
    }
}

fn notes(
    comparison: &Comparison,
    options: &PlanOptions,
    questions: &[Question],
    criterion: Criterion,
    table: &Table,
) -> Vec<String> {
    let declared = comparison.questions.contrasts.len();
    let agents = comparison.entrants.len();
    let family = match declared {
        0 => format!("no contrasts are declared, so each of {agents} agents is compared with the best"),
        1 => "one contrast is declared".to_string(),
        n => format!("{n} contrasts are declared and tested together"),
    };
    let mut notes = vec![format!("Games for each agent, for a power of {}: {family}.", options.power)];
    let assumed = table.rows().any(|row| row.text("basis") == "assumed");
    let assumption = match criterion {
        Criterion::WinRate => format!("a win rate of {} (--win-rate)", options.win_rate),
        Criterion::Score if !comparison.game.has_goal() => {
            "a standard deviation of 1, the largest possible".to_string()
        }
        Criterion::Score => format!(
            "a standard deviation of {} times the mean score (--variation); differences are shares of the mean score",
            options.variation
        ),
    };
    notes.extend(assumed.then(|| format!("Assumed, because there are no results: {assumption}.")));
    if questions.iter().any(|question| question.difference.is_some()) {
        notes
            .push("The last row is the sequential test: its games are the limit, and it usually stops earlier.".into());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{GameSpec, Overrides, Questions, StopRule};

    fn comparison(goal: &str, questions: Questions) -> Comparison {
        let agents = ["random", "greedy", "minimax"].map(|text| text.parse().unwrap());
        let game = GameSpec::new("2048", Some(goal)).unwrap();
        Comparison { questions, ..Comparison::of_agents(game, &agents, None, Overrides::default()).unwrap() }
    }

    fn planned(comparison: &Comparison, options: &PlanOptions, summary: Option<&Table>) -> Vec<Vec<String>> {
        let plan = plan(comparison, options, summary).unwrap();
        let columns = ["first", "second", "basis", "difference", "games_needed", "games_for_measured_difference"];
        plan.contrasts.rows().map(|row| columns.map(|column| row.text(column).to_string()).to_vec()).collect()
    }

    fn contrasts(contrasts: &[Contrast]) -> Questions {
        Questions { contrasts: contrasts.to_vec(), ..Questions::default() }
    }

    #[test]
    fn before_any_game_rates_are_assumed() {
        let options = PlanOptions { difference: Some(0.15), ..PlanOptions::default() };
        // statsmodels 0.15 NormalIndPower().solve_power(proportion_effectsize(0.575, 0.425), alpha=0.05, power=0.8).
        let rows = planned(&comparison("2048", contrasts(&[(1, 0)])), &options, None);
        assert_eq!(rows, [["greedy", "random", "assumed", "0.15", "174", ""]]);
        let two = planned(&comparison("2048", contrasts(&[(1, 0), (2, 0)])), &options, None);
        assert!(two[0][4].parse::<u64>().unwrap() > 174, "a second contrast needs a correction");
    }

    #[test]
    fn without_contrasts_any_two_agents_are_planned_for() {
        let rows = planned(&comparison("none", Questions::default()), &PlanOptions::default(), None);
        assert_eq!((rows.len(), rows[0][0].as_str(), rows[0][3].as_str()), (1, "any agent", "0.1"));
        // (1.96 + 0.8416)^2 * 2 * 0.5^2 / 0.1^2: each of the two bounds has an error of 2.5 %.
        assert_eq!(rows[0][4], "393");
    }

    #[test]
    fn results_take_the_place_of_assumptions() {
        let mut summary = Table::new(["agent", "games", "win_rate", "mean_score", "mean_score_low", "mean_score_high"]);
        summary.push(["random", "100", "0.1", "1000", "902.0018", "1097.9982"]);
        summary.push(["greedy", "100", "0.3", "1200", "1102.0018", "1297.9982"]);
        let rows = planned(&comparison("none", contrasts(&[(1, 0)])), &PlanOptions::default(), Some(&summary));
        // sd 500 in both: (1.96 + 0.8416)^2 * 2 * 500^2 / d^2 for d = 110 and d = 200.
        assert_eq!(rows, [["greedy", "random", "measured", "110", "325", "99"]]);
        let unplanned = planned(&comparison("2048", Questions::default()), &PlanOptions::default(), Some(&summary));
        let pairs: Vec<(&str, &str)> = unplanned.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
        assert_eq!(pairs, [("greedy", "random"), ("greedy", "minimax")]);
        assert_eq!(unplanned[1][2], "assumed");
    }

    #[test]
    fn a_sequential_test_is_planned_for_its_margin() {
        let stop = Some(StopRule { contrast: (0, 1), alpha: 0.05, beta: 0.2, margin: 0.1, most_games: 100 });
        let questions = Questions { stop, ..contrasts(&[(0, 1)]) };
        let plan = plan(&comparison("2048", questions), &PlanOptions::default(), None).unwrap();
        let games: Vec<u64> = plan.contrasts.rows().map(|row| row.count("games_needed").unwrap()).collect();
        assert!(games[1] > games[0] && games[1] < 2 * games[0], "{games:?}");
        assert!(plan.notes.last().unwrap().contains("sequential"));
    }

    #[test]
    fn impossible_differences_are_refused() {
        let options = PlanOptions { difference: Some(10.0), ..PlanOptions::default() };
        assert!(plan(&comparison("2048", contrasts(&[(1, 0)])), &options, None).is_err());
    }
}
