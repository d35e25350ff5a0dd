//! The table of `docs/known-optima.md`: the distance of every optimizer's result from known optima, as medians over 31
//! seeds.
//!
//! The test is slow, so it is ignored by default: `cargo test --release --lib known_optima -- --ignored` runs it. With
//! `UPDATE_KNOWN_OPTIMA=1` it writes the table again.

use std::fmt::Write as _;

use super::normal::standard_normal;
use super::nsga2::{FrontPoint, FrontSearch, TwoObjectives, hypervolume};
use super::*;
use crate::params::Values;
use crate::rng::{derive, seeded};

const SEEDS: u64 = 31;
const BUDGET: u64 = 10_000;
/// The standard deviation of one game.
const NOISE: f64 = 1.0;
const TABLE: &str = "docs/known-optima.md";

/// A function whose largest value is 0.
struct KnownProblem {
    name: &'static str,
    about: &'static str,
    space: fn() -> Space,
    truth: fn(&[f64]) -> f64,
}

const PROBLEMS: [KnownProblem; 4] = [
    KnownProblem {
        name: "sphere",
        about: "8 dimensions, -5 to 5",
        space: || real(8, 5.0),
        truth: |x| -x.iter().map(|x| (x - 1.0).powi(2)).sum::<f64>(),
    },
    KnownProblem {
        name: "ellipsoid",
        about: "8 dimensions, squares weighted from 1 to 1000",
        space: || real(8, 5.0),
        truth: |x| {
            let axis = |i: usize| libm::pow(1000.0, i as f64 / 7.0);
            -x.iter().enumerate().map(|(i, x)| axis(i) * (x - 1.0).powi(2)).sum::<f64>()
        },
    },
    KnownProblem {
        name: "Rosenbrock",
        about: "4 dimensions, -2 to 2",
        space: || real(4, 2.0),
        truth: |x| -x.windows(2).map(|p| 100.0 * (p[1] - p[0] * p[0]).powi(2) + (1.0 - p[0]).powi(2)).sum::<f64>(),
    },
    KnownProblem {
        name: "mixed",
        about: "3 real numbers, 3 whole numbers from 0 to 20, 2 switches",
        space: mixed,
        truth: |x| {
            let real: f64 = x[..3].iter().map(|x| (x - 1.0).powi(2)).sum();
            let whole: f64 = x[3..6].iter().map(|x| 0.25 * (x - 13.0).powi(2)).sum();
            -real - whole - x[6..].iter().map(|x| 3.0 * (1.0 - x)).sum::<f64>()
        },
    },
];

fn dimension(name: String, start: f64, low: f64, high: f64, scale: Scale) -> Dimension {
    Dimension { name, start, low, high, scale }
}

fn real(dimensions: usize, reach: f64) -> Space {
    let one = |i: usize| dimension(format!("x{i}"), -0.5 * reach, -reach, reach, Scale::Linear);
    Space::new((0..dimensions).map(one).collect()).unwrap()
}

fn mixed() -> Space {
    let mut all: Vec<Dimension> = (0..3).map(|i| dimension(format!("x{i}"), -2.5, -5.0, 5.0, Scale::Linear)).collect();
    all.extend((0..3).map(|i| dimension(format!("n{i}"), 4.0, 0.0, 20.0, Scale::Integer)));
    all.extend((0..2).map(|i| dimension(format!("s{i}"), 0.0, 0.0, 1.0, Scale::Choice)));
    Space::new(all).unwrap()
}

struct Noisy<'a> {
    problem: &'a KnownProblem,
    seed: u64,
}

impl NoisyObjective for Noisy<'_> {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<Evaluation>> {
        let play = |candidate: &Candidate| {
            let truth = (self.problem.truth)(&candidate.point);
            let game = |index| truth + NOISE * standard_normal(&mut seeded(derive(self.seed, index)));
            let values: Vec<f64> = candidate.game_indices().map(game).collect();
            Evaluation::of(&values).ok_or_else(|| anyhow::anyhow!("no games"))
        };
        batch.iter().map(play).collect()
    }
}

