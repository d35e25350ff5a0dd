//! The menu: it changes the algorithm, its options and the keys in the middle of a game.
//!
//! It works from the parameters that the agents declare, so a new agent or option needs no change here.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use crate::agents::{AgentSpec, KINDS};
use crate::params::{InputError, Param, ParamType, parse_bare, show};

use super::help::{self, centred};
use super::keys::KeyBindings;
use super::palette::Palette;

/// One option of the agent.
#[derive(Clone, Debug)]
struct Field {
    param: Param,
    /// The value as text; empty for the default.
    text: String,
}

/// The state of the menu.
#[derive(Clone, Debug)]
pub struct Menu {
    kind: usize,
    fields: Vec<Field>,
    keys: KeyBindings,
    /// The selected line: 0 is the algorithm, then come its options, and the last line is the keys.
    cursor: usize,
    /// Whether the next typed character begins a new value. It does unless the one before was typed too.
    replaces: bool,
    help: bool,
    heuristics: Vec<&'static str>,
    problem: Option<String>,
}

/// What happens after a key.
#[derive(Debug)]
pub enum MenuAction {
    /// The menu stays open.
    Open,
    /// The user closes it without changes.
    Cancelled,
    /// The user wants these settings. If they cannot be applied, call [`Menu::refuse`].
    Chosen(Box<AgentSpec>, KeyBindings),
}

impl Menu {
    /// A menu that shows the current settings.
    pub fn new(spec: &AgentSpec, keys: KeyBindings, heuristics: Vec<&'static str>) -> Self {
        let kind = KINDS.iter().position(|kind| kind.name == spec.kind.name).unwrap_or(0);
        let mut menu =
            Menu { kind, fields: Vec::new(), keys, cursor: 0, replaces: true, help: false, heuristics, problem: None };
        menu.fields = menu.blank();
        for field in &mut menu.fields {
            field.text = spec.given.get(field.param.name).map(show).unwrap_or_default();
        }
        menu
    }

    fn blank(&self) -> Vec<Field> {
        KINDS[self.kind].params().into_iter().map(|param| Field { param, text: String::new() }).collect()
    }

