//! Writes a scene as SVG. Text stays text, so that it can be searched and edited.

use super::markup::{Level, Run, runs};
use super::{Align, Face, Ink, Mark, Paint, Scene, Text, font};
use std::fmt::Write as _;

/// Many systems have Noto Sans. The other fonts have letters of about the same width.
const FAMILY: &str = "'Noto Sans', 'Open Sans', 'DejaVu Sans', Verdana, sans-serif";

pub(super) fn encode(scene: &Scene) -> String {
    let (w, h) = (number(scene.width), number(scene.height));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}pt\" height=\"{h}pt\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"{FAMILY}\" role=\"img\">\n<title>{}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n",
        escape(&scene.title)
    );
    for mark in &scene.marks {
        out.push_str(&element(mark));
        out.push('\n');
    }
    out.push_str("</svg>\n");
    out
}

fn element(mark: &Mark) -> String {
    match mark {
        Mark::Path { points, closed, paint } => {
            let name = if *closed { "polygon" } else { "polyline" };
            format!("<{name} points=\"{}\" {}/>", coordinates(points), attributes(*paint))
        }
        Mark::Circle { centre: [x, y], radius, paint } => {
            let (x, y, r) = (number(*x), number(*y), number(*radius));
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" {}/>", attributes(*paint))
        }
        Mark::Text(text) => line(text),
    }
}

fn coordinates(points: &[[f32; 2]]) -> String {
    let pairs: Vec<String> = points.iter().map(|[x, y]| format!("{},{}", number(*x), number(*y))).collect();
    pairs.join(" ")
}

fn attributes(paint: Paint) -> String {
    match paint {
        Paint::Fill(ink) => format!("fill=\"{}\"{}", colour(ink), opacity("fill", ink)),
        Paint::Stroke(ink, width) => format!(
            "fill=\"none\" stroke=\"{}\"{} stroke-width=\"{}\" stroke-linejoin=\"round\"",
            colour(ink),
            opacity("stroke", ink),
            number(width)
        ),
    }
}

fn colour(ink: Ink) -> String {
    let [r, g, b] = ink.rgb;
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn opacity(of: &str, ink: Ink) -> String {
    if ink.alpha < 0.999 { format!(" {of}-opacity=\"{}\"", number(ink.alpha)) } else { String::new() }
}

fn line(text: &Text) -> String {
    let (x, y) = (number(text.at[0]), number(text.at[1]));
    let anchor = match text.align {
        Align::Start => "start",
        Align::Middle => "middle",
        Align::End => "end",
    };
    let mut out = format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" text-anchor=\"{anchor}\"", number(text.size));
    // With its length given, a text keeps its place when the viewer has to use another font.
    let length = font::shape(&text.content, text.size, text.face).width;
    let _ = write!(out, " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"", number(length));
    let _ = write!(out, " {}{}", attributes(Paint::Fill(text.ink)), style(text.face));
    if text.turn != 0 {
        let _ = write!(out, " transform=\"rotate({} {x} {y})\"", text.turn);
    }
    format!("{out}>{}</text>", spans(text))
}

fn style(face: Face) -> &'static str {
    match face {
        Face::Regular => "",
        Face::Bold => " font-weight=\"bold\"",
        Face::Italic => " font-style=\"italic\"",
        Face::BoldItalic => " font-weight=\"bold\" font-style=\"italic\"",
        Face::Mono => " font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\"",
        Face::MonoBold => " font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-weight=\"bold\"",
        Face::Serif => " font-family=\"'DejaVu Serif Condensed', Georgia, serif\"",
        Face::SerifBold => " font-family=\"'DejaVu Serif Condensed', Georgia, serif\" font-weight=\"bold\"",
        Face::SerifItalic => " font-family=\"'DejaVu Serif Condensed', Georgia, serif\" font-style=\"italic\"",
        Face::SerifBoldItalic => {
            " font-family=\"'DejaVu Serif Condensed', Georgia, serif\" font-weight=\"bold\" font-style=\"italic\""
        }
    }
}

fn spans(text: &Text) -> String {
    let mut shift = 0.0;
    runs(&text.content).iter().map(|run| span(run, text.size, &mut shift)).collect()
}

/// One run of a line. SVG's `dy` is relative to the run before, so `shift` holds how far that run was moved down.
fn span(run: &Run, size: f32, shift: &mut f32) -> String {
    let wanted = font::shift(run.level, size);
    let step = wanted - *shift;
    *shift = wanted;
    let mut attributes = String::new();
    if step != 0.0 {
        let _ = write!(attributes, " dy=\"{}\"", number(step));
    }
    if run.level != Level::Line {
        let _ = write!(attributes, " font-size=\"{}\"", number(size * font::SCRIPT_SIZE));
    }
    if run.italic {
        attributes.push_str(" font-style=\"italic\"");
    }
    let content = escape(&run.text);
    if attributes.is_empty() { content } else { format!("<tspan{attributes}>{content}</tspan>") }
}

/// A number with two decimals, which is a hundredth of a point. More decimals would only make the file longer.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

fn escape(text: &str) -> String {
    let shown = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    shown.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
