//! Rules that every kind of chart keeps.

use super::charts::ablation::{Ablation, AblationStep};
use super::charts::convergence::{Convergence, Reference};
use super::charts::ecdf::{Ecdf, ScoreSample};
use super::charts::evaluations::Evaluations;
use super::charts::importance::{Importance, ImportanceRow};
use super::charts::landscape::{Landscape, tests as landscapes};
use super::charts::landscape_panel::Panel;
use super::charts::outcomes::{OutcomeRow, Outcomes};
use super::charts::parallel::{Evaluation, Parallel, ParallelAxis};
use super::charts::pareto::{Pareto, ParetoGroup, ParetoPoint};
use super::charts::paths::{ParameterPath, Paths};
use super::charts::published::{Group, Pair, Published};
use super::charts::slices::{Slice, Slices};
use super::heatmap::Heatmap;
use super::lines::{Lines, Range};
use super::run_tables::Values;
use super::*;
use std::collections::BTreeSet;

mod requests;

/// If this variable names a folder, the pictures are kept there to be looked at.
const GALLERY: &str = "LAB2048_GALLERY";

/// A value with its interval.
pub fn estimate(value: f64, low: f64, high: f64) -> Interval {
    Interval { estimate: value, low, high }
}

/// Every kind with made-up data.
fn samples() -> Vec<(String, Box<dyn Chart>)> {
    let compare = COMPARE.iter().map(|kind| (kind.name.to_string(), (kind.sample)()));
    let tune = RUNS.iter().map(|kind| (format!("{:?}-{}", kind.of, kind.name).to_lowercase(), (kind.sample)()));
    compare.chain(tune).collect()
}

fn assert_inside(name: &str, scene: &Scene) {
    let (width, height) = scene.size();
    for (text, [left, top, right, bottom]) in scene.text_boxes() {
        let inside = left >= -0.5 && top >= -0.5 && right <= width + 0.5 && bottom <= height + 0.5;
        assert!(inside, "{name}: {text:?} leaves the page: {left} {top} {right} {bottom}");
    }
}

#[test]
fn names_are_unique_and_explained() {
    let compare: BTreeSet<&str> = COMPARE.iter().map(|kind| kind.name).collect();
    let runs: BTreeSet<(String, &str)> = RUNS.iter().map(|kind| (format!("{:?}", kind.of), kind.name)).collect();
    assert_eq!((compare.len(), runs.len()), (COMPARE.len(), RUNS.len()));
    let compare = COMPARE.iter().map(|kind| [kind.about, kind.caption]);
    let texts = compare.chain(RUNS.iter().map(|kind| [kind.about, kind.caption]));
    assert!(texts.flatten().all(|text| !text.is_empty()));
}

/// Draws at both widths in both fonts, and checks the rules.
pub fn check(name: &str, chart: &dyn Chart) {
    check_in_this_font(name, chart);
    with_family(Family::Serif, || check_in_this_font(&format!("{name}-serif"), chart));
}

fn check_in_this_font(name: &str, chart: &dyn Chart) {
    for (width, suffix) in [(Width::COLUMN, "column"), (Width::PAGE, "page")] {
        let name = format!("{name}-{suffix}");
        let scene = draw(chart, width);
        assert_eq!(scene.size().0, width.points());
        assert_inside(&name, &scene);
        assert_apart(&name, &scene);
        assert_eq!(scene, draw(chart, width));
        keep(&name, &scene);
    }
}

fn keep(name: &str, scene: &Scene) {
    if let Some(dir) = std::env::var_os(GALLERY) {
        write(std::path::Path::new(&dir), name, scene, &Format::ALL).unwrap();
    }
}

/// No text covers another.
fn assert_apart(name: &str, scene: &Scene) {
    let boxes = scene.text_boxes();
    for (index, (text, [left, top, right, bottom])) in boxes.iter().enumerate() {
        for (other, [l, t, r, b]) in &boxes[..index] {
            // The boxes reach down to descenders, which most texts do not have.
            let apart = left + 0.1 >= *r || l + 0.1 >= *right || top + 2.0 >= *b || t + 2.0 >= *bottom;
            assert!(apart, "{name}: {text:?} covers {other:?}");
        }
    }
}

