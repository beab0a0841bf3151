//! Tests of a hub with machines whose messages the tests carry.

mod documents;

use std::collections::BTreeMap;
use std::time::Duration;

use bt_core::prelude::*;
use bt_inspector::{Connection, Inspector, Watched};
use serde_json::{Value, json};

use super::{Hub, HubConnection, Machine, ToMachine};
use crate::lock::lock;

/// A program on a machine.
struct Program {
    machine: Machine,
    inspector: Inspector,
    connections: BTreeMap<u64, Connection>,
    agents: Vec<Watched>,
    names: Vec<String>,
}

/// A hub with one page, and its machines.
struct Fleet {
    hub: Hub,
    page: HubConnection,
    programs: Vec<Program>,
    now: Duration,
    received: Vec<Value>,
}

fn counter() -> impl Node<u32> {
    tree! { for u32: sequence { |n: &u32| *n < 100, |n: &mut u32| *n += 1 } }
}

impl Fleet {
    fn new() -> Self {
        let hub = Hub::without_server();
        let page = hub.connect();
        Self { hub, page, programs: Vec::new(), now: Duration::ZERO, received: Vec::new() }
    }

    /// Adds a machine with agents of the same tree.
    fn join(&mut self, name: &str, agents: &[&str]) -> Machine {
        let inspector = Inspector::without_server();
        let tree = inspector.tree("counter", &counter());
        let names = agents.iter().map(ToString::to_string).collect();
        let agents = agents.iter().map(|name| inspector.agent(tree.clone(), *name)).collect();
        let machine = self.hub.joined(name);
        self.programs.push(Program { machine, inspector, connections: BTreeMap::new(), agents, names });
        machine
    }

    fn leave(&mut self, machine: Machine) {
        self.hub.left(machine);
        self.programs.retain(|program| program.machine != machine);
    }

    /// Carries all messages for a while, and returns what the page has received.
    fn carry(&mut self) -> Vec<Value> {
        (0..4).flat_map(|_| self.carry_once()).collect()
    }

    /// Carries the messages that are there to the machines, and those of the machines.
    fn carry_once(&mut self) -> Vec<Value> {
        let mut received = Vec::new();
        {
            self.now += millis(600);
            for outgoing in self.hub.take(Duration::ZERO) {
                let Some(program) = self.programs.iter_mut().find(|program| program.machine == outgoing.machine) else {
                    continue;
                };
                match outgoing.message {
                    ToMachine::Open => {
                        program.connections.insert(outgoing.page, program.inspector.connect());
                    }
                    ToMachine::Text(text) => {
                        program.connections.get_mut(&outgoing.page).expect("it is open").receive(&text);
                    }
                    ToMachine::Close => _ = program.connections.remove(&outgoing.page),
                }
            }
            for program in &mut self.programs {
                for (page, connection) in &mut program.connections {
                    for update in connection.updates(self.now) {
                        self.hub.received(program.machine, *page, &update);
                    }
                }
            }
            let updates = self.page.updates(self.now);
            received.extend(updates.iter().map(|text| serde_json::from_str::<Value>(text).expect("valid JSON")));
        }
        self.received.extend_from_slice(&received);
        received
    }

    fn send(&mut self, request: &Value) -> Vec<Value> {
        self.page.receive(&request.to_string());
        self.carry()
    }

    /// Returns the names of the listed agents.
    fn listed(&mut self, listing: Value) -> Vec<String> {
        static ID: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        let mut listing = listing;
        listing["id"] = ID.fetch_add(1, std::sync::atomic::Ordering::Relaxed).into();
        self.send(&json!({ "list": listing }));
        names(&last(&self.received, "agents")["list"])
    }

    fn key(&mut self, name: &str) -> Value {
        self.listed(json!({}));
        let list = last(&self.received, "agents")["list"].clone();
        list.as_array().expect("an array").iter().find(|agent| agent["name"] == name).expect("it is listed")["key"]
            .clone()
    }

    /// Returns the names of the agents that are held before their next tick.
    fn held(&self) -> Vec<String> {
        let agents = self.programs.iter().flat_map(|program| program.agents.iter().zip(&program.names));
        agents.filter(|(agent, _)| agent.is_held()).map(|(_, name)| name.clone()).collect()
    }

