//! The values of `--agent` and `--opponent`.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::agents::KINDS;

/// Accepts any text, and offers the names of all agents to shell completion. The text is checked later, together with
/// the game.
#[derive(Clone, Copy, Debug)]
pub struct AgentParser;

impl TypedValueParser for AgentParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(KINDS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.summary))))
    }
}
