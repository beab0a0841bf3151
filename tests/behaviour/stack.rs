//! The stack that a tick takes.

use bt_core::prelude::*;

/// The lowest address of a local of the leaf.
struct Lowest(usize);

#[inline(never)]
fn leaf(lowest: &mut Lowest) -> Status {
    let local = 0_u8;
    lowest.0 = lowest.0.min(std::ptr::from_ref(std::hint::black_box(&local)).addr());
    Status::Running
}

const fn yes(_: &Lowest) -> bool {
    true
}

/// Returns the stack in bytes between the caller of two ticks and the leaf.
#[inline(never)]
fn stack<N: Node<Lowest>>(tree: &N) -> usize {
    let (local, mut lowest, mut memory) = (0_u8, Lowest(usize::MAX), tree.memory());
    for _ in 0..2 {
        tree.tick(&mut lowest, &mut memory);
    }
    std::ptr::from_ref(std::hint::black_box(&local)).addr() - lowest.0
}

/// A tree with 4 composites or decorators above the given child.
macro_rules! four {
    ($word:ident, $child:expr) => {
        tree! { for Lowest: $word { yes, $word { yes, $word { yes, $word { yes, ($child) } } } } }
    };
}

macro_rules! depths {
    ($word:ident) => {{
        let eight = || four!($word, four!($word, leaf));
        let sixteen = || four!($word, four!($word, eight()));
        let twenty_four = || four!($word, four!($word, sixteen()));
        [stack(&eight()), stack(&sixteen()), stack(&twenty_four())]
    }};
}

#[test]
fn the_stack_of_a_tick_is_linear_in_the_depth() {
    for [eight, sixteen, twenty_four] in [depths!(sequence), depths!(mem_sequence), depths!(parallel)] {
        let (upper, lower) = (sixteen - eight, twenty_four - sixteen);
        // The same number of levels takes the same stack, wherever they are.
        assert!(lower <= upper + upper / 10, "{eight}, {sixteen} and {twenty_four} bytes for 8, 16 and 24 levels");
    }
}
