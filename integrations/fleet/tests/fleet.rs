//! Machines and a hub over the loopback address.

mod common;

use std::sync::Arc;
use std::time::Instant;

use bt_core::prelude::*;
use bt_fleet::{Change, Config, Fleet, FleetError, FleetHub, HubConfig};
use bt_inspector::Inspector;
use common::{TestHub, endpoint, wait_for, wait_for_update};

fn joined(name: &str) -> Change {
    Change::Joined(name.to_owned())
}

fn left(name: &str) -> Change {
    Change::Left(name.to_owned())
}

/// Returns the key of a listed agent.
fn key<'a>(updates: &'a str, name: &str) -> &'a str {
    let (before, _) = updates.split_once(&format!("\"name\":\"{name}\"")).expect("it is listed");
    let (_, key) = before.rsplit_once("\"key\":").expect("it has a key");
    key.split(',').next().unwrap_or_default()
}

#[test]
fn a_hub_shows_its_machines_and_answers_its_page() {
    let tree = tree! { for u32: sequence { |n: &u32| *n > 0, |n: &mut u32| *n += 1 } };
    let endpoint = endpoint();
    let hub = TestHub::serve("shown", &endpoint);
    let join = |name| Fleet::join(Config::new("shown", name).connect(&endpoint)).expect("it can join");
    let (one, two) = (join("robot-1"), join("robot-2"));
    let agent = |fleet: &Fleet, name| fleet.inspector().agent(fleet.inspector().tree("counter", &tree), name);
    let (mut ann, bob) = (agent(&one, "Ann"), agent(&two, "Bob"));
    hub.wait_for(&joined("robot-1"));
    hub.wait_for(&joined("robot-2"));

    let (mut page, start) = (hub.hub.hub().connect(), Instant::now());
    let mut all = String::new();
    wait_for("both are listed", || {
        all += &page.updates(start.elapsed()).join("\n");
        (all.contains("Ann") && all.contains("Bob")).then_some(())
    });
    wait_for("both are open", || (one.inspector().pages() + two.inspector().pages() == 2).then_some(()));

    let keys = [key(&all, "Ann"), key(&all, "Bob")];
    for key in keys {
        page.receive(&format!("{{\"pause\":{key}}}"));
    }
    wait_for("both are paused", || (ann.is_held() && bob.is_held()).then_some(()));
    for key in keys {
        page.receive(&format!("{{\"resume\":{key}}}"));
    }
    wait_for("both are resumed", || (!ann.is_held() && !bob.is_held()).then_some(()));
    tree.tick_with(&mut 1, &mut tree.memory(), &mut ann);

    drop(two);
    hub.wait_for(&left("robot-2"));
    assert!(!hub.changes().contains(&left("robot-1")));
    drop(page);
    wait_for("the page is closed", || (one.inspector().pages() == 0).then_some(()));
}

#[test]
fn a_machine_waits_for_no_hub_and_finds_it_again() {
    let endpoint = endpoint();
    let start = Instant::now();
    let fleet = Fleet::join(Config::new("again", "robot").connect(&endpoint)).expect("it can join");
    assert!(start.elapsed() < secs(2), "{:?}", start.elapsed());
    let ann =
        fleet.inspector().agent(fleet.inspector().tree("counter", &tree! { for u32: |n: &mut u32| *n += 1 }), "Ann");
    for _ in 0..2 {
        let hub = TestHub::serve("again", &endpoint);
        hub.wait_for(&joined("robot"));
        let mut page = hub.hub.hub().connect();
        wait_for_update(&mut page, "Ann");
        page.receive("{\"pause\":0}");
        wait_for("it is paused", || ann.is_held().then_some(()));
        // The hub ends before it can close its page.
        drop(hub);
        wait_for("it continues", || (!ann.is_held() && fleet.inspector().pages() == 0).then_some(()));
        drop(page);
    }
}

