//! The memory of a machine: size, agents, saving.

use bt_core::Status::{Failure, Success};
use bt_core::prelude::*;
use bt_tests::world::World;

use super::sheep;

#[test]
fn four_states_of_plain_leaves_take_a_byte() {
    assert_eq!(size_of_val(&sheep().memory()), 1);
}

#[test]
fn one_machine_controls_many_agents_each_with_its_own_memory() {
    let sheep = sheep();
    let (mut ann, mut ben) = (sheep.memory(), sheep.memory());
    sheep.tick(&mut World::telling(&[Success]), &mut ann);
    sheep.tick(&mut World::telling(&[Failure]), &mut ben);
    assert_eq!((sheep.state(&ann), sheep.state(&ben)), (Some("obey"), Some("idle")));
}

#[test]
fn a_machine_is_saved_in_its_state() {
    let sheep = sheep();
    let mut memory = sheep.memory();
    sheep.to("fear", &mut World::default(), &mut memory).expect("there is such a state");
    let save = serde_json::to_string(&sheep.saved(&memory)).expect("it can be saved");
    let mut memory = sheep.memory();
    sheep.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("it is the same tree");
    assert_eq!(sheep.state(&memory), Some("fear"));
}
