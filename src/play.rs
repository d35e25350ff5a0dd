//! Plays one game from its seed to its end.

use std::time::Instant;

use rand::Rng as _;
use rand::seq::IteratorRandom;

use crate::agents::{Agent, Decision};
use crate::games::twenty48::tile;
use crate::games::{Game, Outcome, Step};
use crate::learn::Finished;
use crate::rng::{Rng, agent_seed, derive, environment};

/// The record of one finished game. Every field except `seconds` is a function of the player and the seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameResult {
    /// The seed that the game was played from.
    pub seed: u64,
    /// The final score.
    pub score: i64,
    /// The largest tile; 0 in games without tiles.
    pub max_tile: u32,
    /// Moves of the player.
    pub moves: u32,
    /// Whether the game was won.
    pub won: bool,
    /// The positions that the agent evaluated in all decisions.
    pub nodes: u64,
    /// The cost of all decisions, in units of work.
    pub work: u64,
    /// Wall-clock time of the whole game.
    pub seconds: f64,
}

/// The rank of the tile 2048. A game of a network that reached it counts as won, although the network plays on.
const WON: u8 = 11;

impl From<&Finished> for GameResult {
    fn from(game: &Finished) -> Self {
        GameResult {
            seed: game.seed,
            score: i64::from(game.score),
            max_tile: tile(game.max_rank),
            moves: game.moves,
            won: game.max_rank >= WON,
            // Games of a network are played in lockstep. They count neither positions nor work, and a single game has
            // no time of its own.
            nodes: 0,
            work: 0,
            seconds: 0.0,
        }
    }
}

impl GameResult {
    /// Whether both results are equal except for the measured time.
    pub fn is_same_game(&self, other: &GameResult) -> bool {
        GameResult { seconds: 0.0, ..*self } == GameResult { seconds: 0.0, ..*other }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinishedGame<P> {
    /// The record of the game.
    pub result: GameResult,
    /// Who won.
    pub outcome: Outcome,
    /// The last position.
    pub last: P,
}

/// One move of a game, as it is passed to an observer.
pub struct Turn<'a, G: Game> {
    /// How many moves were made before this one.
    pub number: u32,
    /// The position before the move.
    pub position: G::Position,
    /// The score before the move.
    pub score: u32,
    /// What the agent decided.
    pub decision: &'a Decision<G>,
    /// The move and the position after it.
    pub step: Step<G::Position, G::Move>,
    /// The environment's reply; `None` if the step ended the game.
    pub reply: Option<G::Position>,
}

/// Who replies to the mover.
pub enum Opponent<G: Game> {
    /// The environment replies by its probabilities, with the random numbers of the game's seed.
    Chance,
    /// An agent that plays the other side of a game for two.
    Agent(Box<dyn Agent<G>>),
}

/// An agent and its opponent, ready to play.
pub struct Match<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// The player.
    pub agent: &'a mut dyn Agent<G>,
    /// Who replies to the player.
    pub opponent: &'a mut Opponent<G>,
}

impl<G: Game> Match<'_, G> {
    /// Plays the game with this seed to its end. The start and the environment's random numbers depend on the seed
    /// alone.
    pub fn play(&mut self, seed: u64, observe: impl FnMut(&Turn<G>)) -> FinishedGame<G::Position> {
        self.play_after(None, seed, observe)
    }

    /// As [`Match::play`]. With `Some(plies)` the game starts from a random [`opening`] of that many moves or one more.
    pub fn play_after(
        &mut self,
        plies: Option<u32>,
        seed: u64,
        mut observe: impl FnMut(&Turn<G>),
    ) -> FinishedGame<G::Position> {
        let began = Instant::now();
        let mut rng = environment(seed);
        self.reset_players(seed);
        let start = match plies {
            Some(plies) => opening(self.game, plies, &mut rng),
            None => self.game.start(&mut rng),
        };
        let (mut position, mut score, mut moves) = (start, 0, 0);
        let (mut nodes, mut work) = (0, 0);
        let (last, outcome) = loop {
            if let Some(outcome) = self.game.verdict(position) {
                break (position, outcome);
            }
            let Some(decision) = self.agent.decide(position, score) else { break (position, G::STUCK) };
            let Some(step) = step_of(self.game, position, decision.choice) else {
                break (position, G::STUCK);
            };
            let ended = self.game.after_step(step.after);
            let reply = ended.is_none().then(|| self.reply(step.after, &mut rng));
            observe(&Turn { number: moves, position, score, decision: &decision, step, reply });
            (score, moves) = (score + step.reward, moves + 1);
            (nodes, work) = (nodes + decision.nodes, work + decision.work);
            match (ended, reply) {
                (Some(outcome), _) => break (step.after, outcome),
                (None, reply) => position = reply.unwrap_or(step.after),
            }
        };
        let result = GameResult {
            seed,
            score: self.game.final_score(score, outcome),
            max_tile: self.game.max_tile(last),
            moves,
            won: self.game.is_won(last, outcome),
            nodes,
            work,
            seconds: began.elapsed().as_secs_f64(),
        };
        FinishedGame { result, outcome, last }
    }

    fn reset_players(&mut self, seed: u64) {
        self.agent.reset(agent_seed(seed));
        if let Opponent::Agent(opponent) = self.opponent {
            opponent.reset(derive(agent_seed(seed), 1));
        }
    }

    fn reply(&mut self, after: G::Position, rng: &mut Rng) -> G::Position {
        let Opponent::Agent(opponent) = self.opponent else { return self.game.sample(after, rng) };
        let choose = |seen| step_of(self.game, seen, opponent.decide(seen, 0)?.choice);
        opponent_reply(self.game, after, choose).unwrap_or_else(|| self.game.sample(after, rng))
    }
}

