//! The colour map viridis (van der Walt and Smith 2015). Its steps look equal, and it can be read in grey and with all
//! common kinds of colour vision.

use plotters::style::RGBColor;

/// Every eighth of the published map.
const STOPS: [(u8, u8, u8); 9] = [
    (68, 1, 84),
    (71, 44, 122),
    (59, 81, 139),
    (44, 113, 142),
    (33, 144, 141),
    (39, 173, 129),
    (92, 200, 99),
    (170, 220, 50),
    (253, 231, 37),
];

/// The colour at a share of the scale. Shares beyond an end have the colour of that end.
pub(super) fn viridis(share: f64) -> RGBColor {
    let position = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } * (STOPS.len() - 1) as f64;
    let index = (position as usize).min(STOPS.len() - 2);
    let (a, b, t) = (STOPS[index], STOPS[index + 1], position - index as f64);
    let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * t).round() as u8;
    RGBColor(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// Whether black text has more contrast on this colour than white text, by the relative luminance of WCAG 2.
pub(super) fn is_light(colour: RGBColor) -> bool {
    let linear = |channel: u8| (f64::from(channel) / 255.0).powf(2.2);
    0.2126 * linear(colour.0) + 0.7152 * linear(colour.1) + 0.0722 * linear(colour.2) > 0.179
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_from_dark_to_light_without_a_step_back() {
        assert_eq!(viridis(0.0), RGBColor(68, 1, 84));
        assert_eq!(viridis(1.0), RGBColor(253, 231, 37));
        assert_eq!(viridis(f64::NAN), viridis(0.0));
        let luma = |c: RGBColor| 0.299 * f64::from(c.0) + 0.587 * f64::from(c.1) + 0.114 * f64::from(c.2);
        let shades: Vec<f64> = (0..=100).map(|k| luma(viridis(f64::from(k) / 100.0))).collect();
        assert!(shades.windows(2).all(|pair| pair[1] >= pair[0] - 0.5));
        assert!(!is_light(viridis(0.2)) && is_light(viridis(0.9)));
    }
}
