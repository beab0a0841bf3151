//! The server, asked by whoever: over plain connections.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bt_core::observe::{Observer, RecordFile};
use bt_core::prelude::*;
use bt_inspector::Inspector;

fn address(inspector: &Inspector) -> String {
    let url = inspector.url();
    url.trim_start_matches("http://").split('/').next().unwrap_or_default().to_owned()
}

/// The answer to a request, up to so many bytes.
fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(2))).expect("it is a socket");
    stream.write_all(request.as_bytes()).expect("it takes it");
    let mut answer = vec![0; 4096];
    let count = stream.read(&mut answer).unwrap_or(0);
    String::from_utf8_lossy(&answer[..count]).into_owned()
}

fn get(address: &str, path: &str, headers: &str) -> String {
    ask(address, &format!("GET {path} HTTP/1.1\r\n{headers}\r\n"))
}

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn the_page_and_all_its_parts_are_served() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    for path in [
        "/",
        "/style.css",
        "/main.js",
        "/model.js",
        "/tree.js",
        "/timeline.js",
        "/agents.js",
        "/values.js",
        "/icon.svg",
    ] {
        let answer = get(&address, path, &format!("Host: {address}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
        assert!(answer.contains("content-security-policy: default-src 'self'"), "{answer}");
    }
    assert!(get(&address, "/../Cargo.toml", &format!("Host: {address}\r\n")).starts_with("HTTP/1.1 404"));
}

#[test]
fn whoever_names_another_host_or_comes_from_elsewhere_is_turned_away() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    for path in ["/", "/live", "/main.js"] {
        let answer = get(&address, path, &format!("Host: evil.example\r\n{UPGRADE}"));
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
        assert!(answer.ends_with("name it as localhost or 127.0.0.1\n"), "{answer}");
        let answer = get(&address, path, &format!("Host: {address}\r\nOrigin: http://evil.example\r\n{UPGRADE}"));
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
        let answer = get(&address, path, "");
        assert!(answer.starts_with("HTTP/1.1 40"), "{answer}");
    }
    let answer = get(&address, "/live", &format!("Host: {address}\r\nOrigin: http://{address}\r\n{UPGRADE}"));
    assert!(answer.starts_with("HTTP/1.1 101"), "{answer}");
    assert_eq!(ask(&address, "\0\u{1}garbage\r\n\r\n").get(..12), Some("HTTP/1.1 400"));
}

#[test]
fn elsewhere_the_token_is_needed() {
    let inspector = Inspector::serve("0.0.0.0:0").expect("a port is free");
    let url = inspector.url();
    let (_, token) = url.split_once("?token=").expect("it has a token");
    let address = address(&inspector);
    assert!(get(&address, "/", "Host: robot\r\n").starts_with("HTTP/1.1 403"));
    assert!(get(&address, "/live", &format!("Host: robot\r\n{UPGRADE}")).starts_with("HTTP/1.1 403"));
    assert!(get(&address, &format!("/?token={token}"), "Host: robot\r\n").starts_with("HTTP/1.1 200"));
    assert!(
        get(&address, &format!("/live?token={token}"), &format!("Host: robot\r\n{UPGRADE}"))
            .starts_with("HTTP/1.1 101")
    );
    assert!(get(&address, "/main.js", "Host: robot\r\n").starts_with("HTTP/1.1 200"));
}

#[test]
fn the_address_that_is_told_works() {
    for bound in ["0.0.0.0:0", "127.0.0.1:0", "127.0.0.2:0", "[::]:0", "[::1]:0"] {
        let Ok(inspector) = Inspector::serve(bound) else {
            // macOS has no 127.0.0.2, and some machines have no IPv6.
            assert!(!matches!(bound, "0.0.0.0:0" | "127.0.0.1:0"), "{bound}");
            continue;
        };
        let url = inspector.url();
        assert!(!url.contains("0.0.0.0") && !url.contains("[::]"), "{url}");
        let (host, path) = url.trim_start_matches("http://").split_once('/').expect("it has a path");
        let answer = get(host, &format!("/{path}"), &format!("Host: {host}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 200"), "{url}: {answer}");
    }
}

/// A recording of no ticks, as a file.
fn recording() -> Vec<u8> {
    let tree = tree! { for u32: run };
    let mut text = Vec::new();
    RecordFile::new(&mut text, "counter", &tree).expect("memory takes it").finish().expect("memory takes it");
    text
}

