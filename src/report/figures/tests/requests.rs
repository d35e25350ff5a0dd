//! What figures of a comparison show for a request.

use super::{assert_apart, assert_inside, keep};
use crate::report::figures::*;
use crate::report::table::Table;

/// Minimax and alpha-beta with equal rates at two heuristics and three depths, expectimax with others.
fn battery() -> (Table, Table) {
    let mut agents = Table::new(["agent", "group", "kind", "timed", "heuristic", "depth"]);
    let mut summary = Table::new(["agent", "win_rate", "mean_score", "microseconds_per_move"]);
    for (kind, bonus) in [("minimax", 0.0), ("alphabeta", 0.0), ("expectimax", 0.2)] {
        for heuristic in ["a", "b"] {
            for depth in 1..=3 {
                let label = format!("{kind} heuristic={heuristic} depth={depth}");
                agents.push([&label, kind, kind, "false", heuristic, &depth.to_string()]);
                let rate = 0.1 * f64::from(depth) + bonus;
                summary.push([label, rate.to_string(), (1000.0 * rate).to_string(), depth.to_string()]);
            }
        }
    }
    (agents, summary)
}

fn scene_of(request: &FigureRequest) -> Result<Scene, NotDrawn> {
    scene_from(battery(), request)
}

fn scene_from((agents, summary): (Table, Table), request: &FigureRequest) -> Result<Scene, NotDrawn> {
    let all = Agents::new(&Tables { agents: &agents, summary: &summary, timing: &summary, scores: None });
    let figure = all.chosen(request);
    let kind = CompareChart::named(request.kind).unwrap();
    let build = |agents: &Agents| {
        kind.build(&View {
            request,
            figure: &figure,
            agents,
            published: None,
            survival: None,
            goal: Some("2048"),
            opponent: None,
        })
    };
    match &request.panel {
        None => build(&figure).map(|chart| draw(chart.as_ref(), Width::COLUMN)),
        Some(axis) => {
            let charts = figure.grouped(axis).into_iter().map(|(name, group)| Ok((name, build(&group)?)));
            let charts: Vec<(String, Box<dyn Chart>)> = charts.collect::<Result<_, NotDrawn>>()?;
            Ok(panels(charts, Width::COLUMN, "panels"))
        }
    }
}

fn texts(scene: &Scene) -> Vec<String> {
    scene.text_boxes().into_iter().map(|(text, _)| text).collect()
}

#[test]
fn panels_have_letters_names_and_one_legend_with_equal_series_joined() {
    let panel = Some("heuristic".to_string());
    let series = Some("kind".to_string());
    let scene = scene_of(&FigureRequest { panel, series, ..FigureRequest::of("win-rate") }).unwrap();
    assert_inside("panels", &scene);
    assert_apart("panels", &scene);
    keep("panels", &scene);
    let texts = texts(&scene);
    let count = |wanted: &str| texts.iter().filter(|text| *text == wanted).count();
    for once in ["minimax = alpha-beta", "expectimax", "a", "b", "Search depth (plies)"] {
        assert!((1..=2).contains(&count(once)), "{once} in {texts:?}");
    }
    assert_eq!((count("minimax = alpha-beta"), count("expectimax")), (1, 1));
    let boxes = scene.text_boxes();
    let at = |wanted: &str| boxes.iter().find(|(text, _)| text == wanted).unwrap().1;
    assert!(at("a")[1] == at("b")[1] && at("a")[0] < at("b")[0]);
}

#[test]
fn every_point_of_a_pareto_figure_can_be_named() {
    let request = FigureRequest { panel: Some("heuristic".into()), ..FigureRequest::of("pareto") };
    let texts = texts(&scene_of(&request).unwrap());
    for needed in ["minimax", "alpha-beta", "expectimax", "numbers: depth", "1", "2", "3", "Pareto front"] {
        assert!(texts.iter().any(|text| text == needed), "{needed} is missing in {texts:?}");
    }
}

#[test]
fn numbers_that_count_different_things_are_explained_line_by_line() {
    let mut agents = Table::new(["agent", "group", "kind", "timed", "depth", "runs"]);
    let mut summary = Table::new(["agent", "mean_score", "microseconds_per_move"]);
    for (kind, depth, runs, cost) in [
        ("expectimax", "1", "", "1"),
        ("expectimax", "2", "", "9"),
        ("rollout", "", "10", "30"),
        ("rollout", "", "90", "80"),
    ] {
        let label = format!("{kind} {depth}{runs}");
        agents.push([&label, kind, kind, "false", depth, runs]);
        summary.push([label.as_str(), cost, cost]);
    }
    let texts = texts(&scene_from((agents, summary), &FigureRequest::of("pareto")).unwrap());
    for needed in ["expectimax (numbers: depth)", "rollout (numbers: playouts)", "1", "2", "10", "90"] {
        assert!(texts.iter().any(|text| text == needed), "{needed} is missing in {texts:?}");
    }
}

#[test]
fn what_a_figure_is_restricted_to_is_told() {
    let only = vec![("heuristic".to_string(), vec!["b".to_string()]), ("kind".into(), vec!["minimax".into()])];
    let texts = texts(&scene_of(&FigureRequest { only, ..FigureRequest::of("win-rate") }).unwrap());
    assert!(texts.iter().any(|text| text == "only b"), "{texts:?}");
}

#[test]
fn figures_with_too_little_to_show_are_not_drawn() {
    let only = vec![("kind".to_string(), vec!["minimax".to_string()]), ("depth".into(), vec!["1".into()])];
    for kind in ["win-rate", "score", "cost", "pareto"] {
        let request = FigureRequest { only: only.clone(), ..FigureRequest::of(kind) };
        assert!(matches!(scene_of(&request), Err(NotDrawn::TooLittle(_))), "{kind}");
    }
    assert!(matches!(scene_of(&FigureRequest::of("ecdf")), Err(NotDrawn::Missing("games.csv"))));
    assert!(matches!(scene_of(&FigureRequest::of("published")), Err(NotDrawn::NotApplicable)));
}
