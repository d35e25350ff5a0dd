//! The connections of the server: a socket, or bytes in memory for tests.

use std::io::{self, Cursor, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// A connection to a page.
pub trait Connection: Read + Write + Sync {
    /// Reading fails with a timeout if nothing arrives for this time.
    fn wait_at_most(&self, time: Duration) -> io::Result<()>;

    /// Whether the other side has closed the connection.
    fn is_closed(&self) -> bool;
}

impl Connection for TcpStream {
    fn wait_at_most(&self, time: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(time))
    }

    fn is_closed(&self) -> bool {
        let looked = self.set_nonblocking(true).and_then(|()| self.peek(&mut [0]));
        let restored = self.set_nonblocking(false);
        restored.is_err() || matches!(looked, Ok(0)) || looked.is_err_and(|error| error.kind() != ErrorKind::WouldBlock)
    }
}

/// A client in memory, which sends fixed bytes and collects the answers. It lets tests and fuzzing do without sockets.
pub struct Memory<'a> {
    sent: Cursor<&'a [u8]>,
    /// The bytes that the server has sent.
    pub answers: Vec<u8>,
}

impl<'a> Memory<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Memory { sent: Cursor::new(bytes), answers: Vec::new() }
    }
}

impl Read for Memory<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.sent.read(buffer)
    }
}

impl Write for Memory<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.answers.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Connection for Memory<'_> {
    fn wait_at_most(&self, _: Duration) -> io::Result<()> {
        Ok(())
    }

    fn is_closed(&self) -> bool {
        false
    }
}
