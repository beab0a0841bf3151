//! Tests of the server over plain TCP connections.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bt_core::Observer;
use bt_core::observe::RecordFile;
use bt_core::prelude::*;
use bt_inspector::Inspector;

fn address(inspector: &Inspector) -> String {
    let url = inspector.url();
    url.trim_start_matches("http://").split('/').next().unwrap_or_default().to_owned()
}

/// Sends a request and returns the first 4096 bytes of the response.
fn send(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server accepts connections");
    stream.set_read_timeout(Some(Duration::from_secs(2))).expect("valid timeout");
    stream.write_all(request.as_bytes()).expect("the connection is open");
    let mut response = vec![0; 4096];
    let count = stream.read(&mut response).unwrap_or(0);
    String::from_utf8_lossy(&response[..count]).into_owned()
}

fn get(address: &str, path: &str, headers: &str) -> String {
    send(address, &format!("GET {path} HTTP/1.1\r\n{headers}\r\n"))
}

const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[test]
fn the_page_and_all_its_parts_are_served() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    for path in ["/", "/page.css", "/page.js", "/icon.svg"] {
        let response = get(&address, path, &format!("Host: {address}\r\n"));
        assert!(response.starts_with("HTTP/1.1 200"), "{path}: {response}");
        assert!(response.contains("content-security-policy: default-src 'self'"), "{response}");
    }
    assert!(get(&address, "/../../Cargo.toml", &format!("Host: {address}\r\n")).starts_with("HTTP/1.1 404"));
}

#[test]
fn requests_with_another_host_or_origin_are_rejected() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    for path in ["/", "/live", "/page.js"] {
        let response = get(&address, path, &format!("Host: evil.example\r\n{UPGRADE}"));
        assert!(response.starts_with("HTTP/1.1 403"), "{response}");
        assert!(response.ends_with("help: use localhost or 127.0.0.1\n"), "{response}");
        let response = get(&address, path, &format!("Host: {address}\r\nOrigin: http://evil.example\r\n{UPGRADE}"));
        assert!(response.starts_with("HTTP/1.1 403"), "{response}");
        let response = get(&address, path, "");
        assert!(response.starts_with("HTTP/1.1 40"), "{response}");
    }
    let response = get(&address, "/live", &format!("Host: {address}\r\nOrigin: http://{address}\r\n{UPGRADE}"));
    assert!(response.starts_with("HTTP/1.1 101"), "{response}");
    assert_eq!(send(&address, "\0\u{1}garbage\r\n\r\n").get(..12), Some("HTTP/1.1 400"));
}

#[test]
fn a_non_loopback_address_requires_the_token() {
    let inspector = Inspector::serve("0.0.0.0:0").expect("a port is free");
    let url = inspector.url();
    let (_, token) = url.split_once("?token=").expect("the URL has a token");
    let address = address(&inspector);
    assert!(get(&address, "/", "Host: robot\r\n").starts_with("HTTP/1.1 403"));
    assert!(get(&address, "/live", &format!("Host: robot\r\n{UPGRADE}")).starts_with("HTTP/1.1 403"));
    assert!(get(&address, &format!("/?token={token}"), "Host: robot\r\n").starts_with("HTTP/1.1 200"));
    assert!(
        get(&address, &format!("/live?token={token}"), &format!("Host: robot\r\n{UPGRADE}"))
            .starts_with("HTTP/1.1 101")
    );
    assert!(get(&address, "/page.js", "Host: robot\r\n").starts_with("HTTP/1.1 200"));
}

#[test]
fn the_returned_url_works() {
    for bound in ["0.0.0.0:0", "127.0.0.1:0", "127.0.0.2:0", "[::]:0", "[::1]:0"] {
        let Ok(inspector) = Inspector::serve(bound) else {
            // macOS has no 127.0.0.2, and some machines have no IPv6.
            assert!(!matches!(bound, "0.0.0.0:0" | "127.0.0.1:0"), "{bound}");
            continue;
        };
        let url = inspector.url();
        assert!(!url.contains("0.0.0.0") && !url.contains("[::]"), "{url}");
        let (host, path) = url.trim_start_matches("http://").split_once('/').expect("the URL has a path");
        let response = get(host, &format!("/{path}"), &format!("Host: {host}\r\n"));
        assert!(response.starts_with("HTTP/1.1 200"), "{url}: {response}");
    }
}

