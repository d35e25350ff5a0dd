//! `survival.csv`: how long the games of each agent last, where they are stopped at a goal.

use super::sample::AgentGames;
use crate::report::table::{Table, interval_cells, interval_columns};
use crate::stats::survival::kaplan_meier;

/// One row for each number of moves at which an agent lost a game.
pub(super) fn survival_table(games: &[AgentGames]) -> Table {
    let fixed = ["agent", "moves", "at_risk", "lost"].map(str::to_string).to_vec();
    let mut table = Table::new([fixed, interval_columns("survival").to_vec()].concat());
    for games in games.iter().filter(|games| !games.is_one_game()) {
        for step in kaplan_meier(&games.lifetimes()) {
            let counts = [step.moves.to_string(), step.at_risk.to_string(), step.lost.to_string()];
            let cells = [games.agent.clone()].into_iter().chain(counts);
            table.push(cells.chain(interval_cells(Some(step.survival))));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::analysis::tests::played;
    use super::*;

    #[test]
    fn a_row_for_every_length_of_a_lost_game() {
        let table = survival_table(&[played("never wins", 0, 20), played("always wins", 100, 20)]);
        let rows: Vec<_> = table.rows().collect();
        assert_eq!(rows.len(), 7);
        assert_eq!(
            (rows[0].text("agent"), rows[0].text("moves"), rows[0].text("at_risk")),
            ("never wins", "50", "100")
        );
        assert_eq!(rows[0].number("survival"), Some(0.85));
        assert_eq!(rows[6].number("survival"), Some(0.0));
    }
}
