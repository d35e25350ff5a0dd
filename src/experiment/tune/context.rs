//! The shared state of a tuning run: the experiment, and how its players' games are measured.

use std::ops::Range;
use std::sync::OnceLock;

use super::scenarios::ScenarioGames;
use crate::agents::{AgentSpec, Factory};
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

/// An agent with the heuristic that it uses. If only the agent is tuned, it has the heuristic of its own options or none.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub agent: AgentSpec,
    pub heuristic: Option<Heuristic>,
}

impl Player {
    pub fn new(agent: &AgentSpec, heuristic: &Heuristic) -> Self {
        Player { agent: agent.clone(), heuristic: Some(heuristic.clone()) }
    }

    /// Identifies the player in the store.
    pub fn id(&self) -> u64 {
        let heuristic = self.heuristic.as_ref().map(Heuristic::to_toml).unwrap_or_default();
        short_hash(&format!("{}\n{heuristic}", self.agent))
    }

    /// Makes agents that play as this player.
    pub fn factory(&self, game: &Twenty48) -> Result<Factory<Twenty48>, InputError> {
        match &self.heuristic {
            Some(heuristic) => self.agent.factory_with(game, heuristic),
            None => self.agent.factory(game),
        }
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
    /// The value of the start in each scenario, once it is known.
    pub baselines: OnceLock<Vec<f64>>,
}

impl TuningContext {
    pub fn new(tuning: Tuning, runner: GameRunner) -> Self {
        TuningContext { game: Twenty48::new(tuning.game.goal()), tuning, runner, baselines: OnceLock::new() }
    }

    /// The agent with its heuristic at this point.
    pub fn player(&self, agent: &AgentSpec, point: &[f64]) -> Result<Player, InputError> {
        let (agent, heuristic) = self.tuning.player_at(agent, point)?;
        Ok(Player { agent, heuristic })
    }

    /// The agent with its heuristic before tuning.
    pub fn start(&self, agent: &AgentSpec) -> Player {
        Player { agent: agent.clone(), heuristic: self.tuning.heuristic.clone() }
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

    /// Games of a stage with these indices in every scenario of the search, for each point.
    pub fn measure_points<S: Stage>(
        &self,
        agent: &AgentSpec,
        points: &[Vec<f64>],
        games: Range<u64>,
    ) -> Result<Vec<ScenarioGames>, Error> {
        let mut players = Vec::new();
        for point in points {
            players.extend(self.in_scenarios(&self.player(agent, point)?, &self.tuning.scenarios)?);
        }
        let mut played = self.measure_range::<S>(&players, games)?.into_iter();
        Ok(points.iter().map(|_| played.by_ref().take(self.scenario_count()).collect()).collect())
    }

    /// The objective at each point, on games of a stage with these indices.
    pub fn estimates<S: Stage>(
        &self,
        agent: &AgentSpec,
        points: &[Vec<f64>],
        games: Range<u64>,
    ) -> Result<Vec<Interval>, Error> {
        let played = self.measure_points::<S>(agent, points, games)?;
        played.iter().map(|games| self.estimate(games)).collect()
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
    /// A candidate's games are divided equally between the scenarios.
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let (context, parts) = (self.context, self.multiple());
        let mut players = Vec::new();
        for candidate in batch {
            let player = context.player(self.agent, &candidate.point)?;
            let games = candidate.games / parts;
            let first = |part: usize| candidate.first_game + part as u64 * games;
            let here = context.in_scenarios(&player, &context.tuning.scenarios)?;
            let with_games = |(part, player)| (player, first(part)..first(part) + games);
            players.extend(here.into_iter().enumerate().map(with_games));
        }
        let requests: Vec<Request> =
            players.iter().map(|(player, games)| Request { player, games: games.clone() }).collect();
        let mut played = context.play(self.seeds, &requests)?.into_iter();
        let of_candidate: Vec<ScenarioGames> =
            batch.iter().map(|_| played.by_ref().take(parts as usize).collect()).collect();
        let evaluations = context.evaluations(&of_candidate)?;
        context.runner.progress.evaluated(self.search, batch, &evaluations);
        Ok(evaluations)
    }

    fn multiple(&self) -> u64 {
        self.context.tuning.scenario_count()
    }
}