/// Returns a recording without ticks.
fn recording() -> Vec<u8> {
    let tree = tree! { for u32: run };
    let mut text = Vec::new();
    RecordFile::new(&mut text, "counter", &tree).expect("memory is writable").finish().expect("memory is writable");
    text
}

#[test]
fn clients_that_keep_their_connections_open_do_not_block_others() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let request = format!("GET /icon.svg HTTP/1.1\r\nHost: {address}\r\nConnection: keep-alive\r\n\r\n");
    let open: Vec<_> = (0..200)
        .map(|number| {
            let mut stream = TcpStream::connect(&address).expect("the server accepts connections");
            // Some clients have an answer, some have asked for half a file.
            let length = if number % 2 == 0 { request.len() } else { 20 };
            stream.write_all(&request.as_bytes()[..length]).expect("the connection is open");
            stream
        })
        .collect();
    let start = Instant::now();
    for path in ["/", "/page.js"] {
        assert!(get(&address, path, &format!("Host: {address}\r\n")).starts_with("HTTP/1.1 200"), "{path}");
    }
    assert!(start.elapsed() < Duration::from_millis(1500), "after {:?}", start.elapsed());
    drop(open);
}

#[cfg(unix)]
#[test]
fn the_command_accepts_non_utf8_paths_and_a_token() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};

    let path = std::env::temp_dir().join(std::ffi::OsStr::from_bytes(b"bt-inspector-\xff.jsonl"));
    std::fs::write(&path, recording()).expect("the temporary folder is writable");
    let mut server = Command::new(env!("CARGO_BIN_EXE_bt-inspector"))
        .args(["--token", "--address", "127.0.0.1:0"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    let mut url = String::new();
    BufReader::new(server.stdout.take().expect("stdout is piped"))
        .read_line(&mut url)
        .expect("the program prints its URL");
    let (address, query) = url.trim().trim_start_matches("http://").split_once('/').expect("the URL has a path");
    let host = format!("Host: {address}\r\n");
    let responses = [get(address, "/", &host), get(address, &format!("/{query}"), &host)];
    server.kill().and_then(|()| server.wait()).expect("the server is running");
    std::fs::remove_file(&path).expect("the file exists");
    assert!(query.starts_with("?token="), "{url}");
    assert!(responses[0].starts_with("HTTP/1.1 403") && responses[1].starts_with("HTTP/1.1 200"), "{responses:?}");

    let missing = std::ffi::OsStr::from_bytes(b"no-\xff.jsonl");
    let output = Command::new(env!("CARGO_BIN_EXE_bt-inspector")).arg(missing).output().expect("the binary is built");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("no-"), "{output:?}");
}

#[test]
fn a_token_can_be_required_on_a_loopback_address() {
    let inspector = Inspector::open_with_token("127.0.0.1:0", []).expect("a port is free");
    assert!(inspector.url().contains("/?token="));
    let inspector = Inspector::serve_with_token("127.0.0.1:0").expect("a port is free");
    let url = inspector.url();
    let (_, token) = url.split_once("?token=").expect("the URL has a token");
    let address = address(&inspector);
    let host = format!("Host: {address}\r\n");
    for path in ["/", "/live", "/?token=", "/live?token=0123456789abcdef0123456789abcdef"] {
        assert!(get(&address, path, &format!("{host}{UPGRADE}")).starts_with("HTTP/1.1 403"), "{path}");
    }
    assert!(get(&address, &format!("/?token={token}"), &host).starts_with("HTTP/1.1 200"));
    assert!(get(&address, &format!("/live?token={token}"), &format!("{host}{UPGRADE}")).starts_with("HTTP/1.1 101"));
}

/// Returns a text frame as a browser sends it, masked with zeros.
fn frame(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).expect("a short message");
    assert!(length < 126);
    [&[0x81, 0x80 | length, 0, 0, 0, 0], text.as_bytes()].concat()
}

