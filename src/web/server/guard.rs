//! Accepts requests from pages of this server alone.
//!
//! A page of another site can make a browser send requests to 127.0.0.1. With DNS rebinding it can even appear to have
//! the same origin. The Host header then has the name of the other site, so requests with another Host are refused.

use super::request::{Method, Request};
use super::response::Refusal;

/// Refuses a request that does not come from a page of the server at this port.
pub fn check(request: &Request, port: u16) -> Result<(), Refusal> {
    if request.header_count("host") != 1 || !request.header("host").is_some_and(|host| is_ours(host, port)) {
        return Err(Refusal::new(403, "the Host header does not name this server"));
    }
    let is_foreign = |origin: &str| !origin.strip_prefix("http://").is_some_and(|host| is_ours(host, port));
    if request.header("origin").is_some_and(is_foreign) {
        return Err(Refusal::new(403, "the request comes from a page of another origin"));
    }
    // A link on another page may open ours; nothing else from another site may reach it.
    let from_elsewhere = matches!(request.header("sec-fetch-site"), Some("cross-site" | "same-site"));
    let is_link = request.method == Method::Get && request.header("sec-fetch-mode") == Some("navigate");
    if from_elsewhere && !is_link {
        return Err(Refusal::new(403, "the request comes from another site"));
    }
    // Forms of other pages can send text. Before they send JSON, the browser must ask this server for permission.
    let is_json = request.header("content-type").is_some_and(|kind| kind.starts_with("application/json"));
    if request.method == Method::Post && !is_json {
        return Err(Refusal::new(415, "the body must be JSON"));
    }
    Ok(())
}

fn is_ours(host: &str, port: u16) -> bool {
    let Some((name, number)) = host.rsplit_once(':') else { return port == 80 && is_this_machine(host) };
    is_this_machine(name) && number == port.to_string()
}

fn is_this_machine(name: &str) -> bool {
    name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost")
}
