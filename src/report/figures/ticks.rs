//! Places and labels of ticks.

use super::scale::Scale;

/// Labelled and plain ticks, each ascending and within the range of the axis.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Ticks {
    pub major: Vec<(f64, String)>,
    pub minor: Vec<f64>,
}

impl Ticks {
    /// Ticks for a scale with about `count` labels at most.
    pub fn of(scale: Scale, count: usize) -> Ticks {
        match scale {
            Scale::Linear { low, high } => scaled(low, high, count.max(2)),
            Scale::Log { low, high } => log(low, high, count.max(2)),
        }
    }

    /// Ticks at whole numbers only, about `count` of them at most.
    pub fn whole(scale: Scale, count: usize) -> Ticks {
        let (low, high) = scale.ends();
        let step = steps(high - low, count.max(2)).0.max(1.0);
        let places = multiples(low, high, step);
        let labels = labels(&places, step);
        Ticks { major: places.into_iter().zip(labels).collect(), minor: Vec::new() }
    }
}

/// The least step of the form 1, 2 or 5 times a power of ten that needs about `count` steps at most, and its minor
/// step. A little more is allowed, because the next step is twice as long.
fn steps(span: f64, count: usize) -> (f64, f64) {
    let raw = span / count as f64;
    let power = 10f64.powf(raw.log10().floor());
    let (factor, minor) = match raw / power {
        r if r <= 1.15 => (1.0, 0.2),
        r if r <= 2.3 => (2.0, 0.5),
        r if r <= 5.75 => (5.0, 1.0),
        _ => (10.0, 2.0),
    };
    (factor * power, minor * power)
}

fn multiples(low: f64, high: f64, step: f64) -> Vec<f64> {
    let slack = 1e-9;
    let (first, last) = ((low / step - slack).ceil(), (high / step + slack).floor());
    // A range holds at most a few hundred steps; the bound only guards against rounding in extreme ranges.
    let count = ((last - first).max(-1.0) + 1.0).min(1000.0) as usize;
    (0..count).map(|k| ((first + k as f64) * step).clamp(low, high)).collect()
}

/// Round ticks, closer together than asked for if there would be only one label, which gives no scale.
fn scaled(low: f64, high: f64, count: usize) -> Ticks {
    let closer = (count..=count + CLOSER).map(|count| linear(low, high, count));
    closer.into_iter().find(|ticks| ticks.major.len() > 1).unwrap_or_else(|| linear(low, high, count))
}

/// How many more labels than asked for a range may need before it has two.
const CLOSER: usize = 3;

fn linear(low: f64, high: f64, count: usize) -> Ticks {
    let (step, minor) = steps(high - low, count);
    let places = multiples(low, high, step);
    let labels = labels(&places, step);
    let major: Vec<_> = places.into_iter().zip(labels).collect();
    let minor = multiples(low, high, minor).into_iter().filter(|value| is_new(&major, *value, step)).collect();
    Ticks { major, minor }
}

fn is_new(major: &[(f64, String)], value: f64, step: f64) -> bool {
    major.iter().all(|(taken, _)| (taken - value).abs() > 1e-6 * step)
}

fn log(low: f64, high: f64, count: usize) -> Ticks {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let inside = |value: &f64| *value >= low * (1.0 - 1e-9) && *value <= high * (1.0 + 1e-9);
    let decades: Vec<i32> = (first..=last).filter(|e| inside(&10f64.powi(*e))).collect();
    if decades.len() < 2 {
        return within_a_decade(low, high, count, (first, last));
    }
    let stride = decades.len().div_ceil(count).max(1) as i32;
    // Exponents that are multiples of the stride are rounder. If fewer than two of them are in the range, the labels
    // start at the first decade instead, because a single label gives no scale.
    let multiples = decades.iter().filter(|e| e.rem_euclid(stride) == 0).count();
    let origin = if multiples < 2 { decades[0] } else { 0 };
    let (shown, skipped): (Vec<i32>, Vec<i32>) = decades.iter().partition(|e| (*e - origin).rem_euclid(stride) == 0);
    let major = shown.into_iter().map(|e| (10f64.powi(e).clamp(low, high), power_of_ten(e))).collect();
    let minor = if stride == 1 { between_decades(first, last, inside) } else { powers(&skipped) };
    Ticks { major, minor }
}

fn powers(exponents: &[i32]) -> Vec<f64> {
    exponents.iter().map(|e| 10f64.powi(*e)).collect()
}

fn between_decades(first: i32, last: i32, inside: impl Fn(&f64) -> bool) -> Vec<f64> {
    let all = (first..=last).flat_map(|e| (2..10).map(move |m| f64::from(m) * 10f64.powi(e)));
    all.filter(inside).collect()
}

