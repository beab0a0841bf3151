//! What a member publishes, and what peers can send that are no members or hubs.

mod common;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bt_fleet::{Change, Config, Fleet};
use common::{TestHub, endpoint, open, wait_for, wait_for_update};
use zenoh::sample::Sample;
use zenoh::{Session, Wait as _};

const HUB: &str = "0123456789abcdef";

/// Waits until a member is there, and returns the part of its keys: `machine/session`.
fn member(session: &Session, fleet: &str) -> String {
    wait_for("a member", || {
        let tokens = session.liveliness().get(format!("bt/{fleet}/machine/*/*")).wait().expect("it is open");
        let token = tokens.recv().ok()?.into_result().ok()?;
        token.key_expr().as_str().split_once("/machine/").map(|(_, member)| member.to_owned())
    })
}

#[test]
fn nothing_is_published_while_no_page_is_open() {
    let endpoint = endpoint();
    let hub = open(&[&endpoint], &[]);
    let samples = Arc::new(AtomicUsize::new(0));
    let texts = Arc::new(Mutex::new(Vec::new()));
    let (counted, received) = (Arc::clone(&samples), Arc::clone(&texts));
    let count = move |sample: Sample| {
        counted.fetch_add(1, Ordering::SeqCst);
        received
            .lock()
            .expect("no test panics here")
            .push(sample.payload().try_to_string().expect("UTF-8").into_owned());
    };
    hub.declare_subscriber("bt/quiet/**").callback(count).background().wait().expect("it is open");
    let fleet = Fleet::join(Config::new("quiet", "robot").connect(&endpoint)).expect("it can join");
    let member = member(&hub, "quiet");
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(samples.load(Ordering::SeqCst), 0);

    let token = hub.liveliness().declare_token(format!("bt/quiet/hub/{HUB}")).wait().expect("it is open");
    let put = |kind: u8, text: &str| {
        let put = hub.put(format!("bt/quiet/to/{member}/{HUB}/7"), text).attachment([kind]);
        put.congestion_control(zenoh::qos::CongestionControl::Block).wait().expect("it is open");
    };
    put(0, "");
    put(1, "{\"select\":8}\n{\"select\":9}");
    let has = |text: &str| texts.lock().expect("no test panics here").iter().any(|received| received.contains(text));
    wait_for("answers", || (has("{\"hello\":") && has("unknown agent 8") && has("unknown agent 9")).then_some(()));
    put(2, "");
    wait_for("the page is closed", || (fleet.inspector().pages() == 0).then_some(()));
    put(0, "");
    wait_for("the page is open", || (fleet.inspector().pages() == 1).then_some(()));
    token.undeclare().wait().expect("it is open");
    wait_for("the hub is gone", || (fleet.inspector().pages() == 0).then_some(()));
    let before = samples.load(Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(500));
    assert!(samples.load(Ordering::SeqCst) <= before + 1);
}

#[test]
fn a_member_ignores_what_no_hub_sends() {
    let endpoint = endpoint();
    let peer = open(&[&endpoint], &[]);
    let fleet = Fleet::join(Config::new("wrong", "robot").connect(&endpoint)).expect("it can join");
    let member = member(&peer, "wrong");
    let _tokens: Vec<_> = ["x", "0123", HUB]
        .map(|hub| peer.liveliness().declare_token(format!("bt/wrong/hub/{hub}")).wait().expect("it is open"))
        .into();
    let put = |hub: &str, page: &str, attachment: &[u8], payload: Vec<u8>| {
        let put = peer.put(format!("bt/wrong/to/{member}/{hub}/{page}"), payload).attachment(attachment);
        put.congestion_control(zenoh::qos::CongestionControl::Block).wait().expect("it is open");
    };
    put("x", "1", &[0], vec![]);
    put(HUB, "page", &[0], vec![]);
    put(HUB, "-1", &[0], vec![]);
    put(HUB, "1", &[9], vec![]);
    put(HUB, "1", &[], vec![]);
    put(HUB, "1", &[0, 0], vec![]);
    peer.put(format!("bt/wrong/to/{member}/{HUB}/1"), "").wait().expect("it is open");
    put(HUB, "1", &[1], b"{}".to_vec());
    put(HUB, "2", &[0], vec![]);
    put(HUB, "2", &[1], vec![0xff, 0xfe]);
    put(HUB, "2", &[1], b"\n\n[[[[".to_vec());
    put(HUB, "2", &[1], vec![b'['; 1 << 20]);
    wait_for("the page is open", || (fleet.inspector().pages() == 1).then_some(()));
    put(HUB, "2", &[2], vec![]);
    wait_for("the page is closed", || (fleet.inspector().pages() == 0).then_some(()));
}

