//! The cost of observers: none, counters, last statuses, recordings, the inspector.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::io::{Read, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bt_core::observe::{RecordFile, Recording};
use bt_core::observe::{Statistics, Statuses};
use bt_core::prelude::*;
use bt_inspector::{Inspector, Watched};

use crate::agent::Agent;
use crate::clock::side_by_side;
use crate::{count, small};

/// An observer that counts visits.
#[derive(Default)]
struct Visits(u64);

impl Observer for Visits {
    fn enter(&mut self, _: NodeId) {
        self.0 += 1;
    }
}

/// An observer whose instructions are counted: its name, and what runs ticks.
pub type Counted = (&'static str, fn(u32));

/// All of them. The first is none.
pub const COUNTED: [Counted; 7] = [
    ("none", |ticks| ticking(&mut (), ticks)),
    ("statuses", |ticks| ticking(&mut Statuses::default(), ticks)),
    ("statistics", |ticks| ticking(&mut Statistics::default(), ticks)),
    ("recording", |ticks| ticking(&mut Recording::new(1000), ticks)),
    ("record file", |ticks| ticking(&mut file(), ticks)),
    ("inspector without a page", |ticks| {
        let (_inspector, mut unwatched) = inspected();
        ticking(&mut unwatched, ticks);
    }),
    ("inspector with a page that has selected the agent", |ticks| {
        let (inspector, mut watched) = inspected();
        let _page = page(&inspector, &mut watched, &[SELECT]);
        ticking(&mut watched, ticks);
    }),
];

/// Returns the instructions of an observer per visited node, or `None` without valgrind.
pub fn per_visit(index: usize) -> Option<f64> {
    const TICKS: u32 = 20_000;
    // The inspector serves the page in another thread.
    let count = |index| count::slope_in("observers::ticking", &format!("observer{index}"), TICKS);
    Some((count(index)? - count(0)?) / visits(TICKS))
}

/// Returns the number of visited nodes per tick.
fn visits(ticks: u32) -> f64 {
    let mut visits = Visits::default();
    ticking(&mut visits, ticks);
    #[expect(clippy::cast_precision_loss, reason = "a few millions fit")]
    let visits = visits.0 as f64 / f64::from(ticks);
    visits
}

/// Returns the table of nanoseconds per tick by observer.
pub fn table() -> String {
    const TICKS: u32 = 200_000;
    let visits = visits(TICKS);
    let (_inspector, mut unwatched) = inspected();
    let (inspector, mut watched) = inspected();
    let _page = page(&inspector, &mut watched, &[SELECT]);
    let (inspector, mut conditional) = inspected();
    let _other_page = page(&inspector, &mut conditional, &[CONDITION]);
    let times = [
        ("none", time(&mut (), TICKS)),
        ("inspector without a page", time(&mut unwatched, TICKS)),
        ("visit counter", time(&mut Visits::default(), TICKS)),
        ("last status of each node", time(&mut Statuses::default(), TICKS)),
        ("statistics", time(&mut Statistics::default(), TICKS)),
        ("recording in memory", time(&mut Recording::new(100_000), TICKS)),
        ("inspector with a page that has selected the agent", time(&mut watched, TICKS)),
        ("inspector with a breakpoint that has a condition", time_showing(&mut conditional, TICKS)),
        ("recording file (discarded)", time(&mut file(), TICKS)),
    ];
    let mut table =
        String::from("| observer of the patrol, 9 nodes | ns per tick | ns per visited node |\n|---|---|---|\n");
    for (name, nanoseconds) in times {
        let _ = writeln!(table, "| {name} | {nanoseconds:.1} | {:.1} |", nanoseconds / visits);
    }
    table
}

fn time(observer: &mut impl Observer, ticks: u32) -> f64 {
    let observer = std::cell::RefCell::new(observer);
    let [time] = side_by_side([&|ticks| ticking(&mut **observer.borrow_mut(), ticks)], ticks);
    time
}

/// Returns the time of ticks after each of which values are shown.
fn time_showing(watched: &mut Watched, ticks: u32) -> f64 {
    let watched = std::cell::RefCell::new(watched);
    let ticking = |ticks| {
        let tree = small::patrol();
        let (mut agent, mut memory) = (Agent::new(1), tree.memory());
        for _ in 0..ticks {
            agent.look();
            let watched = &mut **watched.borrow_mut();
            black_box(tree.tick_with(&mut agent, black_box(&mut memory), watched));
            watched.show(|| BTreeMap::from([("done", agent.done), ("ticks", 7), ("hp", 10), ("x", 3), ("y", 4)]));
        }
    };
    let [time] = side_by_side([&ticking], ticks);
    time
}

#[inline(never)]
fn ticking<O: Observer>(observer: &mut O, ticks: u32) {
    let tree = small::patrol();
    let (mut agent, mut memory) = (Agent::new(1), tree.memory());
    for _ in 0..ticks {
        agent.look();
        black_box(tree.tick_with(&mut agent, black_box(&mut memory), black_box(&mut *observer)));
    }
}

fn file() -> RecordFile<std::io::Sink> {
    RecordFile::new(std::io::sink(), "patrol", &small::patrol()).expect("a sink never fails")
}

fn inspected() -> (Inspector, Watched) {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let watched = inspector.agent(inspector.tree("patrol", &small::patrol()), "Ann");
    (inspector, watched)
}

const SELECT: &str = r#"{"select":0}"#;
/// A breakpoint of the root whose condition never holds.
const CONDITION: &str =
    r#"{"break":{"tree":0,"breakpoint":{"node":0,"on":["Visit"],"condition":"hp < 3 && ticks > 0"}}}"#;

/// Connects like a page, sends requests of at most 125 bytes, reads all updates and sends pongs.
fn page(inspector: &Inspector, watched: &mut Watched, requests: &[&str]) -> std::thread::JoinHandle<()> {
    let url = inspector.url();
    let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(&address).expect("the server accepts connections");
    let request = format!(
        "GET /live HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("the connection is open");
    for request in requests {
        // A text, masked by zeros.
        let length = u8::try_from(request.len()).ok().filter(|length| *length <= 125).expect("a short request");
        let frame = [&[0x81, 0x80 | length, 0, 0, 0, 0], request.as_bytes()].concat();
        stream.write_all(&frame).expect("the connection is open");
    }
    let start = Instant::now();
    while !watched.is_watched() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(watched.is_watched(), "the server did not handle the request");
    std::thread::spawn(move || {
        let (mut buffer, mut last_pong) = (vec![0; 1 << 16], Instant::now());
        while stream.read(&mut buffer).is_ok_and(|count| count > 0) {
            // An unsolicited pong also prevents a timeout.
            if last_pong.elapsed() > Duration::from_secs(1) {
                last_pong = Instant::now();
                if stream.write_all(b"\x8a\x80\0\0\0\0").is_err() {
                    return;
                }
            }
        }
    })
}
