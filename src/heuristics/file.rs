//! Reading and writing heuristics: by name, from a file, or from a table.
//!
//! ```toml
//! name = "mine"
//! description = "what it is for"     # optional
//!
//! [[terms]]
//! feature = "mask"
//! label = "corner"                   # default: the feature's name
//! coefficient = 2.0                  # default: 1
//! mask = "geometric"                 # the feature's own parameters
//! ratio = 0.4
//! ```

#[cfg(feature = "files")]
use std::path::Path;

use crate::params::{Table, Value};

use super::features::{self, Feature};
use super::heuristic::{COEFFICIENT, Heuristic, Term};
use super::presets::{PRESETS, preset};
#[cfg(feature = "files")]
use crate::learn::is_network;
#[cfg(feature = "files")]
use crate::params::document::{Document, to_toml};
use crate::params::{InputError, ParamType, Values, number, show, unknown};

/// The keys of a term besides the parameters of its feature.
const TERM_KEYS: [&str; 3] = ["feature", "label", "coefficient"];

impl Heuristic {
    /// Loads a heuristic from the name of a preset, the path of a file, or a table. The table is either a preset with
    /// changes, `{ preset = "basic", set = { mask = 2.0, "mask.ratio" = 0.4 } }`, or has the keys of a file,
    /// `{ terms = [...] }`.
    pub fn load(value: &Value) -> Result<Self, InputError> {
        match value {
            Value::String(name) => named(name),
            Value::Table(table) if table.contains_key("preset") => adjusted(table),
            Value::Table(table) => from_table(table, "inline"),
            other => Err(InputError::new(format!("a heuristic is a name, a file or a table, not {}", show(other)))),
        }
    }

    /// Reads the text of a heuristic file. `path` is used in error messages.
    #[cfg(feature = "files")]
    pub fn parse(path: &str, text: &str) -> Result<Self, InputError> {
        from_document(&Document::parse(path, text)?)
    }

    /// The text of a file that reads back as the same heuristic, bit for bit.
    #[cfg(feature = "files")]
    pub fn to_toml(&self) -> String {
        to_toml(&self.to_table())
    }

    /// A table from which [`Heuristic::load`] reads the same heuristic.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new();
        table.insert("name".into(), self.name().into());
        if !self.description().is_empty() {
            table.insert("description".into(), self.description().into());
        }
        table.insert("terms".into(), self.terms().iter().map(term_table).collect::<Vec<_>>().into());
        table
    }
}

#[cfg(feature = "files")]
fn from_document(document: &Document) -> Result<Heuristic, InputError> {
    let path = document.path();
    let stem = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path);
    from_table(document.table(), stem).map_err(|problem| document.locate(problem))
}

fn named(name: &str) -> Result<Heuristic, InputError> {
    if PRESETS.iter().any(|preset| preset.name == name) {
        return preset(name);
    }
    #[cfg(feature = "files")]
    if is_network(Path::new(name)) {
        return Err(InputError::new(format!("`{name}` is a learned network, which has no terms and no coefficients")));
    }
    #[cfg(feature = "files")]
    if Path::new(name).is_file() {
        return from_document(&Document::open(name)?);
    }
    let known = PRESETS.iter().map(|preset| preset.name);
    Err(InputError::new(format!("{}; there is no file of that name either", unknown("heuristic", name, known))))
}

/// A preset with some parameters set to other values.
fn adjusted(table: &Table) -> Result<Heuristic, InputError> {
    refuse_unknown("heuristic key", table, &["preset", "set"])?;
    let name = text(table, "preset")?.unwrap_or_default();
    let mut heuristic = preset(name).map_err(|problem| problem.under("preset"))?;
    let Some(settings) = table.get("set") else { return Ok(heuristic) };
    let settings = settings
        .as_table()
        .ok_or_else(|| InputError::at("set", format!("`set` is {settings}, but must be a table of parameters")))?;
    // Words and flags decide which numbers have an effect, so they are set first.
    let (numbers, others): (Vec<_>, Vec<_>) = flattened(settings).into_iter().partition(|(_, v)| number(v).is_some());
    for (name, value) in others.into_iter().chain(numbers) {
        set(&mut heuristic, &name, value).map_err(|problem| problem.under("set"))?;
    }
    Ok(heuristic)
}

