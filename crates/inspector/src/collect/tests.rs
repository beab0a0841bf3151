//! Ticks that a program sends, and what becomes of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bt_core::observe::{Event, RecordFile, Recorded};
use bt_core::prelude::*;

use super::{CollectedTick, TickCollector, TickStream};
use crate::{CollectFilter, Inspector};

/// Returns what a stream has sent since the last call.
fn collected(stream: &mut TickStream, collector: &mut TickCollector) -> Vec<CollectedTick> {
    stream.updates().iter().filter_map(|message| collector.receive(message)).collect()
}

/// The agents and the numbers of ticks.
fn numbers(ticks: &[CollectedTick]) -> Vec<(&str, u64)> {
    ticks.iter().map(|tick| (tick.name(), tick.tick().number)).collect()
}

fn events(tick: &CollectedTick) -> String {
    Event::to_text(&tick.tick().events)
}

#[test]
fn a_recording_of_what_was_collected_is_that_of_the_program() {
    let tree = tree! { for u32: selector { |n: &u32| *n > 2, |n: &mut u32| { *n += 1; Status::Running } } };
    let inspector = Inspector::without_server();
    let mut ann = inspector.agent(inspector.tree("guard", &tree), "Ann");
    let (mut stream, mut collector) = (inspector.collect(CollectFilter::default()), TickCollector::new());
    let mut expected = RecordFile::new(Vec::new(), "guard", &tree).expect("memory is writable");
    expected.name(0, "Ann").expect("memory is writable");
    let (mut n, mut memory) = (0, tree.memory());
    let mut ticks = Vec::new();
    for tick in 0..5 {
        let mut both = (ann.at(millis(250 * tick)), expected.for_agent(0, millis(250 * tick)));
        tree.tick_with(&mut n, &mut memory, &mut both);
        ann.show(|| [("n", n)].into_iter().collect::<std::collections::BTreeMap<_, _>>());
        expected.show(0, &serde_json::json!({ "n": n }));
        ticks.extend(collected(&mut stream, &mut collector));
    }
    let mut file = ticks[0].tree().record(Vec::new()).expect("memory is writable");
    file.name(ticks[0].agent(), ticks[0].name()).expect("memory is writable");
    for tick in &ticks {
        tick.write(&mut file).expect("memory is writable");
    }
    let text = |file: RecordFile<Vec<u8>>| String::from_utf8(file.finish().expect("memory is writable"));
    assert_eq!(text(file), text(expected));
}

#[test]
fn a_tick_whose_values_come_later_is_written_once() {
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let inspector = Inspector::without_server();
    let mut ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
    let (mut stream, mut collector) = (inspector.collect(CollectFilter::default()), TickCollector::new());
    tree.tick_with(&mut 0, &mut tree.memory(), &mut ann);
    let mut ticks = collected(&mut stream, &mut collector);
    assert!(collected(&mut stream, &mut collector).is_empty());
    ann.show(|| 7);
    ticks.extend(collected(&mut stream, &mut collector));
    assert_eq!(numbers(&ticks), [("Ann", 0), ("Ann", 0)]);
    // Also when the next tick has come meanwhile.
    tree.tick_with(&mut 0, &mut tree.memory(), &mut ann);
    ticks.extend(collected(&mut stream, &mut collector));
    ann.show(|| 8);
    tree.tick_with(&mut 0, &mut tree.memory(), &mut ann);
    ticks.extend(collected(&mut stream, &mut collector));
    assert_eq!(numbers(&ticks[2..]), [("Ann", 1), ("Ann", 1), ("Ann", 2)]);
    let mut file = ticks[0].tree().record(Vec::new()).expect("memory is writable");
    ticks.iter().try_for_each(|tick| tick.write(&mut file)).expect("memory is writable");
    let recorded = Recorded::read(&*file.finish().expect("memory is writable")).expect("it is a recording");
    let shown: Vec<_> = recorded.variables.iter().map(|change| (change.after, change.value.as_deref())).collect();
    assert_eq!((recorded.ticks.len(), shown), (3, vec![(1, Some("7")), (2, Some("8"))]));
}

