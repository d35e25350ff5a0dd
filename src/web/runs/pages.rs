//! The start page, the page of a run in progress, and two runs side by side.

use std::path::Path;

use maud::{Markup, html};

use crate::web::pages::PageFrame;
use crate::web::report::{RunFolder, answer, figures, summary, warnings};
use crate::web::server::Refusal;
use crate::web::text::{file, label};

/// All runs. The list is filled and kept up to date by `runs.js`.
pub fn home_page(results: &Path) -> String {
    let body = html! {
        div.row.spread {
            div {
                h1 { "Runs" }
                p.soft { "In " code { (label(&results.display().to_string())) } ". Runs in progress are shown live." }
            }
            form id="pair" class="row" aria-label="Compare two runs" {
                label { "First run" select name="a" {} }
                label { "Second run" select name="b" {} }
                button type="submit" { "Side by side" }
            }
        }
        p { label { "Search " input id="filter" type="search" autocomplete="off"; } }
        p.soft id="reading" { "Reading the runs …" }
        div.runs id="runs" data-page="home" aria-live="off" {}
        p.soft id="empty" hidden {
            "There are no runs here yet. " code { "lab2048 tune experiments/quickstart.toml" } " makes one in about a minute."
        }
    };
    PageFrame { title: "Runs", current: "/", script: "runs.js", body }.render()
}

/// The page of a run that is in progress or was stopped.
pub fn live_page(name: &str) -> String {
    let body = html! {
        div id="live" data-page="live" data-run=(name) {
            h1 { bdi { (name) } }
            p { span.state id="state" { "…" } " " span.soft id="left" {} }
            progress id="progress" max="1" value="0" aria-label="Games done" {}
            p.soft id="counts" {}
            div.grid id="charts" {}
        }
    };
    PageFrame { title: name, current: "/", script: "runs.js", body }.render()
}

/// Two runs side by side: answers, warnings, summaries, and the figures that they have.
pub fn compare_page(results: &Path, first: &str, second: &str) -> Result<String, Refusal> {
    let read = |name: &str| {
        let folder = super::folder(results, name)?;
        RunFolder::read(&folder).map_err(|error| Refusal::new(503, format!("the run cannot be read: {error}")))
    };
    let runs = [read(first)?, read(second)?];
    let body = html! {
        h1 { "Side by side" }
        div.grid.sides { @for run in &runs { section.card aria-label=(label(&run.name())) { (side(run)) } } }
    };
    Ok(PageFrame { title: "Side by side", current: "/", script: "runs.js", body }.render())
}

fn side(run: &RunFolder) -> Markup {
    let answer = answer(run);
    let name = run.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    html! {
        h2 { a href={ "/runs/" (name) } { bdi { (label(&name)) } } }
        p.soft { (run.kind.name()) ". " (label(&answer.question)) }
        p { (file(&answer.sentences.join(" "))) }
        @for warning in warnings(run) { p.banner.small { (file(&warning)) } }
        (summary(run))
        div.pictures { (figures(run)) }
    }
}
