//! Ctrl-C: sets a flag that long runs check, and ends the program within half a second if they do not stop.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::Failure;

static STOP: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<()> = OnceLock::new();

/// How often to check whether the work is done or was interrupted.
const TICK: Duration = Duration::from_millis(20);
/// How long the work may take to end by itself after an interruption.
const GRACE: Duration = Duration::from_millis(300);

/// The flag that Ctrl-C, SIGTERM and SIGHUP set from now on. A second signal ends the program at once.
pub fn flag() -> &'static AtomicBool {
    HANDLER.get_or_init(|| {
        let handler = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        if let Err(error) = handler {
            // Without a handler Ctrl-C kills the program, which does no harm to a run.
            eprintln!("warning: cannot listen to Ctrl-C: {error}");
        }
    });
    &STOP
}

/// Does some long work. If the user interrupts it and it does not end soon, it is abandoned as if the program had been
/// killed: every file is written so that a kill does no harm.
pub fn interruptible<T: Send + 'static>(
    work: impl FnOnce(&'static AtomicBool) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    interruptible_within(GRACE, work)
}

/// As [`interruptible`], for work that may take longer to save its state. A message tells the user to wait.
pub fn interruptible_within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce(&'static AtomicBool) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let stop = flag();
    let (sender, receiver) = channel();
    std::thread::Builder::new().spawn(move || sender.send(work(stop)))?;
    let mut asked: Option<Instant> = None;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(outcome) => return outcome,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::Failed(anyhow::anyhow!("the run ended unexpectedly")));
            }
            Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {
                if asked.is_none() && limit > GRACE {
                    eprintln!("saving the state of the run; press Ctrl-C again to end at once");
                }
                if asked.get_or_insert_with(Instant::now).elapsed() > limit {
                    let why = "what is finished is kept; run the same command again to continue";
                    return Err(Failure::Interrupted(why.into()));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
