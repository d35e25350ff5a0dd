//! `report.html`: one file that a supervisor can open, made from the tables of a results folder alone.

mod answer;
mod figures;
mod format;
mod latex;
mod page;
mod players;
mod source;
mod tables;
mod words;

pub use answer::{Answer, answer};
pub use figures::figures;
pub use format::{interval, number, percent};
pub use page::policy;
pub use source::{RunFolder, RunKind};
pub use words::warnings;

use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::{Error, add_outputs};
use crate::report::markdown::plain;

const HTML: &str = "report.html";
const MARKDOWN: &str = "report.md";
const CAPTIONS: &str = "captions.tex";
const TABLES: &str = "tables.tex";

/// The report of a results folder as a page of the server, with a way back to the other runs.
pub fn render(folder: &Path) -> io::Result<String> {
    Ok(page::page(&RunFolder::read(folder)?, true))
}

/// The table that a reader looks at first.
pub fn summary(run: &RunFolder) -> maud::Markup {
    let first = run.tables.first();
    maud::html! { @if let Some((name, table)) = first { (tables::show(run, name, table)) } }
}

/// Writes `report.html`, the captions and tables for LaTeX, and `report.md` if the run has not written one. Returns the
/// paths.
pub fn write(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    add_outputs(folder, || files(folder))
}

fn files(folder: &Path) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let run = RunFolder::read(folder)?;
    if let Some(name) = run.damaged.first() {
        let path = folder.join(name);
        return Err(Error::Failed(format!("`{}` is damaged: it is not as the run wrote it", path.display())));
    }
    let mut files = vec![
        (HTML, page::page(&run, false).into_bytes()),
        (CAPTIONS, latex::captions(&run).into_bytes()),
        (TABLES, latex::tables(&run).into_bytes()),
    ];
    // A comparison writes its own, with its verdicts on published figures.
    if run.kind != RunKind::Comparison {
        files.push((MARKDOWN, markdown(&run).into_bytes()));
    }
    Ok(files)
}

/// The report for a terminal or a repository.
fn markdown(run: &RunFolder) -> String {
    let Answer { question, sentences } = answer(run);
    let mut text = format!("# {}\n\n{}\n", plain(&run.name()), plain(&format!("{question} {}", sentences.join(" "))));
    for warning in words::warnings(run) {
        text += &format!("\n> {}\n", plain(&warning));
    }
    let tables = ["summary.csv", "ranking.csv", "transfer.csv", "parameters.csv"];
    for (name, table) in run.tables.iter().filter(|(name, _)| tables.contains(&name.as_str())) {
        text += &format!("\n## {}\n\n{}", name.trim_end_matches(".csv"), tables::markdown(table));
    }
    text += "\n## Statistics\n\n";
    words::statistics(run).iter().for_each(|sentence| text += &format!("- {}\n", plain(sentence)));
    text + &format!("\nTo run it again: `{}`.\n", page::command(run))
}
