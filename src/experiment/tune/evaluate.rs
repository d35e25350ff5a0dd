//! Evaluates parameters for an optimizer outside this program: it sends points and gets their values.
//!
//! Every request has an id, and its games are a function of the experiment's seed and that id. Their seeds are training
//! seeds, and no id leads to a validation or a test game: [`Seeds`] maps (stage, index) to seeds one-to-one. So an
//! outside optimizer follows the same protocol as ours.

use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::context::Player;
use super::statistic::evaluation;
use crate::experiment::error::Error;
use crate::experiment::runner::Players;
use crate::games::twenty48::Twenty48;
use crate::optimize::Evaluation;
use crate::params::InputError;
use crate::play::GameResult;
use crate::rng::{Seeds, Training};
use crate::spec::Tuning;

/// The games of an id are those with the indices from `id * GAMES_PER_ID` on.
pub const GAMES_PER_ID: u64 = 1 << 20;
/// Ids are below this number, so that every index is below 2^60, as [`Seeds`] demands.
pub const IDS: u64 = 1 << 40;
/// Requests that are read ahead, and the most that are answered together.
const READ_AHEAD: usize = 1024;
/// How often to look at the stop flag while no request comes.
const TICK: Duration = Duration::from_millis(100);
/// Each thread gets about this many batches of a request, so that all threads end at about the same time.
const BATCHES_PER_THREAD: u64 = 8;

/// A point to be evaluated.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    id: u64,
    parameters: Map<String, Value>,
    games: u64,
}

/// How many requests were answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Served {
    /// Requests with an evaluation.
    pub answered: u64,
    /// Requests with an error.
    pub refused: u64,
    /// The line of the first such request, and what was wrong with it.
    pub first_refused: Option<(u64, String)>,
}

/// Evaluates points of a tuning experiment on training games.
pub struct PointEvaluator {
    tuning: Tuning,
    game: Twenty48,
    pool: rayon::ThreadPool,
    stop: &'static AtomicBool,
}

impl PointEvaluator {
    /// Plays on this many threads until the flag is set.
    pub fn new(tuning: Tuning, threads: usize, stop: &'static AtomicBool) -> Result<Self, Error> {
        if !tuning.scenarios.is_empty() {
            // The values of scenarios are combined within a generation, and single requests have no generation.
            return Err(InputError::new(
                "an experiment with `scenarios` cannot be evaluated: write one file for each scenario",
            )
            .into());
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::Failed(format!("cannot start {threads} threads: {error}")))?;
        Ok(PointEvaluator { game: Twenty48::new(tuning.game.goal()), tuning, pool, stop })
    }

    /// Answers each line of `input` with one line for `tell`, in the same order, until the input ends. All requests that
    /// are waiting are played together. A request that cannot be carried out gets an answer with an `error`.
    pub fn serve(
        &self,
        input: impl BufRead + Send + 'static,
        mut tell: impl FnMut(&str) -> io::Result<()>,
    ) -> Result<Served, Error> {
        let lines = read_ahead(input)?;
        let mut served = Served::default();
        while let Some(batch) = self.next_batch(&lines)? {
            let answer = |(_, line): &(u64, Vec<u8>)| self.answer(line);
            let answers: Vec<Answer> = self.pool.install(|| batch.par_iter().map(answer).collect());
            self.check_stop()?;
            let mut text = String::new();
            for ((number, _), answer) in batch.iter().zip(answers) {
                text += &format!("{}\n", answer.to_json());
                match answer.outcome {
                    Ok(_) => served.answered += 1,
                    Err(why) => {
                        served.refused += 1;
                        served.first_refused.get_or_insert((*number, why));
                    }
                }
            }
            tell(&text)?;
        }
        Ok(served)
    }

