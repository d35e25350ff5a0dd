//! The command line: one file per subcommand.
//!
//! Results go to standard output. Progress and errors go to standard error. **To add a command**: write one file with
//! `Args` and `run`, and add one line to `Command`.

mod agent_arg;
mod analyse;
mod bench;
mod bench_work;
mod compare;
mod completions;
mod eval;
mod evaluate;
mod explain;
mod export;
mod failure;
mod figure_args;
mod hint;
mod interrupt;
mod learn;
mod list;
mod live;
mod merge;
mod output;
mod plan;
mod play;
mod plot;
mod position;
mod progress;
mod recorded;
mod replay;
mod report;
mod run_args;
mod screenshot;
mod serve;
mod session;
mod slurm;
mod tune;
mod verify;
mod watch;
mod worker;
mod worker_args;

pub use failure::Failure;

use clap::{Parser, Subcommand};

/// A toolkit for 2048 agents: play, compare, tune and explain them
#[derive(Debug, Parser)]
#[command(name = "lab2048", version, about, max_term_width = 100, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Print only results and errors
    #[arg(long, short, global = true)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  lab2048 hint --board 4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0 --agent expectimax:depth=5
  lab2048 eval --board 4,2,2,0/4,0,0,0/0,0,0,0/0,0,0,0 --score 8 --heuristic malaga-1
  lab2048 explain --game tic-tac-toe --board XO./.X./O.. --agent alphabeta:depth=9
  lab2048 compare --agent expectimax:depth=3 --agent rollout:runs=100 --games 100
  lab2048 list agents";

#[derive(Debug, Subcommand)]
enum Command {
    Compare(compare::Args),
    Merge(merge::Args),
    Plan(plan::Args),
    Plot(plot::Args),
    Eval(eval::Args),
    Hint(hint::Args),
    Explain(explain::Args),
    List(list::Args),
    Bench(bench::Args),
    Play(play::Args),
    Tune(tune::Args),
    Evaluate(evaluate::Args),
    Worker(worker::Args),
    Slurm(slurm::Args),
    Verify(verify::Args),
    Learn(learn::Args),
    Watch(watch::Args),
    Replay(replay::Args),
    Analyse(analyse::Args),
    Export(export::Args),
    Report(report::Args),
    Serve(serve::Args),
    Completions(completions::Args),
    #[command(hide = true)]
    Screenshot(screenshot::Args),
}

/// The options of all commands.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Whether to print only results and errors.
    pub quiet: bool,
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        let context = Context { quiet: self.quiet };
        match self.command {
            Command::Compare(args) => args.run(&context),
            Command::Merge(args) => args.run(&context),
            Command::Plan(args) => args.run(&context),
            Command::Plot(args) => args.run(&context),
            Command::Eval(args) => args.run(&context),
            Command::Hint(args) => args.run(&context),
            Command::Explain(args) => args.run(&context),
            Command::List(args) => args.run(&context),
            Command::Bench(args) => args.run(&context),
            Command::Play(args) => args.run(&context),
            Command::Tune(args) => args.run(&context),
            Command::Evaluate(args) => args.run(&context),
            Command::Slurm(args) => args.run(&context),
            Command::Worker(args) => args.run(&context),
            Command::Verify(args) => args.run(&context),
            Command::Learn(args) => args.run(&context),
            Command::Watch(args) => args.run(&context),
            Command::Replay(args) => args.run(&context),
            Command::Analyse(args) => args.run(&context),
            Command::Export(args) => args.run(&context),
            Command::Report(args) => args.run(&context),
            Command::Serve(args) => args.run(&context),
            Command::Completions(args) => args.run(&context),
            Command::Screenshot(args) => args.run(&context),
        }
    }
}

/// The default number of threads.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
