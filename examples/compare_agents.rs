//! Plays two agents on the same games and compares their mean scores.
//!
//!     cargo run --release --example compare_agents

use lab2048::agents::{Agent, AgentConfig, Depth, Expectimax, Minimax};
use lab2048::games::twenty48::{Goal, Twenty48};
use lab2048::heuristics::preset;
use lab2048::play::{Match, Opponent};
use lab2048::rng::{Comparison, Seeds};
use lab2048::stats::Moments;
use lab2048::stats::means::welch_difference;

const GAMES: u64 = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Twenty48::new(Goal::None);
    let heuristic = preset("line-sum")?;
    let depth = Some(Depth::new(3));
    let expectimax = Expectimax { depth, ..Expectimax::default() }.build_2048(&game, &heuristic);
    let minimax = Minimax { depth, ..Minimax::default() }.build_2048(&game, &heuristic);

    let (first, second) = (scores(&game, expectimax), scores(&game, minimax));
    for (name, scores) in [("expectimax", &first), ("minimax", &second)] {
        let mean = Moments::of(scores).mean_interval().ok_or("an interval needs two games")?;
        println!("{name:<12} mean score {:.0} (95 % interval {:.0} to {:.0})", mean.estimate, mean.low, mean.high);
    }
    let difference = welch_difference(&Moments::of(&first), &Moments::of(&second)).ok_or("too few games")?;
    let interval = difference.interval;
    println!("difference   {:.0} (95 % interval {:.0} to {:.0})", interval.estimate, interval.low, interval.high);
    Ok(())
}

/// The score of each game. All agents play from the same seeds.
fn scores(game: &Twenty48, mut agent: Box<dyn Agent<Twenty48>>) -> Vec<f64> {
    let seeds = Seeds::<Comparison>::new(1);
    let mut opponent = Opponent::Chance;
    let mut players = Match { game, agent: agent.as_mut(), opponent: &mut opponent };
    (0..GAMES).map(|number| players.play(seeds.game(number).value(), |_| {}).result.score as f64).collect()
}
