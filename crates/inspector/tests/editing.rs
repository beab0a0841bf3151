//! Tests of pages that edit, over plain TCP connections.
#![cfg(feature = "edit")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bt_inspector::{Document, Inspector};

const GUARD: &str = "selector { attack, patrol }\n";

/// Returns the address of an inspector, and its token.
fn address(inspector: &Inspector) -> (String, String) {
    let url = inspector.url();
    let (address, query) = url.trim_start_matches("http://").split_once('/').expect("the URL has a path");
    (address.to_owned(), query.trim_start_matches("?token=").to_owned())
}

/// Connects a page. Returns the first bytes of the response, too.
fn connect(address: &str, query: &str, origin: &str) -> (TcpStream, String) {
    let mut page = TcpStream::connect(address).expect("the server accepts connections");
    page.set_read_timeout(Some(Duration::from_secs(5))).expect("valid timeout");
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let request = format!("GET /live{query} HTTP/1.1\r\nHost: {address}\r\n{origin}{upgrade}\r\n");
    page.write_all(request.as_bytes()).expect("the connection is open");
    let mut response = [0; 12];
    page.read_exact(&mut response).expect("there is a response");
    (page, String::from_utf8_lossy(&response).into_owned())
}

/// Sends a frame as a browser does, masked with zeros. `kind` is 1 for text, 2 for other data.
fn send(page: &mut TcpStream, kind: u8, content: &[u8]) {
    let mut frame = vec![0x80 | kind];
    // 127 is followed by the length as 8 bytes.
    frame.push(0x80 | 0x7f);
    frame.extend((content.len() as u64).to_be_bytes());
    frame.extend([0; 4]);
    frame.extend(content);
    // The server may close the connection before it has read all.
    let _ = page.write_all(&frame);
}

/// Reads until a text was received; returns `None` if the connection ends before.
fn receive(page: &mut TcpStream, text: &str) -> Option<String> {
    receive_all(page, &[text])
}

/// Reads until these texts have been received, in any order. A message may come in several parts.
fn receive_all(page: &mut TcpStream, texts: &[&str]) -> Option<String> {
    let (mut received, mut part) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        let count = page.read(&mut part).ok().filter(|count| *count > 0)?;
        received.extend_from_slice(&part[..count]);
        let all = String::from_utf8_lossy(&received);
        if texts.iter().all(|text| all.contains(text)) {
            return Some(all.into_owned());
        }
    }
}

const DELETE: &str = r#"{"change":{"document":0,"operations":[{"op":"delete","nodes":[3]}]}}"#;

#[test]
fn on_loopback_everyone_looks_and_only_the_token_edits() {
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    assert!(!inspector.url().contains("token"));
    let guard = inspector.edit(Document::text("guard.bt", GUARD)).expect("it is valid");
    inspector.allow_edit();
    let (address, token) = address(&inspector);
    assert_eq!(token.len(), 32);
    for query in ["", "?token=", "?token=0123456789abcdef0123456789abcdef", &format!("?token={}0", &token[1..])] {
        let (mut page, response) = connect(&address, query, "");
        assert_eq!(response, "HTTP/1.1 101", "{query}: everyone may look");
        send(&mut page, 1, b"{\"open\":0}");
        assert!(receive(&mut page, "\"document\"").is_some());
        send(&mut page, 1, DELETE.as_bytes());
        assert!(receive(&mut page, "this page was opened without the token").is_some(), "{query}");
        assert_eq!(guard.text(), GUARD);
    }
    let (mut page, _) = connect(&address, &format!("?token={token}"), "");
    send(&mut page, 1, DELETE.as_bytes());
    assert!(receive(&mut page, "\"changed\"").is_some());
    assert_eq!(guard.text(), "selector { patrol }\n");
}

