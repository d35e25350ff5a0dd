//! The play screen: a board, a person who plays, and an agent that gives advice.

mod draw;
mod handle;
mod panel;

pub(super) use draw::BOARD_WIDTH;

#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::agents::AgentSpec;
use crate::explain::Tree;
use crate::params::InputError;

use super::agent_thread::{Advice, Response, ResponseSender};
use super::autoplay_timer::AutoplayTimer;
use super::keys::KeyBindings;
use super::menu::Menu;
use super::palette::Palette;
use super::record_path::RecordPath;
use super::session::{GameSession, GameStatus, Role, SessionState};
use super::tree_screen::TreeScreen;

/// How the play screen starts.
pub struct PlaySetup {
    /// The game.
    pub session: Box<dyn GameSession>,
    /// The agent that gives advice. In a two-player game it also makes the replies, unless there is an `opponent`.
    pub agent: AgentSpec,
    /// The agent that makes the replies.
    pub opponent: Option<AgentSpec>,
    /// Whether an agent makes the replies. Otherwise they are random.
    pub has_opponent: bool,
    /// Which letters move.
    pub keys: KeyBindings,
    /// The colours.
    pub palette: Palette,
    /// Where games are saved.
    pub record_path: RecordPath,
    /// Whether to save the game when the user leaves.
    pub keep: bool,
    /// Whether the agent plays from the start.
    pub watch: bool,
    /// How many moves the agent makes per second.
    pub speed: f64,
}

/// Whether the agent plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Autoplay {
    Off,
    Running,
    Paused,
    /// It makes one move, then pauses.
    Single,
}

/// What covers the board.
enum Overlay {
    None,
    Help,
    Menu(Box<Menu>),
    Tree(Box<TreeScreen>),
}

/// The state of the play screen.
pub struct PlayScreen {
    session: Box<dyn GameSession>,
    state: SessionState,
    agent: AgentSpec,
    opponent: Option<AgentSpec>,
    has_opponent: bool,
    responses: Receiver<(u64, Response)>,
    sender: ResponseSender,
    /// The number of the latest request.
    number: u64,
    advice: Option<Advice>,
    tree: Option<Tree>,
    autoplay: Autoplay,
    timer: AutoplayTimer,
    hinted: bool,
    panel: bool,
    overlay: Overlay,
    message: String,
    /// The marked cell in two-player games, by row and column.
    cursor: (usize, usize),
    keys: KeyBindings,
    palette: Palette,
    record_path: RecordPath,
    keep: bool,
    /// Whether a person has made moves in this game, and whether the agent has.
    movers: (bool, bool),
    unsaved: bool,
}

