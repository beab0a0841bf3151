// # A tree too deep for the compiler
// rustc nests its queries about a tree as deeply as the tree, up to a depth of 128. A decorator, a selector and a sequence take 2 levels, any other
// composite and a machine 3. So the limit is about 60 nested decorators or sequences, and 40 parallels or machines. For composites rustc reports
// `overflow evaluating the requirement`. `#![recursion_limit = "256"]` at the top of the crate doubles the limit. The content of a `BoxNode` does not
// count.
use bt_core::prelude::*;

fn near(number: &u32) -> bool {
    *number == 3
}

/// Nests decorators, one for each dot.
macro_rules! deep {
    ([] $($tree:tt)*) => { tree! { for u32: $($tree)* } };
    ([. $($dots:tt)*] $($tree:tt)*) => { deep!([$($dots)*] force_success { $($tree)* }) };
}

fn main() {
    let tree = deep!([
        . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
    ] near);
    tree.tick(&mut 3, &mut tree.memory());
}
