//! A recorded game as an agent sees it: its value of each position, and what each move lost.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::limits::bounded;
use crate::agents::Agent;
use crate::explain::show_value;
use crate::games::Game;
use crate::heuristics::Playable;
use crate::record::{Header, Record};
use crate::rng::{agent_seed, derive};
use crate::spec::{GameSpec, GameTask};
use crate::web::server::{Page, Refusal};

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
    /// Analyses moves until the time is over or the page has gone.
    pub fn run(&self, results: &Path, page: &Page) -> Result<Value, Refusal> {
        let header = Header::read(&self.record).map_err(|error| Refusal::new(422, error.to_string()))?;
        let spec = GameSpec::new(&header.game, header.goal.as_deref())?;
        spec.with(Analyse { request: self, results, page })
    }
}

struct Analyse<'a> {
    request: &'a AnalysisRequest,
    results: &'a Path,
    page: &'a Page<'a>,
}

impl GameTask for Analyse<'_> {
    type Output = Result<Value, Refusal>;

    fn run<G: Playable>(self, game: G) -> Self::Output {
        let AnalysisRequest { record, agent, from } = self.request;
        let record = Record::read(&game, record).map_err(|damage| Refusal::new(422, damage.to_string()))?;
        let spec = bounded::<G>(agent, self.results)?;
        let mut agent = spec.build(&game)?;
        let (began, mut rows, mut next) = (Instant::now(), Vec::new(), *from);
        while next < record.moves.len() && rows.len() < MOST_MOVES {
            if self.page.is_gone() || (!rows.is_empty() && began.elapsed() > TIME) {
                break;
            }
            // Each position has its own randomness, so that parts of a game agree with the whole.
            agent.reset(derive(agent_seed(record.header.seed), next as u64));
            rows.extend(row(&game, agent.as_mut(), &record, next));
            next += 1;
        }
        Ok(json!({ "moves": record.moves.len(), "player": record.header.agent, "next": next, "rows": rows }))
    }
}

/// What the agent makes of one move of the game.
fn row<G: Game>(game: &G, agent: &mut dyn Agent<G>, record: &Record<G>, index: usize) -> Option<Value> {
    let made = record.moves.get(index)?;
    let position =
        index.checked_sub(1).map_or(Some(record.start), |last| record.moves.get(last).map(|made| made.next()))?;
    let score = record.rewards(index);
    let decision = agent.evaluate(position, score)?;
    let value = |action: G::Move| decision.values.iter().find(|(known, _)| *known == action).map(|(_, value)| *value);
    let (played, best) = (value(made.step.action)?, value(decision.choice)?);
    Some(json!({
        "number": index,
        "board": position.to_string(),
        "score": score,
        "played": made.step.action.to_string(),
        "best": decision.choice.to_string(),
        "value": best.is_finite().then_some(best),
        "valuePlayed": show_value(played),
        "valueBest": show_value(best),
        "loss": (best - played).is_finite().then_some((best - played).max(0.0)),
        "reply": made.reply.map(|reply| game.reply_label(made.step.after, reply)),
    }))
}
