//! What a hub of many machines costs, and how fast an edited tree arrives at all of them. Each machine is a process.

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use bt_core::prelude::*;
use bt_dynamic::{Editable, LiveTree, Registry};
use bt_fleet::{Config, Fleet, FleetHub, HubConfig, HubConnection};
use bt_inspector::Document;

use super::{Counted, Result, Robot, TICK, address, drive, is_loaded, is_low, print, turn, wait_for};

/// The first argument of a process that is a machine.
pub(super) const MACHINE: &str = "machine";
const MACHINES: usize = 100;
/// The number of agents of each machine.
const AGENTS: usize = 100;

const TREE: &str = "\
selector {
    sequence { is_low, drive }
    mem_sequence { is_loaded, drive, turn }
    mem_sequence { drive, turn }
}
";

/// A process that is ended with this one.
struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = (self.0.kill(), self.0.wait());
    }
}

/// Runs a machine until its standard input ends.
pub(super) fn run(name: &str, endpoint: &str) -> Result<()> {
    let fleet = Fleet::join(Config::new("machines", name).connect(endpoint))?;
    let mut registry = Registry::<Robot>::new();
    registry
        .add_leaf("is_low", is_low)
        .add_leaf("is_loaded", is_loaded)
        .add_leaf("drive", drive)
        .add_leaf("turn", turn);
    let tree = LiveTree::new();
    let editable = Editable::new(tree.clone(), registry);
    editable.apply(TREE)?;
    let inspector = fleet.inspector();
    inspector.allow_edit();
    let key = inspector.tree("robot", &tree);
    inspector.edit(Document::text("robot.bt", TREE).target(editable).of(&key))?;
    let agent = |number| (Robot::default(), tree.memory(), inspector.agent(key.clone(), format!("{name} {number}")));
    let mut robots: Vec<_> = (0..AGENTS).map(agent).collect();
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    let start = Instant::now();
    for tick in 1.. {
        for (robot, memory, watched) in &mut robots {
            tree.tick_with(robot, memory, &mut watched.at(start.elapsed()));
            watched.show(|| &*robot);
        }
        std::thread::sleep((TICK * tick).saturating_sub(start.elapsed()));
    }
    Ok(())
}

/// Returns what follows the last occurrence of a text.
fn after<'t>(text: &'t str, what: &str) -> Result<&'t str> {
    text.rsplit_once(what).map(|(_, after)| after).ok_or_else(|| format!("no `{what}`").into())
}

/// Returns the number at the begin of a text.
fn number(text: &str) -> &str {
    text.split(|sign: char| !sign.is_ascii_digit()).next().unwrap_or_default()
}

/// Measures a hub with many machines.
pub(super) fn measure() -> Result<()> {
    let address = address()?;
    let config = HubConfig::new("machines").address("127.0.0.1:0").listen(&format!("tcp/{address}"));
    let hub = FleetHub::serve(config.edit(true))?;
    let counted = Counted::new(address)?;
    let program = std::env::current_exe()?;
    let start_one = |number| -> Result<Machine> {
        let mut command = Command::new(&program);
        command.args([MACHINE, &format!("machine-{number}"), &counted.endpoint]);
        Ok(Machine(command.stdin(Stdio::piped()).spawn()?))
    };
    let machines = (0..MACHINES).map(start_one).collect::<Result<Vec<_>>>()?;
    let start = Instant::now();
    let read = |page: &mut HubConnection| page.updates(start.elapsed()).join("\n");
    let mut page = hub.hub().connect();
    let total = format!("\"total\":{}", MACHINES * AGENTS);
    let (mut text, mut documents) = (String::new(), String::new());
    wait_for("all machines", || {
        for update in page.updates(start.elapsed()) {
            if update.starts_with("{\"documents\"") {
                documents.clone_from(&update);
            }
            text += &update;
        }
        text.contains(&total) && documents.matches("\"fingerprint\"").count() == MACHINES
    })?;
    let list = counted.per_second(|| _ = read(&mut page));
    print("a page: the list of 10 000 agents of 100 programs", list, "bytes/s");
    let key = number(after(&documents, "\"key\":")?).to_owned();
    text.clear();
    page.receive(&format!("{{\"open\":{key}}}"));
    wait_for("the document", || {
        text += &read(&mut page);
        text.contains("{\"document\":{")
    })?;
    let leaf = number(after(text.split("\"head\":\"turn\"").next().unwrap_or_default(), "\"id\":")?).to_owned();
    text.clear();
    let insert = format!("{{\"op\":\"insert\",\"text\":\"turn\",\"at\":{{\"after\":{leaf}}}}}");
    page.receive(&format!("{{\"change\":{{\"document\":{key},\"operations\":[{insert}]}}}}"));
    let edited = wait_for("the change", || {
        text += &read(&mut page);
        text.contains("{\"changed\":")
    })?;
    print("from an edit to the machine that runs it", edited.as_secs_f64() * 1e3, "ms");
    text.clear();
    page.receive(&format!("{{\"rollout\":{{\"document\":{key},\"step\":\"all\"}}}}"));
    let sent = wait_for("all machines", || {
        text += &read(&mut page);
        after(&text, "{\"rollout\":").is_ok_and(|last| last.matches("\"state\":\"same\"").count() == MACHINES)
    })?;
    print("from `send to all` to the last of 100 machines", sent.as_secs_f64() * 1e3, "ms");
    drop((page, machines, hub));
    Ok(())
}