#[test]
fn every_kind_draws_the_same_picture_each_time_with_all_text_inside_and_apart() {
    for (name, chart) in samples() {
        check(&name, chart.as_ref());
    }
}

#[test]
fn every_kind_writes_files_that_parse() {
    let folder = tempfile::tempdir().unwrap();
    for (name, chart) in samples() {
        let scene = draw(chart.as_ref(), Width::COLUMN);
        let files = write(folder.path(), &name, &scene, &Format::ALL).unwrap();
        for (file, format) in files.iter().zip(Format::ALL) {
            let bytes = std::fs::read(file).unwrap();
            crate::report::scene::tests::assert_shows(&scene, format, &bytes);
        }
    }
}

#[test]
fn widths_are_named_or_in_millimetres() {
    assert_eq!("column".parse(), Ok(Width::COLUMN));
    assert_eq!("page".parse(), Ok(Width::PAGE));
    assert!(("88.9mm".parse::<Width>().unwrap().points() - 252.0).abs() < 1e-9);
    for bad in ["wide", "mm", "5mm", "1e9mm", "-80mm", "NaNmm", "89"] {
        assert!(bad.parse::<Width>().is_err(), "{bad}");
    }
}

fn long(index: usize) -> String {
    format!("expectimax & heuristic <no. {index}> with a long name")
}

fn crowd() -> Vec<Series> {
    let point = |series: usize, depth: usize| {
        let rate = (0.05 + 0.07 * series as f64 + 0.02 * depth as f64).min(1.0);
        Point { x: depth as f64, y: estimate(rate, rate - 0.04, rate + 0.04) }
    };
    (0..12).map(|s| Series { label: long(s), points: (1..=9).map(|depth| point(s, depth)).collect() }).collect()
}

fn lines(log_x: bool, range: Range, series: Vec<Series>) -> Lines {
    let (x_label, y_label) = ("Search depth (plies)".to_string(), "Win rate".to_string());
    Lines {
        x_label,
        y_label,
        log_x,
        categories: Vec::new(),
        range,
        series,
        joined: true,
        notes: vec!["12 of 99 agents shown".into()],
    }
}

#[test]
fn twelve_series_with_long_names_stay_readable() {
    let label = || "Search depth (plies)".to_string();
    let rate = || "Win rate".to_string();
    check("hard-win-rate", &lines(false, Range::Share, crowd()));
    check("hard-cost", &lines(true, Range::Values { log: true }, crowd()));
    let names = || (0..12).map(long).collect::<Vec<_>>();
    let sample =
        |i: usize| ScoreSample { label: long(i), values: (1..50).map(|k| f64::from(k) * (i + 1) as f64).collect() };
    let samples = (0..12).map(sample).collect::<Vec<_>>();
    check("hard-ecdf", &Ecdf::new(&label(), samples));
    check("hard-reach", &Lines { categories: names(), ..lines(false, Range::Percent, crowd()) });
    let field = |r: usize, c: usize| estimate((r * c) as f64 * 1e3, 0.0, 3e3);
    let values = (0..12).map(|r| (0..12).map(|c| field(r, c)).collect()).collect();
    let (columns, rows) = (names(), names());
    let scale_label = "Mean score".to_string();
    check("hard-matrix", &Heatmap { x_label: label(), y_label: rate(), columns, rows, values, scale_label });
    let row = |i: usize| OutcomeRow { label: long(i), won: exact(0.08 * i as f64), lost: exact(0.05) };
    check("hard-outcomes", &Outcomes { x_label: label(), rows: (0..12).map(row).collect(), opponent: Some(long(0)) });
}

