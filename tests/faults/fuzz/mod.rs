//! Malformed input, made from valid input by small changes. Nothing may panic.

mod files;
mod requests;
mod texts;

pub use files::{checkpoints, experiments, manifests, networks, records, segments};
pub use requests::requests;
pub use texts::{agents, boards, heuristics};

use std::panic::{AssertUnwindSafe, catch_unwind};

use rand::Rng as _;
use rand::seq::IndexedRandom;

use lab2048::rng::Rng;

use crate::Trial;

/// Pieces of text that have a meaning in some input.
const PIECES: &str = "= , / : .. [ ] { } \" # 0 -1 1e308 nan inf 131072 262144 9223372036854775807 18446744073709551616 \
                      true depth heuristic \u{1b}[31m \0 é [[agents]] \r\n \r\n\r\n";

/// Reads changed copies of valid inputs, and reports the first that makes the reader panic.
fn fuzz(
    trial: &mut Trial,
    inputs: u64,
    what: &str,
    valid: &[impl AsRef<[u8]>],
    mut reader: impl FnMut(&[u8]),
) -> Result<u64, String> {
    let pieces: Vec<&str> = PIECES.split(' ').chain([" "]).collect();
    for _ in 0..inputs {
        let example = valid.choose(&mut trial.rng).ok_or("there is no valid input to change")?;
        let input = mutated(&mut trial.rng, example.as_ref(), &pieces);
        let shown = || format!("{what} panics on {:?}", String::from_utf8_lossy(&input));
        catch_unwind(AssertUnwindSafe(|| reader(&input))).map_err(|_| shown())?;
    }
    Ok(inputs)
}

/// A changed copy of an input.
fn mutated(rng: &mut Rng, input: &[u8], pieces: &[&str]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..rng.random_range(1..6) {
        let place = rng.random_range(0..=bytes.len());
        let end = (place + rng.random_range(0..12)).min(bytes.len());
        match rng.random_range(0..5) {
            0 if place < bytes.len() => bytes[place] ^= 1 << rng.random_range(0..8),
            1 => drop(bytes.drain(place..end)),
            2 => {
                let copy = bytes[place..end].to_vec();
                let target = rng.random_range(0..=bytes.len());
                bytes.splice(target..target, copy).for_each(drop);
            }
            3 => bytes.truncate(place),
            _ => {
                let piece = pieces.choose(rng).copied().unwrap_or("");
                bytes.splice(place..end, piece.bytes()).for_each(drop);
            }
        }
    }
    bytes
}
