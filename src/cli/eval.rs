//! `lab2048 eval`: the value of a position under a heuristic, term by term.

use serde_json::json;

use super::output::{json_value, print, print_json};
use super::position::PositionArgs;
use super::{Context, Failure};
use crate::explain::show_value;
use crate::games::{Game, Outcome};
use crate::heuristics::{Evaluator, EvaluatorTask, Playable, TermValue};
use crate::spec::GameTask;

/// Show the value of a position under a heuristic, term by term
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 eval --board 4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0 --score 8 --heuristic malaga-1
  lab2048 eval --board 4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0 --heuristic results/quickstart/best.toml --json")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The heuristic: a name (see `lab2048 list heuristics`) or the path of a file; each game has a default
    #[arg(long)]
    heuristic: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        self.position.game()?.with(Eval { args: self })
    }

    fn print(&self, value: f64, utility: f64, terms: &[TermValue]) -> Result<(), Failure> {
        if self.json {
            let term = |term: &TermValue| {
                json!({
                    "feature": term.feature,
                    "label": term.label,
                    "coefficient": term.coefficient,
                    "raw": json_value(term.raw),
                    "value": json_value(term.value),
                })
            };
            let terms: Vec<_> = terms.iter().map(term).collect();
            let (value, utility) = (json_value(value), json_value(utility));
            return print_json(&json!({ "value": value, "terms": terms, "utility": utility }));
        }
        let mut text = format!("{:<22} {:>14} {:>16} {:>18}\n", "term", "coefficient", "raw", "value");
        for term in terms {
            let [coefficient, raw, value] = [term.coefficient, term.raw, term.value].map(show_value);
            text += &format!("{:<22} {coefficient:>14} {raw:>16} {value:>18}\n", term.label);
        }
        text += &format!("{:<54} {:>18}\n", "value", show_value(value));
        if utility != value {
            text += &format!("{:<54} {:>18}\n", "utility (what a search sees)", show_value(utility));
        }
        print(&text)
    }
}

/// The value of a finished game in a search.
struct Ended<'a, G> {
    game: &'a G,
    outcome: Outcome,
    score: u32,
}

impl<G: Game> EvaluatorTask<G> for Ended<'_, G> {
    type Output = f64;

    fn run<E: Evaluator<G>>(self, evaluator: E) -> f64 {
        evaluator.ended(self.game, self.outcome, self.score)
    }
}

struct Eval<'a> {
    args: &'a Args,
}

impl GameTask for Eval<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let (position, score) = self.args.position.read(&game)?;
        let heuristic = self.args.heuristic.as_deref().unwrap_or(G::DEFAULT_HEURISTIC);
        let (value, terms) = game.breakdown(&heuristic.into(), position, score)?;
        let ended = game.after_step(position).or_else(|| game.verdict(position));
        let utility = match ended {
            Some(outcome) => game.with_evaluator(&heuristic.into(), Ended { game: &game, outcome, score })?,
            None => value.max(G::FLOOR),
        };
        self.args.print(value, utility, &terms)
    }
}
