//! Reads the values of a TOML table, with errors for unknown keys and wrong types.

use super::MOST_GAMES;
use crate::params::{InputError, Table, Value, show, unknown};

/// A TOML table whose keys are all known.
#[derive(Clone, Copy, Debug)]
pub struct TableReader<'a> {
    table: &'a Table,
}

impl<'a> TableReader<'a> {
    /// A reader of a table. It is an error if a key is not in `known`. Errors call the table `what`.
    pub fn new(what: &str, table: &'a Table, known: &[&str]) -> Result<Self, InputError> {
        match table.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(InputError::at(key, unknown(&format!("{what} key"), key, known.iter().copied()))),
            None => Ok(TableReader { table }),
        }
    }

    /// A table whose keys the caller checks.
    pub fn unchecked(table: &'a Table) -> Self {
        TableReader { table }
    }

    /// The value of a key, whatever its type.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.table.get(key)
    }

    /// A text.
    pub fn text(&self, key: &str) -> Result<Option<&'a str>, InputError> {
        self.of_type(key, "a text in quotes", Value::as_str)
    }

    /// A flag; `false` if the key is absent.
    pub fn flag(&self, key: &str) -> Result<bool, InputError> {
        Ok(self.of_type(key, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    /// A table.
    pub fn table(&self, key: &str) -> Result<Option<&'a Table>, InputError> {
        self.of_type(key, "a table", Value::as_table)
    }

    /// A whole number from `min` to the largest that TOML can write.
    pub fn count(&self, key: &str, min: i64) -> Result<Option<u64>, InputError> {
        let from_min = |value: &Value| value.as_integer().filter(|count| *count >= min)?.try_into().ok();
        self.of_type(key, &format!("a whole number from {min} up"), from_min)
    }

    /// The optional table `name`, which may have these keys.
    pub fn optional(&self, name: &str, known: &[&str]) -> Result<Option<TableReader<'a>>, InputError> {
        let table = self.table(name)?;
        table.map(|table| TableReader::new(name, table, known)).transpose().map_err(|problem| problem.under(name))
    }

    /// A count in the optional table `name`, from `min` to [`MOST_GAMES`].
    pub fn count_in(&self, name: &str, known: &[&str], key: &str, min: i64, default: u64) -> Result<u64, InputError> {
        let Some(keys) = self.optional(name, known)? else { return Ok(default) };
        let count = keys.count(key, min).map_err(|problem| problem.under(name))?.unwrap_or(default);
        if count > MOST_GAMES {
            let why = format!("`{key}` is {count}, but at most {MOST_GAMES} is possible");
            return Err(InputError::at(key, why).under(name));
        }
        Ok(count)
    }

    /// The tables of `[[key]]`; none if the key is absent.
    pub fn tables(&self, key: &str) -> Result<Vec<&'a Table>, InputError> {
        let tables = |value: &'a Value| value.as_array()?.iter().map(Value::as_table).collect();
        Ok(self.of_type(key, &format!("tables, each under [[{key}]]"), tables)?.unwrap_or_default())
    }

    fn of_type<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, InputError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let wrong = || InputError::at(key, format!("`{key}` is {}, but must be {expected}", show(value)));
        read(value).map(Some).ok_or_else(wrong)
    }
}
