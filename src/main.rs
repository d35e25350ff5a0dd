//! `lab2048`: parse, run, print the error, exit.

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
