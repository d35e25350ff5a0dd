//! Responses, with the headers that isolate a page from other sites.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::web::text::json_island;

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub status: u16,
    pub message: String,
}

impl Refusal {
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Refusal { status, message: message.into() }
    }

    pub fn not_found(what: &str) -> Self {
        Refusal::new(404, format!("there is no {what}"))
    }
}

impl From<crate::params::InputError> for Refusal {
    fn from(error: crate::params::InputError) -> Self {
        Refusal::new(422, error.message)
    }
}

/// Only scripts in files of this server may run. So a label could not run as a script even if it were not escaped.
pub const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A whole answer.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Cow<'static, [u8]>,
    /// The content security policy.
    pub policy: Cow<'static, str>,
}

impl Response {
    pub fn new(content_type: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        Response { status: 200, content_type, body: body.into(), policy: PAGE_POLICY.into() }
    }

    pub fn html(text: String) -> Self {
        Response::new("text/html; charset=utf-8", text.into_bytes())
    }

    pub fn json(value: &Value) -> Self {
        // No text in it can be markup, even if a browser showed it as a page.
        Response::new("application/json", json_island(value).into_bytes())
    }

    pub fn text(text: String) -> Self {
        Response::new("text/plain; charset=utf-8", text.into_bytes())
    }

    /// Programs read the message from JSON.
    pub fn refusal(refusal: &Refusal) -> Self {
        Response { status: refusal.status, ..Response::json(&json!({ "error": refusal.message })) }
    }

    /// Sends the answer.
    pub fn send(&self, out: &mut impl Write, keep_alive: bool) -> io::Result<()> {
        let connection = if keep_alive { "keep-alive" } else { "close" };
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {connection}\r\n\
             Content-Security-Policy: {}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\n\r\n",
            self.status,
            reason(self.status),
            self.content_type,
            self.body.len(),
            self.policy,
        );
        // One write, so that the kernel does not wait for more between head and body.
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(&self.body);
        out.write_all(&bytes)
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Error",
    }
}
