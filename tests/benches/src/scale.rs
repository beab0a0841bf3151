//! Many agents on one tree: the cost per agent by the number of agents, for small contexts and for contexts larger than the caches.

use std::cell::RefCell;
use std::fmt::Write;
use std::hint::black_box;

use allocation_counter::measure as allocated;
use bt_core::prelude::*;

use crate::clock::side_by_side;

/// A context of `WORDS` words. A tick only accesses the first.
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
    tree! { for Wide<WORDS>: selector { sequence { bored, go } mem_sequence { go, go, go, go } } }
}

/// Returns a function that ticks a herd for a number of rounds, on one core or on all cores.
fn ticking<const WORDS: usize>(agents: u32, all_cores: bool) -> impl Fn(u32) {
    let mut herd = Herd::new(patrol::<WORDS>());
    herd.grow(agents as usize);
    let seeds = (1..).take(agents as usize);
    let contexts: Vec<_> = seeds.map(|seed: u64| Wide([seed.wrapping_mul(0x9E37_79B9_7F4A_7C15); WORDS])).collect();
    let both = RefCell::new((herd, contexts));
    move |rounds| {
        let (herd, contexts) = &mut *both.borrow_mut();
        for _ in 0..rounds {
            black_box(if all_cores { herd.par_tick_all(contexts) } else { herd.tick_all(contexts) });
        }
    }
}

/// The lines of the plot: name, color, and minimum number of agents. Few agents do not benefit from several cores.
pub const LINES: [(&str, &str, u32); 3] = [
    ("8 bytes per agent", "#2a78b5", 1),
    ("256 bytes per agent", "#c2571a", 1),
    ("256 bytes per agent, all cores", "#3a8f4d", 1000),
];

/// Measures the nanoseconds per agent and tick, by the number of agents.
pub fn measure() -> Vec<(u32, [f64; LINES.len()])> {
    const TICKS: u32 = 4_000_000;
    let numbers = [1_u32, 10, 100, 1000, 10_000, 100_000, 1_000_000];
    let measured = numbers.into_iter().map(|agents| {
        let narrow = ticking::<1>(agents, false);
        let (broad, cores) = (ticking::<32>(agents, false), ticking::<32>(agents, true));
        let rounds = (TICKS / agents).max(1);
        let [narrow, broad] = side_by_side([&narrow, &broad], rounds);
        // With few agents, waking other cores dominates: run fewer rounds.
        let [cores] = side_by_side([&cores], (rounds / 20).max(1));
        (agents, [narrow, broad, cores].map(|round| round / f64::from(agents)))
    });
    measured.collect()
}

/// Returns the bytes per agent that a herd allocates.
fn bytes(agents: u32) -> f64 {
    let mut herd = None;
    let allocation = allocated(|| {
        let mut new = Herd::new(patrol::<1>());
        new.grow(agents as usize);
        herd = Some(new);
    });
    let bytes = u32::try_from(allocation.bytes_current).unwrap_or(0);
    f64::from(bytes) / f64::from(agents)
}

/// Returns the measurements as a table.
pub fn table(measured: &[(u32, [f64; LINES.len()])]) -> String {
    let names: Vec<_> = LINES.iter().map(|(name, ..)| format!("{name}, ns per agent")).collect();
    let mut table = format!("| agents | {} | bytes allocated per agent |\n|---|---|---|---|---|\n", names.join(" | "));
    for (agents, times) in measured {
        let times: Vec<_> = times.iter().map(|time| format!("{time:.1}")).collect();
        let _ = writeln!(table, "| {agents} | {} | {:.1} |", times.join(" | "), bytes(*agents));
    }
    table
}