    fn tick(&mut self, machine: Machine, agent: usize) {
        let program = self.programs.iter_mut().find(|program| program.machine == machine).expect("it is there");
        let tree = counter();
        tree.tick_with(&mut 0, &mut tree.memory(), &mut program.agents[agent]);
    }
}

/// Returns the content of the last update of a name.
fn last(updates: &[Value], name: &str) -> Value {
    updates.iter().rev().find_map(|update| update.get(name)).cloned().unwrap_or_default()
}

fn names(list: &Value) -> Vec<String> {
    let names =
        list.as_array().expect("an array").iter().map(|agent| agent["name"].as_str().expect("a name").to_owned());
    names.collect()
}

#[test]
fn agents_of_all_machines_are_in_one_list() {
    let mut fleet = Fleet::new();
    fleet.join("robot-1", &["b 10", "a"]);
    fleet.join("robot-2", &["b 9", "c"]);
    let updates = fleet.carry();
    assert_eq!(updates[0]["hello"]["recording"], json!(false));
    let machines = json!([
        { "key": 0, "name": "robot-1", "agents": 2, "gone": false },
        { "key": 1, "name": "robot-2", "agents": 2, "gone": false },
    ]);
    assert_eq!(last(&updates, "machines"), machines);
    let trees: Vec<_> = updates.iter().filter_map(|update| update.get("trees")).collect();
    assert_eq!(trees.len(), 1, "both have the same tree: {trees:?}");
    let agents = last(&updates, "agents");
    assert_eq!((&agents["total"], &agents["matching"]), (&json!(4), &json!(4)));
    assert_eq!(agents["list"][2]["machine"], json!(1));

    assert_eq!(fleet.listed(json!({})), ["b 10", "a", "b 9", "c"], "in the order of the machines");
    assert_eq!(fleet.listed(json!({ "sort": "name" })), ["a", "b 9", "b 10", "c"]);
    assert_eq!(fleet.listed(json!({ "sort": "name", "descending": true })), ["c", "b 10", "b 9", "a"]);
    assert_eq!(fleet.listed(json!({ "sort": "machine", "descending": true })), ["c", "b 9", "a", "b 10"]);
    assert_eq!(fleet.listed(json!({ "descending": true })), ["c", "b 9", "a", "b 10"]);
    assert_eq!(fleet.listed(json!({ "search": "B" })), ["b 10", "b 9"]);
    assert_eq!(fleet.listed(json!({ "machine": 1 })), ["b 9", "c"]);
    assert_eq!(last(&fleet.received, "agents")["matching"], json!(2));
    assert_eq!(last(&fleet.received, "agents")["total"], json!(4));
    assert_eq!(fleet.listed(json!({ "tree": 0, "search": "c" })), ["c"]);
}

#[test]
fn a_long_list_is_sent_in_parts() {
    let mut fleet = Fleet::new();
    let names: Vec<_> = (0..300).map(|number| format!("soldier {number}")).collect();
    let halves: Vec<Vec<&str>> =
        [0, 1].map(|half| names.iter().skip(half).step_by(2).map(String::as_str).collect()).into();
    fleet.join("robot-1", &halves[0]);
    fleet.join("robot-2", &halves[1]);
    fleet.carry();
    assert_eq!(fleet.listed(json!({ "sort": "name" })), names[..200]);
    assert_eq!(fleet.listed(json!({ "sort": "name", "from": 150 })), names[150..]);
    assert_eq!(last(&fleet.received, "agents")["from"], json!(150));
    let agent = fleet.key("soldier 280");
    assert_eq!(fleet.listed(json!({ "sort": "name", "around": agent })), names[180..]);
}

