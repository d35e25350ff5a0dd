use super::*;

fn dimension(start: f64, low: f64, high: f64, scale: Scale) -> Dimension {
    Dimension { name: "weight".into(), start, low, high, scale }
}

fn space(start: f64, low: f64, high: f64, scale: Scale) -> Result<Space, InputError> {
    Space::new(vec![dimension(start, low, high, scale)])
}

#[test]
fn converting_to_user_units_and_back_changes_nothing() {
    for (low, high, scale) in [(-3.0, 5.0, Scale::Linear), (0.01, 1000.0, Scale::Log), (-1000.0, -0.01, Scale::Log)] {
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
fn integers_have_equal_parts_of_the_interval_and_round_trip() {
    let counts = space(2.0, 1.0, 4.0, Scale::Integer).unwrap();
    let of = |unit: f64| counts.to_user(&[unit])[0];
    assert_eq!([0.0, 0.24, 0.26, 0.49, 0.51, 0.99, 1.0].map(of), [1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0]);
    assert_eq!(counts.dimensions()[0].part(0.3), Some((0.25, 0.5)));
    for (low, high, scale) in [(1.0, 4.0, Scale::Integer), (0.0, 1.0, Scale::Choice), (1.0, 1000.0, Scale::LogInteger)]
    {
        let space = space(low, low, high, scale).unwrap();
        for value in [low, low + 1.0, high] {
            let unit = space.to_unit(&[value])[0];
            assert_eq!(space.to_user(&[unit]), [value], "{scale:?}");
            let (from, to) = space.dimensions()[0].part(unit).unwrap();
            assert!(from < unit && unit < to, "{scale:?} {from} {unit} {to}");
        }
    }
    let message = |result: Result<Space, InputError>| result.unwrap_err().message;
    assert!(message(space(1.5, 1.0, 4.0, Scale::Integer)).contains("whole numbers"));
    assert!(message(space(1.0, 0.0, 4.0, Scale::LogInteger)).contains("begin at 1"));
}

#[test]
fn parameters_without_effect_keep_their_start() {
    let named = |name: &str, dimension: Dimension| Dimension { name: name.into(), ..dimension };
    let family = named("family", dimension(0.0, 0.0, 2.0, Scale::Choice));
    let shape = named("shape", dimension(1.0, 0.0, 3.0, Scale::Integer));
    let ratio = named("ratio", dimension(0.5, 0.0, 1.0, Scale::Linear));
    let space = Space::new(vec![family, shape, ratio]).unwrap();
    let needs = |dimension, parent, value| Condition { dimension, parent, values: vec![value] };
    let tree = space.clone().with_conditions(vec![needs(2, 1, 3.0), needs(1, 0, 2.0)]).unwrap();
    assert_eq!(tree.to_user(&[0.9, 0.9, 0.1]), [2.0, 3.0, 0.1]);
    assert_eq!(tree.to_user(&[0.9, 0.3, 0.1]), [2.0, 1.0, 0.5]);
    // If the first has another value, the third has no effect either, although the second has the right value.
    assert_eq!(tree.to_user(&[0.1, 0.9, 0.1]), [0.0, 1.0, 0.5]);
    assert_eq!(tree.active(&[0.0, 3.0, 0.1]), [true, false, false]);
    for wrong in [needs(1, 2, 0.5), needs(0, 1, 1.0), needs(1, 0, 7.0), needs(9, 0, 1.0)] {
        assert!(space.clone().with_conditions(vec![wrong]).is_err());
    }
}

#[test]
fn an_order_holds_at_every_point() {
    let named = |name: &str, start: f64| Dimension { name: name.into(), ..dimension(start, 0.0, 1.0, Scale::Linear) };
    let space = Space::new(vec![named("a", 0.9), named("b", 0.5), named("c", 0.1)]).unwrap();
    let chain = [(0, 1), (1, 2)].map(|(above, below)| Order { above, below }).to_vec();
    let falling = space.clone().with_orders(chain).unwrap();
    assert_eq!(falling.to_user(&[0.3, 0.8, 0.6]), [0.3, 0.3, 0.3]);
    assert_eq!(falling.to_user(&falling.start()), [0.9, 0.5, 0.1]);
    let rising = space.with_orders(vec![Order { above: 1, below: 0 }]);
    assert!(rising.is_err());
}

#[test]
fn errors_name_the_wrong_dimension() {
    let message = |result: Result<Space, InputError>| result.unwrap_err().message;
    assert!(message(space(0.0, 1.0, 2.0, Scale::Linear)).contains("`weight`: the range 1 to 2 excludes the start 0"));
    assert!(message(space(1.5, 2.0, 1.0, Scale::Linear)).contains("must be below its upper end 1"));
    assert!(message(space(1.0, 0.0, 2.0, Scale::Log)).contains("without 0"));
    assert!(message(space(1.0, f64::NAN, 2.0, Scale::Linear)).contains("finite"));
    assert!(message(Space::new(vec![])).contains("no parameter"));
    let twice = vec![dimension(0.0, -1.0, 1.0, Scale::Linear); 2];
    assert!(message(Space::new(twice)).contains("twice"));
}
