//! The figures of a run with their captions.

use std::fs;
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use super::format::{base64, number};
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
        left -= found.as_ref().map_or(0, |picture| picture.size);
        drawn.push((found, name));
    }
    html! {
        @for (number, (picture, name)) in (1..).zip(&drawn) {
            figure.wide[picture.as_ref().is_some_and(|picture| picture.is_wide)] id={ "figure-" (number) } {
                @match picture {
                    Some(picture) => div.picture tabindex="0" role="group" aria-label={ "Figure " (number) } { (picture.markup) },
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
        matches!(extension, Some("svg" | "png" | "pdf"))
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
    let picture = picture(&run.path, MASK, MOST_BYTES)?;
    Some(html! { figure.mask { div.picture { (picture.markup) } figcaption { (caption(run, MASK)) } } })
}

/// A figure as it is put into a page.
struct Picture {
    markup: Markup,
    /// In bytes.
    size: usize,
    /// Whether it was drawn for the width of a page, so that half of one makes its text too small.
    is_wide: bool,
}

/// The picture of a figure: SVG as it is, else PNG as data.
fn picture(run: &Path, name: &str, left: usize) -> Option<Picture> {
    if let Some(text) = svg(run, name) {
        let markup = html! { (PreEscaped(&text)) };
        let fits = is_plain_svg(&text) && text.len() <= left;
        return fits.then(|| Picture { markup, size: text.len(), is_wide: width(&text) > COLUMN_POINTS });
    }
    let data = base64(&files::read(run, &format!("figures/{name}.png")).ok()?);
    let size = data.len();
    let markup = html! { img src={ "data:image/png;base64," (data) } alt=(name); };
    (size <= left).then_some(Picture { markup, size, is_wide: false })
}

/// Wider figures were drawn for a page. Figures for a column have a width of 252 points, and those for a page of 504.
const COLUMN_POINTS: f64 = 360.0;

fn svg(run: &Path, name: &str) -> Option<String> {
    String::from_utf8(files::read(run, &format!("figures/{name}.svg")).ok()?).ok()
}

/// The width of an SVG in points.
fn width(svg: &str) -> f64 {
    let width = svg.split("width=\"").nth(1).and_then(|rest| rest.split("pt\"").next()?.parse().ok());
    width.unwrap_or_default()
}

/// Whether an SVG has only the elements that our figures have. A file that was replaced is not put into a page.
fn is_plain_svg(text: &str) -> bool {
    const ELEMENTS: [&str; 12] =
        ["svg", "title", "desc", "rect", "polygon", "polyline", "circle", "path", "line", "text", "tspan", "g"];
    let tags = text.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or_default());
    let is_ours = |tag: &str| {
        let tag = tag.strip_prefix('/').unwrap_or(tag);
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        // Attributes that run a script begin with `on`. They may follow a quote or a slash without a space.
        let mut attributes = tag.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '/'));
        ELEMENTS.contains(&name) && attributes.all(|part| !part.to_ascii_lowercase().starts_with("on"))
    };
    text.starts_with("<svg") && tags.into_iter().all(is_ours)
}

/// The caption: what is drawn, from how many games, with which interval, and what is left out.
pub fn caption(run: &RunFolder, name: &str) -> String {
    let captions = captions(run.kind.of_figures());
    let kind = kind_of(run, name);
    match captions.iter().find(|(known, _)| kind == Some(known)) {
        Some((_, caption)) => format!("{}{}", with_games(run, caption), left_out(&run.path, name)),
        None => name.replace('-', " "),
    }
}

/// A caption with the numbers of games: `{games}` is replaced by those of each agent, `{games:slices.csv}` by those of each
/// row of a table, and `{training}` by those of the whole search.
fn with_games(run: &RunFolder, caption: &str) -> String {
    let mut text = caption.replace("{games}", &games(run, "summary.csv", "for each agent"));
    while let Some((before, rest)) = text.split_once("{games:") {
        let (table, after) = rest.split_once('}').unwrap_or((rest, ""));
        text = format!("{before}{}{after}", games(run, table, "each"));
    }
    let budget = run.manifest.get("games").and_then(serde_json::Value::as_f64);
    text.replace(
        "{training}",
        &budget.map(|games| format!(", {} training games in all", number(games))).unwrap_or_default(),
    )
}

/// How many games the rows of a table count.
fn games(run: &RunFolder, table: &str, each: &str) -> String {
    let games = run.table(table).into_iter().flat_map(Table::rows).filter_map(|row| row.number("games"));
    let (least, most) = games.fold((f64::INFINITY, 0.0), |(least, most), games| (games.min(least), games.max(most)));
    match () {
        () if most == 0.0 => String::new(),
        () if least == most => format!(", {} games {each}", number(most)),
        () => format!(", {} to {} games {each}", number(least), number(most)),
    }
}

/// What the figure itself says that it does not show.
fn left_out(run: &Path, name: &str) -> String {
    let svg = svg(run, name).unwrap_or_default();
    let texts = svg.split("<text").skip(1).filter_map(|text| text.split('>').nth(1)?.strip_suffix("</text"));
    let sentence = |text: &str| match text.strip_suffix(" shown") {
        Some(shown) => Some(format!(" Shown: {shown}.")),
        None => text.ends_with("off the scale").then(|| format!(" Left out: {text}.")),
    };
    texts.filter_map(sentence).collect()
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
    fn captions_say_how_many_games_there_were_and_what_is_left_out() {
        let tuned = folder(r#"{"schema": "lab2048/tune/1", "games": 3000}"#, "");
        let write = |name: &str, text: &str| fs::write(tuned.path().join(name), text).unwrap();
        write("validation.csv", "generation,games\n0,1200\n1,1200\n");
        write("slices.csv", "parameter,games\na,20\nb,50\n");
        fs::create_dir(tuned.path().join("figures")).unwrap();
        write("figures/convergence.svg", "<svg><text x=\"1\">best seen: 9k, off the scale</text></svg>");
        let run = RunFolder::read(tuned.path()).unwrap();
        let convergence = caption(&run, "convergence");
        assert!(convergence.contains("validation games, 1,200 games each"), "{convergence}");
        assert!(convergence.ends_with("Left out: best seen: 9k, off the scale."), "{convergence}");
        assert!(caption(&run, "slices").contains("20 to 50 games each"));
        assert!(caption(&run, "evaluations").contains("3,000 training games in all"));
        for (name, _) in captions(run.kind.of_figures()) {
            assert!(!caption(&run, name).contains(['{', '}']), "{name}");
        }
    }

    #[test]
    fn only_our_own_elements_are_put_into_a_page() {
        assert!(is_plain_svg("<svg xmlns=\"x\"><title>Score on test games</title><circle r=\"1\"/></svg>\n"));
        for hostile in [
            "<svg><script>alert(1)</script></svg>",
            "<svg onload=\"alert(1)\"></svg>",
            "<svg><rect x=\"1\"onclick=\"alert(1)\"/></svg>",
            "<svg><rect/ONCLICK=alert(1)></svg>",
            "<svg><foreignObject></foreignObject></svg>",
            "<svg><a href=\"javascript:1\">x</a></svg>",
            "<svg><!-- x --></svg>",
            "<html></html>",
        ] {
            assert!(!is_plain_svg(hostile), "{hostile}");
        }
    }
}
