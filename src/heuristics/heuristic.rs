//! A heuristic of 2048: a sum of features with coefficients.

use crate::params::{Table, Value};

use super::features::{self, Feature, FeatureShape, times};
use crate::games::twenty48::Board;
use crate::params::{self, InputError, Param, Values, number, parse_assignments, unknown};

/// The largest coefficient. Together with the limits of masks and powers it keeps every value below that of a win.
const MAX_COEFFICIENT: f64 = 1e9;

/// The parameter that every term has besides those of its feature.
pub const COEFFICIENT: Param = Param {
    name: "coefficient",
    kind: params::ParamType::Number { min: -MAX_COEFFICIENT, max: MAX_COEFFICIENT },
    default: "1",
    help: "the factor of the feature's value",
};

/// A feature with its parameters and its coefficient.
#[derive(Clone)]
pub struct Term {
    label: String,
    feature: &'static Feature,
    values: Values,
    coefficient: f64,
    shape: FeatureShape,
}

impl Term {
    /// A term named after its feature.
    pub fn new(feature: &'static Feature, values: Values, coefficient: f64) -> Result<Self, InputError> {
        if !coefficient.is_finite() || coefficient.abs() > MAX_COEFFICIENT {
            let allowed = COEFFICIENT.kind;
            return Err(InputError::at("coefficient", format!("coefficient is {coefficient}, but must be {allowed}")));
        }
        let shape = (feature.build)(&values)?;
        Ok(Term { label: feature.name.to_string(), feature, values, coefficient, shape })
    }

    /// Reads `feature:key=value,...`.
    pub fn parse(coefficient: f64, text: &str) -> Result<Self, InputError> {
        let (name, assignments) = text.split_once(':').unwrap_or((text, ""));
        let feature = features::find(name)?;
        let values = Values::check(feature.name, feature.params, &parse_assignments(assignments)?)?;
        Term::new(feature, values, coefficient)
    }

    /// Gives the term a label, by which its parameters are set. A label has no dot, because a dot separates it from the
    /// name of a parameter.
    pub fn labelled(mut self, label: &str) -> Result<Self, InputError> {
        if label.is_empty() || label.contains(|c: char| c == '.' || c.is_whitespace()) {
            return Err(InputError::at(
                "label",
                format!("label `{label}` must not be empty and must have no dot and no space"),
            ));
        }
        self.label = label.to_string();
        Ok(self)
    }

    /// The label by which its parameters are set.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its feature.
    pub fn feature(&self) -> &'static Feature {
        self.feature
    }

    /// The parameters of its feature.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The coefficient of its feature.
    pub fn coefficient(&self) -> f64 {
        self.coefficient
    }

    /// The feature with its parameters.
    pub fn shape(&self) -> &FeatureShape {
        &self.shape
    }

    /// Whether a parameter of its feature has an effect, given the others.
    fn uses(&self, param: &str) -> bool {
        (self.feature.uses)(&self.values, param)
    }

    fn set(&mut self, param: Option<&str>, value: Value) -> Result<(), InputError> {
        let owner = self.feature.name;
        let (values, coefficient) = match param {
            None => {
                let given = Table::from_iter([(COEFFICIENT.name, value)]);
                let coefficient = Values::check(owner, &[COEFFICIENT], &given)?.number(COEFFICIENT.name);
                (self.values.clone(), coefficient.unwrap_or(self.coefficient))
            }
            Some(name) => (self.values.with(owner, self.feature.params, name, value)?, self.coefficient),
        };
        let label = std::mem::take(&mut self.label);
        *self = Term { label, ..Term::new(self.feature, values, coefficient)? };
        Ok(())
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.label == other.label
            && self.feature.name == other.feature.name
            && self.values == other.values
            && self.coefficient.to_bits() == other.coefficient.to_bits()
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} {}:{:?}", self.coefficient, self.label, self.values)
    }
}

