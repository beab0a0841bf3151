//! Tests of a page with a tree that is replaced.

use bt_core::describe::Matching;

use super::*;

/// Two versions of a tree: `walk`, with the id 2, is wrapped and has the id 1, and `tired` is gone.
fn versions() -> (impl Node<u32>, impl Node<u32>, Matching) {
    fn tired(n: &mut u32) -> Status {
        if *n > 99 { Status::Success } else { Status::Failure }
    }
    fn walk(n: &mut u32) -> Status {
        *n += 1;
        Status::Running
    }
    let (old, new) = (tree! { for u32: selector { tired, walk } }, tree! { for u32: repeat(3) { walk } });
    let matching = old.description().matching(&new.description());
    assert_eq!(matching, Matching::new([None, None, Some(NodeId::new(1))]));
    (old, new, matching)
}

#[test]
fn what_is_known_of_the_nodes_of_a_tree_goes_on_when_it_is_replaced() {
    let (old, new, matching) = versions();
    let shared = Arc::new(Shared::default());
    let tree = shared.add_tree("walker", About::of(&old));
    let mut watched =
        ["Ann", "Bob"].map(|name| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&tree), name)));
    let mut page = Page::new(Arc::clone(&shared), false);
    request(&mut page, "{\"select\":0}");
    for node in [1, 2] {
        let breakpoint = r#""on":["Halted","Running"],"skip":2"#;
        request(&mut page, &format!(r#"{{"break":{{"tree":0,"breakpoint":{{"node":{node},{breakpoint}}}}}}}"#));
    }
    request(&mut page, r#"{"watch":{"tree":0,"watch":{"expression":"n > 10"}}}"#);
    request(&mut page, "{\"overview\":0}");
    let columns = r#"[{"running":[0,2]},{"visited":[0,2]}]"#;
    let list = |tree: usize, node: usize| {
        format!(
            r#"{{"list":{{"tree":{tree},"node":{node},"columns":{}}}}}"#,
            columns.replace("[0,2]", &format!("[{tree},{node}]"))
        )
    };
    request(&mut page, &list(0, 2));
    let mut memories = [old.memory(), old.memory()];
    for (watched, memory) in watched.iter_mut().zip(&mut memories) {
        old.tick_with(&mut 0, memory, &mut watched.at(secs(1)));
    }
    shared.replace(&tree, About::of(&new), &matching);

    // Before the next tick.
    page.request_list();
    let updates = request(&mut page, r#"{"follow":[]}"#);
    let of = |updates: &[Value], kind: &str| updates.iter().rev().find_map(|update| update.get(kind).cloned());
    let trees = of(&updates, "trees").expect("the new version is sent");
    assert_eq!((&trees[0]["key"], &trees[0]["first"], &trees[0]["numbers"]), (&json!(1), &json!(0), &json!([3, 2])));
    assert_eq!(trees[0]["dropped"], json!(["tired"]));
    let list_of = agents(&updates);
    let [ann, bob] = [0, 1].map(|index| list_of["list"][index].clone());
    assert_eq!([&ann, &bob].map(|agent| (&agent["tree"], &agent["running"])), [(&json!(1), &json!(1)); 2]);
    assert_eq!(ann["cells"], json!([0, 0.0]), "the columns are those of the same node");
    let breakpoints = of(&updates, "breakpoints").expect("they have moved");
    let kept = json!([{ "tree": 1, "node": 1, "on": ["Halted", "Running"], "agent": null, "disabled": false, "skip": 2, "condition": "", "hits": 2 }]);
    assert_eq!(breakpoints, kept);
    assert_eq!(of(&updates, "watches").expect("they are sent")[0]["tree"], 1);
    let gone = request(&mut page, r#"{"break":{"tree":0,"breakpoint":{"node":1,"on":["Success"]}}}"#);
    assert_eq!(of(&gone, "error"), Some(json!("the tree was replaced, and node 1 is gone")));
    let overview = overview_of(&mut page);
    assert_eq!(
        (&overview["tree"], &overview["ticks"], &overview["nodes"][1]["visits"]),
        (&json!(1), &json!(2), &json!(2))
    );
    assert_eq!((&overview["nodes"][0]["visits"], &overview["nodes"][1]["here"]), (&json!(0), &json!(2)));

    // A page that has not received the new version yet names nodes of the old one.
    request(&mut page, r#"{"break":{"tree":0,"breakpoint":{"node":2,"on":["Halted"]}}}"#);
    assert_eq!(tree.current().breakpoints().list().map(|(of, _)| of.node).collect::<Vec<_>>(), [1]);
    for (tree, node) in [(0, 2), (1, 1)] {
        let updates = request(&mut page, &list(tree, node));
        assert_eq!((&agents(&updates)["matching"], &agents(&updates)["list"][0]["cells"]), (&json!(2), &ann["cells"]));
    }

    // The next tick has the ids of the new tree, those before have theirs.
    let mut memory = new.memory();
    new.tick_with(&mut 0, &mut memory, &mut watched[0].at(secs(2)));
    let ticks = |page: &mut Page| {
        let updates = request(page, "{\"select\":0}");
        let ticks = of(&updates, "ticks").expect("all ticks are sent");
        let ticks = ticks["list"].as_array().expect("a list").clone();
        ticks.iter().map(|tick| format!("{} {}", tick["tree"], tick["events"])).collect::<Vec<_>>()
    };
    assert_eq!(ticks(&mut page), [r#"0 "0r 1f 2r""#, r#"1 "0r 1r""#]);
    assert_eq!(overview_of(&mut page)["nodes"][1]["visits"], 3);
    let test = request(&mut page, r#"{"test":{"agent":0,"from":0,"to":1}}"#);
    assert!(of(&test, "error").is_some_and(|error| error.to_string().contains("the tree was replaced before tick 1")));
    assert!(of(&request(&mut page, r#"{"test":{"agent":0,"from":1,"to":1}}"#), "test").is_some());
}

/// Requests the overview of the tree with the key 0 again.
fn overview_of(page: &mut Page) -> Value {
    let updates = request(page, "{\"overview\":0}");
    updates.iter().rev().find_map(|update| update.get("overview").cloned()).expect("it is sent")
}

#[test]
fn an_unwatched_herd_does_nothing_when_its_tree_is_replaced_and_old_versions_are_freed() {
    let (old, new, matching) = versions();
    let shared = Arc::new(Shared::default());
    let tree = shared.add_tree("walker", About::of(&old));
    let watched: Vec<_> = (0..1000)
        .map(|number| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&tree), format!("{number}"))))
        .collect();
    let mut page = Page::new(Arc::clone(&shared), false);
    request(&mut page, r#"{"break":{"tree":0,"breakpoint":{"node":2,"on":["Running"]}}}"#);
    assert!(!watched.iter().any(bt_core::Observer::is_asleep));
    drop(page);
    let back = Matching::new([None, Some(NodeId::new(2))]);
    for _ in 0..10 {
        shared.replace(&tree, About::of(&new), &matching);
        shared.replace(&tree, About::of(&old), &back);
    }
    assert!(watched.iter().all(bt_core::Observer::is_asleep));
    assert_eq!(tree.current().key, 20);
    assert_eq!(tree.current().numbers.get(NodeId::new(2)), Some(2), "it was there all the time");
    // The current version, and the one before, which goes with the next change.
    assert!(shared.trees_from(0).len() <= 2, "no tick refers to the others");
    assert_eq!(shared.agent(999).expect("it is there").tree().key, 20);
}

#[test]
fn a_matching_that_does_not_fit_loses_what_is_known_of_its_nodes() {
    let (old, new, _) = versions();
    let shared = Arc::new(Shared::default());
    let tree = shared.add_tree("walker", About::of(&old));
    let mut watched = Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&tree), "Ann"));
    let mut page = Page::new(Arc::clone(&shared), false);
    request(&mut page, "{\"overview\":0}");
    for node in 0..3 {
        request(&mut page, &format!(r#"{{"break":{{"tree":0,"breakpoint":{{"node":{node},"on":["Error"]}}}}}}"#));
    }
    old.tick_with(&mut 0, &mut old.memory(), &mut watched);
    // Two nodes are the same, one is outside the tree, and there are too many.
    let ids = [Some(1), Some(1), Some(u32::MAX), Some(0)].map(|id| id.map(NodeId::new));
    shared.replace(&tree, About::of(&new), &Matching::new(ids));
    assert_eq!(tree.current().numbers.all(), [3, 1]);
    assert_eq!(tree.current().breakpoints().list().map(|(of, _)| of.node).collect::<Vec<_>>(), [1]);
    assert_eq!(tree.current().dropped, ["selector", "walk"]);
    assert_eq!(overview_of(&mut page)["nodes"].as_array().map(Vec::len), Some(2));
}

#[test]
fn an_agent_that_is_stopped_in_a_tick_is_shown_in_the_tree_of_that_tick() {
    let (old, new, matching) = versions();
    let shared = Arc::new(Shared::default());
    let tree = shared.add_tree("walker", About::of(&old));
    let mut watched = Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&tree), "Ann"));
    let mut page = Page::new(Arc::clone(&shared), false);
    request(&mut page, "{\"select\":0}");
    request(&mut page, r#"{"break":{"tree":0,"breakpoint":{"node":2,"on":["Visit"]}}}"#);
    let thread = std::thread::spawn(move || {
        old.tick_with(&mut 0, &mut old.memory(), &mut watched);
        watched
    });
    while !shared.agent(0).is_some_and(|agent| agent.hold.has_thread()) {
        std::thread::yield_now();
    }
    shared.replace(&tree, About::of(&new), &matching);
    let stopped = |page: &mut Page| {
        page.request_list();
        let updates = request(page, "{\"select\":0}");
        let stop = updates.iter().rev().find_map(|update| Some(update.get("pause")?["stop"].clone()));
        (agents(&updates)["list"][0]["tree"].clone(), stop.expect("it is sent"))
    };
    let (of, stop) = stopped(&mut page);
    assert_eq!((of, &stop["tree"], &stop["at"]), (json!(0), &json!(0), &json!([2, "Visit"])));
    assert_eq!(stop["current"]["events"], "0o 1f 2O");
    request(&mut page, "{\"resume\":0}");
    let mut watched = thread.join().expect("it does not panic");
    assert_eq!(stopped(&mut page), (json!(1), Value::Null));
    request(&mut page, r#"{"break":{"tree":1,"breakpoint":{"node":1,"on":[]}}}"#);
    new.tick_with(&mut 0, &mut new.memory(), &mut watched);
    let agent = shared.agent(0).expect("Ann");
    let history = crate::state::lock(&agent.history);
    assert_eq!(history.ticks.iter().map(|stored| stored.tree.key).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn a_tree_that_follows_its_source_is_replaced_without_a_call() {
    let mut registry = bt_dynamic::Registry::<u32>::new();
    registry.add_leaf("Walk", |n: &mut u32| {
        *n += 1;
        Status::Running
    });
    let load = |text: &str| registry.load_tree(text).expect("the tree is valid");
    let tree = bt_dynamic::LiveTree::<u32>::new();
    tree.replace(load("Walk"));
    let shared = Arc::new(Shared::default());
    let key = shared.add_tree("walker", About::of(&tree));
    let mut watched = Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&key), "Ann"));
    let mut page = Page::new(Arc::clone(&shared), false);
    request(&mut page, "{\"select\":0}");
    let mut memory = tree.memory();
    tree.tick_with(&mut 0, &mut memory, &mut watched.at(secs(1)));

    let change = tree.replace(load("invert { Walk }")).expect("there was a tree");
    tree.tick_with(&mut 0, &mut memory, &mut watched.at(secs(2)));
    // A program that says it, too, changes nothing.
    shared.replace(&key, About::of(&tree), &change.matching());
    let current = key.current();
    let names: Vec<_> = current.description.nodes().iter().map(|node| node.name.as_str()).collect();
    assert_eq!((current.key, names), (1, vec!["invert", "Walk"]));
    assert_eq!(current.numbers.all(), [1, 0], "`Walk` is the same node");
    for second in 4..7 {
        tree.tick_with(&mut 0, &mut memory, &mut watched.at(secs(second)));
    }
    assert_eq!(key.current().key, 1);
}
