//! Normally distributed numbers that are the same on every CPU.

use rand::Rng as _;

use crate::rng::Rng;

/// A number from the standard normal distribution, by Marsaglia's polar method (G. Marsaglia, T. A. Bray, "A Convenient
/// Method for Generating Normal Variables", 1964).
///
/// The system's logarithm differs in the last bit between CPUs; the one of `libm` does not.
pub(super) fn standard_normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (rng.random_range(-1.0..1.0f64), rng.random_range(-1.0..1.0f64));
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * libm::log(square) / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded;

    #[test]
    fn moments_are_those_of_a_standard_normal_distribution() {
        let mut rng = seeded(1);
        let sample: Vec<f64> = (0..200_000).map(|_| standard_normal(&mut rng)).collect();
        let moment = |power: i32| sample.iter().map(|x| x.powi(power)).sum::<f64>() / sample.len() as f64;
        // Five standard errors of each moment. Its variance is the moment of twice the power minus its square.
        for (power, expected, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let tolerance = 5.0 * f64::sqrt(variance / sample.len() as f64);
            assert!((moment(power) - expected).abs() < tolerance, "moment {power} is {}", moment(power));
        }
    }
}