#[test]
fn twelve_parameters_with_long_names_stay_readable() {
    let label = || "Search depth (plies)".to_string();
    let rate = || "Win rate".to_string();
    let step = |i: usize| {
        let value = estimate((i * i) as f64, 0.0, 200.0);
        AblationStep { label: long(i), value, change: None }
    };
    check("hard-ablation", &Ablation { x_label: label(), steps: (0..12).map(step).collect() });
    let row =
        |i: usize| ImportanceRow { label: long(i), is_pair: i > 6, share: estimate(30.0 / (i + 1) as f64, 0.0, 60.0) };
    check("hard-importance", &Importance { rows: (0..12).map(row).collect() });
    let panel = |i: usize| landscapes::panel((&long(i), &long(i + 1)), i.is_multiple_of(2), 0.1 * i as f64);
    check("hard-landscape", &Landscape { objective: label(), panels: (0..10).map(panel).collect() });
    let line = |i: usize| Evaluation { shares: (0..12).map(|k| ((i * k) % 7) as f64 / 7.0).collect(), value: i as f64 };
    let (lines, recommended) = ((0..99).map(line).collect(), vec![0.5; 12]);
    let axis = |i: usize| ParallelAxis {
        name: long(i),
        ends: if i.is_multiple_of(2) { [long(1), long(2)] } else { Default::default() },
        beside: if i.is_multiple_of(2) { Vec::new() } else { vec![long(1), long(2), long(3)] },
    };
    let axes = (0..12).map(axis).collect();
    check("hard-parallel", &Parallel { objective: rate(), axes, lines, recommended });
    let path = |i: usize| ParameterPath {
        name: long(i),
        values: Values::Number { log: i.is_multiple_of(2) },
        points: crowd()[i].points.clone(),
    };
    check("hard-paths", &Paths { x_label: label(), y_label: rate(), paths: (0..12).map(path).collect() });
    let dot = |i: usize| ParetoGroup { label: format!("agent {i}"), points: vec![pareto_point(i)] };
    let groups = (0..24).map(dot).collect();
    check("hard-pareto", &Pareto { x_label: label(), y_label: rate(), log_y: true, groups, notes: Vec::new() });
}

fn pareto_point(i: usize) -> ParetoPoint {
    let (cost, value) = (1.1f64.powi((i * 7 % 24) as i32), exact(1.2f64.powi((i * 5 % 24) as i32)));
    ParetoPoint { label: String::new(), cost, value }
}

/// Numbers that no axis can show, and ranges that are hard to show.
fn odd_numbers() -> [Vec<f64>; 8] {
    [
        vec![],
        vec![f64::NAN],
        vec![f64::INFINITY, f64::NEG_INFINITY],
        vec![0.0],
        vec![5.0],
        vec![-1.0, f64::NAN, 1.0],
        vec![-1e308, 1e308],
        vec![1e-300, 1.0, 1e300],
    ]
}

fn point(value: f64) -> Point {
    Point { x: value, y: estimate(value, value - 1.0, f64::INFINITY) }
}

fn text(label: &str) -> String {
    label.to_string()
}

fn comparisons(values: &[f64], log: bool) -> Vec<Box<dyn Chart>> {
    let x = || text("x");
    let series =
        vec![Series { label: text("a"), points: values.iter().copied().map(point).collect() }, Series::default()];
    let samples = vec![ScoreSample { label: text("a"), values: values.to_vec() }, ScoreSample::default()];
    let rates: Vec<Interval> = values.iter().map(|&value| point(value).y).collect();
    let points = values.iter().map(|&v| ParetoPoint { label: text("1"), cost: v, value: exact(v) }).collect();
    let groups = vec![ParetoGroup { label: text("a"), points }];
    let pair = |&value: &Interval| Pair {
        name: text("a"),
        published: value,
        measured: value,
        agrees: false,
        informative: true,
    };
    let published = Group { label: text("a"), pairs: rates.iter().map(pair).collect() };
    let rows = rates.iter().map(|&rate| OutcomeRow { label: text("a"), won: rate, lost: rate }).collect();
    vec![
        Box::new(lines(log, Range::Share, series.clone())),
        Box::new(lines(log, Range::Values { log }, series)),
        Box::new(Ecdf::new("x", samples)),
        Box::new(Pareto { x_label: x(), y_label: text("y"), log_y: log, groups, notes: Vec::new() }),
        Box::new(Published { groups: vec![published], notes: Vec::new() }),
        Box::new(Outcomes { x_label: x(), rows, opponent: None }),
    ]
}

