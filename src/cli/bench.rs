//! `lab2048 bench`: what this machine can do.

use comfy_table::{Table, presets::NOTHING};
use serde_json::{Map, Value, json};

use super::output::{print, print_json};
use super::{Context, Failure};
use crate::experiment::bench::{Measured, TASKS, Task};

/// Measure this machine: playouts, rollouts and searches, on one core and on all
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 bench
  lab2048 bench --seconds 1 --json

Speeds vary with what else the machine is doing: compare figures of one run only.")]
pub struct Args {
    /// Seconds for each measurement
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        if !(0.01..=600.0).contains(&self.seconds) {
            return Err(Failure::Usage(format!("--seconds is {}, but must be from 0.01 to 600", self.seconds)));
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut results = Vec::new();
        for task in TASKS {
            if !context.quiet && !self.json {
                eprintln!("measuring {} ...", task.name);
            }
            results.push((task, task.measure(self.seconds, 1)?, task.measure(self.seconds, cores)?));
        }
        if self.json { print_json(&to_json(&results, cores)) } else { print(&table(&results, cores)) }
    }
}

type Results<'a> = [(&'a Task, Measured, Measured)];

fn table(results: &Results, cores: usize) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["", "unit", "one core", &format!("{cores} cores"), "ratio"]);
    for (task, one, all) in results {
        let ratio = format!("{:.2}", all.per_second / one.per_second);
        table.add_row([task.name, task.unit, &thousands(one.per_second), &thousands(all.per_second), &ratio]);
    }
    format!("{table}\n")
}

/// A rate with its thousands apart.
fn thousands(rate: f64) -> String {
    let digits = format!("{rate:.0}");
    let grouped: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|three| std::str::from_utf8(three).ok()).collect();
    grouped.join(",")
}

/// Tasks with a depth are grouped by it under their key.
fn to_json(results: &Results, cores: usize) -> Value {
    let mut root = Map::new();
    root.insert("cores".into(), json!(cores));
    for (suffix, pick) in [("", 0), ("_all_cores", 1)] {
        for (task, one, all) in results {
            let rate = json!(if pick == 0 { one.per_second } else { all.per_second });
            let key = format!("{}{suffix}", task.key);
            match task.plies {
                None => drop(root.insert(key, rate)),
                Some(plies) => {
                    root.entry(key).or_insert_with(|| json!({}))[plies.to_string()] = rate;
                }
            }
        }
    }
    Value::Object(root)
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn thousands_are_kept_apart() {
        assert_eq!([7.0, 1234.0, 98_765_432.1].map(thousands), ["7", "1,234", "98,765,432"]);
    }
}
