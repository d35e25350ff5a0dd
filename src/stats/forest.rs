//! A random forest for regression (Breiman 2001): the mean of trees that divide the unit cube into boxes.
//!
//! Each tree is grown on observations drawn with replacement, and each split considers a random subset of the inputs.
//! Values are noisy, so a leaf contains many of them and has their mean.
//!
//! No crate is used, because the leaves are needed to decompose the variance (see `variance_shares.rs`). Of the
//! maintained crates, linfa-trees has classification trees only, and smartcore hides its leaves and needs another
//! version of `rand`.

use rand::Rng as _;

use crate::rng::Rng;

/// Inputs in the unit cube with their values and weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observations {
    /// One point of the unit cube for each observation.
    pub inputs: Vec<Vec<f64>>,
    /// The observed values.
    pub values: Vec<f64>,
    /// The weight of each value: its number of games.
    pub weights: Vec<f64>,
}

impl Observations {
    /// A bootstrap sample: the same number of observations, drawn with replacement.
    pub fn resampled(&self, rng: &mut Rng) -> Observations {
        let chosen: Vec<usize> = (0..self.values.len()).map(|_| rng.random_range(0..self.values.len())).collect();
        Observations {
            inputs: chosen.iter().map(|&index| self.inputs[index].clone()).collect(),
            values: chosen.iter().map(|&index| self.values[index]).collect(),
            weights: chosen.iter().map(|&index| self.weights[index]).collect(),
        }
    }
}

/// A box of the unit cube in which a tree has one value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf {
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    pub value: f64,
}

/// A regression tree: boxes that fill the unit cube.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub(super) leaves: Vec<Leaf>,
}

/// The mean of several trees.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    pub(super) trees: Vec<Tree>,
}

/// The maximum number of observations of a tree. More would not make its leaves smaller.
const MOST_DRAWS: usize = 2_000;
/// A leaf has at least 1/64 of a tree's observations, and at least three.
const LEAF_SHARE: usize = 64;
const FEWEST_IN_LEAF: usize = 3;
/// The fraction of the inputs that a split considers, as in the forests of SMAC (Hutter, Hoos, Leyton-Brown 2011).
const TRIED: f64 = 5.0 / 6.0;

impl Forest {
    /// Grows this many trees. The observations must not be empty, and every input must have the same length.
    pub fn grow(observations: &Observations, trees: usize, rng: &mut Rng) -> Forest {
        Forest { trees: (0..trees).map(|_| Tree::grow(observations, rng)).collect() }
    }

    /// The mean of the trees at a point of the unit cube.
    pub fn predict(&self, point: &[f64]) -> f64 {
        self.trees.iter().map(|tree| tree.predict(point)).sum::<f64>() / self.trees.len().max(1) as f64
    }
}

impl Tree {
    fn grow(observations: &Observations, rng: &mut Rng) -> Tree {
        let draws = observations.values.len().min(MOST_DRAWS);
        let drawn: Vec<usize> = (0..draws).map(|_| rng.random_range(0..observations.values.len())).collect();
        let inputs = observations.inputs.first().map_or(0, Vec::len);
        let fewest = (draws / LEAF_SHARE).max(FEWEST_IN_LEAF);
        let mut growth = Growth { observations, fewest, leaves: Vec::new(), rng };
        growth.divide(drawn, vec![0.0; inputs], vec![1.0; inputs]);
        Tree { leaves: growth.leaves }
    }

    fn predict(&self, point: &[f64]) -> f64 {
        // The upper face of the cube belongs to the last boxes.
        let inside = |leaf: &Leaf| {
            let ends = leaf.low.iter().zip(&leaf.high).zip(point);
            ends.into_iter().all(|((low, high), at)| low <= at && (at < high || *high >= 1.0))
        };
        self.leaves.iter().find(|leaf| inside(leaf)).map_or(f64::NAN, |leaf| leaf.value)
    }
}

/// A tree while it grows.
struct Growth<'a> {
    observations: &'a Observations,
    fewest: usize,
    leaves: Vec<Leaf>,
    rng: &'a mut Rng,
}

/// A split of a box at a value of an input.
#[derive(Clone, Copy, Debug)]
struct Split {
    input: usize,
    at: f64,
    /// The reduction of the weighted squared error.
    gain: f64,
}

