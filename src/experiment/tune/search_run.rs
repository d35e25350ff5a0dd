//! One search from start to recommendation, with its validation curve.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::context::{Trainer, TuningContext};
use crate::agents::AgentSpec;
use crate::experiment::error::Error;
use crate::optimize::{Evaluation, Iterate, Observer, SearchResult, Signal};
use crate::play::GameResult;
use crate::rng::{Seeds, Validation};
use crate::spec::tune::Method;
use crate::stats::{Interval, Level};

/// A search to be run.
#[derive(Clone, Debug)]
pub(super) struct SearchJob {
    /// Its name in messages and tables.
    pub name: String,
    /// Columns that distinguish the searches of one table, with this search's cells.
    pub mark: Vec<(&'static str, String)>,
    pub agent: AgentSpec,
    pub method: Method,
    /// The seed of the solver and of the training games.
    pub seed: u64,
}

/// A search that was run.
#[derive(Clone, Debug)]
pub(super) struct SearchRun {
    pub result: SearchResult,
    pub validations: Vec<ValidationPoint>,
}

/// The objective on validation games of the point that the search would recommend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ValidationPoint {
    pub generation: u64,
    /// Training games so far.
    pub games: u64,
    pub point: Vec<f64>,
    pub value: Interval,
    /// The same with the standard error, for pooling.
    evaluation: Evaluation,
    /// By how much the last few validations are better than as many before them; `None` if there are too few.
    pub gain: Option<Interval>,
}

impl ValidationPoint {
    /// Whether the last few validations show no gain over those before them.
    pub fn is_stalled(&self) -> bool {
        self.gain.is_some_and(|gain| gain.low <= 0.0)
    }
}

impl SearchRun {
    pub fn outlook(&self) -> Outlook {
        let moving = self.validations.iter().rposition(|validation| !validation.is_stalled());
        match (self.validations.get(moving.map_or(0, |last| last + 1)), self.validations.last()) {
            (Some(stalled), _) => Outlook::Stalled { since: stalled.games },
            (None, Some(ValidationPoint { gain: Some(_), .. })) => Outlook::Rising,
            _ => Outlook::Unknown,
        }
    }

    /// Training games, the race included.
    pub fn games(&self) -> u64 {
        let SearchResult { trials, race, .. } = &self.result;
        trials.iter().chain(race).map(|trial| trial.evaluation.games).sum()
    }
}

/// Whether more training games would help, by the validation curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// Validation shows no further gain from this many training games on.
    Stalled {
        /// Training games.
        since: u64,
    },
    /// The objective still rises.
    Rising,
    /// There are too few validations to tell.
    Unknown,
}

/// Runs or continues all searches. On this machine they run one after the other, since each uses all threads. With workers
/// they run side by side, so that workers have games of other searches to play while one search waits for its last game.
pub(super) fn run_all(context: &Arc<TuningContext>, jobs: &[SearchJob]) -> Result<Vec<(SearchJob, SearchRun)>, Error> {
    let run = |job: &SearchJob| Ok((job.clone(), run(context, job)?));
    if context.runner.workers().is_none() {
        return jobs.iter().map(run).collect();
    }
    let ended = || Err(Error::Failed("a search ended unexpectedly".into()));
    std::thread::scope(|scope| {
        let running: Vec<_> = jobs.iter().map(|job| scope.spawn(move || run(job))).collect();
        running.into_iter().map(|search| search.join().unwrap_or_else(|_| ended())).collect()
    })
}

/// Runs or continues a search.
pub(super) fn run(context: &Arc<TuningContext>, job: &SearchJob) -> Result<SearchRun, Error> {
    let search = context.tuning.search(&job.method, job.seed);
    let curve = Arc::new(Mutex::new(ValidationCurve::new(context.clone(), job.clone())));
    lock(&curve).validate(0, 0, &context.tuning.start())?;
    let observed = curve.clone();
    let observer: Observer = Box::new(move |iterate| {
        let mut curve = lock(&observed);
        curve.observe(iterate)?;
        Ok(if curve.wants_restart() { Signal::Restart } else { Signal::Continue })
    });
    let trainer = Trainer { context, agent: &job.agent, search: &job.name, seeds: Seeds::new(job.seed) };
    let result = search.run(&trainer, vec![observer])?;
    let mut run = SearchRun { result, validations: Vec::new() };
    let mut curve = lock(&curve);
    curve.finish(&run)?;
    run.validations = std::mem::take(&mut curve.validations);
    Ok(run)
}

