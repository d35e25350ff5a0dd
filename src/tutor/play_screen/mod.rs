//! The play screen: a person, a board, and an agent to ask.

mod draw;
mod handle;
mod panel;

#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use crate::agents::AgentSpec;
use crate::explain::Tree;
use crate::params::InputError;

use super::keys::Keys;
use super::menu::Menu;
use super::outline::Outline;
use super::pace::Pace;
use super::palette::Palette;
use super::record_path::RecordPath;
use super::session::{Facts, GameSession, GameStatus};
use super::thinker::{Answer, Question, Thinker, Thought};

/// How a session begins.
pub struct Setup {
    pub table: Box<dyn GameSession>,
    /// Who gives hints and plays on; in a game for two also who replies, unless `opponent` does.
    pub agent: AgentSpec,
    pub opponent: Option<AgentSpec>,
    /// Whether replies come from an agent, and not by chance.
    pub answered: bool,
    pub keys: Keys,
    pub palette: Palette,
    pub record_path: RecordPath,
    /// Whether the game is kept when the user leaves.
    pub keep: bool,
    /// Whether the agent plays from the beginning.
    pub watch: bool,
    /// Moves a second when the agent plays.
    pub speed: f64,
}

/// Whether the agent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Auto {
    Off,
    Running,
    Paused,
    /// One move, then pause.
    Single,
}

/// What lies over the board.
enum Overlay {
    None,
    Help,
    Menu(Box<Menu>),
    Tree(Box<Outline>),
}

/// A session.
pub struct Play {
    table: Box<dyn GameSession>,
    facts: Facts,
    agent: AgentSpec,
    opponent: Option<AgentSpec>,
    answered: bool,
    thinker: Thinker,
    replier: Option<Thinker>,
    answers: Receiver<(u64, Answer)>,
    desk: Sender<(u64, Answer)>,
    /// Of the latest question.
    number: u64,
    thought: Option<Thought>,
    tree: Option<Tree>,
    auto: Auto,
    pace: Pace,
    hinted: bool,
    panel: bool,
    overlay: Overlay,
    message: String,
    /// The marked cell in games of cells.
    cursor: (usize, usize),
    keys: Keys,
    palette: Palette,
    record_path: RecordPath,
    keep: bool,
    /// Whether a person, and whether the agent, has made moves in this game.
    movers: (bool, bool),
    unsaved: bool,
}

impl Play {
    pub fn new(setup: Setup) -> Result<Self, InputError> {
        let Setup { table, agent, opponent, answered, keys, palette, record_path, keep, watch, speed } = setup;
        let (desk, answers) = channel();
        let thinker = table.thinker(&agent, desk.clone())?;
        let mut play = Play {
            facts: table.facts(),
            table,
            agent,
            opponent,
            answered,
            thinker,
            replier: None,
            answers,
            desk,
            number: 0,
            thought: None,
            tree: None,
            auto: if watch { Auto::Running } else { Auto::Off },
            pace: Pace::new(speed),
            hinted: false,
            panel: true,
            overlay: Overlay::None,
            message: String::new(),
            cursor: (0, 0),
            keys,
            palette,
            record_path,
            keep,
            movers: (false, false),
            unsaved: false,
        };
        play.replier = play.new_replier(&play.agent)?;
        play.changed();
        Ok(play)
    }

    /// Moves made so far.
    pub fn moves(&self) -> usize {
        self.facts.moves
    }

    /// Whether a move can be made.
    pub fn is_open(&self) -> bool {
        self.facts.status == GameStatus::Open
    }

    /// Who replies when this agent is at the table.
    fn new_replier(&self, agent: &AgentSpec) -> Result<Option<Thinker>, InputError> {
        let spec = self.opponent.as_ref().unwrap_or(agent);
        self.answered.then(|| self.table.thinker(spec, self.desk.clone())).transpose()
    }

    /// Puts another agent to work; if that fails, nothing changes.
    fn employ(&mut self, agent: AgentSpec) -> Result<(), InputError> {
        let thinker = self.table.thinker(&agent, self.desk.clone())?;
        self.replier = self.new_replier(&agent)?;
        (self.thinker, self.agent) = (thinker, agent);
        self.changed();
        Ok(())
    }

    /// The same agents with a fresh start, for a new game or a new goal.
    fn employ_again(&mut self) {
        if let Err(problem) = self.employ(self.agent.clone()) {
            self.message = problem.message;
        }
    }

