//! `lab2048 bench`: how fast this machine is.

use comfy_table::{Table, presets::NOTHING};
use serde_json::{Map, Value, json};

use super::output::{print, print_json, say};
use super::progress::task_bar;
use super::{Context, Failure};
use crate::experiment::bench::{Measured, TASKS, Task};
use crate::experiment::contention::CpuTime;
use crate::report::table::thousands;
use crate::stats::Interval;

/// Measure this machine: playouts, rollouts and searches, on one core and on all
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 bench
  lab2048 bench --seconds 0.5 --repeats 11 --json
  lab2048 bench --work

Each speed is the median over the repeats, with its 95 % interval (with fewer than 6 repeats, the slowest and the fastest).
The time of a unit of work is measured in the same way. Other programs slow the measurements down, so a warning is printed
if the machine is busy. Compare only speeds of the same run.")]
pub struct Args {
    /// Seconds for each repeat of a measurement
    #[arg(long, default_value_t = 0.1)]
    seconds: f64,
    /// How often each measurement is repeated
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeats: u16,
    /// Measure how long a unit of work takes for each agent and budget, instead of speeds
    #[arg(long)]
    work: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A task with its speeds on one core and on all cores.
struct TaskSpeeds<'a> {
    task: &'a Task,
    one: Measured,
    all: Measured,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        if !(0.01..=600.0).contains(&self.seconds) {
            return Err(Failure::Usage(format!("--seconds is {}, but must be from 0.01 to 600", self.seconds)));
        }
        if self.work {
            return super::bench_work::run(self.seconds, self.repeats, self.json, context.quiet);
        }
        let cores = super::processors();
        let bar = task_bar(TASKS.len(), context.quiet);
        let mut results = Vec::new();
        for task in TASKS {
            bar.set_message(task.name);
            let measure = |threads| task.measure(self.seconds, threads, usize::from(self.repeats));
            results.push(TaskSpeeds { task, one: measure(1)?, all: measure(cores)? });
            bar.inc(1);
        }
        bar.finish_and_clear();
        let warnings = warnings(&results);
        if self.json {
            return print_json(&self.to_json(&results, cores, &warnings));
        }
        warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
        print(&table(&results, cores))
    }

    /// Medians under the key of each task, with their ends under `_low` and `_high`. Tasks with a depth are grouped by it.
    fn to_json(&self, results: &[TaskSpeeds], cores: usize, warnings: &[String]) -> Value {
        let mut root = Map::new();
        root.insert("cores".into(), json!(cores));
        root.insert("seconds".into(), json!(self.seconds));
        root.insert("repeats".into(), json!(self.repeats));
        root.insert("warnings".into(), json!(warnings));
        for cores in ["", "_all_cores"] {
            for result in results {
                let speed = if cores.is_empty() { result.one.speed() } else { result.all.speed() };
                for (end, value) in [("", speed.estimate), ("_low", speed.low), ("_high", speed.high)] {
                    insert(&mut root, format!("{}{cores}{end}", result.task.key), result.task.plies, value);
                }
            }
        }
        Value::Object(root)
    }
}

fn insert(root: &mut Map<String, Value>, key: String, plies: Option<u32>, value: f64) {
    match plies {
        None => drop(root.insert(key, json!(value))),
        Some(plies) => root.entry(key).or_insert_with(|| json!({}))[plies.to_string()] = json!(value),
    }
}

/// Warnings about unreliable speeds, caused by other programs or shown by repeats that differ.
fn warnings(results: &[TaskSpeeds]) -> Vec<String> {
    let all = || results.iter().flat_map(|result| [(result.task, &result.one), (result.task, &result.all)]);
    let cpu = all().filter_map(|(_, measured)| measured.cpu).reduce(CpuTime::plus);
    let unsteady: Vec<(&str, f64)> =
        all().filter_map(|(task, measured)| Some((task.name, measured.unsteady()?))).collect();
    let worst = unsteady.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    let unsteady = worst.map(|(name, spread)| {
        let (count, percent) = (unsteady.len(), 100.0 * spread);
        format!("The repeats of {count} measurements differ by more than 20 %; those of {name} by {percent:.0} %.")
    });
    cpu.and_then(CpuTime::warning).into_iter().chain(unsteady).collect()
}

fn table(results: &[TaskSpeeds], cores: usize) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["", "unit", "one core", &format!("{cores} cores"), "ratio"]);
    for TaskSpeeds { task, one, all } in results {
        let (one, all) = (one.speed(), all.speed());
        let ratio = format!("{:.2}", all.estimate / one.estimate);
        table.add_row([task.name, task.unit, &with_spread(one), &with_spread(all), &ratio]);
    }
    format!("{table}\n")
}

/// `5,476,433 (5,301,220 to 5,511,003)`
fn with_spread(speed: Interval) -> String {
    let [middle, low, high] = [speed.estimate, speed.low, speed.high].map(thousands);
    format!("{middle} ({low} to {high})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_and_unsteady_repeats_give_warnings() {
        let busy = Measured { speeds: vec![50.0, 100.0, 110.0], cpu: Some(CpuTime { ran: 70, waited: 30 }) };
        let calm = Measured { speeds: vec![99.0, 100.0, 101.0], cpu: Some(CpuTime { ran: 100, waited: 0 }) };
        let result =
            |one: &Measured, all: &Measured| TaskSpeeds { task: &TASKS[0], one: one.clone(), all: all.clone() };
        assert!(warnings(&[result(&calm, &calm)]).is_empty());
        let said = warnings(&[result(&busy, &calm)]);
        assert!(said[0].contains("busy machine") && said[1].contains("random moves by 60 %"), "{said:?}");
    }
}
