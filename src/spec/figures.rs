//! Which figures a comparison wants.

use crate::params::Table;

use super::table_reader::TableReader;
use crate::params::{InputError, show, unknown};

/// A kind of figure that `compare` can draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKind {
    WinRate,
    Score,
    Ecdf,
    Violin,
    Reach,
    Pareto,
    Cost,
    Outcomes,
    Published,
}

impl FigureKind {
    /// Every kind with its name.
    pub const ALL: [(&'static str, FigureKind); 9] = [
        ("win-rate", FigureKind::WinRate),
        ("score", FigureKind::Score),
        ("ecdf", FigureKind::Ecdf),
        ("violin", FigureKind::Violin),
        ("reach", FigureKind::Reach),
        ("pareto", FigureKind::Pareto),
        ("cost", FigureKind::Cost),
        ("outcomes", FigureKind::Outcomes),
        ("published", FigureKind::Published),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

impl std::str::FromStr for FigureKind {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let names = Self::ALL.iter().map(|(name, _)| *name);
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, kind)| *kind).ok_or_else(|| InputError::at("kind", unknown("figure", text, names)))
    }
}

/// One figure: its kind, its axes, and which agents it shows. An axis is `kind` or an option of the agents.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureChoice {
    pub kind: FigureKind,
    /// The name of its files.
    pub name: String,
    pub x: Option<String>,
    pub series: Option<String>,
    /// Makes a panel for each value.
    pub panel: Option<String>,
    pub log_x: bool,
    /// Shows only agents with one of these values under each of these keys.
    pub only: Vec<(String, Vec<String>)>,
}

const KEYS: &[&str] = &["kind", "name", "x", "series", "panel", "log-x", "only"];

impl FigureChoice {
    /// A figure with nothing but its kind decided.
    pub fn of(kind: FigureKind) -> Self {
        let name = kind.name().to_string();
        FigureChoice { kind, name, x: None, series: None, panel: None, log_x: false, only: Vec::new() }
    }

    /// Reads the `[[figures]]` of an experiment.
    pub fn read_all(experiment: &Table) -> Result<Vec<Self>, InputError> {
        let tables = TableReader::unchecked(experiment).tables("figures")?;
        let read = |(index, table)| Self::read(table).map_err(|problem| problem.under(&format!("figures[{index}]")));
        let figures: Vec<Self> = tables.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
        for (index, figure) in figures.iter().enumerate() {
            if figures[..index].iter().any(|earlier| earlier.name == figure.name) {
                let why = format!("two figures are called `{}`: give one a `name`", figure.name);
                return Err(InputError::at(&format!("figures[{index}]"), why));
            }
        }
        Ok(figures)
    }

    fn read(table: &Table) -> Result<Self, InputError> {
        let keys = TableReader::new("figure", table, KEYS)?;
        let kind = keys.text("kind")?.ok_or_else(|| InputError::new("a figure needs a `kind`"))?;
        let plain = FigureChoice::of(kind.parse()?);
        let axis = |key| Ok::<_, InputError>(keys.text(key)?.map(str::to_string));
        let name = keys.text("name")?.unwrap_or(&plain.name);
        Ok(FigureChoice {
            name: super::file_name("name", name)?,
            x: axis("x")?,
            series: axis("series")?,
            panel: axis("panel")?,
            log_x: keys.flag("log-x")?,
            only: keys.table("only")?.map(only).unwrap_or_default(),
            ..plain
        })
    }
}

fn only(table: &Table) -> Vec<(String, Vec<String>)> {
    let values = |value: &crate::params::Value| match value.as_array() {
        Some(list) => list.iter().map(show).collect(),
        None => vec![show(value)],
    };
    table.iter().map(|(key, value)| (key.clone(), values(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<FigureChoice>, InputError> {
        FigureChoice::read_all(crate::params::document::Document::parse("x.toml", text).unwrap().table())
    }

    #[test]
    fn axes_and_filters_are_read() {
        let text = "[[figures]]\nkind = \"win-rate\"\nx = \"depth\"\nonly = { kind = \"minimax\", depth = [1, 2] }";
        let figure = &read(text).unwrap()[0];
        assert_eq!(
            (figure.kind, figure.name.as_str(), figure.x.as_deref()),
            (FigureKind::WinRate, "win-rate", Some("depth"))
        );
        assert_eq!(figure.only[1], ("depth".to_string(), vec!["1".to_string(), "2".to_string()]));
    }

    #[test]
    fn problems_name_the_figure() {
        for (text, key, part) in [
            ("[[figures]]\nkind = \"winrate\"", "figures[0].kind", "did you mean `win-rate`"),
            ("[[figures]]\nkind = \"ecdf\"\nX = 1", "figures[0].X", "unknown figure key"),
            ("[[figures]]\nkind = \"ecdf\"\nname = \"a/b\"", "figures[0].name", "letters"),
            ("[[figures]]\nkind = \"ecdf\"\n[[figures]]\nkind = \"ecdf\"", "figures[1]", "two figures"),
            ("figures = 1", "figures", "[[figures]]"),
        ] {
            let problem = read(text).unwrap_err();
            assert_eq!(problem.key.as_deref(), Some(key), "{text}");
            assert!(problem.message.contains(part), "{problem}");
        }
    }
}
