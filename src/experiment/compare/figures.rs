//! The figures of a comparison, drawn from its tables alone: the same tables give the same bytes.

use std::path::Path;

use super::sample::read_samples;
use super::{AGENTS, EXPERIMENT, GAMES, PUBLISHED, SUMMARY, SURVIVAL};
use crate::experiment::TIMING_SUMMARY;
use crate::experiment::error::Error;
use crate::experiment::figures::{Drawing, DrawnFigures, FigureOptions};
use crate::games::twenty48::Goal;
use crate::params::document::Document;
use crate::report::figures::{
    Agents, COMPARE, Chart, CompareChart, FigureRequest, NotDrawn, Scene, Tables, View, Width, draw, panels,
};
use crate::report::table::Table;
use crate::spec::{GameSpec, figure_requests};

/// The tables of a results folder, and what its experiment says about figures.
struct Files {
    agents: Table,
    summary: Table,
    timing: Table,
    published: Option<Table>,
    survival: Option<Table>,
    /// The scores of each agent; `None` if `games.csv` was not kept.
    scores: Option<Vec<Vec<f64>>>,
    experiment: Experiment,
}

/// What the experiment says about its figures. All is empty if there is no file.
#[derive(Default)]
struct Experiment {
    requests: Vec<FigureRequest>,
    /// The tile at which games stop, if they do.
    goal: Option<String>,
    /// Whom the agents play against, in games for two.
    opponent: Option<String>,
}

impl Files {
    fn read(folder: &Path) -> Result<Self, Error> {
        let optional = |name: &str| {
            let path = folder.join(name);
            path.exists().then(|| Table::read(&path)).transpose()
        };
        let files = Files {
            agents: Table::read(&folder.join(AGENTS))?,
            summary: Table::read(&folder.join(SUMMARY))?,
            timing: Table::read(&folder.join(TIMING_SUMMARY))?,
            published: optional(PUBLISHED)?,
            survival: optional(SURVIVAL)?,
            scores: None,
            experiment: read_experiment(&folder.join(EXPERIMENT))?,
        };
        let names = |table: &Table| table.rows().map(|row| row.text("agent").to_string()).collect::<Vec<_>>();
        let agents = names(&files.agents);
        if names(&files.summary) != agents || names(&files.timing) != agents {
            return Err(disagree(folder));
        }
        let scores = folder.join(GAMES).exists().then(|| read_scores(folder, &agents)).transpose()?;
        Ok(Files { scores, ..files })
    }

    fn tables(&self) -> Tables<'_> {
        Tables { agents: &self.agents, summary: &self.summary, timing: &self.timing, scores: self.scores.as_deref() }
    }

    /// The figures that the experiment asks for, or else all kinds that suit the agents.
    fn requests(&self, agents: &Agents) -> Vec<FigureRequest> {
        if !self.experiment.requests.is_empty() {
            return self.experiment.requests.clone();
        }
        COMPARE.iter().filter(|kind| kind.is_default(agents)).map(|kind| FigureRequest::of(kind.name)).collect()
    }
}

fn disagree(folder: &Path) -> Error {
    Error::Failed(format!("the tables in `{}` do not name the same agents", folder.display()))
}

fn read_scores(folder: &Path, agents: &[String]) -> Result<Vec<Vec<f64>>, Error> {
    let samples = read_samples(folder)?;
    if samples.iter().map(|sample| &sample.agent).ne(agents) {
        return Err(disagree(folder));
    }
    Ok(samples.into_iter().map(|sample| sample.scores).collect())
}

fn read_experiment(path: &Path) -> Result<Experiment, Error> {
    if !path.exists() {
        return Ok(Experiment::default());
    }
    let document = Document::open(&path.to_string_lossy())?;
    let table = document.table();
    let requests = figure_requests(table).map_err(|problem| document.locate(problem))?;
    let text = |key: &str| table.get(key).map(crate::params::show);
    let game = GameSpec::new(text("game").as_deref().unwrap_or(GameSpec::default().name()), text("goal").as_deref());
    let game = game.map_err(|problem| document.locate(problem))?;
    let goal = (game.has_goal() && game.goal() != Goal::None).then(|| game.goal().to_string());
    Ok(Experiment { requests, goal, opponent: text("opponent") })
}

/// Draws the figures of a results folder.
pub(super) fn plot(folder: &Path, options: &FigureOptions) -> Result<DrawnFigures, Error> {
    if options.formats.is_empty() {
        return Ok(DrawnFigures::default());
    }
    let files = Files::read(folder)?;
    let agents = Agents::new(&files.tables());
    let requests = files.requests(&agents);
    let mut drawing = Drawing::new(folder, options);
    drawing.check(&requests.iter().map(|request| (request.name.clone(), request.kind)).collect::<Vec<_>>())?;
    for request in requests.iter().filter(|request| drawing.wants(&request.name, request.kind)).collect::<Vec<_>>() {
        drawing.add(&request.name, || scene(request, &files, &agents, options.width))?;
    }
    drawing.finish()
}

/// One chart, or one panel for each value of the panel's axis.
fn scene(request: &FigureRequest, files: &Files, agents: &Agents, width: Option<Width>) -> Result<Scene, NotDrawn> {
    let kind = CompareChart::named(request.kind).ok_or(NotDrawn::NotApplicable)?;
    let figure = &agents.chosen(request);
    let build = |agents: &Agents| {
        let (published, survival) = (files.published.as_ref(), files.survival.as_ref());
        let (goal, opponent) = (files.experiment.goal.as_deref(), files.experiment.opponent.as_deref());
        kind.build(&View { request, figure, agents, published, survival, goal, opponent })
    };
    let Some(axis) = &request.panel else {
        let chart = build(figure)?;
        return Ok(draw(chart.as_ref(), width.unwrap_or(chart.natural_width())));
    };
    let groups = figure.grouped(axis).into_iter();
    let charts: Vec<(String, Box<dyn Chart>)> =
        groups.map(|(name, group)| Ok((name, build(&group)?))).collect::<Result<_, NotDrawn>>()?;
    if charts.is_empty() {
        return Err(NotDrawn::TooLittle("no agents are chosen".into()));
    }
    let charts = if kind.is_measured { charts } else { join_equal_panels(charts) };
    Ok(panels(charts, width.unwrap_or(Width::PAGE), &request.name))
}

/// Joins panels that look alike, such as those of two agents that play the same games, under both names.
fn join_equal_panels(charts: Vec<(String, Box<dyn Chart>)>) -> Vec<(String, Box<dyn Chart>)> {
    let mut kept: Vec<(String, Box<dyn Chart>, Scene)> = Vec::new();
    for (name, chart) in charts {
        let scene = draw(chart.as_ref(), Width::COLUMN);
        match kept.iter_mut().find(|(_, _, earlier)| *earlier == scene) {
            Some((names, _, _)) => *names = format!("{names} = {name}"),
            None => kept.push((name, chart, scene)),
        }
    }
    kept.into_iter().map(|(name, chart, _)| (name, chart)).collect()
}
