//! Plays the games of a comparison that are not in its store yet, and makes tables of all of them.

use super::sample::{AgentGames, Clock};
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
        let opening = comparison.opening.map(|plies| format!("\nopening {plies}")).unwrap_or_default();
        let ids = agents.iter().map(|agent| short_hash(&format!("{agent}\n{opponent}{opening}"))).collect();
        GamePlan { comparison, schedule: Schedule::new(comparison), ids }
    }

    fn id(&self, entrant: usize) -> u64 {
        self.ids.get(entrant).copied().unwrap_or_default()
    }

    /// The games of a block that has been played.
    fn read(&self, block: Block, runner: &GameRunner) -> Result<Vec<GameResult>, Error> {
        let games = runner.store().read(self.id(block.entrant), &self.seeds(block))?;
        games.ok_or_else(|| Error::Failed("stored games have disappeared; run again".into()))
    }

    fn seeds(&self, block: Block) -> Vec<u64> {
        let seeds = Seeds::<Stage>::new(self.comparison.seed);
        self.schedule.range(block).map(|game| seeds.game(game).value()).collect()
    }
}

/// Plays every block that is not in the store yet, and returns the number of games of each agent. An experiment with a
/// `stop` rule is played from look to look until its question is settled. The looks are fixed numbers of games, so the
/// decision depends on the games alone.
pub(super) fn play_until_settled(comparison: &Comparison, runner: &GameRunner) -> Result<u64, Error> {
    runner.expect(comparison.games * comparison.entrants.len() as u64);
    let looks = comparison.questions.stop.map_or(vec![comparison.games], |rule| rule.test().looks());
    let mut played = 0;
    for games in looks {
        let part = Comparison { games, ..comparison.clone() };
        let plan = GamePlan::new(&part);
        comparison.game.with(PlayMissing { plan: &plan, from: played, runner })?;
        played = games;
        if is_settled(&plan, runner)? {
            break;
        }
    }
    runner.store().finish()?;
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
    runner: &'a GameRunner,
}

impl GameTask for PlayMissing<'_> {
    type Output = Result<(), Error>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let PlayMissing { plan, from, runner } = self;
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
        let blocks = plan.schedule.playing_order().filter(|block| plan.schedule.range(*block).start >= from);
        runner.play(&game, &build, blocks.filter_map(missing), keep)
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
        let results = plan.read(block, runner)?;
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
