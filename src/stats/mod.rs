//! Statistics: confidence intervals, the bootstrap and tests, as pure functions of numbers.
//!
//! Where to look:
//! - one sample: [`Moments`] (streaming mean and t-interval), [`Summary`], [`quantiles`], [`ecdf()`], [`bootstrap`]
//!   (IQM and BCa), [`density()`], [`Ratio`] (a total per another total);
//! - a rate: [`proportions::wilson`];
//! - two samples: [`means`] (paired and Welch), [`ranks`] (Mann-Whitney, A12);
//! - two rates: [`proportions::difference`], [`PairedOutcomes`]; several: [`ChiSquare`];
//! - games that may be stopped: [`survival`];
//! - many comparisons at once: [`holm()`], [`Level::simultaneous`], [`best`];
//! - planning: [`power`]; stopping early: [`SequentialTest`]; equivalence: [`equivalence`].
//!
//! Two rules apply everywhere. Every [`Interval`] is a two-sided 95 % confidence interval unless a [`Level`] is given,
//! and every test is two-sided unless its name says otherwise. The result is `None` if the data do not allow one: for
//! an empty sample, for a single value if a spread is needed, and for a sample with a NaN or infinity.

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
