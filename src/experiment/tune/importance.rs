//! Which parameters matter: random forests learn the objective from all evaluations of a search, and their variance is
//! divided between the parameters (functional ANOVA).
//!
//! The shares are over the whole space, with equal weight for all points. A search visits good regions more often than
//! others, so the forest is less accurate in the rest. The interval comes from forests that are fitted to resampled
//! evaluations.

use rayon::prelude::*;

use super::search_run::SearchRun;
use crate::optimize::{Space, Trial};
use crate::rng::{derive, seeded};
use crate::stats::forest::{Forest, Observations};
use crate::stats::quantiles::quantile;
use crate::stats::{Interval, VarianceShares};

/// The number of forests. Each is fitted to resampled evaluations.
const REFITS: u64 = 40;
/// Trees of each forest.
const TREES: usize = 8;
/// With fewer evaluations a forest would only fit noise.
const FEWEST: usize = 30;
/// The random stream of the forests, which differs from those of games and solvers.
const STREAM: u64 = u64::from_be_bytes(*b"forests\0");
/// Values of each parameter in a landscape.
const GRID: usize = 25;
/// Landscapes are drawn for all pairs of this many parameters, the ones that explain most.
const SHOWN: usize = 5;

/// The share of one parameter, or of two together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Share {
    pub parameter: usize,
    /// The other parameter of a pair.
    pub other: Option<usize>,
    pub share: Interval,
}

/// The forest's value where two parameters have these values and all others those of the recommendation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LandscapePoint {
    pub parameters: (usize, usize),
    /// In the user's units.
    pub at: (f64, f64),
    pub value: f64,
}

/// The importance of parameters by the forests.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Importance {
    /// Single parameters first, then pairs; each from the largest share to the smallest.
    pub shares: Vec<Share>,
    pub landscape: Vec<LandscapePoint>,
}

/// Fits the forests. The result is empty for a search with very few evaluations.
pub(super) fn importance(space: &Space, seed: u64, run: &SearchRun) -> Importance {
    let observations = observations(space, run);
    if observations.values.len() < FEWEST {
        return Importance::default();
    }
    let inputs = space.dimensions().len();
    let refit = |refit: u64| {
        let mut rng = seeded(derive(derive(seed, STREAM), refit));
        Forest::grow(&observations.resampled(&mut rng), TREES, &mut rng)
    };
    let forests: Vec<Forest> = (0..REFITS).into_par_iter().map(refit).collect();
    let split: Vec<VarianceShares> = forests.par_iter().map(|forest| VarianceShares::of(forest, inputs)).collect();
    let shares = shares(&split, inputs);
    let mut shown: Vec<usize> = shares.iter().take(inputs).map(|share| share.parameter).take(SHOWN).collect();
    shown.sort();
    Importance { landscape: landscape(space, &forests, &shown, &run.result.recommendation), shares }
}

fn observations(space: &Space, run: &SearchRun) -> Observations {
    let trials: Vec<&Trial> = run.result.trials.iter().chain(&run.result.race).collect();
    Observations {
        inputs: trials.iter().map(|trial| space.to_unit(&trial.candidate.point)).collect(),
        values: trials.iter().map(|trial| trial.evaluation.mean).collect(),
        weights: trials.iter().map(|trial| trial.evaluation.games as f64).collect(),
    }
}

fn shares(refits: &[VarianceShares], inputs: usize) -> Vec<Share> {
    let single = |parameter: usize| {
        let values: Vec<f64> = refits.iter().map(|shares| shares.single[parameter]).collect();
        Some(Share { parameter, other: None, share: over_refits(&values)? })
    };
    let pair = |place: usize| {
        let values: Vec<f64> = refits.iter().map(|shares| shares.pairs[place].1).collect();
        let (parameter, other) = refits.first()?.pairs.get(place)?.0;
        Some(Share { parameter, other: Some(other), share: over_refits(&values)? })
    };
    let mut singles: Vec<Share> = (0..inputs).filter_map(single).collect();
    let mut pairs: Vec<Share> = (0..inputs * (inputs - 1) / 2).filter_map(pair).collect();
    for list in [&mut singles, &mut pairs] {
        list.sort_by(|a, b| b.share.estimate.total_cmp(&a.share.estimate));
    }
    [singles, pairs].concat()
}

/// The mean over all refits, and the middle 95 % of them.
fn over_refits(values: &[f64]) -> Option<Interval> {
    let estimate = values.iter().sum::<f64>() / values.len() as f64;
    Some(Interval { estimate, low: quantile(values, 0.025)?, high: quantile(values, 0.975)? })
}

fn landscape(space: &Space, forests: &[Forest], shown: &[usize], centre: &[f64]) -> Vec<LandscapePoint> {
    let centre = space.to_unit(centre);
    let pairs = shown
        .iter()
        .enumerate()
        .flat_map(|(place, &first)| shown[place + 1..].iter().map(move |&second| (first, second)));
    let places = pairs.flat_map(|pair| (0..GRID * GRID).map(move |cell| (pair, (cell % GRID, cell / GRID))));
    let places: Vec<((usize, usize), (usize, usize))> = places.collect();
    let value = |&((first, second), (column, row)): &((usize, usize), (usize, usize))| {
        let mut unit = centre.clone();
        unit[first] = column as f64 / (GRID - 1) as f64;
        unit[second] = row as f64 / (GRID - 1) as f64;
        let user = space.to_user(&unit);
        let value = forests.iter().map(|forest| forest.predict(&unit)).sum::<f64>() / forests.len() as f64;
        LandscapePoint { parameters: (first, second), at: (user[first], user[second]), value }
    };
    places.par_iter().map(value).collect()
}