fn tunings(values: &[f64], log: bool) -> Vec<Box<dyn Chart>> {
    let (x, y) = (|| text("x"), || text("y"));
    let points: Vec<Point> = values.iter().copied().map(point).collect();
    let curves = vec![Series { label: text("a"), points: points.clone() }, Series::default()];
    let references = vec![Reference { label: text("r"), value: f64::NAN }];
    let path = ParameterPath { name: text("c"), values: Values::Number { log }, points: points.clone() };
    let values_of = Values::Number { log };
    let slice = Slice { name: text("c"), values: values_of.clone(), recommended: f64::NAN, points: points.clone() };
    let steps = points.iter().map(|p| AblationStep { label: text("s"), value: p.y, change: None }).collect();
    let shares = points.iter().map(|p| ImportanceRow { label: text("s"), is_pair: log, share: p.y }).collect();
    let panel = Panel {
        names: (x(), y()),
        kinds: (values_of.clone(), values_of),
        xs: values.to_vec(),
        ys: values.to_vec(),
        values: values.iter().flat_map(|_| values.to_vec()).collect(),
        dots: values.iter().map(|&value| (value, value)).collect(),
        recommended: Some((f64::NAN, f64::NAN)),
    };
    let evaluations = values.iter().map(|&value| Evaluation { shares: vec![value], value }).collect();
    let dots = values.iter().map(|&value| (value, value)).collect();
    let values = vec![points.iter().map(|p| p.y).collect(), Vec::new()];
    let (columns, rows) = (vec![text("c")], Vec::new());
    vec![
        Box::new(Convergence { x_label: x(), y_label: y(), curves, references }),
        Box::new(Paths { x_label: x(), y_label: y(), paths: vec![path] }),
        Box::new(Slices { x_label: x(), y_label: y(), slices: vec![slice] }),
        Box::new(Ablation { x_label: x(), steps }),
        Box::new(Importance { rows: shares }),
        Box::new(Landscape { objective: y(), panels: vec![panel] }),
        Box::new(Parallel {
            objective: y(),
            axes: vec![ParallelAxis { name: x(), ends: [x(), y()], beside: Vec::new() }],
            lines: evaluations,
            recommended: vec![f64::NAN],
        }),
        Box::new(Evaluations { y_label: y(), dots, means: points.clone() }),
        Box::new(Heatmap { x_label: x(), y_label: y(), columns, rows, values, scale_label: text("z") }),
    ]
}

#[test]
fn numbers_without_a_place_are_left_out() {
    for values in odd_numbers() {
        for log in [false, true] {
            for chart in comparisons(&values, log).into_iter().chain(tunings(&values, log)) {
                let scene = draw(chart.as_ref(), Width::COLUMN);
                assert_inside(&format!("{} with {values:?}", chart.title()), &scene);
                let empty = scene.text_boxes().iter().any(|(text, _)| text == "no data");
                assert!(empty || values.iter().any(|value| value.is_finite()), "{} of {values:?}", chart.title());
            }
        }
    }
}

/// Where discs are, in hundredths of a point from the left: those of the first series at these x, and that of the legend.
fn discs(xs: [f64; 3], labels: &[&str]) -> BTreeSet<i64> {
    let series = |label: &&str| Series { label: label.to_string(), points: xs.map(point).into() };
    let chart = lines(true, Range::Values { log: false }, labels.iter().map(series).collect());
    let places = draw(&chart, Width::COLUMN).circle_places();
    places.into_iter().map(|[x, _]| (100.0 * x) as i64).collect()
}

#[test]
fn a_logarithmic_axis_does_not_move_points_to_other_values() {
    let (alone, both) = (discs([1.5, 10.0, 100.0], &["a"]), discs([1.5, 10.0, 100.0], &["a", "b"]));
    assert_eq!(alone.intersection(&both).count(), 3, "{alone:?} {both:?}");
    // Where every value has its own tick, equal points of two series are seen side by side, close to the tick.
    let (alone, both) = (discs([1.0, 10.0, 100.0], &["a"]), discs([1.0, 10.0, 100.0], &["a", "b"]));
    let is_beside = |tick: &&i64| both.iter().any(|disc| (50..=200).contains(&(*tick - disc)));
    assert_eq!(alone.iter().filter(is_beside).count(), 3, "{alone:?} {both:?}");
}
