//! `lab2048 tune`: tunes the coefficients of a heuristic, and tests the result.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::params::Value;
use serde_json::json;

use super::interrupt::interruptible;
use super::live::LiveProgress;
use super::output::{duration, print, print_json};
use super::run_args::RunArgs;
use super::worker_args::WorkerArgs;
use super::{Context, Failure};
use crate::cluster::capacity::{Generation, steps_up_to};
use crate::experiment::Options;
use crate::experiment::tune::{
    Contest, Front, OptimizerScore, Outlook, ScenarioRow, TestedPoint, Transfer, Tuned, TuningPlan, TuningResult,
    best_file, plan, run,
};
use crate::report::table::number;
use crate::spec::Tuning;
use crate::spec::tune::{Overrides, Parameter, Plan};
use crate::stats::Interval;
use crate::web::report;

/// Tune a heuristic's coefficients on training games, and test the result on games it never saw
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 tune experiments/quickstart.toml
  lab2048 tune experiments/tune-line-sum.toml --out results/second-try --threads 4
  lab2048 tune experiments/quickstart.toml --repeats 5 --out results/quickstart-repeats
  lab2048 tune experiments/quickstart.toml --workers 'ssh {host} lab2048 worker' --hosts hosts.txt

The same command continues an interrupted run; a larger `budget` in the file extends a finished one.

Parameters are coefficients (`mask`), parameters of features (`mask.ratio`, `mask.tile`), all cells of a mask (`mask.cells`) and
keys of the agent (`agent.exploration`). Each has a `range` or `choices`, and perhaps a `scale`, `type`, `start` or `when`.
`scenarios` tunes for several settings of the agent at once. The README shows them all.

Optional tables of the file, with their defaults:
  [validation]  games = 200, every = a twentieth of the budget: the progress of the search, on separate games
  [slices]      points = 7, games = 200, reach = 0.25: the objective around the result, on validation games
  [ablation]    games = 500: the path from the start to the result, on validation games
  [test]        games = 1000, against = []: start, result and other heuristics, on games used for nothing else
`heuristic = \"mine.toml\"` tunes a heuristic file of your own; the README shows one.")]
pub struct Args {
    /// The experiment (TOML)
    experiment: PathBuf,
    /// The seed of all games and of the optimizer, instead of the file's
    #[arg(long)]
    seed: Option<u64>,
    /// Run each search this many times with different seeds, and give the interval over the runs
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1000))]
    repeats: Option<u64>,
    #[command(flatten)]
    workers: WorkerArgs,
    /// Only play a few games and estimate how long the run would take, on up to this many cores
    #[arg(long, value_name = "CORES", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    plan: Option<u64>,
    #[command(flatten)]
    run: RunArgs,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let overrides = Overrides { seed: self.seed, repeats: self.repeats };
        let tuning = Tuning::open_with(&self.experiment, overrides)?;
        if let Some(cores) = self.plan {
            let plan = interruptible(move |_| Ok(plan(&tuning)?))?;
            return if self.json { print_json(&plan_json(&plan, cores)) } else { print(&plan_text(&plan, cores)) };
        }
        let options = Options { workers: self.workers.commands()?, ..self.run.options(&tuning.name) };
        let figures = self.run.figures()?;
        let progress = Arc::new(LiveProgress::of_tuning(&tuning, &options.folder, context.quiet));
        let (own_tuning, own_options, bars) = (tuning.clone(), options.clone(), progress.clone());
        let outcome = interruptible(move |stop| {
            let result = run(own_tuning, &own_options, &figures, stop, bars)?;
            report::write(&own_options.folder)?;
            Ok(result)
        });
        progress.finish(outcome.is_ok());
        let result = outcome?;
        if self.json {
            return print_json(&to_json(&tuning, &result, &options.folder));
        }
        match result {
            TuningResult::Tuned(tuned) => print(&summary_text(&tuning, &tuned, &options.folder)?),
            TuningResult::Contest(contest) => print(&ranking(&tuning, &contest, &options.folder)),
            TuningResult::Transfer(transfer) => print(&matrix(&tuning, &transfer, &options.folder)),
            TuningResult::Front(front) => print(&front_text(&tuning, &front, &options.folder)),
        }
    }
}