#[test]
fn machines_with_the_same_name_are_told_apart() {
    let endpoint = endpoint();
    let hub = TestHub::serve("same", &endpoint);
    let join = || Fleet::join(Config::new("same", "robot").connect(&endpoint)).expect("it can join");
    let (first, second) = (join(), join());
    wait_for("both", || (hub.changes().len() == 2).then_some(()));
    drop(first);
    hub.wait_for(&left("robot"));
    let _page = hub.hub.hub().connect();
    wait_for("the other is open", || (second.inspector().pages() == 1).then_some(()));
}

#[test]
fn a_tick_waits_at_a_breakpoint_until_the_page_resumes_it() {
    let endpoint = endpoint();
    let hub = TestHub::serve("break", &endpoint);
    let fleet = Fleet::join(Config::new("break", "robot").connect(&endpoint)).expect("it can join");
    let tree = tree! { for u32: sequence { |n: &u32| *n > 0, |n: &mut u32| *n += 1 } };
    let mut ann = fleet.inspector().agent(fleet.inspector().tree("counter", &tree), "Ann");
    hub.wait_for(&joined("robot"));
    let mut page = hub.hub.hub().connect();
    wait_for_update(&mut page, "Ann");
    page.receive("{\"select\":0}");
    page.receive(r#"{"break":{"tree":0,"breakpoint":{"node":1,"on":["Visit"]}}}"#);
    wait_for_update(&mut page, "\"breakpoints\"");
    let ticking = std::thread::spawn(move || {
        let (mut n, mut memory) = (1, tree.memory());
        while n < 1000 {
            tree.tick_with(&mut n, &mut memory, &mut ann);
            std::thread::sleep(millis(1));
        }
    });
    wait_for("it stops", || fleet.inspector().waiting());
    wait_for_update(&mut page, r#""at":[1,"Visit"]"#);
    drop(page);
    ticking.join().expect("it continues");
}

#[test]
fn an_inspector_that_exists_is_published() {
    let endpoint = endpoint();
    let hub = TestHub::serve("own", &endpoint);
    let inspector = Arc::new(Inspector::serve("127.0.0.1:0").expect("a port is free"));
    let config = Config::new("own", "robot").connect(&endpoint).inspector(Arc::clone(&inspector));
    let fleet = Fleet::join(config).expect("it can join");
    hub.wait_for(&joined("robot"));
    let page = hub.hub.hub().connect();
    wait_for("it is open", || (inspector.pages() == 1).then_some(()));
    drop(fleet);
    assert_eq!(inspector.pages(), 0);
    hub.wait_for(&left("robot"));
    drop(page);
}

#[test]
fn a_dropped_hub_frees_its_addresses() {
    let endpoint = endpoint();
    let hub =
        FleetHub::serve(HubConfig::new("f").address("127.0.0.1:0").listen(&endpoint).token(true)).expect("it is free");
    let url = hub.url();
    assert!(url.contains("/?token="), "{url}");
    let address = url.trim_start_matches("http://").split('/').next().unwrap_or_default().to_owned();
    let serve = |address: &str| FleetHub::serve(HubConfig::new("f").address(address).listen(&endpoint));
    assert!(matches!(serve(&address), Err(FleetError::Page { .. })), "the page's address is in use");
    assert!(matches!(serve("127.0.0.1:0"), Err(FleetError::Network(_))), "the endpoint is in use");
    drop(hub);
    wait_for("the addresses are free", || serve(&address).ok());
}

#[test]
fn invalid_settings_are_errors() {
    assert!(matches!(Fleet::join(Config::new("a/b", "robot")), Err(FleetError::Name { of: "fleet", .. })));
    assert!(matches!(Fleet::join(Config::new("f", "")), Err(FleetError::Name { of: "machine", .. })));
    assert!(matches!(FleetHub::serve(HubConfig::new("*")), Err(FleetError::Name { of: "fleet", .. })));
    assert!(matches!(Fleet::join(Config::new("f", "r").connect("x")), Err(FleetError::Setting { .. })));
    assert!(matches!(Fleet::join(Config::new("f", "r").zenoh("/no/such")), Err(FleetError::Setting { .. })));
}
