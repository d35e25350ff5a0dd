//! The presets: heuristics with a name. The source of a heuristic is in parentheses at the end of its summary: a GitHub
//! repository, or a published system from the table in README.md.
//!
//! The value of a dead board is 0, and lower values are raised to 0. So a heuristic with negative terms also has an
//! `alive` term that keeps its value above 0. Otherwise a search could not distinguish a bad board from a dead one.

use super::heuristic::{Heuristic, Term};
use crate::params::{InputError, unknown};

/// The declaration of a preset: coefficients and `feature:key=value,...`.
pub struct Preset {
    /// The name that users write.
    pub name: &'static str,
    /// The heuristic in one line.
    pub summary: &'static str,
    terms: &'static [(f64, &'static str)],
}

/// The terms of the heuristic `mixed` of obligatorio, which its variants share.
const SNOES: (f64, &str) = (1.0, "snoes-ratio:power=2");
const SHARE: (f64, &str) = (1.0, "max-tile:of=share-squared");
const SUM: (f64, &str) = (1.0 / 4096.0, "sum");

/// The terms of the malaga heuristics.
const SCORE: (f64, &str) = (1.0, "score");
const GRADIENT: (f64, &str) = (1.0, "mask:mask=gradient");
const SIMILARITY: (f64, &str) = (-1.0, "similarity");
const EMPTY_LN_SCORE: (f64, &str) = (1.0, "empty:times=ln-score");

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "basic",
        summary: "geometric snake mask, smoothness, empty cells, largest tile: four coefficients to tune",
        // The four coefficients are 1 or -1 and not tuned: the heuristic plays decently and can be improved by tuning.
        // The constant is greater than the largest smoothness: 24 pairs that differ by at most 32768.
        terms: &[
            (1.0, "mask:mask=geometric,ratio=0.5"),
            (-1.0, "smoothness"),
            (1.0, "empty"),
            (1.0, "max-tile"),
            (800_000.0, "alive"),
        ],
    },
    Preset {
        name: "line-sum",
        summary: "empty cells, merges, monotonicity and rank powers of every line (nneonneo/2048-ai)",
        // The published constants.
        terms: &[
            (200_000.0, "alive:count=lines"),
            (270.0, "empty:count=lines"),
            (700.0, "merges"),
            (-47.0, "monotonicity:power=4"),
            (-11.0, "rank-powers:power=3.5"),
        ],
    },
    Preset {
        name: "smooth-mono",
        summary: "smoothness, monotonicity, ln of empty cells, log2 of the largest tile (ov3y/2048-AI's weights)",
        // The constant is greater than the sum of all negative terms: 0.1 x 24 pairs x 15 ranks, 8 lines x 15 ranks,
        // 2.7 ln 2.
        terms: &[
            (-0.1, "smoothness:tile=log2,power=1"),
            (-1.0, "monotonicity:power=1"),
            (2.7, "ln-empty"),
            (1.0, "max-tile:of=log2"),
            (160.0, "alive"),
        ],
    },
    Preset {
        name: "mixed",
        summary: "snoes / smooth^2 + max^2 / 2048^2 + sum / 4096 (obligatorio)",
        terms: &[SNOES, SHARE, SUM],
    },
    Preset { name: "snoes-smooth", summary: "snoes / smooth^2 alone (obligatorio)", terms: &[SNOES] },
    Preset {
        name: "smooth-only",
        summary: "smoothness alone (obligatorio)",
        // The constant is greater than the largest smoothness: 24 pairs that differ by at most 32768.
        terms: &[(-1.0, "smoothness"), (800_000.0, "alive")],
    },
    Preset {
        name: "square-sum-per-empty",
        summary: "sum of squares over empty cells (obligatorio)",
        terms: &[(1.0, "square-sum-per-empty")],
    },
    Preset {
        name: "mixed-plus-position",
        summary: "mixed plus a snake mask that rises toward the lower right corner (obligatorio)",
        // The source gives no weight. With this one, a 2048 in the corner counts 1, as in the second term.
        terms: &[SNOES, SHARE, SUM, (1.0 / (2048.0 * 65536.0), "mask:mask=snake-lower-right")],
    },
    Preset {
        name: "position-only",
        summary: "a snake mask that rises toward the lower right corner (obligatorio)",
        terms: &[(1.0, "mask:mask=snake-lower-right")],
    },
    Preset {
        name: "mixed-plus-order",
        summary: "mixed plus the share of rows and columns in rising order (obligatorio)",
        // The source gives no weight. With this one, 8 lines in order count 1, as a 2048 does in the second term.
        terms: &[SNOES, SHARE, SUM, (1.0 / 8.0, "rising")],
    },
    Preset {
        name: "snake",
        summary: "snake mask, empty cells by a mask of their own, and 512 for each (ratkoja)",
        terms: &[(1.0, "mask:mask=snake"), (1.0, "empty-mask:mask=ratkoja-empty"), (512.0, "empty")],
    },
    Preset {
        name: "malaga-1",
        summary: "score + gradient - similarity + ln(score) x empty",
        terms: &[SCORE, GRADIENT, SIMILARITY, EMPTY_LN_SCORE],
    },
    Preset {
        name: "malaga-2",
        summary: "gradient - similarity + ln(score) x empty",
        terms: &[GRADIENT, SIMILARITY, EMPTY_LN_SCORE],
    },
    Preset {
        name: "malaga-3",
        summary: "score - similarity + ln(score) x empty",
        terms: &[SCORE, SIMILARITY, EMPTY_LN_SCORE],
    },
    Preset {
        name: "malaga-4",
        summary: "score + empty x log2(max) + gradient",
        terms: &[SCORE, (1.0, "empty:times=log2-max"), GRADIENT],
    },
    Preset {
        name: "corner",
        summary: "tiles by their distance from the best corner (qpwoeirut/2048-solver)",
        terms: &[(1.0, "mask:mask=corner,symmetric=true")],
    },
    Preset {
        name: "score",
        summary: "the score alone, for comparisons without knowledge of the game",
        terms: &[SCORE],
    },
    Preset {
        name: "marks",
        summary: "snake mask, and empty cells by the inverse of the mask (marks)",
        // The source gives no weight. With this one, an empty cell counts from 1 in the corner to 32768 at the end of
        // the snake, which is the largest weight of ratkoja's mask of empty cells.
        terms: &[(1.0, "mask:mask=snake"), (65536.0, "empty-mask:mask=inverse-snake")],
    },
];

