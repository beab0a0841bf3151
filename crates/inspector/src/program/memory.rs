//! Tests of the memory that watched agents take.

use std::sync::Arc;

use bt_core::prelude::*;

use super::Watched;
use crate::state::{About, Shared};

const AGENTS: usize = 1000;
/// What an agent may keep for itself, besides its ticks.
const PER_AGENT: i64 = 256;

#[test]
fn memory_is_bounded_however_many_agents_pages_have_watched() {
    const MIB: i64 = 1 << 20;
    let leaves = |count| (0..count).map(|_| |n: &mut u32| *n += 1).collect::<Vec<_>>();
    let tree = tree! { for u32: sequence { ..leaves(1000) } };
    let shared = Arc::new(Shared::default());
    let key = shared.add_tree("large", About::of(&tree));
    let mut watched: Vec<_> =
        (0..AGENTS).map(|_| Watched::new(Arc::clone(&shared), shared.add_agent(Arc::clone(&key), "soldier"))).collect();
    let mut memory = tree.memory();
    shared.connect();
    let held = allocation_counter::measure(|| {
        for (index, watched) in watched.iter_mut().enumerate() {
            let agent = shared.agent(index).expect("it is not dropped");
            agent.select();
            for _ in 0..10 {
                tree.tick_with(&mut 0, &mut memory, watched);
                watched.show(|| "x".repeat(1000));
            }
            agent.deselect();
        }
    });
    let held = held.bytes_current;
    let per_agents = i64::try_from(AGENTS).expect("a small number") * PER_AGENT;
    assert!((30 * MIB..64 * MIB + per_agents).contains(&held), "{} MiB", held / MIB);
    let freed = allocation_counter::measure(|| {
        for seconds in [0, 30] {
            shared.maintain(secs(seconds));
        }
    });
    let left = held + freed.bytes_current;
    assert!(left < per_agents, "{left} of {held} bytes stay");
}
