//! Many agents on one tree: does an agent cost the same whatever their number? Small contexts, and ones that do not fit the caches.

use std::cell::RefCell;
use std::fmt::Write;
use std::hint::black_box;

use bt_core::prelude::*;

use crate::clock::side_by_side;

/// A context of so many words, of which a tick touches the first.
#[derive(Clone)]
struct Wide<const WORDS: usize>([u64; WORDS]);

fn bored<const WORDS: usize>(wide: &Wide<WORDS>) -> bool {
    wide.0[0] & 3 != 0
}

fn go<const WORDS: usize>(wide: &mut Wide<WORDS>) -> Status {
    let sees = &mut wide.0[0];
    *sees ^= *sees << 13;
    *sees ^= *sees >> 7;
    *sees ^= *sees << 17;
    if *sees & 7 == 0 { Status::Success } else { Status::Running }
}

fn patrol<const WORDS: usize>() -> impl Node<Wide<WORDS>> {
    tree! {
        for Wide<WORDS>: selector {
            sequence { bored, go }
            mem_sequence { go, go, go, go }
        }
    }
}

/// A herd and its contexts, to be ticked so many times.
fn ticking<const WORDS: usize>(agents: usize) -> impl Fn(u32) {
    let mut herd = Herd::new(patrol::<WORDS>());
    herd.grow(agents);
    let contexts: Vec<_> =
        (1..).take(agents).map(|seed: u64| Wide([seed.wrapping_mul(0x9E37_79B9_7F4A_7C15); WORDS])).collect();
    let both = RefCell::new((herd, contexts));
    move |rounds| {
        let (herd, contexts) = &mut *both.borrow_mut();
        for _ in 0..rounds {
            black_box(herd.tick_all(contexts));
        }
    }
}

/// Nanoseconds per agent and tick, by the number of agents.
pub fn table() -> String {
    const TICKS: u32 = 4_000_000;
    let mut table = String::from(
        "| agents | contexts of 8 bytes, ns per agent | contexts of 256 bytes, ns per agent |\n|---|---|---|\n",
    );
    for agents in [1_u32, 100, 10_000, 100_000, 1_000_000] {
        let (narrow, broad) = (ticking::<1>(agents as usize), ticking::<32>(agents as usize));
        let times = side_by_side([&narrow, &broad], (TICKS / agents).max(1)).map(|round| round / f64::from(agents));
        let _ = writeln!(table, "| {agents} | {:.1} | {:.1} |", times[0], times[1]);
    }
    table
}
