//! `lab2048 compare`: compares agents on the same games.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;

use super::agent_arg::AgentParser;
use super::interrupt::interruptible;
use super::live::LiveProgress;
use super::output::{print, print_json};
use super::progress::ProgressBars;
use super::run_args::{ComparisonArgs, RunArgs};
use super::{Context, Failure};
use crate::agents::AgentSpec;
use crate::experiment::compare::{ComparisonResult, Extras, ShardResult, run, run_shard};
use crate::experiment::{Error, Options};
use crate::spec::{Comparison, GameSpec, Overrides, Shard};
use crate::web::report;

/// Compare agents on the same games: tables with intervals, tests and figures
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 compare experiments/malaga-short.toml
  lab2048 compare experiments/marks.toml --games 1000 --out results/marks-1000
  lab2048 compare --agent expectimax:depth=3 --agent rollout:runs=100 --games 100

The same command continues an interrupted run; more --games extend a finished one. With --shard I/N, this process plays
one of N shares of the games and makes no results. Any number of shards can use one folder at once, on one machine or
many. When all have been played, `lab2048 merge` makes the results.")]
pub struct Args {
    /// The experiment (TOML); without it, name agents with --agent
    #[arg(required_unless_present = "agents", conflicts_with = "agents")]
    experiment: Option<PathBuf>,
    /// An agent: kind:key=value,... (see `lab2048 list agents`); once for each. In place of the kind, the path of a
    /// best-agent.toml
    #[arg(long = "agent", value_name = "AGENT", value_parser = AgentParser, hide_possible_values = true)]
    agents: Vec<String>,
    /// The game that the named agents play: 2048, tic-tac-toe or connect-four
    #[arg(long, requires = "agents", default_value = "2048")]
    game: String,
    /// The tile at which the named agents stop: a power of two, or `none`
    #[arg(long, requires = "agents")]
    goal: Option<String>,
    /// The opponent of the named agents in a two-player game; by default replies are random
    #[arg(long, requires = "agents", value_name = "AGENT", value_parser = AgentParser, hide_possible_values = true)]
    opponent: Option<String>,
    /// Begin each two-player game with N or N+1 random moves, so that games differ and each side begins half of them
    #[arg(long, requires = "agents", value_name = "N")]
    opening: Option<u32>,
    #[command(flatten)]
    comparison: ComparisonArgs,
    /// Play only share I of N, with I from 0 to N-1; `lab2048 merge` makes the results of all shares
    #[arg(long, value_name = "I/N", conflicts_with_all = ["agents", "fresh", "record"])]
    shard: Option<Shard>,
    #[command(flatten)]
    run: RunArgs,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let comparison = self.comparison()?;
        let labels: Vec<String> = comparison.entrants.iter().map(|entrant| entrant.label.clone()).collect();
        let options = self.run.options(&comparison.name);
        if let Some(shard) = self.shard {
            return self.run_shard(comparison, shard, options, context);
        }
        let extras = Extras { figures: self.run.figures()?, keep: self.comparison.keep()? };
        let progress = LiveProgress::of_comparison(&labels, comparison.games, &options.folder, context.quiet);
        let progress = Arc::new(progress);
        let bars = progress.clone();
        let outcome = interruptible(move |stop| {
            let result = run(comparison, &options, &extras, stop, bars)?;
            report::write(&options.folder)?;
            Ok(result)
        });
        progress.finish(outcome.is_ok());
        let result = outcome?;
        show(&result, self.json, context.quiet)
    }

    fn run_shard(
        &self,
        comparison: Comparison,
        shard: Shard,
        options: Options,
        context: &Context,
    ) -> Result<(), Failure> {
        let labels: Vec<String> = comparison.entrants.iter().map(|entrant| entrant.label.clone()).collect();
        // Several shards write into one folder, so there is no live state of the folder.
        let progress = Arc::new(ProgressBars::new(&labels, comparison.games, context.quiet));
        let bars = progress.clone();
        let outcome = interruptible(move |stop| Ok(run_shard(&comparison, shard, &options, stop, bars)?));
        progress.clear();
        let ShardResult { shard, played, games, segments } = outcome?;
        let segments = segments.display();
        if self.json {
            let shard = shard.to_string();
            return print_json(
                &json!({ "shard": shard, "played": played, "games": games, "segments": segments.to_string() }),
            );
        }
        print(&format!("Shard {shard} is complete: {played} of {games} games were played now and are in {segments}.\n"))
    }

    fn comparison(&self) -> Result<Comparison, Failure> {
        let overrides = Overrides { opening: self.opening, ..self.comparison.overrides() };
        if let Some(path) = &self.experiment {
            return Ok(Comparison::open(path, overrides)?);
        }
        let agents: Vec<AgentSpec> =
            self.agents.iter().map(|text| AgentSpec::from_text(text)).collect::<Result<_, _>>()?;
        let game = GameSpec::new(&self.game, self.goal.as_deref())?;
        let opponent = self.opponent.as_deref().map(str::parse).transpose()?;
        Ok(Comparison::of_agents(game, &agents, opponent, overrides)?)
    }
}

/// Prints the results.
pub(super) fn show(result: &ComparisonResult, json: bool, quiet: bool) -> Result<(), Failure> {
    if json { print_json(&result.to_json()) } else { print(&summary_text(result, quiet)) }
}

/// The table, then the results in sentences.
fn summary_text(result: &ComparisonResult, quiet: bool) -> String {
    let mut text = result.table();
    if quiet {
        return text;
    }
    let mut lines = Vec::new();
    lines.extend(result.quotes.iter().map(|quote| format!("{quote}.")));
    lines.extend(result.caveats());
    lines.extend(result.verdicts.iter().cloned());
    lines.push(format!("Results are in {}.", result.folder.display()));
    text.push('\n');
    lines.iter().for_each(|line| text += &format!("{line}\n"));
    text
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Input(problem) => problem.into(),
            Error::Failed(why) => Failure::Failed(anyhow::anyhow!(why)),
            Error::Busy(lock) => Failure::Failed(lock.into()),
            interrupted @ Error::Interrupted { .. } => Failure::Interrupted(interrupted.to_string()),
        }
    }
}