/// With at most one power of ten on the axis, labels are round numbers instead of powers.
fn within_a_decade(low: f64, high: f64, count: usize, (first, last): (i32, i32)) -> Ticks {
    let inside = |value: &f64| *value >= low && *value <= high;
    let round: Vec<f64> = (first..=last).flat_map(|e| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(e))).collect();
    let round: Vec<f64> = round.into_iter().filter(inside).collect();
    if round.len() < 2 {
        return scaled(low, high, count);
    }
    let finest = round.iter().copied().fold(f64::INFINITY, f64::min);
    let labels = labels(&round, 10f64.powf(finest.log10().floor()));
    let minor = (first..=last).flat_map(|e| (1..10).map(move |m| f64::from(m) * 10f64.powi(e)));
    let major: Vec<_> = round.into_iter().zip(labels).collect();
    let minor = minor.filter(inside).filter(|v| is_new(&major, *v, *v)).collect();
    Ticks { major, minor }
}

pub(super) fn power_of_ten(exponent: i32) -> String {
    format!("10^{{{}}}", minus(&exponent.to_string()))
}

/// A hyphen is too short to be a minus sign.
fn minus(number: &str) -> String {
    number.replace('-', "−")
}

/// Labels with as many decimals as the step needs, in thousands or millions where that is shorter.
fn labels(values: &[f64], step: f64) -> Vec<String> {
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if largest >= 1e9 || (largest > 0.0 && largest < 1e-3) {
        return values.iter().map(|value| scientific(*value, step, largest)).collect();
    }
    let (unit, suffix) = match largest {
        l if l >= 1e6 => (1e6, "M"),
        l if l >= 1e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    values.iter().map(|value| with_suffix(*value / unit, step / unit, suffix)).collect()
}

fn with_suffix(value: f64, step: f64, suffix: &str) -> String {
    if value == 0.0 {
        return fixed(0.0, if suffix.is_empty() { decimals(step) } else { 0 });
    }
    format!("{}{suffix}", fixed(value, decimals(step)))
}

fn scientific(value: f64, step: f64, largest: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let exponent = largest.log10().floor() as i32;
    let unit = 10f64.powi(exponent);
    format!("{}×{}", fixed(value / unit, decimals(step / unit)), power_of_ten(exponent))
}

/// A number beside data with at most three digits, in thousands or millions where that is shorter.
pub(super) fn compact(value: f64) -> String {
    alike(value.abs())(value)
}

/// The same for many numbers: all have the unit and the decimals that suit the largest.
pub(super) fn alike(largest: f64) -> impl Fn(f64) -> String {
    let (unit, suffix) = match largest {
        l if l >= 999.5e3 => (1e6, "M"),
        l if l >= 9_999.5 => (1e3, "k"),
        _ => (1.0, ""),
    };
    let places = match largest / unit {
        l if l >= 99.95 || l == 0.0 => 0,
        l if l >= 9.995 => 1,
        _ => 2,
    };
    move |value| match value {
        v if !v.is_finite() => "–".to_string(),
        0.0 => "0".to_string(),
        v if largest >= 1e9 || (largest > 0.0 && largest < 1e-2) => scientific(v, largest / 10.0, largest),
        v => format!("{}{suffix}", fixed(v / unit, places)),
    }
}

fn decimals(step: f64) -> usize {
    // More than six decimals never fit beside an axis.
    (-(step.log10() + 1e-9).floor()).clamp(0.0, 6.0) as usize
}

/// A whole number on an axis, in thousands or millions where that is shorter: 3000, 10k, 30k.
pub(super) fn whole(value: f64) -> String {
    match value.abs() {
        v if v >= 1e6 && value % 1e3 == 0.0 => format!("{}M", minus(&(value / 1e6).to_string())),
        v if v >= 1e4 && value % 100.0 == 0.0 => format!("{}k", minus(&(value / 1e3).to_string())),
        _ => fixed(value, 0),
    }
}

/// A number as a user has written it in a file, or shorter where that is long.
pub(super) fn written(value: f64) -> String {
    let exact = minus(&value.to_string());
    match value {
        v if v.fract() == 0.0 && v.abs() < 1e9 => whole(v),
        _ if exact.chars().count() <= LONGEST => exact,
        v => compact(v),
    }
}

/// Characters of a number that fits beside the next one.
const LONGEST: usize = 5;

/// A number with two significant digits, for values that differ by orders of magnitude.
pub(super) fn significant(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return if value == 0.0 { "0".into() } else { "–".into() };
    }
    let exponent = value.abs().log10().floor() as i32;
    match exponent {
        -4..=4 => fixed(value, (1 - exponent).max(0) as usize),
        _ => scientific(value, 10f64.powi(exponent - 1), value.abs()),
    }
}

/// A share between 0 and 1 in percent. Only what is 0 or 100 % reads so.
pub(super) fn percent(share: f64) -> String {
    let value = 100.0 * share;
    let rounded = format!("{value:.0}");
    let tenths = format!("{value:.1}");
    match rounded.as_str() {
        "0" | "100" if share != 0.0 && share != 1.0 => match tenths.as_str() {
            "100.0" => ">99.9".into(),
            "0.0" => "<0.1".into(),
            _ => tenths,
        },
        _ if tenths.ends_with(".0") => rounded,
        _ => tenths,
    }
}

