//! The figures of a run with their captions.

use std::fs;
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use super::format::base64;
use super::source::RunFolder;
use crate::params::document::Document;
use crate::report::figures::captions;
use crate::report::table::Table;
use crate::spec::figure_requests;
use crate::web::files;

/// The most bytes of figures, so that a report stays below 3 MB. Further figures are named but not shown.
const MOST_BYTES: usize = 2_200_000;

/// All figures that the folder has, each with its caption.
pub fn figures(run: &RunFolder) -> Markup {
    let mut left = MOST_BYTES;
    let mut drawn = Vec::new();
    for name in names(run).into_iter().filter(|name| name != MASK) {
        let found = picture(&run.path, &name, left);
        left -= found.as_ref().map_or(0, |(_, size)| *size);
        drawn.push((found.map(|(picture, _)| picture), name));
    }
    html! {
        @for (number, (picture, name)) in (1..).zip(&drawn) {
            figure id={ "figure-" (number) } {
                @match picture {
                    Some(picture) => div.picture tabindex="0" role="group" aria-label={ "Figure " (number) } { (picture) },
                    None => p.note { "This figure cannot be shown here; it is in figures/" (name) "." },
                }
                figcaption { b { "Figure " (number) ". " } (caption(run, name)) }
            }
        }
        @if drawn.is_empty() {
            p.note { "No figures have been drawn. " code { "lab2048 plot" } " draws them from the tables." }
        }
    }
}

/// Names without extension. Figures of the registry's first kinds come first.
pub fn names(run: &RunFolder) -> Vec<String> {
    let entries = fs::read_dir(run.path.join("figures")).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("svg" | "png"))
    });
    let mut names: Vec<String> = paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    names.retain(|name| crate::spec::file_name("figure", name).is_ok());
    let captions = captions(run.kind.of_figures());
    let place = |name: &String| {
        let kind = kind_of(run, name);
        captions.iter().position(|(known, _)| kind == Some(known)).unwrap_or(captions.len())
    };
    names.sort_by_cached_key(|name| (place(name), name.clone()));
    names.dedup();
    names
}

/// The kind of a figure: what the experiment says about the figure of this name, or else the longest name of a kind that
/// the figure's name begins with.
fn kind_of(run: &RunFolder, name: &str) -> Option<&'static str> {
    let document = Document::parse("experiment.toml", &run.experiment).ok();
    let requests = document.and_then(|document| figure_requests(document.table()).ok()).unwrap_or_default();
    if let Some(request) = requests.iter().find(|request| request.name == name) {
        return Some(request.kind);
    }
    let captions = captions(run.kind.of_figures());
    let kinds = captions.iter().map(|(kind, _)| *kind).filter(|kind| name.starts_with(kind));
    kinds.max_by_key(|kind| kind.len())
}

/// The picture of the tuned mask belongs to the coefficients.
const MASK: &str = "mask";

/// The weights of the cells as a picture, if the run tuned a mask.
pub fn mask(run: &RunFolder) -> Option<Markup> {
    let (picture, _) = picture(&run.path, MASK, MOST_BYTES)?;
    Some(html! { figure.mask { div.picture { (picture) } figcaption { (caption(run, MASK)) } } })
}

/// The picture and its size: SVG as it is, else PNG as data.
fn picture(run: &Path, name: &str, left: usize) -> Option<(Markup, usize)> {
    if let Ok(text) = files::read(run, &format!("figures/{name}.svg")) {
        let text = String::from_utf8(text).ok()?;
        let safe = is_plain_svg(&text) && text.len() <= left;
        return safe.then(|| (html! { (PreEscaped(&text)) }, text.len()));
    }
    let data = base64(&files::read(run, &format!("figures/{name}.png")).ok()?);
    let size = data.len();
    (size <= left).then(|| (html! { img src={ "data:image/png;base64," (data) } alt=(name); }, size))
}

/// Whether an SVG has only the elements that our figures have. A file that was replaced is not put into a page.
fn is_plain_svg(text: &str) -> bool {
    const ELEMENTS: [&str; 12] =
        ["svg", "title", "desc", "rect", "polygon", "polyline", "circle", "path", "line", "text", "tspan", "g"];
    let names = text.split('<').skip(1).map(|rest| {
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
    });
    let attributes = text.split_whitespace().all(|word| !word.to_ascii_lowercase().starts_with("on"));
    text.starts_with("<svg") && names.into_iter().all(|name| ELEMENTS.contains(&name)) && attributes
}

/// The caption: what is drawn, from how many games, with which interval, and what is left out.
pub fn caption(run: &RunFolder, name: &str) -> String {
    let captions = captions(run.kind.of_figures());
    let kind = kind_of(run, name);
    match captions.iter().find(|(known, _)| kind == Some(known)) {
        Some((_, caption)) => caption.replace("{games}", &games(run)),
        None => name.replace('-', " "),
    }
}

/// How many games each agent played, if all played the same number.
fn games(run: &RunFolder) -> String {
    let column = |summary: &'_ Table| summary.rows().map(|row| row.text("games").to_string()).collect::<Vec<_>>();
    let mut games = run.table("summary.csv").map(column).unwrap_or_default();
    games.dedup();
    match games.as_slice() {
        [games] if !games.is_empty() => format!(", {games} games for each agent"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(manifest: &str, experiment: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("manifest.json", manifest);
        write("experiment.toml", experiment);
        write("summary.csv", "agent,games\na,50\nb,50\n");
        folder
    }

    #[test]
    fn captions_come_from_the_kind_of_a_figure() {
        let named = "[[figures]]\nkind = \"cost\"\nname = \"figure-3\"\n";
        let compared = folder(r#"{"schema": "lab2048/compare/2"}"#, named);
        let run = RunFolder::read(compared.path()).unwrap();
        assert!(caption(&run, "win-rate-by-heuristic").contains("reached the goal, 50 games for each agent."));
        assert!(caption(&run, "figure-3").starts_with("Time per game"));
        assert_eq!(caption(&run, "an-unknown-one"), "an unknown one");
        let learned = folder(r#"{"schema": "lab2048/learn/1"}"#, "");
        let run = RunFolder::read(learned.path()).unwrap();
        assert!(caption(&run, "convergence").contains("while the network learned"));
    }

    #[test]
    fn only_our_own_elements_are_put_into_a_page() {
        assert!(is_plain_svg("<svg xmlns=\"x\"><title>a</title><circle r=\"1\"/></svg>\n"));
        for hostile in [
            "<svg><script>alert(1)</script></svg>",
            "<svg onload=\"alert(1)\"></svg>",
            "<svg><foreignObject></foreignObject></svg>",
            "<svg><a href=\"javascript:1\">x</a></svg>",
            "<svg><!-- x --></svg>",
            "<html></html>",
        ] {
            assert!(!is_plain_svg(hostile), "{hostile}");
        }
    }
}
