//! The program `lab2048`: parses the arguments, runs the command, and turns an error into a message and an exit code.

use std::process::ExitCode;

use clap::Parser;
use lab2048::cli::Cli;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            ExitCode::from(failure.exit_code())
        }
    }
}
