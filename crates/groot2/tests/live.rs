//! The live protocol over sockets, compared with what BehaviorTree.CPP 4.10 has replied: see `tests/btcpp/README.md`.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use bt_core::prelude::*;
use bt_groot2::{Model, Publisher};
use serde::Deserialize;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use zeromq::{ReqSocket, Socket, SocketRecv, SocketSend, SubSocket, ZmqMessage};

use self::robot::{Robot, load};

mod robot;

const PATIENCE: Duration = Duration::from_secs(5);

/// A line of the recording.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Line {
    #[serde(rename = "do")]
    what: String,
    request: Vec<String>,
    reply: Vec<String>,
    notified: Vec<String>,
}

fn bytes(parts: &[String]) -> Vec<Vec<u8>> {
    let byte = |text: &str, at| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    parts.iter().map(|text| (0..text.len()).step_by(2).map(|at| byte(text, at)).collect()).collect()
}

fn fixture(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/btcpp/groot2");
    fs::read_to_string(folder.join(name)).unwrap()
}

/// A client as Groot2 is one.
struct Client {
    runtime: Runtime,
    requests: ReqSocket,
    notifications: SubSocket,
}

impl Client {
    fn new(port: u16) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (requests, notifications) = runtime.block_on(async {
            let (mut requests, mut notifications) = (ReqSocket::new(), SubSocket::new());
            requests.connect(&format!("tcp://127.0.0.1:{port}")).await.unwrap();
            notifications.connect(&format!("tcp://127.0.0.1:{}", port + 1)).await.unwrap();
            notifications.subscribe("").await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
            (requests, notifications)
        });
        Self { runtime, requests, notifications }
    }

    fn ask(&mut self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let mut parts = parts.into_iter();
        let mut message = ZmqMessage::from(parts.next().unwrap());
        parts.for_each(|part| message.push_back(part.into()));
        let reply = self.runtime.block_on(async {
            self.requests.send(message).await.unwrap();
            timeout(PATIENCE, self.requests.recv()).await.unwrap().unwrap()
        });
        reply.into_vec().into_iter().map(|part| part.to_vec()).collect()
    }

    fn notified(&mut self) -> Vec<Vec<u8>> {
        let message =
            self.runtime.block_on(async { timeout(PATIENCE, self.notifications.recv()).await.unwrap().unwrap() });
        message.into_vec().into_iter().map(|part| part.to_vec()).collect()
    }
}

/// Starts a thread that ticks and halts a tree, and reports the end of each step.
fn robot(xml: String) -> (u16, Sender<String>, Receiver<Status>) {
    let (steps, next) = channel::<String>();
    let (done, ended) = channel();
    let (ready, port) = channel();
    thread::spawn(move || {
        let tree = load(&xml);
        let mut publisher = Publisher::bind("127.0.0.1:0", &Model::new(&tree).with_id(tree.title())).unwrap();
        ready.send(publisher.local_addr().port()).unwrap();
        let (mut robot, mut memory) = (Robot(Board::new()), tree.memory());
        for step in next {
            let mut status = Status::Running;
            if step == "halt" {
                tree.halt_with(&mut robot, &mut memory, &mut publisher);
            } else {
                status = tree.tick_with(&mut robot, &mut memory, &mut publisher);
            }
            publisher.show(&robot.0);
            done.send(status).unwrap();
        }
    });
    (port.recv().unwrap(), steps, ended)
}

/// Replaces what is random or a time.
fn normalized(request: &[Vec<u8>], mut reply: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    if reply[0].len() == 22 {
        assert!(reply[0][6..].iter().any(|byte| *byte != 0));
        reply[0][6..].fill(0);
    }
    match request[0].get(1) {
        Some(b't') => reply[1].chunks_mut(9).for_each(|change| change[..6].fill(0)),
        Some(b'r') if reply.len() == 2 => reply[1] = b"0".to_vec(),
        // BehaviorTree.CPP declares also the models that are not used. The order of its attributes is that of a hash table.
        Some(b'T') => {
            let xml = String::from_utf8(reply.pop().unwrap()).unwrap();
            let sorted = |line: &str| {
                let mut words: Vec<_> = line.trim_end_matches("/>").split(' ').collect();
                words.sort_unstable();
                words.join(" ")
            };
            let trees = xml.split_once("<TreeNodesModel>").unwrap().0;
            reply.push(trees.lines().map(sorted).collect::<String>().into_bytes());
        }
        _ => {}
    }
    // The words of an error in JSON are those of the parser.
    if reply[0] == b"error" && request.len() == 2 && reply[1] != b"Node ID not found" {
        reply.pop();
    }
    reply
}

