//! Tests of a page with agents.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bt_core::prelude::*;
use serde_json::{Value, json};

use super::listing::MAX_AGENTS;
use super::page::Page;
use crate::program::Watched;
use crate::state::{About, Shared, Walk};

#[cfg(feature = "edit")]
mod editing;
mod typescript;
mod versions;

pub(crate) use typescript::TickRecord;

/// The time of all updates: no list is due.
const TIME: Duration = Duration::ZERO;

/// Returns a page of a program with agents `soldier 0`, `soldier 1` and so on.
fn page(agents: usize) -> Page {
    let shared = Arc::new(Shared::default());
    let tree = shared.add_tree("counter", About::of(&tree! { for u32: |n: &mut u32| *n += 1 }));
    for number in 0..agents {
        shared.add_agent(Arc::clone(&tree), format!("soldier {number}"));
    }
    Page::new(shared, false)
}

/// Sends a request and returns the updates.
fn request(page: &mut Page, message: &str) -> Vec<Value> {
    let mut updates = Vec::new();
    page.receive(message, &mut updates);
    page.push_updates(TIME, &mut updates);
    updates.iter().map(|text| serde_json::from_str(text).expect("valid JSON")).collect()
}

/// Returns the last list of agents in the updates.
fn agents(updates: &[Value]) -> &Value {
    updates.iter().rev().find_map(|message| message.get("agents")).expect("agents are listed")
}

#[test]
fn states_are_sent_with_the_number_of_requests_before_them() {
    let mut page = page(2);
    let paused = |updates: &[Value]| updates.iter().find_map(|message| message.get("pause").cloned());
    let state = |paused: bool, holds: u64| Some(json!({ "agent": 0, "paused": paused, "stop": null, "holds": holds }));
    assert_eq!(paused(&request(&mut page, "{\"select\":0}")), state(false, 0));
    assert_eq!(paused(&request(&mut page, "{\"pause\":0}")), state(true, 1));
    assert_eq!(paused(&request(&mut page, "{\"pause\":0}")), state(true, 2), "although nothing has changed");
    assert_eq!(paused(&request(&mut page, "{\"resume\":7}")), state(true, 3), "although there is no such agent");
    assert_eq!(paused(&request(&mut page, "{\"resume\":0}")), state(false, 4));
    assert_eq!(paused(&request(&mut page, "{\"follow\":[1]}")), None, "nothing was requested");
    let updates = request(&mut page, "{\"list\":{\"search\":\"soldier 1\"}}");
    assert_eq!((&agents(&updates)["held"], &agents(&updates)["holds"]), (&json!(false), &json!(4)));
}

#[test]
fn the_selected_agent_is_sent_even_if_it_is_not_listed() {
    let mut page = page(1000);
    assert_eq!(agents(&request(&mut page, "{\"list\":{\"search\":\"soldier 999\"}}"))["selected"], Value::Null);
    assert_eq!(agents(&request(&mut page, "{\"select\":999}"))["selected"]["name"], "soldier 999");
    let updates = request(&mut page, "{\"list\":{\"search\":\"\"}}");
    let list = agents(&updates);
    let listed = list["list"].as_array().expect("an array");
    assert_eq!(listed.len(), MAX_AGENTS);
    assert!(!listed.iter().any(|agent| agent["key"] == 999));
    let info = json!({ "key": 999, "name": "soldier 999", "tree": 0, "status": null, "removed": false });
    assert_eq!(list["selected"], info);
}