/// Sets a parameter. Fails if it is a number without an effect.
fn set(heuristic: &mut Heuristic, name: &str, value: &Value) -> Result<(), InputError> {
    match (heuristic.declaration(name)?.kind, number(value)) {
        (ParamType::Number { .. }, Some(value)) => heuristic.set(name, value),
        (ParamType::Number { .. }, None) => {
            Err(InputError::at(name, format!("`{name}` is {value}, but must be a number")))
        }
        _ => heuristic.set_value(name, value.clone()),
    }
}

/// Settings with full names. A user may write `mask.ratio` in quotes or without. Without quotes, TOML reads it as a
/// table.
fn flattened(settings: &Table) -> Vec<(String, &Value)> {
    let mut flat = Vec::new();
    for (name, value) in settings {
        match value {
            Value::Table(inner) => flat.extend(inner.iter().map(|(param, value)| (format!("{name}.{param}"), value))),
            _ => flat.push((name.clone(), value)),
        }
    }
    flat
}

fn from_table(table: &Table, default_name: &str) -> Result<Heuristic, InputError> {
    refuse_unknown("heuristic key", table, &["name", "description", "terms"])?;
    let name = text(table, "name")?.unwrap_or(default_name);
    let description = text(table, "description")?.unwrap_or_default();
    let list = match table.get("terms") {
        Some(Value::Array(list)) => list.as_slice(),
        Some(other) => {
            let message = format!("`terms` is {other}, but must be a list of terms, each under [[terms]]");
            return Err(InputError::at("terms", message));
        }
        None => &[],
    };
    let read = |(index, term): (usize, &Value)| {
        let not_table = || InputError::new(format!("a term is a table with a feature, not {term}"));
        let term = term.as_table().ok_or_else(not_table).and_then(read_term);
        term.map_err(|problem| problem.under(&format!("terms[{index}]")))
    };
    let terms: Result<Vec<Term>, InputError> = list.iter().enumerate().map(read).collect();
    Heuristic::new(name, description, terms?)
}

fn read_term(table: &Table) -> Result<Term, InputError> {
    let name = text(table, "feature")?.ok_or_else(|| {
        let known: Vec<&str> = features::FEATURES.iter().map(|feature| feature.name).collect();
        InputError::new(format!("a term needs `feature`, one of {}", known.join(", ")))
    })?;
    let feature = features::find(name)?;
    refuse_unknown(&format!("key of feature {name}:"), table, &term_keys(feature))?;
    let own: Table = table
        .iter()
        .filter(|(key, _)| !TERM_KEYS.contains(&key.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    let values = Values::check(feature.name, feature.params, &own)?;
    let common = match table.get("coefficient") {
        Some(value) => Table::from_iter([("coefficient".to_string(), value.clone())]),
        None => Table::new(),
    };
    let coefficient = Values::check(feature.name, &[COEFFICIENT], &common)?.number("coefficient").unwrap_or(1.0);
    let term = Term::new(feature, values, coefficient)?;
    match text(table, "label")? {
        Some(label) => term.labelled(label),
        None => Ok(term),
    }
}

fn term_keys(feature: &Feature) -> Vec<&'static str> {
    TERM_KEYS.into_iter().chain(feature.params.iter().map(|param| param.name)).collect()
}

fn refuse_unknown(what: &str, table: &Table, known: &[&str]) -> Result<(), InputError> {
    match table.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(InputError::at(key, unknown(what, key, known.iter().copied()))),
        None => Ok(()),
    }
}

fn text<'a>(table: &'a Table, key: &str) -> Result<Option<&'a str>, InputError> {
    match table.get(key) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(InputError::at(key, format!("`{key}` is {other}, but must be text in quotes"))),
    }
}

