//! The objective around the recommendation: slices through it, and by how much the best value seen is too optimistic.
//!
//! It is measured on validation games, so that the test games are used for the final test alone.

use super::context::TuningContext;
use super::search_run::SearchRun;
use crate::agents::AgentSpec;
use crate::experiment::error::Error;
use crate::optimize::{Scale, Trial};
use crate::rng::Validation;
use crate::spec::Tuning;
use crate::spec::tune::Aggregate;
use crate::stats::Interval;

/// The objective with one parameter changed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SlicePoint {
    /// Which parameter, by index.
    pub parameter: usize,
    pub at: f64,
    pub value: Interval,
}

pub(super) fn slices(context: &TuningContext, agent: &AgentSpec, centre: &[f64]) -> Result<Vec<SlicePoint>, Error> {
    let places = slice_places(&context.tuning, centre);
    let points: Vec<Vec<f64>> = places.iter().map(|(parameter, at)| replaced(centre, *parameter, *at)).collect();
    let values = context.estimates::<Validation>(agent, &points, 0..context.tuning.slices.games)?;
    let point = |((parameter, at), value)| SlicePoint { parameter, at, value };
    Ok(places.into_iter().zip(values).map(point).collect())
}

/// Some values of each parameter that has an effect, spaced evenly on its own scale and limited to its range. A choice has
/// all its values.
fn slice_places(tuning: &Tuning, centre: &[f64]) -> Vec<(usize, f64)> {
    let (space, points) = (&tuning.space, tuning.slices.points);
    let (unit, active) = (space.to_unit(centre), space.active(centre));
    let mut places = Vec::new();
    for parameter in (0..centre.len()).filter(|parameter| active[*parameter]) {
        let dimension = &space.dimensions()[parameter];
        if dimension.scale == Scale::Choice {
            places.extend((0..=dimension.high as u64).map(|place| (parameter, place as f64)));
            continue;
        }
        let reach = tuning.slices.reach;
        let (low, high) = ((unit[parameter] - reach).max(0.0), (unit[parameter] + reach).min(1.0));
        for step in 0..points {
            let at = low + (high - low) * step as f64 / (points - 1) as f64;
            places.push((parameter, space.to_user(&replaced(&unit, parameter, at))[parameter]));
        }
    }
    // Neighbouring steps may be the same whole number.
    places.dedup();
    places
}

fn replaced(point: &[f64], index: usize, value: f64) -> Vec<f64> {
    let mut point = point.to_vec();
    point[index] = value;
    point
}

/// The best value seen, and the value of its point when it is played again.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Optimism {
    pub claimed: Trial,
    pub again: Interval,
}

pub(super) fn optimism(context: &TuningContext, agent: &AgentSpec, run: &SearchRun) -> Result<Option<Optimism>, Error> {
    // A rank among the candidates of one generation cannot be measured again.
    let is_rank = context.tuning.aggregate == Aggregate::MeanRank;
    let Some(claimed) = run.result.best_seen().cloned().filter(|_| !is_rank) else { return Ok(None) };
    let again = context.estimates::<Validation>(
        agent,
        std::slice::from_ref(&claimed.candidate.point),
        0..context.tuning.ablation,
    )?;
    Ok(again.into_iter().next().map(|again| Optimism { claimed, again }))
}
