use bt_core::prelude::*;

use super::*;
use crate::hooks::Position;

fn monitor() -> Monitor {
    let tree = tree! { for (): mem_sequence { succeed, run } };
    Monitor::new(Model::new(&tree))
}

/// The header of a request, as BehaviorTree.CPP serializes it: protocol, type and a number.
fn header(kind: u8) -> Vec<u8> {
    [&[2, kind][..], &0x0403_0201_u32.to_le_bytes()].concat()
}

fn at(seconds: u64) -> Now {
    Now { since: secs(seconds), epoch: secs(1_000_000 + seconds) }
}

fn ask(monitor: &mut Monitor, kind: u8, body: Option<&str>, seconds: u64) -> Message {
    let body = body.map(|body| body.as_bytes().to_vec());
    monitor.reply(&[header(kind)].into_iter().chain(body).collect::<Vec<_>>(), at(seconds))
}

fn hook(uid: u16, mode: u8, position: u8) -> String {
    format!(
        r#"{{"enabled":true,"uid":{uid},"mode":{mode},"once":false,"desired_status":"FAILURE","position":{position}}}"#
    )
}

#[test]
fn a_reply_repeats_the_header_and_adds_the_tree() {
    let mut monitor = monitor();
    let reply = ask(&mut monitor, b'S', None, 0);
    assert_eq!(reply[0][..6], [2, b'S', 1, 2, 3, 4]);
    assert_eq!(reply[0][6..], monitor.tree_id);
    assert_eq!((monitor.tree_id[6] >> 4, monitor.tree_id[8] >> 6), (4, 2));
    assert_eq!(reply[1], [1, 0, 0, 2, 0, 0, 3, 0, 0]);
    assert_eq!(ask(&mut monitor, b'T', None, 0)[1], monitor.model.xml().as_bytes());
}

#[test]
fn an_idle_status_says_what_was_before() {
    let mut monitor = monitor();
    let (from, to) = (NodeStatus::Idle, NodeStatus::Failure);
    monitor.change(Change { uid: 2, from, to }, secs(0));
    assert_eq!(ask(&mut monitor, b'S', None, 0)[1], [1, 0, 0, 2, 0, 3, 3, 0, 0]);
    monitor.change(Change { uid: 2, from: to, to: from }, secs(0));
    monitor.change(Change { uid: 9, from, to }, secs(0));
    assert_eq!(ask(&mut monitor, b'S', None, 0)[1], [1, 0, 0, 2, 0, 13, 3, 0, 0]);
}

#[test]
fn a_recording_is_limited() {
    let mut monitor = monitor();
    assert_eq!(ask(&mut monitor, b'r', Some("start"), 5)[1], b"1000005000000");
    for index in 0..2000_u64 {
        let change = Change { uid: 1, from: NodeStatus::Idle, to: NodeStatus::Running };
        monitor.change(change, secs(5) + Duration::from_micros(index));
    }
    let changes = ask(&mut monitor, b't', None, 6).pop().unwrap();
    assert_eq!((changes.len(), &changes[..9]), (9000, &[0xe8, 3, 0, 0, 0, 0, 1, 0, 1][..]));
    assert_eq!(ask(&mut monitor, b't', None, 6)[1], b"");
    assert_eq!(ask(&mut monitor, b'r', Some("stop"), 6).len(), 1);
}

#[test]
fn hooks_have_no_effect_without_a_client() {
    let mut monitor = monitor();
    let place = (Position::Pre, 2);
    assert_eq!(ask(&mut monitor, b'I', Some(&hook(2, 0, 0)), 10).len(), 1);
    assert_eq!(monitor.pass(place, secs(12)), Held::Waits);
    assert_eq!(monitor.pass(place, secs(13)), Held::Goes(None));
    ask(&mut monitor, b'S', None, 20);
    assert_eq!(monitor.pass(place, secs(21)), Held::Waits);
    let unlock = r#"{"uid":2,"desired_status":"SUCCESS","position":0,"remove_when_done":true}"#;
    ask(&mut monitor, b'U', Some(unlock), 21);
    assert_eq!(monitor.pass(place, secs(21)), Held::Goes(Some(NodeStatus::Success)));
    assert_eq!(ask(&mut monitor, b'D', None, 21)[1], b"[]");
}

#[test]
fn a_breakpoint_that_becomes_a_replacement_goes_on() {
    let mut monitor = monitor();
    let place = (Position::Pre, 2);
    ask(&mut monitor, b'I', Some(&hook(2, 0, 0)), 0);
    assert_eq!(monitor.pass(place, secs(0)), Held::Waits);
    ask(&mut monitor, b'I', Some(&hook(2, 1, 0)), 0);
    assert_eq!(monitor.pass(place, secs(0)), Held::Goes(Some(NodeStatus::Failure)));
    ask(&mut monitor, b'X', None, 0);
    assert_eq!(monitor.pass(place, secs(0)), Held::Goes(None));
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let mut monitor = monitor();
    ask(&mut monitor, b'I', Some(&hook(2, 0, 1)), 0);
    let post = r#"{"uid":2,"desired_status":"SUCCESS","position":1,"remove_when_done":true}"#;
    let deep = "[".repeat(100_000);
    let hostile = [
        (b'I', hook(2, 1, 1)),
        (b'U', post.to_owned()),
        (b'I', deep),
        (b'I', "[{}]".to_owned()),
        (b'I', hook(2, 0, 0).replace("FAILURE", "OTHER")),
        (b'I', hook(2, 0, 0).replace(":2,", ":70000,")),
        (b'R', r#"{"uid":1,"position":0}"#.to_owned()),
        (b'R', "7".to_owned()),
    ];
    for (kind, body) in hostile {
        let reply = ask(&mut monitor, kind, Some(&body), 0);
        assert_eq!((reply.len(), &*reply[0]), (2, &b"error"[..]), "{}", body.get(..80).unwrap_or(&body));
    }
    assert_eq!(monitor.reply(&[], at(0))[0], b"error");
    assert_eq!(monitor.reply(&vec![header(b'B'); 3], at(0))[1], b"must be 2 parts message");
    // None of them has added a hook.
    let hooks = ask(&mut monitor, b'D', None, 0).pop().unwrap();
    assert_eq!(String::from_utf8(hooks).unwrap().matches('{').count(), 1);
}
