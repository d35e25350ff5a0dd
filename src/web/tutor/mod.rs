//! The tutor in the browser: play, ask, follow a search, analyse a game.
//!
//! The games are the sessions of [`crate::tutor`], the trees those of [`crate::explain`]; this module turns requests
//! into questions to them and answers into JSON. Every search has a limit ([`limits`]).

mod advice;
mod analysis;
mod catalog;
mod games;
mod limits;
mod playouts;
mod slides;

pub use advice::{Ask, Growth, Question, SearchTree, Values};
pub use analysis::AnalysisRequest;
pub use catalog::catalog;
pub use games::{GameAction, Games, Opening};
pub use playouts::Distributions;
