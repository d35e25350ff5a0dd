//! The figures of a run with their captions.

use std::fs;
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use super::format::base64;
use super::source::RunFolder;

/// A report stays below 3 MB: figures that would exceed this are named, not shown.
const MOST_BYTES: usize = 2_200_000;

/// All figures that the folder has, each with its caption.
pub fn figures(run: &RunFolder) -> Markup {
    let folder = run.path.join("figures");
    let mut left = MOST_BYTES;
    let mut drawn = Vec::new();
    for name in names(&folder).into_iter().filter(|name| name != MASK) {
        let found = picture(&folder, &name, left);
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

/// Names without extension, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path()).filter(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("svg" | "png"))
    });
    let mut names: Vec<String> = paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    names.retain(|name| crate::spec::file_name("figure", name).is_ok());
    let place = |name: &String| ORDER.iter().position(|kind| name.starts_with(kind)).unwrap_or(ORDER.len());
    names.sort_by_key(|name| (place(name), name.clone()));
    names.dedup();
    names
}

/// What readers look at first; other figures follow by name.
const ORDER: [&str; 8] = ["win-rate", "score", "convergence", "optimizers", "transfer", "ecdf", "ablation", "paths"];
/// The picture of the tuned mask belongs to the coefficients.
const MASK: &str = "mask";

/// The weights of the cells as a picture, if the run tuned a mask.
pub fn mask(run: &RunFolder) -> Option<Markup> {
    let (picture, _) = picture(&run.path.join("figures"), MASK, MOST_BYTES)?;
    Some(html! { figure.mask { div.picture { (picture) } figcaption { (caption(run, MASK)) } } })
}

/// The picture and its size: SVG as it is, else PNG as data.
fn picture(folder: &Path, name: &str, left: usize) -> Option<(Markup, usize)> {
    if let Ok(text) = fs::read_to_string(folder.join(format!("{name}.svg"))) {
        let safe = is_plain_svg(&text) && text.len() <= left;
        return safe.then(|| (html! { (PreEscaped(&text)) }, text.len()));
    }
    let data = base64(&fs::read(folder.join(format!("{name}.png"))).ok()?);
    let size = data.len();
    (size <= left).then(|| (html! { img src={ "data:image/png;base64," (data) } alt=(name); }, size))
}

/// Whether an SVG holds the elements of our own figures alone: a file that somebody replaced is not put into a page.
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

/// What is drawn, from how many games, with which interval, and what is left out.
pub fn caption(run: &RunFolder, name: &str) -> String {
    let games =
        run.table("summary.csv").and_then(|summary| summary.rows().next().map(|row| row.text("games").to_string()));
    let games = games
        .filter(|games| !games.is_empty())
        .map_or(String::new(), |games| format!(", {games} games for each agent"));
    let bars = "Bars and bands are 95 % confidence intervals.";
    let kinds: [(&str, String); 21] = [
        ("learning-curve", "Mean score of the training games while the network learned; the network plays them itself.".into()),
        ("win-rate", format!("Share of games that reached the goal{games}. {bars}")),
        ("score-by", format!("Mean score{games}. {bars}")),
        ("score", format!("Mean score{games}. {bars}")),
        ("cost", format!("Time per game on the machine that played{games}. {bars}")),
        ("ecdf", format!("Distribution of scores: the share of games with at most this score{games}.")),
        ("violin", format!("Distribution of scores as densities{games}, with median and quartiles. The densities are smoothed; the tails are cut at the least and greatest score.")),
        ("reach", format!("Share of games that reached each tile{games}. {bars} Tiles that nobody reached are left out.")),
        ("pareto", format!("Mean score against time per move{games}; the line joins agents that no other beats in both. {bars}")),
        ("published", "Published figures against measured ones. Points on the diagonal agree; bars are 95 % intervals of both.".into()),
        ("outcomes", format!("Wins, draws and losses{games}. {bars}")),
        ("convergence", "The objective on validation games while the search went on. The band is the 95 % interval; the search itself never saw these games.".into()),
        ("paths", "The recommended value of each coefficient after each generation of the search.".into()),
        ("slices", format!("The objective around the recommendation: one coefficient changes, the others stay. {bars}")),
        ("ablation", format!("From the start to the tuned coefficients, one at a time: each step is the one that gained most on other games. Bars show the change with its 95 % interval.")),
        ("importance", "How much of the objective's variance over the whole space each parameter explains, and each pair beyond its two parameters, by random forests fitted to all evaluations. Bars are the middle 95 % of forests fitted to resampled evaluations.".into()),
        ("landscape", "The objective over pairs of parameters as the forests have learned it, with all other parameters as recommended; dots are evaluations.".into()),
        ("parallel", "Evaluations as lines across the ranges of all parameters, coloured by their objective.".into()),
        ("evaluations", "The objective of each evaluation in the order of the search. The band is the 95 % interval of the running mean.".into()),
        ("mask", "The weight of each cell of the board after tuning.".into()),
        ("optimizers", "The validated objective against training games, mean over the repeats of each optimizer. Bands are 95 % intervals over repeats.".into()),
    ];
    let transfer = "Mean objective of weights by where they were tuned and where they were tested.";
    let found = kinds.iter().find(|(kind, _)| name.starts_with(kind)).map(|(_, caption)| caption.clone());
    found.unwrap_or_else(|| if name.starts_with("transfer") { transfer.into() } else { name.replace('-', " ") })
}

#[cfg(test)]
mod tests {
    use super::*;

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
