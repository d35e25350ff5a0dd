//! Plays the games of a comparison that are not in its store yet, and makes tables of all of them.

use std::collections::HashMap;
use std::ops::Range;

use super::sample::{AgentGames, AgentTimes};
use super::schedule::{Block, Schedule};
use super::{GAMES, TIMING, sequential};
use crate::experiment::error::{Error, at};
use crate::experiment::folder::ResultsFolder;
use crate::experiment::runner::{Batch, GameRunner, Players};
use crate::experiment::verify::ListedGame;
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::play::{GameResult, Opponent};
use crate::report::records::GamesWriter;
use crate::rng::{Comparison as Stage, Seeds};
use crate::spec::{Comparison, GameTask, Shard};
use crate::store::checksum::short_hash;

/// The games of a comparison: which there are, and who plays them.
pub(super) struct GamePlan<'a> {
    pub comparison: &'a Comparison,
    pub schedule: Schedule,
    /// Identifies each agent in the store.
    ids: Vec<u64>,
}

impl<'a> GamePlan<'a> {
    pub fn new(comparison: &'a Comparison) -> Self {
        let configuration = comparison.configuration();
        let agents = configuration["agents"].as_array().map(Vec::as_slice).unwrap_or_default();
        let opponent = &configuration["opponent"];
        let opening = comparison.opening.map(|plies| format!("\nopening {plies}")).unwrap_or_default();
        let ids = agents.iter().map(|agent| short_hash(&format!("{agent}\n{opponent}{opening}"))).collect();
        GamePlan { comparison, schedule: Schedule::new(comparison), ids }
    }

    pub fn label(&self, entrant: usize) -> &str {
        self.comparison.entrants.get(entrant).map_or("", |entrant| &entrant.label)
    }

    fn id(&self, entrant: usize) -> u64 {
        self.ids.get(entrant).copied().unwrap_or_default()
    }

    /// The games of a block that has been played.
    fn read(&self, block: Block, runner: &GameRunner) -> Result<Vec<GameResult>, Error> {
        let games = runner.store().read(self.id(block.entrant), &self.seeds(self.schedule.range(block)))?;
        games.ok_or_else(|| Error::Failed("stored games have disappeared; run again".into()))
    }

    fn seeds(&self, games: Range<u64>) -> Vec<u64> {
        let seeds = Seeds::<Stage>::new(self.comparison.seed);
        games.map(|game| seeds.game(game).value()).collect()
    }

    /// Whether an earlier run has played this block.
    fn is_stored(&self, block: Block, runner: &GameRunner) -> Result<bool, Error> {
        let seeds = self.seeds(self.schedule.range(block));
        Ok(runner.recall(block.entrant, self.id(block.entrant), &seeds)?.is_some())
    }

    /// The parts of a block, to be played. Each has the number of its first game as its place.
    fn batches(&self, block: Block) -> impl Iterator<Item = Batch> {
        self.schedule.parts(block).map(move |games| Batch {
            player: block.entrant,
            place: games.start as usize,
            seeds: self.seeds(games),
        })
    }

    /// The blocks from this game on that are not in the store.
    pub fn missing(&self, from: u64, runner: &GameRunner) -> Result<Vec<Block>, Error> {
        let due = self.schedule.blocks().filter(|block| self.schedule.range(*block).start >= from);
        let mut missing = Vec::new();
        for block in due {
            runner.check_stop()?;
            if !self.is_stored(block, runner)? {
                missing.push(block);
            }
        }
        Ok(missing)
    }
}

/// Makes sure that the store has all games of a plan from this game on.
pub(super) type Fill<'a> = &'a dyn Fn(&GamePlan, u64, &GameRunner) -> Result<(), Error>;

/// Plays every block that is not in the store yet.
pub(super) fn play_missing(plan: &GamePlan, from: u64, runner: &GameRunner) -> Result<(), Error> {
    plan.comparison.game.with(PlayMissing { plan, from, shard: None, runner })
}

/// As [`play_missing`], for the blocks of one shard. Returns how many games these have.
pub(super) fn play_shard(plan: &GamePlan, shard: Shard, runner: &GameRunner) -> Result<u64, Error> {
    let own = plan.schedule.blocks().filter(|block| plan.schedule.is_in(*block, shard));
    let games = own.map(|block| plan.schedule.range(block)).map(|games| games.end - games.start).sum();
    runner.expect(games);
    plan.comparison.game.with(PlayMissing { plan, from: 0, shard: Some(shard), runner })?;
    runner.store().close()?;
    Ok(games)
}

/// Fills the store, and returns the number of games of each agent. An experiment with a `stop` rule looks at its
/// results after fixed numbers of games, and ends when its question is settled. So the decision depends on the games
/// alone.
pub(super) fn fill_until_settled(comparison: &Comparison, runner: &GameRunner, fill: Fill) -> Result<u64, Error> {
    runner.expect(comparison.games * comparison.entrants.len() as u64);
    let looks = comparison.questions.stop.map_or(vec![comparison.games], |rule| rule.test().looks());
    let mut played = 0;
    for games in looks {
        let part = Comparison { games, ..comparison.clone() };
        let plan = GamePlan::new(&part);
        fill(&plan, played, runner)?;
        played = games;
        if is_settled(&plan, runner)? {
            break;
        }
    }
    runner.store().repair_and_close()?;
    Ok(played)
}

