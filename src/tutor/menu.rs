//! The menu: another algorithm, another heuristic, another depth, in the middle of a game.
//!
//! What can be set follows from what each agent declares, so a new agent or option needs nothing here.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use crate::agents::{AgentSpec, KINDS};
use crate::params::{InputError, Param, ParamType, parse_bare, show};

use super::help::centred;
use super::keys::Keys;
use super::palette::Palette;

/// One option of the agent.
#[derive(Clone, Debug)]
struct Field {
    param: Param,
    /// As typed; empty for the default.
    text: String,
}

/// The menu as it stands.
#[derive(Clone, Debug)]
pub struct Menu {
    kind: usize,
    fields: Vec<Field>,
    keys: Keys,
    /// The agent's name first, then its options, then the keys.
    cursor: usize,
    heuristics: Vec<&'static str>,
    problem: Option<String>,
}

/// What a key came to.
#[derive(Debug)]
pub enum Choice {
    Open,
    Cancelled,
    /// To be applied; if that fails, see [`Menu::refuse`].
    Chosen(Box<AgentSpec>, Keys),
}

impl Menu {
    pub fn new(spec: &AgentSpec, keys: Keys, heuristics: Vec<&'static str>) -> Self {
        let kind = KINDS.iter().position(|kind| kind.name == spec.kind.name).unwrap_or(0);
        let mut menu = Menu { kind, fields: Vec::new(), keys, cursor: 0, heuristics, problem: None };
        menu.fields = menu.blank();
        for field in &mut menu.fields {
            field.text = spec.given.get(field.param.name).map(show).unwrap_or_default();
        }
        menu
    }

    fn blank(&self) -> Vec<Field> {
        KINDS[self.kind].params().into_iter().map(|param| Field { param, text: String::new() }).collect()
    }

    /// Another kind of agent; options that both have stay.
    fn change_kind(&mut self, by: isize) {
        let count = KINDS.len() as isize;
        self.kind = (self.kind as isize + by).rem_euclid(count) as usize;
        let old = std::mem::take(&mut self.fields);
        self.fields = self.blank();
        for field in &mut self.fields {
            let same = old.iter().find(|other| other.param.name == field.param.name);
            field.text = same.map(|other| other.text.clone()).unwrap_or_default();
        }
    }

    fn rows(&self) -> usize {
        self.fields.len() + 2
    }

    fn field(&mut self) -> Option<&mut Field> {
        self.cursor.checked_sub(1).and_then(|index| self.fields.get_mut(index))
    }

    fn change(&mut self, by: isize) {
        self.problem = None;
        if self.cursor == 0 {
            return self.change_kind(by);
        }
        let names = self.heuristics.clone();
        match self.field() {
            Some(field) => field.change(by, &names),
            None => self.keys = cycle(&Keys::ALL.map(|(_, keys)| keys), self.keys, by),
        }
    }

    fn type_in(&mut self, edit: impl FnOnce(&mut String)) {
        self.problem = None;
        if let Some(field) = self.field() {
            edit(&mut field.text);
        }
    }

    /// The agent that the menu describes.
    pub fn spec(&self) -> Result<AgentSpec, InputError> {
        let given = self.fields.iter().filter(|field| !field.text.trim().is_empty());
        let table = given.map(|field| (field.param.name.to_string(), parse_bare(field.text.trim()))).collect();
        AgentSpec::new(KINDS[self.kind].name, table)
    }

    /// Shows why a choice cannot be applied.
    pub fn refuse(&mut self, problem: InputError) {
        self.problem = Some(problem.message);
    }

    pub fn handle(&mut self, key: KeyEvent) -> Choice {
        match key.code {
            KeyCode::Esc => return Choice::Cancelled,
            KeyCode::Up => self.cursor = (self.cursor + self.rows() - 1) % self.rows(),
            KeyCode::Down | KeyCode::Tab => self.cursor = (self.cursor + 1) % self.rows(),
            KeyCode::Left => self.change(-1),
            KeyCode::Right => self.change(1),
            KeyCode::Backspace => {
                self.type_in(|text| text.truncate(text.char_indices().last().map_or(0, |(at, _)| at)))
            }
            KeyCode::Char(letter) => self.type_in(|text| text.push(letter)),
            KeyCode::Enter => match self.spec() {
                Ok(spec) => return Choice::Chosen(Box::new(spec), self.keys),
                Err(problem) => self.refuse(problem),
            },
            _ => {}
        }
        Choice::Open
    }

