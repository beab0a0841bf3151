//! ZMTP 3.0, the protocol of `ZeroMQ` over TCP, for the side that listens: without input and output, and without encryption.
//!
//! The crate `zeromq` is not used here because it allocates whatever length a peer announces, which ends the program.

use std::collections::VecDeque;

use crate::monitor::Message;

/// The bytes that a peer can send in one message.
const MAX_MESSAGE: usize = 1 << 20;

/// The parts of one message.
const MAX_PARTS: usize = 16;

/// The type of a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Socket {
    Rep,
    Pub,
}

/// A peer does not follow the protocol, or sends too much. The connection is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Broken;

/// A connection.
#[derive(Debug)]
pub(crate) struct Peer {
    socket: Socket,
    state: State,
    input: VecDeque<u8>,
    /// The parts of the message that is not complete.
    parts: Message,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Greeting,
    Handshake,
    Open,
}

const MORE: u8 = 1;
const LONG: u8 = 2;
const COMMAND: u8 = 4;

impl Peer {
    pub(crate) const fn new(socket: Socket) -> Self {
        Self { socket, state: State::Greeting, input: VecDeque::new(), parts: Vec::new() }
    }

    /// Returns what is sent first.
    pub(crate) fn greeting() -> [u8; 64] {
        let mut greeting = [0; 64];
        greeting[0] = 0xff;
        greeting[9] = 0x7f;
        greeting[10] = 3;
        greeting[12..16].copy_from_slice(b"NULL");
        greeting
    }

    /// Returns `true` if messages can be sent.
    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// Takes bytes of the peer. Adds what is sent at once to `out`. Returns the messages.
    pub(crate) fn receive(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<Vec<Message>, Broken> {
        self.input.extend(bytes);
        let mut messages = Vec::new();
        if self.state == State::Greeting {
            if self.input.len() < 64 {
                return Ok(messages);
            }
            let greeting: Vec<u8> = self.input.drain(..64).collect();
            // An older version has another greeting.
            if greeting[0] != 0xff
                || greeting[9] & 1 == 0
                || greeting[10] < 3
                || greeting[12..32] != Self::greeting()[12..32]
            {
                return Err(Broken);
            }
            self.state = State::Handshake;
            let name: &[u8] = if self.socket == Socket::Rep { b"REP" } else { b"PUB" };
            let mut ready = b"\x05READY\x0bSocket-Type\0\0\0\x03".to_vec();
            ready.extend(name);
            frame(COMMAND, &ready, out);
        }
        while let Some((flags, body)) = self.frame()? {
            if flags & COMMAND != 0 {
                self.command(&body, out)?;
                continue;
            }
            let size: usize = self.parts.iter().map(Vec::len).sum();
            if self.state != State::Open || self.parts.len() >= MAX_PARTS || size + body.len() > MAX_MESSAGE {
                return Err(Broken);
            }
            self.parts.push(body);
            if flags & MORE == 0 {
                messages.push(std::mem::take(&mut self.parts));
            }
        }
        Ok(messages)
    }

    /// Removes the next frame, if it is complete.
    fn frame(&mut self) -> Result<Option<(u8, Vec<u8>)>, Broken> {
        let Some(flags) = self.input.front().copied() else { return Ok(None) };
        let header = if flags & LONG == 0 { 2 } else { 9 };
        if self.input.len() < header {
            return Ok(None);
        }
        let length = self.input.range(1..header).fold(0_u64, |length, byte| length << 8 | u64::from(*byte));
        let length = usize::try_from(length).ok().filter(|length| *length <= MAX_MESSAGE).ok_or(Broken)?;
        if self.input.len() < header + length {
            return Ok(None);
        }
        self.input.drain(..header);
        Ok(Some((flags, self.input.drain(..length).collect())))
    }

    fn command(&mut self, body: &[u8], out: &mut Vec<u8>) -> Result<(), Broken> {
        if let Some(properties) = body.strip_prefix(b"\x05READY") {
            let fits: &[&[u8]] = if self.socket == Socket::Rep { &[b"REQ", b"DEALER"] } else { &[b"SUB", b"XSUB"] };
            let has = |name: &[u8]| {
                let value = [b"\x0bSocket-Type\0\0\0", &[u8::try_from(name.len()).unwrap_or(0)][..], name].concat();
                properties.windows(value.len()).any(|part| part == value)
            };
            if self.state != State::Handshake || !fits.iter().any(|name| has(name)) {
                return Err(Broken);
            }
            self.state = State::Open;
        } else if let Some(ping) = body.strip_prefix(b"\x04PING") {
            // The context of a ping follows its time to live.
            let context = ping.get(2..).unwrap_or_default();
            frame(COMMAND, &[b"\x04PONG", context].concat(), out);
        } else if body.starts_with(b"\x05ERROR") {
            return Err(Broken);
        }
        Ok(())
    }
}

/// Returns the frames of a message.
pub(crate) fn message(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        frame(if index + 1 < parts.len() { MORE } else { 0 }, part, &mut out);
    }
    out
}