#[test]
fn agents_are_collected_from_their_first_tick_if_the_filter_matches() {
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let inspector = Inspector::without_server();
    let (guards, others) = (inspector.tree("guard", &tree), inspector.tree("other", &tree));
    let filter = CollectFilter::default().agents("AN").tree("guard");
    let (mut stream, mut collector) = (inspector.collect(filter), TickCollector::new());
    let tick = |watched: &mut crate::Watched| _ = tree.tick_with(&mut 0, &mut tree.memory(), watched);
    for (tree, name) in [(&guards, "Ann"), (&guards, "Bob"), (&others, "Anton"), (&guards, "Hans")] {
        tick(&mut inspector.agent(tree.clone(), name));
    }
    // They were dropped before their ticks were sent.
    assert_eq!(numbers(&collected(&mut stream, &mut collector)), [("Ann", 0), ("Hans", 0)]);
    assert_eq!(collector.agents.len(), 2);
    assert!(collected(&mut stream, &mut collector).is_empty());
    assert_eq!((collector.agents.len(), stream.agents.len()), (0, 0));
    let mut anna = inspector.agent(guards, "Anna");
    drop(stream);
    tick(&mut anna);
    assert!(anna.is_asleep(), "nothing collects its ticks anymore");
}

#[test]
fn only_ticks_with_an_error_are_collected_with_those_before() {
    struct Guard(u32);
    impl OnError<&str> for Guard {
        fn on_error(&mut self, _: NodeId, _: &str) {}
    }
    let tree = tree! {
        for Guard: |guard: &mut Guard| {
            guard.0 += 1;
            if guard.0 == 50 || guard.0 == 52 { Err("too hot") } else { Ok(Status::Running) }
        }
    };
    let inspector = Inspector::without_server();
    let mut ann = inspector.agent(inspector.tree("guard", &tree), "Ann");
    let mut stream = inspector.collect(CollectFilter::default().errors());
    let (mut guard, mut memory, mut collector) = (Guard(0), tree.memory(), TickCollector::new());
    let mut run = |ticks| {
        for _ in 0..ticks {
            tree.tick_with(&mut guard, &mut memory, &mut ann);
        }
        collected(&mut stream, &mut collector)
    };
    assert!(run(30).is_empty());
    assert!(run(19).is_empty());
    let first = run(1);
    assert_eq!((first.len(), first[0].tick().number, first[32].tick().number), (33, 17, 49));
    assert_eq!(first[32].tick().status, Some(Status::Error));
    assert_eq!(numbers(&run(9)), [("Ann", 50), ("Ann", 51)], "the ticks between two errors, once");
    assert!(run(1000).is_empty());
}

#[test]
fn what_is_collected_does_not_keep_agents_held() {
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let inspector = Inspector::without_server();
    let mut ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
    let (mut stream, mut collector) = (inspector.collect(CollectFilter::default()), TickCollector::new());
    let mut page = inspector.connect();
    page.receive("{\"pause\":0}");
    assert!(ann.is_held());
    drop(page);
    assert!(!ann.is_held(), "no page is connected");
    tree.tick_with(&mut 0, &mut tree.memory(), &mut ann);
    assert_eq!(numbers(&collected(&mut stream, &mut collector)), [("Ann", 0)], "it is still collected");
}

#[test]
fn a_tick_that_a_panic_has_ended_is_collected_with_an_error() {
    let tree = tree! {
        for u32: sequence {
            |n: &mut u32| *n += 1,
            |n: &mut u32| {
                assert!(*n != 2 && *n != 4, "a bug");
                Status::Running
            },
        }
    };
    let inspector = Inspector::without_server();
    let mut ann = inspector.agent(inspector.tree("guard", &tree), "Ann");
    let (mut all, mut errors) =
        (inspector.collect(CollectFilter::default()), inspector.collect(CollectFilter::default().errors()));
    let (mut n, mut memory) = (0, tree.memory());
    for tick in 0..4 {
        let _ = catch_unwind(AssertUnwindSafe(|| tree.tick_with(&mut n, &mut memory, &mut ann.at(secs(tick)))));
        ann.show(|| n);
    }
    // A panic ends the program in the last one.
    drop(ann);
    let ticks = collected(&mut all, &mut TickCollector::new());
    let of =
        |tick: &CollectedTick| (tick.tick().number, tick.tick().now, tick.tick().status, tick.tick().reasons.len());
    let running = Some(Status::Running);
    let expected = [(0, secs(0), running, 0), (1, secs(1), None, 1), (2, secs(2), running, 0), (3, secs(3), None, 1)];
    assert_eq!(ticks.iter().map(of).collect::<Vec<_>>(), expected);
    assert_eq!(events(&ticks[3]), "0O 1s 2O");
    assert_eq!(ticks[3].tick().reasons, [(NodeId::new(2), "a panic has ended the tick".to_owned())]);
    assert_eq!(collected(&mut errors, &mut TickCollector::new()).len(), 4, "all, since each is before an error");
}