/// The preset with this name.
pub fn preset(name: &str) -> Result<Heuristic, InputError> {
    let found = PRESETS.iter().find(|preset| preset.name == name);
    let preset =
        found.ok_or_else(|| InputError::new(unknown("heuristic", name, PRESETS.iter().map(|preset| preset.name))))?;
    let terms: Result<Vec<Term>, InputError> =
        preset.terms.iter().map(|&(coefficient, text)| Term::parse(coefficient, text)).collect();
    Heuristic::new(preset.name, preset.summary, terms?)
}

#[cfg(test)]
mod tests {
    use super::super::features::{EXAMPLE_BOARD, EXAMPLE_SCORE};
    use super::*;
    use crate::games::twenty48::tests::random_board;
    use crate::rng::seeded;

    fn example(name: &str) -> f64 {
        preset(name).unwrap().value(EXAMPLE_BOARD.parse().unwrap(), EXAMPLE_SCORE)
    }

    #[test]
    fn malaga_has_the_published_values() {
        let published = [104.6199651668247, 96.6199651668247, 30.619965166824695, 106.0];
        for (i, value) in published.into_iter().enumerate() {
            let ours = example(&format!("malaga-{}", i + 1));
            assert!((ours - value).abs() < 1e-12, "{ours}");
        }
    }

    #[test]
    fn the_other_presets_have_known_values_on_the_same_board() {
        let mixed = 10.0 / 256.0 + 16.0 / (2048.0 * 2048.0) + 12.0 / 4096.0;
        assert!((example("mixed") - mixed).abs() < 1e-12);
        assert_eq!(example("mixed-plus-order"), example("mixed"));
        assert_eq!(example("snoes-smooth"), 10.0 / 256.0);
        assert_eq!(example("smooth-only"), 800_000.0 - 16.0);
        assert_eq!(example("position-only"), 4.0 * 16.0 + 2.0 * 8.0 + 2.0 * 4.0 + 4.0 * 32.0);
        assert_eq!(example("snake"), 4.0 * 65536.0 + 2.0 * 32768.0 + 2.0 * 16384.0 + 4.0 * 512.0 + 249856.0 + 6144.0);
        let line_sum = 1_600_000.0 + 270.0 * 24.0 + 700.0 * 4.0 - 11.0 * 49.25483399593904;
        assert!((example("line-sum") - line_sum).abs() < 1e-6);
        let smooth_mono = -0.8 + 2.7 * libm::log(12.0) + 2.0 + 160.0;
        assert!((example("smooth-mono") - smooth_mono).abs() < 1e-12);
    }

    #[test]
    fn the_terms_of_every_preset_sum_to_its_value() {
        for declared in PRESETS {
            let heuristic = preset(declared.name).unwrap();
            let breakdown = heuristic.breakdown(EXAMPLE_BOARD.parse().unwrap(), EXAMPLE_SCORE);
            let total: f64 = breakdown.iter().map(|term| term.value).sum();
            assert_eq!(total, example(declared.name), "{}", declared.name);
        }
        assert!(preset("snak").unwrap_err().message.contains("did you mean `snake`"));
    }

    #[test]
    fn no_preset_falls_below_the_floor() {
        let mut rng = seeded(6);
        // The malaga heuristics and line-sum may fall below it, because their published constants allow it.
        let kept = PRESETS.iter().filter(|preset| !preset.name.starts_with("malaga") && preset.name != "line-sum");
        let kept: Vec<Heuristic> = kept.map(|declared| preset(declared.name).unwrap()).collect();
        for _ in 0..10_000 {
            let board = random_board(&mut rng);
            for heuristic in &kept {
                assert!(heuristic.value(board, 100) >= 0.0, "{} {board}", heuristic.name());
            }
        }
    }
}
