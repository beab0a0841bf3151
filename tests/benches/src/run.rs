//! The functions whose instructions are counted.

use crate::cases::{self, LOOKS};
use crate::herd::WAYS;
use crate::loaded::{self, LOADED};
use crate::observers::COUNTED;
use crate::{editing, million, nodes, peers, rewind};

/// Runs one function. Called in a process under valgrind.
pub fn run(what: &str, ticks: u32) {
    let (kind, index) = what.split_at(what.find(|c: char| c.is_ascii_digit()).unwrap_or(what.len()));
    let index = index.parse().unwrap_or(0);
    let function = match kind {
        "tree" => cases::all()[index].tree,
        "hand" => cases::all()[index].by_hand,
        "less" => cases::all()[index].less.unwrap_or(LOOKS),
        "loaded" => LOADED[index].loaded,
        "written" => LOADED[index].written,
        "conditions" => {
            std::hint::black_box(loaded::conditions(index, ticks));
            return;
        }
        "flips" => peers::all()[index].flips,
        "stays" => peers::all()[index].stays,
        "falls" => peers::all()[index].falls,
        "none" => peers::none,
        "million" => return million::run(index, ticks),
        "one" => return (nodes::KINDS[index].one)(ticks),
        "many" => return (nodes::KINDS[index].many)(ticks),
        "herd" => WAYS[index].run,
        "rewind" => rewind::COUNTED[index].1,
        "plain" => rewind::COUNTED[index].2,
        "edit" => return editing::run(index, ticks),
        "observer" => return (COUNTED[index].1)(ticks),
        _ => LOOKS,
    };
    std::hint::black_box(function(ticks));
}