#[test]
fn each_version_of_a_tree_is_sent_before_its_ticks() {
    let old = tree! { for u32: |n: &mut u32| *n += 1 };
    let new = tree! { for u32: repeat(3) { |n: &mut u32| *n += 1 } };
    let inspector = Inspector::without_server();
    let key = inspector.tree("counter", &old);
    let mut ann = inspector.agent(key.clone(), "Ann");
    let (mut stream, mut collector) = (inspector.collect(CollectFilter::default()), TickCollector::new());
    old.tick_with(&mut 0, &mut old.memory(), &mut ann);
    inspector.replace(&key, &new, &old.description().matching(&new.description()));
    new.tick_with(&mut 0, &mut new.memory(), &mut ann);
    let ticks = collected(&mut stream, &mut collector);
    let nodes = |tick: &CollectedTick| tick.tree().nodes.nodes().len();
    assert_eq!(ticks.iter().map(nodes).collect::<Vec<_>>(), [1, 2]);
    let mut file = ticks[0].tree().record(Vec::new()).expect("memory is writable");
    let error = ticks[1].write(&mut file).expect_err("it is of another version");
    assert_eq!(
        (error.kind(), error.to_string().as_str()),
        (std::io::ErrorKind::InvalidInput, "unknown node #1: the tree has 1 nodes")
    );
    assert_eq!(Recorded::read(&*file.finish().expect("no line was cut")).expect("it is a recording").ticks, []);
}

#[test]
fn what_no_stream_sends_is_ignored() {
    let mut collector = TickCollector::new();
    let tick = r#"{"tick":{"agent":0,"tree":0,"tick":{"agent":0,"tick":0,"now":0,"status":null,"events":"0s"}}}"#;
    for message in
        ["", "{}", "[]", "7", "{\"hello\":1}", "{\"gone\":-1}", "{\"agent\":{}}", "{\"tree\":{\"key\":0}}", tick]
    {
        assert_eq!(collector.receive(message), None, "{message}");
    }
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let nodes = serde_json::to_string(&tree.description()).expect("it is plain data");
    collector.receive(r#"{"agent":{"key":7,"name":"Ann"}}"#);
    for key in 8..50_000 {
        collector.receive(&format!("{{\"agent\":{{\"key\":{key},\"name\":\"{}\"}}}}", "x".repeat(300)));
        if key < 3000 {
            collector.receive(&format!(r#"{{"tree":{{"key":{key},"name":"t","fingerprint":1,"nodes":{nodes}}}}}"#));
        }
        // Another agent is ticked meanwhile.
        collector.receive(r#"{"agent":{"key":7,"name":"Ann"}}"#);
    }
    assert!(collector.agents.len() <= super::receiver::MAX_KNOWN);
    assert_eq!(collector.trees.len(), super::receiver::MAX_TREES);
    assert_eq!(collector.agents[&49_999].name.len(), 200, "the last ones are known");
    assert_eq!(&*collector.agents[&7].name, "Ann");
}

#[test]
fn each_agent_has_its_turn_when_more_waits_than_is_sent_at_a_time() {
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let inspector = Inspector::without_server();
    let key = inspector.tree("counter", &tree);
    let (mut stream, mut collector) = (inspector.collect(CollectFilter::default()), TickCollector::new());
    let mut agents: Vec<_> = (0..3).map(|number| inspector.agent(key.clone(), number.to_string())).collect();
    let (mut n, mut memory) = (0, tree.memory());
    for agent in &mut agents {
        for _ in 0..100 {
            tree.tick_with(&mut n, &mut memory, agent);
            agent.show(|| "x".repeat(50_000));
        }
    }
    let mut sent = || {
        numbers(&collected(&mut stream, &mut collector))
            .into_iter()
            .map(|(name, _)| name.to_owned())
            .collect::<Vec<_>>()
    };
    let (first, second) = (sent(), sent());
    assert_eq!(
        (first.len(), first.first().map(String::as_str), first.last().map(String::as_str)),
        (200, Some("0"), Some("1"))
    );
    assert_eq!(second, ["2"; 100]);
    assert!(sent().is_empty());
}

#[test]
fn a_new_stream_of_the_same_program_repeats_no_tick() {
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let inspector = Inspector::without_server();
    let mut ann = inspector.agent(inspector.tree("counter", &tree), "Ann");
    let (mut stream, mut collector) = (inspector.collect(CollectFilter::default()), TickCollector::new());
    let (mut n, mut memory) = (0, tree.memory());
    tree.tick_with(&mut n, &mut memory, &mut ann);
    assert_eq!(numbers(&collected(&mut stream, &mut collector)), [("Ann", 0)]);
    tree.tick_with(&mut n, &mut memory, &mut ann);
    let lost = stream.updates();
    assert_eq!(lost.len(), 1);
    let mut stream = inspector.collect(CollectFilter::default());
    let ticks = collected(&mut stream, &mut collector);
    let new: Vec<_> = ticks.iter().filter(|tick| !tick.is_repeated()).map(|tick| tick.tick().number).collect();
    assert_eq!(new, [1]);
}
