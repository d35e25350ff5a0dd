//! The margin of CMA-ES for integers and choices.
//!
//! The unit interval is divided into one part for each discrete value, and a coordinate is rounded to the value of its
//! part. If the distribution is narrower than a part, all candidates have the same value and nothing is learned about
//! the others. The margin keeps the probability of another value at 1 / (dimensions x population) or more for each
//! candidate, as in the paper. In the first and the last part the mean is kept close enough to the only border. In a
//! part between two borders the steps are stretched until both borders can be reached. The covariance is learned from
//! the unstretched steps, so real coordinates are not affected.
//!
//! One thing is simpler than in the paper: the stretch is computed from each distribution again and not accumulated.
//!
//! Reference: R. Hamano, S. Saito, M. Nomura, S. Shirakawa, "CMA-ES with Margin: Lower-Bounding Marginal Probability
//! for Mixed-Integer Black-Box Optimization", GECCO 2022.

use super::space::{Dimension, Space};

/// Keeps the probability of other values of discrete coordinates above a limit.
pub(super) struct Margin {
    dimensions: Vec<Dimension>,
    /// By how much the steps of each coordinate are stretched; 1 for real ones.
    stretch: Vec<f64>,
    /// The largest distance from the mean to a border in standard deviations, for parts with one border and with two.
    reach: [f64; 2],
}

impl Margin {
    pub fn new(space: &Space, population: usize) -> Self {
        let dimensions = space.dimensions().to_vec();
        let least = 1.0 / (dimensions.len() * population) as f64;
        Margin { stretch: vec![1.0; dimensions.len()], dimensions, reach: [least, least / 2.0].map(upper_quantile) }
    }

    pub fn stretched(&self, steps: &[f64]) -> Vec<f64> {
        steps.iter().zip(&self.stretch).map(|(step, stretch)| step * stretch).collect()
    }

    pub fn unstretched(&self, steps: &[f64]) -> Vec<f64> {
        steps.iter().zip(&self.stretch).map(|(step, stretch)| step / stretch).collect()
    }

    /// Adjusts the mean and the stretch to a distribution with these standard deviations.
    pub fn keep(&mut self, mean: &mut [f64], spreads: &[f64]) {
        let [one, two] = self.reach;
        for (index, dimension) in self.dimensions.iter().enumerate() {
            let Some((low, high)) = dimension.part(mean[index]) else { continue };
            let value = dimension.to_user(mean[index]);
            self.stretch[index] = 1.0;
            let reach = one * spreads[index];
            if value <= dimension.low {
                mean[index] = mean[index].max(high - reach);
            } else if value >= dimension.high {
                mean[index] = mean[index].min(low + reach);
            } else {
                self.stretch[index] = ((high - low) / (2.0 * two * spreads[index])).max(1.0);
                let reach = two * spreads[index] * self.stretch[index];
                mean[index] = mean[index].max(high - reach).min(low + reach);
            }
        }
    }
}

/// The number that a standard normal variable exceeds with this probability, to 0.0005. The formula is 26.2.23 of
/// M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964. It is the same on every CPU.
fn upper_quantile(probability: f64) -> f64 {
    let t = (-2.0 * libm::log(probability.clamp(1e-300, 0.5))).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    t - above / below
}

#[cfg(test)]
mod tests {
    use super::super::Scale;
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_normal_distribution() {
        for (probability, quantile) in [(0.5, 0.0), (0.025, 1.959964), (0.001, 3.090232)] {
            assert!((upper_quantile(probability) - quantile).abs() < 5e-4, "{probability}");
        }
    }

    #[test]
    fn another_value_stays_in_reach_of_a_narrow_distribution() {
        let dimension = |name: &str, scale, high| Dimension { name: name.into(), start: 0.0, low: 0.0, high, scale };
        let space = vec![
            dimension("switch", Scale::Choice, 1.0),
            dimension("count", Scale::Integer, 4.0),
            dimension("weight", Scale::Linear, 1.0),
        ];
        let mut margin = Margin::new(&Space::new(space).unwrap(), 20);
        let (mut mean, spreads) = (vec![0.1, 0.45, 0.3], [1e-3; 3]);
        margin.keep(&mut mean, &spreads);
        // The switch has one border, at 0.5. A 60th of the candidates lies beyond it.
        assert!((mean[0] - (0.5 - 1e-3 * upper_quantile(1.0 / 60.0))).abs() < 1e-12, "{mean:?}");
        // The third of five counts has borders at 0.4 and 0.6; a 120th of the candidates lies beyond each.
        let stretched = 1e-3 * margin.stretch[1];
        assert!((mean[1] - 0.5).abs() < 1e-12, "{mean:?}");
        assert!((0.1 / stretched - upper_quantile(1.0 / 120.0)).abs() < 1e-9);
        assert_eq!((mean[2], margin.stretch[2]), (0.3, 1.0));
        assert_eq!(margin.unstretched(&margin.stretched(&[1.0, 2.0, 3.0])), [1.0, 2.0, 3.0]);
    }
}
