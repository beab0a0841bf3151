//! The sockets of a publisher: one for requests, and one for notifications.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::monitor::Message;
use crate::zmtp::{Peer, Socket, envelope, message};

/// The connections of one socket. A new one ends the oldest.
const MAX_CONNECTIONS: usize = 16;

/// The notifications that wait for a subscriber. More are lost.
const MAX_NOTIFICATIONS: usize = 64;

/// The topics of a subscriber.
const MAX_TOPICS: usize = 16;

/// The time between two looks at what else is to be done.
const PAUSE: Duration = Duration::from_millis(20);

/// After this time, a peer that does not read is disconnected.
const PATIENCE: Duration = Duration::from_secs(1);

/// The subscribers, each with whether its connection is over.
type Subscribers = Arc<Mutex<Vec<(SyncSender<Message>, Arc<AtomicBool>)>>>;

/// Two listening sockets, until this value is dropped.
#[derive(Debug)]
pub(crate) struct Sockets {
    address: SocketAddr,
    is_closed: Arc<AtomicBool>,
    subscribers: Subscribers,
    /// The threads that listen.
    threads: Vec<JoinHandle<()>>,
}

impl Sockets {
    /// Listens at an address, and at the port after it.
    pub(crate) fn bind(
        address: SocketAddr,
        reply: impl Fn(&[Vec<u8>]) -> Message + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let (requests, notifications) = listeners(address)?;
        let address = requests.local_addr()?;
        let (is_closed, subscribers) = (Arc::<AtomicBool>::default(), Subscribers::default());
        let reply = Arc::new(reply);
        let first = accept(requests, is_closed.clone(), move |stream, is_over| {
            let reply = reply.clone();
            // A connection that fails is over.
            spawn(move || _ = serve(stream, &*reply, &is_over))
        })?;
        let all = subscribers.clone();
        let second = accept(notifications, is_closed.clone(), move |stream, is_over| {
            let (sender, receiver) = sync_channel(MAX_NOTIFICATIONS);
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|(_, is_over)| !is_over.load(Ordering::Relaxed));
            all.push((sender, is_over.clone()));
            drop(all);
            spawn(move || _ = notify(stream, &receiver, &is_over))
        })?;
        Ok(Self { address, is_closed, subscribers, threads: vec![first, second] })
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends a notification to all subscribers. Does not wait.
    pub(crate) fn send(&self, message: &Message) {
        let mut all = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(one, _)| !matches!(one.try_send(message.clone()), Err(TrySendError::Disconnected(_))));
    }
}

impl Drop for Sockets {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // It has no result, and the ports are free also after a panic.
            _ = thread.join();
        }
    }
}

/// Listens at two ports. Port 0 is any.
fn listeners(address: SocketAddr) -> io::Result<(TcpListener, TcpListener)> {
    let mut attempts = if address.port() == 0 { 50 } else { 1 };
    loop {
        attempts -= 1;
        let requests = TcpListener::bind(address)?;
        let mut next = requests.local_addr()?;
        let port = match next.port().checked_add(1) {
            Some(port) => port,
            None if attempts > 0 => continue,
            None => return Err(io::Error::new(ErrorKind::InvalidInput, "there is no port after 65535")),
        };
        next.set_port(port);
        match TcpListener::bind(next) {
            Ok(notifications) => return Ok((requests, notifications)),
            Err(error) if attempts == 0 => return Err(error),
            Err(_) => {}
        }
    }
}

fn spawn(run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name("groot2".to_owned()).spawn(run)
}

/// Accepts connections until the sockets are closed.
fn accept(
    listener: TcpListener,
    is_closed: Arc<AtomicBool>,
    serve: impl Fn(TcpStream, Arc<AtomicBool>) -> io::Result<JoinHandle<()>> + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    listener.set_nonblocking(true)?;
    spawn(move || {
        let mut open = VecDeque::<(TcpStream, Arc<AtomicBool>)>::new();
        while !is_closed.load(Ordering::Relaxed) {
            let Ok((stream, _)) = listener.accept() else {
                thread::sleep(PAUSE);
                continue;
            };
            let Ok(copy) = stream.try_clone() else { continue };
            // A connection that is over needs no place.
            open.retain(|(_, is_over)| !is_over.load(Ordering::Relaxed));
            if open.len() >= MAX_CONNECTIONS
                && let Some((oldest, is_over)) = open.pop_front()
            {
                is_over.store(true, Ordering::Relaxed);
                _ = oldest.shutdown(Shutdown::Both);
            }
            let is_over = Arc::<AtomicBool>::default();
            if serve(stream, is_over.clone()).is_ok() {
                open.push_back((copy, is_over));
            }
        }
        for (stream, is_over) in open {
            is_over.store(true, Ordering::Relaxed);
            _ = stream.shutdown(Shutdown::Both);
        }
    })
}

/// A connection with its peer.
struct Connection {
    stream: TcpStream,
    peer: Peer,
    buffer: Vec<u8>,
}

impl Connection {
    fn open(stream: TcpStream, socket: Socket) -> io::Result<Self> {
        let mut connection = Self { stream, peer: Peer::new(socket), buffer: vec![0; 4096] };
        connection.stream.set_nonblocking(false)?;
        connection.stream.set_nodelay(true)?;
        connection.stream.set_read_timeout(Some(PAUSE))?;
        connection.stream.set_write_timeout(Some(PATIENCE))?;
        connection.stream.write_all(&Peer::greeting())?;
        Ok(connection)
    }

    /// Reads what is there. Returns the messages.
    fn read(&mut self) -> io::Result<Vec<Message>> {
        let count = match self.stream.read(&mut self.buffer) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(count) => count,
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) =>
            {
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let mut out = Vec::new();
        let messages = self.peer.receive(&self.buffer[..count], &mut out);
        self.stream.write_all(&out)?;
        messages.map_err(|_| ErrorKind::InvalidData.into())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The thread that listens has a copy, which would keep the connection open.
        _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Marks a connection as over when it is dropped.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Replies to requests until the connection is over.
fn serve(stream: TcpStream, reply: &dyn Fn(&[Vec<u8>]) -> Message, is_over: &AtomicBool) -> io::Result<()> {
    let over = Over(is_over);
    let mut connection = Connection::open(stream, Socket::Rep)?;
    while !over.0.load(Ordering::Relaxed) {
        for request in connection.read()? {
            let Some((mut parts, request)) = envelope(request) else { return Err(ErrorKind::InvalidData.into()) };
            parts.extend(reply(&request));
            connection.stream.write_all(&message(&parts))?;
        }
    }
    Ok(())
}

/// Sends notifications until the connection is over.
fn notify(stream: TcpStream, messages: &Receiver<Message>, is_over: &AtomicBool) -> io::Result<()> {
    let over = Over(is_over);
    let mut connection = Connection::open(stream, Socket::Pub)?;
    let mut topics = Vec::<Vec<u8>>::new();
    while !over.0.load(Ordering::Relaxed) {
        for subscription in connection.read()? {
            match subscription.first().and_then(|part| part.split_first()) {
                Some((1, topic)) if topics.len() < MAX_TOPICS => topics.push(topic.to_vec()),
                Some((0, topic)) => {
                    if let Some(at) = topics.iter().position(|known| known == topic) {
                        topics.swap_remove(at);
                    }
                }
                _ => {}
            }
        }
        for parts in messages.try_iter() {
            let is_wanted = parts.first().is_some_and(|first| topics.iter().any(|topic| first.starts_with(topic)));
            if is_wanted && connection.peer.is_open() {
                connection.stream.write_all(&message(&parts))?;
            }
        }
    }
    Ok(())
}