#[test]
fn a_dropped_agent_is_freed_when_no_page_shows_it_and_its_key_is_not_reused() {
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut page = page(1);
    let shared = Arc::clone(&page.shared);
    let key = shared.agent(0).expect("the agent exists").versions.clone();
    let mut watched: Vec<_> =
        ["Ann", "Bob"].map(|name| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&key), name))).into();
    let [ann, bob] = [1, 2].map(|key| Arc::downgrade(&shared.agent(key).expect("the agent exists")));
    request(&mut page, "{\"select\":1}");
    tree.tick_with(&mut 0, &mut tree.memory(), &mut watched[0]);
    assert!(shared.stored.load(Ordering::Relaxed) > 0);
    watched.clear();
    assert!(bob.upgrade().is_none());
    page.request_list();
    let updates = request(&mut page, "{\"list\":{\"search\":\"\"}}");
    let list = agents(&updates);
    assert_eq!(
        (&list["total"], &list["selected"]["name"], &list["selected"]["removed"]),
        (&json!(2), &json!("Ann"), &json!(true))
    );
    assert_eq!(list["list"][1]["name"], "Ann");
    assert_eq!(shared.add_agent(Arc::clone(&key), "Cid").key, 3);
    request(&mut page, "{\"select\":3}");
    assert!(ann.upgrade().is_none());
    assert_eq!(shared.stored.load(Ordering::Relaxed), 0);
}

#[test]
fn replaced_trees_are_freed_and_leave_their_breakpoints_to_the_next_of_their_name() {
    use crate::state::{Breakpoint, Trigger};
    let shared = Arc::new(Shared::default());
    let mut page = Page::new(Arc::clone(&shared), false);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut watched = None;
    for version in 0..5 {
        let key = shared.add_tree("counter", About::of(&tree));
        assert_eq!(key.current().key, version);
        assert!(shared.trees_from(0).len() <= 2);
        if version == 0 {
            let on = vec![Trigger::Success];
            let breakpoint =
                Breakpoint { node: 0, on, agent: Some(0), disabled: false, skip: 2, condition: "hp < 3".to_owned() };
            shared.set_breakpoint(0, breakpoint).expect("the node exists");
        }
        let kept: Vec<_> = key.current().breakpoints().list().map(|(of, _)| (of.node, of.skip)).collect();
        assert_eq!(kept, [(0, 2)]);
        watched = Some(Watched::new(Arc::clone(&shared), shared.add_agent(key, "Ann")));
    }
    let updates = request(&mut page, "{\"list\":{\"search\":\"\"}}");
    let sent = updates.iter().find_map(|update| update.get("trees")).expect("the trees are sent");
    assert_eq!(sent.as_array().map(Vec::len), Some(2));
    let unknown = shared.change_breakpoints(0, |_, _, _| Ok(()));
    assert_eq!(unknown, Err("unknown tree 0".to_owned()));
    drop(watched);
}

#[test]
fn the_history_of_an_unwatched_agent_is_freed_after_a_while() {
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let mut page = page(2);
    let shared = Arc::clone(&page.shared);
    let mut watched = Watched::new(Arc::clone(&shared), shared.agent(0).expect("the agent exists"));
    let mut tick = || {
        tree.tick_with(&mut 0, &mut tree.memory(), &mut watched);
        watched.show(|| "x".repeat(1000));
    };
    let stored = || shared.stored.load(Ordering::Relaxed);
    let sweep = |seconds| shared.maintain(secs(seconds));
    request(&mut page, "{\"select\":0}");
    tick();
    [0, 100].into_iter().for_each(sweep);
    assert!(stored() > 1000, "a page has selected the agent");
    request(&mut page, "{\"select\":1}");
    [200, 229].into_iter().for_each(sweep);
    assert!(stored() > 1000, "the page may select it again");
    request(&mut page, "{\"select\":0}");
    [230, 300].into_iter().for_each(sweep);
    assert!(stored() > 1000);
    drop(page);
    [400, 429].into_iter().for_each(sweep);
    assert!(stored() > 1000, "the page may be reloaded");
    sweep(430);
    assert_eq!(stored(), 0);
    tick();
    assert_eq!(stored(), 0);
}

