//! `lab2048 watch`: an agent plays.

use std::path::Path;

use anyhow::anyhow;

use super::agent_arg::AgentParser;
use super::output::print;
use super::session::{OpponentArg, Session, SessionArgs, Start};
use super::{Context, Failure, recorded};
use crate::agents::AgentSpec;
use crate::heuristics::Playable;
use crate::play::{GameResult, Match, Opponent, Turn};
use crate::record::{PlayedMove, Record, save_new};
use crate::spec::{GameSpec, GameTask};
use crate::tutor::timeline::{Timeline, frame};
use crate::tutor::{KeyBindings, terminal};

/// Watch an agent play; without a terminal, print its boards and a summary
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 watch --agent expectimax:depth=3 --seed 7 --speed 10
  lab2048 watch --agent rollout:runs=100 --record rollout.game > boards.txt
  lab2048 watch --game tic-tac-toe --agent minimax:depth=9 --opponent random")]
pub struct Args {
    /// The agent: kind:key=value,... (see `lab2048 list agents`). In place of the kind, the path of a best-agent.toml
    #[arg(long, value_parser = AgentParser, hide_possible_values = true)]
    agent: String,
    /// The opponent in a two-player game; without it, replies are random
    #[arg(long, value_parser = AgentParser, hide_possible_values = true)]
    opponent: Option<String>,
    #[command(flatten)]
    args: SessionArgs,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let game = self.args.game()?;
        if terminal::is_present() && !context.quiet {
            return self.session(game)?.run();
        }
        game.with(PrintGame { args: self, spec: game, quiet: context.quiet })
    }
}

impl Args {
    fn session(&self, game: GameSpec) -> Result<Session, Failure> {
        let opponent = game.with(ParseOpponent { opponent: self.opponent.as_deref() })?;
        Ok(Session {
            game,
            args: self.args.clone(),
            agent: self.agent.parse()?,
            opponent: opponent.map_or(OpponentArg::Chance, OpponentArg::Other),
            start: Start::Seed,
            keys: KeyBindings::default(),
            watch: true,
        })
    }
}

/// Parses the opponent. It is an error to have one in a game for one player.
struct ParseOpponent<'a> {
    opponent: Option<&'a str>,
}

impl GameTask for ParseOpponent<'_> {
    type Output = Result<Option<AgentSpec>, Failure>;

    fn run<G: Playable>(self, _: G) -> Self::Output {
        match self.opponent {
            Some(_) if !G::ADVERSARIAL => {
                Err(Failure::Usage(format!("{} is a game for one player, so it has no opponent", G::NAME)))
            }
            Some(text) => Ok(Some(text.parse()?)),
            None => Ok(None),
        }
    }
}

/// Prints the game to standard output.
struct PrintGame<'a> {
    args: &'a Args,
    spec: GameSpec,
    quiet: bool,
}

impl GameTask for PrintGame<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let spec = AgentSpec::from_text(&self.args.agent)?;
        let opponent = self.spec.with(ParseOpponent { opponent: self.args.opponent.as_deref() })?;
        let mut replies =
            opponent.as_ref().map_or(Ok(Opponent::Chance), |spec| spec.build(&game).map(Opponent::Agent))?;
        let opponent = opponent.map(|spec| spec.to_string());
        let header = recorded::header::<G>(self.spec, self.args.args.seed, &spec.to_string(), opponent.as_deref());
        let mut record = Record::begin(&game, header);
        let mut agent = spec.build(&game)?;
        let mut printed = Ok(());
        let mut matched = Match { game: &game, agent: agent.as_mut(), opponent: &mut replies };
        let played = matched.play(self.args.args.seed, |turn| {
            record.observe(turn);
            if !self.quiet && printed.is_ok() {
                printed = print(&board(&game, turn));
            }
        });
        keep(self.args.args.record.as_deref(), &record.to_text(&game))?;
        printed?;
        print(&summary(&Timeline::of(&game, &record), &played.result))
    }
}

fn board<G: Playable>(game: &G, turn: &Turn<G>) -> String {
    let played = PlayedMove { step: turn.step, reply: turn.reply };
    let score = turn.score + turn.step.reward;
    frame(game, turn.number as usize + 1, &played, score.into()).plain() + "\n"
}

fn summary(timeline: &Timeline, played: &GameResult) -> String {
    let milliseconds = 1e3 * played.seconds / f64::from(played.moves.max(1));
    let nodes = played.nodes / u64::from(played.moves.max(1));
    format!("{}; {nodes} nodes and {milliseconds:.3} ms per move\n", timeline.summary())
}

fn keep(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path {
        Some(path) => save_new(path, text).map_err(|error| Failure::Failed(anyhow!(error))),
        None => Ok(()),
    }
}
