//! Random trees that go back: the same inputs again give the same events, in both engines.

use bt_core::Rewind;
use bt_core::prelude::*;
use bt_tests::world::{Event, Events, World};
use proptest::prelude::*;

use crate::loaded::{load, reachable};
use crate::{Doing, random};

/// What an observer and the leaves see of one step.
type Seen = (Vec<Event>, Vec<Event>);

fn step<N: Node<World>>(tree: &N, world: &mut World, memory: &mut Memory<N>, doing: &Doing) -> Seen {
    let mut events = Events::default();
    match doing {
        Doing::Tick(pass) => {
            world.now += millis(*pass);
            tree.tick_with(world, memory, &mut events);
        }
        Doing::Halt => tree.halt_with(world, memory, &mut events),
    }
    (events.0, world.take_seen())
}

/// Goes back to each step, from the last to the first, and repeats those that follow.
fn goes_back<N: Node<World>>(tree: &N, told: &[Status], doings: &[Doing]) -> Result<Vec<Seen>, TestCaseError> {
    let (mut world, mut memory) = (World::telling(told), tree.memory());
    let mut rewind = Rewind::new(1 << 24).every(2);
    let mut seen = Vec::new();
    for (number, doing) in doings.iter().enumerate() {
        rewind.store(number as u64, world.now, || (memory.clone(), world.clone()));
        seen.push(step(tree, &mut world, &mut memory, doing));
    }
    for number in (0..doings.len()).rev() {
        let snapshot = rewind.rewind_to(number as u64).expect("it is stored");
        let from = usize::try_from(snapshot.tick).expect("it is small");
        prop_assert!(from == number || from + 1 == number);
        let (mut memory, mut world) = snapshot.state.clone();
        for (doing, expected) in doings.iter().zip(&seen).skip(from) {
            prop_assert_eq!(&step(tree, &mut world, &mut memory, doing), expected);
        }
    }
    Ok(seen)
}

proptest! {
    #![proptest_config(crate::cases(1024))]

    #[test]
    fn going_back_and_the_same_inputs_give_the_same_events(
        spec in random::spec(),
        told in random::told(),
        doings in random::doings(),
    ) {
        let spec = reachable(&spec);
        let written = goes_back(&bt_conformance::engine::build(&spec), &told, &doings)?;
        prop_assert_eq!(goes_back(&load(&spec), &told, &doings)?, written);
    }
}
