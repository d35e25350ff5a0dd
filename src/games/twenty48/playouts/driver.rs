//! Source, lanes, sink: keeps the lanes of a block busy until every game that was begun has ended.

use super::LANES;
use super::block::{Block, Engine, STEPS};
use super::coding::decode;
use super::kernel::{NO_GOAL, byte_of_rank};
use super::noise::Noise;
use super::opening::{Opening, Position};
use crate::games::twenty48::{Board, Goal, Twenty48};
use crate::games::{Finished, Game, Outcome};
use crate::rng::{Rng, derive, seeded};

/// What a driver plays by.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub game: Twenty48,
    /// The most moves of a game.
    pub cap: Option<u32>,
    pub seed: u64,
}

/// A game under way. The block counts its moves and 4s in bytes; here is what they had counted when last cleared.
#[derive(Clone, Copy, Default)]
struct Ticket {
    from: usize,
    potential: u32,
    moves: u32,
    fours: u32,
}

/// Plays from every after-position that `source` hands out, with a number to know it by, and hands each game to
/// `sink` when it ends. Nothing is cut short when the source runs dry: stopping at the n-th game to end would favour
/// short games.
pub fn drive(
    engine: Engine,
    rules: Rules,
    source: impl FnMut() -> Option<(Board, usize)>,
    sink: impl FnMut(Finished<Board>),
) {
    let driver = Driver::new(rules, source, sink);
    if rules.cap.is_none() && rules.game.goal == Goal::None {
        driver.run::<false>(engine);
    } else {
        driver.run::<true>(engine);
    }
}

struct Driver<I, O> {
    rules: Rules,
    source: I,
    sink: O,
    /// Where the last game began.
    opening: Opening,
    /// For the reply to each after-position, before the block takes over.
    replies: Rng,
    noise: Noise,
    block: Block,
    tickets: [Ticket; LANES],
    /// One bit for each lane with a game.
    busy: u32,
    /// Since the block's counts were last cleared in all lanes.
    steps: usize,
}

impl<I: FnMut() -> Option<(Board, usize)>, O: FnMut(Finished<Board>)> Driver<I, O> {
    fn new(rules: Rules, source: I, sink: O) -> Self {
        let goal = match rules.game.goal {
            Goal::Rank(rank) => byte_of_rank(rank),
            Goal::None => NO_GOAL,
        };
        Driver {
            rules,
            source,
            sink,
            opening: Opening::new(Board::default()),
            replies: seeded(derive(rules.seed, 0)),
            noise: Noise::new(derive(rules.seed, 1)),
            block: Block::new(goal),
            tickets: [Ticket::default(); LANES],
            busy: 0,
            steps: 0,
        }
    }

    fn run<const LIMITED: bool>(mut self, engine: Engine) {
        for lane in 0..LANES {
            self.begin(lane);
        }
        while self.busy != 0 {
            if self.steps + STEPS > usize::from(u8::MAX) {
                self.clear_counts();
            }
            self.block.advance::<LIMITED>(engine, &mut self.noise);
            self.steps += STEPS;
            let stuck = self.block.stuck.bits();
            let halted = if LIMITED { self.block.halted.bits() } else { 0 };
            let mut ended = (stuck | halted) & self.busy;
            while ended != 0 {
                let lane = ended.trailing_zeros() as usize;
                ended &= ended - 1;
                self.finish(lane, stuck >> lane & 1 != 0);
                self.begin(lane);
            }
        }
    }

    /// Puts the source's next game into the lane, or nothing.
    fn begin(&mut self, lane: usize) {
        let Some(from) = self.next_opening() else {
            self.busy &= !(1 << lane);
            return self.block.put(lane, &[0; 16]);
        };
        let Position { cells, potential } = self.opening.reply(&mut self.replies);
        self.busy |= 1 << lane;
        self.block.put(lane, &cells);
        self.tickets[lane] = Ticket { from, potential, moves: 0, fours: 0 };
        self.set_limit(lane);
    }

    /// The next game that is not over before its first move.
    fn next_opening(&mut self) -> Option<usize> {
        loop {
            let (after, from) = (self.source)()?;
            if after != self.opening.after {
                self.opening = Opening::new(after);
            }
            if self.rules.cap != Some(0) && self.rules.game.after_step(after).is_none() {
                return Some(from);
            }
            let finished = self.unplayed(after, from);
            (self.sink)(finished);
        }
    }

    /// A game that is over before its first move.
    fn unplayed(&mut self, after: Board, from: usize) -> Finished<Board> {
        let game = self.rules.game;
        let (last, outcome) = match game.after_step(after) {
            Some(outcome) => (after, Some(outcome)),
            None => {
                let last = decode(self.opening.reply(&mut self.replies).cells);
                (last, game.is_stuck(last).then_some(Twenty48::STUCK))
            }
        };
        Finished { from, last, gained: 0, moves: 0, outcome }
    }

    fn finish(&mut self, lane: usize, stuck: bool) {
        let ticket = self.tickets[lane];
        let last = self.block.board(lane);
        let outcome = if stuck {
            Some(Twenty48::STUCK)
        } else if self.rules.game.goal.is_reached(last) {
            Some(Outcome::Win)
        } else {
            None
        };
        let fours = ticket.fours + u32::from(self.block.fours.0[lane]);
        let moves = ticket.moves + u32::from(self.block.moves.0[lane]);
        // Merging earns what it adds to the potential; a 4 adds 4 to the potential that nobody earned.
        let gained = last.potential() - ticket.potential - 4 * fours;
        (self.sink)(Finished { from: ticket.from, last, gained, moves, outcome });
    }

    /// Takes the block's counts into the tickets before a byte could run over.
    fn clear_counts(&mut self) {
        self.steps = 0;
        for lane in 0..LANES {
            let ticket = &mut self.tickets[lane];
            ticket.moves += u32::from(std::mem::take(&mut self.block.moves.0[lane]));
            ticket.fours += u32::from(std::mem::take(&mut self.block.fours.0[lane]));
            self.set_limit(lane);
        }
    }

    /// A limit of 255 is out of reach until the counts are cleared again.
    fn set_limit(&mut self, lane: usize) {
        let left = self.rules.cap.map_or(u32::MAX, |cap| cap - self.tickets[lane].moves);
        self.block.limit.0[lane] = left.min(u32::from(u8::MAX)) as u8;
    }
}