#[test]
fn the_ticks_of_the_selected_agent_are_those_of_its_machine() {
    let mut fleet = Fleet::new();
    let [one, two] = [fleet.join("robot-1", &["Ann"]), fleet.join("robot-2", &["Bob"])];
    fleet.carry();
    let [ann, bob] = ["Ann", "Bob"].map(|name| fleet.key(name));
    fleet.send(&json!({ "select": bob }));
    for machine in [one, two] {
        fleet.tick(machine, 0);
    }
    let updates = fleet.carry();
    let ticks = last(&updates, "ticks");
    assert_eq!((&ticks["agent"], ticks["list"].as_array().map(Vec::len)), (&bob, Some(1)));
    // Each machine has its own clock: the time of day orders the ticks of all.
    assert!(ticks["list"][0]["at"].as_f64() > Some(1.7e9), "{ticks}");
    assert_eq!(last(&updates, "agents")["selected"]["name"], "Bob");

    fleet.send(&json!({ "select": ann }));
    for machine in [one, two] {
        fleet.tick(machine, 0);
    }
    let updates = fleet.carry();
    let of: Vec<_> =
        updates.iter().filter_map(|update| update.get("ticks")).map(|ticks| ticks["agent"].clone()).collect();
    assert_eq!(of, [ann], "nothing is sent of an agent that is not selected any more");
    assert!(fleet.programs[1].agents.iter().all(|agent| !agent.is_held()));
    assert_eq!(last(&fleet.send(&json!({ "select": null })), "agents")["selected"], Value::Null);
    assert_eq!(last(&fleet.send(&json!({ "select": 77 })), "lost"), json!(77));
}

#[test]
fn a_breakpoint_of_a_tree_is_set_at_all_machines_and_its_hits_are_a_sum() {
    let mut fleet = Fleet::new();
    let [one, two] = [fleet.join("robot-1", &["Ann"]), fleet.join("robot-2", &["Bob"])];
    fleet.carry();
    let set = json!({ "tree": 0, "breakpoint": { "node": 1, "on": ["Visit"] } });
    let breakpoints = last(&fleet.send(&json!({ "break": set })), "breakpoints");
    assert_eq!(breakpoints.as_array().map(Vec::len), Some(1), "{breakpoints}");
    for machine in [one, two] {
        fleet.tick(machine, 0);
    }
    let updates = fleet.carry();
    assert_eq!(last(&updates, "breakpoints")[0]["hits"], json!(2));
    assert_eq!(fleet.held(), ["Ann", "Bob"]);

    // A machine that comes later has it, too.
    let three = fleet.join("robot-3", &["Cid"]);
    fleet.carry();
    fleet.tick(three, 0);
    let updates = fleet.carry();
    assert_eq!(last(&updates, "breakpoints")[0]["hits"], json!(3));

    assert_eq!(fleet.held(), ["Ann", "Bob", "Cid"]);
    let updates = fleet.send(&json!({ "resume": null }));
    assert_eq!(last(&updates, "agents")["holds"], json!(1));
    assert!(fleet.held().is_empty());
    let remove = json!({ "tree": 0, "breakpoint": { "node": 1, "on": [] } });
    assert_eq!(last(&fleet.send(&json!({ "break": remove })), "breakpoints"), json!([]));
}

#[test]
fn a_breakpoint_of_an_agent_is_set_at_its_machine() {
    let mut fleet = Fleet::new();
    let [one, two] = [fleet.join("robot-1", &["Ann"]), fleet.join("robot-2", &["Bob"])];
    fleet.carry();
    let bob = fleet.key("Bob");
    let set = json!({ "tree": 0, "breakpoint": { "node": 1, "on": ["Visit"], "agent": bob } });
    assert_eq!(last(&fleet.send(&json!({ "break": set })), "breakpoints")[0]["agent"], bob);
    for machine in [one, two] {
        fleet.tick(machine, 0);
    }
    assert_eq!(fleet.held(), ["Bob"]);
}

#[test]
fn an_agent_is_held_and_the_state_is_that_after_the_last_request() {
    let mut fleet = Fleet::new();
    fleet.join("robot-1", &["Ann"]);
    fleet.join("robot-2", &["Bob"]);
    fleet.carry();
    let bob = fleet.key("Bob");
    fleet.send(&json!({ "select": bob }));
    let pause = last(&fleet.send(&json!({ "pause": bob })), "pause");
    assert_eq!((&pause["agent"], &pause["paused"], &pause["holds"]), (&bob, &json!(true), &json!(1)));
    assert!(fleet.programs[1].agents[0].is_held() && !fleet.programs[0].agents[0].is_held());
    let agents = last(&fleet.send(&json!({ "pause": null })), "agents");
    assert_eq!((&agents["held"], &agents["holds"]), (&json!(true), &json!(2)));
    assert!(fleet.programs.iter().all(|program| program.agents[0].is_held()));
    let agents = last(&fleet.send(&json!({ "resume": null })), "agents");
    assert_eq!((&agents["held"], &agents["holds"]), (&json!(false), &json!(3)));
}

