//! The search space: named dimensions with bounds and scales.
//!
//! Solvers work in the unit cube and may ask for points outside it. Such a point is reflected at the faces of the cube,
//! so every real vector stands for a point within the bounds. Only this file knows about logarithms, bounds and
//! reflections. Logarithms come from `libm`, so they are the same on every CPU.

use crate::params::InputError;

/// How the range of a dimension maps to the unit interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equal steps.
    Linear,
    /// Equal ratios are equal steps. Both bounds must have the same sign.
    Log,
}

/// One parameter to search for, in the user's units.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// The name that the user gave it.
    pub name: String,
    /// Where the search begins.
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
            return wrong(format!("the range has its lower end {low} not below its upper end {high}"));
        }
        if start < low || start > high {
            return wrong(format!("the range {low} to {high} excludes the start {start}"));
        }
        if *scale == Scale::Log && low * high <= 0.0 {
            return wrong(format!("a log scale needs a range without 0, not {low} to {high}"));
        }
        Ok(())
    }

    fn to_unit(&self, value: f64) -> f64 {
        let along = |value: f64, low: f64, high: f64| (value - low) / (high - low);
        let log = |value: f64| libm::log(value.abs());
        match self.scale {
            Scale::Linear => along(value, self.low, self.high),
            Scale::Log => along(log(value), log(self.low), log(self.high)),
        }
    }

    fn to_user(&self, unit: f64) -> f64 {
        // Logarithms round. The start must stay exactly as the user wrote it.
        if unit == self.to_unit(self.start) {
            return self.start;
        }
        let between = |low: f64, high: f64| low + mirror(unit) * (high - low);
        let value = match self.scale {
            Scale::Linear => between(self.low, self.high),
            Scale::Log => libm::exp(between(libm::log(self.low.abs()), libm::log(self.high.abs()))) * self.low.signum(),
        };
        value.clamp(self.low, self.high)
    }
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
        Ok(Space { dimensions })
    }

    /// The dimensions, in the user's order.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Where the search begins, in the unit cube.
    pub fn start(&self) -> Vec<f64> {
        self.dimensions.iter().map(|dimension| dimension.to_unit(dimension.start)).collect()
    }

    /// Converts a solver's vector into the user's units.
    pub fn to_user(&self, unit: &[f64]) -> Vec<f64> {
        self.dimensions.iter().zip(unit).map(|(dimension, unit)| dimension.to_user(*unit)).collect()
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
mod tests {
    use super::*;

    fn dimension(start: f64, low: f64, high: f64, scale: Scale) -> Dimension {
        Dimension { name: "weight".into(), start, low, high, scale }
    }

    fn space(start: f64, low: f64, high: f64, scale: Scale) -> Result<Space, InputError> {
        Space::new(vec![dimension(start, low, high, scale)])
    }

    #[test]
    fn converting_to_the_user_and_back_changes_nothing() {
        for (low, high, scale) in [(-3.0, 5.0, Scale::Linear), (0.01, 1000.0, Scale::Log), (-1000.0, -0.01, Scale::Log)]
        {
            let space = space(low, low, high, scale).unwrap();
            for unit in [0.0, 0.1, 0.5, 0.9, 1.0] {
                let back = space.to_unit(&space.to_user(&[unit]))[0];
                assert!((back - unit).abs() < 1e-12, "{scale:?} {unit} came back as {back}");
            }
            assert_eq!(space.to_user(&[0.0]), [low]);
            assert!((space.to_user(&[1.0])[0] / high - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_middle_of_a_log_scale_is_the_geometric_mean() {
        let space = space(1.0, 0.01, 100.0, Scale::Log).unwrap();
        assert!((space.to_user(&[0.5])[0] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn points_outside_the_cube_are_reflected_into_it() {
        for (outside, inside) in [(-0.25, 0.25), (1.25, 0.75), (2.25, 0.25), (-1.75, 0.25), (0.4, 0.4)] {
            assert!((mirror(outside) - inside).abs() < 1e-12, "{outside}");
        }
        let space = space(0.0, -1.0, 1.0, Scale::Linear).unwrap();
        for unit in [-7.3, -0.001, 1.001, 99.9] {
            assert!((-1.0..=1.0).contains(&space.to_user(&[unit])[0]));
        }
    }

    #[test]
    fn errors_name_the_wrong_dimension() {
        let message = |result: Result<Space, InputError>| result.unwrap_err().message;
        assert!(
            message(space(0.0, 1.0, 2.0, Scale::Linear)).contains("`weight`: the range 1 to 2 excludes the start 0")
        );
        assert!(message(space(1.5, 2.0, 1.0, Scale::Linear)).contains("lower end 2 not below its upper end 1"));
        assert!(message(space(1.0, 0.0, 2.0, Scale::Log)).contains("without 0"));
        assert!(message(space(1.0, f64::NAN, 2.0, Scale::Linear)).contains("finite"));
        assert!(message(Space::new(vec![])).contains("no parameter"));
        let twice = vec![dimension(0.0, -1.0, 1.0, Scale::Linear); 2];
        assert!(message(Space::new(twice)).contains("twice"));
    }
}