fn lock(curve: &Mutex<ValidationCurve>) -> std::sync::MutexGuard<'_, ValidationCurve> {
    curve.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A validation whose games are being played.
struct Pending {
    generation: u64,
    games: u64,
    point: Vec<f64>,
    /// The games of each scenario.
    played: JoinHandle<Result<Vec<Vec<GameResult>>, Error>>,
}

/// The validation curve of a search in progress.
struct ValidationCurve {
    context: Arc<TuningContext>,
    job: SearchJob,
    validations: Vec<ValidationPoint>,
    /// Validations whose games are being played, in order.
    pending: VecDeque<Pending>,
    /// The number of training games at which the next validation is due.
    due: u64,
    reported_stall: bool,
    /// The index of the first validation since the last restart.
    since: usize,
    /// Restarts that are left.
    restarts: u64,
}

impl ValidationCurve {
    fn new(context: Arc<TuningContext>, job: SearchJob) -> Self {
        let due = context.tuning.validation.every;
        let (restarts, pending) = (job.method.restarts, VecDeque::new());
        ValidationCurve {
            context,
            job,
            validations: Vec::new(),
            pending,
            due,
            reported_stall: false,
            since: 0,
            restarts,
        }
    }

    /// Validates the point of an iteration if a validation is due.
    fn observe(&mut self, iterate: &Iterate) -> Result<(), Error> {
        self.context.runner.progress.moved(&self.job.name, &iterate.point);
        if iterate.games < self.due {
            return Ok(());
        }
        let every = self.context.tuning.validation.every;
        self.due = (iterate.games / every + 1) * every;
        self.validate(iterate.generation, iterate.games, &iterate.point)
    }

    /// Adds the recommendation as the last point of the curve, unless it is there already.
    fn finish(&mut self, run: &SearchRun) -> Result<(), Error> {
        let SearchResult { recommendation, trials, race, .. } = &run.result;
        let last = race.last().or(trials.last()).map_or(0, |trial| trial.generation);
        let games = run.games();
        let is_there = |end: &ValidationPoint| end.games == games && end.point == *recommendation;
        self.collect(true)?;
        if self.validations.last().is_some_and(is_there) {
            return Ok(());
        }
        self.validate(last, games, recommendation)?;
        self.collect(true)
    }

    /// Starts to validate a point. It waits for the games if this process plays them, or if the search may restart
    /// because of them. Otherwise workers play them when they are idle.
    fn validate(&mut self, generation: u64, games: u64, point: &[f64]) -> Result<(), Error> {
        let (context, agent, points) = (self.context.clone(), self.job.agent.clone(), [point.to_vec()]);
        let play = move || {
            let games = 0..context.tuning.validation.games;
            let played = context.measure_points::<Validation>(&agent, &points, games)?;
            Ok(played.into_iter().next().unwrap_or_default())
        };
        let played = std::thread::Builder::new().spawn(play)?;
        self.pending.push_back(Pending { generation, games, point: point.to_vec(), played });
        // With workers, the search has to wait for the result only if it may restart because of it.
        self.collect(self.context.runner.workers().is_none() || self.restarts > 0)
    }

    /// Adds the validations whose games have been played. If `wait` is set, waits for the games of all.
    fn collect(&mut self, wait: bool) -> Result<(), Error> {
        while self.pending.front().is_some_and(|first| wait || first.played.is_finished()) {
            let Some(Pending { generation, games, point, played }) = self.pending.pop_front() else { break };
            let played =
                played.join().unwrap_or_else(|_| Err(Error::Failed("validation ended unexpectedly".into())))?;
            self.add(generation, games, point, &played)?;
        }
        Ok(())
    }

