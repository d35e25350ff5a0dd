//! Running the program, and the true results of small experiments.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use lab2048::report::manifest::{Checksummed, Manifest};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lab2048");

const COMPARE: &str = r#"
name = "compared"
seed = 3
games = 40

[[agents]]
kind = "random"

[[agents]]
kind = "expectimax"
depth = [1, 2]

[[agents]]
kind = "rollout"
runs = 2
"#;

const TUNE: &str = r#"
name = "tuned"
seed = 5
goal = 256

[agent]
kind = "greedy"

[heuristic]
preset = "basic"

[[parameters]]
name = "mask"
range = [0.01, 100]
scale = "log"

[[parameters]]
name = "mask.ratio"
range = [0.1, 0.9]

[optimizer]
kind = "cma-es"
budget = 600

[validation]
games = 20
every = 200

[slices]
points = 3
games = 10

[ablation]
games = 10

[test]
games = 50
"#;

const FRONT: &str = r#"
name = "front"
seed = 5
goal = 256
objectives = ["mean-score", "work-per-move"]

[agent]
kind = "expectimax"
depth = 1

[heuristic]
preset = "basic"

[[parameters]]
name = "agent.depth"
range = [1, 2]

[[parameters]]
name = "mask.ratio"
range = [0.1, 0.9]

[optimizer]
budget = 400

[validation]
games = 20

[test]
games = 30
"#;

const CONTEST: &str = r#"
name = "contest"
seed = 5
goal = 256

[agent]
kind = "greedy"

[heuristic]
preset = "basic"

[[parameters]]
name = "mask.ratio"
range = [0.1, 0.9]

[optimizer]
kind = ["cma-es", "random"]
repeats = 2
budget = 500

[validation]
games = 20
every = 200

[test]
games = 30
"#;

const LEARN: &str = r#"
name = "learned"
seed = SEED

[network]
patterns = "01 12 45"

[training]
games = 300
batch = 8
checkpoint = 50

[validation]
games = 10
every = 100

[test]
games = 20
"#;

/// A command of the program that fills a results folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    Compare,
    /// With figures, which take longer than the games.
    Draw,
    Tune,
    DrawTuned,
    /// A search with two objectives.
    Front,
    /// A comparison of optimizers.
    Contest,
    Learn,
}

impl Task {
    pub const ALL: [Task; 7] =
        [Task::Compare, Task::Draw, Task::Tune, Task::DrawTuned, Task::Front, Task::Contest, Task::Learn];

    fn arguments(self, seed: Option<u64>) -> Vec<String> {
        let (command, file, format) = match self {
            Task::Compare => ("compare", "compare.toml", "none"),
            Task::Draw => ("compare", "compare.toml", "svg"),
            Task::Tune => ("tune", "tune.toml", "none"),
            Task::DrawTuned => ("tune", "tune.toml", "svg"),
            Task::Front => ("tune", "front.toml", "none"),
            Task::Contest => ("tune", "contest.toml", "none"),
            Task::Learn => ("learn", "learn.toml", "none"),
        };
        let mut words = vec![command.to_string(), file.to_string()];
        match (self, seed) {
            // A training has its seed in its file alone.
            (Task::Learn, Some(seed)) => words[1] = format!("learn-{seed}.toml"),
            (_, Some(seed)) => words.extend(["--seed".into(), seed.to_string()]),
            (_, None) => {}
        }
        words.extend(["--format".into(), format.into()]);
        words
    }
}

/// How a command is to be run.
#[derive(Clone, Debug)]
pub struct Job {
    pub task: Task,
    pub out: PathBuf,
    pub seed: Option<u64>,
    pub fresh: bool,
    pub threads: u32,
    /// Whether to lock with an exclusively created file instead of `flock`.
    pub exclusive: bool,
}

/// The experiments and their true results.
pub struct Setup {
    workdir: TempDir,
    truth: BTreeMap<(Task, u64), (PathBuf, Duration)>,
}

/// The seed of the other experiment.
pub const OTHER_SEED: u64 = 12;

/// A command that takes longer is taken to hang. On an idle machine none of them takes a tenth of this time.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Runs a command to its end, and kills it after [`TIMEOUT`]. It then has no exit code, which every trial calls wrong.
fn finish(mut command: Command) -> Output {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("running the program");
    let process = child.id().to_string();
    let (done, has_ended) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        if has_ended.recv_timeout(TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-9", &process]).status();
        }
    });
    let output = child.wait_with_output().expect("running the program");
    drop(done);
    output
}

