//! Tables for readers, with the same content as LaTeX and CSV to copy.

use maud::{Markup, html};

use super::answer::ranked;
use super::format::{interval, number, p_value, percent};
use super::source::RunFolder;
use crate::report::markdown::plain;
use crate::report::table::{Row, Table};
use crate::web::text::label;

/// Longer tables are shown in part; the file has the rest.
const MOST_ROWS: usize = 200;

/// A column as it is shown: an estimate has its interval in the same cell.
struct Column<'a> {
    name: &'a str,
    has_interval: bool,
}

impl Column<'_> {
    fn heading(&self) -> String {
        let words = self.name.replace('_', " ");
        match self.name {
            "win_rate" => "won, %".into(),
            "a12" => "A12".into(),
            "p_mcnemar" => "p, wins".into(),
            "p_mcnemar_holm" => "p, wins, corrected".into(),
            "p_mann_whitney" => "p, scores".into(),
            "p_mann_whitney_holm" => "p, scores, corrected".into(),
            name if name.starts_with("reach_") => format!("{words}, %"),
            _ => words,
        }
    }

    fn is_rate(&self) -> bool {
        self.name == "win_rate" || self.name.starts_with("reach_") || self.name.starts_with("win_rate_difference")
    }

    fn cell(&self, row: &Row) -> String {
        let text = row.text(self.name);
        let Some(value) = row.number(self.name) else { return label(text) };
        let range = row.interval(self.name).filter(|_| self.has_interval);
        match range {
            Some(range) if self.is_rate() => percent(range).replace(" %", ""),
            Some(range) => interval(range),
            None if self.is_rate() => format!("{:.1}", 100.0 * value),
            None if self.name.starts_with("p_") => p_value(value),
            // A seed is a name, not a quantity.
            None if self.name == "seed" => text.to_string(),
            None => number(value),
        }
    }
}

fn columns(table: &Table) -> Vec<Column<'_>> {
    let is_end = |name: &str| {
        let base = name.strip_suffix("_low").or_else(|| name.strip_suffix("_high"));
        base.is_some_and(|base| table.has(base))
    };
    let shown = table.columns().iter().filter(|name| !is_end(name));
    shown.map(|name| Column { name, has_interval: table.has(&format!("{name}_low")) }).collect()
}

/// A table that can be sorted, with the texts to copy folded away below it.
pub fn show(run: &RunFolder, name: &str, table: &Table) -> Markup {
    let columns = columns(table);
    // Readers of a summary look for the best agent first.
    let rows: Vec<Row> = if name == "summary.csv" { ranked(run) } else { table.rows().collect() };
    let rows: Vec<Row> = rows.into_iter().take(MOST_ROWS).collect();
    let left_out = table.rows().len() - rows.len();
    html! {
        div.scroll tabindex="0" role="region" aria-label={ "Table " (name) } {
            table.sortable {
                thead {
                    tr {
                        @for column in &columns {
                            th scope="col" title=(label(run.about(name, column.name, "meaning"))) { (column.heading()) }
                        }
                    }
                }
                tbody {
                    @for row in &rows {
                        tr { @for column in &columns { td data-value=(label(row.text(column.name))) { bdi { (column.cell(row)) } } } }
                    }
                }
            }
        }
        @if left_out > 0 {
            p.note { "The first " (rows.len()) " rows of " (table.rows().len()) "; all are in " code { (name) } "." }
        }
        details.copy {
            summary { "LaTeX and CSV to copy" }
            div.texts {
                (text_box("LaTeX (booktabs)", &latex(name, table)))
                (text_box("CSV", &csv(table)))
            }
        }
    }
}

fn text_box(title: &str, text: &str) -> Markup {
    html! {
        div.textbox {
            div.head { span { (title) } button type="button" data-copy { "Copy" } }
            textarea readonly rows="8" spellcheck="false" aria-label=(title) { (crate::web::text::file(text)) }
        }
    }
}

/// The rows that are shown, as CSV.
fn csv(table: &Table) -> String {
    let mut part = Table::new(table.columns().iter().map(String::as_str));
    for row in table.rows().take(MOST_ROWS) {
        part.push(row.columns().map(|column| row.text(column)));
    }
    part.to_csv().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// A `booktabs` table of what is shown.
pub fn latex(name: &str, table: &Table) -> String {
    let columns = columns(table);
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let mut text = format!(
        "% From {name}; needs \\usepackage{{booktabs}}.\n\\begin{{tabular}}{{l{}}}\n\\toprule\n",
        "r".repeat(columns.len().saturating_sub(1))
    );
    text += &line(columns.iter().map(|column| escape_latex(&column.heading())).collect());
    text += "\\midrule\n";
    for row in table.rows().take(MOST_ROWS) {
        text += &line(columns.iter().map(|column| escape_latex(&column.cell(&row))).collect());
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

/// Escapes a text so that LaTeX prints it unchanged.
pub fn escape_latex(text: &str) -> String {
    let escaped = |character: char| match character {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{character}"),
        '\\' => "\\textbackslash{}".into(),
        '~' => "\\textasciitilde{}".into(),
        '^' => "\\textasciicircum{}".into(),
        '<' => "$<$".into(),
        '>' => "$>$".into(),
        'µ' => "\\textmu{}".into(),
        other => other.to_string(),
    };
    text.chars().map(escaped).collect()
}

/// The same table in Markdown.
pub fn markdown(table: &Table) -> String {
    let columns = columns(table);
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(columns.iter().map(Column::heading).collect());
    text += &line(columns.iter().enumerate().map(|(i, _)| if i == 0 { "---" } else { "---:" }.to_string()).collect());
    for row in table.rows().take(MOST_ROWS) {
        text += &line(columns.iter().map(|column| plain(&column.cell(&row))).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["agent", "games", "win_rate", "win_rate_low", "win_rate_high", "p_mcnemar"]);
        table.push(["<script>a_b & \"c\"", "100", "0.94", "0.875", "0.972", "0.00001"]);
        table
    }

    #[test]
    fn intervals_share_a_cell_and_text_is_escaped() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("manifest.json"), "{}").unwrap();
        std::fs::write(folder.path().join("summary.csv"), table().to_csv().unwrap()).unwrap();
        let run = RunFolder::read(folder.path()).unwrap();
        let page = show(&run, "summary.csv", &table()).into_string();
        assert!(page.contains("94.0 (87.5 to 97.2)") && page.contains("&lt; 0.001"), "{page}");
        assert!(page.contains("&lt;script&gt;a_b &amp; &quot;c&quot;") && !page.contains("<script>"), "{page}");
    }

    #[test]
    fn latex_needs_no_correction() {
        let text = latex("summary.csv", &table());
        assert!(text.contains("$<$script$>$a\\_b \\& \"c\" & 100 & 94.0 (87.5 to 97.2) & $<$ 0.001 \\\\"), "{text}");
        assert!(text.contains("\\toprule") && text.contains("won, \\%"));
    }
}
