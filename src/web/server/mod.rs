//! A small HTTP server for one user on one machine.
//!
//! It listens on 127.0.0.1 alone. Each connection has a thread of its own. The number of connections, the size of a
//! request, the time for reading it and the time for a search are bounded, so a broken page cannot exhaust the machine.

mod connection;
mod guard;
mod request;
mod response;

pub use request::{Method, Request};
pub use response::{Refusal, Response};

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use connection::{Connection, Memory};
use request::{Received, receive};

/// Connections that are served at the same time. A browser opens six for each page.
const MOST_CONNECTIONS: usize = 512;
/// A page that takes longer than this to read its answer is disconnected.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// How often the server checks whether it should stop.
const STOP_INTERVAL: Duration = Duration::from_millis(100);

/// Answers requests.
pub trait Handler: Send + Sync + 'static {
    /// The answer. `page` says whether the page still waits for it.
    fn answer(&self, request: &Request, page: &Page) -> Result<Response, Refusal>;
}

/// The page that waits for an answer.
pub struct Page<'a> {
    connection: &'a dyn Connection,
}

impl<'a> Page<'a> {
    /// The page at the other end of a connection.
    pub fn of(connection: &'a impl Connection) -> Self {
        Page { connection }
    }

    /// Whether the page has been closed, so that the answer will not be read. Only one thread may ask at a time.
    pub fn is_gone(&self) -> bool {
        self.connection.is_closed()
    }
}

/// A server that has its port and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes a port of this machine; 0 takes any that is free.
    pub fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address })
    }

    /// The port that it has.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Answers requests until `stop` is set.
    pub fn run(self, handler: impl Handler, stop: &'static AtomicBool) {
        let (handler, open) = (Arc::new(handler), Arc::new(AtomicUsize::new(0)));
        let address = self.address;
        // `accept` blocks, so a connection is opened to end it when the server should stop.
        let watch = move || {
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(STOP_INTERVAL);
            }
            let _ = TcpStream::connect(address);
        };
        let _ = thread::Builder::new().name("stop".into()).spawn(watch);
        for stream in self.listener.incoming() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            match stream {
                Ok(stream) => serve(stream, &handler, &open, address.port()),
                // No file handle is free: wait until other connections end.
                Err(_) => thread::sleep(STOP_INTERVAL),
            }
        }
    }
}

/// Serves a connection on its own thread, or answers that there are too many connections.
fn serve(mut stream: TcpStream, handler: &Arc<impl Handler>, open: &Arc<AtomicUsize>, port: u16) {
    let (_, handler, slot) = (stream.set_nodelay(true), handler.clone(), Slot::take(open));
    let Some(slot) = slot else {
        let refusal = Refusal::new(503, "too many connections; close some pages of this server");
        let _ = Response::refusal(&refusal).send(&mut stream, false);
        return;
    };
    let work = move || {
        let _slot = slot;
        if stream.set_write_timeout(Some(WRITE_TIME)).is_ok() {
            converse(&mut stream, handler.as_ref(), port);
        }
    };
    // Without a thread the connection is closed, and the page tries again.
    let _ = thread::Builder::new().name("page".into()).spawn(work);
}

/// One of the connections that are open at the same time.
struct Slot(Arc<AtomicUsize>);

impl Slot {
    fn take(open: &Arc<AtomicUsize>) -> Option<Slot> {
        let slot = Slot(open.clone());
        (open.fetch_add(1, Ordering::Relaxed) < MOST_CONNECTIONS).then_some(slot)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The answers of the server to these bytes, without a socket. For tests and fuzzing.
pub fn answers(bytes: &[u8], handler: &impl Handler, port: u16) -> Vec<u8> {
    let mut client = Memory::new(bytes);
    converse(&mut client, handler, port);
    client.answers
}

/// Answers the requests of one connection until it is closed.
fn converse(connection: &mut impl Connection, handler: &impl Handler, port: u16) {
    let mut left = Vec::new();
    loop {
        let (response, keep_alive) = match receive(connection, &mut left) {
            Received::Closed => return,
            // After a malformed request the start of the next one is unknown.
            Received::Refused(refusal) => (Response::refusal(&refusal), false),
            Received::Request(request) => (respond(&request, connection, handler, port), request.keep_alive),
        };
        if response.send(connection, keep_alive).is_err() || !keep_alive {
            return;
        }
    }
}

fn respond(request: &Request, connection: &impl Connection, handler: &impl Handler, port: u16) -> Response {
    let answer = guard::check(request, port).and_then(|()| handler.answer(request, &Page::of(connection)));
    answer.unwrap_or_else(|refusal| Response::refusal(&refusal))
}
