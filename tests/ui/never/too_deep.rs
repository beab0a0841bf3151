// # A tree that is too deep for the compiler
// rustc nests its questions about a tree as deep as the tree is, and stops at 128. A decorator takes 2 of them, a parallel or a machine 4, any
// other composite 3: so about 60 decorators, 40 composites, 30 parallels or 30 machines may be one in the other.
// `#![recursion_limit = "256"]` at the top of the crate doubles that. What is in a `BoxNode` does not count.
use bt_core::prelude::*;

fn near(number: &u32) -> bool {
    *number == 3
}

/// Composites in one another, as many as there are dots.
macro_rules! deep {
    ([] $($tree:tt)*) => { tree! { for u32: $($tree)* } };
    ([. $($dots:tt)*] $($tree:tt)*) => { deep!([$($dots)*] sequence { near, $($tree)* }) };
}

fn main() {
    let tree = deep!([
        . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
    ] near);
    tree.tick(&mut 3, &mut tree.memory());
}