    fn add(&mut self, generation: u64, games: u64, point: Vec<f64>, played: &[Vec<GameResult>]) -> Result<(), Error> {
        let (value, evaluation) = (self.context.estimate(played)?, self.context.evaluation(played)?);
        self.validations.push(ValidationPoint { generation, games, point, value, evaluation, gain: None });
        let gain = recent_gain(&self.validations[self.since..]);
        if let Some(validation) = self.validations.last_mut() {
            validation.gain = gain;
        }
        self.report();
        Ok(())
    }

    /// Whether the search should restart, because validation shows no further gain and restarts are left.
    fn wants_restart(&mut self) -> bool {
        let is_new = self.validations.len() > self.since;
        let stalled = is_new && self.validations.last().is_some_and(ValidationPoint::is_stalled);
        if !stalled || self.restarts == 0 {
            return false;
        }
        (self.since, self.restarts) = (self.validations.len(), self.restarts - 1);
        self.context.runner.progress.say(&format!("{}: restarts with twice the population", self.job.name));
        true
    }

    fn report(&mut self) {
        let Some(ValidationPoint { games, value, .. }) = self.validations.last() else { return };
        let (name, shown) = (&self.job.name, self.context.tuning.show_interval(value));
        self.context.runner.progress.validated(name, *games, value);
        self.context.runner.progress.say(&format!("{name}: {games} training games, validated {shown}"));
        let stalled = self.validations.last().is_some_and(ValidationPoint::is_stalled);
        if stalled && !self.reported_stall {
            self.context
                .runner
                .progress
                .say(&format!("{name}: validation shows no further gain at {games} training games"));
        }
        self.reported_stall = stalled;
    }
}

/// The mean of at least this many validations is compared with the mean of as many before them.
const FEWEST: usize = 3;

/// The gain of the last quarter of the curve over the quarter before it.
fn recent_gain(validations: &[ValidationPoint]) -> Option<Interval> {
    let window = FEWEST.max(validations.len() / 4);
    let older = validations.len().checked_sub(2 * window)?;
    let pooled = |part: &[ValidationPoint]| part.iter().map(|c| c.evaluation).reduce(Evaluation::pooled);
    let (before, after) = validations[older..].split_at(window);
    let (before, after) = pooled(before).zip(pooled(after))?;
    let errors = [before, after].map(|evaluation| evaluation.standard_error.unwrap_or(f64::INFINITY));
    let error = errors[0].hypot(errors[1]);
    // Each mean is over hundreds of games, so it is approximately normal.
    Some(Interval::around(after.mean - before.mean, Level::P95.z() * error))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::optimize::SearchResult;

    /// A run whose validations have these values, each with a standard error of 1.
    pub fn run(values: &[f64]) -> SearchRun {
        let mut validations: Vec<ValidationPoint> = Vec::new();
        for (games, mean) in (0..).zip(values) {
            let evaluation = Evaluation { mean: *mean, standard_error: Some(1.0), games: 100 };
            let value = Interval::around(*mean, 2.0);
            validations.push(ValidationPoint {
                generation: games,
                games,
                point: vec![],
                value,
                evaluation,
                gain: None,
            });
            let gain = recent_gain(&validations);
            validations.iter_mut().last().unwrap().gain = gain;
        }
        let result = SearchResult { recommendation: vec![], trajectory: vec![], trials: vec![], race: vec![] };
        SearchRun { result, validations }
    }

    #[test]
    fn a_flat_end_of_the_curve_is_recognised_and_a_rising_one_is_not() {
        let rising: Vec<f64> = (0..12).map(|step| 10.0 * f64::from(step)).collect();
        assert_eq!(run(&rising).outlook(), Outlook::Rising);
        let flat = [rising.clone(), vec![110.0; 12]].concat();
        let Outlook::Stalled { since } = run(&flat).outlook() else { panic!("not noticed") };
        assert!((15..23).contains(&since), "{since}");
        assert_eq!(run(&rising[..5]).outlook(), Outlook::Unknown);
        assert_eq!(run(&[]).outlook(), Outlook::Unknown);
    }
}
