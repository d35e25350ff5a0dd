//! The set of agents that may be the best, with a guarantee that needs no hypothesis made beforehand.
//!
//! The agent that is best in the sample was chosen by looking at the results. An ordinary interval of its lead over
//! another agent ignores that choice, so its coverage is below 95 %. Here the result is a set of agents that contains
//! the true best with 95 % probability (subset selection, Gupta 1965; the same condition as in Hsu's multiple
//! comparisons with the best, 1984). An agent is removed from the set if a one-sided lower bound of another agent's
//! lead over it is above 0. The true best can be removed only by a bound of its own comparisons, and there are `k - 1`
//! of these. By Bonferroni's inequality each bound may have an error of 5 % / (k - 1), for any sizes and spreads of the
//! samples.

use super::Level;

/// The level of the bounds in a comparison of `k` agents: the lower end has an error of 5 % / (k - 1).
pub fn bound_level(k: usize) -> Level {
    Level::with_tail(0.05 / k.saturating_sub(1).max(1) as f64)
}

/// Whether each of `k` agents may be the best. `lead(i, j)` is the lower end, at [`bound_level`], of the interval of
/// the lead of agent `i` over agent `j`; `None` if it is unknown.
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
