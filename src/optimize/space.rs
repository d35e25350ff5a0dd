//! The search space: named dimensions with bounds and scales.
//!
//! Solvers work in the unit cube and may ask for points outside it. Such a point is reflected at the faces of the cube,
//! so every real vector maps to a point within the bounds. Only this file handles logarithms, bounds and reflections.
//! Logarithms come from `libm`, so they are the same on every CPU.

use crate::params::InputError;

/// How the range of a dimension maps to the unit interval.
///
/// For integers and choices the unit interval is divided into one part for each value. The solver's coordinate is still
/// a real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equal steps.
    Linear,
    /// Equal ratios are equal steps. Both bounds must have the same sign.
    Log,
    /// Integers. Every value has an equal part of the unit interval.
    Integer,
    /// Integers from 1 up. Equal ratios are equal steps.
    LogInteger,
    /// Indices of values in a list, from 0. Every value has an equal part. Neighbours in the list are neighbours for
    /// the solver, so similar values should be next to each other.
    Choice,
}

impl Scale {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Linear => "linear",
            Scale::Log => "log",
            Scale::Integer => "integer",
            Scale::LogInteger => "log-integer",
            Scale::Choice => "choice",
        }
    }

    /// Whether only whole numbers are possible.
    pub fn is_discrete(self) -> bool {
        !matches!(self, Scale::Linear | Scale::Log)
    }
}

/// One parameter to search for, in the user's units.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// The name that the user gave it.
    pub name: String,
    /// The start of the search.
    pub start: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// How the range maps to the unit interval.
    pub scale: Scale,
}

impl Dimension {
    fn check(&self) -> Result<(), InputError> {
        let Dimension { name, start, low, high, scale } = self;
        let wrong = |why: String| Err(InputError::at(name, format!("parameter `{name}`: {why}")));
        if !(start.is_finite() && low.is_finite() && high.is_finite()) {
            return wrong("start and range must be finite numbers".into());
        }
        if low >= high {
            return wrong(format!("the lower end {low} of the range must be below its upper end {high}"));
        }
        if start < low || start > high {
            return wrong(format!("the range {low} to {high} excludes the start {start}"));
        }
        if *scale == Scale::Log && low * high <= 0.0 {
            return wrong(format!("a log scale needs a range without 0, not {low} to {high}"));
        }
        if *scale == Scale::LogInteger && *low < 1.0 {
            return wrong(format!("whole numbers on a log scale begin at 1, not at {low}"));
        }
        if scale.is_discrete() && [start, low, high].iter().any(|end| end.fract() != 0.0 || end.abs() > MAX_INTEGER) {
            return wrong(format!("start and range must be whole numbers, not {start} in {low} to {high}"));
        }
        Ok(())
    }

    /// The ends of the range on the linear or logarithmic scale. Integers have half a step more at both ends.
    fn ends(&self) -> (f64, f64) {
        match self.scale {
            Scale::Linear => (self.low, self.high),
            Scale::Log => (libm::log(self.low.abs()), libm::log(self.high.abs())),
            Scale::Integer | Scale::Choice => (self.low - 0.5, self.high + 0.5),
            Scale::LogInteger => (libm::log(self.low - 0.5), libm::log(self.high + 0.5)),
        }
    }

    fn to_unit(&self, value: f64) -> f64 {
        let (low, high) = self.ends();
        let value = match self.scale {
            Scale::Linear | Scale::Integer | Scale::Choice => value,
            Scale::Log | Scale::LogInteger => libm::log(value.abs()),
        };
        (value - low) / (high - low)
    }

    /// The value in the user's units, before orders and conditions are applied.
    pub(super) fn to_user(&self, unit: f64) -> f64 {
        // Logarithms round, but the start must be exactly the number that the user wrote.
        if unit == self.to_unit(self.start) {
            return self.start;
        }
        let (low, high) = self.ends();
        let between = low + mirror(unit) * (high - low);
        let value = match self.scale {
            Scale::Linear => between,
            Scale::Log => libm::exp(between) * self.low.signum(),
            Scale::Integer | Scale::Choice => between.round(),
            Scale::LogInteger => libm::exp(between).round(),
        };
        value.clamp(self.low, self.high)
    }

    /// The part of the unit interval that maps to the same value as `unit`; `None` for real numbers.
    pub(super) fn part(&self, unit: f64) -> Option<(f64, f64)> {
        let value = self.scale.is_discrete().then(|| self.to_user(unit))?;
        Some((self.to_unit(value - 0.5), self.to_unit(value + 0.5)))
    }

    /// The mean length of the part of one value in the unit interval; 0 for real numbers.
    pub(super) fn part_length(&self) -> f64 {
        if self.scale.is_discrete() { 1.0 / (self.high - self.low + 1.0) } else { 0.0 }
    }
}

/// The largest integer of a range. Up to this size, floating-point numbers can represent integers and halves.
const MAX_INTEGER: f64 = 1e15;

/// A parameter that has an effect only for some values of an earlier parameter. For other values it keeps its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The index of the parameter.
    pub dimension: usize,
    /// The index of the earlier parameter, which must be discrete.
    pub parent: usize,
    /// The values of the earlier parameter for which this one has an effect.
    pub values: Vec<f64>,
}

/// Two parameters of which one must not exceed the other. If it would, it gets the value of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The index of the parameter that is never smaller.
    pub above: usize,
    /// The index of the parameter that is never larger. It must come later.
    pub below: usize,
}

