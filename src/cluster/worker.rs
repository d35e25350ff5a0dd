//! The worker: plays the games that a leader asks for, until its input ends.

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::message::{Answer, Hello, Numbers, Request, line, numbers};
use super::player::{BuiltPlayer, PlayerText};
use crate::agents::{Agent, Factory};
use crate::games::twenty48::Twenty48;
use crate::learn::play_seeds;
use crate::play::{GameResult, Match, Opponent};

/// Sends the greeting, and then plays the requested games on this many threads. Returns at the end of the input,
/// because nobody needs the games that are still being played then.
pub fn serve(threads: usize, input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?;
    let output = Arc::new(Mutex::new(output));
    say(&output, &Answer::Hello(Hello::of_this_process(threads)))?;
    let mut players = Players::default();
    for text in input.lines() {
        let request = serde_json::from_str(&text?).map_err(|error| io::Error::other(format!("the leader: {error}")))?;
        match request {
            Request::Player { player, part, last } => players.add(player, &part, last)?,
            Request::Forget { player } => players.forget(player),
            Request::Play { id, player, seeds } => {
                let (player, output) = (players.get(player)?, output.clone());
                // If the leader has ended, no answer is needed, and the input ends as well.
                pool.spawn_fifo(move || drop(say(&output, &player.answer(id, &seeds))));
            }
        }
    }
    Ok(())
}

fn say(output: &Mutex<impl Write>, answer: &Answer) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    output.write_all(line(answer).as_bytes())?;
    output.flush()
}

/// The players that the leader has described.
#[derive(Default)]
struct Players {
    begun: HashMap<u64, String>,
    known: HashMap<u64, Arc<Player>>,
}

impl Players {
    fn add(&mut self, player: u64, part: &str, last: bool) -> io::Result<()> {
        self.begun.entry(player).or_default().push_str(part);
        if last {
            let text = self.begun.remove(&player).unwrap_or_default();
            self.known.insert(player, Arc::new(Player::new(serde_json::from_str(&text)?)));
        }
        Ok(())
    }

    fn get(&self, player: u64) -> io::Result<Arc<Player>> {
        let unknown = || io::Error::other(format!("the leader has not described player {player}"));
        self.known.get(&player).cloned().ok_or_else(unknown)
    }

    fn forget(&mut self, player: u64) {
        self.known.remove(&player);
    }
}

/// A player, which the first thread that needs it builds.
struct Player {
    text: PlayerText,
    built: OnceLock<Result<BuiltPlayer, String>>,
    /// Agents that no thread uses at the moment.
    idle: Mutex<Vec<Box<dyn Agent<Twenty48>>>>,
}

impl Player {
    fn new(text: PlayerText) -> Self {
        Player { text, built: OnceLock::new(), idle: Mutex::new(Vec::new()) }
    }

    fn answer(&self, id: u64, seeds: &[u64]) -> Answer {
        match self.play(seeds) {
            Ok((games, met_limit)) => Answer::Played { id, games, met_limit },
            Err(why) => Answer::Failed { id, why },
        }
    }

    /// The games, and the indices of those that had two of the largest tiles.
    fn play(&self, seeds: &[u64]) -> Result<(Vec<Numbers>, Vec<usize>), String> {
        let built = self.built.get_or_init(|| self.text.build().map_err(|error| error.message));
        match built.as_ref().map_err(Clone::clone)? {
            BuiltPlayer::Agent(game, factory) => Ok((self.play_agent(game, factory, seeds)?, Vec::new())),
            BuiltPlayer::Network(network) => {
                let finished = play_seeds(network, seeds);
                let met_limit = finished.iter().enumerate().filter(|(_, game)| game.met_limit).map(|(place, _)| place);
                Ok((finished.iter().map(|game| numbers(&GameResult::from(game))).collect(), met_limit.collect()))
            }
        }
    }

    fn play_agent(&self, game: &Twenty48, factory: &Factory<Twenty48>, seeds: &[u64]) -> Result<Vec<Numbers>, String> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut agent = match waiting {
            Some(agent) => agent,
            None => factory().map_err(|error| error.message)?,
        };
        let mut play = |seed: &u64| {
            let mut players = Match { game, agent: agent.as_mut(), opponent: &mut Opponent::Chance };
            numbers(&players.play(*seed, |_| {}).result)
        };
        let games = seeds.iter().map(&mut play).collect();
        idle().push(agent);
        Ok(games)
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::{game, player_lines};
    use super::super::player::AgentText;
    use super::*;
    use crate::agents::AgentSpec;
    use crate::heuristics::Heuristic;
    use std::sync::mpsc::{Sender, channel};

    /// Passes on every line that is written.
    struct Lines(Sender<Answer>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.send(serde_json::from_slice(bytes)?).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn heuristic() -> Heuristic {
        Heuristic::load(&"basic".into()).unwrap()
    }

    fn description(agent: &str) -> String {
        let agent: AgentSpec = agent.parse().unwrap();
        let text = AgentText::new(&Twenty48::new("64".parse().unwrap()), &agent, Some(&heuristic()));
        let text = PlayerText::Agent(text);
        player_lines(5, &serde_json::to_string(&text).unwrap())
    }

    #[test]
    fn games_are_those_that_the_leader_would_play() {
        let seeds = vec![1, 2, 3];
        let input = description("greedy") + &line(&Request::Play { id: 9, player: 5, seeds: seeds.clone() });
        let (sender, answers) = channel();
        serve(1, input.as_bytes(), Lines(sender)).unwrap();
        let Ok(Answer::Hello(hello)) = answers.recv() else { panic!("no greeting") };
        assert_eq!(Hello::of_this_process(1).objection(&hello), None);
        let Ok(Answer::Played { id: 9, games, .. }) = answers.recv() else { panic!("no games") };
        let goal = Twenty48::new("64".parse().unwrap());
        let mut agent = "greedy".parse::<AgentSpec>().unwrap().factory_with(&goal, &heuristic()).unwrap()().unwrap();
        for (seed, played) in seeds.into_iter().zip(games) {
            let mut here = Match { game: &goal, agent: agent.as_mut(), opponent: &mut Opponent::Chance };
            assert!(here.play(seed, |_| {}).result.is_same_game(&game(seed, played)));
        }
    }

    #[test]
    fn malformed_requests_are_errors_and_not_panics() {
        let (sender, _answers) = channel();
        let play = line(&Request::Play { id: 1, player: 8, seeds: vec![1] });
        for input in ["hello\n".to_string(), play, player_lines(1, "{}"), "{\"Play\":{}}\n".into()] {
            assert!(serve(1, input.as_bytes(), Lines(sender.clone())).is_err(), "{input}");
        }
    }

    #[test]
    fn a_player_that_cannot_be_built_is_reported_with_the_reason() {
        let broken = description("greedy").replace("greedy", "gredy");
        let (sender, answers) = channel();
        let input = broken + &line(&Request::Play { id: 2, player: 5, seeds: vec![1] });
        serve(1, input.as_bytes(), Lines(sender)).unwrap();
        let failed = answers.iter().nth(1).unwrap();
        assert!(
            matches!(&failed, Answer::Failed { id: 2, why } if why.contains("did you mean `greedy`")),
            "{failed:?}"
        );
    }
}
