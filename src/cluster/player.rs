//! A player as text: everything that another process needs to build it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::agents::{AgentSpec, Factory};
use crate::games::twenty48::Twenty48;
use crate::heuristics::Heuristic;
use crate::learn::{Network, Provenance};
use crate::params::InputError;
use crate::params::document::{Document, to_toml};

/// A player that another process can build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerText {
    /// An agent.
    Agent(AgentText),
    /// A network that plays at one ply.
    Network(NetworkText),
}

/// What a player's text makes.
pub(super) enum BuiltPlayer {
    /// The game, and what makes agents for it.
    Agent(Twenty48, Factory<Twenty48>),
    Network(Box<Network>),
}

impl PlayerText {
    pub(super) fn build(&self) -> Result<BuiltPlayer, InputError> {
        match self {
            PlayerText::Agent(agent) => agent.build().map(|(game, factory)| BuiltPlayer::Agent(game, factory)),
            PlayerText::Network(network) => network.open().map(|network| BuiltPlayer::Network(Box::new(network))),
        }
    }
}

/// A network in a file. It is too large for a pipe, so its file has to be on a file system that the worker shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkText {
    /// Where the file is, from the root of the file system.
    pub path: PathBuf,
    /// What its header must say. Another machine may have another file there.
    pub trained: Provenance,
}

impl NetworkText {
    fn open(&self) -> Result<Network, InputError> {
        let shared = "the results folder must be on a file system that all workers share";
        let (network, trained) =
            Network::open(&self.path).map_err(|error| InputError::new(format!("{}; {shared}", error.message)))?;
        if trained != self.trained {
            let path = self.path.display();
            return Err(InputError::new(format!("`{path}` is not the network of this training; {shared}")));
        }
        Ok(network)
    }
}

/// An agent with its options and its heuristic, and the goal of its games. It names no file, so it can be built anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentText {
    goal: String,
    kind: String,
    /// The agent's options as TOML.
    options: String,
    /// The heuristic's file; `None` if the agent uses the one of its own options, or none.
    heuristic: Option<String>,
}

impl AgentText {
    /// The text of an agent that uses this heuristic or, without one, that of its own options.
    pub fn new(game: &Twenty48, agent: &AgentSpec, heuristic: Option<&Heuristic>) -> Self {
        let mut options = agent.given.clone();
        let named = options.remove("heuristic").filter(|_| heuristic.is_none());
        if let Some(named) = named {
            // A file may be missing elsewhere, so its content is sent. A network is too large for that: its file has to be
            // on a shared file system.
            let inline = Heuristic::load(&named).map(|heuristic| heuristic.to_table().into());
            options.insert("heuristic".into(), inline.unwrap_or(named));
        }
        AgentText {
            goal: game.goal.to_string(),
            kind: agent.kind.name.to_string(),
            options: to_toml(&options),
            heuristic: heuristic.map(Heuristic::to_toml),
        }
    }

    /// The game, and the factory of agents for it.
    fn build(&self) -> Result<(Twenty48, Factory<Twenty48>), InputError> {
        let game = Twenty48::new(self.goal.parse().map_err(|why: String| InputError::at("goal", why))?);
        let options = Document::parse("the agent's options", &self.options)?.table().clone();
        let agent = AgentSpec::new(&self.kind, options)?;
        let factory = match &self.heuristic {
            Some(text) => agent.factory_with(&game, &Heuristic::parse("the heuristic", text)?)?,
            None => agent.factory(&game)?,
        };
        Ok((game, factory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristics::PRESETS;
    use crate::learn::Patterns;
    use crate::play::{GameResult, Match, Opponent};

    #[test]
    fn a_heuristic_file_is_sent_with_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        std::fs::write(&path, Heuristic::load(&"snake".into()).unwrap().to_toml()).unwrap();
        let game = Twenty48::new("64".parse().unwrap());
        for heuristic in [path.to_str().unwrap(), "basic"] {
            let agent: AgentSpec = format!("expectimax:depth=1,heuristic={heuristic}").parse().unwrap();
            let here = agent.factory(&game).unwrap();
            let text = AgentText::new(&game, &agent, None);
            std::fs::remove_file(&path).ok();
            let there = text.build().unwrap().1;
            assert!(play(&game, there).is_same_game(&play(&game, here)), "{heuristic}");
        }
        let none = AgentText::new(&game, &"rollout:runs=3".parse().unwrap(), None);
        assert!(!none.options.contains("heuristic") && none.build().is_ok());
    }

    fn play(game: &Twenty48, factory: Factory<Twenty48>) -> GameResult {
        let mut agent = factory().unwrap();
        Match { game, agent: agent.as_mut(), opponent: &mut Opponent::Chance }.play(3, |_| {}).result
    }

    #[test]
    fn a_player_that_was_built_from_its_text_plays_the_same_games() {
        let game = Twenty48::new("512".parse().unwrap());
        for (number, preset) in PRESETS.iter().enumerate() {
            let heuristic = Heuristic::load(&preset.name.into()).unwrap();
            let text = ["expectimax:depth=1..2,min-probability=0.0001", "greedy", "mcts:iterations=5"][number % 3];
            let agent: AgentSpec = text.parse().unwrap();
            let sent = serde_json::to_string(&AgentText::new(&game, &agent, Some(&heuristic))).unwrap();
            let received: AgentText = serde_json::from_str(&sent).unwrap();
            let (other_game, factory) = received.build().unwrap();
            let here = play(&game, agent.factory_with(&game, &heuristic).unwrap());
            assert!(play(&other_game, factory).is_same_game(&here), "{} {text}", preset.name);
        }
    }

    #[test]
    fn a_network_that_is_missing_or_another_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("network.bin");
        let trained = Provenance { name: "toy".into(), games: 3, ..Provenance::default() };
        let text = |games: u64| NetworkText { path: path.clone(), trained: Provenance { games, ..trained.clone() } };
        let problem = |text: NetworkText| text.open().map(|_| ()).unwrap_err().message;
        let message = problem(text(3));
        assert!(message.contains("cannot be read") && message.contains("all workers share"), "{message}");
        let mut file = std::fs::File::create(&path).unwrap();
        Network::new(Patterns::parse("0123").unwrap()).unwrap().write(&mut file, &trained).unwrap();
        assert!(text(3).open().is_ok());
        assert!(problem(text(4)).contains("is not the network of this training"));
    }
}
