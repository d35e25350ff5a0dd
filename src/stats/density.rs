//! A kernel density estimate for violin plots.

use std::f64::consts::PI;

use super::Moments;
use super::quantiles::{quantile_of_sorted, sorted};

/// An estimated density on an even grid from the least value to the greatest. So a violin plot shows no score beyond
/// those in the sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Density {
    /// The standard deviation of the kernels.
    pub bandwidth: f64,
    /// (value, density), ascending.
    pub points: Vec<(f64, f64)>,
}

/// The Gaussian kernel density at `points` grid points. `None` for a sample without spread, or for fewer than 2 points.
pub fn density(values: &[f64], points: usize) -> Option<Density> {
    let sorted = sorted(values)?;
    let bandwidth = silverman(&sorted)?;
    let (least, greatest) = (*sorted.first()?, *sorted.last()?);
    let step = (greatest - least) / points.checked_sub(1).filter(|&steps| steps > 0)? as f64;
    let grid = (0..points).map(|i| least + step * i as f64);
    Some(Density { bandwidth, points: grid.map(|x| (x, density_at(&sorted, bandwidth, x))).collect() })
}

/// Silverman's rule of thumb (1986, equation 3.31): 0.9 min(sd, IQR / 1.34) n^(-1/5). If the IQR is 0, only the sd is
/// used.
fn silverman(sorted: &[f64]) -> Option<f64> {
    let sd = Moments::of(sorted).sd().filter(|&sd| sd > 0.0)?;
    let robust = (quantile_of_sorted(sorted, 0.75)? - quantile_of_sorted(sorted, 0.25)?) / 1.34;
    let spread = if robust > 0.0 { sd.min(robust) } else { sd };
    Some(0.9 * spread * (sorted.len() as f64).powf(-0.2))
}

fn density_at(sorted: &[f64], bandwidth: f64, x: f64) -> f64 {
    // Beyond 8 bandwidths a kernel is below 1e-14 of its peak.
    let from = sorted.partition_point(|&value| value < x - 8.0 * bandwidth);
    let to = sorted.partition_point(|&value| value <= x + 8.0 * bandwidth);
    let kernels: f64 = sorted[from..to].iter().map(|value| (-0.5 * ((x - value) / bandwidth).powi(2)).exp()).sum();
    kernels / (sorted.len() as f64 * bandwidth * (2.0 * PI).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCORES: [f64; 10] = [12.0, 15.0, 9.0, 20.0, 31.0, 7.0, 18.0, 15.0, 22.0, 11.0];

    #[test]
    fn known_density() {
        // numpy 2: Silverman's formula, and the mean of scipy 1.17 norm.pdf over the kernels.
        let found = density(&SCORES, 25).unwrap();
        assert!((found.bandwidth - 3.4961628975861454).abs() < 1e-12);
        for (x, known) in [(10.0, 0.048754472666678296), (15.0, 0.053635748054589864), (25.0, 0.016551815495695784)] {
            let (_, density) = found.points.iter().find(|point| point.0 == x).unwrap();
            assert!((density - known).abs() < 1e-12);
        }
        assert_eq!((found.points[0].0, found.points[24].0), (7.0, 31.0));
    }

    #[test]
    fn mostly_equal_values_still_have_a_density() {
        let found = density(&[1.0, 1.0, 1.0, 1.0, 1.0, 2.0], 50).unwrap();
        assert!(found.bandwidth > 0.0 && found.points.iter().all(|point| point.1.is_finite()));
    }

    #[test]
    fn samples_without_spread_have_none() {
        assert_eq!(density(&[], 50), None);
        assert_eq!(density(&[1.0], 50), None);
        assert_eq!(density(&[1.0; 9], 50), None);
        assert_eq!(density(&[1.0, f64::NAN], 50), None);
        assert_eq!(density(&SCORES, 1), None);
    }
}
