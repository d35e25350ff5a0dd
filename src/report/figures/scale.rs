//! Linear and logarithmic scales, as coordinates for plotters.

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// Values beyond this would overflow when a range is doubled.
const LARGEST: f64 = 1e300;

/// A range of an axis. `low < high` always, both finite, and positive on a logarithmic scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scale {
    Linear { low: f64, high: f64 },
    Log { low: f64, high: f64 },
}

impl Scale {
    pub fn linear(low: f64, high: f64) -> Scale {
        let (low, high) = (low.clamp(-LARGEST, LARGEST), high.clamp(-LARGEST, LARGEST));
        // A shorter range is lost in the rounding of floating-point numbers.
        if high - low > 1e-9 * low.abs().max(high.abs()) {
            return Scale::Linear { low, high };
        }
        let margin = if low == 0.0 { 0.5 } else { 0.1 * low.abs() };
        Scale::Linear { low: low - margin, high: low + margin }
    }

    pub fn log(low: f64, high: f64) -> Scale {
        let (low, high) = (low.clamp(1.0 / LARGEST, LARGEST), high.clamp(1.0 / LARGEST, LARGEST));
        if high > low * 1.001 { Scale::Log { low, high } } else { Scale::Log { low: low / 2.0, high: low * 2.0 } }
    }

    /// The range of all usable values with a margin at both ends, or `None` without any.
    pub fn covering(values: impl IntoIterator<Item = f64>, log: bool, margin: f64) -> Option<Scale> {
        let usable = values.into_iter().filter(|value| value.is_finite() && (!log || *value > 0.0));
        let ends = usable.fold(None, |ends: Option<(f64, f64)>, value| match ends {
            None => Some((value, value)),
            Some((low, high)) => Some((low.min(value), high.max(value))),
        });
        let (low, high) = ends?;
        let exact = if log { Scale::log(low, high) } else { Scale::linear(low, high) };
        Some(exact.widened(margin))
    }

    /// The scale with this share of its length added at both ends.
    pub fn widened(self, margin: f64) -> Scale {
        match self {
            Scale::Linear { low, high } => {
                let by = (high - low) * margin;
                Scale::linear(low - by, high + by)
            }
            Scale::Log { low, high } => {
                let by = (high / low).powf(margin);
                Scale::log(low / by, high * by)
            }
        }
    }

    pub fn is_log(self) -> bool {
        matches!(self, Scale::Log { .. })
    }

    pub fn ends(self) -> (f64, f64) {
        match self {
            Scale::Linear { low, high } | Scale::Log { low, high } => (low, high),
        }
    }

    /// Whether a value can be shown at all.
    pub fn shows(self, value: f64) -> bool {
        value.is_finite() && (!self.is_log() || value > 0.0)
    }

    /// Where a value lies: 0 is the low end and 1 the high end. Values beyond an end are put on it.
    pub fn fraction(self, value: f64) -> f64 {
        let share = match self {
            Scale::Linear { low, high } => (value - low) / (high - low),
            Scale::Log { low, high } if value > 0.0 => (value / low).ln() / (high / low).ln(),
            Scale::Log { .. } => 0.0,
        };
        if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        start + (self.fraction(*value) * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        super::ticks::Ticks::of(*self, hint.max_num_points()).major.into_iter().map(|(value, _)| value).collect()
    }

    fn range(&self) -> Range<f64> {
        let (low, high) = self.ends();
        low..high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middle_map_where_they_should() {
        assert_eq!(Scale::linear(0.0, 10.0).map(&5.0, (100, 300)), 200);
        assert_eq!(Scale::log(1.0, 10_000.0).map(&100.0, (0, 1000)), 500);
        assert_eq!(Scale::log(1.0, 100.0).map(&0.0, (0, 1000)), 0);
        assert_eq!(Scale::linear(0.0, 1.0).map(&f64::NAN, (7, 9)), 7);
    }

    #[test]
    fn any_values_give_a_usable_range() {
        let cases: [&[f64]; 6] =
            [&[3.0], &[0.0], &[f64::NAN, 1.0, f64::INFINITY], &[-1e308, 1e308], &[1e18, 1e18 + 1.0], &[1e-320, 1e308]];
        for values in cases {
            for log in [false, true] {
                if let Some(scale) = Scale::covering(values.iter().copied(), log, 0.05) {
                    let (low, high) = scale.ends();
                    assert!(low < high && low.is_finite() && high.is_finite(), "{values:?}");
                    assert!(!log || low > 0.0);
                }
            }
        }
        assert_eq!(Scale::covering([-1.0, 0.0], true, 0.1), None);
        assert_eq!(Scale::covering([f64::NAN], false, 0.1), None);
    }
}