    /// Selects another kind of agent. Options that both kinds have keep their values.
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
        (self.problem, self.replaces) = (None, true);
        if self.cursor == 0 {
            return self.change_kind(by);
        }
        let names = self.heuristics.clone();
        match self.field() {
            Some(field) => field.change(by, &names),
            None => self.keys = cycle(&KeyBindings::ALL.map(|(_, keys)| keys), self.keys, by),
        }
    }

    /// Types a character: the first one replaces the old value, the others are added.
    fn type_letter(&mut self, letter: char) {
        let replaces = std::mem::replace(&mut self.replaces, false);
        self.edit(|text| {
            if replaces {
                text.clear();
            }
            text.push(letter);
        });
    }

    fn edit(&mut self, edit: impl FnOnce(&mut String)) {
        self.problem = None;
        if let Some(field) = self.field() {
            edit(&mut field.text);
        }
    }

    fn select(&mut self, line: usize) {
        self.cursor = line % self.rows();
        self.replaces = true;
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

    /// Handles a key.
    pub fn handle(&mut self, key: KeyEvent) -> MenuAction {
        if std::mem::take(&mut self.help) {
            return MenuAction::Open;
        }
        match key.code {
            KeyCode::Esc => return MenuAction::Cancelled,
            KeyCode::Up => self.select(self.cursor + self.rows() - 1),
            KeyCode::Down | KeyCode::Tab => self.select(self.cursor + 1),
            KeyCode::Char('?') => self.help = true,
            KeyCode::Left => self.change(-1),
            KeyCode::Right => self.change(1),
            KeyCode::Backspace => {
                self.replaces = false;
                self.edit(|text| text.truncate(text.char_indices().last().map_or(0, |(at, _)| at)));
            }
            KeyCode::Char(letter) => self.type_letter(letter),
            KeyCode::Enter => match self.spec() {
                Ok(spec) => return MenuAction::Chosen(Box::new(spec), self.keys),
                Err(problem) => self.refuse(problem),
            },
            _ => {}
        }
        MenuAction::Open
    }

    /// Draws the menu over the screen.
    pub fn draw(&self, frame: &mut Frame, palette: Palette) {
        if self.help {
            return help::draw(frame, "Menu", &help::menu(), palette);
        }
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
        lines.push(Line::styled("↑ ↓ select  ← → or type: change  Enter apply  Esc back  ? help", palette.faint()));
        let height = (lines.len() + 4) as u16;
        let area = centred(frame.area(), 64, height.min(frame.area().height));
        frame.render_widget(Clear, area);
        let block = Block::bordered().title(" Menu ");
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).block(block), area);
    }

    fn row(&self, index: usize, name: &str, value: &str, palette: Palette) -> Line<'static> {
        let style = if index == self.cursor { palette.selected() } else { Default::default() };
        Line::from(vec![Span::raw(format!(" {name:<16} ")), Span::styled(format!("‹ {value} ›"), style)])
    }

    /// A description of the selected line.
    fn about(&self) -> String {
        match self.cursor.checked_sub(1) {
            None => KINDS[self.kind].summary.into(),
            Some(index) => self.fields.get(index).map_or_else(
                || "which letters move and which are commands".into(),
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

/// The next or the previous whole number; large numbers change by a tenth.
fn stepped(shown: &str, by: isize, min: i64, max: i64) -> String {
    // If there is no number yet, begin at 3, the default depth of a search.
    let value: i64 = shown.parse().unwrap_or(3).clamp(min, max);
    let step = (value / 10).max(1);
    value.saturating_add(step.saturating_mul(by as i64)).clamp(min, max).to_string()
}

/// The next or the previous option; the first if the current value is not among them.
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

    fn press(menu: &mut Menu, codes: &[KeyCode]) -> Option<MenuAction> {
        codes.iter().map(|code| menu.handle(KeyEvent::new(*code, KeyModifiers::NONE))).last()
    }

    fn menu() -> Menu {
        Menu::new(&"expectimax:depth=3".parse().unwrap(), KeyBindings::Commands, vec!["basic", "snake"])
    }

    fn chosen(menu: &mut Menu) -> String {
        match press(menu, &[KeyCode::Enter]) {
            Some(MenuAction::Chosen(spec, _)) => spec.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arrows_and_typing_change_options() {
        let mut menu = menu();
        press(&mut menu, &[KeyCode::Down, KeyCode::Right, KeyCode::Right, KeyCode::Down, KeyCode::Right]);
        assert_eq!(chosen(&mut menu), "expectimax:depth=5,heuristic=basic");
        // The first typed character replaces the old value.
        press(&mut menu, &[KeyCode::Up, KeyCode::Char('4'), KeyCode::Char('.')]);
        press(&mut menu, &[KeyCode::Char('.'), KeyCode::Char('6')]);
        assert_eq!(chosen(&mut menu), "expectimax:depth=4..6,heuristic=basic");
    }

    #[test]
    fn options_that_two_agents_share_keep_their_values() {
        let mut menu = menu();
        let names: Vec<String> = (0..KINDS.len())
            .map(|_| {
                press(&mut menu, &[KeyCode::Right]);
                chosen(&mut menu)
            })
            .collect();
        assert!(names.iter().any(|name| name.starts_with("rollout")));
        // Agents without a depth came in between, so the depth is lost.
        assert_eq!(names.last().unwrap(), "expectimax");
    }

    #[test]
    fn wrong_values_are_refused_with_a_reason_and_escape_cancels() {
        let mut menu = menu();
        press(&mut menu, &[KeyCode::Down, KeyCode::Backspace, KeyCode::Char('x')]);
        assert!(matches!(press(&mut menu, &[KeyCode::Enter]), Some(MenuAction::Open)));
        assert!(menu.problem.as_ref().unwrap().contains("depth"));
        assert!(matches!(press(&mut menu, &[KeyCode::Esc]), Some(MenuAction::Cancelled)));
    }

    #[test]
    fn arrows_give_valid_values_for_every_option_of_every_agent() {
        for kind in KINDS {
            let mut menu = Menu::new(&kind.name.parse().unwrap(), KeyBindings::Commands, vec!["basic", "snake"]);
            for _ in 0..menu.rows() - 2 {
                press(&mut menu, &[KeyCode::Down, KeyCode::Right, KeyCode::Left, KeyCode::Right]);
                chosen(&mut menu);
            }
        }
    }

    #[test]
    fn typing_replaces_the_value_and_backspace_edits_it() {
        let mut menu = menu();
        press(&mut menu, &[KeyCode::Down, KeyCode::Char('4')]);
        assert_eq!(chosen(&mut menu), "expectimax:depth=4");
        press(&mut menu, &[KeyCode::Char('2')]);
        assert!(menu.spec().is_ok_and(|spec| spec.to_string() == "expectimax:depth=42"));
        press(&mut menu, &[KeyCode::Backspace, KeyCode::Char('5')]);
        assert_eq!(chosen(&mut menu), "expectimax:depth=45");
        press(&mut menu, &[KeyCode::Down, KeyCode::Up, KeyCode::Char('6')]);
        assert_eq!(chosen(&mut menu), "expectimax:depth=6");
    }

    #[test]
    fn a_question_mark_shows_the_keys() {
        let mut menu = menu();
        press(&mut menu, &[KeyCode::Char('?')]);
        let shown = |menu: &Menu| crate::tutor::testing::screen(80, 24, |frame| menu.draw(frame, Palette::Plain));
        assert!(shown(&menu).contains("type a new value"));
        press(&mut menu, &[KeyCode::Char('x')]);
        assert!(shown(&menu).contains("algorithm"));
    }
}
