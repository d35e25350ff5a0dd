//! `lab2048 compare`: which agent is better, by how much, and at what cost?

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;

use super::agent_arg::AgentParser;
use super::interrupt::interruptible;
use super::live::LiveProgress;
use super::output::{print, print_json};
use super::progress::ProgressBars;
use super::run_args::RunArgs;
use super::{Context, Failure};
use crate::agents::AgentSpec;
use crate::experiment::compare::{ComparisonResult, Extras, Keep, ShardResult, run, run_shard};
use crate::experiment::{Error, Options};
use crate::params::unknown;
use crate::spec::{Comparison, GameSpec, MOST_GAMES, Overrides, Shard};
use crate::web::report;

/// Compare agents on the same games: tables with intervals, tests and figures
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 compare experiments/malaga-short.toml
  lab2048 compare experiments/marks.toml --games 1000 --out results/marks-1000
  lab2048 compare --agent expectimax:depth=3 --agent rollout:runs=100 --games 100

The same command continues an interrupted run; more --games extend a finished one. With --shard I/N, this process plays
one of N shares of the games and nothing else; any number of shards can use one folder at once, on one machine or many.
When all have been played, `lab2048 merge` makes the results.")]
pub struct Args {
    /// The experiment (TOML); without it, name agents with --agent
    #[arg(required_unless_present = "agents", conflicts_with = "agents")]
    experiment: Option<PathBuf>,
    /// An agent: kind:key=value,... (see `lab2048 list agents`); once for each
    #[arg(long = "agent", value_name = "AGENT", value_parser = AgentParser, hide_possible_values = true)]
    agents: Vec<String>,
    /// The game that the named agents play: 2048, tic-tac-toe or connect-four
    #[arg(long, requires = "agents", default_value = "2048")]
    game: String,
    /// The tile at which the named agents stop: a power of two, or `none`
    #[arg(long, requires = "agents")]
    goal: Option<String>,
    /// Who plays against the named agents in a game for two; by default at random
    #[arg(long, requires = "agents", value_name = "AGENT", value_parser = AgentParser, hide_possible_values = true)]
    opponent: Option<String>,
    /// Begin each game for two with N random moves or one more, so that games differ and each side begins half of them
    #[arg(long, requires = "agents", value_name = "N")]
    opening: Option<u32>,
    /// Games for each agent
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: Option<u64>,
    /// The seed that all games follow from
    #[arg(long)]
    seed: Option<u64>,
    /// Play only share I of N, with I from 0 to N-1; `lab2048 merge` makes the results of all shares
    #[arg(long, value_name = "I/N", conflicts_with_all = ["agents", "fresh", "record"])]
    shard: Option<Shard>,
    /// Keep the best or the worst game of each agent, or all games, in the folder's records/
    #[arg(long, value_name = "best|worst|all")]
    record: Option<String>,
    #[command(flatten)]
    run: RunArgs,
    /// Print the findings as JSON
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
        let extras = Extras { print: self.run.figures()?, keep: self.record.as_deref().map(keep).transpose()? };
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
        let overrides = Overrides { games: self.games, seed: self.seed, opening: self.opening };
        if let Some(path) = &self.experiment {
            return Ok(Comparison::open(path, overrides)?);
        }
        let agents: Vec<AgentSpec> = self.agents.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        let game = GameSpec::new(&self.game, self.goal.as_deref())?;
        let opponent = self.opponent.as_deref().map(str::parse).transpose()?;
        Ok(Comparison::of_agents(game, &agents, opponent, overrides)?)
    }
}

/// Prints what was found.
pub(super) fn show(result: &ComparisonResult, json: bool, quiet: bool) -> Result<(), Failure> {
    if json { print_json(&result.to_json()) } else { print(&summary_text(result, quiet)) }
}

/// Which games to keep as records.
pub(super) fn keep(text: &str) -> Result<Keep, Failure> {
    let known = [("best", Keep::Best), ("worst", Keep::Worst), ("all", Keep::All)];
    let found = known.into_iter().find(|(name, _)| *name == text);
    let wrong = || Failure::Usage(unknown("choice of games", text, known.iter().map(|(name, _)| *name)));
    found.map(|(_, keep)| keep).ok_or_else(wrong)
}

/// The table, then the findings in words.
fn summary_text(findings: &ComparisonResult, quiet: bool) -> String {
    let mut text = findings.table();
    if quiet {
        return text;
    }
    let mut lines = Vec::new();
    lines.extend(findings.quotes.iter().map(|quote| format!("{quote}.")));
    lines.extend(findings.caveats());
    lines.extend(findings.verdicts.iter().cloned());
    lines.push(format!("Results are in {}.", findings.folder.display()));
    text.push('\n');
    lines.iter().for_each(|line| text += &format!("{line}\n"));
    text
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Input(problem) => problem.into(),
            Error::Failed(why) => Failure::Failed(anyhow::anyhow!(why)),
            interrupted @ Error::Interrupted { .. } => Failure::Interrupted(interrupted.to_string()),
        }
    }
}
