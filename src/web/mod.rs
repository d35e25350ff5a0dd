//! The browser: reports, the dashboard of runs, and the tutor as a page.
//!
//! Everything that a page needs is embedded in the program. The server reads the results folder and never writes to it.

mod assets;
mod files;
mod pages;
pub(crate) mod report;
mod runs;
mod searches;
mod server;
mod site;
mod text;
mod tutor;

pub use server::{Server, answers};
pub use site::Site;
