//! Reads one HTTP/1.1 request, with limits on its size and on the time that it may take.

use std::io;
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::response::Refusal;

/// The request line with all headers. Browsers stay below 2 KB when there are no cookies.
const MOST_HEAD: usize = 16 << 10;
const MOST_HEADERS: usize = 64;
/// The record of a game of 100,000 moves has about 1.5 MB.
pub const MOST_BODY: usize = 4 << 20;
/// A request that has begun must be complete within this time.
const READ_TIME: Duration = Duration::from_secs(10);
/// A connection without a request is closed after this time.
const IDLE_TIME: Duration = Duration::from_secs(30);

/// The methods that the server accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
}

/// A request within the limits.
#[derive(Debug)]
pub struct Request {
    pub method: Method,
    /// Without the query.
    pub path: String,
    pub query: String,
    pub body: Vec<u8>,
    pub keep_alive: bool,
    headers: Vec<(String, String)>,
}

/// The result of reading a request.
#[derive(Debug)]
pub enum Received {
    Request(Request),
    /// A request that is refused.
    Refused(Refusal),
    /// The connection was closed, or nothing arrived for too long.
    Closed,
}

impl Request {
    /// The value of a header, which is looked up without regard to case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// How often a header occurs.
    pub fn header_count(&self, name: &str) -> usize {
        self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name)).count()
    }

    /// The value of a query parameter. Names of runs need no percent signs, so none are decoded.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// Waits for a request and reads it. `left` holds bytes that came after the last request, and those after this one.
pub fn receive(stream: &mut impl Connection, left: &mut Vec<u8>) -> Received {
    match read(stream, left) {
        Ok(received) => received,
        Err(error) if is_timeout(&error) && !left.is_empty() => {
            Received::Refused(Refusal::new(408, "the request took too long to arrive"))
        }
        Err(_) => Received::Closed,
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn read(stream: &mut impl Connection, bytes: &mut Vec<u8>) -> io::Result<Received> {
    let mut deadline = None;
    loop {
        match parse_head(bytes) {
            Head::Whole(request, length) => {
                let deadline = deadline.unwrap_or_else(|| Instant::now() + READ_TIME);
                return read_body(stream, bytes, request, length, deadline);
            }
            Head::Refused(refusal) => return Ok(Received::Refused(refusal)),
            Head::Partial => {}
        }
        stream.wait_at_most(time_left(deadline, IDLE_TIME)?)?;
        if read_some(stream, bytes)? == 0 {
            return Ok(Received::Closed);
        }
        deadline.get_or_insert_with(|| Instant::now() + READ_TIME);
    }
}

/// The time until a deadline, which is an error once it has passed.
fn time_left(deadline: Option<Instant>, without: Duration) -> io::Result<Duration> {
    let Some(deadline) = deadline else { return Ok(without) };
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

fn read_some(stream: &mut impl Connection, bytes: &mut Vec<u8>) -> io::Result<usize> {
    let mut buffer = [0; 8192];
    let read = stream.read(&mut buffer)?;
    bytes.extend_from_slice(buffer.get(..read).unwrap_or_default());
    Ok(read)
}

/// The result of parsing the bytes that have arrived so far.
enum Head {
    Partial,
    /// With the bytes that the head takes.
    Whole(Request, usize),
    Refused(Refusal),
}

fn parse_head(bytes: &[u8]) -> Head {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) if length <= MOST_HEAD => match checked(&parsed) {
            Ok(request) => Head::Whole(request, length),
            Err(refusal) => Head::Refused(refusal),
        },
        Ok(httparse::Status::Partial) if bytes.len() < MOST_HEAD => Head::Partial,
        Ok(_) | Err(httparse::Error::TooManyHeaders) => Head::Refused(Refusal::new(431, "the headers are too large")),
        Err(error) => Head::Refused(Refusal::new(400, format!("this is not an HTTP request: {error}"))),
    }
}

fn checked(parsed: &httparse::Request) -> Result<Request, Refusal> {
    let method = match parsed.method {
        Some("GET") => Method::Get,
        Some("POST") => Method::Post,
        _ => return Err(Refusal::new(405, "only GET and POST are answered here")),
    };
    let target = parsed.path.unwrap_or_default();
    if !target.starts_with('/') {
        return Err(Refusal::new(400, "the path must start with a slash"));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let headers = parsed.headers.iter().map(|header| (header.name.to_string(), text(header.value))).collect();
    let (path, query) = (path.to_string(), query.to_string());
    let request = Request { method, path, query, body: Vec::new(), keep_alive: true, headers };
    // A body whose length is given in two ways could be read in two ways.
    if request.header("transfer-encoding").is_some() || request.header_count("content-length") > 1 {
        return Err(Refusal::new(411, "the length of the body must be given once, by Content-Length"));
    }
    let closes = request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    Ok(Request { keep_alive: !closes && parsed.version == Some(1), ..request })
}

fn read_body(
    stream: &mut impl Connection,
    bytes: &mut Vec<u8>,
    mut request: Request,
    head: usize,
    deadline: Instant,
) -> io::Result<Received> {
    let Some(length) = request.header("content-length").map_or(Some(0), |text| text.parse::<usize>().ok()) else {
        return Ok(Received::Refused(Refusal::new(400, "Content-Length is not a number")));
    };
    if length > MOST_BODY {
        let message = format!("the body has {length} bytes, but at most {MOST_BODY} are read");
        return Ok(Received::Refused(Refusal::new(413, message)));
    }
    while bytes.len() < head + length {
        stream.wait_at_most(time_left(Some(deadline), READ_TIME)?)?;
        if read_some(stream, bytes)? == 0 {
            return Ok(Received::Closed);
        }
    }
    let rest = bytes.split_off(head + length);
    request.body = bytes.split_off(head);
    *bytes = rest;
    Ok(Received::Request(request))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::server::connection::Memory;

    /// Reads these bytes from a client that sends nothing more.
    fn received(bytes: &[u8]) -> Received {
        receive(&mut Memory::new(bytes), &mut Vec::new())
    }

    fn status(bytes: &[u8]) -> u16 {
        match received(bytes) {
            Received::Refused(refusal) => refusal.status,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_request_is_read_with_its_body() {
        let text = b"POST /api/x?a=1&b=2 HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\n\r\nbodyrest";
        let Received::Request(request) = received(text) else { panic!() };
        assert_eq!((request.method, request.path.as_str()), (Method::Post, "/api/x"));
        assert_eq!((request.parameter("b"), request.header("HOST")), (Some("2"), Some("here")));
        assert_eq!((request.body.as_slice(), request.keep_alive), (b"body".as_slice(), true));
    }

    #[test]
    fn malformed_and_oversized_requests_are_refused() {
        assert_eq!(status(b"nonsense\r\n\r\n"), 400);
        assert_eq!(status(b"DELETE / HTTP/1.1\r\n\r\n"), 405);
        assert_eq!(status(b"GET http://elsewhere/ HTTP/1.1\r\n\r\n"), 400);
        assert_eq!(status(b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"), 400);
        assert_eq!(status(b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n"), 413);
        assert_eq!(status(b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"), 411);
        assert_eq!(status(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 411);
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(MOST_HEAD));
        assert_eq!(status(long.as_bytes()), 431);
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(MOST_HEADERS + 1));
        assert_eq!(status(many.as_bytes()), 431);
    }

    #[test]
    fn an_incomplete_request_is_no_request() {
        assert!(matches!(received(b"GET / HT"), Received::Closed));
        assert!(matches!(received(b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf"), Received::Closed));
    }
}