#[test]
fn a_program_is_asked_for_documents_only_while_pages_are_open() {
    let asked = Arc::new(AtomicUsize::new(0));
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    let count = Arc::clone(&asked);
    inspector.edit_each(move || {
        count.fetch_add(1, Ordering::SeqCst);
        Vec::new()
    });
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    let (mut page, _) = connect(&address(&inspector).0, "", "");
    assert!(receive(&mut page, "hello").is_some());
    let began = Instant::now();
    while asked.load(Ordering::SeqCst) < 2 {
        assert!(began.elapsed() < Duration::from_secs(10), "it is asked again");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn other_origins_are_rejected_with_the_token_too() {
    for inspector in [Inspector::serve("127.0.0.1:0"), Inspector::serve_with_token("127.0.0.1:0")] {
        let inspector = inspector.expect("a port is free");
        inspector.allow_edit();
        let (address, token) = address(&inspector);
        for origin in ["http://evil.example", "null", "http://localhost:1"] {
            let origin = format!("Origin: {origin}\r\n");
            assert_eq!(connect(&address, &format!("?token={token}"), &origin).1, "HTTP/1.1 403");
        }
        let origin = format!("Origin: http://{address}\r\n");
        assert_eq!(connect(&address, &format!("?token={token}"), &origin).1, "HTTP/1.1 101");
    }
    let inspector = Inspector::serve_with_token("127.0.0.1:0").expect("a port is free");
    inspector.allow_edit();
    assert_eq!(connect(&address(&inspector).0, "", "").1, "HTTP/1.1 403", "nobody looks without the token");
}

#[test]
fn messages_are_limited_and_garbage_is_no_request() {
    let inspector = Inspector::serve_with_token("127.0.0.1:0").expect("a port is free");
    inspector.allow_edit();
    let guard = inspector.edit(Document::text("guard.bt", GUARD)).expect("it is valid");
    let (address, token) = address(&inspector);
    let query = format!("?token={token}");
    let change = |bytes: usize| {
        let text = "x".repeat(bytes);
        format!(r#"{{"change":{{"document":0,"operations":[{{"op":"note","node":3,"text":"{text}"}}]}}}}"#)
    };
    let (mut page, _) = connect(&address, &query, "");
    send(&mut page, 1, change(60_000).as_bytes());
    assert!(receive(&mut page, "\"changed\"").is_some(), "larger than other messages");
    send(&mut page, 1, change(70_000).as_bytes());
    assert!(receive(&mut page, "the text is too long").is_some());
    send(&mut page, 2, &[0xff, 0, 0xfe]);
    assert!(receive(&mut page, "expected a text message").is_some());
    send(&mut page, 1, b"{\"change\":\x00\x01\x02");
    assert!(receive(&mut page, "invalid request").is_some());
    send(&mut page, 1, change(300_000).as_bytes());
    assert!(receive(&mut page, "never").is_none(), "the connection is closed");
    let (mut page, _) = connect(&address, &query, "");
    send(&mut page, 1, &[0xff; 100]);
    assert!(receive(&mut page, "never").is_none(), "no text");
    // The server is still there.
    let (mut page, _) = connect(&address, &query, "");
    send(&mut page, 1, b"{\"undo\":0}");
    send(&mut page, 1, b"{\"open\":0}");
    assert!(receive(&mut page, "\"document\"").is_some());
    assert_eq!(guard.text(), GUARD);
    // Without the token, messages are as small as before.
    let inspector = Inspector::serve("127.0.0.1:0").expect("a port is free");
    inspector.allow_edit();
    let (mut page, _) = connect(&self::address(&inspector).0, "", "");
    send(&mut page, 1, change(20_000).as_bytes());
    assert!(receive(&mut page, "never").is_none(), "the connection is closed");
}

#[test]
fn a_page_that_does_not_read_does_not_stop_the_others() {
    let inspector = Inspector::serve_with_token("127.0.0.1:0").expect("a port is free");
    inspector.allow_edit();
    let nodes = vec!["patrol"; 3000].join(", ");
    let guard =
        inspector.edit(Document::text("guard.bt", format!("selector {{ attack, {nodes} }}\n"))).expect("it is valid");
    let (address, token) = address(&inspector);
    let query = format!("?token={token}");
    let (mut slow, _) = connect(&address, &query, "");
    send(&mut slow, 1, b"{\"open\":0}");
    let (mut page, _) = connect(&address, &query, "");
    for round in 0..5 {
        let label =
            format!(r#"{{"change":{{"document":0,"operations":[{{"op":"label","node":3,"label":"{round}"}}]}}}}"#);
        send(&mut page, 1, label.as_bytes());
        assert!(receive(&mut page, "\"changed\"").is_some(), "{round}");
    }
    assert!(guard.text().contains("attack \"4\""));
    drop(slow);
}

#[test]
fn a_file_that_changes_elsewhere_is_followed_while_a_page_is_open() {
    let folder = std::env::temp_dir().join(format!("bt-inspector-edit-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let path = folder.join("guard.bt");
    std::fs::write(&path, GUARD).expect("the folder is writable");
    let inspector = Inspector::serve_with_token("127.0.0.1:0").expect("a port is free");
    inspector.allow_edit();
    inspector.allow_write(&folder).expect("a folder");
    inspector.edit(Document::file(&path)).expect("it is valid");
    let (address, token) = address(&inspector);
    let (mut page, _) = connect(&address, &format!("?token={token}"), "");
    send(&mut page, 1, b"{\"open\":0}");
    assert!(receive(&mut page, "\"write\":true").is_some());
    std::fs::write(&path, "selector { attack, sleep }\n").expect("the folder is writable");
    // The page answers no pings, but the change is there before it is disconnected.
    assert!(receive(&mut page, "change of the file").is_some());
    send(&mut page, 1, DELETE.as_bytes());
    send(&mut page, 1, b"{\"save\":0}");
    assert!(receive(&mut page, "\"undo\":\"delete attack\"").is_some());
    let began = std::time::Instant::now();
    while std::fs::read_to_string(&path).expect("it is there") != "selector { sleep }\n" {
        assert!(began.elapsed() < Duration::from_secs(10), "it is not saved");
        std::thread::sleep(Duration::from_millis(10));
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn a_running_tree_follows_a_page() {
    use bt_core::prelude::*;
    use bt_dynamic::{Editable, LiveTree, Registry};

    let mut registry = Registry::<u32>::new();
    registry.add_leaf("walk", |steps: &mut u32| *steps += 1).add_leaf("jump", |steps: &mut u32| *steps += 10);
    let tree = LiveTree::new();
    let editable = Editable::new(tree.clone(), registry);
    let text = "sequence { walk, walk }\n";
    editable.apply(text).expect("it is valid");

    let inspector = Inspector::serve_with_token("127.0.0.1:0").expect("a port is free");
    inspector.allow_edit();
    let walkers = inspector.tree("walker", &tree);
    let document = Document::text("walker.bt", text).of(&walkers).target(editable);
    let document = inspector.edit(document).expect("it is valid");
    let (address, token) = address(&inspector);
    let (mut page, _) = connect(&address, &format!("?token={token}"), "");
    send(&mut page, 1, b"{\"open\":0}");
    let texts = ["\"document\":{", "\"name\":\"jump\"", "\"runs\":true", "\"tree\":0"];
    receive_all(&mut page, &texts).expect("it is sent");
    let (mut steps, mut memory) = (0, tree.memory());
    tree.tick(&mut steps, &mut memory);
    assert_eq!(steps, 2);
    let replace = |head: &str| {
        format!(r#"{{"change":{{"document":0,"operations":[{{"op":"replace","node":4,"head":"{head}"}}]}}}}"#)
    };
    send(&mut page, 1, replace("jump").as_bytes());
    assert!(receive(&mut page, "\"changed\"").is_some());
    assert_eq!(document.text(), "sequence { walk, jump }\n");
    tree.tick(&mut steps, &mut memory);
    assert_eq!(steps, 13);
    send(&mut page, 1, replace("jmup").as_bytes());
    let received = receive(&mut page, "\"changed\"").expect("the document can be invalid");
    assert!(received.contains("unknown node `jmup`; help: did you mean `jump`?"), "{received}");
    tree.tick(&mut steps, &mut memory);
    assert_eq!(steps, 24, "the tree before runs on");
    send(&mut page, 1, b"{\"undo\":0}");
    send(&mut page, 1, b"{\"undo\":0}");
    assert!(receive(&mut page, "\"redo\":\"replace walk\"").is_some());
    tree.tick(&mut steps, &mut memory);
    assert_eq!(steps, 26);
}
