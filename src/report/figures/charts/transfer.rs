//! How well weights that were tuned at one depth play at others, as a matrix.

use crate::report::figures::exact;
use crate::report::figures::heatmap::Heatmap;
use crate::report::figures::registry::{Built, RunChart};
use crate::report::figures::run_tables::{RunKind, RunTables, distinct};

pub const KIND: RunChart = RunChart {
    name: "transfer",
    about: "weights tuned at one depth and tested at others",
    caption: "Mean objective of the weights by where they were tuned and where they were tested. Bars are 95 % \
              confidence intervals.",
    of: RunKind::Transfer,
    build,
    #[cfg(test)]
    sample: tests::sample,
};

fn build(tables: &RunTables) -> Built {
    let transfer = tables.table("transfer.csv")?;
    let (rows, columns) = (distinct(&transfer, "tuned_at"), distinct(&transfer, "tested_at"));
    let value = |row: &String, column: &String| {
        let mut cells = transfer.rows().filter(|cell| cell.text("tuned_at") == row && cell.text("tested_at") == column);
        cells.next().and_then(|cell| cell.interval("objective")).unwrap_or(exact(f64::NAN))
    };
    Ok(Box::new(Heatmap {
        x_label: "Tested at depth".into(),
        y_label: "Tuned at depth".into(),
        values: rows.iter().map(|row| columns.iter().map(|column| value(row, column)).collect()).collect(),
        columns,
        rows,
        scale_label: tables.objective.into(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Chart;
    use crate::report::figures::tests::estimate;

    pub fn sample() -> Box<dyn Chart> {
        let depths = || (1..=4).map(|depth| format!("depth {depth}")).collect::<Vec<_>>();
        let value = |tuned: i32, played: i32| {
            let mean = 7_000.0 + 7_000.0 * f64::from(played) - 1_300.0 * f64::from((tuned - played).pow(2));
            estimate(mean, 0.95 * mean, 1.05 * mean)
        };
        Box::new(Heatmap {
            x_label: "Played at".to_string(),
            y_label: "Tuned at".to_string(),
            columns: depths(),
            rows: depths(),
            values: (1..=4).map(|tuned| (1..=4).map(|played| value(tuned, played)).collect()).collect(),
            scale_label: "Mean score".to_string(),
        })
    }
}
