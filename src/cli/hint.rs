//! `lab2048 hint`: the move that an agent would make.

use serde_json::json;

use super::agent_arg::AgentParser;
use super::output::{json_value, print, print_json};
use super::position::PositionArgs;
use super::{Context, Failure};
use crate::agents::{AgentSpec, Decision};
use crate::explain::{plies, show_value};
use crate::games::Game;
use crate::heuristics::Playable;
use crate::rng::agent_seed;
use crate::spec::GameTask;

/// Show the move that an agent would make, with the value of every legal move
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 hint --board 4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0 --agent expectimax:depth=5,heuristic=malaga-1
  lab2048 hint --board 2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2 --agent rollout:runs=1000 --seed 7 --json
  lab2048 hint --game tic-tac-toe --board XO./.X./O.. --agent alphabeta:depth=9")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The agent: kind:key=value,... (see `lab2048 list agents`). In place of the kind, the path of a best-agent.toml
    #[arg(long, value_parser = AgentParser, hide_possible_values = true)]
    agent: String,
    /// Seed of the agent's own randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        self.position.game()?.with(Hint { args: self })
    }

    fn print<G: Game>(&self, decision: &Decision<G>, note: Option<&str>) -> Result<(), Failure> {
        if self.json {
            let values = decision.values.iter().map(|(action, value)| (action.to_string(), json_value(*value)));
            let values: serde_json::Map<_, _> = values.collect();
            return print_json(&json!({
                "move": decision.choice.to_string(),
                "values": values,
                "nodes": decision.nodes,
                "note": note,
            }));
        }
        let mut text = format!("{}\n", decision.choice);
        for (action, value) in &decision.values {
            let mark = if *action == decision.choice { "*" } else { " " };
            text += &format!("{mark} {action:<6} {:>16}\n", show_value(*value));
        }
        let depth = decision.depth.map(|depth| format!(", {}", plies(depth))).unwrap_or_default();
        let note = note.map(|note| format!("note: {note}\n")).unwrap_or_default();
        print(&format!("{text}{} nodes{depth}\n{note}", decision.nodes))
    }
}

struct Hint<'a> {
    args: &'a Args,
}

impl GameTask for Hint<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let mut agent = AgentSpec::from_text(&self.args.agent)?.build(&game)?;
        let (position, score) = self.args.position.read_open(&game)?;
        agent.reset(agent_seed(self.args.seed));
        let decision = agent.evaluate(position, score);
        let decision = decision.ok_or_else(|| Failure::Usage(format!("no move is legal at {position}")))?;
        self.args.print(&decision, game.limit_note(position))
    }
}
