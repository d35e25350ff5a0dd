//! Which parameters make the tuned player better than the start: the ablation path of Fawcett and Hoos, "Analysing
//! differences between algorithm configurations through ablation", Journal of Heuristics 22 (2016).
//!
//! The path leads from the start to the recommendation. Each step gives one parameter its tuned value: the one that gains
//! most at that point of the path. So the order is found, not given by the file. The best of several noisy values is partly
//! luck, so the order is chosen on some validation games and the steps are measured on others.

use super::context::TuningContext;
use super::scenarios::ScenarioGames;
use crate::agents::AgentSpec;
use crate::experiment::error::Error;
use crate::rng::Validation;
use crate::stats::Interval;

/// The start, or a parameter that took its tuned value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AblationStep {
    /// By index; `None` for the start.
    pub parameter: Option<usize>,
    /// The objective after this step.
    pub value: Option<Interval>,
    /// How much this step changed the objective, from games with the same seeds.
    pub change: Option<Interval>,
}

/// The number of games for choosing a step is the number for measuring one, divided by this.
const CHOICE_DIVISOR: u64 = 4;
/// At least this many games are played to choose a step.
const FEWEST: u64 = 2;

/// The games for choosing a step if a step is measured on this many games.
fn choice_games(measured: u64) -> u64 {
    (measured / CHOICE_DIVISOR).max(FEWEST)
}

/// About how many games the path of this many parameters needs.
pub(super) fn expected_games(parameters: u64, measured: u64) -> u64 {
    // Each round tries all parameters that are left. In the last round only one is left, so nothing is played to
    // choose.
    let tried = (parameters * (parameters + 1) / 2).saturating_sub(1);
    tried * choice_games(measured) + (parameters + 1) * measured
}

/// The steps from the start to the tuned point. Parameters that have not changed are left out.
pub(super) fn ablation(context: &TuningContext, agent: &AgentSpec, tuned: &[f64]) -> Result<Vec<AblationStep>, Error> {
    let path = choose_path(context, agent, tuned)?;
    let mut points = vec![context.tuning.start()];
    for parameter in &path {
        let next = points.last().map(|point| step(point, tuned, *parameter));
        points.extend(next);
    }
    let played = context.measure_points::<Validation>(agent, &points, 0..context.tuning.ablation)?;
    Ok(measured(context, &path, &played))
}

fn measured(context: &TuningContext, path: &[usize], played: &[ScenarioGames]) -> Vec<AblationStep> {
    let parameters = std::iter::once(None).chain(path.iter().copied().map(Some));
    let before = std::iter::once(None).chain(played.iter().map(Some));
    let step = |((parameter, games), before): ((_, &ScenarioGames), Option<&ScenarioGames>)| AblationStep {
        parameter,
        value: context.estimate(games).ok().filter(|value| value.estimate.is_finite()),
        change: before.and_then(|before| context.change(games, before)),
    };
    parameters.zip(played).zip(before).map(step).collect()
}

/// The parameters in the order of the path.
fn choose_path(context: &TuningContext, agent: &AgentSpec, tuned: &[f64]) -> Result<Vec<usize>, Error> {
    let mut point = context.tuning.start();
    let mut left: Vec<usize> = (0..tuned.len()).filter(|parameter| point[*parameter] != tuned[*parameter]).collect();
    let mut path = Vec::new();
    let measured = context.tuning.ablation;
    let games = measured..measured + choice_games(measured);
    while left.len() > 1 {
        let next: Vec<Vec<f64>> = left.iter().map(|parameter| step(&point, tuned, *parameter)).collect();
        let values = context.estimates::<Validation>(agent, &next, games.clone())?;
        let best = (0..left.len()).rev().max_by(|a, b| values[*a].estimate.total_cmp(&values[*b].estimate));
        let Some(best) = best else { break };
        point.clone_from(&next[best]);
        path.push(left.remove(best));
    }
    path.extend(left);
    Ok(path)
}

/// The point with this parameter at its tuned value.
fn step(point: &[f64], tuned: &[f64], parameter: usize) -> Vec<f64> {
    let value = |(index, (old, new)): (usize, (&f64, &f64))| if index == parameter { *new } else { *old };
    point.iter().zip(tuned).enumerate().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_changes_one_parameter() {
        assert_eq!(step(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 1), [1.0, 5.0, 3.0]);
    }

    #[test]
    fn all_choices_and_all_steps_are_counted() {
        // Three are tried, then two; four points are measured.
        assert_eq!(expected_games(3, 100), (3 + 2) * 25 + 4 * 100);
        assert_eq!(expected_games(1, 100), 2 * 100);
    }
}
