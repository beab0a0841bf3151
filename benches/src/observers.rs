//! What watching costs: nobody, a counter, the last status of each node.

use std::fmt::Write;
use std::hint::black_box;

use bt_core::prelude::*;

use crate::agent::Agent;
use crate::clock::side_by_side;
use crate::small;

/// Counts visits.
#[derive(Default)]
struct Visits(u64);

impl Observer for Visits {
    fn enter(&mut self, _: NodeId) {
        self.0 += 1;
    }
}

/// Nanoseconds per tick, by who watches.
pub fn table() -> String {
    const TICKS: u32 = 1_000_000;
    let times = side_by_side([&ticking::<()>, &ticking::<Visits>, &ticking::<Statuses>], TICKS);
    let names = ["nobody", "counting visits", "the last status of each node"];
    #[expect(clippy::cast_precision_loss, reason = "a few millions fit")]
    let visits = ticked::<Visits>(TICKS).0 as f64 / f64::from(TICKS);
    let mut table =
        String::from("| observer of the patrol, nine nodes | ns per tick | ns per visited node |\n|---|---|---|\n");
    for (name, nanoseconds) in names.iter().zip(times) {
        let _ = writeln!(table, "| {name} | {nanoseconds:.1} | {:.1} |", nanoseconds / visits);
    }
    table
}

fn ticking<O: Observer + Default>(ticks: u32) {
    black_box(ticked::<O>(ticks));
}

#[inline(never)]
fn ticked<O: Observer + Default>(ticks: u32) -> O {
    let tree = small::patrol();
    let (mut agent, mut memory, mut observer) = (Agent::new(1), tree.memory(), O::default());
    for _ in 0..ticks {
        agent.look();
        black_box(tree.tick_with(&mut agent, black_box(&mut memory), black_box(&mut observer)));
    }
    observer
}
