//! Several hubs, of which one has the lock of a real etcd: `cargo test --test etcd -- --ignored`.

mod common;

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bt_core::prelude::*;
use bt_fleet::{Change, Config, Fleet, HubConfig, ShardConfig, Sharded};
use common::{TestHub, endpoint, wait_for};

const LEASE: Duration = Duration::from_millis(400);

/// An etcd of one member.
struct Etcd {
    process: Child,
    folder: PathBuf,
    address: String,
    peer: String,
}

impl Etcd {
    fn start(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bt-fleet-{name}-{}", std::process::id()));
        let address = || endpoint().replace("tcp/", "");
        let (address, peer) = (address(), format!("http://{}", address()));
        let process = Self::spawn(&folder, &address, &peer);
        Self { process, folder, address, peer }
    }

    fn spawn(folder: &PathBuf, address: &str, peer: &str) -> Child {
        let url = format!("http://{address}");
        let mut command = Command::new("etcd");
        command.arg("--data-dir").arg(folder).args(["--listen-client-urls", &url, "--advertise-client-urls", &url]);
        command.args(["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer]);
        command.arg("--initial-cluster").arg(format!("default={peer}"));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("etcd is installed")
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn kill(&mut self) {
        self.process.kill().and_then(|()| self.process.wait()).expect("it runs");
    }

    fn restart(&mut self) {
        self.process = Self::spawn(&self.folder, &self.address, &self.peer);
    }
}

impl Drop for Etcd {
    fn drop(&mut self) {
        let _ = (self.process.kill(), self.process.wait());
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A connection to etcd that can be cut.
struct Cable {
    url: String,
    is_cut: Arc<Mutex<bool>>,
}

impl Cable {
    fn to(address: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let (is_cut, to) = (Arc::new(Mutex::new(false)), address.to_owned());
        let cut = Arc::clone(&is_cut);
        std::thread::spawn(move || {
            for from in listener.incoming().map_while(Result::ok) {
                let Ok(there) = TcpStream::connect(&to) else { continue };
                for (mut from, mut there) in [(&from, &there), (&there, &from)]
                    .map(|(from, there)| (from.try_clone(), there.try_clone()))
                    .map(|(from, there)| (from.expect("it is open"), there.expect("it is open")))
                {
                    let cut = Arc::clone(&cut);
                    std::thread::spawn(move || {
                        let mut buffer = [0; 4096];
                        while let Ok(length @ 1..) = from.read(&mut buffer) {
                            // Nothing arrives, and no error.
                            if !*cut.lock().expect("no panic") && there.write_all(&buffer[..length]).is_err() {
                                break;
                            }
                        }
                        let _ = there.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        Self { url, is_cut }
    }

    fn cut(&self) {
        *self.is_cut.lock().expect("no panic") = true;
    }
}

fn hub(listen: &str, etcd: &str) -> TestHub {
    TestHub::with(HubConfig::new("locked").listen(listen).keeper(LEASE).etcd(etcd))
}

fn is_keeping(hub: &TestHub) -> bool {
    let last = hub.changes().into_iter().rfind(|change| matches!(change, Change::Keeping | Change::NotKeeping { .. }));
    last == Some(Change::Keeping)
}

#[track_caller]
fn wait_until(hub: &TestHub, keeps: bool) {
    wait_for(&format!("keeps: {keeps}"), || (is_keeping(hub) == keeps).then_some(()));
}

fn counter() -> impl Node<u64> + Save {
    tree! { |ticks: &mut u64| { *ticks += 1; Status::Running } }
}

/// A process with one agent, connected to several hubs.
struct Process<N: Node<u64> + Save> {
    herd: Sharded<N, u64>,
    _fleet: Fleet,
}

fn join(endpoints: &[&str]) -> Process<impl Node<u64> + Save + use<>> {
    let config = endpoints.iter().fold(Config::new("locked", "robot"), |config, endpoint| config.connect(endpoint));
    let fleet = Fleet::join(config).expect("it joins");
    let herd = Sharded::join(&fleet, ShardConfig::new("counters"), counter()).expect("it joins");
    herd.add("Ann", &0).expect("it can be saved");
    Process { herd, _fleet: fleet }
}

impl<N: Node<u64> + Save> Process<N> {
    /// Returns the number of ticks of the agent, if it can be ticked.
    fn tick(&mut self) -> Option<u64> {
        let mut ticks = None;
        self.herd.tick_all(|agent| {
            agent.tick();
            ticks = Some(*agent.context);
        });
        ticks
    }

    /// Ticks until the agent has been ticked some more times, without a gap.
    #[track_caller]
    fn run(&mut self, last: &mut u64) {
        let end = *last + 20;
        wait_for("ticks", || {
            if let Some(ticks) = self.tick() {
                assert_eq!(ticks, *last + 1, "no tick is lost or repeated");
                *last = ticks;
            }
            (*last >= end).then_some(())
        });
    }
}

#[test]
#[ignore = "needs etcd"]
fn another_hub_takes_over_and_no_tick_is_lost() {
    let etcd = Etcd::start("handover");
    let (one, two) = (endpoint(), endpoint());
    let first = hub(&one, &etcd.url());
    wait_until(&first, true);
    let second = hub(&two, &etcd.url());
    wait_for("the lock is taken", || {
        let reasons: Vec<_> = second
            .changes()
            .into_iter()
            .filter_map(|change| match change {
                Change::NotKeeping { reason, .. } => Some(reason),
                _ => None,
            })
            .collect();
        reasons.contains(&"another hub has the lock".to_owned()).then_some(())
    });
    let (mut process, mut ticks) = (join(&[&one, &two]), 0);
    process.run(&mut ticks);
    assert!(!is_keeping(&second));
    drop(first);
    process.run(&mut ticks);
    wait_until(&second, true);
    process.run(&mut ticks);
}

#[test]
#[ignore = "needs etcd"]
fn without_etcd_there_is_no_keeper() {
    let mut etcd = Etcd::start("gone");
    let one = endpoint();
    let hub = hub(&one, &etcd.url());
    wait_until(&hub, true);
    let (mut process, mut ticks) = (join(&[&one]), 0);
    process.run(&mut ticks);
    etcd.kill();
    wait_for("the keeper ends", || {
        ticks = process.tick().unwrap_or(ticks);
        (!is_keeping(&hub)).then_some(())
    });
    wait_for("the lease ends", || {
        let now = process.tick();
        ticks = now.unwrap_or(ticks);
        now.is_none().then_some(())
    });
    std::thread::sleep(LEASE);
    assert_eq!(process.tick(), None);
    etcd.restart();
    wait_until(&hub, true);
    process.run(&mut ticks);
}

#[test]
#[ignore = "needs etcd"]
fn another_hub_takes_over_from_one_that_is_cut_off_from_etcd() {
    let etcd = Etcd::start("cut");
    let cable = Cable::to(&etcd.address);
    let (one, two) = (endpoint(), endpoint());
    let first = hub(&one, &cable.url);
    wait_until(&first, true);
    let second = hub(&two, &etcd.url());
    let (mut process, mut ticks) = (join(&[&one, &two]), 0);
    process.run(&mut ticks);
    cable.cut();
    let cut = Instant::now();
    while !is_keeping(&second) {
        assert!(cut.elapsed() < Duration::from_secs(20), "it takes over");
        ticks = process.tick().unwrap_or(ticks);
        std::thread::sleep(millis(2));
    }
    // A process that both tick would miss or repeat a tick.
    process.run(&mut ticks);
    wait_until(&first, false);
    process.run(&mut ticks);
}

#[test]
fn an_address_without_http_is_an_error() {
    for address in ["127.0.0.1:2379", "https://127.0.0.1:2379", "http://etcd", ""] {
        let config = HubConfig::new("locked").address("127.0.0.1:0").listen(&endpoint()).keeper(LEASE).etcd(address);
        let error = bt_fleet::FleetHub::serve(config).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("etcd: expected `http://`, an address and a port"), "{error}");
    }
    let config = HubConfig::new("locked").address("127.0.0.1:0").listen(&endpoint()).etcd("http://127.0.0.1:2379");
    let error = bt_fleet::FleetHub::serve(config).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.starts_with("etcd: a lock is for a keeper"), "{error}");
}