fn term_table(term: &Term) -> Table {
    let feature = term.feature();
    let mut table = Table::new();
    table.insert("feature".into(), feature.name.into());
    if term.label() != feature.name {
        table.insert("label".into(), term.label().into());
    }
    table.insert("coefficient".into(), term.coefficient().into());
    for param in feature.params {
        let default = crate::params::parse_bare(param.default);
        let value = term.values().get(param.name);
        let matters = (feature.uses)(term.values(), param.name) || value != Some(&default);
        if let Some(value) = value.filter(|_| matters) {
            table.insert(param.name.into(), value.clone());
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "name = \"mine\"\n\n[[terms]]\nfeature = \"mask\"\nlabel = \"corner\"\ncoefficient = 2\n\
                        mask = \"geometric\"\nratio = 0.4\n\n[[terms]]\nfeature = \"empty\"\n";

    fn error_after_replacing(from: &str, to: &str) -> String {
        assert!(FILE.contains(from));
        Heuristic::parse("mine.toml", &FILE.replacen(from, to, 1)).unwrap_err().message
    }

    #[test]
    fn files_are_read() {
        let heuristic = Heuristic::parse("mine.toml", FILE).unwrap();
        assert_eq!(heuristic.name(), "mine");
        assert_eq!(heuristic.get("corner.ratio"), Ok(0.4));
        assert_eq!((heuristic.get("corner"), heuristic.get("empty")), (Ok(2.0), Ok(1.0)));
    }

    #[test]
    fn writing_and_reading_changes_nothing() {
        for declared in PRESETS {
            let heuristic = preset(declared.name).unwrap();
            assert_eq!(Heuristic::load(&Value::Table(heuristic.to_table())).as_ref(), Ok(&heuristic));
            assert_eq!(Heuristic::parse("x.toml", &heuristic.to_toml()), Ok(heuristic));
        }
        let mut mine = Heuristic::parse("mine.toml", FILE).unwrap();
        mine.set("corner", 1.0 / 3.0 * 1e-7).unwrap();
        mine.set("corner.ratio", std::f64::consts::FRAC_1_PI).unwrap();
        assert_eq!(Heuristic::parse("x.toml", &mine.to_toml()), Ok(mine));
    }

    #[test]
    fn error_messages_have_the_line() {
        let message = error_after_replacing("ratio = 0.4", "raito = 0.4");
        assert!(message.starts_with("mine.toml:8:1: "), "{message}");
        assert!(message.contains("did you mean `ratio`") && message.contains("8 | raito = 0.4"), "{message}");
        let message = error_after_replacing("0.4", "4");
        assert!(message.contains(":8:") && message.contains("`ratio` is 4") && message.contains("0 to 1"), "{message}");
        assert!(error_after_replacing("\"empty\"", "\"emtpy\"").contains("did you mean `empty`"));
        assert!(error_after_replacing("\"geometric\"", "\"geo\"").contains("mine.toml:7:1"));
        assert!(error_after_replacing("coefficient = 2", "coefficient = \"2\"").contains("must be a number"));
        assert!(error_after_replacing("label = \"corner\"", "label = 3").contains("mine.toml:5:1"));
        assert!(error_after_replacing("feature = \"empty\"", "coefficient = 1").contains("mine.toml:10:1"));
        assert!(
            error_after_replacing("feature = \"empty\"", "feature = \"mask\"\nlabel = \"corner\"")
                .contains("mine.toml:10:1")
        );
        assert!(error_after_replacing("name", "nmae").contains("did you mean `name`"));
        assert!(Heuristic::parse("x.toml", "name = \"x\"").unwrap_err().message.contains("no terms"));
        assert!(Heuristic::parse("x.toml", "terms = 3").unwrap_err().message.contains("x.toml:1:1"));
    }

    #[test]
    fn names_files_and_tables_are_loaded() {
        let load = |text: &str| Heuristic::load(&crate::params::parse_bare(text));
        assert_eq!(load("snake"), preset("snake"));
        let message = load("snak").unwrap_err().message;
        assert!(message.contains("did you mean `snake`") && message.contains("no file"), "{message}");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), FILE).unwrap();
        assert_eq!(load(file.path().to_str().unwrap()), Heuristic::parse("mine.toml", FILE));

        let table =
            |text: &str| Heuristic::load(&Value::Table(Document::parse("x.toml", text).unwrap().table().clone()));
        assert_eq!(table("preset = \"snake\""), preset("snake"));
        assert_eq!(table(FILE), Heuristic::parse("mine.toml", FILE));
        let set = table("preset = \"basic\"\nset = { empty = 3, \"mask.ratio\" = 0.2 }").unwrap();
        assert_eq!((set.get("empty"), set.get("mask.ratio")), (Ok(3.0), Ok(0.2)));
        assert_eq!(table("preset = \"basic\"\nset = { empty = 3, mask.ratio = 0.2 }"), Ok(set));
        assert!(table("preset = \"basic\"\nset = { emty = 3 }").unwrap_err().message.contains("did you mean `empty`"));
        assert!(table("preset = \"bsic\"").unwrap_err().message.contains("did you mean `basic`"));
        assert!(Heuristic::load(&Value::Integer(3)).is_err());
    }
}