fn is_settled(plan: &GamePlan, runner: &GameRunner) -> Result<bool, Error> {
    let Some(rule) = plan.comparison.questions.stop else { return Ok(false) };
    let mut samples = vec![AgentGames::default(); plan.comparison.entrants.len()];
    for block in [rule.contrast.0, rule.contrast.1].into_iter().flat_map(|entrant| plan.schedule.blocks_of(entrant)) {
        plan.read(block, runner)?.iter().for_each(|game| samples[block.entrant].add(game));
    }
    Ok(sequential::is_decided(&sequential::looks(plan.comparison, &rule, &samples)))
}

struct PlayMissing<'a> {
    plan: &'a GamePlan<'a>,
    /// Games before this one have been played.
    from: u64,
    /// The share to play; all if `None`.
    shard: Option<Shard>,
    runner: &'a GameRunner,
}

impl GameTask for PlayMissing<'_> {
    type Output = Result<(), Error>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let PlayMissing { plan, from, shard, runner } = self;
        let schedule = &plan.schedule;
        let is_due = |block: &Block| {
            schedule.range(*block).start >= from && shard.is_none_or(|shard| schedule.is_in(*block, shard))
        };
        let missing = |block: Block| match runner.check_stop().and_then(|()| plan.is_stored(block, runner)) {
            Ok(true) => Vec::new(),
            Ok(false) => plan.batches(block).map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        let build = |entrant| players(&game, plan.comparison, entrant);
        let mut open = OpenBlocks::default();
        let keep = |batch: Batch, games: Vec<GameResult>| match open.add(schedule, &batch, games) {
            Some(games) => Ok(runner.store().append(plan.id(batch.player), &games)?),
            None => Ok(()),
        };
        runner.play(&game, &build, schedule.playing_order().filter(is_due).flat_map(missing), keep)
    }
}

/// Blocks of which some parts have been played.
#[derive(Default)]
struct OpenBlocks {
    games: HashMap<Block, Vec<Option<GameResult>>>,
}

impl OpenBlocks {
    /// Adds the games of a batch. Returns the games of its block if the block is complete now.
    fn add(&mut self, schedule: &Schedule, batch: &Batch, games: Vec<GameResult>) -> Option<Vec<GameResult>> {
        let block = schedule.block_of(batch.player, batch.place as u64);
        let range = schedule.range(block);
        let open = self.games.entry(block).or_insert_with(|| vec![None; (range.end - range.start) as usize]);
        let first = batch.place - range.start as usize;
        open.iter_mut().skip(first).zip(games).for_each(|(slot, game)| *slot = Some(game));
        let whole: Vec<GameResult> = open.iter().copied().collect::<Option<_>>()?;
        self.games.remove(&block);
        Some(whole)
    }
}

/// An agent of the comparison and its opponent.
pub(super) fn players<G: Playable>(
    game: &G,
    comparison: &Comparison,
    entrant: usize,
) -> Result<Players<G>, InputError> {
    let opponent = match &comparison.opponent {
        Some(opponent) => Opponent::Agent(opponent.build(game)?),
        None => Opponent::Chance,
    };
    let entrant = comparison.entrants.get(entrant).ok_or_else(|| InputError::new("there is no such agent"))?;
    Ok(Players { agent: entrant.agent.build(game)?, opponent, opening: comparison.opening })
}

/// Plays one listed game again.
pub(super) struct ReplayOne<'a> {
    pub comparison: &'a Comparison,
    pub game: &'a ListedGame,
}

impl GameTask for ReplayOne<'_> {
    type Output = Result<Option<GameResult>, Error>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let entrant = self.comparison.entrants.iter().position(|entrant| entrant.label == self.game.agent);
        let Some(entrant) = entrant else { return Ok(None) };
        let seed = Seeds::<Stage>::new(self.comparison.seed).game(self.game.number).value();
        Ok(Some(players(&game, self.comparison, entrant)?.play(&game, seed)))
    }
}

/// Reads all games once, agent by agent: writes `games.csv` and `timing.csv`, and returns what the statistics need.
pub(super) fn assemble(
    plan: &GamePlan,
    runner: &GameRunner,
    folder: &ResultsFolder,
) -> Result<(Vec<AgentGames>, Vec<AgentTimes>), Error> {
    let path = |name: &str| folder.stage().join(name);
    let mut games = GamesWriter::games(folder.create(GAMES)?).map_err(at(&path(GAMES)))?;
    let mut timing = GamesWriter::timing(folder.create(TIMING)?).map_err(at(&path(TIMING)))?;
    let labels = plan.comparison.entrants.iter().map(|entrant| entrant.label.clone());
    let (mut samples, mut times): (Vec<AgentGames>, Vec<AgentTimes>) = labels
        .map(|agent| {
            (AgentGames { agent: agent.clone(), ..Default::default() }, AgentTimes { agent, ..Default::default() })
        })
        .unzip();
    for block in plan.schedule.blocks() {
        runner.check_stop()?;
        let results = plan.read(block, runner)?;
        let (sample, agent_times) = (&mut samples[block.entrant], &mut times[block.entrant]);
        for (number, result) in plan.schedule.range(block).zip(&results) {
            games.write(&sample.agent, number, result).map_err(at(&path(GAMES)))?;
            timing.write(&sample.agent, number, result).map_err(at(&path(TIMING)))?;
            sample.add(result);
            agent_times.add(result.seconds);
        }
    }
    games.finish().map_err(at(&path(GAMES)))?;
    timing.finish().map_err(at(&path(TIMING)))?;
    Ok((samples, times))
}
