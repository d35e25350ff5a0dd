//! Intervals, bootstrap and tests: pure functions of numbers.
//!
//! Where to look:
//! - one sample: [`Moments`] (streaming mean and t-interval), [`Summary`], [`quantiles`], [`ecdf()`], [`bootstrap`] (IQM),
//!   [`density()`];
//! - a rate: [`proportions::wilson`];
//! - two samples: [`means`] (paired and Welch), [`ranks`] (Mann-Whitney, A12), [`bootstrap::iqm_difference`];
//! - two rates: [`proportions::difference`], [`PairedOutcomes`];
//! - many comparisons at once: [`holm()`].
//!
//! Two rules hold throughout. Every [`Interval`] is a two-sided 95 % confidence interval, and every test is two-sided.
//! A question the data cannot answer has the answer `None`: an empty sample, a single value where a spread is needed,
//! or a NaN or infinity anywhere in a sample.

pub mod bootstrap;
mod critical;
mod density;
mod ecdf;
mod holm;
mod interval;
pub mod means;
mod moments;
pub mod proportions;
pub mod quantiles;
pub mod ranks;
mod summary;

#[cfg(test)]
mod calibration;

pub use density::{Density, density};
pub use ecdf::ecdf;
pub use holm::holm;
pub use interval::Interval;
pub use means::Difference;
pub use moments::Moments;
pub use proportions::PairedOutcomes;
pub use ranks::MannWhitney;
pub use summary::Summary;