/// The median over the seeds of the recommendation's distance from the optimum.
fn gap(kind: &'static OptimizerKind, problem: &KnownProblem) -> f64 {
    let of_seed = |seed| {
        let options = Values::check(kind.name, kind.params, &crate::params::Table::new()).unwrap();
        let search = Search { space: (problem.space)(), kind, options, seed, budget: BUDGET, restarts: 0 };
        let found = search.run(&Noisy { problem, seed }, Vec::new()).unwrap();
        -(problem.truth)(&found.recommendation)
    };
    median((1..=SEEDS).map(of_seed).collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// ZDT1 of Zitzler, Deb and Thiele (2000): the front is second = 1 - sqrt(first). The signs are changed, because here
/// larger is better.
struct Zdt1 {
    noise: f64,
}

fn zdt1(x: &[f64]) -> [f64; 2] {
    let g = 1.0 + 9.0 * x[1..].iter().sum::<f64>() / (x.len() - 1) as f64;
    [-x[0], -g * (1.0 - (x[0] / g).sqrt())]
}

impl TwoObjectives for Zdt1 {
    fn evaluate(&self, batch: &[Candidate]) -> anyhow::Result<Vec<[Evaluation; 2]>> {
        let play = |candidate: &Candidate| {
            let truth = zdt1(&candidate.point);
            let game = |side: usize, index: u64| {
                truth[side] + self.noise * standard_normal(&mut seeded(derive(side as u64 + 7, index)))
            };
            let of = |side: usize| -> anyhow::Result<Evaluation> {
                let values: Vec<f64> = candidate.game_indices().map(|index| game(side, index)).collect();
                let of = Evaluation::of(&values).ok_or_else(|| anyhow::anyhow!("no games"))?;
                Ok(Evaluation { standard_error: Some(self.noise * of.standard_error.unwrap_or(1.0)), ..of })
            };
            Ok([of(0)?, of(1)?])
        };
        batch.iter().map(play).collect()
    }
}

/// The hypervolume of the true values of the front above (-1.1, -1.1). The optimum is 0.8767.
fn zdt1_area(noise: f64, games: u64, seed: u64) -> f64 {
    let one = |i: usize| dimension(format!("x{i}"), 0.5, 0.0, 1.0, Scale::Linear);
    let space = Space::new((0..10).map(one).collect()).unwrap();
    let search = FrontSearch { space, population: 40, games, seed, budget: BUDGET };
    let found = search.run(&Zdt1 { noise }, |_, _| Ok(())).unwrap();
    let truth = |found: &FrontPoint| {
        let values = zdt1(&found.point).map(|mean| Evaluation { mean, standard_error: None, games: 1 });
        FrontPoint { point: found.point.clone(), values }
    };
    hypervolume(&found.front.iter().map(truth).collect::<Vec<_>>(), [-1.1, -1.1])
}

fn table() -> String {
    let mut text = format!(
        "# Known optima\n\nHow far the recommendation of every optimizer is from the optimum: the median over {SEEDS} seeds, \
         with {BUDGET} games and the optimizer's own options. One game has a standard deviation of {NOISE}, and the start is \
         far away. Less is better; 0 is the optimum.\n\n    {COMMAND}\n\nThis command makes the table again and compares it with this file.\n\n| optimizer |"
    );
    PROBLEMS.iter().for_each(|problem| write!(text, " {} |", problem.name).unwrap());
    text += "\n|---|---|---|---|---|\n| start |";
    for problem in &PROBLEMS {
        let space = (problem.space)();
        write!(text, " {:.3} |", -(problem.truth)(&space.to_user(&space.start()))).unwrap();
    }
    for kind in KINDS {
        write!(text, "\n| {} |", kind.name).unwrap();
        PROBLEMS.iter().for_each(|problem| write!(text, " {:.3} |", gap(kind, problem)).unwrap());
    }
    text += "\n\n";
    PROBLEMS.iter().for_each(|problem| writeln!(text, "- **{}**: {}.", problem.name, problem.about).unwrap());
    text += "\nTwo objectives: ZDT1 with 10 dimensions by NSGA-II, population 40. The number is the area that the front dominates \
             by its true values, of 0.877 that is possible; a random population has 0.\n\n| noise of a game | games per evaluation | \
             area |\n|---|---|---|\n";
    for (noise, games) in [(0.0, 1), (0.1, 2)] {
        let areas = (1..=SEEDS).map(|seed| zdt1_area(noise, games, seed)).collect();
        writeln!(text, "| {noise} | {games} | {:.3} |", median(areas)).unwrap();
    }
    text
}

const COMMAND: &str = "cargo test --release --lib known_optima -- --ignored";

#[test]
#[ignore = "it takes minutes"]
fn the_table_of_known_optima_is_up_to_date() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let found = table();
    if std::env::var_os("UPDATE_KNOWN_OPTIMA").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), found, "UPDATE_KNOWN_OPTIMA=1 {COMMAND}");
}

#[test]
fn the_front_of_two_objectives_is_found_and_repeated() {
    let area = zdt1_area(0.0, 1, 1);
    assert!(area > 0.8, "{area}");
    assert_eq!(area, zdt1_area(0.0, 1, 1));
    assert!(zdt1_area(0.1, 2, 1) > 0.3);
}
