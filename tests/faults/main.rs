//! The fault campaign: kills, competing processes, full disks, damaged files and malformed input.
//!
//! `cargo test --release --test faults -- --minutes 2` runs for about two minutes and prints a table of counts. Each
//! trial must end with the true results or with a clear refusal. A trial that does not is printed with its seed, and
//! `--seed S` repeats it first. `--only fuzzed` runs only the trials with this word in their names.

mod corruption;
mod disk;
mod fuzz;
mod kills;
mod pairs;
mod program;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lab2048::rng::{derive, seeded};

use program::Setup;

/// What a trial needs: its own random numbers, and the true results to compare with.
pub struct Trial<'a> {
    pub rng: lab2048::rng::Rng,
    pub setup: &'a Setup,
}

/// Runs a trial, and returns how many faults it tried.
type Run = fn(&mut Trial) -> Result<u64, String>;

/// All trials, which are run in turn.
const CAMPAIGN: [(&str, Run); 19] = [
    ("kills while a run begins, plays, draws or commits", kills::kill_and_resume),
    ("kills of finished runs, with and without `--fresh`", kills::kill_a_fresh_run),
    ("kills of `plot` and `report`", kills::kill_a_redrawing),
    ("kills of shards and `merge`", kills::kill_shards_and_merge),
    ("pairs of processes", pairs::two_at_once),
    ("full disks", disk::full_disk),
    ("damaged results, run again", corruption::damage_results),
    ("damaged results, drawn again", corruption::damage_and_draw),
    ("flipped bits that `verify` must find", corruption::flip_a_bit),
    ("fuzzed boards", fuzz::boards),
    ("fuzzed agents", fuzz::agents),
    ("fuzzed heuristics", fuzz::heuristics),
    ("fuzzed experiment files", fuzz::experiments),
    ("fuzzed records", fuzz::records),
    ("fuzzed segments and journals", fuzz::segments),
    ("fuzzed manifests", fuzz::manifests),
    ("fuzzed networks", fuzz::networks),
    ("fuzzed checkpoints", fuzz::checkpoints),
    ("fuzzed HTTP requests", fuzz::requests),
];

/// The text after an option of the command line.
fn option(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

fn number(name: &str) -> Option<f64> {
    option(name)?.parse().ok()
}

fn main() -> ExitCode {
    let minutes = number("--minutes").unwrap_or(2.0);
    let first_seed = number("--seed").map_or_else(clock_seed, |seed| seed as u64);
    let only = option("--only").unwrap_or_default();
    println!("fault campaign: {minutes} minutes, first seed {first_seed}");
    let setup = Setup::new();
    let (began, limit) = (Instant::now(), Duration::from_secs_f64(60.0 * minutes));
    let (mut counts, mut wrong) = (BTreeMap::<&str, (u64, u64)>::new(), Vec::new());
    let mut round = 0;
    while round == 0 || began.elapsed() < limit {
        for (place, (name, run)) in CAMPAIGN.iter().enumerate().filter(|(_, (name, _))| name.contains(&only)) {
            let seed = first_seed.wrapping_add(round);
            let mut trial = Trial { rng: seeded(derive(seed, place as u64)), setup: &setup };
            let (tried, failed) = counts.entry(name).or_default();
            match run(&mut trial) {
                Ok(count) => *tried += count,
                Err(why) => {
                    println!("WRONG: {name}, seed {seed}: {why}");
                    *failed += 1;
                    wrong.push(seed);
                }
            }
        }
        round += 1;
    }
    print_table(&counts);
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A seed that differs from run to run; it is printed, so that the run can be repeated.
fn clock_seed() -> u64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |since| since.as_secs() % 1_000_000)
}

fn print_table(counts: &BTreeMap<&str, (u64, u64)>) {
    println!("\n| fault | tried | wrong results |\n|---|---:|---:|");
    for (name, _) in CAMPAIGN {
        if let Some((tried, failed)) = counts.get(name) {
            println!("| {name} | {tried} | {failed} |");
        }
    }
}
