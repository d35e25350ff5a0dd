//! The analysis of a recorded game: an agent's values for every move.

use crate::agents::{Agent, AgentSpec};
use crate::games::Game;
use crate::heuristics::Playable;
use crate::params::InputError;
use crate::rng::agent_seed;

use super::Record;

/// An agent's evaluation of one move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveAnalysis {
    /// The number of the move, from 1.
    pub number: usize,
    /// The position before the move, in the game's notation.
    pub board: String,
    /// The score before the move.
    pub score: u32,
    /// The move that was played.
    pub played: String,
    /// The move that the agent would have played.
    pub preferred: String,
    /// The agent's value of each legal move.
    pub values: Vec<(String, f64)>,
    /// The agent's value of the move that was played.
    pub played_value: f64,
    /// The agent's value of its own move.
    pub best_value: f64,
}

impl MoveAnalysis {
    /// Evaluates the move with this index, counted from 0. `score` is the score before the move.
    pub fn of<G: Game>(
        record: &Record<G>,
        index: usize,
        score: u32,
        agent: &mut dyn Agent<G>,
    ) -> Result<Self, InputError> {
        let position = record.position(index);
        let (decision, played) = agent
            .evaluate(position, score)
            .zip(record.moves.get(index))
            .ok_or_else(|| InputError::new(format!("no move is legal at {position}")))?;
        let value_of = |action: G::Move| decision.values.iter().find(|(known, _)| *known == action).map(|(_, v)| *v);
        Ok(MoveAnalysis {
            number: index + 1,
            board: position.to_string(),
            score,
            played: played.step.action.to_string(),
            preferred: decision.choice.to_string(),
            values: decision.values.iter().map(|(action, value)| (action.to_string(), *value)).collect(),
            played_value: value_of(played.step.action).unwrap_or(f64::NAN),
            best_value: value_of(decision.choice).unwrap_or(f64::NAN),
        })
    }

    /// How much the move loses against the agent's own move, by the agent's values; 0 if it is as good.
    pub fn loss(&self) -> f64 {
        (self.best_value - self.played_value).max(0.0)
    }

    /// Whether the agent would have played another move and values it higher.
    pub fn differs(&self) -> bool {
        self.played != self.preferred && self.loss() > 0.0
    }
}

/// An agent's evaluation of a whole game.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// One entry per move.
    pub moves: Vec<MoveAnalysis>,
}

impl Analysis {
    /// Evaluates every move of the game. `progress` is called with the number of moves done.
    ///
    /// ```
    /// use lab2048::games::twenty48::{Goal, Twenty48};
    /// use lab2048::record::{Analysis, Record};
    ///
    /// let text = "lab2048-record 1\ngame 2048\ngoal 8\nseed 7\nagent person\n\
    ///             start 0,0,0,0/0,0,2,2/0,0,0,0/0,0,0,0\nup 4 at d4\nend 0 unfinished\n";
    /// let game = Twenty48::new(Goal::Rank(3));
    /// let record = Record::read(&game, text).unwrap();
    /// let agent = "expectimax:depth=3".parse().unwrap();
    /// let analysis = Analysis::of(&game, &record, &agent, 1, |_| {}).unwrap();
    /// assert_eq!(analysis.moves[0].played, "up");
    /// assert!(analysis.moves[0].loss() >= 0.0);
    /// ```
    pub fn of<G: Playable>(
        game: &G,
        record: &Record<G>,
        spec: &AgentSpec,
        seed: u64,
        mut progress: impl FnMut(usize),
    ) -> Result<Self, InputError> {
        let mut agent = spec.build(game)?;
        agent.reset(agent_seed(seed));
        let mut moves = Vec::with_capacity(record.moves.len());
        let mut score = 0;
        for (index, played) in record.moves.iter().enumerate() {
            moves.push(MoveAnalysis::of(record, index, score, agent.as_mut())?);
            score += played.step.reward;
            progress(index + 1);
        }
        Ok(Analysis { moves })
    }

    /// The moves that lose something, the worst first. Of equal losses the earlier move comes first.
    pub fn mistakes(&self) -> Vec<&MoveAnalysis> {
        let mut mistakes: Vec<&MoveAnalysis> = self.moves.iter().filter(|each| each.differs()).collect();
        mistakes.sort_by(|a, b| b.loss().total_cmp(&a.loss()).then(a.number.cmp(&b.number)));
        mistakes
    }

    /// The number of moves that are as good as the agent's.
    pub fn agreements(&self) -> usize {
        self.moves.iter().filter(|each| !each.differs()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};
    use crate::play::{Match, Opponent};
    use crate::record::Header;

    fn game_of(agent: &str) -> Record<Twenty48> {
        let game = Twenty48::new(Goal::Rank(7));
        let header = Header { game: "2048".into(), goal: None, seed: 4, agent: agent.into(), opponent: None };
        let mut record = Record::begin(&game, header);
        let mut player = agent.parse::<AgentSpec>().unwrap().build(&game).unwrap();
        let mut matched = Match { game: &game, agent: player.as_mut(), opponent: &mut Opponent::Chance };
        matched.play(4, |turn| record.observe(turn));
        record
    }

    fn analyse(record: &Record<Twenty48>, agent: &str) -> Analysis {
        Analysis::of(&Twenty48::new(Goal::Rank(7)), record, &agent.parse().unwrap(), 4, |_| {}).unwrap()
    }

    #[test]
    fn an_agent_agrees_with_its_own_game() {
        let record = game_of("expectimax:depth=2");
        let analysis = analyse(&record, "expectimax:depth=2");
        assert_eq!((analysis.agreements(), analysis.moves.len()), (record.moves.len(), record.moves.len()));
        assert!(analysis.mistakes().is_empty());
    }

    #[test]
    fn a_random_game_has_mistakes_and_the_worst_comes_first() {
        let record = game_of("random");
        let analysis = analyse(&record, "expectimax:depth=2");
        let mistakes = analysis.mistakes();
        assert!(mistakes.len() > 5 && mistakes.is_sorted_by(|a, b| a.loss() >= b.loss()));
        assert_eq!(mistakes.len() + analysis.agreements(), record.moves.len());
        for each in &analysis.moves {
            assert!(each.values.iter().all(|(_, value)| *value <= each.best_value + 1e-9 * each.best_value.abs()));
        }
    }

    #[test]
    fn a_blunder_in_noughts_and_crosses_is_found() {
        let text = "lab2048-record 1\ngame tic-tac-toe\nseed 1\nagent person\nopponent random\n\
                    start XX./.../OO.\nb2 O c3\nend -1 loss\n";
        let record = Record::read(&TicTacToe, text).unwrap();
        let agent = "minimax:depth=9".parse().unwrap();
        let analysis = Analysis::of(&TicTacToe, &record, &agent, 1, |_| {}).unwrap();
        let worst = analysis.mistakes()[0];
        assert_eq!((worst.preferred.as_str(), worst.best_value), ("c1", 1.0));
    }
}
