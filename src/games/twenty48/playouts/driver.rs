//! Runs the playouts of a block: takes start positions from a source, plays them in the lanes, and passes ended games
//! to a sink.

use super::LANES;
use super::block::{Block, Engine, STEPS};
use super::kernel::{CORNER, MERGE, NO_GOAL, RANDOM, byte_of_rank};
use super::noise::Noise;
use super::opening::{Opening, Position};
use crate::games::twenty48::{Board, Goal, Twenty48};
use crate::games::{Effort, Finished, Game, Outcome, Policy};
use crate::rng::{Rng, derive, seeded};

/// The rules and limits of the playouts.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub game: Twenty48,
    /// The maximum number of moves of a game.
    pub cap: Option<u32>,
    /// The number of games to start even if the budget is spent earlier.
    pub required: u64,
    /// A policy that the kernel supports: not [`Policy::Greedy`].
    pub policy: Policy,
    pub seed: u64,
}

/// A running game. The block counts its moves and 4s in bytes. Before a byte can overflow, both counts are added here
/// and the bytes are cleared.
#[derive(Clone, Copy, Default)]
struct RunningGame {
    from: usize,
    potential: u32,
    moves: u32,
    fours: u32,
}

/// Plays from every afterstate that `source` yields with its index, and passes each game to `sink` when it ends. When
/// the source is empty, the running games are played to their ends. Stopping after a fixed number of ended games would
/// favour short games.
///
/// `left` gets the effort so far and returns the effort that is still allowed. When no step is allowed, all running
/// games are cut. A game that is expected to be cut is not started, except when the lanes are filled for the first
/// time.
pub fn drive<'a>(
    engine: Engine,
    rules: Rules,
    source: impl FnMut() -> Option<(&'a Opening, usize)>,
    left: impl FnMut(Effort) -> Effort,
    sink: impl FnMut(Finished<Board>),
) -> Effort {
    let driver = Driver::new(rules, source, left, sink);
    let is_limited = rules.cap.is_some() || rules.game.goal != Goal::None;
    match (is_limited, rules.policy) {
        (false, Policy::Merge) => driver.run::<false, MERGE>(engine),
        (false, Policy::Corner) => driver.run::<false, CORNER>(engine),
        (false, _) => driver.run::<false, RANDOM>(engine),
        (true, Policy::Merge) => driver.run::<true, MERGE>(engine),
        (true, Policy::Corner) => driver.run::<true, CORNER>(engine),
        (true, _) => driver.run::<true, RANDOM>(engine),
    }
}

/// The number of steps between two calls of `left`.
const BUDGET_CHECK_INTERVAL: u64 = 4 * STEPS as u64;

struct Driver<I, L, O> {
    rules: Rules,
    source: I,
    left: L,
    sink: O,
    /// Draws the first reply to each afterstate. All later replies come from `noise`.
    replies: Rng,
    noise: Noise,
    block: Block,
    running: [RunningGame; LANES],
    /// One bit for each lane with a game.
    busy: u32,
    /// Steps since the block's counts were last cleared in all lanes.
    steps: usize,
    effort: Effort,
    /// The number of block steps at which all games are cut.
    end: u64,
    /// The number of block steps at which `left` is called again.
    next_budget_check: u64,
    /// Games that have ended without a cut.
    ended: u64,
}