#[cfg(unix)]
#[test]
fn the_command_takes_any_path_and_a_token() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};

    let path = std::env::temp_dir().join(std::ffi::OsStr::from_bytes(b"bt-inspector-\xff.jsonl"));
    std::fs::write(&path, recording()).expect("there is a temporary folder");
    let mut server = Command::new(env!("CARGO_BIN_EXE_bt-inspector"))
        .args(["--token", "--address", "127.0.0.1:0"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it is built");
    let mut url = String::new();
    BufReader::new(server.stdout.take().expect("it is piped")).read_line(&mut url).expect("it tells its address");
    let (address, query) = url.trim().trim_start_matches("http://").split_once('/').expect("it has a path");
    let host = format!("Host: {address}\r\n");
    let answers = [get(address, "/", &host), get(address, &format!("/{query}"), &host)];
    server.kill().and_then(|()| server.wait()).expect("it runs");
    std::fs::remove_file(&path).expect("it is there");
    assert!(query.starts_with("?token="), "{url}");
    assert!(answers[0].starts_with("HTTP/1.1 403") && answers[1].starts_with("HTTP/1.1 200"), "{answers:?}");

    let missing = std::ffi::OsStr::from_bytes(b"no-\xff.jsonl");
    let output = Command::new(env!("CARGO_BIN_EXE_bt-inspector")).arg(missing).output().expect("it is built");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("no-"), "{output:?}");
}

#[test]
fn on_a_shared_machine_a_token_can_be_wanted() {
    let inspector = Inspector::open_with_token("127.0.0.1:0", []).expect("a port is free");
    assert!(inspector.url().contains("/?token="));
    let inspector = Inspector::serve_with_token("127.0.0.1:0").expect("a port is free");
    let url = inspector.url();
    let (_, token) = url.split_once("?token=").expect("it has a token");
    let address = address(&inspector);
    let host = format!("Host: {address}\r\n");
    for path in ["/", "/live", "/?token=", "/live?token=0123456789abcdef0123456789abcdef"] {
        assert!(get(&address, path, &format!("{host}{UPGRADE}")).starts_with("HTTP/1.1 403"), "{path}");
    }
    assert!(get(&address, &format!("/?token={token}"), &host).starts_with("HTTP/1.1 200"));
    assert!(get(&address, &format!("/live?token={token}"), &format!("{host}{UPGRADE}")).starts_with("HTTP/1.1 101"));
}

/// A message as a browser sends it: masked, with a mask of noughts.
fn frame(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).expect("it is short");
    assert!(length < 126);
    [&[0x81, 0x80 | length, 0, 0, 0, 0], text.as_bytes()].concat()
}

#[test]
fn a_page_that_is_silent_does_not_hold_an_agent_up() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut agent = inspector.agent(inspector.tree("counter", &tree), "Ann");
    let mut memory = tree.memory();
    let mut n = 0;
    tree.tick_with(&mut n, &mut memory, &mut agent);
    assert!(!agent.is_watched());

    let mut page = TcpStream::connect(&address).expect("it listens");
    let request = format!("GET /live HTTP/1.1\r\nHost: {address}\r\n{UPGRADE}\r\n");
    page.write_all(request.as_bytes()).expect("it takes it");
    page.write_all(&frame("{\"choose\":0}")).expect("it takes it");
    page.write_all(&frame("{\"pause\":0}")).expect("it takes it");
    let asked = Instant::now();
    while !agent.is_watched() && asked.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(millis(5));
    }
    assert!(agent.is_watched());
    assert_eq!(inspector.pages(), 1);
    std::thread::sleep(millis(100));

    // The page answers no pings, and reads nothing.
    let began = Instant::now();
    tree.tick_with(&mut n, &mut memory, &mut agent);
    let waited = began.elapsed();
    assert!(waited > Duration::from_secs(1), "it was paused: {waited:?}");
    assert!(waited < Duration::from_secs(30), "it was let go: {waited:?}");
    assert_eq!((n, inspector.pages()), (2, 0));
    let began = Instant::now();
    tree.tick_with(&mut n, &mut memory, &mut agent);
    assert!(began.elapsed() < Duration::from_secs(1) && !agent.is_watched());
}

/// A page that has sent these messages.
fn page(address: &str, messages: &[&str]) -> TcpStream {
    let mut page = TcpStream::connect(address).expect("it listens");
    let request = format!("GET /live HTTP/1.1\r\nHost: {address}\r\n{UPGRADE}\r\n");
    page.write_all(request.as_bytes()).expect("it takes it");
    for message in messages {
        page.write_all(&frame(message)).expect("it takes it");
    }
    page
}