/// The part of a board's value that comes from one term.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct TermValue {
    /// The name of its feature.
    pub feature: &'static str,
    /// Its label.
    pub label: String,
    /// The coefficient of its feature.
    pub coefficient: f64,
    /// The value of its feature.
    pub raw: f64,
    /// `coefficient` times `raw`.
    pub value: f64,
}

/// A heuristic of 2048: a sum of terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Heuristic {
    name: String,
    description: String,
    terms: Vec<Term>,
}

impl Heuristic {
    /// A heuristic of these terms. Their labels must differ.
    pub fn new(name: &str, description: &str, terms: Vec<Term>) -> Result<Self, InputError> {
        if terms.is_empty() {
            return Err(InputError::at("terms", format!("heuristic `{name}` has no terms")));
        }
        for (index, term) in terms.iter().enumerate() {
            if terms[..index].iter().any(|other| other.label == term.label) {
                let label = &term.label;
                let message = format!("two terms are labelled `{label}`: give one of them another `label`");
                return Err(InputError::new(message).under(&format!("terms[{index}]")));
            }
        }
        Ok(Heuristic { name: name.to_string(), description: description.to_string(), terms })
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The description; it may be empty.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The terms.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The same heuristic under another name.
    pub fn renamed(self, name: &str, description: &str) -> Self {
        Heuristic { name: name.to_string(), description: description.to_string(), ..self }
    }

    /// The value of each term. Their sum is [`Heuristic::value`].
    pub fn breakdown(&self, board: Board, score: u32) -> Vec<TermValue> {
        let evaluate = |term: &Term| {
            let raw = term.shape.raw(board, score);
            TermValue {
                feature: term.feature.name,
                label: term.label.clone(),
                coefficient: term.coefficient,
                raw,
                value: times(term.coefficient, raw),
            }
        };
        self.terms.iter().map(evaluate).collect()
    }

    /// The value of a board. It is not raised to the floor, and it does not depend on whether the game has ended.
    ///
    /// If a term has the logarithm of a score of 0, the value is minus infinity for all coefficients.
    pub fn value(&self, board: Board, score: u32) -> f64 {
        let value: f64 = self.terms.iter().map(|term| times(term.coefficient, term.shape.raw(board, score))).sum();
        if value.is_finite() { value } else { f64::NEG_INFINITY }
    }

    /// The names of all numbers that a tuner can set. A term's label is the name of its coefficient, and
    /// `label.parameter` that of a parameter of its feature.
    pub fn parameter_names(&self) -> Vec<String> {
        let of_term = |term: &Term| {
            let used = term.feature.params.iter().filter(|param| term.uses(param.name));
            let inner: Vec<String> = used.map(|param| format!("{}.{}", term.label, param.name)).collect();
            std::iter::once(term.label.clone()).chain(inner)
        };
        self.terms.iter().flat_map(of_term).collect()
    }

    /// The number with this name. Fails if it has no effect.
    pub fn get(&self, name: &str) -> Result<f64, InputError> {
        let used = self.uses(name)?;
        self.get_value(name).ok().as_ref().and_then(number).filter(|_| used).ok_or_else(|| self.no_parameter(name))
    }

    /// Sets the number with this name. Fails if it has no effect or is out of range.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), InputError> {
        self.get(name)?;
        self.set_value(name, Value::Float(value))
    }

    /// The parameter with this name, of any type.
    pub fn get_value(&self, name: &str) -> Result<Value, InputError> {
        let (index, param) = self.find(name)?;
        let term = &self.terms[index];
        let value = param.map_or(Some(Value::Float(term.coefficient)), |param| term.values.get(param.name).cloned());
        value.ok_or_else(|| self.no_parameter(name))
    }

    /// Sets the parameter with this name, of any type, even if it has no effect.
    pub fn set_value(&mut self, name: &str, value: Value) -> Result<(), InputError> {
        let (index, param) = self.find(name)?;
        let set = self.terms[index].set(param.map(|param| param.name), value);
        set.map_err(|problem| InputError::at(name, problem.message))
    }

