//! Plays the games of a comparison that are not in its store yet, and makes tables of all of them.

use super::sample::{AgentGames, Clock};
use super::schedule::{Block, Schedule};
use super::{GAMES, TIMING};
use crate::experiment::error::{Error, at};
use crate::experiment::folder::ResultsFolder;
use crate::experiment::runner::{Batch, GameRunner, Players};
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::play::{GameResult, Opponent};
use crate::report::records::GamesWriter;
use crate::rng::{Comparison as Stage, Seeds};
use crate::spec::{Comparison, GameTask};
use crate::store::checksum::short_hash;

/// The games of a comparison: which there are, and who plays them.
pub(super) struct GamePlan<'a> {
    pub comparison: &'a Comparison,
    schedule: Schedule,
    /// Identifies each agent in the store.
    ids: Vec<u64>,
}

impl<'a> GamePlan<'a> {
    pub fn new(comparison: &'a Comparison) -> Self {
        let configuration = comparison.configuration();
        let agents = configuration["agents"].as_array().map(Vec::as_slice).unwrap_or_default();
        let opponent = &configuration["opponent"];
        let ids = agents.iter().map(|agent| short_hash(&format!("{agent}\n{opponent}"))).collect();
        GamePlan { comparison, schedule: Schedule::new(comparison), ids }
    }

    fn id(&self, entrant: usize) -> u64 {
        self.ids.get(entrant).copied().unwrap_or_default()
    }

    fn seeds(&self, block: Block) -> Vec<u64> {
        let seeds = Seeds::<Stage>::new(self.comparison.seed);
        self.schedule.range(block).map(|game| seeds.game(game).value()).collect()
    }
}

/// Plays every block that is not in the store yet.
pub(super) fn play_missing(plan: &GamePlan, runner: &GameRunner) -> Result<(), Error> {
    runner.expect(plan.comparison.games * plan.comparison.entrants.len() as u64);
    plan.comparison.game.with(PlayMissing { plan, runner })?;
    Ok(runner.store().finish()?)
}

struct PlayMissing<'a> {
    plan: &'a GamePlan<'a>,
    runner: &'a GameRunner,
}

impl GameTask for PlayMissing<'_> {
    type Output = Result<(), Error>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let PlayMissing { plan, runner } = self;
        let missing = |block: Block| {
            let seeds = plan.seeds(block);
            let known = runner.check_stop().and_then(|()| runner.recall(block.entrant, plan.id(block.entrant), &seeds));
            match known {
                Ok(Some(_)) => None,
                Ok(None) => Some(Ok(Batch { player: block.entrant, place: 0, seeds })),
                Err(error) => Some(Err(error)),
            }
        };
        let build = |entrant| players(&game, plan.comparison, entrant);
        let keep = |batch: Batch, games: Vec<GameResult>| Ok(runner.store().append(plan.id(batch.player), &games)?);
        runner.play(&game, &build, plan.schedule.playing_order().filter_map(missing), keep)
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
    Ok(Players { agent: entrant.agent.build(game)?, opponent })
}

/// Reads all games once, agent by agent: writes `games.csv` and `timing.csv`, and returns what the statistics need.
pub(super) fn assemble(
    plan: &GamePlan,
    runner: &GameRunner,
    folder: &ResultsFolder,
) -> Result<(Vec<AgentGames>, Vec<Clock>), Error> {
    let path = |name: &str| folder.stage().join(name);
    let mut games = GamesWriter::games(folder.create(GAMES)?).map_err(at(&path(GAMES)))?;
    let mut timing = GamesWriter::timing(folder.create(TIMING)?).map_err(at(&path(TIMING)))?;
    let labels = plan.comparison.entrants.iter().map(|entrant| entrant.label.clone());
    let (mut samples, mut clocks): (Vec<AgentGames>, Vec<Clock>) = labels
        .map(|agent| (AgentGames { agent: agent.clone(), ..Default::default() }, Clock { agent, ..Default::default() }))
        .unzip();
    for block in plan.schedule.blocks() {
        runner.check_stop()?;
        let results = runner.store().read(plan.id(block.entrant), &plan.seeds(block))?;
        let results = results.ok_or_else(|| Error::Failed("stored games have disappeared; run again".into()))?;
        let (sample, clock) = (&mut samples[block.entrant], &mut clocks[block.entrant]);
        for (number, result) in plan.schedule.range(block).zip(&results) {
            games.write(&sample.agent, number, result).map_err(at(&path(GAMES)))?;
            timing.write(&sample.agent, number, result).map_err(at(&path(TIMING)))?;
            sample.add(result);
            clock.add(result.seconds);
        }
    }
    games.finish().map_err(at(&path(GAMES)))?;
    timing.finish().map_err(at(&path(TIMING)))?;
    Ok((samples, clocks))
}