/// A position of a two-player game after random moves of both sides. The number of moves is `plies` or `plies + 1`,
/// with equal probability. With `plies + 1` the opponent has made the first move, so an agent plays both sides equally
/// often. If the game ends during the opening, the opening is drawn again, at most a hundred times.
pub fn opening<G: Game>(game: &G, plies: u32, rng: &mut Rng) -> G::Position {
    let tries = std::iter::repeat_with(|| {
        let plies = plies + rng.random_range(0..2);
        (0..plies).try_fold(game.start(rng), |position, _| random_ply(game, position, rng))
    });
    tries.take(100).flatten().next().unwrap_or_else(|| game.start(rng))
}

/// The position after a random move, with the sides exchanged; `None` if the move ends the game.
fn random_ply<G: Game>(game: &G, position: G::Position, rng: &mut Rng) -> Option<G::Position> {
    let step = game.steps(position).choose(rng)?;
    let next = game.after_step(step.after).is_none().then(|| game.seen_by_opponent(step.after))??;
    game.verdict(next).is_none().then_some(next)
}

/// The step that makes this move; `None` if the move is illegal.
pub fn step_of<G: Game>(game: &G, position: G::Position, action: G::Move) -> Option<Step<G::Position, G::Move>> {
    game.steps(position).find(|step| step.action == action)
}

/// The step whose move has this name; `None` if no legal move has it.
pub fn step_named<G: Game>(game: &G, position: G::Position, action: &str) -> Option<Step<G::Position, G::Move>> {
    game.steps(position).find(|step| step.action.to_string() == action)
}

/// The position after the reply of an opponent, who chooses a step from its own view of the board.
pub fn opponent_reply<G: Game>(
    game: &G,
    after: G::Position,
    choose: impl FnOnce(G::Position) -> Option<Step<G::Position, G::Move>>,
) -> Option<G::Position> {
    game.seen_by_opponent(choose(game.seen_by_opponent(after)?)?.after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentSpec;
    use crate::games::tic_tac_toe::TicTacToe;
    use crate::games::twenty48::{Goal, Twenty48};

    fn play<G: crate::heuristics::Playable>(
        game: &G,
        agent: &str,
        opponent: Option<&str>,
        seed: u64,
    ) -> FinishedGame<G::Position> {
        let build = |spec: &str| spec.parse::<AgentSpec>().unwrap().build(game).unwrap();
        let mut opponent = opponent.map_or(Opponent::Chance, |spec| Opponent::Agent(build(spec)));
        let mut agent = build(agent);
        let played = Match { game, agent: agent.as_mut(), opponent: &mut opponent }.play(seed, |_| {});
        FinishedGame { result: GameResult { seconds: 0.0, ..played.result }, ..played }
    }

    #[test]
    fn a_game_is_a_function_of_its_seed() {
        let game = Twenty48::new(Goal::CLASSIC);
        for agent in ["random", "greedy", "rollout:runs=2", "mcts:iterations=20,runs=1"] {
            assert_eq!(play(&game, agent, None, 5), play(&game, agent, None, 5), "{agent}");
            assert_ne!(play(&game, agent, None, 5).last, play(&game, agent, None, 6).last, "{agent}");
        }
    }

    #[test]
    fn the_score_is_the_potential_minus_4_for_each_spawned_4() {
        let game = Twenty48::new(Goal::None);
        let mut agent = "random".parse::<AgentSpec>().unwrap().build(&game).unwrap();
        let mut fours = 0;
        let mut first = None;
        let mut matched = Match { game: &game, agent: agent.as_mut(), opponent: &mut Opponent::Chance };
        let played = matched.play(9, |turn| {
            first.get_or_insert(turn.position);
            let spawned = |board: crate::games::twenty48::Board| board.cells_of(2).count_ones();
            if let Some(reply) = turn.reply {
                fours += spawned(reply) - spawned(turn.step.after);
            }
        });
        let at_start = first.map_or(0, |board| board.cells_of(2).count_ones());
        assert_eq!(played.result.score, i64::from(played.last.potential()) - 4 * i64::from(fours + at_start));
    }

    #[test]
    fn openings_are_random_and_give_both_sides_the_first_move() {
        let (game, mut rng) = (TicTacToe, crate::rng::seeded(3));
        let openings: Vec<String> = (0..400).map(|_| opening(&game, 2, &mut rng).to_string()).collect();
        let marks = |board: &String| board.chars().filter(|mark| "XO".contains(*mark)).count();
        assert!(openings.iter().all(|board| [2, 3].contains(&marks(board))));
        let second = openings.iter().filter(|board| marks(board) == 3).count();
        // 400 draws of one half: within four standard errors.
        assert!((160..=240).contains(&second), "{second}");
        // The mover is X. It has made one move of two, or one of three.
        assert!(openings.iter().all(|board| board.matches('X').count() == 1));
        let distinct: std::collections::HashSet<&String> = openings.iter().collect();
        assert!(distinct.len() > 150, "{}", distinct.len());
    }

    #[test]
    fn an_opening_never_ends_the_game() {
        let (game, mut rng) = (TicTacToe, crate::rng::seeded(4));
        assert!((0..500).all(|_| game.verdict(opening(&game, 6, &mut rng)).is_none()));
        // Nine marks fill the board, so no such opening exists, and the game starts as usual.
        assert_eq!(opening(&game, 9, &mut rng), game.start(&mut rng));
    }

    #[test]
    fn perfect_players_draw_noughts_and_crosses() {
        let played = play(&TicTacToe, "minimax:depth=9", Some("alphabeta:depth=9"), 1);
        assert_eq!((played.result.score, played.outcome, played.result.moves), (0, Outcome::Draw, 5));
    }
}