/// Cores should be busy for at least this share of the time.
const BUSY: f64 = 0.8;

/// The estimated times on increasing numbers of cores.
fn plan_text(plan: &TuningPlan, cores: u64) -> String {
    let TuningPlan { searches, generations, generation, .. } = plan;
    let Generation { games, seconds_per_game } = generation;
    let searches = match searches {
        1 => "One search".to_string(),
        many => format!("{many} searches side by side"),
    };
    let mut text = format!(
        "{searches}: {generations:.0} generations of {games:.0} games, {seconds_per_game:.3} s each \
         at the start. Games get longer as the player gets better.\n\n   cores  s/generation  busy  whole run\n"
    );
    let steps = steps_up_to(cores);
    for cores in &steps {
        let (busy, whole) = (100.0 * generation.busy(*cores), plan.seconds(*cores));
        text += &format!("{cores:>8}  {:>12.2}  {busy:>3.0}%  {}\n", generation.seconds(*cores), duration(whole));
    }
    let enough = steps.iter().rev().find(|cores| generation.busy(**cores) >= BUSY).copied().unwrap_or(1);
    text += &match enough < cores {
        true => format!(
            "\nUp to {enough} cores are busy at least {:.0} % of the time. To use more, ask for more games in a generation \
             (`games` or `population` of the optimizer), or for more --repeats.\n",
            100.0 * BUSY
        ),
        false => format!("\n{cores} cores are busy at least {:.0} % of the time.\n", 100.0 * BUSY),
    };
    text
}

fn plan_json(plan: &TuningPlan, cores: u64) -> serde_json::Value {
    let row = |cores: &u64| {
        let generation = plan.generation;
        json!({
            "cores": cores, "generation_seconds": generation.seconds(*cores), "busy": generation.busy(*cores),
            "seconds": plan.seconds(*cores),
        })
    };
    json!({
        "searches": plan.searches,
        "generations": plan.generations,
        "games_per_generation": plan.generation.games,
        "seconds_per_game": plan.generation.seconds_per_game,
        "cores": steps_up_to(cores).iter().map(row).collect::<Vec<_>>(),
    })
}

/// The results as JSON.
fn to_json(tuning: &Tuning, result: &TuningResult, folder: &Path) -> serde_json::Value {
    let common = json!({ "name": tuning.name, "objective": tuning.objective.name(), "test_games": tuning.test.games });
    let own = match result {
        TuningResult::Tuned(tuned) => {
            let verdict = &tuned.verdict;
            let value = |(parameter, value): (&Parameter, &f64)| match parameter.choices() {
                Some(_) => json!(parameter.show(*value)),
                None => json!(value),
            };
            let values = tuning.parameters.iter().zip(&verdict.point).map(value);
            let parameters: serde_json::Map<_, _> = tuning.parameter_names().into_iter().zip(values).collect();
            json!({
                "best": best_file(folder),
                "training_games": tuned.trained,
                "parameters": parameters,
                "start": verdict.start,
                "tuned": verdict.tuned,
                "score_gain": verdict.score_gain,
                "a12": verdict.a12,
                "scenarios": verdict.scenarios.iter().map(scenario_json).collect::<Vec<_>>(),
                "summary": tuned.summary.to_json(),
            })
        }
        TuningResult::Contest(contest) => {
            let of = |standing: &OptimizerScore| json!({ "optimizer": standing.optimizer, "mean": standing.mean });
            json!({ "start": contest.start, "standings": contest.standings.iter().map(of).collect::<Vec<_>>() })
        }
        TuningResult::Front(front) => {
            let of =
                |point: &TestedPoint| json!({ "player": point.name, "values": point.values, "point": point.point });
            json!({ "training_games": front.trained, "front": front.points.iter().map(of).collect::<Vec<_>>() })
        }
        TuningResult::Transfer(transfer) => {
            json!({ "tuned_at": transfer.rows, "tested_at": transfer.columns, "values": transfer.values })
        }
    };
    let entries = |value: serde_json::Value| value.as_object().cloned().unwrap_or_default();
    entries(common).into_iter().chain(entries(own)).collect()
}