    /// The position is another one: what was thought is stale, and there is something new to think about.
    fn changed(&mut self) {
        self.facts = self.table.facts();
        (self.thought, self.tree, self.hinted) = (None, None, false);
        self.number += 1;
        self.pace.rest();
        let asked = match self.facts.status {
            GameStatus::Open => self.ask(),
            GameStatus::Waiting => self.ask_reply(),
            GameStatus::Over(_) => {
                self.auto = Auto::Off;
                true
            }
        };
        if !asked {
            self.message = "the agent has stopped; choose one in the menu (m)".into();
        }
    }

    fn ask(&self) -> bool {
        let (board, score) = self.table.to_move();
        // A tree takes longer than the move itself, and nobody reads it while boards fly by.
        let trace = self.auto != Auto::Running || self.pace.interval() >= SLOW;
        self.thinker.ask(Question { number: self.number, board, score, trace })
    }

    fn ask_reply(&self) -> bool {
        let (board, score) = self.table.to_move();
        let question = Question { number: self.number, board, score, trace: false };
        self.replier.as_ref().is_some_and(|replier| replier.ask(question))
    }

    /// Takes in what the agents have answered.
    fn listen(&mut self) {
        while let Ok((number, answer)) = self.answers.try_recv() {
            if number != self.number {
                continue;
            }
            match answer {
                Answer::Thought(thought) if self.facts.status == GameStatus::Waiting => self.replied(&thought),
                Answer::Thought(thought) => self.thought = Some(thought),
                Answer::Tree(tree) => self.tree = Some(*tree),
                Answer::Failed(why) => self.message = why,
            }
        }
    }

    fn replied(&mut self, thought: &Thought) {
        if self.table.reply(&thought.choice) {
            self.changed();
        } else {
            self.message = format!("the opponent's move {} is not legal", thought.choice);
        }
    }

    /// Makes a move, by a person or by the agent.
    fn make(&mut self, action: &str, by_agent: bool) {
        if !self.table.play(action) {
            self.message = format!("{action} is not legal here");
            return;
        }
        self.message.clear();
        self.movers = (self.movers.0 || !by_agent, self.movers.1 || by_agent);
        self.unsaved = true;
        self.changed();
    }

    /// The agent's move, once it is due and known.
    fn advance(&mut self, passed: Duration) {
        let due = match self.auto {
            Auto::Running => self.pace.pass(passed),
            Auto::Single => true,
            Auto::Off | Auto::Paused => false,
        };
        let choice = self.thought.as_ref().map(|thought| thought.choice.clone());
        let (true, GameStatus::Open, Some(choice)) = (due, self.facts.status, choice) else { return };
        if self.auto == Auto::Single {
            self.auto = Auto::Paused;
        }
        self.make(&choice, true);
    }

    /// Who has played, for the record.
    fn players(&self) -> String {
        match self.movers {
            (true, true) => format!("person and {}", self.agent),
            (false, true) => self.agent.to_string(),
            _ => "person".into(),
        }
    }

    fn record(&self) -> String {
        let opponent = self.answered.then(|| self.opponent.as_ref().unwrap_or(&self.agent).to_string());
        self.table.record(&self.players(), opponent)
    }

    fn save(&mut self) {
        let text = self.record();
        self.message = match self.record_path.save(&text) {
            Ok(path) => format!("saved to {}", path.display()),
            Err(error) => format!("not saved: {error}"),
        };
        self.unsaved = self.message.starts_with("not");
    }

    fn restart(&mut self) {
        self.keep_current();
        self.record_path.next_game();
        self.table.restart(self.facts.seed.wrapping_add(1));
        self.movers = (false, false);
        self.message.clear();
        self.employ_again();
    }

    /// With `--record`, no game is lost.
    fn keep_current(&mut self) {
        if self.keep && self.unsaved {
            self.save();
        }
    }

    /// Keeps the last game, as the user asked for at the start; says where.
    pub fn finish(mut self) -> io::Result<Option<PathBuf>> {
        if !(self.keep && self.unsaved) {
            return Ok(None);
        }
        let text = self.record();
        self.record_path.save(&text).map(|path| Some(path.to_path_buf()))
    }
}

/// Slower than this, there is time to look at the tree between two moves.
const SLOW: Duration = Duration::from_millis(200);
