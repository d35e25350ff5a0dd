//! The `[[figures]]` of a comparison.

use super::table_reader::TableReader;
use crate::params::{InputError, Table, Value, show, unknown};
use crate::report::figures::{COMPARE, CompareChart, FigureRequest};

const KEYS: &[&str] = &["kind", "name", "x", "series", "panel", "log-x", "only"];

/// Reads the figures that an experiment asks for.
pub fn figure_requests(experiment: &Table) -> Result<Vec<FigureRequest>, InputError> {
    let tables = TableReader::unchecked(experiment).tables("figures")?;
    let at = |index: usize| format!("figures[{index}]");
    let read = |(index, table)| request(table).map_err(|problem| problem.under(&at(index)));
    let requests: Vec<FigureRequest> = tables.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
    for (index, request) in requests.iter().enumerate() {
        if requests[..index].iter().any(|earlier| earlier.name == request.name) {
            let why = format!("two figures are called `{}`: give one a `name`", request.name);
            return Err(InputError::at(&at(index), why));
        }
    }
    Ok(requests)
}

fn request(table: &Table) -> Result<FigureRequest, InputError> {
    let keys = TableReader::new("figure", table, KEYS)?;
    let kind = keys.text("kind")?.ok_or_else(|| InputError::new("a figure needs a `kind`"))?;
    let names = COMPARE.iter().map(|chart| chart.name);
    let unknown = || InputError::at("kind", unknown("figure", kind, names));
    let plain = FigureRequest::of(CompareChart::named(kind).ok_or_else(unknown)?.name);
    let axis = |key| Ok::<_, InputError>(keys.text(key)?.map(str::to_string));
    let name = keys.text("name")?.unwrap_or(&plain.name);
    Ok(FigureRequest {
        name: super::file_name("name", name)?,
        x: axis("x")?,
        series: axis("series")?,
        panel: axis("panel")?,
        log_x: keys.flag("log-x")?,
        only: keys.table("only")?.map(only).unwrap_or_default(),
        ..plain
    })
}

fn only(table: &Table) -> Vec<(String, Vec<String>)> {
    let values = |value: &Value| match value.as_array() {
        Some(list) => list.iter().map(show).collect(),
        None => vec![show(value)],
    };
    table.iter().map(|(key, value)| (key.clone(), values(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<FigureRequest>, InputError> {
        figure_requests(crate::params::document::Document::parse("x.toml", text).unwrap().table())
    }

    #[test]
    fn axes_and_filters_are_read() {
        let text = "[[figures]]\nkind = \"win-rate\"\nx = \"depth\"\nonly = { kind = \"minimax\", depth = [1, 2] }";
        let figure = &read(text).unwrap()[0];
        assert_eq!((figure.kind, figure.name.as_str(), figure.x.as_deref()), ("win-rate", "win-rate", Some("depth")));
        assert_eq!(figure.only[1], ("depth".to_string(), vec!["1".to_string(), "2".to_string()]));
    }

    #[test]
    fn errors_name_the_figure() {
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