#[test]
fn replies_are_those_of_behaviortree_cpp() {
    let (port, steps, ended) = robot(fixture("tree.xml"));
    let mut client = Client::new(port);
    let mut count = 0;
    for (index, line) in fixture("replies.jsonl").lines().enumerate() {
        let line: Line = serde_json::from_str(line).unwrap();
        if !line.request.is_empty() {
            let request = bytes(&line.request);
            let reply = normalized(&request, client.ask(request.clone()));
            let mut expected = bytes(&line.reply);
            if expected[0].len() == 22 {
                // Which is checked to be there.
                expected[0][6] = 1;
            }
            let expected = normalized(&request, expected);
            assert_eq!(reply, expected, "line {}: {:?}", index + 1, String::from_utf8_lossy(&request[0]));
            count += 1;
        } else if !line.notified.is_empty() {
            let mut notified = client.notified();
            notified[0][2..].fill(0);
            assert_eq!(notified, bytes(&line.notified), "line {}", index + 1);
        } else {
            if line.what != "join" {
                steps.send(line.what.clone()).unwrap();
            }
            if line.what != "start" {
                ended.recv_timeout(PATIENCE).unwrap();
            }
        }
    }
    assert!(count > 40);
}

#[test]
fn a_tree_is_released_when_the_client_is_gone() {
    let (port, steps, ended) = robot(fixture("tree.xml"));
    let mut client = Client::new(port);
    let hook = br#"{"enabled":true,"uid":2,"mode":0,"once":false,"desired_status":"SKIPPED","position":0}"#;
    client.ask(vec![b"\x02I\x01\0\0\0".to_vec(), hook.to_vec()]);
    steps.send("tick".to_owned()).unwrap();
    assert_eq!(client.notified()[1], b"2");
    assert!(ended.recv_timeout(Duration::from_millis(300)).is_err(), "the tree is held");
    drop(client);
    let began = Instant::now();
    ended.recv_timeout(Duration::from_secs(6)).expect("the tree goes on");
    assert!(began.elapsed() > Duration::from_secs(1));
    // Nor does it stop again.
    steps.send("tick".to_owned()).unwrap();
    ended.recv_timeout(PATIENCE).unwrap();
}

#[test]
fn ports_are_free_when_a_publisher_is_dropped() {
    let tree = tree! { for Board: mem_sequence { succeed, run } };
    let model = Model::new(&tree);
    let first = Publisher::bind("127.0.0.1:0", &model).unwrap();
    let address = first.local_addr();
    assert!(Publisher::bind(address, &model).is_err());
    drop(first);
    assert_eq!(Publisher::bind(address, &model).unwrap().local_addr(), address);
}

/// A client that does not follow the protocol, or announces more than it may send, is disconnected. Others are served.
#[test]
fn hostile_clients_are_disconnected() {
    let (port, _steps, _ended) = robot(fixture("tree.xml"));
    let mut greeting = [0; 64];
    (greeting[0], greeting[9], greeting[10]) = (0xff, 0x7f, 3);
    greeting[12..16].copy_from_slice(b"NULL");
    let ready = b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03REQ";
    let hostile = [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a browser that waits for a reply\r\n\r\n".to_vec(),
        [&greeting[..], ready, b"\x02\x00\x00\x40\0\0\0\0\0"].concat(),
        [&greeting[..], ready, b"\x00\x06\x02S1234"].concat(),
        [&greeting[..], b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x03SUB"].concat(),
    ];
    // More of them than connections are kept.
    let idle: Vec<_> = (0..40).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    for bytes in hostile {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(&bytes).unwrap();
        let mut rest = Vec::new();
        // The end, or a reset if not everything was read.
        if let Err(error) = stream.read_to_end(&mut rest) {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        }
    }
    let mut client = Client::new(port);
    assert_eq!(client.ask(vec![b"\x02S\x01\0\0\0".to_vec()])[1].len(), 27);
    drop(idle);
}
