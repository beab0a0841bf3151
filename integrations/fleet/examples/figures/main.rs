//! Measures what a fleet costs, over TCP on this machine: `cargo run --release --example figures`.

mod machines;

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Instant;

use bt_core::prelude::*;
use bt_fleet::{Config, Fleet, FleetHub, HubConfig, HubConnection, RecordConfig, ShardConfig, Sharded};
use serde::{Deserialize, Serialize};

/// How long each figure is measured.
const MEASURED: Duration = Duration::from_secs(5);
/// The interval of ticks, and the number of agents.
const TICK: Duration = millis(50);
const AGENTS: u32 = 1000;
/// The number of agents that are handed over.
const MOVED: u32 = 5000;
/// The maximum time until something is there.
const PATIENCE: Duration = Duration::from_secs(60);

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The context of the tree, which is shown: 3 values.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Robot {
    position: u32,
    battery: u32,
    is_loaded: bool,
}

fn is_low(robot: &Robot) -> bool {
    robot.battery > 1_000_000
}

fn is_loaded(robot: &Robot) -> bool {
    robot.is_loaded
}

fn drive(robot: &mut Robot) -> Status {
    robot.position += 1;
    robot.battery += 1;
    if robot.position.is_multiple_of(50) { Status::Success } else { Status::Running }
}

fn turn(robot: &mut Robot) {
    robot.is_loaded = !robot.is_loaded;
}

/// A tree of 9 nodes.
fn robot() -> impl Node<Robot> + Save {
    tree! { selector { sequence { is_low, run } mem_sequence { is_loaded, drive, turn } mem_sequence { drive, turn } } }
}

/// A connection between machines and a hub that counts its bytes.
struct Counted {
    endpoint: String,
    bytes: Arc<AtomicU64>,
}

impl Counted {
    /// Forwards what arrives to an address.
    fn new(to: String) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let (endpoint, bytes) = (format!("tcp/{}", listener.local_addr()?), Arc::new(AtomicU64::new(0)));
        let counted = Arc::clone(&bytes);
        std::thread::spawn(move || {
            for from in listener.incoming().map_while(std::result::Result::ok) {
                let Ok(there) = TcpStream::connect(&to) else { continue };
                for (from, there) in [(from.try_clone(), there.try_clone()), (there.try_clone(), from.try_clone())] {
                    let (Ok(from), Ok(there)) = (from, there) else { continue };
                    let counted = Arc::clone(&counted);
                    std::thread::spawn(move || forward(from, there, &counted));
                }
            }
        });
        Ok(Self { endpoint, bytes })
    }

    /// Returns the bytes per second of both directions, while something runs.
    fn per_second(&self, mut run: impl FnMut()) -> f64 {
        let (start, before) = (Instant::now(), self.bytes.load(Ordering::Relaxed));
        while start.elapsed() < MEASURED {
            run();
            std::thread::sleep(millis(10));
        }
        figure(self.bytes.load(Ordering::Relaxed) - before) / start.elapsed().as_secs_f64()
    }
}

