//! A page of the inspector, as far as it edits.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// No test waits that long, unless it fails.
const LONG: Duration = Duration::from_secs(60);

/// A page that is connected.
pub(crate) struct Page {
    stream: TcpStream,
    messages: Receiver<Value>,
    /// The last message of each kind.
    last: BTreeMap<String, Value>,
    /// All versions of trees that the page knows.
    trees: Vec<Value>,
}

impl Page {
    /// Opens a page, with or without the token of the URL.
    pub(crate) fn open(url: &str, has_token: bool) -> Self {
        const FINE: &str = "the connection is open";
        let (address, query) = url.trim_start_matches("http://").split_once('/').expect("a path");
        let query = if has_token { query } else { "" };
        let mut stream = TcpStream::connect(address).expect("the server accepts connections");
        let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        let request = format!("GET /live{query} HTTP/1.1\r\nHost: {address}\r\n{upgrade}\r\n");
        stream.write_all(request.as_bytes()).expect(FINE);
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect(FINE);
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        let (sender, messages) = channel();
        let (mut from, mut to) = (stream.try_clone().expect(FINE), stream.try_clone().expect(FINE));
        thread::spawn(move || {
            while let Some((kind, content)) = frame(&mut from) {
                match kind {
                    1 => {
                        let message = serde_json::from_slice(&content).expect("it is JSON");
                        if sender.send(message).is_err() {
                            return;
                        }
                    }
                    9 => send(&mut to, 10, &content),
                    _ => {}
                }
            }
        });
        Self { stream, messages, last: BTreeMap::new(), trees: Vec::new() }
    }

    /// Opens the document of a file.
    pub(crate) fn edit(&mut self, name: &str) {
        let key = self.about(name)["key"].clone();
        self.last.remove("document");
        self.send(&json!({ "open": key }));
        self.until("the document is there", |page| page.document()["key"] == key);
    }

    /// Waits until a file is in the list of documents. Returns what the list says about it.
    pub(crate) fn about(&mut self, name: &str) -> Value {
        self.until(&format!("{name} is a document"), |page| !page.list(name).is_null());
        self.list(name)
    }

    /// Returns what the list of documents says about a file.
    pub(crate) fn list(&self, name: &str) -> Value {
        let documents = self.last.get("documents").and_then(Value::as_array).into_iter().flatten();
        documents.into_iter().find(|document| document["name"] == name).cloned().unwrap_or_default()
    }

    /// Returns the opened document.
    pub(crate) fn document(&self) -> &Value {
        self.last.get("document").unwrap_or(&Value::Null)
    }

    /// Returns the id of the node with a head.
    pub(crate) fn node(&self, head: &str) -> u64 {
        let mut trees = self.document()["trees"].as_array().into_iter().flatten();
        let found = trees.find_map(|tree| find(&tree["root"], head));
        found.unwrap_or_else(|| panic!("no {head}: {:#}", self.document()["trees"]))
    }

    /// Changes the opened document. Returns why that is refused, if it is.
    pub(crate) fn change(&mut self, operation: &Value) -> Option<String> {
        let key = self.document()["key"].clone();
        self.ask(&json!({ "change": { "document": key, "operations": [operation] } }), "changed")
    }

    /// Sends a request about the opened document whose answer is another version of it.
    pub(crate) fn request(&mut self, name: &str) -> Option<String> {
        let key = self.document()["key"].clone();
        self.ask(&json!({ name: key }), "document")
    }

    /// Sends a request. Returns why it is refused, or `None` when the answer is there.
    pub(crate) fn ask(&mut self, request: &Value, answer: &str) -> Option<String> {
        let kept = self.last.remove(answer);
        self.last.remove("refused");
        self.send(request);
        self.until(&format!("{request} has an answer"), |page| {
            page.last.contains_key(answer) || page.last.contains_key("refused")
        });
        if let Some(kept) = kept {
            self.last.entry(answer.to_owned()).or_insert(kept);
        }
        Some(self.last.remove("refused")?["message"].as_str().expect("a text").to_owned())
    }

    pub(crate) fn send(&mut self, request: &Value) {
        send(&mut self.stream, 1, request.to_string().as_bytes());
    }

    /// Returns the names of the nodes in the last version of a tree of the program.
    pub(crate) fn tree(&self, name: &str) -> Vec<String> {
        let tree = self.trees.iter().rev().find(|tree| tree["name"] == name);
        let nodes = tree.and_then(|tree| tree["nodes"].as_array()).into_iter().flatten();
        nodes.map(|node| node["name"].as_str().expect("a name").to_owned()).collect()
    }

    /// Returns the number of versions of a tree of the program.
    pub(crate) fn versions(&self, name: &str) -> usize {
        self.trees.iter().filter(|tree| tree["name"] == name).count()
    }

    pub(crate) fn until(&mut self, what: &str, is: impl Fn(&Self) -> bool) {
        let end = Instant::now() + LONG;
        while !is(self) {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(message) = self.messages.recv_timeout(left) else { panic!("not: {what}\n{:#?}", self.last) };
            self.take(message);
        }
    }

    fn take(&mut self, message: Value) {
        let Value::Object(message) = message else { panic!("no object: {message}") };
        for (kind, content) in message {
            if kind == "trees" {
                self.trees.extend(content.as_array().expect("a list").iter().cloned());
            }
            self.last.insert(kind, content);
        }
    }

    /// Receives what comes within a time.
    pub(crate) fn wait(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(message) = self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
            self.take(message);
        }
    }
}

/// Returns the id of the first node with a head.
fn find(node: &Value, head: &str) -> Option<u64> {
    if node["head"] == head {
        return node["id"].as_u64();
    }
    let lists = node["lists"].as_array().into_iter().flatten();
    lists.flat_map(|list| list["children"].as_array().into_iter().flatten()).find_map(|child| find(child, head))
}

/// Sends a frame as a browser does, masked with zeros. `kind` is 1 for text, 10 for the answer to a ping.
fn send(stream: &mut TcpStream, kind: u8, content: &[u8]) {
    // 127 is followed by the length as 8 bytes; frames of control have short ones.
    let mut frame = vec![0x80 | kind];
    match u8::try_from(content.len()).ok().filter(|length| *length < 126) {
        Some(length) => frame.push(0x80 | length),
        None => {
            frame.push(0x80 | 127);
            frame.extend((content.len() as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(content);
    // The program may have ended.
    let _ = stream.write_all(&frame);
}

/// Reads a frame: its kind and its content.
fn frame(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    stream.read_exact(&mut head).ok()?;
    let mut length = [0; 8];
    let bytes = match head[1] & 0x7f {
        126 => 2,
        127 => 8,
        short => {
            length[7] = short;
            0
        }
    };
    stream.read_exact(&mut length[8 - bytes..]).ok()?;
    let mut content = vec![0; usize::try_from(u64::from_be_bytes(length)).ok()?];
    stream.read_exact(&mut content).ok()?;
    Some((head[0] & 0x0f, content))
}
