//! Herds that tick only the agents that are due, beside herds that tick all.

use std::cell::RefCell;
use std::fmt::Write;
use std::hint::black_box;

use bt_core::prelude::*;

use crate::clock::side_by_side;

const AGENTS: u32 = 1_000_000;
/// A frame at 60 Hz.
const FRAME: Duration = Duration::from_nanos(16_666_667);

#[derive(Clone)]
struct Npc {
    now: Duration,
    steps: u32,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

fn step(npc: &mut Npc) {
    npc.steps += 1;
}

fn busy(npc: &mut Npc) -> Status {
    npc.steps = npc.steps.wrapping_mul(0x9E37_79B9).rotate_left(7);
    if npc.steps & 7 == 0 { Status::Success } else { Status::Running }
}

fn waits() -> impl Node<Npc> + Clone {
    tree! { for Npc: mem_sequence { step, wait(millis(1500)) } }
}

/// The answer of a server that does not come.
fn asks() -> impl Node<Npc> + Clone {
    tree! { for Npc: mem_sequence { step, |_: &mut Npc| std::future::pending::<bool>() } }
}

fn works() -> impl Node<Npc> + Clone {
    tree! { for Npc: mem_sequence { step, busy, busy } }
}

/// Returns a function that runs a number of frames. The time passes for an agent when it is ticked: a herd whose agents sleep
/// does not visit the others. `due` is whether only those that are due are ticked.
fn running<N: Node<Npc>>(tree: N, due: bool) -> impl Fn(u32) {
    let mut herd = Herd::new(tree);
    herd.grow(AGENTS as usize);
    let npcs: Vec<_> = (0..AGENTS).map(|seed| Npc { now: Duration::ZERO, steps: seed }).collect();
    let all = RefCell::new((herd, npcs, Duration::ZERO));
    move |frames| {
        let (herd, npcs, now) = &mut *all.borrow_mut();
        for _ in 0..frames {
            *now += FRAME;
            if due {
                herd.for_each_due(*now, |agent| {
                    let npc = &mut npcs[agent.id().index()];
                    npc.now = *now;
                    black_box(agent.tick(npc));
                });
            } else {
                herd.for_each(|agent, tree, memory| {
                    let npc = &mut npcs[agent.index()];
                    npc.now = *now;
                    black_box(tree.tick(npc, memory));
                });
            }
        }
    }
}

/// Returns the measurements as a table.
pub fn table() -> String {
    const FRAMES: u32 = 300;
    let mut table =
        "| a million agents | all ticked, ns per agent and frame | those that are due |\n|---|---|---|\n".to_owned();
    let mut row = |name: &str, times: [f64; 2]| {
        let [all, due] = times.map(|time| time / f64::from(AGENTS));
        let _ = writeln!(table, "| {name} | {all:.2} | {due:.2} |");
    };
    let (all, due) = (running(waits(), false), running(waits(), true));
    row("each waits 1.5 s at 60 Hz", side_by_side([&all, &due], FRAMES));
    let (all, due) = (running(asks(), false), running(asks(), true));
    row("each waits for a future", side_by_side([&all, &due], FRAMES));
    let (all, due) = (running(works(), false), running(works(), true));
    row("no agent sleeps", side_by_side([&all, &due], FRAMES / 4));
    table
}
