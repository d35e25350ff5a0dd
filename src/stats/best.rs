//! Which agents may be the best, with a guarantee that holds although nobody named a favourite beforehand.
//!
//! The agent that is best in the sample was chosen by looking at the results. An ordinary interval of its lead over
//! another agent ignores that choice and claims too much. This is the answer that allows for it: a set of agents that
//! holds the true best with 95 % (subset selection, Gupta 1965; the same condition as in Hsu's multiple comparisons with
//! the best, 1984). An agent leaves the set when any other agent is ahead of it beyond the error of a one-sided bound.
//! Only bounds against the true best can remove the true best, and there are `k - 1` of them. Bonferroni's inequality
//! then gives each bound an error of 5 % / (k - 1), whatever the sizes and spreads of the samples.

use super::Level;

/// The level of the bounds in a comparison of `k` agents: the lower end has an error of 5 % / (k - 1).
pub fn bound_level(k: usize) -> Level {
    Level::with_tail(0.05 / k.saturating_sub(1).max(1) as f64)
}

/// Whether each of `k` agents may be the best. `lead(i, j)` is the lower end of the interval, at [`bound_level`], of how
/// far agent `i` is ahead of agent `j`; `None` where it is unknown.
pub fn may_be_best(k: usize, lead: impl Fn(usize, usize) -> Option<f64>) -> Vec<bool> {
    let behind = |j: usize| (0..k).any(|i| i != j && lead(i, j).is_some_and(|lead| lead > 0.0));
    (0..k).map(|j| !behind(j)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_is_clearly_behind_leaves_the_set() {
        let estimates: [f64; 4] = [10.0, 9.5, 4.0, 9.9];
        let lead = |i: usize, j: usize| Some(estimates[i] - estimates[j] - 1.0);
        assert_eq!(may_be_best(4, lead), [true, true, false, true]);
        assert_eq!(may_be_best(4, |_, _| None), [true; 4]);
        assert_eq!(may_be_best(1, lead), [true]);
        assert_eq!(may_be_best(0, lead), Vec::<bool>::new());
    }

    #[test]
    fn each_of_the_k_minus_1_bounds_has_its_share_of_the_error() {
        assert!((bound_level(2).tail() - 0.05).abs() < 1e-15);
        assert!((bound_level(24).tail() - 0.05 / 23.0).abs() < 1e-15);
        assert!(bound_level(1).z().is_finite());
    }
}
