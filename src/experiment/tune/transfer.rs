//! Weights tuned at one depth, tested at others.

use std::sync::Arc;

use super::best;
use super::course::{self, Course, Leg};
use super::lab::Lab;
use super::one::{search_games, write_searches};
use super::outcome::estimate;
use super::shelf::Shelf;
use crate::agents::AgentSpec;
use crate::experiment::error::Error;
use crate::heuristics::Heuristic;
use crate::report::table::{Table, interval_cells, interval_columns};
use crate::rng::Test;
use crate::spec::Tuning;
use crate::spec::tune::{Level, Method, with_heuristic};
use crate::stats::Interval;

/// What a transfer has found: a value for each place of tuning and of testing.
#[derive(Clone, Debug)]
pub struct Transfer {
    /// `start`, then the depths of tuning.
    pub rows: Vec<String>,
    /// The depths of testing.
    pub columns: Vec<String>,
    pub values: Vec<Vec<Interval>>,
}

const START: &str = "start";

pub(super) fn legs(tuning: &Tuning, method: &Method, levels: &[Level]) -> Vec<Leg> {
    let leg = |level: &Level| Leg {
        name: leg_name(&level.depth),
        mark: vec![("tuned_at", level.depth.clone())],
        agent: level.agent.clone(),
        method: method.clone(),
        seed: tuning.seed,
    };
    levels.iter().map(leg).collect()
}

fn leg_name(depth: &str) -> String {
    format!("depth-{depth}")
}

pub(super) fn expected_games(tuning: &Tuning, legs: &[Leg], tested: &[Level]) -> u64 {
    let searches: u64 = legs.iter().map(|leg| search_games(tuning, &leg.method)).sum();
    searches + (legs.len() as u64 + 1) * tested.len() as u64 * tuning.test.games
}

pub(super) fn run(lab: &Arc<Lab>, shelf: &mut Shelf, legs: &[Leg], tested: &[Level]) -> Result<Transfer, Error> {
    let (tuning, courses) = (&lab.tuning, course::run_all(lab, legs)?);
    lab.arena.say("playing the test games");
    let transfer = test(lab, &courses, tested)?;
    write_searches(shelf, tuning, &courses)?;
    shelf.table(super::TRANSFER, &table(tuning, &transfer))?;
    for ((leg, course), values) in courses.iter().zip(transfer.values.iter().skip(1)) {
        let labels: Vec<String> = tested.iter().map(|level| format!("depth {}:", level.depth)).collect();
        let values: Vec<(&str, Interval)> = labels.iter().map(String::as_str).zip(values.iter().copied()).collect();
        let name = format!("{}-{}", tuning.name, leg.name);
        shelf.text(&format!("best-{}.toml", leg.name), &best::file(tuning, leg, course, &name, &values)?)?;
    }
    Ok(transfer)
}

fn test(lab: &Lab, courses: &[(Leg, Course)], tested: &[Level]) -> Result<Transfer, Error> {
    let tuning = &lab.tuning;
    let mut rows: Vec<(String, Heuristic)> = vec![(START.to_string(), tuning.heuristic.clone())];
    for (leg, course) in courses {
        let depth = leg.mark.first().map(|(_, depth)| depth.clone()).unwrap_or_default();
        rows.push((depth, tuning.heuristic_at(&course.findings.recommendation)?));
    }
    let mut values = Vec::new();
    for (_, heuristic) in &rows {
        let players: Vec<AgentSpec> =
            tested.iter().map(|level| with_heuristic(&level.agent, heuristic)).collect::<Result<_, _>>()?;
        let outcomes = lab.measure::<Test>(&players, tuning.test.games)?;
        let value = |outcomes: &Vec<_>| estimate(tuning.aim, outcomes).unwrap_or(Interval::around(f64::NAN, 0.0));
        values.push(outcomes.iter().map(value).collect());
    }
    let columns = tested.iter().map(|level| level.depth.clone()).collect();
    Ok(Transfer { rows: rows.into_iter().map(|(name, _)| name).collect(), columns, values })
}

fn table(tuning: &Tuning, transfer: &Transfer) -> Table {
    let own = ["tuned_at", "tested_at", "games"].map(str::to_string).to_vec();
    let mut table = Table::new([own, interval_columns("objective").to_vec()].concat());
    for (row, values) in transfer.rows.iter().zip(&transfer.values) {
        for (column, value) in transfer.columns.iter().zip(values) {
            let cells = vec![row.clone(), column.clone(), tuning.test.games.to_string()];
            table.push([cells, interval_cells(Some(*value)).to_vec()].concat());
        }
    }
    table
}
