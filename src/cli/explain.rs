//! `lab2048 explain`: why an agent makes its move.

use super::agent_arg::AgentParser;
use super::output::print;
use super::position::PositionArgs;
use super::{Context, Failure};
use crate::agents::AgentSpec;
use crate::explain::{Format, explain_decision, render};
use crate::heuristics::Playable;
use crate::params::{InputError, unknown};
use crate::rng::agent_seed;
use crate::spec::GameTask;

/// Explain an agent's move: its search tree with values, windows, probabilities and cuts, or its Monte Carlo estimates
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 explain --board 2,4,8,16/32,64,128,256/2,4,8,16/32,64,0,2 --agent expectimax:depth=3
  lab2048 explain --game tic-tac-toe --board XO./.X./O.. --agent alphabeta:depth=9 --format svg > tree.svg
  lab2048 explain --board 2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2 --agent rollout:runs=500
  lab2048 explain --game tic-tac-toe --board XO./.../... --agent mcts:iterations=500")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The agent: kind:key=value,... (see `lab2048 list agents`). In place of the kind, the path of a best-agent.toml
    #[arg(long, value_parser = AgentParser, hide_possible_values = true)]
    agent: String,
    /// The format: text, json, dot (for Graphviz) or svg
    #[arg(long, default_value = "text")]
    format: String,
    /// Show at most this many nodes; the values do not depend on it
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    max_nodes: u64,
    /// Seed of the agent's own randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        let known = Format::ALL.iter().map(|(name, _)| *name);
        let format = Format::ALL.iter().find(|(name, _)| *name == self.format);
        let format = format.ok_or_else(|| InputError::new(unknown("format", &self.format, known)))?.1;
        self.position.game()?.with(Explain { args: self, format })
    }
}

struct Explain<'a> {
    args: &'a Args,
    format: Format,
}

impl GameTask for Explain<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let spec = AgentSpec::from_text(&self.args.agent)?;
        let (position, score) = self.args.position.read_open(&game)?;
        let tree = explain_decision(&game, &spec, position, score, agent_seed(self.args.seed), self.args.max_nodes)?;
        print(&render(&tree, self.format))
    }
}
