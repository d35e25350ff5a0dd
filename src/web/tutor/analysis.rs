//! The analysis of a recorded game by an agent: its value of each position, and the loss of each move.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::limits::bounded;
use crate::agents::StopFlag;
use crate::explain::show_value;
use crate::games::is_win;
use crate::heuristics::Playable;
use crate::record::{Header, MoveAnalysis, Record};
use crate::rng::{agent_seed, derive};
use crate::spec::{GameSpec, GameTask};
use crate::web::server::Refusal;

/// A page asks for a part of a game at a time, so that it can draw while the rest is analysed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    record: String,
    agent: String,
    /// The first move to look at, from 0.
    from: usize,
}

/// An answer is sent after this time, with as many moves as were done.
const TIME: Duration = Duration::from_millis(700);
/// More moves than this make an answer that the page draws with a delay.
const MOST_MOVES: usize = 400;

impl AnalysisRequest {
    /// Analyses moves until the time is over or the page is closed.
    pub fn run(&self, results: &Path, stop: StopFlag) -> Result<Value, Refusal> {
        let header = Header::read(&self.record).map_err(|error| Refusal::new(422, error.to_string()))?;
        let spec = GameSpec::new(&header.game, header.goal.as_deref())?;
        spec.with(Analyse { request: self, results, stop })
    }
}

struct Analyse<'a> {
    request: &'a AnalysisRequest,
    results: &'a Path,
    stop: StopFlag,
}

impl GameTask for Analyse<'_> {
    type Output = Result<Value, Refusal>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let AnalysisRequest { record, agent, from } = self.request;
        let record = Record::read(&game, record).map_err(|damage| Refusal::new(422, damage.to_string()))?;
        let spec = bounded::<G>(agent, self.results)?;
        let mut agent = spec.build(&game)?;
        agent.stop_on(self.stop);
        let (began, mut rows, mut next) = (Instant::now(), Vec::new(), *from);
        while next < record.moves.len() && rows.len() < MOST_MOVES {
            if self.stop.is_set() || (!rows.is_empty() && began.elapsed() > TIME) {
                break;
            }
            // Each position has its own randomness, so that parts of a game agree with the whole.
            agent.reset(derive(agent_seed(record.header.seed), next as u64));
            let about = MoveAnalysis::of(&record, next, record.rewards(next), agent.as_mut())?;
            rows.push(to_json(&about));
            next += 1;
        }
        Ok(json!({ "moves": record.moves.len(), "player": record.header.agent, "next": next, "rows": rows }))
    }
}

fn to_json(about: &MoveAnalysis) -> Value {
    let finite = |value: f64| value.is_finite().then_some(value);
    json!({
        "number": about.number - 1,
        "board": about.board,
        "score": about.score,
        "played": about.played,
        "best": about.preferred,
        "value": finite(about.best_value).filter(|value| !is_win(*value)),
        "valuePlayed": show_value(about.played_value),
        "valueBest": show_value(about.best_value),
        "loss": if about.differs() { finite(about.loss()).filter(|loss| !is_win(*loss)) } else { Some(0.0) },
        "differs": about.differs(),
    })
}
