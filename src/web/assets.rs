//! Style sheets and scripts, embedded in the program.

use super::server::{Refusal, Response};

macro_rules! assets {
    ($($name:literal: $kind:expr,)*) => {
        /// The file of this name.
        pub fn asset(name: &str) -> Result<Response, Refusal> {
            match name {
                $($name => Ok(Response::new($kind, include_bytes!(concat!("assets/", $name)).as_slice())),)*
                _ => Err(Refusal::not_found("asset of this name")),
            }
        }
    };
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

assets! {
    "style.css": CSS,
    "icon.svg": "image/svg+xml",
    "base.js": SCRIPT,
    "drawing.js": SCRIPT,
    "board.js": SCRIPT,
    "play.js": SCRIPT,
    "forms.js": SCRIPT,
    "tree.js": SCRIPT,
    "growth.js": SCRIPT,
    "playouts.js": SCRIPT,
    "analysis.js": SCRIPT,
    "runs.js": SCRIPT,
}