impl Growth<'_> {
    /// Splits a box recursively, as long as both sides have enough observations.
    fn divide(&mut self, members: Vec<usize>, low: Vec<f64>, high: Vec<f64>) {
        let Some(split) = self.best_split(&members) else {
            let (weight, sum) = self.total(&members);
            self.leaves.push(Leaf { low, high, value: sum / weight });
            return;
        };
        let (below, above): (Vec<usize>, Vec<usize>) =
            members.into_iter().partition(|&member| self.observations.inputs[member][split.input] < split.at);
        let (mut middle_high, mut middle_low) = (high.clone(), low.clone());
        middle_high[split.input] = split.at;
        middle_low[split.input] = split.at;
        self.divide(below, low, middle_high);
        self.divide(above, middle_low, high);
    }

    /// The weight and the weighted sum of some observations.
    fn total(&self, members: &[usize]) -> (f64, f64) {
        let Observations { values, weights, .. } = self.observations;
        members.iter().fold((0.0, 0.0), |(weight, sum), &member| {
            (weight + weights[member], sum + weights[member] * values[member])
        })
    }

    fn best_split(&mut self, members: &[usize]) -> Option<Split> {
        if members.len() < 2 * self.fewest {
            return None;
        }
        let inputs = self.observations.inputs.first().map_or(0, Vec::len);
        let tried = ((inputs as f64 * TRIED).round() as usize).max(1);
        let mut order: Vec<usize> = (0..inputs).collect();
        for place in 0..tried.min(inputs) {
            order.swap(place, self.rng.random_range(place..inputs));
        }
        let splits = order.into_iter().take(tried).filter_map(|input| self.best_split_of_input(members, input));
        splits.max_by(|a, b| a.gain.total_cmp(&b.gain))
    }

    fn best_split_of_input(&self, members: &[usize], input: usize) -> Option<Split> {
        let Observations { inputs, values, weights } = self.observations;
        let mut sorted = members.to_vec();
        sorted.sort_by(|&a, &b| inputs[a][input].total_cmp(&inputs[b][input]).then(a.cmp(&b)));
        let (weight, sum) = self.total(&sorted);
        let (mut left_weight, mut left_sum) = (0.0, 0.0);
        let mut best: Option<Split> = None;
        for (index, pair) in sorted.windows(2).enumerate() {
            left_weight += weights[pair[0]];
            left_sum += weights[pair[0]] * values[pair[0]];
            let (below, above) = (inputs[pair[0]][input], inputs[pair[1]][input]);
            let enough = index + 1 >= self.fewest && sorted.len() - index > self.fewest;
            if !enough || below >= above {
                continue;
            }
            let right_sum = sum - left_sum;
            let gain = left_sum * left_sum / left_weight + right_sum * right_sum / (weight - left_weight);
            let gain = gain - sum * sum / weight;
            // The midpoint of two neighbouring numbers may round to the lower one. Then it would not separate them.
            let middle = (below + above) / 2.0;
            let at = if middle > below { middle } else { above };
            if gain > 0.0 && best.is_none_or(|best| gain > best.gain) {
                best = Some(Split { input, at, gain });
            }
        }
        best
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rng::seeded;

    /// A function on random points of the cube, with noise of this size.
    pub fn observe(count: usize, inputs: usize, noise: f64, function: impl Fn(&[f64]) -> f64) -> Observations {
        let mut rng = seeded(9);
        let mut observations = Observations::default();
        for _ in 0..count {
            let point: Vec<f64> = (0..inputs).map(|_| rng.random::<f64>()).collect();
            observations.values.push(function(&point) + noise * (rng.random::<f64>() - 0.5));
            observations.inputs.push(point);
            observations.weights.push(1.0);
        }
        observations
    }

    #[test]
    fn the_leaves_of_a_tree_fill_the_cube() {
        let forest = Forest::grow(&observe(500, 3, 0.1, |x| x[0] * x[1]), 4, &mut seeded(1));
        for tree in &forest.trees {
            let volume = |leaf: &Leaf| leaf.low.iter().zip(&leaf.high).map(|(low, high)| high - low).product::<f64>();
            assert!((tree.leaves.iter().map(volume).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(tree.leaves.len() > 10);
        }
        for corner in [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.3, 1.0, 0.0]] {
            assert!(forest.predict(&corner).is_finite());
        }
    }

    #[test]
    fn a_forest_approximates_a_noisy_function() {
        let forest = Forest::grow(&observe(4_000, 2, 1.0, |x| 2.0 * x[0]), 20, &mut seeded(2));
        for at in [0.1, 0.5, 0.9] {
            let error = (forest.predict(&[at, 0.4]) - 2.0 * at).abs();
            assert!(error < 0.15, "{at}: {error}");
        }
    }

    #[test]
    fn weights_count_as_repetitions() {
        let (inputs, values) = (vec![vec![0.5]; 2], vec![0.0, 4.0]);
        let forest = Forest::grow(&Observations { inputs, values, weights: vec![1.0, 1e9] }, 20, &mut seeded(3));
        // Trees that drew the heavy observation have its value, and the others 0.
        assert!(forest.trees.iter().all(|tree| [0.0, 4.0].iter().any(|v| (tree.leaves[0].value - v).abs() < 1e-6)));
    }

    #[test]
    fn equal_inputs_and_values_give_one_leaf() {
        let same = Observations { inputs: vec![vec![0.2]; 50], values: vec![7.0; 50], weights: vec![1.0; 50] };
        let forest = Forest::grow(&same, 3, &mut seeded(4));
        assert!(forest.trees.iter().all(|tree| tree.leaves.len() == 1 && tree.leaves[0].value == 7.0));
    }
}