pub(super) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = !text.contains(|digit: char| digit.is_ascii_digit() && digit != '0');
    minus(if zero { text.trim_start_matches('-') } else { &text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &Ticks) -> Vec<&str> {
        ticks.major.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn known_ranges_have_known_labels() {
        assert_eq!(texts(&Ticks::of(Scale::linear(0.0, 1.0), 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(&Ticks::of(Scale::linear(0.0, 40_000.0), 4)), ["0", "10k", "20k", "30k", "40k"]);
        assert_eq!(texts(&Ticks::of(Scale::linear(-3.0, 3.0), 6)), ["−3", "−2", "−1", "0", "1", "2", "3"]);
        assert_eq!(texts(&Ticks::of(Scale::log(0.05, 200.0), 6)), ["10^{−1}", "10^{0}", "10^{1}", "10^{2}"]);
        assert_eq!(texts(&Ticks::of(Scale::log(1500.0, 9000.0), 6)), ["2000", "5000"]);
        assert_eq!(texts(&Ticks::of(Scale::linear(0.0, 2e-5), 2)), ["0", "1×10^{−5}", "2×10^{−5}"]);
        assert_eq!(texts(&Ticks::of(Scale::linear(0.0, 1e6), 2)), ["0", "0.5M", "1.0M"]);
        assert_eq!(texts(&Ticks::of(Scale::linear(0.0, 2e9), 2)), ["0", "1×10^{9}", "2×10^{9}"]);
    }

    #[test]
    fn an_axis_has_two_labels_at_least_and_whole_numbers_only_where_asked() {
        assert_eq!(texts(&Ticks::of(Scale::linear(0.5, 8.0), 3)), ["2", "4", "6", "8"]);
        assert_eq!(texts(&Ticks::whole(Scale::linear(1.5, 3.5), 9)), ["2", "3"]);
        assert_eq!(texts(&Ticks::whole(Scale::linear(-0.5, 12.5), 3)), ["0", "5", "10"]);
    }

    #[test]
    fn numbers_beside_data_are_short() {
        let cases = [
            (0.0, "0"),
            (0.5, "0.50"),
            (-12.34, "−12.3"),
            (9_999.0, "9999"),
            (45_678.0, "45.7k"),
            (123_456.0, "123k"),
            (2.5e6, "2.50M"),
            (f64::NAN, "–"),
            (3.2e-5, "3.2×10^{−5}"),
        ];
        for (value, text) in cases {
            assert_eq!(compact(value), text);
        }
        assert_eq!([3000.0, 10_000.0, 2_500_000.0, -7.0].map(whole), ["3000", "10k", "2.5M", "−7"]);
        assert_eq!([1e6, 1_050_000.0].map(whole), ["1M", "1.05M"]);
        assert_eq!([0.001, 100.0, 2e7, -0.5, 23_575.45].map(written), ["0.001", "100", "20M", "−0.5", "23.6k"]);
        assert_eq!([29.7, 0.23, 0.000_906, 0.0, 1e-7].map(significant), ["30", "0.23", "0.00091", "0", "1.0×10^{−7}"]);
        assert_eq!([1.0, 0.995, 0.9999, 0.5, 0.0, 0.0001].map(percent), ["100", "99.5", ">99.9", "50", "0", "<0.1"]);
        assert_eq!([9_000.0, 16_200.0].map(alike(16_200.0)), ["9.0k", "16.2k"]);
        assert_eq!([-0.6, 14.4].map(alike(14.4)), ["−0.6", "14.4"]);
    }

    #[test]
    fn ticks_ascend_and_stay_inside_for_any_range() {
        let ends = [-1e300, -5e4, -1.0, -1e-7, 0.0, 1e-300, 3e-5, 0.3, 1.0, 7.7, 2048.0, 9.9e6, 1e18, 1e300];
        for low in ends {
            for high in ends {
                for scale in [Scale::linear(low, high), Scale::log(low, high)] {
                    for count in [0, 2, 5, 12] {
                        check(scale, count);
                    }
                }
            }
        }
    }

    fn check(scale: Scale, count: usize) {
        let ticks = Ticks::of(scale, count);
        let (low, high) = scale.ends();
        let major: Vec<f64> = ticks.major.iter().map(|(value, _)| *value).collect();
        assert!(ticks.major.len() <= count.max(2) + 6, "{scale:?} has {} labels", major.len());
        for places in [&major, &ticks.minor] {
            assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{scale:?}: {places:?}");
            let (least, most) = (low - 1e-8 * low.abs(), high + 1e-8 * high.abs());
            assert!(places.iter().all(|v| *v >= least && *v <= most), "{scale:?}: {places:?}");
        }
        let texts: std::collections::BTreeSet<&str> = ticks.major.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts.len(), major.len(), "{scale:?}: two ticks say the same: {:?}", ticks.major);
    }
}
