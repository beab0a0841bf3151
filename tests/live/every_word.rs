//! A live tree of every word, before any edit: it does the same as the static tree of the same text, and as the naive interpreter.

use std::any::type_name_of_val;

use bt_conformance::every_word::{compiled, spec};
use bt_conformance::reference::Reference;
use bt_core::prelude::*;
use bt_core::rand_core::{Rng, SeedableRng};
use bt_tests::world::{Events, World};
use rand_pcg::Pcg32;

/// How often the tree is run.
const RUNS: u64 = 300;

#[test]
fn a_live_tree_does_as_the_static_one() {
    let (fixed, live, spec) = (compiled(), bt_conformance::every_word!(), spec());
    let is_live = |name: &str| name.starts_with("bt_dynamic::compiled::node::Live<");
    assert!(!is_live(type_name_of_val(&fixed)) && is_live(type_name_of_val(&live)));
    assert_eq!(live.description().nodes().len(), fixed.description().nodes().len());
    for seed in 0..RUNS {
        let mut random = Pcg32::seed_from_u64(seed);
        let statuses =
            [Status::Running, Status::Success, Status::Failure, Status::Running, Status::Success, Status::Error];
        // Few errors, which end what runs.
        let of = if seed % 4 == 0 { 6 } else { 5 };
        let told: Vec<_> = (0..40).map(|_| statuses[(random.next_u32() % of) as usize]).collect();
        let mut worlds = [(); 3].map(|()| World::telling(&told));
        let (mut reference, mut memory, mut live_memory) = (Reference::new(&spec), fixed.memory(), live.memory());
        for tick in 0..25 {
            let pass = millis(u64::from(random.next_u32() % 200));
            for world in &mut worlds {
                world.now += pass;
            }
            let [naive, world, live_world] = &mut worlds;
            let (mut expected, mut events, mut live_events) = (Vec::new(), Events::default(), Events::default());
            if random.next_u32() % 8 == 0 {
                reference.halt(Cause::Stopped, naive, &mut expected);
                fixed.halt_with(world, &mut memory, &mut events);
                live.halt_with(live_world, &mut live_memory, &mut live_events);
            } else {
                let status = reference.tick(naive, &mut expected);
                assert_eq!(fixed.tick_with(world, &mut memory, &mut events), status, "{seed} {tick}");
                assert_eq!(live.tick_with(live_world, &mut live_memory, &mut live_events), status, "{seed} {tick}");
            }
            assert_eq!(events.0, expected, "{seed} {tick}");
            assert_eq!(live_events.0, expected, "{seed} {tick}: what an observer of the live tree saw");
            let seen = worlds.each_ref().map(World::take_seen);
            assert_eq!(seen[1], seen[0], "{seed} {tick}");
            assert_eq!(seen[2], seen[0], "{seed} {tick}: what the leaves of the live tree saw");
        }
    }
}