    pub fn draw(&self, frame: &mut Frame, palette: Palette) {
        let kind = &KINDS[self.kind];
        let mut lines = vec![self.row(0, "algorithm", kind.name, palette)];
        for (index, field) in self.fields.iter().enumerate() {
            let default = if field.param.default.is_empty() { "not set" } else { field.param.default };
            let shown = if field.text.is_empty() { format!("({default})") } else { field.text.clone() };
            lines.push(self.row(index + 1, field.param.name, &shown, palette));
        }
        lines.push(self.row(self.rows() - 1, "keys", self.keys.name(), palette));
        lines.push(Line::raw(""));
        lines.push(match &self.problem {
            Some(problem) => Line::styled(problem.clone(), palette.cut()),
            None => Line::styled(self.about(), palette.faint()),
        });
        lines.push(Line::styled("↑ ↓ choose  ← → or type: change  Enter apply  Esc cancel", palette.faint()));
        let height = (lines.len() + 4) as u16;
        let area = centred(frame.area(), 60, height.min(frame.area().height));
        frame.render_widget(Clear, area);
        let block = Block::bordered().title(" Menu ");
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), area);
    }

    fn row(&self, index: usize, name: &str, value: &str, palette: Palette) -> Line<'static> {
        let style = if index == self.cursor { palette.selected() } else { Default::default() };
        Line::from(vec![Span::raw(format!(" {name:<16} ")), Span::styled(format!("‹ {value} ›"), style)])
    }

    /// What the chosen line is about.
    fn about(&self) -> String {
        match self.cursor.checked_sub(1) {
            None => KINDS[self.kind].summary.into(),
            Some(index) => self.fields.get(index).map_or_else(
                || "which letters move where a move and a command want the same one".into(),
                |field| format!("{}: {}", field.param.help, field.param.kind),
            ),
        }
    }
}

impl Field {
    fn change(&mut self, by: isize, heuristics: &[&str]) {
        let shown = if self.text.is_empty() { self.param.default } else { &self.text };
        self.text = match self.param.kind {
            ParamType::Integer { min, max } => stepped(shown, by, min, max),
            ParamType::Span { min, max } => stepped(shown, by, min, max),
            ParamType::Number { min, max } => {
                let value: f64 = shown.parse().unwrap_or(if min > 0.0 { 100.0 } else { 0.0 });
                (value + by as f64 * (value.abs() / 10.0).max(0.1)).clamp(min, max).to_string()
            }
            ParamType::Flag => (shown != "true").to_string(),
            ParamType::Choice(options) => cycle(options, shown, by).to_string(),
            ParamType::Heuristic => cycle(heuristics, shown, by).to_string(),
            ParamType::Mask => return,
        };
    }
}

/// A whole number one up or down, or by a tenth where it is large.
fn stepped(shown: &str, by: isize, min: i64, max: i64) -> String {
    // Without a number the search's usual 3 plies are where the steps begin; a larger least value wins.
    let value: i64 = shown.parse().unwrap_or(3).clamp(min, max);
    let step = (value / 10).max(1);
    value.saturating_add(step.saturating_mul(by as i64)).clamp(min, max).to_string()
}

/// The next of some options, or the first if none is chosen.
fn cycle<T: Copy + PartialEq>(options: &[T], now: T, by: isize) -> T {
    let count = options.len() as isize;
    match options.iter().position(|option| *option == now) {
        Some(index) => options[(index as isize + by).rem_euclid(count) as usize],
        None => options.first().copied().unwrap_or(now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyModifiers;

    fn press(menu: &mut Menu, codes: &[KeyCode]) -> Option<Choice> {
        codes.iter().map(|code| menu.handle(KeyEvent::new(*code, KeyModifiers::NONE))).last()
    }

    fn menu() -> Menu {
        Menu::new(&"expectimax:depth=3".parse().unwrap(), Keys::Commands, vec!["basic", "snake"])
    }

    fn chosen(menu: &mut Menu) -> String {
        match press(menu, &[KeyCode::Enter]) {
            Some(Choice::Chosen(spec, _)) => spec.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn options_change_by_arrows_and_by_typing() {
        let mut menu = menu();
        press(&mut menu, &[KeyCode::Down, KeyCode::Right, KeyCode::Right, KeyCode::Down, KeyCode::Right]);
        assert_eq!(chosen(&mut menu), "expectimax:depth=5,heuristic=basic");
        press(&mut menu, &[KeyCode::Up, KeyCode::Backspace, KeyCode::Char('4'), KeyCode::Char('.')]);
        press(&mut menu, &[KeyCode::Char('.'), KeyCode::Char('6')]);
        assert_eq!(chosen(&mut menu), "expectimax:depth=4..6,heuristic=basic");
    }

    #[test]
    fn options_that_agents_share_stay_when_the_algorithm_changes() {
        let mut menu = menu();
        let names: Vec<String> = (0..KINDS.len())
            .map(|_| {
                press(&mut menu, &[KeyCode::Right]);
                chosen(&mut menu)
            })
            .collect();
        assert!(names.iter().any(|name| name.starts_with("rollout")));
        // Agents without a depth have come between.
        assert_eq!(names.last().unwrap(), "expectimax");
    }

    #[test]
    fn nonsense_is_refused_with_a_reason_and_escape_cancels() {
        let mut menu = menu();
        press(&mut menu, &[KeyCode::Down, KeyCode::Backspace, KeyCode::Char('x')]);
        assert!(matches!(press(&mut menu, &[KeyCode::Enter]), Some(Choice::Open)));
        assert!(menu.problem.as_ref().unwrap().contains("depth"));
        assert!(matches!(press(&mut menu, &[KeyCode::Esc]), Some(Choice::Cancelled)));
    }

    #[test]
    fn every_option_of_every_agent_survives_its_arrows() {
        for kind in KINDS {
            let mut menu = Menu::new(&kind.name.parse().unwrap(), Keys::Commands, vec!["basic", "snake"]);
            for _ in 0..menu.rows() - 2 {
                press(&mut menu, &[KeyCode::Down, KeyCode::Right, KeyCode::Left, KeyCode::Right]);
                chosen(&mut menu);
            }
        }
    }
}
