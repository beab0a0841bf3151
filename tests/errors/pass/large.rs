//! Wide and deep trees.

use bt_core::prelude::*;

fn near(number: &u32) -> bool {
    *number == 3
}

/// Creates a composite with 1000 times the given leaves.
macro_rules! wide {
    (@ten $then:ident $word:ident $($leaf:ident)*) => {
        wide!(@$then $word $($leaf)* $($leaf)* $($leaf)* $($leaf)* $($leaf)* $($leaf)* $($leaf)* $($leaf)* $($leaf)* $($leaf)*)
    };
    (@hundred $word:ident $($leaf:ident)*) => { wide!(@ten thousand $word $($leaf)*) };
    (@thousand $word:ident $($leaf:ident)*) => { wide!(@ten tree $word $($leaf)*) };
    (@tree $word:ident $($leaf:ident)*) => { tree! { for u32: $word { $($leaf),* } } };
    ($word:ident $($leaf:ident)*) => { wide!(@ten hundred $word $($leaf)*) };
}

/// Nests composites, one for each dot.
macro_rules! deep {
    ([] $($tree:tt)*) => { tree! { for u32: $($tree)* } };
    ([. $($dots:tt)*] $($tree:tt)*) => { deep!([$($dots)*] sequence { near, $($tree)* }) };
}

fn count<N: Node<u32>>(tree: N, nodes: usize, expected: Status) {
    assert_eq!(tree.tick(&mut 3, &mut tree.memory()), expected);
    assert_eq!(tree.description().lines().len(), nodes);
}

pub(crate) fn main() {
    count(wide!(selector near near), 2001, Status::Success);
    count(wide!(mem_sequence near), 1001, Status::Success);
    count(wide!(parallel near), 1001, Status::Success);
    count(wide!(mem_parallel near), 1001, Status::Success);
    let seventy = deep!([
        . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
    ] near);
    count(seventy, 141, Status::Success);
}
