//! A player as text: everything that another process needs to build it.

use serde::{Deserialize, Serialize};

use crate::agents::{AgentSpec, Factory};
use crate::games::twenty48::Twenty48;
use crate::heuristics::Heuristic;
use crate::params::InputError;
use crate::params::document::{Document, to_toml};

/// An agent with its options and its heuristic, and the goal of its games. It names no file, so it can be built anywhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerText {
    goal: String,
    kind: String,
    /// The agent's options as TOML.
    options: String,
    /// The heuristic's file; `None` if the agent uses the one of its own options, or none.
    heuristic: Option<String>,
}

impl PlayerText {
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
        PlayerText {
            goal: game.goal.to_string(),
            kind: agent.kind.name.to_string(),
            options: to_toml(&options),
            heuristic: heuristic.map(Heuristic::to_toml),
        }
    }

    /// The game, and the factory of agents for it.
    pub(super) fn build(&self) -> Result<(Twenty48, Factory<Twenty48>), InputError> {
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
            let text = PlayerText::new(&game, &agent, None);
            std::fs::remove_file(&path).ok();
            let there = text.build().unwrap().1;
            assert!(play(&game, there).is_same_game(&play(&game, here)), "{heuristic}");
        }
        let none = PlayerText::new(&game, &"rollout:runs=3".parse().unwrap(), None);
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
            let sent = serde_json::to_string(&PlayerText::new(&game, &agent, Some(&heuristic))).unwrap();
            let received: PlayerText = serde_json::from_str(&sent).unwrap();
            let (other_game, factory) = received.build().unwrap();
            let here = play(&game, agent.factory_with(&game, &heuristic).unwrap());
            assert!(play(&other_game, factory).is_same_game(&here), "{} {text}", preset.name);
        }
    }
}