#[test]
fn agents_are_filtered_sorted_and_listed_in_parts() {
    let mut page = page(300);
    let shared = Arc::clone(&page.shared);
    let tree = tree! {
        for u32: sequence { succeed, |n: &mut u32| if *n > 0 { Status::Running } else { Status::Success } }
    };
    let key = shared.add_tree("other", About::of(&tree));
    let mut watched =
        ["Ann", "Bob"].map(|name| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&key), name)));
    let mut listed = |listing: &str| {
        let updates = request(&mut page, &format!("{{\"list\":{listing}}}"));
        let list = agents(&updates);
        let names = list["list"].as_array().expect("an array").iter();
        let names: Vec<_> = names.map(|agent| agent["name"].as_str().expect("a name").to_owned()).collect();
        (list["matching"].as_u64().expect("a number"), names)
    };
    let ann = || vec!["Ann".to_owned()];
    assert_eq!(listed(r#"{"tree":1}"#), (2, vec!["Ann".to_owned(), "Bob".to_owned()]));
    assert_eq!(listed(r#"{"tree":1,"sort":"name","descending":true}"#).1, ["Bob", "Ann"]);
    assert_eq!(listed(r#"{"search":" 10","sort":"name"}"#).1[..3], ["soldier 10", "soldier 100", "soldier 101"]);
    let (matching, names) = listed(r#"{"sort":"name","from":290}"#);
    assert_eq!((matching, names.len(), names[0].as_str()), (302, 12, "soldier 288"));
    assert_eq!(listed(r#"{"from":100000}"#).1, ["Bob"]);
    let (_, names) = listed(r#"{"around":250}"#);
    assert_eq!((names.len(), names[0].as_str(), names[100].as_str()), (152, "soldier 150", "soldier 250"));
    assert_eq!(listed(r#"{"around":9,"from":301}"#).1[0], "soldier 0");
    assert_eq!(listed(r#"{"around":9,"search":"soldier 29","from":3}"#).1[0], "soldier 292", "it does not match");
    // All agents report their status with their next tick.
    assert_eq!(listed(r#"{"states":["running"]}"#).0, 0);
    for (agent, mut running) in watched.iter_mut().zip([1, 0]) {
        tree.tick_with(&mut running, &mut tree.memory(), agent);
    }
    assert_eq!(listed(r#"{"states":["running"]}"#), (1, ann()));
    assert_eq!(listed(r#"{"states":["new"],"tree":1}"#).0, 0);
    assert_eq!(listed(r#"{"states":["running","success"]}"#).0, 2);
    assert_eq!(listed(r#"{"tree":1,"node":2}"#), (1, ann()));
    assert_eq!(listed(r#"{"tree":1,"node":1}"#).0, 0);
    assert_eq!(listed(r#"{"tree":1,"sort":"running","descending":true}"#).1, ["Ann", "Bob"]);
    shared.agent(301).expect("Bob").pause();
    assert!(watched[1].is_held());
    assert_eq!(listed(r#"{"states":["waiting"]}"#).1, ["Bob"]);
}

#[test]
fn selecting_an_unknown_agent_deselects_the_current_one() {
    let mut page = page(2);
    request(&mut page, "{\"select\":1}");
    assert!(page.selected.is_some());
    request(&mut page, "{\"select\":7}");
    assert!(page.selected.is_none());
}

#[test]
fn an_unknown_agent_is_reported_as_lost() {
    let updates = request(&mut page(1), "{\"select\":7}");
    assert_eq!(updates[0], json!({ "lost": 7 }));
    assert_eq!(updates[1], json!({ "error": "unknown agent 7" }));
}

#[test]
fn every_waiting_agent_is_named_whatever_the_list_contains() {
    let mut page = page(1000);
    let shared = Arc::clone(&page.shared);
    let tree = tree! { for u32: |n: &mut u32| *n += 1 };
    let key = shared.agent(0).expect("the agent exists").versions.clone();
    let threads: Vec<_> = ["stuck 1", "stuck 2"]
        .map(|name| {
            let agent = shared.add_agent(Arc::clone(&key), name);
            agent.pause();
            let mut watched = Watched::new(Arc::clone(&shared), agent);
            std::thread::spawn(move || tree.tick_with(&mut 0, &mut tree.memory(), &mut watched))
        })
        .into();
    let waits = |key| shared.agent(key).is_some_and(|agent| agent.hold.has_thread());
    while !waits(1000) || !waits(1001) {
        std::thread::yield_now();
    }
    for (listing, listed) in [("{}", false), (r#"{"search":"soldier"}"#, false), (r#"{"from":900}"#, true)] {
        let updates = request(&mut page, &format!("{{\"list\":{listing}}}"));
        let names = |field: &str| {
            let agents = agents(&updates)[field].as_array().expect("an array").iter();
            agents.map(|agent| agent["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("waiting"), ["stuck 1", "stuck 2"], "{listing}");
        assert_eq!(names("list").contains(&"stuck 1".to_owned()), listed, "{listing}");
    }
    request(&mut page, "{\"resume\":1000}");
    request(&mut page, "{\"resume\":1001}");
    for thread in threads {
        assert_eq!(thread.join().expect("it does not panic"), Status::Success);
    }
}

/// Returns a page with two agents of one tree whose only leaf adds 1 to a number.
fn counters() -> (Page, Vec<Watched>, impl Node<u32>) {
    let tree = tree! { for u32: |n: &mut u32| { *n += 1; Status::Running } };
    let shared = Arc::new(Shared::default());
    let key = shared.add_tree("counter", About::of(&tree));
    let watched =
        ["Ann", "Bob"].map(|name| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&key), name)));
    (Page::new(shared, false), watched.into(), tree)
}

#[test]
fn values_and_times_are_shown_as_columns_of_which_all_agents_are_sorted_and_filtered() {
    let (mut page, mut watched, tree) = counters();
    let mut memories = [tree.memory(), tree.memory()];
    let mut numbers = [0, 100];
    let columns = r#"[{"value":"n"},{"unchanged":"is_even"},"leaf",{"visited":[0,0]},{"running":[7,0]}]"#;
    let mut listed = |more: &str, ticks: u64| {
        // The program is asked for values once per second.
        let list = format!("{{\"list\":{{\"columns\":{columns}{more}}}}}");
        request(&mut page, &list);
        for second in 0..ticks {
            for ((agent, memory), number) in watched.iter_mut().zip(&mut memories).zip(&mut numbers) {
                tree.tick_with(number, memory, &mut agent.at(secs(second)));
                agent.show(|| json!({ "n": *number, "is_even": *number % 2 == 0 }));
            }
        }
        let updates = request(&mut page, &list);
        let list = agents(&updates)["list"].as_array().expect("an array");
        list.iter().map(|agent| (agent["name"].clone(), agent["cells"].clone())).collect::<Vec<_>>()
    };
    let all = listed("", 3);
    // The first tick answers the request for values. Its run has lasted two ticks more.
    assert_eq!(all[0], (json!("Ann"), json!([1, 0, 2, 0.0, null])));
    assert_eq!(all[1], (json!("Bob"), json!([101, 0, 2, 0.0, null])));
    let names = |list: Vec<(Value, Value)>| list.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names(listed(r#","sort":{"column":0},"descending":true"#, 1)), ["Bob", "Ann"]);
    assert_eq!(names(listed(r#","filter":"n > 50 && is_even""#, 1)), Vec::<Value>::new(), "105 is odd");
    assert_eq!(names(listed(r#","filter":"n > 50 && is_even""#, 1)), [json!("Bob")]);
    assert_eq!(names(listed(r#","filter":"hp > 50""#, 1)), Vec::<Value>::new());
    let updates = request(&mut page, r#"{"list":{"filter":"n >"}}"#);
    let error = updates.iter().find_map(|update| update["error"].as_str()).expect("an error");
    assert!(error.contains("`n >`: expected a value, found the end"), "{error}");
    // Without columns, the agents sleep.
    request(&mut page, r#"{"list":{}}"#);
    for agent in &mut watched {
        tree.tick_with(&mut 0, &mut tree.memory(), agent);
        assert!(bt_core::Observer::is_asleep(agent), "it is not observed any more");
    }
}

#[test]
fn columns_of_all_pages_are_bounded_and_end_with_their_page() {
    let (mut page, _watched, _) = counters();
    let shared = Arc::clone(&page.shared);
    let list = |from: usize| {
        let columns: Vec<_> = (from..from + 20).map(|n| json!({ "value": format!("x{n}") })).collect();
        json!({ "list": { "columns": columns } }).to_string()
    };
    let error = |updates: Vec<Value>| updates.iter().find_map(|update| update["error"].as_str().map(str::to_owned));
    assert_eq!(error(request(&mut page, &list(0))), None);
    let mut other = Page::new(Arc::clone(&shared), false);
    assert_eq!(error(request(&mut other, &list(0))), None, "the same columns are evaluated once");
    assert_eq!(error(request(&mut other, &list(20))), Some("too many columns in all pages (limit: 32)".to_owned()));
    drop(page);
    assert_eq!(error(request(&mut other, &list(20))), None);
    assert_eq!(shared.columns().count(), 20);
    drop(other);
    assert_eq!(shared.columns().count(), 0);
}

#[test]
fn what_all_agents_of_a_tree_do_is_counted_while_a_page_shows_it() {
    let (mut page, mut watched, tree) = counters();
    let mut tick = |ticks: usize| {
        for agent in &mut watched {
            let mut memory = tree.memory();
            for _ in 0..ticks {
                tree.tick_with(&mut 0, &mut memory, agent);
            }
        }
    };
    let overview = |updates: &[Value]| updates.iter().find_map(|update| update.get("overview").cloned());
    tick(2);
    assert!(overview(&request(&mut page, r#"{"overview":0}"#)).is_some_and(|overview| overview["ticks"] == 0));
    tick(3);
    let updates = request(&mut page, r#"{"overview":0}"#);
    let node = json!({
        "visits": 6, "runs": 2, "success": 0, "failure": 0, "running": 6, "error": 0, "halts": 0, "here": 2,
    });
    assert_eq!(overview(&updates), Some(json!({ "tree": 0, "agents": 2, "ticks": 6, "nodes": [node] })));
    assert_eq!(overview(&request(&mut page, r#"{"overview":null}"#)), None);
    tick(1);
    assert!(
        overview(&request(&mut page, r#"{"overview":0}"#)).is_some_and(|overview| overview["ticks"] == 0),
        "from 0"
    );
    assert!(request(&mut page, r#"{"overview":7}"#).iter().any(|update| update["error"] == "unknown tree 7"));
}

#[test]
fn an_expression_is_checked_with_the_values_shown_last() {
    let (mut page, mut watched, tree) = counters();
    let check = |page: &mut Page, expression: &str, condition: bool| {
        let request = json!({ "check": { "agent": 0, "expression": expression, "condition": condition } });
        let updates = self::request(page, &request.to_string());
        updates.iter().find_map(|update| update.get("checked").cloned()).expect("it is checked")
    };
    let checked = |expression: &str, warning: Value, value: Value| json!({ "expression": expression, "error": null, "warning": warning, "value": value });
    assert_eq!(check(&mut page, "n < 3", true), checked("n < 3", Value::Null, Value::Null), "no values are shown yet");
    request(&mut page, "{\"select\":0}");
    tree.tick_with(&mut 0, &mut tree.memory(), &mut watched[0]);
    watched[0].show(|| json!({ "n": 2, "ok": true }));
    assert_eq!(check(&mut page, "n < 3", true), checked("n < 3", Value::Null, json!(true)));
    assert_eq!(check(&mut page, "ok", true), checked("ok", Value::Null, json!(true)));
    assert_eq!(check(&mut page, "n", false), checked("n", Value::Null, json!(2)));
    let warning = "expected a comparison, such as `hp < 3`";
    assert_eq!(check(&mut page, "n", true), checked("n", json!(warning), json!(2)));
    assert_eq!(check(&mut page, "n <", true)["error"], "expected a value, found the end");
    let warning = "no value `m` is shown; expected one of `n`, `ok`";
    assert_eq!(check(&mut page, "m < 3", true), checked("m < 3", json!(warning), json!(false)));
}

#[test]
fn a_held_agent_runs_node_by_node() {
    let fails = |_: &u32| false;
    let tree = tree! { for u32: selector { sequence { fails, fail } sequence { succeed, |n: &mut u32| *n += 1 } } };
    let shared = Arc::new(Shared::default());
    let key = shared.add_tree("counter", About::of(&tree));
    let mut page = Page::new(Arc::clone(&shared), false);
    let mut watched = Watched::new(Arc::clone(&shared), shared.add_agent(key, "Ann"));
    request(&mut page, "{\"pause\":0}");
    let thread = std::thread::spawn(move || {
        let (mut n, mut memory) = (0, tree.memory());
        for _ in 0..4 {
            tree.tick_with(&mut n, &mut memory, &mut watched);
        }
        n
    });
    let agent = shared.agent(0).expect("the agent exists");
    let wait = || {
        while !agent.hold.has_thread() {
            std::thread::yield_now();
        }
        agent.hold.position().and_then(|stop| stop.at).map(|(node, on)| format!("{} {on:?}", node.index()))
    };
    assert_eq!(wait(), None, "before its first tick");
    let mut walk = |how: &str| {
        let version = agent.hold.state(None).map(|(version, ..)| version);
        request(&mut page, &json!({ "walk": { "agent": 0, "how": how } }).to_string());
        // The request, the release and the next stop are changes.
        while agent.hold.state(None).map(|(version, ..)| version) < version.map(|version| version + 3) {
            std::thread::yield_now();
        }
        wait().unwrap_or_else(|| "before a tick".to_owned())
    };
    let walks = [
        ("into", "0 Visit"),
        ("into", "1 Visit"),
        ("over", "1 Failure"),
        ("over", "4 Visit"),
        ("into", "5 Visit"),
        ("over", "5 Success"),
        ("over", "6 Visit"),
        ("out", "4 Success"),
        ("over", "0 Success"),
        ("into", "before a tick"),
        ("into", "0 Visit"),
        ("out", "before a tick"),
        ("over", "before a tick"),
        ("into", "0 Visit"),
    ];
    for (index, (how, expected)) in walks.into_iter().enumerate() {
        assert_eq!(walk(how), expected, "{how}, number {index}");
    }
    // Requests that come before the agent has run all count.
    for _ in 0..4 {
        agent.walk(Walk::Into);
    }
    while agent.hold.position().and_then(|stop| stop.at).is_none_or(|(node, _)| node != NodeId::new(5)) {
        std::thread::yield_now();
    }
    request(&mut page, "{\"resume\":0}");
    assert_eq!(thread.join().expect("it does not panic"), 4);
    assert!(
        request(&mut page, r#"{"walk":{"agent":0,"how":"back"}}"#).iter().any(|update| update["error"].is_string())
    );
}

#[test]
fn a_watched_value_holds_the_agent_before_its_next_tick() {
    let (mut page, mut watched, tree) = counters();
    let set = request(&mut page, r#"{"watch":{"tree":0,"watch":{"expression":"n > 2","agent":1}}}"#);
    let watches = set.iter().find_map(|update| update.get("watches").cloned()).expect("the watches are sent");
    assert_eq!(watches, json!([{ "tree": 0, "expression": "n > 2", "agent": 1, "disabled": false, "hits": 0 }]));
    let mut numbers = [0, 0];
    let mut memories = [tree.memory(), tree.memory()];
    for _ in 0..5 {
        for ((agent, memory), number) in watched.iter_mut().zip(&mut memories).zip(&mut numbers) {
            if !agent.is_held() {
                tree.tick_with(number, memory, agent);
                agent.show(|| json!({ "n": *number }));
            }
        }
    }
    assert_eq!(numbers, [5, 3], "only Bob is held");
    assert!(!watched[0].shows_values() && watched[1].shows_values());
    let updates = request(&mut page, "{\"select\":1}");
    let pause = updates.iter().find_map(|update| update.get("pause")).expect("it is held");
    assert_eq!(pause["stop"]["why"], "n > 2 became true");
    request(&mut page, r#"{"watch":{"tree":0,"watch":{"expression":"n > 2","agent":1},"remove":true}}"#);
    request(&mut page, "{\"resume\":1}");
    assert!(!watched[1].is_held());
    let invalid = request(&mut page, r#"{"watch":{"tree":0,"watch":{"expression":"n >"}}}"#);
    assert!(invalid.iter().any(|update| update["error"] == "expected a value, found the end"));
}

#[test]
fn values_shown_while_an_agent_is_skipped_are_the_present_ones() {
    let (mut page, mut watched, tree) = counters();
    let (mut number, mut memory) = (0, tree.memory());
    let mut turn = |agent: &mut Watched, number: &mut u32| {
        if !agent.is_held() {
            tree.tick_with(number, &mut memory, agent);
        }
        agent.show(|| *number);
    };
    let present =
        |updates: &[Value]| updates.iter().find_map(|update| update.get("present").map(|it| it["values"].clone()));
    let stored = |page: &Page| {
        let agent = page.shared.agent(0).expect("Ann");
        let history = crate::state::lock(&agent.history);
        history.ticks.iter().map(|stored| stored.values.clone()).collect::<Vec<_>>()
    };
    let values = |number: u32| crate::state::Variables::Values(number.to_string().into());
    request(&mut page, "{\"select\":0}");
    request(&mut page, "{\"pause\":0}");
    turn(&mut watched[0], &mut number);
    number = 7;
    turn(&mut watched[0], &mut number);
    assert_eq!(present(&request(&mut page, r#"{"follow":[]}"#)), Some(json!(7)), "although it has no tick yet");
    request(&mut page, "{\"step\":0}");
    turn(&mut watched[0], &mut number);
    assert_eq!(present(&request(&mut page, r#"{"follow":[]}"#)), Some(Value::Null), "the tick has its own values");
    assert_eq!(stored(&page), [values(8)]);
    number = 20;
    turn(&mut watched[0], &mut number);
    assert_eq!(present(&request(&mut page, r#"{"follow":[]}"#)), Some(json!(20)));
    assert_eq!(stored(&page), [values(8)], "those of the tick stay");
}

/// Two counters that a page can take back, and the number that each of them has counted in its ticks.
struct Rewinding<N: Node<u32>> {
    tree: N,
    agents: Vec<(Watched, Memory<N>, u32)>,
    second: u64,
}

impl<N: Node<u32>> Rewinding<N>
where
    Memory<N>: Clone + Send + 'static,
{
    /// Ticks all agents. Returns their numbers, and the ticks that they have gone back to.
    fn tick(&mut self) -> (Vec<u32>, Vec<Option<u64>>) {
        let now = secs(self.second);
        self.second += 1;
        let turn = |(agent, memory, number): &mut (Watched, Memory<N>, u32)| {
            let rewound = agent.rewind(now, memory, number);
            self.tree.tick_with(number, memory, &mut agent.at(now));
            (*number, rewound.map(|rewound| rewound.tick))
        };
        self.agents.iter_mut().map(turn).unzip()
    }
}

#[test]
fn an_agent_or_all_go_back_to_a_tick_and_run_on_from_there() {
    let (mut page, watched, tree) = counters();
    let shared = Arc::clone(&page.shared);
    let agents = watched.into_iter().zip([0, 100]).map(|(agent, number)| (agent, tree.memory(), number)).collect();
    let mut program = Rewinding { tree, agents, second: 0 };
    let error = |updates: Vec<Value>| updates.iter().find_map(|update| update["error"].as_str().map(str::to_owned));
    let refused = error(request(&mut page, r#"{"rewind":{"agent":0,"tick":0}}"#));
    assert!(refused.is_some_and(|text| text.contains("help: call `agent.rewind(…)` before each tick")));
    program.tick();
    assert_eq!(shared.pasts.load(Ordering::Relaxed), 0, "nothing is stored before a page needs it");
    request(&mut page, r#"{"select":0}"#);
    request(&mut page, r#"{"past":{"agent":null,"every":1}}"#);
    for _ in 0..4 {
        program.tick();
    }
    assert_eq!(shared.pasts.load(Ordering::Relaxed), 2);
    page.request_list();
    let updates = request(&mut page, r#"{"follow":[]}"#);
    assert_eq!(agents_past(&updates), json!({ "every": 1, "ticks": [1, 4] }));
    // Before tick 2, Ann has counted to 2.
    assert_eq!(error(request(&mut page, r#"{"rewind":{"agent":0,"tick":2}}"#)), None);
    assert_eq!(program.tick(), (vec![3, 106], vec![Some(2), None]), "the other one goes on");
    assert_eq!(program.tick(), (vec![4, 107], vec![None, None]));
    let rewound = |updates: &[Value]| {
        let ticks = updates.iter().filter_map(|update| update["ticks"]["list"].as_array()).flatten();
        ticks
            .filter(|tick| !tick["rewound"].is_null())
            .map(|tick| (tick["tick"].clone(), tick["rewound"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(rewound(&request(&mut page, r#"{"follow":[]}"#)), [(json!(5), json!(2))]);
    // The first future is still stored. The time of tick 4 of Ann is that of tick 4 of Bob.
    request(&mut page, r#"{"rewind":{"agent":0,"tick":4,"all":true}}"#);
    assert_eq!(program.tick(), (vec![5, 105], vec![Some(4), Some(4)]));
    request(&mut page, r#"{"rewind":{"agent":0,"tick":0}}"#);
    assert_eq!(program.tick().1, [None, None]);
    assert_eq!(error(request(&mut page, r#"{"follow":[]}"#)).as_deref(), Some("Ann: tick 0 is no longer stored"));
    drop(page);
    program.tick();
    assert_eq!(shared.pasts.load(Ordering::Relaxed), 0, "the snapshots are freed after the last page");
}

fn agents_past(updates: &[Value]) -> Value {
    agents(updates)["selected"]["past"].clone()
}

/// Engines store observers in components, which threads share.
#[test]
fn an_observer_can_be_shared_by_threads() {
    let (_page, watched, _) = counters();
    let is_watched = std::thread::scope(|scope| scope.spawn(|| watched.iter().any(Watched::is_watched)).join());
    assert!(is_watched.is_ok_and(|is_watched| !is_watched));
}

#[test]
fn a_paused_agent_goes_back_at_once_and_waits_there() {
    let (mut page, mut watched, tree) = counters();
    let shared = Arc::clone(&page.shared);
    let mut ann = watched.remove(0);
    let (seen, numbers) = std::sync::mpsc::channel();
    request(&mut page, r#"{"past":{"agent":0,"every":1}}"#);
    request(&mut page, "{\"pause\":0}");
    let thread = std::thread::spawn(move || {
        let (mut number, mut memory) = (0, tree.memory());
        for second in 0..6 {
            ann.rewind(secs(second), &mut memory, &mut number);
            tree.tick_with(&mut number, &mut memory, &mut ann.at(secs(second)));
            seen.send(number).expect("the test waits for it");
        }
    });
    let agent = shared.agent(0).expect("Ann");
    let next = |page: &mut Page, what: &str| {
        while !agent.hold.has_thread() {
            std::thread::yield_now();
        }
        request(page, what);
        numbers.recv().expect("it is ticked")
    };
    for number in 1..=4 {
        assert_eq!(next(&mut page, "{\"step\":0}"), number);
    }
    request(&mut page, r#"{"rewind":{"agent":0,"tick":1}}"#);
    assert_eq!(next(&mut page, "{\"step\":0}"), 2, "tick 1 counts from 1 to 2");
    assert_eq!(next(&mut page, "{\"resume\":0}"), 3);
    thread.join().expect("it does not panic");
}

#[test]
fn a_unit_test_repeats_ticks_of_an_agent() {
    let (mut page, mut watched, tree) = counters();
    request(&mut page, "{\"select\":0}");
    let (mut number, mut memory) = (0, tree.memory());
    for _ in 0..3 {
        tree.tick_with(&mut number, &mut memory, &mut watched[0]);
    }
    let updates = request(&mut page, r#"{"test":{"agent":0,"from":1,"to":2}}"#);
    let source = updates.iter().find_map(|update| update["test"].as_str()).expect("a test");
    assert!(source.starts_with("#[test]\nfn ticks_1_to_2() {"), "{source}");
    assert!(source.contains("TreeTest::new(counter(), Default::default())"), "{source}");
    assert!(source.contains("for tick in 1..=2 {"), "{source}");
    assert!(source.contains("assert_eq!(test.tick(), Status::Running, \"tick {tick}\");"), "{source}");
    let updates = request(&mut page, r#"{"test":{"agent":0,"from":7,"to":9}}"#);
    let error = updates.iter().find_map(|update| update["error"].as_str()).expect("an error");
    assert_eq!(error, "no test can be written: no tick from 7 to 9 is recorded");
}
