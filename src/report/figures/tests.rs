//! Laws that every kind of chart keeps.

use super::*;
use std::collections::BTreeSet;

/// Set to a folder to keep the gallery and look at it.
const GALLERY: &str = "LAB2048_GALLERY";

fn assert_inside(name: &str, scene: &Scene) {
    let (width, height) = scene.size();
    for (text, [left, top, right, bottom]) in scene.text_boxes() {
        let inside = left >= -0.5 && top >= -0.5 && right <= width + 0.5 && bottom <= height + 0.5;
        assert!(inside, "{name}: {text:?} leaves the page: {left} {top} {right} {bottom}");
    }
}

#[test]
fn names_are_unique_and_told() {
    let names: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), KINDS.len());
    assert!(KINDS.iter().all(|kind| !kind.about.is_empty()));
}

/// Draws at both widths and holds the pictures to the laws.
fn check(name: &str, chart: &dyn Chart) {
    for (width, suffix) in [(Width::Column, "column"), (Width::Page, "page")] {
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

/// No text stands on another.
fn assert_apart(name: &str, scene: &Scene) {
    let boxes = scene.text_boxes();
    for (index, (text, [left, top, right, bottom])) in boxes.iter().enumerate() {
        for (other, [l, t, r, b]) in &boxes[..index] {
            // The boxes reach down to descenders, which most texts do not have.
            let apart = left + 0.1 >= *r || l + 0.1 >= *right || top + 2.0 >= *b || t + 2.0 >= *bottom;
            assert!(apart, "{name}: {text:?} stands on {other:?}");
        }
    }
}

#[test]
fn every_kind_draws_at_both_widths_inside_the_page_and_alike_each_time() {
    for kind in KINDS {
        check(kind.name, (kind.sample)().as_ref());
    }
}

#[test]
fn every_kind_writes_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for kind in KINDS {
        let scene = draw((kind.sample)().as_ref(), Width::Column);
        let files = write(folder.path(), kind.name, &scene, &Format::ALL).unwrap();
        assert!(files.iter().all(|file| file.metadata().unwrap().len() > 500));
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

#[test]
fn twelve_series_with_long_names_stay_readable() {
    let label = || "Search depth (plies)".to_string();
    let rate = || "Win rate".to_string();
    check("hard-win-rate", &WinRate { x_label: label(), y_label: rate(), log_x: false, series: crowd() });
    check("hard-cost", &Cost { x_label: label(), y_label: rate(), log_x: true, series: crowd() });
    let names = || (0..12).map(long).collect::<Vec<_>>();
    let sample =
        |i: usize| ScoreSample { label: long(i), values: (1..50).map(|k| f64::from(k) * (i + 1) as f64).collect() };
    let samples = || (0..12).map(sample).collect::<Vec<_>>();
    check("hard-ecdf", &Ecdf { x_label: label(), log_x: false, samples: samples() });
    check("hard-violin", &Violin { y_label: rate(), log_y: true, samples: samples() });
    let row = |i: usize| ReachRow { label: long(i), rates: vec![estimate(0.05 * i as f64, 0.0, 0.1 * i as f64); 12] };
    let agents = (0..12).map(row).collect();
    check("hard-reach", &Reach { x_label: label(), y_label: rate(), tiles: names(), agents });
    let field = |r: usize, c: usize| estimate((r * c) as f64 * 1e3, 0.0, 3e3);
    let values = (0..12).map(|r| (0..12).map(|c| field(r, c)).collect()).collect();
    let (columns, rows) = (names(), names());
    let scale_label = "Mean score".to_string();
    check("hard-matrix", &Heatmap { x_label: label(), y_label: rate(), columns, rows, values, scale_label });
    let row = |i: usize| OutcomeRow { label: long(i), won: exact(0.08 * i as f64), lost: exact(0.05) };
    check("hard-outcomes", &Outcomes { x_label: label(), rows: (0..12).map(row).collect() });
    let step = |i: usize| AblationStep { label: long(i), value: estimate((i * i) as f64, 0.0, 200.0) };
    check("hard-ablation", &Ablation { x_label: label(), steps: (0..12).map(step).collect() });
    let path =
        |i: usize| CoefficientPath { name: long(i), log: i.is_multiple_of(2), points: crowd()[i].points.clone() };
    check("hard-paths", &Paths { x_label: label(), y_label: rate(), paths: (0..12).map(path).collect() });
    let dot = |i: usize| ParetoPoint {
        label: format!("agent {i}"),
        cost: 1.1f64.powi((i * 7 % 24) as i32),
        value: exact(1.2f64.powi((i * 5 % 24) as i32)),
    };
    check("hard-pareto", &Pareto { x_label: label(), y_label: rate(), points: (0..24).map(dot).collect() });
}

/// Numbers that have no place on an axis, and ranges that strain it.
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
    let (x, y) = (|| text("x"), || text("y"));
    let series =
        vec![Series { label: text("a"), points: values.iter().copied().map(point).collect() }, Series::default()];
    let samples = vec![ScoreSample { label: text("a"), values: values.to_vec() }, ScoreSample::default()];
    let rates: Vec<Interval> = values.iter().map(|&value| point(value).y).collect();
    let agents = vec![ReachRow { label: text("a"), rates: rates.clone() }];
    let dots = values.iter().map(|&v| ParetoPoint { label: text("a"), cost: v, value: exact(v) }).collect();
    let pairs = rates.iter().map(|&value| Pair { published: value, measured: value }).collect();
    let rows = rates.iter().map(|&rate| OutcomeRow { label: text("a"), won: rate, lost: rate }).collect();
    vec![
        Box::new(WinRate { x_label: x(), y_label: y(), log_x: log, series: series.clone() }),
        Box::new(Cost { x_label: x(), y_label: y(), log_x: log, series }),
        Box::new(Ecdf { x_label: x(), log_x: log, samples: samples.clone() }),
        Box::new(Violin { y_label: y(), log_y: log, samples }),
        Box::new(Reach { x_label: x(), y_label: y(), tiles: vec![text("2")], agents }),
        Box::new(Pareto { x_label: x(), y_label: y(), points: dots }),
        Box::new(Published { x_label: x(), y_label: y(), log, groups: vec![Group { label: text("a"), pairs }] }),
        Box::new(Outcomes { x_label: x(), rows }),
    ]
}

fn tunings(values: &[f64], log: bool) -> Vec<Box<dyn Chart>> {
    let (x, y) = (|| text("x"), || text("y"));
    let points: Vec<Point> = values.iter().copied().map(point).collect();
    let curves = vec![Series { label: text("a"), points: points.clone() }, Series::default()];
    let references = vec![Reference { label: text("r"), value: f64::NAN }];
    let path = CoefficientPath { name: text("c"), log, points: points.clone() };
    let slice = Slice { name: text("c"), log, recommended: f64::NAN, points: points.clone() };
    let steps = points.iter().map(|p| AblationStep { label: text("s"), value: p.y }).collect();
    let values = vec![points.iter().map(|p| p.y).collect(), Vec::new()];
    let (columns, rows) = (vec![text("c")], Vec::new());
    vec![
        Box::new(Convergence { x_label: x(), y_label: y(), log_x: log, curves, references }),
        Box::new(Paths { x_label: x(), y_label: y(), paths: vec![path] }),
        Box::new(Slices { x_label: x(), y_label: y(), slices: vec![slice] }),
        Box::new(Ablation { x_label: x(), steps }),
        Box::new(Heatmap { x_label: x(), y_label: y(), columns, rows, values, scale_label: text("z") }),
    ]
}

#[test]
fn odd_numbers_are_left_out_without_a_fuss() {
    for values in odd_numbers() {
        for log in [false, true] {
            for chart in comparisons(&values, log).into_iter().chain(tunings(&values, log)) {
                let scene = draw(chart.as_ref(), Width::Column);
                assert_inside(&format!("{} with {values:?}", chart.title()), &scene);
                let empty = scene.text_boxes().iter().any(|(text, _)| text == "no data");
                assert!(empty || values.iter().any(|value| value.is_finite()), "{} of {values:?}", chart.title());
            }
        }
    }
}

#[test]
fn panels_are_lettered_and_in_rows() {
    let charts: Vec<Box<dyn Chart>> = KINDS.iter().take(5).map(|kind| (kind.sample)()).collect();
    let charts: Vec<&dyn Chart> = charts.iter().map(|chart| chart.as_ref()).collect();
    let scene = panels(&charts, 2, Width::Page, "All together");
    assert_inside("panels", &scene);
    let boxes = scene.text_boxes();
    let at = |letter: &str| boxes.iter().find(|(text, _)| text == letter).unwrap().1;
    assert!(at("a")[1] == at("b")[1] && at("a")[0] < at("b")[0] && at("c")[1] > at("a")[1]);
    keep("panels", &scene);
}
