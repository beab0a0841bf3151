//! The functions whose instructions are counted.

use crate::cases::{self, LOOKS};
use crate::herd::WAYS;
use crate::observers::COUNTED;

/// Runs one function. Called in a process under valgrind.
pub fn run(what: &str, ticks: u32) {
    let cases = cases::all();
    let index = |prefix: &str| what.strip_prefix(prefix).and_then(|index| index.parse::<usize>().ok());
    let function = match (index("tree"), index("hand"), index("herd"), index("observer")) {
        (Some(index), ..) => cases[index].tree,
        (_, Some(index), ..) => cases[index].by_hand,
        (.., Some(index), _) => WAYS[index].run,
        (.., Some(index)) => return (COUNTED[index].1)(ticks),
        _ => LOOKS,
    };
    std::hint::black_box(function(ticks));
}
