//! A crate that uses a renamed engine, only through its macros and names.
#![cfg(test)]

#[test]
fn a_macro_of_a_renamed_engine_is_a_tree() {
    use engine::Tree;
    let tree = engine::guard!(engine::bt::tree! { |actor: &engine::Actor| actor.health > 3 }, "bored");
    let mut actor = engine::Actor::default();
    assert_eq!(tree.tick(&mut actor, &mut tree.memory()), engine::Status::Success);
    assert_eq!(actor.log, ["bored"]);
}