#[test]
fn what_all_agents_of_a_tree_do_is_a_sum() {
    let mut fleet = Fleet::new();
    let [one, two] = [fleet.join("robot-1", &["Ann", "Ada"]), fleet.join("robot-2", &["Bob"])];
    fleet.carry();
    fleet.send(&json!({ "overview": 0 }));
    for (machine, agent) in [(one, 0), (one, 1), (two, 0)] {
        fleet.tick(machine, agent);
    }
    let overview = last(&fleet.carry(), "overview");
    assert_eq!((&overview["tree"], &overview["agents"], &overview["ticks"]), (&json!(0), &json!(3), &json!(3)));
    assert_eq!(overview["nodes"][1]["visits"], json!(3));
}

#[test]
fn a_machine_that_has_gone_is_shown_and_comes_back() {
    let mut fleet = Fleet::new();
    let one = fleet.join("robot-1", &["Ann"]);
    fleet.join("robot-2", &["Bob"]);
    fleet.carry();
    let ann = fleet.key("Ann");
    fleet.send(&json!({ "select": ann }));
    fleet.send(&json!({ "pause": ann }));
    fleet.leave(one);
    let updates = fleet.carry();
    assert_eq!(last(&updates, "machines")[0], json!({ "key": 0, "name": "robot-1", "agents": 1, "gone": true }));
    let agents = last(&fleet.received, "agents");
    assert_eq!(names(&agents["list"]), ["Ann", "Bob"], "its agents stay");
    assert_eq!((&agents["list"][0]["held"], &agents["selected"]["name"]), (&Value::Null, &json!("Ann")));
    assert_eq!(fleet.listed(json!({ "search": "an", "sort": "name" })), ["Ann"], "also in other listings");
    assert_eq!(last(&fleet.received, "agents")["matching"], json!(1));
    assert_eq!(fleet.listed(json!({ "machine": 0, "tree": 0 })), ["Ann"]);
    assert!(fleet.listed(json!({ "states": ["new"], "search": "ann" })).is_empty(), "it cannot be asked");
    assert_eq!(fleet.listed(json!({ "descending": true })), ["Bob", "Ann"]);
    assert_eq!(last(&fleet.received, "agents")["total"], json!(2));
    fleet.listed(json!({}));
    let error = last(&fleet.send(&json!({ "pause": ann })), "error");
    assert_eq!(error, "the machine `robot-1` is gone");
    let updates = fleet.send(&json!({ "select": ann }));
    assert_eq!((last(&updates, "lost"), last(&updates, "error")), (Value::Null, error));

    fleet.join("robot-1", &["Ann"]);
    let updates = fleet.carry();
    let machines = last(&updates, "machines");
    assert_eq!(machines.as_array().map(Vec::len), Some(2));
    assert_eq!(machines[1], json!({ "key": 2, "name": "robot-1", "agents": 1, "gone": false }));
    assert_eq!(names(&last(&updates, "agents")["list"]), ["Bob", "Ann"]);
}

#[test]
fn a_list_does_not_wait_for_a_machine_that_does_not_answer() {
    let mut fleet = Fleet::new();
    fleet.join("robot-1", &["Ann"]);
    let silent = fleet.hub.joined("robot-2");
    assert_eq!(fleet.listed(json!({})), ["Ann"]);
    assert!(fleet.hub.take(Duration::ZERO).is_empty());
    fleet.hub.left(silent);
    assert_eq!(last(&fleet.carry(), "machines")[1]["gone"], true);
}

#[test]
fn the_agents_of_a_machine_that_does_not_answer_match_as_far_as_is_known() {
    let mut fleet = Fleet::new();
    fleet.join("robot-1", &["Ann"]);
    fleet.join("robot-2", &["Bob", "Bea"]);
    fleet.carry();
    assert_eq!(fleet.listed(json!({ "search": "b" })), ["Bob", "Bea"]);
    let silent = fleet.programs.pop().expect("it is there");
    assert_eq!(fleet.listed(json!({ "search": "a" })), ["Ann", "Bea"], "not those of the search before");
    assert_eq!(last(&fleet.received, "agents")["matching"], json!(2));
    fleet.programs.push(silent);
}

