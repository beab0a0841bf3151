//! Programs that have to compile, beside those that must not, and what they do.
#![recursion_limit = "256"]
#![expect(
    clippy::elidable_lifetime_names,
    clippy::large_stack_arrays,
    clippy::trivially_copy_pass_by_ref,
    reason = "users write this"
)]

mod allowed;
mod calls;
mod generic;
mod large;
mod machine_condition;

#[test]
fn what_is_allowed_or_expected_is_no_error() {
    allowed::main();
}

#[test]
fn a_name_and_a_call_are_the_same_leaf() {
    calls::main();
}

#[test]
fn subtrees_of_a_library_take_any_child() {
    generic::main();
}

#[test]
fn wide_and_deep_trees_compile() {
    large::main();
}

#[test]
fn each_part_of_a_condition_has_attributes() {
    machine_condition::main();
}
