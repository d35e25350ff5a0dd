//! The mean score against depth, a budget or any other number, with 95 % intervals.

use crate::report::figures::lines::{Column, against_x};
use crate::report::figures::registry::{Built, CompareChart};
use crate::report::figures::request::View;

pub const KIND: CompareChart = CompareChart {
    name: "score",
    about: "mean score against depth or a budget, one line for each series",
    caption: "Mean score{games}. Bars are 95 % confidence intervals.",
    by_default: |agents| agents.have_tiles(),
    is_measured: false,
    build,
    #[cfg(test)]
    sample: super::cost::tests::sample,
};

fn build(view: &View) -> Built {
    let y_label = view.score_label("Mean score");
    Ok(Box::new(against_x(view, Column { name: "mean_score", y_label, is_share: false, merge: true })?))
}
