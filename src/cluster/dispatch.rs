//! Decides which worker plays which games next. This module starts no processes and does no input or output.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// The requests that a worker has for each of its threads: one that is being played, and one to start next without a
/// delay.
const AHEAD: usize = 2;
/// A request that takes this many times as long as the longest one so far is played by a second worker as well.
const PATIENCE: u32 = 3;
/// No request is repeated earlier than this.
const LEAST_PATIENCE: Duration = Duration::from_millis(200);

/// When games are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// A caller waits for them.
    Now,
    /// When workers have nothing else to do.
    WhenIdle,
}

/// Some games that a caller has asked for.
#[derive(Clone, Debug)]
struct Task {
    call: u64,
    /// Its place among the chunks of the call.
    chunk: usize,
    urgency: Urgency,
    /// When the first worker got it.
    since: Option<Instant>,
    workers: Vec<usize>,
}

/// The tasks that a worker has.
#[derive(Clone, Debug)]
struct Load {
    threads: usize,
    tasks: BTreeSet<u64>,
}

/// The open tasks, and the workers that have them.
#[derive(Debug, Default)]
pub(super) struct Dispatch {
    next_id: u64,
    open: BTreeMap<u64, Task>,
    now: VecDeque<u64>,
    when_idle: VecDeque<u64>,
    /// By the number of the worker; only those that can play.
    workers: BTreeMap<usize, Load>,
    /// The longest time that a task has taken.
    longest: Duration,
}

impl Dispatch {
    pub fn add_worker(&mut self, worker: usize, threads: usize) {
        self.workers.insert(worker, Load { threads, tasks: BTreeSet::new() });
    }

    /// Removes a worker. Its tasks go to other workers, before all tasks that have not been started.
    pub fn remove_worker(&mut self, worker: usize) -> usize {
        let Some(load) = self.workers.remove(&worker) else { return 0 };
        let mut lost = 0;
        for id in load.tasks.into_iter().rev() {
            let Some(task) = self.open.get_mut(&id) else { continue };
            task.workers.retain(|other| *other != worker);
            if task.workers.is_empty() {
                task.since = None;
                let urgency = task.urgency;
                self.queue(urgency).push_front(id);
                lost += 1;
            }
        }
        lost
    }

    fn queue(&mut self, urgency: Urgency) -> &mut VecDeque<u64> {
        match urgency {
            Urgency::Now => &mut self.now,
            Urgency::WhenIdle => &mut self.when_idle,
        }
    }

    /// Adds the chunks of a call.
    pub fn add_call(&mut self, call: u64, chunks: usize, urgency: Urgency) {
        for chunk in 0..chunks {
            let id = self.next_id;
            self.next_id += 1;
            self.open.insert(id, Task { call, chunk, urgency, since: None, workers: Vec::new() });
            self.queue(urgency).push_back(id);
        }
    }

    /// Drops the tasks of a call that nobody waits for any more.
    pub fn withdraw(&mut self, call: u64) {
        self.open.retain(|_, task| task.call != call);
    }

    /// The next task for any worker that has room: the worker, the task's id, its call and its chunk.
    pub fn next(&mut self, time: Instant) -> Option<(usize, u64, u64, usize)> {
        // The worker with the fewest tasks for each thread comes first, so that all end at about the same time.
        let busy = |load: &Load| load.tasks.len() * 1000 / load.threads;
        let mut order: Vec<(usize, usize)> = self.workers.iter().map(|(worker, load)| (busy(load), *worker)).collect();
        order.sort_unstable();
        order.into_iter().find_map(|(_, worker)| self.next_for(worker, time))
    }

    fn next_for(&mut self, worker: usize, time: Instant) -> Option<(usize, u64, u64, usize)> {
        let load = self.workers.get(&worker)?;
        let (has_room, is_idle) = (load.tasks.len() < AHEAD * load.threads, load.tasks.len() < load.threads);
        let id = if has_room { self.pop() } else { None };
        let id = id.or_else(|| if is_idle { self.overdue(worker, time) } else { None })?;
        let task = self.open.get_mut(&id)?;
        task.since.get_or_insert(time);
        task.workers.push(worker);
        let found = (worker, id, task.call, task.chunk);
        self.workers.get_mut(&worker)?.tasks.insert(id);
        Some(found)
    }

    /// The next waiting task. Urgent ones come first.
    fn pop(&mut self) -> Option<u64> {
        loop {
            let id = self.now.pop_front().or_else(|| self.when_idle.pop_front())?;
            if self.open.contains_key(&id) {
                return Some(id);
            }
        }
    }

    /// The oldest task that this worker does not have and that takes so long that its worker may hang.
    fn overdue(&self, worker: usize, time: Instant) -> Option<u64> {
        let patience = (self.longest * PATIENCE).max(LEAST_PATIENCE);
        let begun = self.open.iter().filter_map(|(id, task)| Some((task.since?, *id, task)));
        let late = begun.filter(|(since, _, task)| {
            time.saturating_duration_since(*since) > patience * task.workers.len() as u32
                && !task.workers.contains(&worker)
        });
        late.min_by_key(|(since, id, _)| (*since, *id)).map(|(_, id, _)| id)
    }

