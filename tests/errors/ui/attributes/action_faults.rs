// # `#[action]` and `#[condition]`
// The first parameter is the context. The node stores the other parameters, passes them at each tick, and shows them in descriptions.
use bt_core::prelude::*;

struct Npc;

#[action]
fn no_context() {}

#[action]
fn by_value(_: Npc) {}

#[action]
async fn later(_: &mut Npc) {}

#[action]
fn any_type(_: &mut Npc, _what: impl Clone) {}

#[action]
fn exclusive(_: &mut Npc, _what: &mut u32) {}

#[action]
fn open_by_value(_: &mut Npc, #[open] _what: u32) -> Status {
    Status::Running
}

#[action]
fn cannot_run(_: &mut Npc, #[open] _what: &mut u32) -> bool {
    true
}

#[action]
fn not_copy(_: &mut Npc, _what: String) {}

#[action]
fn nameless(_: &mut Npc, (_a, _b): (u32, u32)) {}

#[action(radius = 3.0)]
fn arguments(_: &mut Npc) {}

#[condition]
fn not_bool(_: &Npc) -> Status {
    Status::Success
}

#[action]
fn kept_value(_: &mut Npc, #[kept(5)] _what: &mut u32) -> Status {
    Status::Running
}

#[action]
fn kept_by_value(_: &mut Npc, #[kept] _what: u32) {}

#[action]
fn kept_and_open(_: &mut Npc, #[kept] #[open] _what: &mut u32) -> Status {
    Status::Running
}

#[condition]
fn open_condition(_: &Npc, #[open] _what: &mut u32) -> bool {
    true
}

#[action]
fn both(_: &mut Npc, #[at] #[input] _at: NodeId) {}

#[condition]
fn tells(_: &Npc, #[output] _told: &mut Option<u32>) -> bool {
    true
}

#[action]
fn in_and_out(_: &mut Npc, #[input] #[output] _told: &mut Option<u32>) {}

#[action]
struct NotAFunction;

impl Npc {
    #[action]
    fn method(&mut self) {}
}

#[action(event)]
fn event_action(_: &mut Npc) {}

#[action(fail)]
fn misspelled_fails(_: &mut Npc) -> Result<(), u32> {
    Ok(())
}

#[action(fails)]
fn fails_without_result(_: &mut Npc) -> Option<bool> {
    None
}

#[action(fails)]
fn fails_without_output(_: &mut Npc) {}

#[condition(fails)]
fn fails_condition(_: &Npc) -> bool {
    true
}

#[condition(events)]
fn misspelled_event(_: &Npc) -> bool {
    true
}

fn main() {}