#[test]
fn an_unresponsive_page_is_disconnected_and_releases_its_agent() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut agent = inspector.agent(inspector.tree("counter", &tree), "Ann");
    let mut memory = tree.memory();
    let mut n = 0;
    tree.tick_with(&mut n, &mut memory, &mut agent);
    assert!(!agent.is_watched());

    let mut page = page(&address, &["{\"select\":0}", "{\"pause\":0}"]);
    read_until(&mut page, "\"paused\":true");
    assert!(agent.is_watched());
    assert_eq!(inspector.pages(), 1);

    // The page does not respond to pings, and reads nothing more.
    let began = Instant::now();
    tree.tick_with(&mut n, &mut memory, &mut agent);
    let waited = began.elapsed();
    assert!(waited > Duration::from_secs(1), "not paused: {waited:?}");
    assert!(waited < Duration::from_secs(30), "not released: {waited:?}");
    assert_eq!((n, inspector.pages()), (2, 0));
    let began = Instant::now();
    tree.tick_with(&mut n, &mut memory, &mut agent);
    assert!(began.elapsed() < Duration::from_secs(1) && !agent.is_watched());
}

/// Connects a page and sends messages.
fn page(address: &str, messages: &[&str]) -> TcpStream {
    let mut page = TcpStream::connect(address).expect("the server accepts connections");
    let request = format!("GET /live HTTP/1.1\r\nHost: {address}\r\n{UPGRADE}\r\n");
    page.write_all(request.as_bytes()).expect("the connection is open");
    for message in messages {
        page.write_all(&frame(message)).expect("the connection is open");
    }
    page
}

/// Reads what the server sends until it contains a text.
fn read_until(page: &mut TcpStream, text: &str) {
    page.set_read_timeout(Some(Duration::from_secs(20))).expect("valid timeout");
    let (mut received, mut part) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&received).contains(text) {
        let count = page.read(&mut part).expect("the server sends it");
        assert_ne!(count, 0, "the server ended the connection");
        received.extend(&part[..count]);
    }
}

/// Waits until a condition holds.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(20), "timed out: {what}");
        std::thread::sleep(millis(5));
    }
}

#[test]
fn values_are_only_computed_for_a_selected_agent() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let key = inspector.tree("counter", &tree);
    let mut agents: Vec<_> = (0..200).map(|n| inspector.agent(key.clone(), format!("soldier {n}"))).collect();
    let mut memory = tree.memory();
    let mut calls = vec![0_u32; agents.len()];
    let mut tick = |agents: &mut [bt_inspector::Watched], calls: &mut [u32]| {
        for (agent, calls) in agents.iter_mut().zip(calls) {
            tree.tick_with(&mut 0, &mut memory, agent);
            agent.show(|| *calls += 1);
        }
    };
    let page = page(&address, &["{\"select\":7}"]);
    until("values are computed", || {
        tick(&mut agents, &mut calls);
        calls[7] > 0
    });
    // Meanwhile, all agents are listed and sampled about three times.
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(1) {
        tick(&mut agents, &mut calls);
        std::thread::sleep(millis(20));
    }
    assert!(calls[7] > 20);
    assert_eq!(calls.iter().filter(|&&calls| calls > 0).count(), 1, "{calls:?}");

    drop(page);
    until("the page is disconnected", || inspector.pages() == 0 && agents.iter().all(Observer::is_asleep));
    calls.fill(0);
    for _ in 0..100 {
        tick(&mut agents, &mut calls);
    }
    assert_eq!(calls.iter().sum::<u32>(), 0);
    assert!(agents.iter().all(Observer::is_asleep), "all agents are asleep");
}

#[test]
fn the_number_of_pages_is_limited() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let mut pages: Vec<_> = (0..32).map(|_| page(&address, &[])).collect();
    until("all pages are connected", || inspector.pages() == 32);
    let connect = || get(&address, "/live", &format!("Host: {address}\r\n{UPGRADE}"));
    assert!(connect().starts_with("HTTP/1.1 503"));
    assert!(get(&address, "/", &format!("Host: {address}\r\n")).starts_with("HTTP/1.1 200"));
    pages.pop();
    until("another page can connect", || connect().starts_with("HTTP/1.1 101"));
}