fn forward(mut from: TcpStream, mut to: TcpStream, counted: &AtomicU64) {
    let _ = (from.set_nodelay(true), to.set_nodelay(true));
    let mut buffer = vec![0; 1 << 16];
    while let Ok(length) = from.read(&mut buffer)
        && length > 0
        && to.write_all(&buffer[..length]).is_ok()
    {
        counted.fetch_add(length as u64, Ordering::Relaxed);
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// A program whose agents are ticked by a thread.
struct Program {
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Program {
    fn start(fleet: &str, endpoint: &str, agents: u32) -> Result<Self> {
        let fleet = Fleet::join(Config::new(fleet, "robot").connect(endpoint))?;
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&is_stopped);
        let thread = std::thread::spawn(move || {
            let tree = robot();
            let key = fleet.inspector().tree("robot", &tree);
            let agent = |number| fleet.inspector().agent(key.clone(), format!("robot {number}"));
            let mut robots: Vec<_> =
                (0..agents).map(|number| (Robot::default(), tree.memory(), agent(number))).collect();
            let start = Instant::now();
            for tick in 1.. {
                for (robot, memory, watched) in &mut robots {
                    if !watched.is_held() {
                        tree.tick_with(robot, memory, &mut watched.at(start.elapsed()));
                    }
                    watched.show(|| &*robot);
                }
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                std::thread::sleep((TICK * tick).saturating_sub(start.elapsed()));
            }
        });
        Ok(Self { is_stopped, thread: Some(thread) })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Waits until something is there.
fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) -> Result<Duration> {
    let start = Instant::now();
    while !is_there() {
        if start.elapsed() > PATIENCE {
            return Err(format!("waited too long for {what}").into());
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    Ok(start.elapsed())
}

/// A free port, for a hub that listens there.
fn address() -> Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

#[expect(clippy::cast_precision_loss, reason = "figures are rounded")]
fn figure(number: u64) -> f64 {
    number as f64
}

fn print(what: &str, value: f64, unit: &str) {
    println!("{what:<68} {value:>10.1} {unit}");
}

fn main() -> Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [what, name, endpoint] = arguments.as_slice()
        && what == machines::MACHINE
    {
        return machines::run(name, endpoint);
    }
    pages()?;
    recordings()?;
    hand_overs()?;
    machines::measure()
}

/// What pages cost.
fn pages() -> Result<()> {
    let address = address()?;
    let serve = || HubConfig::new("figures").address("127.0.0.1:0").listen(&format!("tcp/{address}"));
    let hub = FleetHub::serve(serve())?;
    let counted = Counted::new(address.clone())?;
    let memory = resident()?;
    let program = Program::start("figures", &counted.endpoint, AGENTS)?;
    let start = Instant::now();
    let read = |page: &mut HubConnection| page.updates(start.elapsed()).join("\n");
    std::thread::sleep(Duration::from_secs(2));
    print("memory of a program that joins, with its agents", (resident()? - memory) / 1e6, "MB");
    print("no page: a program with 1000 agents", counted.per_second(|| ()), "bytes/s");
    let mut page = hub.hub().connect();
    let mut text = String::new();
    wait_for("the list", || {
        text += &read(&mut page);
        text.contains("robot 7\"")
    })?;
    let list = counted.per_second(|| _ = read(&mut page));
    print("a page: the list of 1000 agents, with their states", list, "bytes/s");
    let (before, _) = text.split_once(r#""name":"robot 7""#).ok_or("it is listed")?;
    let key = before.rsplit("\"key\":").next().and_then(|key| key.split(',').next()).ok_or("it has a key")?;
    page.receive(&format!("{{\"select\":{key}}}"));
    let selected = counted.per_second(|| _ = read(&mut page));
    print("a page: a selected agent in addition, 9 nodes, 3 values, 20 ticks/s", selected - list, "bytes/s");
    let (mut times, mut all) = (Vec::new(), String::new());
    for _ in 0..100 {
        for (request, is_paused) in [("pause", true), ("resume", false)] {
            page.receive(&format!("{{\"{request}\":{key}}}"));
            let expected = format!("\"paused\":{is_paused}");
            all.clear();
            times.push(wait_for("an answer", || {
                all += &read(&mut page);
                all.contains(&expected)
            })?);
        }
    }
    times.sort();
    print("from a request to its answer, median of 200", times[times.len() / 2].as_secs_f64() * 1e3, "ms");
    drop((page, program));
    Ok(())
}

/// What recording costs.
fn recordings() -> Result<()> {
    let (address, folder) = (address()?, std::env::temp_dir().join(format!("figures-{}", std::process::id())));
    let config = HubConfig::new("recorded").address("127.0.0.1:0").listen(&format!("tcp/{address}"));
    let hub = FleetHub::serve(config.record(RecordConfig::new(&folder).limit(1_000_000_000)))?;
    let counted = Counted::new(address)?;
    let program = Program::start("recorded", &counted.endpoint, AGENTS)?;
    std::thread::sleep(Duration::from_secs(2));
    let size = || -> Result<u64> {
        std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.metadata()?.len())).sum::<Result<u64>>()
    };
    let (start, before) = (Instant::now(), size()?);
    let ticks = f64::from(AGENTS) / TICK.as_secs_f64();
    let sent = counted.per_second(|| ());
    let written = figure(size()? - before) / start.elapsed().as_secs_f64();
    print("recording 1000 agents, 20 ticks/s each: on the network, per tick", sent / ticks, "bytes");
    print("recording 1000 agents, 20 ticks/s each: in files, per tick", written / ticks, "bytes");
    drop((program, hub));
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// How fast agents move between two processes.
fn hand_overs() -> Result<()> {
    let address = address()?;
    let config = HubConfig::new("moved").address("127.0.0.1:0").listen(&format!("tcp/{address}"));
    let hub = FleetHub::serve(config.keeper(Duration::from_secs(2)))?;
    let counted = Counted::new(address)?;
    let join = |name| Fleet::join(Config::new("moved", name).connect(&counted.endpoint));
    let (one, two) = (join("one")?, join("two")?);
    let config = || ShardConfig::new("robots");
    let mut first = Sharded::join(&one, config(), robot())?;
    for number in 0..MOVED {
        first.add(&format!("robot {number}"), &Robot::default())?;
    }
    let tick = |herd: &mut Sharded<_, Robot>| {
        let mut count = 0;
        herd.tick_all(|robot| {
            robot.tick();
            count += 1;
        });
        let _ = herd.events();
        count
    };
    wait_for("all agents", || tick(&mut first) == MOVED)?;
    let mut second = Sharded::join(&two, config(), robot())?;
    // A half of them moves, because the other process has none.
    wait_for("the first agent", || {
        tick(&mut first);
        tick(&mut second) > 0
    })?;
    let (before, arrived) = (counted.bytes.load(Ordering::Relaxed), tick(&mut second));
    let time = wait_for("half of the agents", || {
        tick(&mut first);
        tick(&mut second) >= MOVED / 2 - MOVED / 20
    })?;
    let moved = f64::from(tick(&mut second) - arrived);
    let bytes = figure(counted.bytes.load(Ordering::Relaxed) - before);
    print("hand-overs between two processes", moved / time.as_secs_f64(), "per second");
    print("a hand-over, with snapshots meanwhile", bytes / moved, "bytes");
    drop((first, second, hub));
    Ok(())
}

/// Returns the memory of this process, in bytes.
fn resident() -> Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| format!("this needs Linux: {error}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("the memory is not stated")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? * 1024.0)
}
