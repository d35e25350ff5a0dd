//! `captions.tex` and `tables.tex`: commands that a paper can use after an `\input`.

use super::figures::{caption, names};
use super::source::RunFolder;
use super::tables::{escape_latex, latex};

/// One command for each figure, such as `\captionWinRate`.
pub fn captions(run: &RunFolder) -> String {
    let names = names(run);
    let commands = names.iter().map(|name| command("caption", name, &escape_latex(&caption(run, name))));
    format!("% \\input{{captions}} defines these commands.\n{}", commands.collect::<String>())
}

/// One command for each table, such as `\tableSummary`. They need the package `booktabs`.
pub fn tables(run: &RunFolder) -> String {
    let commands =
        run.tables.iter().map(|(name, table)| command("table", name.trim_end_matches(".csv"), &latex(name, table)));
    format!(
        "% \\input{{tables}} defines these commands; they need \\usepackage{{booktabs}}.\n{}",
        commands.collect::<String>()
    )
}

fn command(prefix: &str, name: &str, body: &str) -> String {
    format!("\\newcommand{{\\{prefix}{}}}{{%\n{body}}}\n", letters(name))
}

/// The name of a command may hold letters alone: `score-by-2` becomes `ScoreByTwo`.
fn letters(name: &str) -> String {
    const DIGITS: [&str; 10] = ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    let mut text = String::new();
    let mut begins = true;
    for character in name.chars() {
        match character.to_digit(10) {
            Some(digit) => text += DIGITS.get(digit as usize).copied().unwrap_or_default(),
            None if character.is_ascii_alphabetic() && begins => text.push(character.to_ascii_uppercase()),
            None if character.is_ascii_alphabetic() => text.push(character),
            None => {}
        }
        begins = !character.is_ascii_alphabetic();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_commands_are_letters() {
        assert_eq!(letters("win-rate-by-heuristic"), "WinRateByHeuristic");
        assert_eq!(letters("timing_summary"), "TimingSummary");
        assert_eq!(letters("reach-2048"), "ReachTwoZeroFourEight");
    }

    #[test]
    fn a_command_is_defined() {
        assert_eq!(command("caption", "ecdf", "Text."), "\\newcommand{\\captionEcdf}{%\nText.}\n");
    }
}
