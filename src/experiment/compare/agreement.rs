//! How well published win rates agree with ours, in sentences, from the rows of `published.csv`.

use super::text::fixed;
use crate::report::table::{Row, Table};
use crate::stats::ChiSquare;
use crate::stats::quantiles::median;

/// The report on `published.csv`: how many rates agree, then the tests of all rates together, then each rate that does
/// not agree.
pub(super) fn verdicts(table: &Table) -> Vec<String> {
    let judged: Vec<Row> = table.rows().filter(|row| !row.text("verdict").is_empty()).collect();
    let (informative, aside): (Vec<Row>, Vec<Row>) =
        judged.iter().copied().partition(|row| row.text("informative") == "true");
    let mut lines = vec![agreement(&informative)];
    lines.extend(set_aside(aside.len()));
    lines.extend(global_test(&informative));
    lines.extend(shared_games(&informative));
    lines.extend(power(&informative));
    lines.extend(informative.iter().filter(|row| row.text("misfit") == "true").map(disagreement));
    lines
}

fn agreement(rows: &[Row]) -> String {
    let count = |verdict| rows.iter().filter(|row| row.text("verdict") == verdict).count();
    format!(
        "{} of {} informative published win rates agree with ours: the 95 % interval of the difference of the two rates \
         holds 0. Ours are higher in {} and lower in {}; by chance alone about {} would miss.",
        count("agrees"),
        rows.len(),
        count("higher"),
        count("lower"),
        fixed(0.05 * rows.len() as f64, 0)
    )
}

fn set_aside(cells: usize) -> Option<String> {
    let rates = if cells == 1 { "1 further rate is" } else { &format!("{cells} further rates are") };
    (cells > 0)
        .then(|| format!("{rates} set aside: so few games were won or lost there that no result could disagree."))
}

/// All rates at once. Published rates that are compared with the same games of ours form one test, so that no game is
/// counted twice.
fn global_test(rows: &[Row]) -> Option<String> {
    let mut groups: Vec<(&str, Vec<(u64, u64)>)> = Vec::new();
    for row in rows {
        let (Some(wins), Some(games)) = (row.count("published_wins"), row.count("published_games")) else { continue };
        let ours = (row.count("measured_wins")?, row.count("measured_games")?);
        let key = if row.text("same_games_as").is_empty() { row.text("agent") } else { row.text("same_games_as") };
        match groups.iter_mut().find(|(group, _)| *group == key) {
            Some((_, counts)) => counts.push((wins, games)),
            None => groups.push((key, vec![ours, (wins, games)])),
        }
    }
    let all: ChiSquare = groups.iter().filter_map(|(_, counts)| ChiSquare::equal_rates(counts)).sum();
    let p = all.p_value();
    let meaning =
        if p < 0.05 { "they differ from ours by more than chance" } else { "chance explains the differences" };
    (all.df > 1).then(|| {
        format!(
            "All of them together: chi-square {} with {} degrees of freedom, p = {}: {meaning}.",
            fixed(all.statistic, 1),
            all.df,
            fixed(p, 3)
        )
    })
}

fn shared_games(rows: &[Row]) -> Option<String> {
    let shared: Vec<&Row> = rows.iter().filter(|row| !row.text("same_games_as").is_empty()).collect();
    let example = shared.first()?;
    Some(format!(
        "{} of them are compared with games of ours that another rate is compared with too: {} plays exactly as {}, for \
         example.",
        shared.len(),
        example.text("agent"),
        example.text("same_games_as")
    ))
}

fn power(rows: &[Row]) -> Option<String> {
    let powers: Vec<f64> = rows.iter().filter_map(|row| row.number("power_15_points")).collect();
    let least = powers.iter().copied().reduce(f64::min)?;
    let most = powers.iter().copied().reduce(f64::max)?;
    Some(format!(
        "The power to see a difference of 15 points is {} to {}, with median {}.",
        fixed(least, 2),
        fixed(most, 2),
        fixed(median(&powers)?, 2)
    ))
}

fn disagreement(row: &Row) -> String {
    let percent = |column| row.interval(column).map(|i| i.scaled(100.0));
    let ends = percent("difference").map(|d| format!("{} to {}", fixed(d.low, 1), fixed(d.high, 1)));
    let rate = |column| percent(column).map(|i| format!("{} %", fixed(i.estimate, 0))).unwrap_or_default();
    format!(
        "{}: published {}, measured {}, difference {} points: {} than published",
        row.text("agent"),
        rate("published"),
        rate("measured"),
        ends.unwrap_or_default(),
        row.text("verdict")
    )
}

#[cfg(test)]
mod tests {
    use super::super::published::tests::joined;
    use super::*;

    #[test]
    fn informative_rates_are_counted_apart() {
        let text = "agent,depth,games,wins\nminimax,1,100,0\nminimax,2,100,50\nminimax,3,100,10\n";
        let table = joined(text, &["minimax:depth=1", "minimax:depth=2", "minimax:depth=3"], &[0, 55, 60]).unwrap();
        let said = verdicts(&table).join("\n");
        assert!(said.starts_with("1 of 2 informative published win rates agree"), "{said}");
        assert!(said.contains("1 further rate is set aside"), "{said}");
        assert!(said.contains("published 10 %, measured 60 %"), "{said}");
        assert!(said.contains("2 degrees of freedom, p = 0.000: they differ"), "{said}");
    }

    #[test]
    fn the_global_test_counts_no_game_twice() {
        let text = "agent,depth,games,wins\nminimax,2,100,40\nalphabeta,2,100,45\n";
        let table = joined(text, &["minimax:depth=2", "alphabeta:depth=2"], &[50, 50]).unwrap();
        let said = verdicts(&table).join("\n");
        // scipy 1.17 chi2_contingency([[50, 40, 45], [50, 60, 55]]): 2.02, p = 0.364.
        assert!(said.contains("chi-square 2.0 with 2 degrees of freedom, p = 0.364: chance explains"), "{said}");
        assert!(said.contains("alphabeta:depth=2 plays exactly as minimax:depth=2"), "{said}");
    }
}
