//! `lab2048 evaluate`: plays the games of a tuning experiment for an optimizer outside this program.

use std::io::{BufReader, IsTerminal, stdin};
use std::path::PathBuf;

use serde_json::Value;

use super::interrupt::interruptible;
use super::output::{print, print_json};
use super::{Context, Failure};
use crate::experiment::Error;
use crate::experiment::tune::{PointEvaluator, Served};
use crate::spec::Tuning;
use crate::spec::tune::Overrides;

/// Evaluate parameters for an outside optimizer, which writes requests to standard input
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 evaluate experiments/tune-greedy.toml --describe
  lab2048 evaluate experiments/tune-greedy.toml < requests.jsonl
  python examples/python/with_optuna.py experiments/tune-greedy.toml

A request is one line of JSON: {\"id\": 1, \"parameters\": {\"mask\": 3.0, \"mask.ratio\": 0.5}, \"games\": 100}.
Its answer is one line: {\"id\": 1, \"mean\": 2711.2, \"standard_error\": 113.9, \"games\": 100}.
The objective is to be maximised. Answers come in the order of the requests, and all waiting requests are played
in parallel. The id chooses the training games, so the same request always has the same answer, and two requests
with the same id play the same games. No id leads to a validation or test game.

A request that cannot be carried out is answered by {\"id\": 1, \"error\": \"...\"} and the next one is read. The exit
code is then 2 at the end of the input.")]
pub struct Args {
    /// The tuning experiment (TOML)
    experiment: PathBuf,
    /// Print the parameters with their ranges as JSON, and play nothing
    #[arg(long)]
    describe: bool,
    /// Print the heuristic file that has these parameters (a JSON object), and play nothing
    #[arg(long, value_name = "PARAMETERS", conflicts_with = "describe")]
    heuristic: Option<String>,
    /// Threads to play on; by default one for each processor
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The seed from which the games are derived, instead of the file's
    #[arg(long)]
    seed: Option<u64>,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let overrides = Overrides { seed: self.seed, ..Overrides::default() };
        let tuning = Tuning::open_with(&self.experiment, overrides)?;
        if self.describe {
            return print_json(&tuning.describe());
        }
        if let Some(parameters) = &self.heuristic {
            return print(&heuristic(&tuning, parameters)?);
        }
        if !context.quiet && stdin().is_terminal() {
            eprintln!("type requests, one line of JSON each (see --help); the end of the input ends the program");
        }
        let threads = self.threads.map_or_else(super::processors, usize::from);
        let served = interruptible(move |stop| {
            let evaluator = PointEvaluator::new(tuning, threads, stop)?;
            let mut closed = None;
            let tell = |answers: &str| print(answers).map_err(|failure| hold(&mut closed, failure));
            match (evaluator.serve(BufReader::new(stdin()), tell), closed) {
                (_, Some(failure)) => Err(failure),
                (Err(Error::Interrupted { .. }), _) => {
                    Err(Failure::Interrupted("the requests that were waiting have no answer".into()))
                }
                (outcome, None) => Ok(outcome?),
            }
        })?;
        refusals(&served)
    }
}

/// Keeps a failure of the output for the caller, and stops the evaluator.
fn hold(place: &mut Option<Failure>, failure: Failure) -> std::io::Error {
    *place = Some(failure);
    std::io::Error::other("the output failed")
}

fn heuristic(tuning: &Tuning, parameters: &str) -> Result<String, Failure> {
    let usage = |why: String| Failure::Usage(format!("--heuristic takes a JSON object of all parameters: {why}"));
    match serde_json::from_str(parameters) {
        Ok(Value::Object(values)) => {
            let heuristic = tuning.heuristic_at(&tuning.point(&values)?)?;
            heuristic
                .map(|heuristic| heuristic.to_toml())
                .ok_or_else(|| usage("the experiment has no heuristic".into()))
        }
        Ok(other) => Err(usage(format!("found {other}"))),
        Err(error) => Err(usage(error.to_string())),
    }
}

fn refusals(served: &Served) -> Result<(), Failure> {
    let Some((line, why)) = &served.first_refused else { return Ok(()) };
    let (refused, all) = (served.refused, served.answered + served.refused);
    Err(Failure::Usage(format!("{refused} of {all} requests were refused; the first is line {line}: {why}")))
}