#[test]
fn a_hub_ignores_what_no_member_sends() {
    let endpoint = endpoint();
    let hub = TestHub::serve("rogue", &endpoint);
    let peer = open(&[], &[&endpoint]);
    let (sender, hubs) = channel();
    let seen = move |sample: Sample| _ = sender.send(sample.key_expr().as_str().to_owned());
    let seeing = peer.liveliness().declare_subscriber("bt/rogue/hub/*").history(true);
    seeing.callback(seen).background().wait().expect("it is open");
    let id = hubs.recv_timeout(Duration::from_secs(10)).expect("a hub is there");
    let id = id.trim_start_matches("bt/rogue/hub/");
    let _tokens: Vec<_> = [
        format!("*/{HUB}"),
        "x/y".to_owned(),
        format!("@a/{HUB}"),
        format!("\u{1b}[31m/{HUB}"),
        format!("rogue/{HUB}"),
    ]
    .iter()
    .filter_map(|member| peer.liveliness().declare_token(format!("bt/rogue/machine/{member}")).wait().ok())
    .collect();
    hub.wait_for(&Change::Joined("rogue".to_owned()));
    assert_eq!(hub.changes().len(), 1, "{:?}", hub.changes());
    let mut page = hub.hub.hub().connect();
    let put = |key: &str, kind: u8, payload: Vec<u8>| {
        let put = peer.put(format!("bt/rogue/from/{key}"), payload).attachment([kind]);
        put.congestion_control(zenoh::qos::CongestionControl::Block).wait().expect("it is open");
    };
    let lists = br#"{"agents":[],"trees":7,"hello":{"session":"x"}}"#.to_vec();
    for number in 0..2 {
        put(&format!("rogue/{HUB}/{id}/{number}"), 1, vec![0xff]);
        put(&format!("rogue/{HUB}/{id}/{number}"), 1, b"\n{}\n[]\nnull\n{\"selected\":".to_vec());
        put(&format!("rogue/{HUB}/{id}/{number}"), 1, lists.clone());
        put(&format!("rogue/{HUB}/{id}/{number}"), 0, lists.clone());
        put(&format!("unknown/{HUB}/{id}/{number}"), 1, lists.clone());
    }
    put(&format!("rogue/{HUB}/{id}/x"), 1, lists);

    // A true member is still shown.
    let fleet = Fleet::join(Config::new("rogue", "robot").connect(&endpoint)).expect("it can join");
    let tree = bt_core::tree! { for u32: |n: &mut u32| *n += 1 };
    let _ann = fleet.inspector().agent(fleet.inspector().tree("counter", &tree), "Ann");
    wait_for_update(&mut page, "Ann");
}

#[test]
fn a_member_connects_to_no_peer_that_the_hub_knows() {
    let endpoint = endpoint();
    let hub = TestHub::serve("gossip", &endpoint);
    // It listens, as peers of zenoh do, and the hub knows where.
    let stranger = open(&["tcp/127.0.0.1:0"], &[&endpoint]);
    let fleet = Fleet::join(Config::new("gossip", "robot").connect(&endpoint)).expect("it can join");
    hub.wait_for(&Change::Joined("robot".to_owned()));
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(stranger.info().peers_zid().wait().count(), 1, "the hub");
    drop(fleet);
}