#[test]
fn dropping_the_inspector_releases_agents_and_the_port() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut agent = inspector.agent(inspector.tree("counter", &tree), "Ann");
    drop(inspector);
    tree.tick_with(&mut 0, &mut tree.memory(), &mut agent);
    let began = Instant::now();
    while TcpStream::connect(&address).is_ok() {
        assert!(began.elapsed() < Duration::from_secs(5), "the port is still in use");
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
fn ticks_that_a_slow_page_misses_are_dropped_and_leave_gaps_in_the_numbers() {
    let inspector = Inspector::without_server();
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut agent = inspector.agent(inspector.tree("counter", &tree), "Ann");
    let mut page = inspector.connect();
    page.receive("{\"select\":0}");
    let mut received = page.updates(secs(0));
    assert!(agent.is_watched());
    let (mut n, mut memory) = (0, tree.memory());
    // Ticks are much faster than updates. The program does not wait.
    for round in 1..=5 {
        for _ in 0..20_000 {
            let now = millis(u64::from(n));
            tree.tick_with(&mut n, &mut memory, &mut agent.at(now));
        }
        received.extend(page.updates(secs(round)));
    }
    assert_eq!(n, 100_000);
    // An update has a limited number of ticks.
    for now in 6.. {
        let updates = page.updates(secs(now));
        if !updates.iter().any(|update| update.contains("\"tick\":")) {
            break;
        }
        received.extend(updates);
    }
    let received = received.concat();
    let numbers: Vec<u64> =
        received.split("\"tick\":").skip(1).filter_map(|rest| rest.split(',').next()?.parse().ok()).collect();
    assert!(numbers.is_sorted() && numbers.len() < 50_000, "{} ticks", numbers.len());
    assert!(received.contains("\"tick\":99999,"), "the last tick is sent");
}

#[test]
fn the_agent_that_waits_for_a_page_has_a_name() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for (): run };
    let mut agent = inspector.agent(inspector.tree("runner", &tree), "Ann");
    assert_eq!(inspector.waiting(), None);
    let mut page = page(&address, &["{\"pause\":0}"]);
    while !agent.is_watched() {
        std::thread::sleep(millis(5));
    }
    std::thread::scope(|threads| {
        threads.spawn(|| tree.tick_with(&mut (), &mut tree.memory(), &mut agent));
        while inspector.waiting().as_deref() != Some("Ann") {
            std::thread::sleep(millis(5));
        }
        page.write_all(&frame("{\"resume\":0}")).expect("the connection is open");
    });
    assert_eq!(inspector.waiting(), None);
}