fn scenario_json(row: &ScenarioRow) -> serde_json::Value {
    json!({
        "scenario": row.scenario,
        "was_tuned": row.was_tuned,
        "player": row.player,
        "objective": row.value,
        "tuned_ahead": row.behind,
    })
}

/// The results of one search: the test, the tuned parameters, and how to watch the tuned player.
fn summary_text(tuning: &Tuning, tuned: &Tuned, folder: &Path) -> Result<String, Failure> {
    let verdict = &tuned.verdict;
    let mut lines = vec![
        format!(
            "{} of {} on {} test games that the search never saw:",
            tuning.label(),
            tuning.agent,
            tuning.test.games
        ),
        format!("  start  {}", tuning.show_interval(&verdict.start)),
        format!("  tuned  {}", tuning.show_interval(&verdict.tuned)),
    ];
    lines.extend(verdict.rivals.iter().map(|(name, value, _)| format!("  {name}  {}", tuning.show_interval(value))));
    lines.extend(gain(tuned));
    lines.extend(scenario_lines(tuning, &verdict.scenarios));
    lines.extend(seen_before(&tuned.seen_by));
    lines.push(format!("What {} training games changed:", tuned.trained));
    for ((dimension, parameter), value) in tuning.space.dimensions().iter().zip(&tuning.parameters).zip(&verdict.point)
    {
        let is_choice = parameter.choices().is_some();
        let shown = if is_choice { parameter.show(*value) } else { number(*value) };
        lines.push(format!("  {:<20} {:>12} -> {shown}", dimension.name, parameter.show(dimension.start)));
    }
    if let Some((claimed, again)) = &tuned.best_seen {
        let (claimed, again) = (tuning.show(*claimed), tuning.show_interval(again));
        lines.push(format!("The best value seen in training was {claimed}; the same point played again has {again}."));
    }
    lines.extend(match tuned.outlook {
        Outlook::Stalled { since } => Some(format!("Validation shows no further gain after {since} training games.")),
        Outlook::Rising => Some("Validation was still rising: a larger `budget` continues this run.".to_string()),
        Outlook::Unknown => None,
    });
    let (agent, heuristic) = tuning.player_at(&tuning.agent, &verdict.point)?;
    let agent = match heuristic {
        Some(_) => agent.with_heuristic(Value::String(best_file(folder).display().to_string()))?,
        None => agent,
    };
    lines.push(format!("Results are in {}. To see the tuned player at work:", folder.display()));
    lines.push(format!("  lab2048 watch --agent {agent}"));
    Ok(lines.join("\n") + "\n")
}

/// The test in every scenario, with the lead of the tuned player over the others.
fn scenario_lines(tuning: &Tuning, rows: &[ScenarioRow]) -> Vec<String> {
    let line = |row: &ScenarioRow| {
        let ahead =
            |ahead: &Interval| format!(", tuned {:+.0} ({:+.0} to {:+.0})", ahead.estimate, ahead.low, ahead.high);
        let (value, ahead) = (tuning.objective.show_interval(&row.value), row.behind.as_ref().map(ahead));
        let place = if row.was_tuned { row.scenario.clone() } else { format!("{} (not tuned)", row.scenario) };
        format!("  {place:<24} {:<12} {value}{}", row.player, ahead.unwrap_or_default())
    };
    let heading = (!rows.is_empty()).then(|| format!("{} in each scenario:", tuning.objective.label()));
    heading.into_iter().chain(rows.iter().map(line)).collect()
}