impl Setup {
    /// Runs each experiment once, undisturbed.
    pub fn new() -> Self {
        let workdir = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in [("compare", COMPARE), ("tune", TUNE), ("front", FRONT), ("contest", CONTEST)] {
            fs::write(workdir.path().join(format!("{name}.toml")), text).expect("writing the experiment");
        }
        for (name, seed) in [("learn.toml".to_string(), 7), (format!("learn-{OTHER_SEED}.toml"), OTHER_SEED)] {
            let text = LEARN.replace("SEED", &seed.to_string());
            fs::write(workdir.path().join(name), text).expect("writing the experiment");
        }
        let mut setup = Setup { workdir, truth: BTreeMap::new() };
        for task in Task::ALL {
            for seed in [0, OTHER_SEED] {
                let out = setup.workdir.path().join(format!("truth-{task:?}-{seed}"));
                let job = Job { seed: Some(seed).filter(|seed| *seed > 0), ..Job::new(task, &out) };
                let began = Instant::now();
                let output = setup.run(&job);
                assert_eq!(output.status.code(), Some(0), "{}", said(&output));
                setup.truth.insert((task, seed), (out, began.elapsed()));
            }
        }
        setup
    }

    /// A new folder for one trial.
    pub fn folder(&self) -> TempDir {
        tempfile::tempdir_in(self.workdir.path()).expect("a temporary folder")
    }

    pub fn truth(&self, task: Task, seed: Option<u64>) -> &Path {
        &self.truth[&(task, seed.unwrap_or(0))].0
    }

    /// How long the task takes undisturbed.
    pub fn duration(&self, task: Task) -> Duration {
        self.truth[&(task, 0)].1
    }

    pub fn command(&self, job: &Job) -> Command {
        let mut words = job.task.arguments(job.seed);
        if job.fresh {
            words.push("--fresh".into());
        }
        self.command_of(job, &words)
    }

    /// A command of another kind that fills the folder of a job.
    pub fn command_of(&self, job: &Job, words: &[String]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.workdir.path()).args(words).arg("--quiet");
        command.arg("--out").arg(&job.out).arg("--threads").arg(job.threads.to_string());
        if job.exclusive {
            command.env("LAB2048_LOCK", "exclusive");
        }
        command
    }

    pub fn start(&self, job: &Job) -> Child {
        quiet(&mut self.command(job)).spawn().expect("starting the program")
    }

    fn on(&self, arguments: &[&str], folder: &Path) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.workdir.path()).args(arguments).arg(folder);
        command
    }

    /// Starts a command that works on a finished results folder.
    pub fn start_on(&self, arguments: &[&str], folder: &Path) -> Child {
        quiet(&mut self.on(arguments, folder)).spawn().expect("starting the program")
    }

    /// Runs a command that works on a finished results folder.
    pub fn run_on(&self, arguments: &[&str], folder: &Path) -> Output {
        finish(self.on(arguments, folder))
    }

    pub fn run(&self, job: &Job) -> Output {
        finish(self.command(job))
    }

    /// Runs the command to its end and checks that the results are the true ones.
    pub fn complete(&self, job: &Job) -> Result<(), String> {
        let output = self.run(job);
        match output.status.code() {
            Some(0) => self.compare(job),
            code => Err(format!("{job:?} ends with {code:?}: {}", said(&output))),
        }
    }

    /// Checks that a folder holds the true results.
    pub fn compare(&self, job: &Job) -> Result<(), String> {
        let truth = self.truth(job.task, job.seed);
        let manifest = Manifest::read(truth).ok().flatten().ok_or("the truth has no manifest")?;
        for name in manifest.outputs.keys().map(String::as_str).chain(["manifest.json"]) {
            let [expected, found] = [truth, &job.out].map(|folder| fs::read(folder.join(name)).unwrap_or_default());
            if expected != found {
                return Err(format!("{job:?}: {name} differs from the true result"));
            }
        }
        self.verify(&job.out)
    }

    /// An error if `verify` finds a problem.
    pub fn verify(&self, folder: &Path) -> Result<(), String> {
        let output = self.run_on(&["verify"], folder);
        if output.status.success() { Ok(()) } else { Err(format!("verify: {}", said(&output))) }
    }

    /// A copy of the true results.
    pub fn copy_of_truth(&self, task: Task) -> TempDir {
        let copy = self.folder();
        copy_folder(self.truth(task, None), copy.path());
        copy
    }
}

impl Job {
    pub fn new(task: Task, out: &Path) -> Self {
        Job { task, out: out.to_path_buf(), seed: None, fresh: false, threads: 2, exclusive: false }
    }
}

/// The command without anything on the terminal.
pub fn quiet(command: &mut Command) -> &mut Command {
    command.stdout(Stdio::null()).stderr(Stdio::null())
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("creating a folder");
    for entry in fs::read_dir(from).expect("listing a folder") {
        let path = entry.expect("listing a folder").path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copying a file");
        }
    }
}

/// The files of a folder and its folders.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
