//! `lab2048 bench --work`: how long a unit of work takes, for each agent and budget.

use comfy_table::{Table, presets::NOTHING};
use serde_json::{Value, json};

use super::Failure;
use super::output::{print, print_json};
use super::progress::task_bar;
use crate::agents::work::{Operation, UNIT};
use crate::experiment::bench_work::{AGENTS, BUDGETS, WorkTimings, measure};

/// An agent with its measurements for each budget.
type AgentTimings = (&'static str, Vec<WorkTimings>);

/// Measures every agent under every budget and prints the table. All cells are measured once before any is measured
/// again, so that a busy moment of the machine falls on many cells and not on one.
pub fn run(seconds: f64, repeats: u16, as_json: bool, quiet: bool) -> Result<(), Failure> {
    let bar = task_bar(usize::from(repeats) * AGENTS.len(), quiet);
    let mut timings: Vec<AgentTimings> =
        AGENTS.iter().map(|&agent| (agent, vec![WorkTimings::default(); BUDGETS.len()])).collect();
    for _ in 0..repeats {
        for (agent, by_budget) in &mut timings {
            bar.set_message(*agent);
            for (budget, cell) in BUDGETS.into_iter().zip(by_budget) {
                cell.0.push(measure(agent, budget, seconds)?);
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if as_json { print_json(&to_json(&timings)) } else { print(&text(&timings)) }
}

/// The weights, then the nanoseconds of a unit and the share of the budget that was spent.
fn text(timings: &[AgentTimings]) -> String {
    let mut weights = Table::new();
    weights.load_style(NOTHING);
    weights.set_header(["operation", "units of work"]);
    for operation in Operation::ALL {
        let units = operation.cost().as_picoseconds() as f64 / UNIT.as_picoseconds() as f64;
        weights.add_row([operation.name(), &format!("{units:.1}")]);
    }
    let times = by_budget(timings, "nanoseconds of a unit, by budget: medians", |timing| {
        format!("{:.1}", timing.unit_ns().estimate)
    });
    let spent = by_budget(timings, "work over budget: mean (largest)", |timing| {
        format!("{:.2} ({:.2})", timing.mean_share(), timing.highest_share())
    });
    let unit_ns = || timings.iter().flat_map(|(_, by_budget)| by_budget).map(|timing| timing.unit_ns().estimate);
    let (low, high) = (unit_ns().fold(f64::INFINITY, f64::min), unit_ns().fold(0.0, f64::max));
    let spread = high / low;
    format!("{weights}\n\n{times}\n\n{spent}\n\nA unit took {low:.1} to {high:.1} ns: a factor of {spread:.2}.\n")
}

fn by_budget(timings: &[AgentTimings], title: &str, cell: impl Fn(&WorkTimings) -> String) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(std::iter::once(title.to_string()).chain(BUDGETS.iter().map(u64::to_string)));
    for (agent, by_budget) in timings {
        table.add_row(std::iter::once(agent.to_string()).chain(by_budget.iter().map(&cell)));
    }
    table
}

fn to_json(timings: &[AgentTimings]) -> Value {
    let agents = timings.iter().map(|(agent, by_budget)| {
        let cells = BUDGETS.iter().zip(by_budget).map(|(budget, timing)| {
            let unit_ns = timing.unit_ns();
            json!({
                "budget": budget,
                "unit_ns": unit_ns.estimate,
                "unit_ns_low": unit_ns.low,
                "unit_ns_high": unit_ns.high,
                "work_over_budget": timing.mean_share(),
                "largest": timing.highest_share(),
            })
        });
        json!({ "agent": agent, "budgets": cells.collect::<Vec<_>>() })
    });
    let weights = Operation::ALL
        .map(|operation| json!({ "operation": operation.name(), "picoseconds": operation.cost().as_picoseconds() }));
    json!({ "weights": weights, "agents": agents.collect::<Vec<_>>() })
}
