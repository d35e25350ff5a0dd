//! `lab2048 analyse`: an agent's value of every move of a recorded game.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;

use anyhow::anyhow;
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::{Value, json};

use super::agent_arg::AgentParser;
use super::output::{json_value, print, print_json};
use super::{Context, Failure, recorded};
use crate::agents::AgentSpec;
use crate::explain::show_value;
use crate::games::is_win;
use crate::heuristics::Playable;
use crate::record::{Analysis, MoveAnalysis, Record, save_new};
use crate::report::figures::{Curves, Format, Width, draw};
use crate::spec::GameTask;

/// Ask an agent about every move of a recorded game: its values, and the moves that it would not have played
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 analyse mine.game --agent expectimax:depth=5
  lab2048 analyse mine.game --agent expectimax:depth=3 --figure values.png
  lab2048 analyse mine.game --agent rollout:runs=1000 --json")]
pub struct Args {
    /// A record, as `play` and `watch` write them
    file: PathBuf,
    /// The agent: kind:key=value,... (see `lab2048 list agents`). In place of the kind, the path of a best-agent.toml
    #[arg(long, value_parser = AgentParser, hide_possible_values = true)]
    agent: String,
    /// How many of the worst moves to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    worst: usize,
    /// Draw the values over the moves: a file that ends in .png, .svg or .pdf
    #[arg(long, value_name = "FILE")]
    figure: Option<PathBuf>,
    /// Seed of the agent's own randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON, with every move
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let spec = AgentSpec::from_text(&self.agent)?;
        let format = self.figure.as_ref().map(|path| figure_format(path)).transpose()?;
        self.figure.as_deref().map_or(Ok(()), recorded::check_free)?;
        let (game, text) = recorded::open(&self.file)?;
        let analysis = game.with(Analyse { args: self, spec: &spec, text: &text, quiet: context.quiet })?;
        if let (Some(path), Some(format)) = (&self.figure, format) {
            let scene = draw(&chart(&analysis, &spec), Width::PAGE);
            save_new(path, scene.encode(format)?).map_err(|error| anyhow!(error))?;
        }
        if self.json { print_json(&self.to_json(&analysis, &spec)) } else { print(&self.table(&analysis, &spec)) }
    }

    fn table(&self, analysis: &Analysis, spec: &AgentSpec) -> String {
        let (mistakes, total) = (analysis.mistakes(), analysis.moves.len());
        let mut text = format!("{spec} agrees with {} of {total} moves.\n", analysis.agreements());
        let Some(worst) = mistakes.first() else { return text };
        text += &format!(
            "The worst move is number {}: {} instead of {}, which loses {}.\n\n",
            worst.number,
            worst.played,
            worst.preferred,
            show_value(worst.loss())
        );
        text += &format!(
            "{:>6}  {:<8} {:<8} {:>14} {:>14} {:>14}  board\n",
            "move", "played", "agent", "value", "best", "loss"
        );
        for each in mistakes.iter().take(self.worst) {
            let [value, best, loss] = [each.played_value, each.best_value, each.loss()].map(show_value);
            let MoveAnalysis { number, played, preferred, board, .. } = each;
            text += &format!("{number:>6}  {played:<8} {preferred:<8} {value:>14} {best:>14} {loss:>14}  {board}\n");
        }
        if mistakes.len() > self.worst {
            text += &format!("and {} more moves that lose less\n", mistakes.len() - self.worst);
        }
        text
    }

    fn to_json(&self, analysis: &Analysis, spec: &AgentSpec) -> Value {
        let moves: Vec<Value> = analysis.moves.iter().map(move_json).collect();
        let worst = analysis.mistakes().first().map(|worst| worst.number);
        json!({
            "file": self.file.display().to_string(),
            "agent": spec.to_string(),
            "agreements": analysis.agreements(),
            "worst": worst,
            "moves": moves,
        })
    }
}

fn move_json(each: &MoveAnalysis) -> Value {
    let values = each.values.iter().map(|(action, value)| (action.clone(), json_value(*value)));
    let values: serde_json::Map<_, _> = values.collect();
    json!({
        "move": each.number,
        "board": each.board,
        "score": each.score,
        "played": each.played,
        "agent": each.preferred,
        "differs": each.differs(),
        "value": json_value(each.played_value),
        "best": json_value(each.best_value),
        "loss": json_value(each.loss()),
        "values": values,
    })
}

fn figure_format(path: &std::path::Path) -> Result<Format, Failure> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("png") => Ok(Format::Png),
        Some("svg") => Ok(Format::Svg),
        Some("pdf") => Ok(Format::Pdf),
        _ => Err(Failure::Usage(format!("--figure {}: the name must end in .png, .svg or .pdf", path.display()))),
    }
}

/// The agent's value of its own move and of the move that was played, over the game. Values that include a win are left
/// out, because they are far above all others.
fn chart(analysis: &Analysis, spec: &AgentSpec) -> Curves {
    let curve = |label: &str, value: fn(&MoveAnalysis) -> f64| {
        let finite = analysis.moves.iter().filter(|each| !is_win(value(each)) && value(each).is_finite());
        (label.to_string(), finite.map(|each| (each.number as f64, value(each))).collect())
    };
    Curves {
        x_label: "Move".into(),
        y_label: format!("Value by {}", spec.kind.name),
        curves: vec![curve("agent's move", |each| each.best_value), curve("played move", |each| each.played_value)],
    }
}

struct Analyse<'a> {
    args: &'a Args,
    spec: &'a AgentSpec,
    text: &'a str,
    quiet: bool,
}

impl GameTask for Analyse<'_> {
    type Output = Result<Analysis, Failure>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let path = self.args.file.display();
        let record = Record::read(&game, self.text).map_err(|error| anyhow!("{path}: {error}"))?;
        let bar = ProgressBar::new(record.moves.len() as u64);
        if self.quiet || !stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let analysis = Analysis::of(&game, &record, self.spec, self.args.seed, |done| bar.set_position(done as u64));
        bar.finish_and_clear();
        Ok(analysis?)
    }
}
