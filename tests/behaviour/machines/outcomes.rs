//! The statuses that a machine can return.

use bt_core::Outcomes;
use bt_core::prelude::*;
use bt_tests::world::{World, check, told};

#[test]
fn what_a_machine_can_give_is_known() {
    fn returns<N: Node<World>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    let forever =
        tree! { for World: machine { state a { check(1), success -> b } state b { check(2), failure -> a } } };
    assert_eq!(returns(&forever), Outcomes::RUNNING);
    let ends = tree! { for World: machine { state a { check(1), success -> failure } } };
    assert_eq!(returns(&ends), Outcomes::RUNNING.or(Outcomes::FAILURE));
    assert_eq!(returns(&tree! { for World: machine { state a { told(1) } } }), Outcomes::RUNNING.or(Outcomes::ERROR));
}

#[test]
fn what_a_machine_can_give_follows_from_its_arrows() {
    fn returns<N: Node<bool>>(_: &N) -> Outcomes {
        N::RETURNS
    }
    let on = |on: &bool| *on;
    // It ends in its first tick.
    assert_eq!(
        returns(&tree! { machine { state a { |_: &mut bool| () } any { success -> failure } } }),
        Outcomes::FAILURE
    );
    assert_eq!(returns(&tree! { machine { state a { |_: &mut bool| (), success -> success } } }), Outcomes::SUCCESS);
    assert_eq!(
        returns(&tree! { machine { state a { |_: &mut bool| () } any { on -> failure } } }),
        Outcomes::FAILURE.or(Outcomes::RUNNING)
    );
    // Nothing leads to the state that would end it.
    let idle = tree! {
        for bool: machine {
            state a { run, #[allow(unreachable)] fail -> b }
            #[allow(unreachable)] state b { run, on -> success }
        }
    };
    assert_eq!(returns(&idle), Outcomes::RUNNING);
    // Entered only from outside.
    let mut memory = idle.memory();
    idle.to("b", &mut false, &mut memory).expect("there is such a state");
    assert_eq!(idle.tick(&mut true, &mut memory), Status::Success);
}
