//! `lab2048 serve`: runs, reports and the tutor in the browser.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::{Context, Failure, interrupt};
use crate::web::{Server, Site};

/// Serve the results folder and the tutor to a browser on this machine
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  lab2048 serve --open
  lab2048 serve --port 8080 --results results

The server listens on 127.0.0.1 alone, reads the results folder and writes nothing. Ctrl-C ends it.")]
pub struct Args {
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 2048)]
    port: u16,
    /// The folder with the results of runs
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    /// Open the start page in a browser
    #[arg(long)]
    open: bool,
}

impl Args {
    pub fn run(&self, context: &Context) -> Result<(), Failure> {
        let server = Server::bind(self.port).map_err(|error| self.explain(error))?;
        let address = format!("http://127.0.0.1:{}/", server.port());
        if !context.quiet {
            eprintln!("Serving {} at {address} until Ctrl-C.", self.results.display());
        }
        if self.open {
            open(&address);
        }
        server.run(Site::new(self.results.clone()), interrupt::flag());
        Ok(())
    }

    fn explain(&self, error: std::io::Error) -> Failure {
        let port = self.port;
        match error.kind() {
            std::io::ErrorKind::AddrInUse => Failure::Usage(format!(
                "port {port} is taken, perhaps by another `lab2048 serve`; choose another with --port, or 0 for any"
            )),
            std::io::ErrorKind::PermissionDenied => {
                Failure::Usage(format!("port {port} needs special rights; choose one from 1024 up with --port"))
            }
            _ => Failure::Failed(anyhow::anyhow!("cannot listen on port {port}: {error}")),
        }
    }
}

/// Opens an address or a file with the system's program for it. Prints a message if there is none.
pub fn open(target: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let started =
        Command::new(program).arg(target).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if started.is_err() {
        eprintln!("There is no `{program}` to open a browser with; open {target} yourself.");
    }
}