/// All dimensions of a search, checked.
///
/// ```
/// use lab2048::optimize::{Dimension, Scale, Space};
///
/// let weight = Dimension { name: "weight".into(), start: 1.0, low: 0.01, high: 100.0, scale: Scale::Log };
/// let space = Space::new(vec![weight]).unwrap();
/// assert_eq!(space.start(), [0.5]);
/// // A point outside the unit cube is reflected at its face.
/// assert_eq!(space.to_user(&[1.25]), space.to_user(&[0.75]));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    dimensions: Vec<Dimension>,
    conditions: Vec<Condition>,
    orders: Vec<Order>,
    /// The start in the unit cube, if it differs from the starts of the dimensions.
    other_start: Option<Vec<f64>>,
}

impl Space {
    /// Checks the dimensions: names are unique, and every start lies in its range.
    pub fn new(dimensions: Vec<Dimension>) -> Result<Self, InputError> {
        if dimensions.is_empty() {
            return Err(InputError::new("there is no parameter to search for"));
        }
        for (index, dimension) in dimensions.iter().enumerate() {
            dimension.check()?;
            if dimensions[..index].iter().any(|earlier| earlier.name == dimension.name) {
                let name = &dimension.name;
                return Err(InputError::at(name, format!("parameter `{name}` is given twice")));
            }
        }
        Ok(Space { dimensions, conditions: Vec::new(), orders: Vec::new(), other_start: None })
    }

    /// Adds conditions, in the order of their parameters.
    pub fn with_conditions(mut self, mut conditions: Vec<Condition>) -> Result<Self, InputError> {
        conditions.sort_by_key(|condition| condition.dimension);
        for Condition { dimension, parent, values } in &conditions {
            let earlier = parent < dimension && *dimension < self.dimensions.len();
            let parent = self.dimensions.get(*parent).filter(|parent| earlier && parent.scale.is_discrete());
            let possible = |parent: &Dimension| values.iter().any(|v| (parent.low..=parent.high).contains(v));
            if !parent.is_some_and(possible) {
                return Err(InputError::new("a condition needs an earlier discrete parameter and one of its values"));
            }
        }
        self.conditions = conditions;
        Ok(self)
    }

    /// Adds orders. The starts must satisfy them.
    pub fn with_orders(mut self, mut orders: Vec<Order>) -> Result<Self, InputError> {
        orders.sort_by_key(|order| order.below);
        for Order { above, below } in &orders {
            let pair = self.dimensions.get(*above).zip(self.dimensions.get(*below)).filter(|_| above < below);
            let (above, below) = pair.ok_or_else(|| InputError::new("an order needs two parameters"))?;
            if below.start > above.start {
                let (a, b, x, y) = (&above.name, &below.name, above.start, below.start);
                let message = format!("`{b}` must not exceed `{a}`, but it starts from {y}, and `{a}` from {x}");
                return Err(InputError::at(b, message));
            }
        }
        self.orders = orders;
        Ok(self)
    }

    /// The dimensions, in the user's order.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// The same space with another start in the unit cube.
    pub(super) fn starting_at(self, unit: Vec<f64>) -> Self {
        Space { other_start: Some(unit), ..self }
    }

    /// The start in the unit cube.
    pub fn start(&self) -> Vec<f64> {
        if let Some(start) = &self.other_start {
            return start.clone();
        }
        self.dimensions.iter().map(|dimension| dimension.to_unit(dimension.start)).collect()
    }

    /// Converts a solver's vector into the user's units, with all orders and conditions applied.
    pub fn to_user(&self, unit: &[f64]) -> Vec<f64> {
        let point = self.dimensions.iter().zip(unit).map(|(dimension, unit)| dimension.to_user(*unit)).collect();
        self.settled(point)
    }

    /// The point with all orders and conditions applied.
    pub fn settled(&self, mut point: Vec<f64>) -> Vec<f64> {
        for Order { above, below } in &self.orders {
            point[*below] = point[*below].min(point[*above]);
        }
        for (dimension, active) in self.active(&point).into_iter().enumerate() {
            if !active {
                point[dimension] = self.dimensions[dimension].start;
            }
        }
        point
    }

    /// Whether each parameter has an effect at this point.
    pub fn active(&self, point: &[f64]) -> Vec<bool> {
        let mut active = vec![true; point.len()];
        for Condition { dimension, parent, values } in &self.conditions {
            active[*dimension] &= active[*parent] && values.contains(&point[*parent]);
        }
        active
    }

    /// The conditions, in the order of their parameters.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The orders.
    pub fn orders(&self) -> &[Order] {
        &self.orders
    }

    /// Whether some parameter is discrete.
    pub fn is_mixed(&self) -> bool {
        self.dimensions.iter().any(|dimension| dimension.scale.is_discrete())
    }

    /// For each discrete coordinate, `share` times the width of one value's part; 0 for real numbers.
    pub(super) fn least_steps(&self, share: f64) -> Vec<f64> {
        self.dimensions.iter().map(|dimension| share * dimension.part_length()).collect()
    }

    /// Converts a point in the user's units into the unit cube.
    pub fn to_unit(&self, user: &[f64]) -> Vec<f64> {
        self.dimensions.iter().zip(user).map(|(dimension, value)| dimension.to_unit(*value)).collect()
    }
}

/// Reflects any number into `0..=1`, at both ends of the interval.
///
/// A solver that averages its points reflects them first. Otherwise it would average two images of one point, and their
/// mean is not an image of that point.
pub fn mirror(unit: f64) -> f64 {
    let phase = unit.rem_euclid(2.0);
    if phase > 1.0 { 2.0 - phase } else { phase }
}

#[cfg(test)]
mod tests;