/// A warning if the test games have been used before. A user who has seen a test and then extends the budget has used
/// the test games to choose, so they are not unseen any more.
fn seen_before(budgets: &[u64]) -> Option<String> {
    let budgets: Vec<String> = budgets.iter().map(u64::to_string).collect();
    let known = format!("The same test games have been used before, at a budget of {} games", budgets.join(", "));
    (!budgets.is_empty()).then(|| format!("{known}: another `seed` gives new test games."))
}

fn gain(tuned: &Tuned) -> Vec<String> {
    let verdict = &tuned.verdict;
    let mut lines = Vec::new();
    if let Some((gain, a12)) = verdict.score_gain.zip(verdict.a12) {
        let proof = if gain.low > 0.0 { "" } else { ", so that no gain is shown" };
        lines.push(format!(
            "Gain in mean score {:+.0}, 95 % interval {:+.0} to {:+.0}{proof}; a tuned game beats one of the start in {:.1} % of pairs.",
            gain.estimate, gain.low, gain.high, 100.0 * a12.estimate
        ));
    }
    for (name, _, ahead) in &verdict.rivals {
        if let Some(ahead) = ahead {
            lines.push(format!(
                "Against {name} the mean score is {:+.0}, 95 % interval {:+.0} to {:+.0}.",
                ahead.estimate, ahead.low, ahead.high
            ));
        }
    }
    lines
}

/// Optimizers from best to worst.
fn ranking(tuning: &Tuning, contest: &Contest, folder: &Path) -> String {
    let mut lines = vec![format!("{} on {} test games, mean over repeats:", tuning.label(), tuning.test.games)];
    for standing in &contest.standings {
        lines.push(format!("  {:<16} {}", standing.optimizer, tuning.show_interval(&standing.mean)));
    }
    lines.extend(contest.start.map(|start| format!("  {:<16} {}", "(start)", tuning.show_interval(&start))));
    lines.push(format!("Results are in {}; see figures/optimizers.png.", folder.display()));
    lines.join("\n") + "\n"
}

/// The points of the front on test games.
fn front_text(tuning: &Tuning, front: &Front, folder: &Path) -> String {
    let Plan::Front(method) = &tuning.plan else { return String::new() };
    let [first, second] = method.objectives;
    let heading = format!("{} and {} on {} test games:", first.label(), second.label(), tuning.test.games);
    let line = |point: &TestedPoint| {
        let [a, b] = &point.values;
        format!("  {:<10} {:<32} {}", point.name, first.show_interval(a), second.show_interval(b))
    };
    let results =
        format!("Results are in {}; each point of the front has a file, and see figures/front.png.", folder.display());
    let lines: Vec<String> = std::iter::once(heading).chain(front.points.iter().map(line)).chain([results]).collect();
    lines.join("\n") + "\n"
}

/// A row for each depth of tuning, a column for each depth of testing.
fn matrix(tuning: &Tuning, transfer: &Transfer, folder: &Path) -> String {
    let (objective, games) = (tuning.objective, tuning.test.games);
    let mut lines =
        vec![format!("{} on {games} test games, by depth of tuning (down) and testing (across):", objective.label())];
    let heading: String = transfer.columns.iter().map(|column| format!("{column:>12}")).collect();
    lines.push(format!("  {:<8}{heading}", ""));
    for (row, values) in transfer.rows.iter().zip(&transfer.values) {
        let cells: String = values.iter().map(|value| format!("{:>12}", objective.show(value.estimate))).collect();
        lines.push(format!("  {row:<8}{cells}"));
    }
    lines.push(format!("Results are in {}; see figures/transfer.png.", folder.display()));
    lines.join("\n") + "\n"
}
