//! One file for each kind of figure: the chart, and how it is made from the tables of a results folder.

pub(super) mod ablation;
pub(super) mod convergence;
pub(super) mod cost;
pub(super) mod curves;
pub(super) mod ecdf;
pub(super) mod evaluations;
pub(super) mod front;
pub(super) mod importance;
pub(super) mod landscape;
pub(super) mod learning;
pub(super) mod mask;
pub(super) mod optimizers;
pub(super) mod outcomes;
pub(super) mod parallel;
pub(super) mod pareto;
pub(super) mod paths;
pub(super) mod published;
pub(super) mod reach;
pub(super) mod scenarios;
pub(super) mod score;
pub(super) mod slices;
pub(super) mod survival;
pub(super) mod test_scores;
pub(super) mod transfer;
pub(super) mod violin;
pub(super) mod win_rate;
