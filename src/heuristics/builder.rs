//! A builder for heuristics in code.

use super::features;
use super::heuristic::{Heuristic, Term};
use crate::params::{InputError, Table, Value, Values};

/// Collects the terms of a heuristic; see [`Heuristic::builder`].
#[derive(Clone, Debug)]
pub struct HeuristicBuilder {
    name: String,
    description: String,
    terms: Vec<TermBuilder>,
}

#[derive(Clone, Debug)]
struct TermBuilder {
    coefficient: f64,
    feature: String,
    params: Table,
    label: Option<String>,
}

impl Heuristic {
    /// Starts a heuristic of this name.
    ///
    /// ```
    /// use lab2048::heuristics::Heuristic;
    ///
    /// let heuristic = Heuristic::builder("mine")
    ///     .term(2.0, "empty")
    ///     .term(1.0, "mask").param("mask", "geometric").param("ratio", 0.4).label("corner")
    ///     .build()?;
    /// assert_eq!(heuristic.get("corner.ratio")?, 0.4);
    /// # Ok::<(), lab2048::params::InputError>(())
    /// ```
    pub fn builder(name: &str) -> HeuristicBuilder {
        HeuristicBuilder { name: name.to_string(), description: String::new(), terms: Vec::new() }
    }
}

impl HeuristicBuilder {
    /// Sets the description of the heuristic.
    pub fn description(mut self, text: &str) -> Self {
        self.description = text.to_string();
        self
    }

    /// Adds a term: a feature times a coefficient.
    pub fn term(mut self, coefficient: f64, feature: &str) -> Self {
        let feature = feature.to_string();
        self.terms.push(TermBuilder { coefficient, feature, params: Table::new(), label: None });
        self
    }

    /// Sets a parameter of the last term's feature.
    pub fn param(mut self, name: &str, value: impl Into<Value>) -> Self {
        if let Some(term) = self.terms.last_mut() {
            term.params.insert(name.to_string(), value.into());
        }
        self
    }

    /// Gives the last term a label. Users set its parameters by this label. The default is the feature's name.
    pub fn label(mut self, label: &str) -> Self {
        if let Some(term) = self.terms.last_mut() {
            term.label = Some(label.to_string());
        }
        self
    }

    /// Checks the terms and builds the heuristic.
    pub fn build(self) -> Result<Heuristic, InputError> {
        let terms: Result<Vec<Term>, InputError> = self.terms.into_iter().map(TermBuilder::build).collect();
        Heuristic::new(&self.name, &self.description, terms?)
    }
}

impl TermBuilder {
    fn build(self) -> Result<Term, InputError> {
        let feature = features::find(&self.feature)?;
        let values = Values::check(feature.name, feature.params, &self.params)?;
        let term = Term::new(feature, values, self.coefficient)?;
        match self.label {
            Some(label) => term.labelled(&label),
            None => Ok(term),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristics::preset;

    #[test]
    fn every_part_of_a_preset_can_be_built_in_code() {
        let preset = preset("snake").unwrap();
        let built = preset.terms().iter().fold(Heuristic::builder(preset.name()), |builder, term| {
            let builder = builder.term(term.coefficient(), term.feature().name).label(term.label());
            term.values().to_table().into_iter().fold(builder, |builder, (name, value)| builder.param(&name, value))
        });
        assert_eq!(built.description(preset.description()).build(), Ok(preset));
    }

    #[test]
    fn mistakes_are_errors() {
        let error = |builder: HeuristicBuilder| builder.build().unwrap_err().message;
        assert!(error(Heuristic::builder("x")).contains("no terms"));
        assert!(error(Heuristic::builder("x").term(1.0, "emtpy")).contains("did you mean `empty`"));
        assert!(error(Heuristic::builder("x").term(1.0, "mask").param("ratio", 2.0)).contains("from 0 to 1"));
        assert!(error(Heuristic::builder("x").term(f64::NAN, "empty")).contains("coefficient"));
    }
}
