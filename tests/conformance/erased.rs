//! Thousands of random trees, their children erased.

use bt_conformance::engine::build;
use bt_core::Memory;
use proptest::prelude::*;

use crate::{random, same};

proptest! {
    #![proptest_config(crate::cases(4096))]

    #[test]
    fn any_tree_does_as_the_naive_interpreter_says(
        spec in random::spec(),
        told in random::told(),
        doings in random::doings(),
    ) {
        same(&spec, &build(&spec), &told, &doings, Memory::clone);
    }
}
