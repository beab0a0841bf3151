// With a passing case, trybuild builds all cases, which the errors of constant evaluation need. The others are in `tests/errors/pass`.
use bt_core::prelude::*;

fn main() {
    let tree = tree! { for (): machine { state a { fail, failure -> b } state b { succeed, success -> success } } };
    let mut memory = tree.memory();
    assert_eq!(tree.tick(&mut (), &mut memory), Status::Running);
    assert_eq!(tree.tick(&mut (), &mut memory), Status::Success);
}