impl<'a, I, L, O> Driver<I, L, O>
where
    I: FnMut() -> Option<(&'a Opening, usize)>,
    L: FnMut(Effort) -> Effort,
    O: FnMut(Finished<Board>),
{
    fn new(rules: Rules, source: I, left: L, sink: O) -> Self {
        let goal = match rules.game.goal {
            Goal::Rank(rank) => byte_of_rank(rank),
            Goal::None => NO_GOAL,
        };
        Driver {
            rules,
            source,
            left,
            sink,
            replies: seeded(derive(rules.seed, 0)),
            noise: Noise::new(derive(rules.seed, 1)),
            block: Block::new(goal),
            running: [RunningGame::default(); LANES],
            busy: 0,
            steps: 0,
            effort: Effort::default(),
            end: u64::MAX,
            next_budget_check: 0,
            ended: 0,
        }
    }

    fn run<const LIMITED: bool, const POLICY: u8>(mut self, engine: Engine) -> Effort {
        for lane in 0..LANES {
            self.begin(lane);
        }
        while self.busy != 0 {
            let steps = self.next_steps();
            if steps == 0 {
                self.cut();
                break;
            }
            self.block.advance::<LIMITED, POLICY>(engine, &mut self.noise, steps);
            self.steps += steps;
            self.effort.block_steps += steps as u64;
            self.refill::<LIMITED>();
        }
        self.effort
    }

    /// How many steps to play before the next check for ended games.
    fn next_steps(&mut self) -> usize {
        if self.steps + STEPS > usize::from(u8::MAX) {
            self.clear_counts();
        }
        let played = self.effort.block_steps;
        if played >= self.next_budget_check {
            self.end = played.saturating_add((self.left)(self.effort).block_steps);
            self.next_budget_check = played + BUDGET_CHECK_INTERVAL.min((self.end - played) / 2);
        }
        (self.end - played).min(STEPS as u64) as usize
    }

    /// Passes on the games that have ended, and starts new ones in their lanes.
    fn refill<const LIMITED: bool>(&mut self) {
        let stuck = self.block.stuck.bits();
        let halted = if LIMITED { self.block.halted.bits() } else { 0 };
        let mut ended = (stuck | halted) & self.busy;
        while ended != 0 {
            let lane = ended.trailing_zeros() as usize;
            ended &= ended - 1;
            self.finish(lane, stuck >> lane & 1 != 0);
            self.ended += 1;
            if self.has_time_for_another() {
                self.begin(lane);
            } else {
                self.vacate(lane);
            }
        }
    }

    /// Whether a game that starts now is expected to end within the budget. The estimated mean length of a game is the
    /// number of steps of all lanes divided by the number of ended games. In this way the steps of games that are still
    /// running count as well.
    #[inline(always)]
    fn has_time_for_another(&self) -> bool {
        let Some(left) = self.end.checked_sub(self.effort.block_steps) else { return false };
        // The mean length is at most the number of steps left. A product is faster than the quotient.
        let steps_of_all_lanes = u128::from(self.effort.block_steps) * LANES as u128;
        steps_of_all_lanes < (u128::from(left) + 1) * u128::from(self.ended.max(1))
    }

    /// Puts the next game of the source into the lane. If there is none, the lane becomes empty.
    #[inline]
    fn begin(&mut self, lane: usize) {
        let Some((opening, from)) = self.next_opening() else { return self.vacate(lane) };
        let Position { cells, potential } = opening.reply(&mut self.replies);
        self.busy |= 1 << lane;
        self.block.put(lane, &cells, opening.corner);
        self.running[lane] = RunningGame { from, potential, moves: 0, fours: 0 };
        self.set_limit(lane);
        // Starting and ending a game takes about as long as a step, so the games are cut one step earlier.
        self.end = self.end.saturating_sub(1).max(self.effort.block_steps);
    }

    fn vacate(&mut self, lane: usize) {
        self.busy &= !(1 << lane);
        self.block.put(lane, &[0; 16], 0);
    }

    /// The next game that is not over before its first move.
    fn next_opening(&mut self) -> Option<(&'a Opening, usize)> {
        loop {
            let (opening, from) = (self.source)()?;
            self.effort.games += 1;
            if self.rules.cap != Some(0) && self.rules.game.after_step(opening.after).is_none() {
                return Some((opening, from));
            }
            let finished = self.unplayed(opening, from);
            (self.sink)(finished);
        }
    }

    /// A game that is over before its first move.
    fn unplayed(&mut self, opening: &Opening, from: usize) -> Finished<Board> {
        let game = self.rules.game;
        let (last, outcome) = match game.after_step(opening.after) {
            Some(outcome) => (opening.after, Some(outcome)),
            None => {
                let last = opening.reply(&mut self.replies).board();
                (last, game.is_stuck(last).then_some(Twenty48::STUCK))
            }
        };
        Finished { from, last, gained: 0, moves: 0, outcome }
    }

    #[inline(always)]
    fn finish(&mut self, lane: usize, is_stuck: bool) {
        let game = self.running[lane];
        let last = self.block.board(lane);
        let outcome = if is_stuck {
            Some(Twenty48::STUCK)
        } else if self.rules.game.goal.is_reached(last) {
            Some(Outcome::Win)
        } else {
            None
        };
        let fours = game.fours + u32::from(self.block.fours.0[lane]);
        let moves = game.moves + u32::from(self.block.moves.0[lane]);
        // A merge earns what it adds to the potential. A 4 that spawns adds 4 to the potential and earns nothing.
        let gained = last.potential() - game.potential - 4 * fours;
        (self.sink)(Finished { from: game.from, last, gained, moves, outcome });
    }

    /// Passes on all running games in their current state, and the games that are still required without a move.
    fn cut(&mut self) {
        let busy = self.busy;
        for lane in (0..LANES).filter(|lane| busy >> lane & 1 != 0) {
            let is_stuck = self.rules.game.is_stuck(self.block.board(lane));
            self.finish(lane, is_stuck);
        }
        while self.effort.games < self.rules.required {
            let Some((opening, from)) = (self.source)() else { return };
            self.effort.games += 1;
            let finished = self.unplayed(opening, from);
            (self.sink)(finished);
        }
    }

    /// Adds the counts of the block to the running games before a byte can overflow.
    fn clear_counts(&mut self) {
        self.steps = 0;
        for lane in 0..LANES {
            let game = &mut self.running[lane];
            game.moves += u32::from(std::mem::take(&mut self.block.moves.0[lane]));
            game.fours += u32::from(std::mem::take(&mut self.block.fours.0[lane]));
            self.set_limit(lane);
        }
    }

    /// Sets the move limit of a lane. A limit of 255 cannot be reached before the counts are cleared again.
    fn set_limit(&mut self, lane: usize) {
        let left = self.rules.cap.map_or(u32::MAX, |cap| cap - self.running[lane].moves);
        self.block.limit.0[lane] = left.min(u32::from(u8::MAX)) as u8;
    }
}
