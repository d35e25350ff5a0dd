//! The share of a forest's variance that comes from each input and from each pair of inputs: functional analysis of
//! variance (F. Hutter, H. Hoos, K. Leyton-Brown, "An Efficient Approach for Assessing Hyperparameter Importance", ICML
//! 2014).
//!
//! The variance is over the uniform distribution on the unit cube. A tree is constant on boxes, so all integrals are
//! exact sums. The share of an input is the variance of the tree's mean over all other inputs. The share of a pair is
//! the variance that both explain together minus what each explains alone.

use super::forest::{Forest, Leaf, Tree};

/// Shares of the total variance.
#[derive(Clone, Debug, PartialEq)]
pub struct VarianceShares {
    /// The share of each input alone.
    pub single: Vec<f64>,
    /// The share of each pair of inputs `(first, second)` with `first < second`, without their single shares.
    pub pairs: Vec<((usize, usize), f64)>,
}

impl VarianceShares {
    /// The mean over the trees of a forest. A tree that is constant explains nothing and is left out.
    pub fn of(forest: &Forest, inputs: usize) -> VarianceShares {
        let shares: Vec<VarianceShares> = forest.trees.iter().filter_map(|tree| of_tree(tree, inputs)).collect();
        let mean =
            |read: &dyn Fn(&VarianceShares) -> f64| shares.iter().map(read).sum::<f64>() / shares.len().max(1) as f64;
        let pairs = pairs(inputs);
        VarianceShares {
            single: (0..inputs).map(|input| mean(&|shares| shares.single[input])).collect(),
            pairs: (0..)
                .zip(pairs)
                .map(|(place, pair)| (pair, mean(&|shares: &VarianceShares| shares.pairs[place].1)))
                .collect(),
        }
    }
}

fn pairs(inputs: usize) -> Vec<(usize, usize)> {
    (0..inputs).flat_map(|first| (first + 1..inputs).map(move |second| (first, second))).collect()
}

fn of_tree(tree: &Tree, inputs: usize) -> Option<VarianceShares> {
    let volumes: Vec<f64> =
        tree.leaves.iter().map(|leaf| (0..inputs).map(|input| length(leaf, input)).product()).collect();
    let leaves = || tree.leaves.iter().zip(&volumes);
    let mean: f64 = leaves().map(|(leaf, volume)| volume * leaf.value).sum();
    let total: f64 = leaves().map(|(leaf, volume)| volume * (leaf.value - mean) * (leaf.value - mean)).sum();
    if total <= f64::EPSILON * mean * mean || !total.is_finite() {
        return None;
    }
    let marginals = Marginals { tree, volumes: &volumes, mean };
    let single: Vec<f64> = (0..inputs).map(|input| marginals.single(input)).collect();
    let pair = |(first, second)| {
        let beyond = marginals.pair(first, second) - single[first] - single[second];
        // The difference cannot be negative except by rounding.
        ((first, second), beyond.max(0.0) / total)
    };
    let pairs = pairs(inputs).into_iter().map(pair).collect();
    Some(VarianceShares { single: single.iter().map(|variance| variance / total).collect(), pairs })
}

fn length(leaf: &Leaf, input: usize) -> f64 {
    leaf.high[input] - leaf.low[input]
}

/// Variances of a tree's mean over all but one or two inputs.
struct Marginals<'a> {
    tree: &'a Tree,
    volumes: &'a [f64],
    mean: f64,
}

