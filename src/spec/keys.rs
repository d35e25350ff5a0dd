//! Reading the keys of a TOML table: known ones only, each of the right form.

use toml::{Table, Value};

use crate::params::{InputError, show, unknown};

/// A table all of whose keys are known.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    table: &'a Table,
}

impl<'a> Keys<'a> {
    /// Refuses a key that is not in `known`; `what` says in errors whose key it is.
    pub fn new(what: &str, table: &'a Table, known: &[&str]) -> Result<Self, InputError> {
        match table.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(InputError::at(key, unknown(&format!("{what} key"), key, known.iter().copied()))),
            None => Ok(Keys { table }),
        }
    }

    /// A table whose keys are somebody else's to check.
    pub fn any(table: &'a Table) -> Self {
        Keys { table }
    }

    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.table.get(key)
    }

    pub fn text(&self, key: &str) -> Result<Option<&'a str>, InputError> {
        self.of_form(key, "a text in quotes", Value::as_str)
    }

    pub fn flag(&self, key: &str) -> Result<bool, InputError> {
        Ok(self.of_form(key, "true or false", Value::as_bool)?.unwrap_or(false))
    }

    pub fn table(&self, key: &str) -> Result<Option<&'a Table>, InputError> {
        self.of_form(key, "a table", Value::as_table)
    }

    /// A whole number from `min` to the largest that TOML can write.
    pub fn count(&self, key: &str, min: i64) -> Result<Option<u64>, InputError> {
        let from_min = |value: &Value| value.as_integer().filter(|count| *count >= min)?.try_into().ok();
        self.of_form(key, &format!("a whole number from {min} up"), from_min)
    }

    /// The tables of `[[key]]`; none if the key is absent.
    pub fn tables(&self, key: &str) -> Result<Vec<&'a Table>, InputError> {
        let tables = |value: &'a Value| value.as_array()?.iter().map(Value::as_table).collect();
        Ok(self.of_form(key, &format!("tables, each under [[{key}]]"), tables)?.unwrap_or_default())
    }

    fn of_form<T>(
        &self,
        key: &str,
        form: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, InputError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let wrong = || InputError::at(key, format!("`{key}` is {}, but must be {form}", show(value)));
        read(value).map(Some).ok_or_else(wrong)
    }
}
