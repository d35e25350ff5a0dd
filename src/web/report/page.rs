//! The report as one page that loads no other files.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::answer::{Answer, answer};
use super::figures::{figures, mask};
use super::format::{base64, number};
use super::players::players;
use super::source::{RunFolder, RunKind};
use super::tables;
use super::words::{statistics, warnings};
use crate::web::text::{file, label};

const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");

/// Only the script of the report itself may run, and nothing may be loaded.
pub fn policy() -> String {
    let hash = base64(&Sha256::digest(SCRIPT.as_bytes()));
    format!("default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{hash}'; base-uri 'none'")
}

/// The whole file.
pub fn page(run: &RunFolder) -> String {
    let (name, answer) = (label(&run.name()), answer(run));
    let sections = sections(run);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (name) " · lab2048" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (masthead(run, &name, &answer))
                nav.contents aria-label="Contents" {
                    @for (id, title, _) in &sections { a href={ "#" (id) } { (title) } }
                }
                main {
                    @for (id, title, content) in &sections { section id=(id) { h2 { (title) } (content) } }
                }
                footer { p { "Made by " (label(run.text("tool"))) " from the tables in this folder." } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn masthead(run: &RunFolder, name: &str, answer: &Answer) -> Markup {
    html! {
        header {
            p.kind { (run.kind.name()) }
            h1 { bdi { (name) } }
            p.question { (file(&answer.question)) }
            p.answer { (file(&answer.sentences.join(" "))) }
        }
    }
}

type Section = (&'static str, &'static str, Markup);

fn sections(run: &RunFolder) -> Vec<Section> {
    let warnings = warnings(run);
    let mut sections: Vec<Section> = Vec::new();
    if !warnings.is_empty() {
        sections.push(("warnings", "Before you use these figures", list("warnings", &warnings)));
    }
    sections.push(("figures", "Figures", figures(run)));
    if let Some(coefficients) = coefficients(run) {
        sections.push(("coefficients", "Coefficients before and after", coefficients));
    }
    sections.push(("tables", "Tables", all_tables(run)));
    sections.push(("statistics", "What the statistics say", list("words", &statistics(run))));
    match players(&run.path) {
        Some(players) => sections.push(("games", "Games worth watching", players)),
        None if run.kind == RunKind::Comparison => sections.push(("games", "Games worth watching", no_games())),
        None => {}
    }
    sections.push(("again", "Run it again", again(run)));
    sections
}

fn no_games() -> Markup {
    html! {
        p.note {
            "This run kept no games. With " code { "--record best" } " the same command keeps the best game of each agent, \
             and they can be watched here."
        }
    }
}

fn list(class: &str, sentences: &[String]) -> Markup {
    html! { ul class=(class) { @for sentence in sentences { li { (file(sentence)) } } } }
}

fn all_tables(run: &RunFolder) -> Markup {
    let shown = run.tables.iter().filter(|(name, _)| name != "parameters.csv" && name != "agents.csv");
    html! {
        @for (name, table) in shown {
            h3 { (name.trim_end_matches(".csv").replace('_', " ")) }
            (tables::show(run, name, table))
        }
    }
}

/// Start and tuned value of each coefficient on its range, as a table with a small drawing.
fn coefficients(run: &RunFolder) -> Option<Markup> {
    let table = run.table("parameters.csv")?;
    Some(html! {
        div.dumbbells {
            @for row in table.rows() {
                @if let (Some(start), Some(tuned), Some(low), Some(high)) =
                    (row.number("start"), row.number("tuned"), row.number("low"), row.number("high"))
                {
                    @let place = |value: f64| 100.0 * place(value, low, high, row.text("scale") == "log");
                    div.dumbbell {
                        span.name { bdi { (label(row.text("parameter"))) } }
                        span.track role="img" aria-label={ "from " (number(start)) " to " (number(tuned)) } {
                            i.bar style={ "left:" (place(start).min(place(tuned))) "%;width:" ((place(start) - place(tuned)).abs()) "%" } {}
                            i.start style={ "left:" (place(start)) "%" } {}
                            i.tuned style={ "left:" (place(tuned)) "%" } {}
                        }
                        span.values { (number(start)) " → " b { (number(tuned)) } }
                    }
                }
            }
        }
        p.note { "Each line is the range that the search was allowed. The hollow mark is the start, the full one the tuned value." }
        @if let Some(mask) = mask(run) { (mask) }
        (tables::show(run, "parameters.csv", table))
    })
}

/// Where a value lies in its range, from 0 to 1.
fn place(value: f64, low: f64, high: f64, log: bool) -> f64 {
    let map = |x: f64| if log { x.abs().max(f64::MIN_POSITIVE).ln() } else { x };
    let share = (map(value) - map(low)) / (map(high) - map(low));
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
}

/// How to repeat the run: the command, the experiment file and the manifest.
fn again(run: &RunFolder) -> Markup {
    let command = command(run);
    let manifest = shown_manifest(run);
    html! {
        p {
            "The same file and seed give the same tables on any number of threads. " code { "run.json" } " says when and \
             where they were played."
        }
        pre.command { code { (command) } }
        @for (title, text, open) in [
            ("Experiment file", run.experiment.as_str(), true),
            ("Manifest", manifest.as_str(), false),
            ("BibTeX", bibtex(run).as_str(), false),
        ] {
            details open[open] { summary { (title) } pre { code { (file(text)) } } }
        }
    }
}

/// The manifest as far as it is known before the report is written, so that a report made again is the same.
fn shown_manifest(run: &RunFolder) -> String {
    let mut manifest = run.manifest.clone();
    if let Some(entries) = manifest.as_object_mut() {
        entries.retain(|key, _| !matches!(key.as_str(), "measured" | "checksum"));
    }
    serde_json::to_string_pretty(&manifest).unwrap_or_default()
}

/// The command that makes the run again from its experiment file.
pub fn command(run: &RunFolder) -> String {
    let verb = run.text("schema").split('/').nth(1).unwrap_or("tune");
    format!("lab2048 {verb} experiment.toml --out {}", label(&run.name()))
}

/// An entry for a bibliography: the program with the version and the engine that made the run. It has no date, so that the
/// same experiment gives the same report.
fn bibtex(run: &RunFolder) -> String {
    let tool = run.text("tool");
    let version = tool.rsplit_once(' ').map_or(tool, |(_, version)| version);
    let number = |key: &str| run.manifest.get(key).map(ToString::to_string).unwrap_or_default();
    format!(
        "@software{{lab2048,\n  title   = {{lab2048: a toolkit for 2048 agents}},\n  version = {{{version}}},\n  \
         note    = {{Run {}, seed {}, engine revision {}}}\n}}\n",
        run.name(),
        number("seed"),
        number("engine"),
    )
}