    /// Notes an answer. Returns the call and the chunk that it belongs to, if it is the first one.
    pub fn answered(&mut self, worker: usize, id: u64, time: Instant) -> Option<(u64, usize)> {
        if let Some(load) = self.workers.get_mut(&worker) {
            load.tasks.remove(&id);
        }
        let task = self.open.remove(&id)?;
        let taken = task.since.map_or(Duration::ZERO, |since| time.saturating_duration_since(since));
        // A task that was repeated says nothing about how long tasks take.
        if task.workers.len() == 1 {
            self.longest = self.longest.max(taken);
        }
        Some((task.call, task.chunk))
    }

    /// The threads of all workers that can play.
    pub fn threads(&self) -> usize {
        self.workers.values().map(|load| load.threads).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, ms: u64) -> Instant {
        start + Duration::from_millis(ms)
    }

    /// Assigns tasks until no worker has room. Returns pairs of worker and id.
    fn hand_out(dispatch: &mut Dispatch, time: Instant) -> Vec<(usize, u64)> {
        std::iter::from_fn(|| dispatch.next(time)).map(|(worker, id, _, _)| (worker, id)).collect()
    }

    #[test]
    fn two_tasks_for_each_thread_are_handed_out_evenly_and_answers_make_room() {
        let (mut dispatch, start) = (Dispatch::default(), Instant::now());
        dispatch.add_worker(0, 1);
        dispatch.add_worker(1, 2);
        assert_eq!(dispatch.threads(), 3);
        dispatch.add_call(7, 10, Urgency::Now);
        assert_eq!(hand_out(&mut dispatch, start), [(0, 0), (1, 1), (1, 2), (0, 3), (1, 4), (1, 5)]);
        assert_eq!(dispatch.answered(1, 4, start), Some((7, 4)));
        assert_eq!(hand_out(&mut dispatch, start), [(1, 6)]);
    }

    #[test]
    fn games_that_can_wait_fill_the_time_that_nothing_else_needs() {
        let (mut dispatch, start) = (Dispatch::default(), Instant::now());
        dispatch.add_call(1, 3, Urgency::WhenIdle);
        dispatch.add_call(2, 1, Urgency::Now);
        dispatch.add_worker(0, 1);
        assert_eq!(hand_out(&mut dispatch, start), [(0, 3), (0, 0)]);
    }

    #[test]
    fn the_tasks_of_a_lost_worker_go_to_others() {
        let (mut dispatch, start) = (Dispatch::default(), Instant::now());
        dispatch.add_worker(0, 1);
        dispatch.add_worker(1, 1);
        dispatch.add_call(1, 5, Urgency::Now);
        assert_eq!(hand_out(&mut dispatch, start), [(0, 0), (1, 1), (0, 2), (1, 3)]);
        assert_eq!(dispatch.remove_worker(0), 2);
        assert_eq!(dispatch.remove_worker(0), 0);
        for answered in [1, 3] {
            dispatch.answered(1, answered, start);
        }
        assert_eq!(hand_out(&mut dispatch, start), [(1, 0), (1, 2)]);
        assert_eq!(dispatch.answered(0, 0, start), Some((1, 0)), "what a worker said before its end still counts");
        assert_eq!(dispatch.answered(1, 0, start), None);
    }

    #[test]
    fn an_idle_worker_repeats_the_oldest_task_of_one_that_hangs() {
        let (mut dispatch, start) = (Dispatch::default(), Instant::now());
        dispatch.add_worker(0, 1);
        dispatch.add_worker(1, 1);
        dispatch.add_call(1, 4, Urgency::Now);
        assert_eq!(hand_out(&mut dispatch, start).len(), 4);
        for answered in [1, 3] {
            dispatch.answered(1, answered, after(start, 100));
        }
        // Three times the longest answer, which took 100 ms.
        assert!(hand_out(&mut dispatch, after(start, 290)).is_empty());
        assert_eq!(hand_out(&mut dispatch, after(start, 310)), [(1, 0)]);
        assert_eq!(dispatch.answered(1, 0, after(start, 400)), Some((1, 0)));
        assert_eq!(hand_out(&mut dispatch, after(start, 410)), [(1, 2)]);
        assert_eq!(dispatch.answered(1, 2, after(start, 500)), Some((1, 2)));
        // The first answer counts.
        assert_eq!(dispatch.answered(0, 0, after(start, 600)), None);
        assert!(hand_out(&mut dispatch, after(start, 9000)).is_empty());
    }

    #[test]
    fn withdrawn_calls_are_not_played() {
        let (mut dispatch, start) = (Dispatch::default(), Instant::now());
        dispatch.add_worker(0, 1);
        dispatch.add_call(1, 3, Urgency::Now);
        assert_eq!(dispatch.next(start).map(|found| found.1), Some(0));
        dispatch.withdraw(1);
        dispatch.add_call(2, 1, Urgency::Now);
        assert_eq!(hand_out(&mut dispatch, start), [(0, 3)]);
        assert_eq!(dispatch.answered(0, 0, start), None);
        assert_eq!(dispatch.answered(0, 3, start), Some((2, 0)));
    }
}