/// Waits until something holds.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(20), "never: {what}");
        std::thread::sleep(millis(5));
    }
}

#[test]
fn values_are_asked_for_only_of_a_chosen_agent_and_of_nobody_when_no_page_is_there() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let key = inspector.tree("counter", &tree);
    let mut agents: Vec<_> = (0..200).map(|n| inspector.agent(key.clone(), &format!("soldier {n}"))).collect();
    let mut memory = tree.memory();
    let mut calls = vec![0_u32; agents.len()];
    let mut tick = |agents: &mut [bt_inspector::Watched], calls: &mut [u32]| {
        for (agent, calls) in agents.iter_mut().zip(calls) {
            tree.tick_with(&mut 0, &mut memory, agent);
            agent.show(|| *calls += 1);
        }
    };
    let page = page(&address, &["{\"choose\":7}"]);
    until("values are asked for", || {
        tick(&mut agents, &mut calls);
        calls[7] > 0
    });
    // All are listed and sampled meanwhile, some three times.
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(1) {
        tick(&mut agents, &mut calls);
        std::thread::sleep(millis(20));
    }
    assert!(calls[7] > 20);
    assert_eq!(calls.iter().filter(|&&calls| calls > 0).count(), 1, "{calls:?}");

    drop(page);
    until("the page is gone", || inspector.pages() == 0 && agents.iter().all(Observer::is_asleep));
    calls.fill(0);
    for _ in 0..100 {
        tick(&mut agents, &mut calls);
    }
    assert_eq!(calls.iter().sum::<u32>(), 0);
    assert!(agents.iter().all(Observer::is_asleep), "its ticks cost nothing");
}

#[test]
fn too_many_pages_are_turned_away_and_others_are_served() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let mut pages: Vec<_> = (0..32).map(|_| page(&address, &[])).collect();
    until("all are there", || inspector.pages() == 32);
    let one_more = || get(&address, "/live", &format!("Host: {address}\r\n{UPGRADE}"));
    assert!(one_more().starts_with("HTTP/1.1 503"));
    assert!(get(&address, "/", &format!("Host: {address}\r\n")).starts_with("HTTP/1.1 200"));
    pages.pop();
    until("there is room again", || one_more().starts_with("HTTP/1.1 101"));
}

#[test]
fn an_inspector_that_is_dropped_lets_everybody_go_and_its_port_too() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut agent = inspector.agent(inspector.tree("counter", &tree), "Ann");
    drop(inspector);
    tree.tick_with(&mut 0, &mut tree.memory(), &mut agent);
    let began = Instant::now();
    while TcpStream::connect(&address).is_ok() {
        assert!(began.elapsed() < Duration::from_secs(5), "it still listens");
        std::thread::sleep(millis(10));
    }
}

#[test]
fn an_address_that_cannot_be_bound_is_an_error() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    assert!(Inspector::serve(address(&inspector)).is_err());
    assert!(Inspector::serve("nonsense").is_err());
}

#[test]
fn what_a_page_is_too_slow_for_is_left_out_and_counted() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut agent = inspector.agent(inspector.tree("counter", &tree), "Ann");
    let mut page = TcpStream::connect(&address).expect("it listens");
    let request = format!("GET /live HTTP/1.1\r\nHost: {address}\r\n{UPGRADE}\r\n");
    page.write_all(request.as_bytes()).expect("it takes it");
    page.write_all(&frame("{\"choose\":0}")).expect("it takes it");
    page.set_read_timeout(Some(Duration::from_millis(300))).expect("it is a socket");
    while !agent.is_watched() {
        std::thread::sleep(millis(5));
    }
    let mut memory = tree.memory();
    let mut told = Vec::new();
    let (mut n, mut part) = (0, vec![0; 1 << 16]);
    // Ticks come far faster than a page is told of them. Nothing waits.
    for _ in 0..5 {
        for _ in 0..20_000 {
            let now = millis(u64::from(n));
            tree.tick_with(&mut n, &mut memory, &mut agent.at(now));
        }
        while let Ok(count) = page.read(&mut part) {
            told.extend_from_slice(&part[..count]);
        }
    }
    assert_eq!(n, 100_000);
    let told = String::from_utf8_lossy(&told);
    let dropped: Vec<u64> =
        told.split("\"dropped\":").skip(1).filter_map(|rest| rest.split(',').next()?.parse().ok()).collect();
    assert!(dropped.iter().sum::<u64>() > 50_000, "{dropped:?}");
    assert!(told.contains("\"tick\":99999,"), "the last tick is told");
}