fn frame(flags: u8, body: &[u8], out: &mut Vec<u8>) {
    match u8::try_from(body.len()) {
        Ok(length) => out.extend([flags, length]),
        Err(_) => {
            out.push(flags | LONG);
            out.extend((body.len() as u64).to_be_bytes());
        }
    }
    out.extend(body);
}

/// Separates the request from the addresses before it, which are returned with an empty part, for the reply.
pub(crate) fn envelope(mut message: Message) -> Option<(Message, Message)> {
    let end = message.iter().position(Vec::is_empty)?;
    let request = message.split_off(end + 1);
    Some((message, request))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handshake(socket: Socket, other: &str) -> (Peer, Vec<u8>) {
        let mut bytes = Peer::greeting().to_vec();
        let length = u8::try_from(other.len()).unwrap();
        let ready =
            [b"\x05READY\x0bSocket-Type\0\0\0", &[length][..], other.as_bytes(), b"\x08Identity\0\0\0\0"].concat();
        frame(COMMAND, &ready, &mut bytes);
        (Peer::new(socket), bytes)
    }

    fn open() -> Peer {
        let (mut peer, bytes) = handshake(Socket::Rep, "REQ");
        assert_eq!(peer.receive(&bytes, &mut Vec::new()), Ok(vec![]));
        assert!(peer.is_open());
        peer
    }

    #[test]
    fn messages_arrive_in_pieces() {
        let (mut peer, mut bytes) = handshake(Socket::Rep, "REQ");
        let parts = vec![vec![], b"S".to_vec(), vec![7; 300]];
        bytes.extend(message(&parts));
        let (mut out, mut messages) = (Vec::new(), Vec::new());
        for byte in bytes {
            messages.extend(peer.receive(&[byte], &mut out).unwrap());
        }
        assert_eq!(out, b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03REP");
        assert_eq!(messages, std::slice::from_ref(&parts));
        assert_eq!(envelope(parts), Some((vec![vec![]], vec![b"S".to_vec(), vec![7; 300]])));
        assert_eq!(envelope(vec![b"S".to_vec()]), None);
    }

    #[test]
    fn a_ping_has_a_reply() {
        let (mut peer, mut bytes, mut out) = (open(), Vec::new(), Vec::new());
        frame(COMMAND, b"\x04PING\0\0abc", &mut bytes);
        assert_eq!(peer.receive(&bytes, &mut out), Ok(vec![]));
        assert_eq!(out, b"\x04\x08\x04PONGabc");
    }

    #[test]
    fn peers_that_do_not_fit_are_disconnected() {
        let (mut peer, bytes) = handshake(Socket::Pub, "REQ");
        assert_eq!(peer.receive(&bytes, &mut Vec::new()), Err(Broken));
        for (at, byte) in [(0, 0), (9, 0), (10, 1), (12, b'P')] {
            let mut greeting = Peer::greeting();
            greeting[at] = byte;
            assert_eq!(Peer::new(Socket::Rep).receive(&greeting, &mut Vec::new()), Err(Broken), "{at}");
        }
        // A message before the handshake is over.
        let bytes = [&Peer::greeting()[..], b"\0\x01x"].concat();
        assert_eq!(Peer::new(Socket::Rep).receive(&bytes, &mut Vec::new()), Err(Broken));
    }

    #[test]
    fn input_is_limited() {
        let long = |length: u64| [&[LONG][..], &length.to_be_bytes()].concat();
        for length in [MAX_MESSAGE as u64 + 1, u64::MAX, 1 << 40] {
            assert_eq!(open().receive(&long(length), &mut Vec::new()), Err(Broken));
        }
        // No end of parts.
        let parts = [MORE, 1, 0].repeat(MAX_PARTS + 1);
        assert_eq!(open().receive(&parts, &mut Vec::new()), Err(Broken));
        let half =
            [&[LONG | MORE][..], &(MAX_MESSAGE as u64 / 2 + 1).to_be_bytes(), &vec![0; MAX_MESSAGE / 2 + 1]].concat();
        assert_eq!(open().receive(&half, &mut Vec::new()), Ok(vec![]));
        assert_eq!(open().receive(&[&half[..], &half].concat(), &mut Vec::new()), Err(Broken));
    }

    #[test]
    fn any_input_is_read_or_refused() {
        let mut seed = 1_u32;
        for _ in 0..2000 {
            let (mut peer, mut bytes) = handshake(Socket::Rep, "REQ");
            bytes.extend(message(&[vec![], b"\x02S1234".to_vec()]));
            for _ in 0..3 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (seed >> 8) as usize % bytes.len();
                bytes[at] = seed.to_le_bytes()[3];
            }
            _ = peer.receive(&bytes, &mut Vec::new());
        }
    }
}
