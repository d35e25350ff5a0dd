//! Intervals, bootstrap and tests: pure functions of numbers.
//!
//! Where to look:
//! - one sample: [`Moments`] (streaming mean and t-interval), [`Summary`], [`quantiles`], [`ecdf()`], [`bootstrap`] (IQM and
//!   BCa), [`density()`], [`Ratio`] (a total per another total);
//! - a rate: [`proportions::wilson`];
//! - two samples: [`means`] (paired and Welch), [`ranks`] (Mann-Whitney, A12);
//! - two rates: [`proportions::difference`], [`PairedOutcomes`]; several: [`ChiSquare`];
//! - games that may be stopped: [`survival`];
//! - many comparisons at once: [`holm()`], [`Level::simultaneous`], [`best`];
//! - planning: [`power`]; stopping early: [`SequentialTest`]; equivalence: [`equivalence`].
//!
//! Two rules hold throughout. Every [`Interval`] is a two-sided 95 % confidence interval unless a [`Level`] is given, and
//! every test is two-sided unless its name says otherwise. A question that the data cannot answer has the answer `None`:
//! an empty sample, a single value where a spread is needed, or a NaN or infinity anywhere in a sample.

pub mod best;
pub mod bootstrap;
mod chi_square;
mod critical;
mod density;
mod ecdf;
pub mod equivalence;
pub mod forest;
mod holm;
mod interval;
pub mod means;
mod moments;
pub mod power;
pub mod proportions;
pub mod quantiles;
pub mod ranks;
mod ratio;
mod sequential;
mod summary;
pub mod survival;
mod variance_shares;

#[cfg(test)]
mod calibration;

pub use chi_square::ChiSquare;
pub use critical::Level;
pub use density::{Density, density};
pub use ecdf::ecdf;
pub use holm::holm;
pub use interval::Interval;
pub use means::Difference;
pub use moments::Moments;
pub use proportions::PairedOutcomes;
pub use ranks::MannWhitney;
pub use ratio::Ratio;
pub use sequential::{Decision, Look, SequentialTest};
pub use summary::Summary;
pub use variance_shares::VarianceShares;