    /// The declaration of the parameter with this name.
    pub fn declaration(&self, name: &str) -> Result<Param, InputError> {
        Ok(self.find(name)?.1.copied().unwrap_or(COEFFICIENT))
    }

    /// Whether the parameter with this name has an effect, given the others.
    pub fn uses(&self, name: &str) -> Result<bool, InputError> {
        let (index, param) = self.find(name)?;
        Ok(param.is_none_or(|param| self.terms[index].uses(param.name)))
    }

    /// The term and the parameter with this name. The parameter is `None` for the coefficient.
    fn find(&self, name: &str) -> Result<(usize, Option<&'static Param>), InputError> {
        let (label, param) = name.split_once('.').map_or((name, None), |(label, param)| (label, Some(param)));
        let of_term = |(index, term): (usize, &Term)| {
            let declared = term.feature.params.iter().find(|declared| Some(declared.name) == param);
            (term.label == label && param.is_some() == declared.is_some()).then_some((index, declared))
        };
        self.terms.iter().enumerate().find_map(of_term).ok_or_else(|| self.no_parameter(name))
    }

    fn no_parameter(&self, name: &str) -> InputError {
        let known = self.parameter_names();
        let what = format!("parameter of heuristic `{}`:", self.name);
        InputError::at(name, unknown(&what, name, known.iter().map(String::as_str)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::presets::preset;
    use super::*;

    #[test]
    fn parameters_are_addressed_by_name() {
        let mut basic = preset("basic").unwrap();
        assert_eq!(basic.get("mask.ratio"), Ok(0.5));
        basic.set("mask.ratio", 0.25).unwrap();
        basic.set("mask", 3.0).unwrap();
        let board = "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse().unwrap();
        assert_eq!(basic.breakdown(board, 0).iter().find(|term| term.label == "mask").unwrap().value, 9.0);
        for name in basic.parameter_names() {
            let value = basic.get_value(&name).unwrap();
            basic.set_value(&name, value).unwrap();
        }
        basic.set_value("mask.tile", "log2".into()).unwrap();
        assert_eq!(basic.get_value("mask.tile"), Ok("log2".into()));
        // A power has no effect on logarithms.
        assert_eq!((basic.uses("mask.tile"), basic.uses("mask.power")), (Ok(true), Ok(false)));
    }

    #[test]
    fn wrong_parameters_are_refused() {
        let mut basic = preset("basic").unwrap();
        assert!(basic.set("mask.ratoi", 0.1).unwrap_err().message.contains("did you mean `mask.ratio`"));
        assert!(basic.set("mask.ratio", 2.0).unwrap_err().message.contains("from 0 to 1"));
        assert!(basic.set("mask", f64::NAN).unwrap_err().message.contains("must be"));
        // A mask that is not geometric has no ratio to set.
        assert!(preset("snake").unwrap().get("mask.ratio").is_err());
    }

    #[test]
    fn labels_are_unique() {
        let term = || Term::parse(1.0, "empty").unwrap();
        assert!(Heuristic::new("x", "", vec![term(), term()]).unwrap_err().message.contains("labelled `empty`"));
        assert!(Heuristic::new("x", "", vec![term(), term().labelled("more").unwrap()]).is_ok());
        assert!(term().labelled("a.b").is_err());
    }

    #[test]
    fn infinite_terms_never_make_a_value_nan() {
        let both = [1.0, -1.0].map(|coefficient| Term::parse(coefficient, "empty:times=ln-score").unwrap());
        let [up, down] = both;
        let heuristic = Heuristic::new("x", "", vec![up, down.labelled("down").unwrap()]).unwrap();
        let board = "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse().unwrap();
        assert_eq!(heuristic.value(board, 0), f64::NEG_INFINITY);
        assert_eq!(heuristic.value(board, 4), 0.0);
    }
}