#[test]
fn nothing_is_merged_while_nothing_changes() {
    let mut fleet = Fleet::new();
    fleet.join("robot-1", &["Ann"]);
    fleet.carry();
    fleet.carry();
    let page = 1;
    assert!(!lock(&fleet.hub.shared.inner).pages[&page].is_changed);
    fleet.send(&json!({ "list": { "id": 7 } }));
    assert_eq!(last(&fleet.received, "agents")["id"], json!(7));
}

#[test]
fn a_page_sees_machines_that_had_gone_before() {
    let fleet = Fleet::new();
    let machine = fleet.hub.joined("robot-1");
    fleet.hub.left(machine);
    let mut page = fleet.hub.connect();
    drop(fleet.hub.take(Duration::ZERO));
    let updates = page.updates(Duration::ZERO).join(" ");
    assert!(updates.contains("robot-1") && updates.contains("\"gone\":true"), "{updates}");
    page.receive("{\"list\":{}}");
    assert!(fleet.hub.take(Duration::ZERO).is_empty(), "nothing is sent to it");
}

#[test]
fn a_report_is_shown_in_all_pages_also_in_those_that_open_later() {
    let mut fleet = Fleet::new();
    fleet.hub.report("the keeper is gone");
    let report = "{\"error\":\"the keeper is gone\"}".to_owned();
    assert!(fleet.page.updates(Duration::ZERO).contains(&report));
    assert!(!fleet.page.updates(Duration::ZERO).contains(&report), "once");
    assert!(fleet.hub.connect().updates(Duration::ZERO).contains(&report));
}

#[test]
fn two_machines_of_the_same_name_have_numbers() {
    let mut fleet = Fleet::new();
    fleet.join("robot", &[]);
    fleet.join("robot", &[]);
    fleet.join("robot", &[]);
    let machines = last(&fleet.carry(), "machines");
    assert_eq!(names(&machines), ["robot", "robot (2)", "robot (3)"]);
}

#[test]
fn the_machines_that_have_gone_are_bounded() {
    let fleet = Fleet::new();
    for number in 0..1000 {
        let machine = fleet.hub.joined(&format!("robot-{number}"));
        fleet.hub.left(machine);
    }
    let mut page = fleet.hub.connect();
    let updates = page.updates(Duration::ZERO).join(" ");
    assert_eq!(updates.matches("\"gone\":true").count(), super::MAX_GONE);
    assert!(updates.contains("robot-999") && !updates.contains("robot-1\""));
}

#[test]
fn a_closed_page_is_closed_at_all_machines() {
    let mut fleet = Fleet::new();
    fleet.join("robot-1", &["Ann"]);
    fleet.join("robot-2", &["Bob"]);
    fleet.carry();
    assert!(fleet.programs.iter().all(|program| program.inspector.pages() == 1));
    fleet.page = fleet.hub.connect();
    fleet.carry();
    assert!(fleet.programs.iter().all(|program| program.inspector.pages() == 1), "one was closed, and one opened");
    assert_eq!(fleet.hub.pages(), 1);
}

#[test]
fn what_a_hostile_machine_sends_is_ignored() {
    let mut fleet = Fleet::new();
    fleet.join("robot-1", &["Ann"]);
    fleet.carry();
    let hostile = fleet.hub.joined("robot-2");
    let texts = [
        "",
        "{",
        "[]",
        "{}",
        "{\"agents\":null}",
        "{\"agents\":{\"list\":[{\"key\":0,\"tree\":0}]}}",
        "{\"agents\":{\"id\":0,\"total\":1,\"matching\":1,\"list\":[{}],\"waiting\":[],\"held\":false,\"holds\":0}}",
        "{\"trees\":[{\"key\":0}]}",
        "{\"ticks\":{\"agent\":4294967296,\"list\":[]}}",
        "{\"machines\":[]}",
        "{\"breakpoints\":[{\"tree\":0}]}",
        "{\"overview\":{\"tree\":0}}",
        "{\"documents\":[{\"key\":0}]}",
        "{\"documents\":{}}",
        "{\"text\":{\"document\":0}}",
        "{\"adopted\":{\"document\":0,\"fingerprint\":\"\",\"error\":null}}",
    ];
    for text in texts {
        fleet.hub.received(hostile, 1, text);
        fleet.hub.received(hostile, 0, text);
        fleet.hub.received(hostile, 99, text);
    }
    let updates = fleet.carry();
    assert!(updates.iter().all(|update| update.get("ticks").is_none()), "{updates:?}");
    fleet.leave(hostile);
    fleet.hub.received(hostile, 1, "{\"error\":\"late\"}");
    assert_eq!(last(&fleet.carry(), "error"), Value::Null);
    assert_eq!(fleet.listed(json!({})), ["Ann"]);
    fleet.hub.received(fleet.programs[0].machine, 1, "{\"error\":\"no\"}");
    assert_eq!(last(&fleet.carry(), "error"), "robot-1: no");
}

