//! What all parts of a tuning run work with.

use std::ops::Range;

use super::statistic::{estimate, evaluation};
use crate::agents::AgentSpec;
use crate::experiment::error::Error;
use crate::experiment::runner::GameRunner;
use crate::games::twenty48::Twenty48;
use crate::heuristics::Heuristic;
use crate::optimize::{Candidate, Evaluation, NoisyObjective};
use crate::params::InputError;
use crate::play::GameResult;
use crate::rng::{Seeds, Stage, Training};
use crate::spec::Tuning;
use crate::stats::Interval;
use crate::store::checksum::short_hash;

/// Games of one stored block. A kill loses at most the blocks that are being played.
const BLOCK: u64 = 50;

/// An agent with the heuristic that it uses.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub agent: AgentSpec,
    pub heuristic: Heuristic,
}

impl Player {
    pub fn new(agent: &AgentSpec, heuristic: &Heuristic) -> Self {
        Player { agent: agent.clone(), heuristic: heuristic.clone() }
    }

    /// Identifies the player in the store.
    pub fn id(&self) -> u64 {
        short_hash(&format!("{}\n{}", self.agent, self.heuristic.to_toml()))
    }
}

/// A player and the games that it is to play, by index.
pub(super) struct Request<'a> {
    pub player: &'a Player,
    pub games: Range<u64>,
}

/// The experiment, and the runner that plays its games.
pub(super) struct TuningContext {
    pub tuning: Tuning,
    pub game: Twenty48,
    pub runner: GameRunner,
}

impl TuningContext {
    pub fn new(tuning: Tuning, runner: GameRunner) -> Self {
        TuningContext { game: Twenty48::new(tuning.game.goal()), tuning, runner }
    }

    /// The agent with its heuristic at this point.
    pub fn player(&self, agent: &AgentSpec, point: &[f64]) -> Result<Player, InputError> {
        Ok(Player { agent: agent.clone(), heuristic: self.tuning.heuristic_at(point)? })
    }

    /// The first games of a stage, for each player.
    pub fn measure<S: Stage>(&self, players: &[Player], games: u64) -> Result<Vec<Vec<GameResult>>, Error> {
        self.measure_range::<S>(players, 0..games)
    }

    /// Games of a stage with these indices, for each player.
    pub fn measure_range<S: Stage>(
        &self,
        players: &[Player],
        games: Range<u64>,
    ) -> Result<Vec<Vec<GameResult>>, Error> {
        let block = |start: u64| start..(start + BLOCK).min(games.end);
        let blocks = || games.clone().step_by(BLOCK as usize).map(block);
        let requests: Vec<Request> =
            players.iter().flat_map(|player| blocks().map(move |games| Request { player, games })).collect();
        let mut results = self.play(Seeds::<S>::new(self.tuning.seed), &requests)?.into_iter();
        Ok(players.iter().map(|_| results.by_ref().take(blocks().count()).flatten().collect()).collect())
    }

    /// The objective at each point, on games of a stage with these indices.
    pub fn estimates<S: Stage>(
        &self,
        agent: &AgentSpec,
        points: &[Vec<f64>],
        games: Range<u64>,
    ) -> Result<Vec<Interval>, Error> {
        let players: Vec<Player> = points.iter().map(|point| self.player(agent, point)).collect::<Result<_, _>>()?;
        let unknown = Interval { estimate: f64::NAN, low: f64::NAN, high: f64::NAN };
        let played = self.measure_range::<S>(&players, games)?;
        Ok(played.iter().map(|games| estimate(self.tuning.objective, games).unwrap_or(unknown)).collect())
    }
}

/// The objective as an optimizer sees it: it can ask for training games and for no others.
pub(super) struct Trainer<'a> {
    pub context: &'a TuningContext,
    pub agent: &'a AgentSpec,
    /// The name of the search.
    pub search: &'a str,
    pub seeds: Seeds<Training>,
}

impl NoisyObjective for Trainer<'_> {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let player = |candidate: &Candidate| self.context.player(self.agent, &candidate.point);
        let players: Vec<Player> = batch.iter().map(player).collect::<Result<_, _>>()?;
        let request = |(player, candidate): (_, &Candidate)| Request { player, games: candidate.game_indices() };
        let requests: Vec<Request> = players.iter().zip(batch).map(request).collect();
        let evaluate = |games: &Vec<GameResult>| {
            evaluation(self.context.tuning.objective, games).ok_or_else(|| anyhow::anyhow!("a candidate without games"))
        };
        let played = self.context.play(self.seeds, &requests)?;
        let evaluations = played.iter().map(evaluate).collect::<anyhow::Result<Vec<_>>>()?;
        self.context.runner.progress.evaluated(self.search, batch, &evaluations);
        Ok(evaluations)
    }
}