impl Marginals<'_> {
    fn single(&self, input: usize) -> f64 {
        let ends = self.ends(input);
        let mut means = vec![0.0; ends.len() - 1];
        for (leaf, volume) in self.tree.leaves.iter().zip(self.volumes) {
            let part = leaf.value * volume / length(leaf, input);
            means[covered(&ends, leaf, input)].iter_mut().for_each(|mean| *mean += part);
        }
        let squares: f64 =
            means.iter().zip(ends.windows(2)).map(|(mean, ends)| mean * mean * (ends[1] - ends[0])).sum();
        (squares - self.mean * self.mean).max(0.0)
    }

    fn pair(&self, first: usize, second: usize) -> f64 {
        let (across, along) = (self.ends(first), self.ends(second));
        let mut means = vec![vec![0.0; along.len() - 1]; across.len() - 1];
        for (leaf, volume) in self.tree.leaves.iter().zip(self.volumes) {
            let part = leaf.value * volume / length(leaf, first) / length(leaf, second);
            let columns = covered(&along, leaf, second);
            for row in &mut means[covered(&across, leaf, first)] {
                row[columns.clone()].iter_mut().for_each(|mean| *mean += part);
            }
        }
        let row = |(row, ends): (&Vec<f64>, &[f64])| {
            let squares = row.iter().zip(along.windows(2)).map(|(mean, ends)| mean * mean * (ends[1] - ends[0]));
            squares.sum::<f64>() * (ends[1] - ends[0])
        };
        means.iter().zip(across.windows(2)).map(row).sum::<f64>() - self.mean * self.mean
    }

    /// All values of an input at which a box of the tree starts or ends, from 0 to 1.
    fn ends(&self, input: usize) -> Vec<f64> {
        let mut ends: Vec<f64> = self.tree.leaves.iter().map(|leaf| leaf.low[input]).chain([0.0, 1.0]).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        ends
    }
}

/// The segments between neighbouring ends that a leaf covers.
fn covered(ends: &[f64], leaf: &Leaf, input: usize) -> std::ops::Range<usize> {
    let place = |end: f64| ends.partition_point(|known| *known < end);
    place(leaf.low[input])..place(leaf.high[input])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded;
    use crate::stats::forest::tests::observe;

    fn leaf(low: [f64; 2], high: [f64; 2], value: f64) -> Leaf {
        Leaf { low: low.to_vec(), high: high.to_vec(), value }
    }

    #[test]
    fn the_shares_of_a_tree_computed_by_hand() {
        // 0 below one half of the first input, and 0 or 4 above it by the second one.
        let leaves = vec![
            leaf([0.0, 0.0], [0.5, 1.0], 0.0),
            leaf([0.5, 0.0], [1.0, 0.5], 0.0),
            leaf([0.5, 0.5], [1.0, 1.0], 4.0),
        ];
        // The mean is 1 and the variance 3. Along the first input the means are 0 and 2, with variance 1. The same
        // holds for the second input. The rest belongs to the pair.
        let shares = VarianceShares::of(&Forest { trees: vec![Tree { leaves }] }, 2);
        let third = 1.0 / 3.0;
        for share in [shares.single[0], shares.single[1], shares.pairs[0].1] {
            assert!((share - third).abs() < 1e-12, "{shares:?}");
        }
    }

    #[test]
    fn shares_agree_with_a_known_function() {
        // The variances of 4 x, 2 y and the pure interaction 12 (x - 1/2) (z - 1/2) are 16/12, 4/12 and 12/12.
        let function = |x: &[f64]| 4.0 * x[0] + 2.0 * x[1] + 12.0 * (x[0] - 0.5) * (x[2] - 0.5);
        let forest = Forest::grow(&observe(4_000, 3, 0.2, function), 32, &mut seeded(1));
        let shares = VarianceShares::of(&forest, 3);
        let pair = |wanted| shares.pairs.iter().find(|(pair, _)| *pair == wanted).unwrap().1;
        let expected =
            [(shares.single[0], 0.5), (shares.single[1], 0.125), (shares.single[2], 0.0), (pair((0, 2)), 0.375)];
        for (share, truth) in expected {
            assert!((share - truth).abs() < 0.08, "{share} instead of {truth}: {shares:?}");
        }
        assert!(pair((0, 1)) < 0.05 && pair((1, 2)) < 0.05);
    }

    #[test]
    fn a_constant_forest_explains_nothing() {
        let forest = Forest::grow(&observe(100, 2, 0.0, |_| 5.0), 3, &mut seeded(1));
        let shares = VarianceShares::of(&forest, 2);
        assert!(shares.single.iter().all(|share| *share == 0.0) && shares.pairs[0].1 == 0.0);
    }
}