#[test]
fn a_page_receives_until_when_an_agent_sleeps() {
    use bt_core::Wake;
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for (): run };
    let mut agent = inspector.agent(inspector.tree("runner", &tree), "Ann");
    assert!(!agent.needs_tick(), "no page has selected it");
    for (due, sent) in [
        (Wake::Event, Some(r#""asleep":"event""#)),
        (Wake::At(millis(12_500)), Some(r#""asleep":{"until":12.5}"#)),
        (Wake::Next, None),
    ] {
        agent.due(due);
        let mut page = page(&address, &["{\"select\":0}"]);
        until("the page selects the agent", || agent.needs_tick());
        page.set_read_timeout(Some(Duration::from_secs(5))).expect("valid timeout");
        let (mut received, mut part) = (String::new(), vec![0; 1 << 16]);
        while !received.contains(r#""agents""#) || !received.contains(r#""waiting""#) {
            let count = page.read(&mut part).expect("the page receives the list of agents");
            received.push_str(&String::from_utf8_lossy(&part[..count]));
        }
        match sent {
            Some(sent) => assert!(received.contains(sent), "{received}"),
            None => assert!(!received.contains("asleep"), "{received}"),
        }
        drop(page);
        until("the page is gone", || !agent.is_watched());
    }
    // A tick is what a page needs.
    assert!(!agent.is_selected());
    let _page = page(&address, &["{\"select\":0}"]);
    until("the page selects the agent", || agent.needs_tick());
    tree.tick_with(&mut (), &mut tree.memory(), &mut agent);
    assert!(!agent.needs_tick());
    assert!(agent.is_selected());
}

#[test]
fn a_program_can_go_on_without_a_held_agent() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let key = inspector.tree("counter", &tree);
    let mut agents = ["Ann", "Bob"].map(|name| inspector.agent(key.clone(), name));
    let mut counts = [0; 2];
    let mut tick = |agents: &mut [bt_inspector::Watched]| {
        for (agent, count) in agents.iter_mut().zip(&mut counts) {
            if !agent.is_held() {
                tree.tick_with(count, &mut tree.memory(), agent);
            }
        }
        counts
    };
    tick(&mut agents);
    let mut page = page(&address, &["{\"pause\":0}"]);
    until("Ann is held", || agents[0].is_held());
    assert_eq!(tick(&mut agents), [1, 2]);
    assert_eq!(tick(&mut agents), [1, 3]);
    assert_eq!(inspector.waiting(), None, "no thread waits");
    page.write_all(&frame("{\"step\":0}")).expect("the connection is open");
    until("Ann is stepped", || !agents[0].is_held());
    assert_eq!(tick(&mut agents), [2, 4]);
    assert_eq!(tick(&mut agents), [2, 5]);
    // All agents, including those that are added later.
    page.write_all(&frame("{\"pause\":null}")).expect("the connection is open");
    until("Bob is held", || agents[1].is_held());
    assert_eq!(tick(&mut agents), [2, 5]);
    assert!(inspector.agent(key.clone(), "Cid").is_held());
    page.write_all(&frame("{\"step\":null}")).expect("the connection is open");
    until("Bob is stepped", || !agents[1].is_held());
    assert_eq!(tick(&mut agents), [3, 6]);
    assert_eq!(tick(&mut agents), [3, 6]);
    page.write_all(&frame("{\"resume\":null}")).expect("the connection is open");
    until("all go on", || !agents[0].is_held() && !agents[1].is_held());
    assert!(!inspector.agent(key, "Dan").is_held());
    page.write_all(&frame("{\"pause\":0}")).expect("the connection is open");
    until("Ann is held", || agents[0].is_held());
    drop(page);
    until("no page holds her", || !agents[0].is_held());
    assert_eq!(tick(&mut agents), [4, 7]);
}

#[test]
fn a_page_edits_values_while_the_agent_is_held() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let address = address(&inspector);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut agent = inspector.agent(inspector.tree("counter", &tree), "Ann");
    let mut count = 0;
    let select = "{\"select\":0}";
    let mut page = page(&address, &[select]);
    until("the page selects the agent", || agent.needs_tick());
    tree.tick_with(&mut count, &mut tree.memory(), &mut agent);
    agent.show_mut(|values| {
        values.edit("count", &mut count);
    });
    page.write_all(&frame("{\"pause\":0}")).expect("the connection is open");
    until("the agent is held", || agent.is_held());
    page.write_all(&frame(r#"{"edit":{"agent":0,"path":["count"],"value":40}}"#)).expect("the connection is open");
    page.write_all(&frame(r#"{"edit":{"agent":0,"path":["count"],"value":"x"}}"#)).expect("the connection is open");
    until("the value is edited", || {
        agent.show_mut(|values| {
            values.edit("count", &mut count);
        });
        count == 40
    });
    page.set_read_timeout(Some(Duration::from_secs(5))).expect("valid timeout");
    let (mut received, mut part) = (String::new(), vec![0; 1 << 16]);
    while !received.contains("expected u32") || !received.contains("editable") {
        agent.show_mut(|values| {
            values.edit("count", &mut count);
        });
        let read = page.read(&mut part).expect("the page receives the results");
        received.push_str(&String::from_utf8_lossy(&part[..read]));
    }
    assert!(received.contains(r#"{"edited":{"agent":0,"path":["count"],"error":null}}"#), "{received}");
    assert!(received.contains(r#""editable":[["count"]]"#), "{received}");
}
