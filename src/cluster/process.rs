//! The processes of workers, and the threads that read and write their pipes.
//!
//! A worker that hangs reads nothing, so its pipe fills up. Each worker therefore has its own writing thread, and no
//! other thread waits for the pipe.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// The longest line that is read. No worker writes a longer one.
const LONGEST_LINE: u64 = 1 << 20;
/// How long a process may take to end after its output or its input has ended.
const GRACE: Duration = Duration::from_secs(1);
const TICK: Duration = Duration::from_millis(10);

/// An event of a worker's process.
#[derive(Debug)]
pub(super) enum Heard {
    /// A line, without its end.
    Line(String),
    /// The process has ended or has closed its output; the text says how.
    Ended(String),
}

/// The process of one worker.
pub(super) struct WorkerProcess {
    /// The lines to be written. Dropping it closes the worker's input.
    lines: Option<Sender<String>>,
    process: u32,
    has_ended: Arc<AtomicBool>,
}

impl WorkerProcess {
    /// Starts a command of the user. `hear` is called on a separate thread.
    pub fn start(command: &str, hear: impl Fn(Heard) + Send + 'static) -> std::io::Result<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C at the terminal is for the leader alone. It ends its workers by closing their input.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell.spawn()?;
        let (lines, to_write) = channel();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (process, has_ended) = (child.id(), Arc::new(AtomicBool::new(false)));
        let flag = has_ended.clone();
        std::thread::Builder::new().spawn(move || write_lines(input, to_write))?;
        std::thread::Builder::new().spawn(move || {
            read_lines(output, &hear);
            let how = wait(&mut child);
            flag.store(true, Ordering::Relaxed);
            hear(Heard::Ended(how));
        })?;
        Ok(WorkerProcess { lines: Some(lines), process, has_ended })
    }

    /// Writes some lines. If the worker has ended, they are lost; the reading thread reports its end.
    pub fn write(&self, lines: String) {
        if let Some(sender) = &self.lines {
            drop(sender.send(lines));
        }
    }

    /// Closes the worker's input. The worker then ends.
    pub fn close(&mut self) {
        self.lines = None;
    }
}

/// Ends all processes: by closing their input and, if that is not enough, by force.
pub(super) fn end_all(workers: &mut [WorkerProcess]) {
    workers.iter_mut().for_each(WorkerProcess::close);
    let begun = Instant::now();
    let runs = |worker: &WorkerProcess| !worker.has_ended.load(Ordering::Relaxed);
    while workers.iter().any(runs) && begun.elapsed() < GRACE {
        std::thread::sleep(TICK);
    }
    for worker in workers.iter().filter(|worker| runs(worker)) {
        kill_group(worker.process);
    }
}

/// Kills a process with everything that it has started.
fn kill_group(process: u32) {
    let group = format!("-{process}");
    // Nothing can be done about a process that cannot be killed.
    drop(Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status());
}

fn write_lines(input: Option<ChildStdin>, lines: Receiver<String>) {
    let Some(mut input) = input else { return };
    for line in lines {
        if input.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

fn read_lines(output: Option<ChildStdout>, hear: &impl Fn(Heard)) {
    let Some(mut output) = output.map(BufReader::new) else { return };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match std::io::Read::take(&mut output, LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(read) if read > 0 => hear(Heard::Line(String::from_utf8_lossy(&bytes).trim_end().to_string())),
            _ => return,
        }
    }
}

/// Waits for the end of a process that has closed its output.
fn wait(child: &mut Child) -> String {
    let begun = Instant::now();
    while begun.elapsed() < GRACE {
        match child.try_wait() {
            Ok(Some(status)) => return format!("ended with {status}"),
            Ok(None) => std::thread::sleep(TICK),
            Err(error) => return format!("is lost: {error}"),
        }
    }
    kill_group(child.id());
    drop(child.wait());
    "closed its output".into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn start(command: &str) -> (WorkerProcess, Receiver<Heard>) {
        let (sender, heard) = channel();
        (WorkerProcess::start(command, move |what| drop(sender.send(what))).unwrap(), heard)
    }

    #[test]
    fn lines_go_in_and_out_and_the_end_of_input_ends_the_process() {
        let (mut worker, heard) = start("cat");
        worker.write("one\ntwo\n".into());
        assert!(matches!(heard.recv().unwrap(), Heard::Line(line) if line == "one"));
        assert!(matches!(heard.recv().unwrap(), Heard::Line(line) if line == "two"));
        worker.close();
        assert!(matches!(heard.recv().unwrap(), Heard::Ended(how) if how.contains("exit status: 0")));
    }

    #[test]
    fn a_process_that_hangs_neither_blocks_the_writer_nor_survives_the_end() {
        let (worker, heard) = start("sleep 1000");
        for _ in 0..100 {
            worker.write("x".repeat(10_000));
        }
        end_all(&mut [worker]);
        assert!(matches!(heard.recv().unwrap(), Heard::Ended(how) if how.contains("signal: 9")));
    }

    #[test]
    fn a_command_that_does_not_exist_ends_with_its_exit_code() {
        let (_worker, heard) = start("/nowhere/lab2048 2>/dev/null");
        assert!(matches!(heard.recv().unwrap(), Heard::Ended(how) if how.contains("127")));
    }
}
