//! Maps paths to answers.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::runs::{self, Headlines, RunState};
use super::searches::Searches;
use super::server::{Handler, Method, Page, Refusal, Request, Response};
use super::tutor::{
    self, AnalysisRequest, Ask, Distributions, GameAction, Games, Growth, Opening, Question, SearchTree,
};
use super::{assets, pages, report};

/// Nodes of a search tree that a page can draw and collapse without delay.
const DRAWN_NODES: u64 = 1500;

/// The pages and their data.
pub struct Site {
    results: PathBuf,
    games: Mutex<Games>,
    headlines: Mutex<Headlines>,
    searches: Searches,
}

impl Site {
    /// The site of a results folder.
    pub fn new(results: PathBuf) -> Self {
        Site { results, games: Mutex::default(), headlines: Mutex::default(), searches: Searches::default() }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        // A game is changed in one step, so a panic in another thread cannot leave it in an invalid state.
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, request: &Request, path: &[&str]) -> Result<Response, Refusal> {
        match path {
            [""] => Ok(Response::html(runs::home_page(&self.results))),
            ["runs", name] => self.run(name),
            ["compare"] => {
                let run = |key: &str| request.parameter(key).unwrap_or_default();
                Ok(Response::html(runs::compare_page(&self.results, run("a"), run("b"))?))
            }
            ["api", "runs"] => {
                let mut headlines = self.headlines.lock().unwrap_or_else(PoisonError::into_inner);
                Ok(Response::json(&headlines.list(&self.results)?))
            }
            ["api", "runs", name] => Ok(Response::json(&runs::live(&self.results, name)?)),
            ["play"] => Ok(Response::html(pages::play())),
            ["assets", name] => assets::asset(name),
            ["api", "catalog"] => Ok(Response::json(&tutor::catalog(&self.results))),
            ["api", "games", number] => Ok(Response::json(&self.games().state(id(number)?)?)),
            ["api", "games", number, "record"] => {
                let text = self.games().record(id(number)?, "a person in the browser", None)?;
                Ok(Response::text(text))
            }
            _ => Err(Refusal::not_found(&format!("page at {}", super::text::label(&request.path)))),
        }
    }

    /// The report of a run that is finished, or the live page of one that is not.
    fn run(&self, name: &str) -> Result<Response, Refusal> {
        let folder = runs::folder(&self.results, name)?;
        if runs::state(&folder).0 != RunState::Finished {
            return Ok(Response::html(runs::live_page(name)));
        }
        let page = report::render(&folder)
            .map_err(|error| Refusal::new(503, format!("the report cannot be made: {error}")))?;
        Ok(Response { policy: report::policy().into(), ..Response::html(page) })
    }

    fn post(&self, request: &Request, path: &[&str], page: &Page) -> Result<Response, Refusal> {
        match path {
            ["api", "games"] => Ok(Response::json(&self.games().open(read::<Opening>(request)?)?)),
            ["api", "games", number] => {
                let action = read::<GameAction>(request)?;
                Ok(Response::json(&self.games().act(id(number)?, action)?))
            }
            ["api", "values"] => self.ask(request, page, tutor::Values),
            ["api", "tree"] => self.ask(request, page, SearchTree { max_nodes: DRAWN_NODES }),
            ["api", "playouts"] => self.ask(request, page, Distributions),
            ["api", "growth"] => self.ask(request, page, Growth),
            ["api", "analysis"] => {
                let asked = read::<AnalysisRequest>(request)?;
                self.searches.run(page, |stop| asked.run(&self.results, stop)).map(|found| Response::json(&found))
            }
            _ => Err(Refusal::not_found("service at this address")),
        }
    }

    /// Answers a question about a position by a search.
    fn ask(&self, request: &Request, page: &Page, ask: impl Ask<Output = Value>) -> Result<Response, Refusal> {
        let question = read::<Question>(request)?;
        self.searches.run(page, |stop| question.with(&self.results, stop, ask)).map(|found| Response::json(&found))
    }
}

impl Handler for Site {
    fn answer(&self, request: &Request, page: &Page) -> Result<Response, Refusal> {
        let path: Vec<&str> = request.path.split('/').skip(1).collect();
        match request.method {
            Method::Get if matches!(path[..], ["api" | "assets", ..]) => self.get(request, &path),
            Method::Get => Ok(self.get(request, &path).unwrap_or_else(|refusal| error_page(&refusal))),
            Method::Post => self.post(request, &path, page),
        }
    }
}

/// A person who asked for a page gets the reason as a page, and not as JSON.
fn error_page(refusal: &Refusal) -> Response {
    Response { status: refusal.status, ..Response::html(pages::refusal(&refusal.message)) }
}

fn id(text: &str) -> Result<u64, Refusal> {
    text.parse().map_err(|_| Refusal::not_found("game of this number"))
}

/// The body as JSON of the expected form.
fn read<T: DeserializeOwned>(request: &Request) -> Result<T, Refusal> {
    serde_json::from_slice(&request.body)
        .map_err(|error| Refusal::new(400, format!("the body is not as expected: {error}")))
}
