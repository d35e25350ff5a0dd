//! The weights of a tuned mask on the board.

use crate::report::figures::exact;
use crate::report::figures::heatmap::Heatmap;
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables};
use crate::report::table::Row;

pub const KIND: RunChart = RunChart {
    name: "mask",
    about: "the weights of the mask as a heat map of the board",
    caption: "The weight of each cell of the board after tuning. Where the cells were free, the numbers below are the \
              quartiles of the last candidates: half of them lie between.",
    of: RunKind::Search,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let mask = tables.optional("mask.csv")?;
    let cell = |row: &Row, column: &str| {
        let weight = || exact(row.number(column).unwrap_or(f64::NAN));
        row.interval(column).unwrap_or_else(weight)
    };
    let row = |row: Row| ["1", "2", "3", "4"].map(|column| cell(&row, column)).to_vec();
    Ok(Box::new(Heatmap {
        values: mask.rows().map(row).collect(),
        scale_label: "Weight of a tile".into(),
        ..Heatmap::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Chart;

    pub fn sample() -> Box<dyn Chart> {
        let mask =
            [[29.7, 14.9, 7.4, 3.7], [0.23, 0.46, 0.93, 1.86], [0.12, 0.058, 0.029, 0.015], [9e-4, 2e-3, 4e-3, 7e-3]];
        Box::new(Heatmap {
            values: mask.map(|row| row.map(exact).into()).into(),
            scale_label: "Weight of a tile".to_string(),
            ..Heatmap::default()
        })
    }
}