impl PlayScreen {
    /// Starts the agents and asks for advice at once.
    pub fn new(setup: PlaySetup) -> Result<Self, InputError> {
        let PlaySetup { session, agent, opponent, has_opponent, keys, palette, record_path, keep, watch, speed } =
            setup;
        let (sender, responses) = channel();
        let mut screen = PlayScreen {
            state: session.state(),
            session,
            agent: agent.clone(),
            opponent,
            has_opponent,
            responses,
            sender,
            number: 0,
            advice: None,
            tree: None,
            autoplay: if watch { Autoplay::Running } else { Autoplay::Off },
            timer: AutoplayTimer::new(speed),
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
        screen.set_agent(agent)?;
        Ok(screen)
    }

    /// How many moves have been made.
    pub fn moves(&self) -> usize {
        self.state.moves
    }

    /// Whether it is the mover's turn.
    pub fn is_open(&self) -> bool {
        self.state.status == GameStatus::Open
    }

    /// Replaces the agent. If it cannot be built, nothing changes.
    fn set_agent(&mut self, agent: AgentSpec) -> Result<(), InputError> {
        self.session.set_agent(Role::Adviser, &agent, self.sender.clone())?;
        if self.has_opponent {
            let opponent = self.opponent.as_ref().unwrap_or(&agent);
            self.session.set_agent(Role::Opponent, opponent, self.sender.clone())?;
        }
        self.agent = agent;
        self.position_changed();
        Ok(())
    }

    /// Starts the same agents again, for a new game or a new goal.
    fn restart_agents(&mut self) {
        if let Err(problem) = self.set_agent(self.agent.clone()) {
            self.message = problem.message;
        }
    }

    /// Clears the advice on the old position, and asks for advice on the new one.
    fn position_changed(&mut self) {
        self.state = self.session.state();
        (self.advice, self.tree, self.hinted) = (None, None, false);
        self.number += 1;
        self.timer.restart();
        let asked = match self.state.status {
            GameStatus::Open => self.ask(),
            GameStatus::Waiting => self.session.ask(Role::Opponent, self.number, false),
            GameStatus::Over(_) => {
                self.autoplay = Autoplay::Off;
                true
            }
        };
        if !asked {
            self.message = "the agent has stopped; choose one in the menu (m)".into();
        }
    }

    fn ask(&self) -> bool {
        // A tree takes longer than the move itself, and nobody can read it while the agent plays fast.
        let trace = self.autoplay != Autoplay::Running || self.timer.interval() >= SLOW;
        self.session.ask(Role::Adviser, self.number, trace)
    }

    /// Handles the agents' responses.
    fn listen(&mut self) {
        while let Ok((number, response)) = self.responses.try_recv() {
            if number != self.number {
                continue;
            }
            match response {
                Response::Advice(advice) if self.state.status == GameStatus::Waiting => self.replied(&advice),
                Response::Advice(advice) => self.advice = Some(advice),
                Response::Tree(tree) => self.tree = Some(*tree),
                Response::Failed(why) => self.message = why,
            }
        }
    }

    fn replied(&mut self, advice: &Advice) {
        if self.session.reply(&advice.choice) {
            self.position_changed();
        } else {
            self.message = format!("the opponent's move {} is not legal", advice.choice);
        }
    }

    /// Makes a move of the person or of the agent.
    fn make(&mut self, action: &str, by_agent: bool) {
        if !self.session.play(action) {
            self.message = format!("{action} is not legal here");
            return;
        }
        self.message.clear();
        self.movers = (self.movers.0 || !by_agent, self.movers.1 || by_agent);
        self.unsaved = true;
        self.position_changed();
    }

    /// Makes the agent's move if it is time for it and the advice has arrived.
    fn autoplay(&mut self, passed: Duration) {
        let due = match self.autoplay {
            Autoplay::Running => self.timer.advance(passed),
            Autoplay::Single => true,
            Autoplay::Off | Autoplay::Paused => false,
        };
        let choice = self.advice.as_ref().map(|advice| advice.choice.clone());
        let (true, GameStatus::Open, Some(choice)) = (due, self.state.status, choice) else { return };
        if self.autoplay == Autoplay::Single {
            self.autoplay = Autoplay::Paused;
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
        let opponent = self.has_opponent.then(|| self.opponent.as_ref().unwrap_or(&self.agent).to_string());
        self.session.record(&self.players(), opponent)
    }

    fn save(&mut self) {
        let saved = self.record_path.save(&self.record()).map(|path| path.display().to_string());
        self.unsaved = saved.is_err();
        self.message = match saved {
            Ok(path) => format!("saved to {path}"),
            Err(error) => format!("not saved: {error}"),
        };
    }

    fn restart(&mut self) {
        self.save_if_asked();
        self.record_path.next_game();
        self.session.restart(self.state.seed.wrapping_add(1));
        self.movers = (false, false);
        self.message.clear();
        self.restart_agents();
    }

    /// With `--record` every game is saved.
    fn save_if_asked(&mut self) {
        if self.keep && self.unsaved {
            self.save();
        }
    }

    /// Saves the last game if the user asked for it at the start. Returns the path of the file.
    pub fn finish(mut self) -> io::Result<Option<PathBuf>> {
        if !(self.keep && self.unsaved) {
            return Ok(None);
        }
        let text = self.record();
        self.record_path.save(&text).map(|path| Some(path.to_path_buf()))
    }
}

/// If moves are slower than this, there is time to look at the tree between two of them.
const SLOW: Duration = Duration::from_millis(200);
