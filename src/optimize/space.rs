//! The space that is searched: named dimensions with bounds and scales.
//!
//! Solvers see the unit cube and may ask for points outside it: the cube is mirrored at its faces, so that every real
//! vector means a point within the bounds. Logarithms, bounds and mirrors are known here and nowhere else.

use crate::params::InputError;

/// How a dimension is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    /// Equal ratios are equal steps. Both bounds must have the same sign.
    Log,
}

/// One number to be found, in the user's own units.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    pub name: String,
    pub start: f64,
    pub low: f64,
    pub high: f64,
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
        match self.scale {
            Scale::Linear => along(value, self.low, self.high),
            Scale::Log => along(value.abs().ln(), self.low.abs().ln(), self.high.abs().ln()),
        }
    }

    fn to_user(&self, unit: f64) -> f64 {
        // Logarithms round; what the user wrote stays as written.
        if unit == self.to_unit(self.start) {
            return self.start;
        }
        let between = |low: f64, high: f64| low + mirror(unit) * (high - low);
        let value = match self.scale {
            Scale::Linear => between(self.low, self.high),
            Scale::Log => between(self.low.abs().ln(), self.high.abs().ln()).exp() * self.low.signum(),
        };
        value.clamp(self.low, self.high)
    }
}

/// All dimensions of a search, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    dimensions: Vec<Dimension>,
}

impl Space {
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

    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Where the search begins, in the unit cube.
    pub fn start(&self) -> Vec<f64> {
        self.dimensions.iter().map(|dimension| dimension.to_unit(dimension.start)).collect()
    }

    /// The point in the user's units that a solver's vector means.
    pub fn to_user(&self, unit: &[f64]) -> Vec<f64> {
        self.dimensions.iter().zip(unit).map(|(dimension, unit)| dimension.to_user(*unit)).collect()
    }

    /// The place in the unit cube of a point in the user's units.
    pub fn to_unit(&self, user: &[f64]) -> Vec<f64> {
        self.dimensions.iter().zip(user).map(|(dimension, value)| dimension.to_unit(*value)).collect()
    }
}

/// The image in `0..=1` of any number, as if the interval had mirrors at both ends.
///
/// A solver that averages its own points applies it to them first: two mirror images of one point have a mean that is
/// no image of it.
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
    fn both_scales_map_there_and_back() {
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
    fn a_log_scale_has_its_middle_at_the_geometric_mean() {
        let space = space(1.0, 0.01, 100.0, Scale::Log).unwrap();
        assert!((space.to_user(&[0.5])[0] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn points_outside_are_mirrored_inside() {
        for (outside, inside) in [(-0.25, 0.25), (1.25, 0.75), (2.25, 0.25), (-1.75, 0.25), (0.4, 0.4)] {
            assert!((mirror(outside) - inside).abs() < 1e-12, "{outside}");
        }
        let space = space(0.0, -1.0, 1.0, Scale::Linear).unwrap();
        for unit in [-7.3, -0.001, 1.001, 99.9] {
            assert!((-1.0..=1.0).contains(&space.to_user(&[unit])[0]));
        }
    }

    #[test]
    fn impossible_spaces_are_refused_by_name() {
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
