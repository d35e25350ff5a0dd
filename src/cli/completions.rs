//! `lab2048 completions`: scripts that let a shell complete our commands.

use clap::CommandFactory;
use clap_complete::Shell;

use super::output::print;
use super::{Cli, Context, Failure};

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 completions bash > ~/.local/share/bash-completion/completions/lab2048
  lab2048 completions zsh > ~/.zfunc/_lab2048")]
pub struct Args {
    shell: Shell,
}

impl Args {
    pub fn run(&self, _: &Context) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "lab2048", &mut script);
        print(&String::from_utf8_lossy(&script))
    }
}
