//! Bytes that a browser, or something else, sends to the server.

use lab2048::web::{Site, answers};

use super::fuzz;
use crate::Trial;

const PORT: u16 = 2048;

/// A request as a page of the server makes it.
fn request(line: &str, body: &str) -> String {
    let content = match body.len() {
        0 => String::new(),
        length => format!("Content-Type: application/json\r\nContent-Length: {length}\r\n"),
    };
    format!("{line} HTTP/1.1\r\nHost: localhost:{PORT}\r\nOrigin: http://localhost:{PORT}\r\n{content}\r\n{body}")
}

/// Questions about positions of a game that is solved at once.
fn questions() -> Vec<String> {
    let question =
        |agent: &str| format!(r#"{{"game":"tic-tac-toe","board":"x.o/.x./o..","score":0,"agent":"{agent}","seed":1}}"#);
    let record = r#"{"record":"game = 2048\n","agent":"greedy","from":0}"#;
    let game = r#"{"game":"2048","goal":"none","seed":3}"#;
    vec![
        request("POST /api/games", game),
        request("POST /api/games/1", r#"{"do":"move","move":"left"}"#),
        request("POST /api/values", &question("greedy")),
        request("POST /api/tree", &question("alphabeta:depth=2")),
        request("POST /api/growth", &question("mcts:iterations=9,runs=1")),
        request("POST /api/analysis", record),
    ]
}

/// Whatever is sent, the server answers or closes the connection.
pub fn requests(trial: &mut Trial) -> Result<u64, String> {
    let paths = ["/", "/runs/none", "/compare?a=x&b=y", "/api/runs", "/api/games/1/record", "/assets/play.js"];
    let pages = paths.iter().map(|path| request(&format!("GET {path}"), ""));
    let valid: Vec<String> = pages.chain(questions()).collect();
    let folder = trial.setup.folder();
    let site = Site::new(folder.path().to_path_buf());
    for bytes in &valid {
        let answer = answers(bytes.as_bytes(), &site, PORT);
        if !answer.starts_with(b"HTTP/1.1 ") {
            return Err(format!("no answer to {bytes:?}"));
        }
    }
    fuzz(trial, 5000, "a request", &valid, |input| drop(answers(input, &site, PORT)))
}