#[test]
fn invalid_requests_are_errors() {
    let mut fleet = Fleet::new();
    for (request, expected) in [
        ("{", "invalid request: "),
        ("{\"dance\":1}", "invalid request: unknown variant `dance`"),
        ("{\"pause\":4294967296}", "unknown agent 4294967296"),
        ("{\"overview\":7}", "no machine that is there has the tree 7"),
        ("{\"break\":{\"tree\":7,\"breakpoint\":{\"node\":0,\"on\":[]}}}", "no machine that is there has the tree 7"),
        (&"x".repeat(20_000), "the message is too long: 20000 bytes, the limit is 16384"),
    ] {
        fleet.page.receive(request);
        let error = last(&fleet.carry(), "error");
        assert!(error.as_str().is_some_and(|error| error.starts_with(expected)), "{error}");
    }
}

#[test]
fn all_machines_go_back_to_the_same_time_of_day() {
    let mut fleet = Fleet::new();
    fleet.join("robot-1", &["Ann"]);
    fleet.join("robot-2", &["Bob"]);
    fleet.carry();
    let ann = fleet.key("Ann");
    fleet.send(&json!({ "select": ann }));
    let tree = counter();
    let mut robots = [(0, tree.memory()), (0, tree.memory())];
    // Their clocks differ by a day.
    let tick = |fleet: &mut Fleet, machine: usize, (number, memory): &mut (u32, _)| {
        let (agent, now) = (&mut fleet.programs[machine].agents[0], fleet.now + secs(86_400) * u32::from(machine == 1));
        agent.rewind(now, memory, number);
        tree.tick_with(number, memory, &mut agent.at(now));
        fleet.now += millis(10);
        std::thread::sleep(millis(2));
        *number
    };
    let round =
        |fleet: &mut Fleet, robots: &mut [_; 2]| [0, 1, 1].map(|machine| tick(fleet, machine, &mut robots[machine]));
    round(&mut fleet, &mut robots);
    fleet.send(&json!({ "past": { "agent": null, "every": 1 } }));
    for _ in 0..4 {
        round(&mut fleet, &mut robots);
    }
    assert_eq!((robots[0].0, robots[1].0), (5, 10));
    let ticks = last(&fleet.carry(), "ticks");
    let third = ticks["list"].as_array().expect("a list").iter().find(|tick| tick["tick"] == 3).expect("it is stored");
    fleet.send(&json!({ "rewind": { "agent": ann, "tick": 3, "all": true, "at": third["at"] } }));
    // Before it, the other one was ticked for the sixth time.
    assert_eq!(round(&mut fleet, &mut robots), [4, 6, 7]);
    fleet.send(&json!({ "rewind": { "agent": ann, "tick": 3, "all": false, "at": third["at"] } }));
    assert_eq!(round(&mut fleet, &mut robots), [4, 8, 9], "only one goes back");
    fleet.send(&json!({ "rewind": { "agent": ann, "tick": 3, "all": true, "at": 3.0 } }));
    round(&mut fleet, &mut robots);
    assert_eq!(last(&fleet.carry(), "error"), json!("robot-2: Bob: this time of day is before the stored past"));
    assert!(
        last(&fleet.send(&json!({ "rewindall": -1.0 })), "error")
            .as_str()
            .is_some_and(|error| error.contains("invalid time of day"))
    );
}