    /// The lines that are waiting, at least one; `None` at the end of the input.
    fn next_batch(&self, lines: &Receiver<io::Result<NumberedLine>>) -> Result<Option<Vec<NumberedLine>>, Error> {
        loop {
            self.check_stop()?;
            match lines.recv_timeout(TICK) {
                Ok(first) => {
                    let waiting = lines.try_iter().take(READ_AHEAD - 1);
                    return Ok(Some(std::iter::once(first).chain(waiting).collect::<io::Result<_>>()?));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    fn check_stop(&self) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Interrupted { done: 0, games: 0 }) } else { Ok(()) }
    }

    fn answer(&self, line: &[u8]) -> Answer {
        // The id of a faulty request is returned where it can be read, so that the other side knows what was refused.
        let id = || serde_json::from_slice::<Value>(line).ok().and_then(|value| value.get("id").cloned());
        match serde_json::from_slice::<Request>(line) {
            Ok(request) => {
                let outcome = self.evaluate(&request).map_err(|problem| problem.message);
                Answer { id: request.id.into(), outcome }
            }
            Err(error) => Answer { id: id().unwrap_or_default(), outcome: Err(explain(&error)) },
        }
    }

    fn evaluate(&self, request: &Request) -> Result<Evaluation, InputError> {
        let Request { id, parameters, games } = request;
        if *id >= IDS {
            return Err(InputError::at("id", format!("`id` is {id}, but must be below {IDS}")));
        }
        if !(1..=GAMES_PER_ID).contains(games) {
            let why = format!("`games` is {games}, but must be from 1 to {GAMES_PER_ID}");
            return Err(InputError::at("games", why));
        }
        let played = self.play(&self.tuning.point(parameters)?, id * GAMES_PER_ID, *games)?;
        evaluation(self.tuning.objective, &played).ok_or_else(|| InputError::new("interrupted"))
    }

    /// Plays training games with these indices. Returns fewer if the user stops the program.
    fn play(&self, point: &[f64], first: u64, games: u64) -> Result<Vec<GameResult>, InputError> {
        let (agent, heuristic) = self.tuning.player_at(&self.tuning.agent, point)?;
        let factory = Player { agent, heuristic }.factory(&self.game)?;
        let seeds = Seeds::<Training>::new(self.tuning.seed);
        let size = games.div_ceil(self.pool.current_num_threads() as u64 * BATCHES_PER_THREAD);
        let batch = |start: u64| -> Result<Vec<GameResult>, InputError> {
            let mut players = Players::against_chance(factory()?);
            let indices = (start..(start + size).min(games)).take_while(|_| !self.stop.load(Ordering::Relaxed));
            Ok(indices.map(|index| players.play(&self.game, seeds.game(first + index).value())).collect())
        };
        let starts: Vec<u64> = (0..games).step_by(size as usize).collect();
        let batches: Vec<Vec<GameResult>> = starts.into_par_iter().map(batch).collect::<Result<_, _>>()?;
        Ok(batches.concat())
    }
}

/// The answer to one request.
struct Answer {
    id: Value,
    outcome: Result<Evaluation, String>,
}

impl Answer {
    fn to_json(&self) -> Value {
        match &self.outcome {
            Ok(Evaluation { mean, standard_error, games }) => {
                json!({ "id": self.id, "mean": mean, "standard_error": standard_error, "games": games })
            }
            Err(why) => json!({ "id": self.id, "error": why }),
        }
    }
}

/// Explains why a line is not a valid request.
fn explain(error: &serde_json::Error) -> String {
    let form = r#"a request is {"id": 1, "parameters": {"name": 0.5}, "games": 100}"#;
    if error.is_data() {
        return format!("not a request: {error}; {form}");
    }
    format!("not JSON: {error}; {form}, and JSON has no NaN and no Infinity")
}

/// A line of the input and its number, counted from 1.
type NumberedLine = (u64, Vec<u8>);

/// Reads lines on a separate thread, so that requests can arrive while games are played. Empty lines do not count as
/// requests.
fn read_ahead(input: impl BufRead + Send + 'static) -> io::Result<Receiver<io::Result<NumberedLine>>> {
    let (sender, receiver) = sync_channel(READ_AHEAD);
    std::thread::Builder::new().spawn(move || {
        for (number, line) in (1..).zip(input.split(b'\n')) {
            let is_blank = line.as_ref().is_ok_and(|line| line.trim_ascii().is_empty());
            if !is_blank && sender.send(line.map(|line| (number, line))).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use std::path::Path;

    static RUNNING: AtomicBool = AtomicBool::new(false);

    fn answers(threads: usize, requests: &str) -> (Vec<Value>, Served) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/tune-greedy.toml");
        let evaluator = PointEvaluator::new(Tuning::open(&path).unwrap(), threads, &RUNNING).unwrap();
        let mut text = String::new();
        let tell = |lines: &str| {
            text += lines;
            Ok(())
        };
        let served = evaluator.serve(Cursor::new(requests.to_string()), tell).unwrap();
        (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), served)
    }

    fn request(id: u64, merges: f64, games: u64) -> String {
        let start = r#""monotonicity":-47,"monotonicity.power":4,"rank-powers":-11,"rank-powers.power":3.5"#;
        format!("{{\"id\":{id},\"parameters\":{{\"merges\":{merges},{start}}},\"games\":{games}}}\n")
    }

    #[test]
    fn an_answer_depends_on_the_request_alone() {
        let both = request(7, 700.0, 30) + &request(2, -5.0, 17);
        let (one, served) = answers(1, &both);
        assert_eq!(served, Served { answered: 2, refused: 0, first_refused: None });
        assert_eq!(one, answers(3, &both).0);
        assert_eq!((&one[0]["id"], &one[0]["games"], &one[1]["id"]), (&json!(7), &json!(30), &json!(2)));
        // Neither the order nor the other requests matter, but the id does.
        assert_eq!(one[1], answers(2, &request(2, -5.0, 17)).0[0]);
        assert_ne!(one[1]["mean"], answers(2, &request(3, -5.0, 17)).0[0]["mean"]);
        assert_eq!(answers(1, &request(1, 1.0, 1)).0[0]["standard_error"], Value::Null);
    }

    #[test]
    fn scenarios_are_refused() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/tune-scenarios.toml");
        let refused = PointEvaluator::new(Tuning::open(&path).unwrap(), 1, &RUNNING).err().unwrap();
        assert!(matches!(&refused, Error::Input(problem) if problem.message.contains("`scenarios`")), "{refused}");
    }

    #[test]
    fn the_games_are_training_games() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/tune-greedy.toml");
        let tuning = Tuning::open(&path).unwrap();
        let evaluator = PointEvaluator::new(tuning.clone(), 1, &RUNNING).unwrap();
        let played = evaluator.play(&tuning.start(), 5 * GAMES_PER_ID, 3).unwrap();
        let seeds = Seeds::<Training>::new(tuning.seed);
        let expected: Vec<u64> = (0..3).map(|game| seeds.game(5 * GAMES_PER_ID + game).value()).collect();
        assert_eq!(played.iter().map(|game| game.seed).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_faulty_request_gets_an_error_and_the_next_one_an_answer() {
        let good = request(1, 700.0, 2);
        for (bad, part) in [
            ("{\"id\":9,", "not JSON"),
            (&good.replace("700", "NaN"), "JSON has no NaN"),
            (&good.replace("700", "1e999"), "out of range"),
            (&good.replace("700", "2001"), "from -2000 to 2000"),
            (&good.replace("700", "\"many\""), "`merges` is \"many\", but must be a number"),
            (&good.replace("merges", "merge"), "did you mean `merges`"),
            (&good.replace("\"merges\":700,", ""), "`merges` is missing"),
            (&good.replace("\"games\":2", "\"games\":0"), "from 1 to 1048576"),
            (&good.replace("\"id\":1", "\"id\":1099511627776"), "below 1099511627776"),
            (&good.replace("\"id\":1", "\"id\":-1"), "not a request"),
            (&good.replace("\"games\":2", "\"game\":2"), "unknown field `game`"),
            ("\u{fffd}", "not JSON"),
        ] {
            let (answers, served) = answers(1, &format!("{}\n\n{good}", bad.trim_end()));
            let error = answers[0]["error"].as_str().unwrap();
            assert!(error.contains(part), "{bad}: {error}");
            assert!(answers[1]["mean"].is_f64(), "{bad}");
            assert_eq!((served.answered, served.refused, served.first_refused.unwrap().0), (1, 1, 1));
        }
    }
}
