//! A million melee enemies: a herd, a loop over structs, and a pass over as many bytes, which shows the limit of the memory.

use std::cell::RefCell;
use std::fmt::Write;
use std::hint::black_box;

use allocation_counter::measure;
use bt_core::prelude::*;
use rayon::prelude::*;

use crate::agent::{self, Agent};
use crate::clock::side_by_side;
use crate::count::{self, INSTRUCTIONS, MISSES};
use crate::melee::{Enemy, melee_by_hand, melee_for, not_twice};

const AGENTS: u32 = 1_000_000;

/// Ticks all agents. Returns the number of those that are running.
type Round = Box<dyn FnMut() -> usize>;

/// A way to tick all agents.
pub struct Way {
    /// The name.
    pub name: &'static str,
    /// Creates a number of agents, which are ticked on one core or on all cores.
    pub start: fn(u32, bool) -> Round,
}

/// All ways. The last only adds 1 to each word of as much memory as the agents of a herd have.
pub const WAYS: [Way; 3] = [
    Way { name: "loop over structs", start: structs },
    Way { name: "herd", start: herd },
    Way { name: "pass over as many bytes", start: pass },
];

/// The context of an enemy.
struct Fighter(Agent);

fn look(fighter: &mut Fighter) -> Status {
    fighter.0.look();
    Status::Success
}

#[inline(always)]
fn cond<const N: u32>(fighter: &Fighter) -> bool {
    agent::cond::<N>(&fighter.0)
}

#[inline(always)]
fn act<const N: u32>(fighter: &mut Fighter) -> Status {
    agent::act::<N>(&mut fighter.0)
}

struct Walk<const N: u32>;

#[leaf]
impl<const N: u32> Leaf<Fighter> for Walk<N> {
    #[inline(always)]
    fn open(&self, fighter: &mut Fighter) {
        agent::Walk::<N>::begin(&mut fighter.0);
    }
    #[inline(always)]
    fn tick(&self, _: &mut (), fighter: &mut Fighter) -> Status {
        act::<N>(fighter)
    }
    #[inline(always)]
    fn close(&self, _: &mut (), fighter: &mut Fighter, _: End) {
        agent::Walk::<N>::end(&mut fighter.0);
    }
}

/// The perception is updated within the tick, as in the loop over structs.
fn tree() -> impl Node<Fighter> {
    tree! { for Fighter: sequence { look, (melee_for!(Fighter)) } }
}

fn herd(agents: u32, all_cores: bool) -> Round {
    let mut herd = Herd::new(tree());
    herd.grow(agents as usize);
    let mut contexts: Vec<_> = seeds(agents).map(|seed| Fighter(Agent::new(seed))).collect();
    Box::new(move || {
        let counts = if all_cores { herd.par_tick_all(&mut contexts) } else { herd.tick_all(&mut contexts) };
        counts.of(Status::Running)
    })
}

struct Npc {
    agent: Agent,
    enemy: Enemy,
}

fn structs(agents: u32, all_cores: bool) -> Round {
    let npcs = seeds(agents).map(|seed| Npc { agent: Agent::new(seed), enemy: Enemy::default() });
    in_parts(npcs.collect(), all_cores, |npcs: &mut [Npc]| {
        let mut counts = [0; 4];
        for Npc { agent, enemy } in npcs {
            agent.look();
            counts[melee_by_hand(agent, enemy) as usize] += 1;
        }
        black_box(counts)[Status::Running as usize]
    })
}

fn pass(agents: u32, all_cores: bool) -> Round {
    let bytes = agents as usize * (size_of::<Fighter>() + size_of_val(&tree().memory()));
    in_parts(vec![0_u64; bytes / size_of::<u64>()], all_cores, |words: &mut [u64]| {
        for word in &mut *words {
            *word = word.wrapping_add(1);
        }
        words.len()
    })
}

/// Returns a function that does the work on all items, and returns the sum of the results.
fn in_parts<T: Send + 'static>(mut items: Vec<T>, all_cores: bool, work: fn(&mut [T]) -> usize) -> Round {
    const PART: usize = 10_000;
    Box::new(move || if all_cores { items.par_chunks_mut(PART).map(work).sum() } else { work(&mut items) })
}

fn seeds(agents: u32) -> impl Iterator<Item = u64> {
    1..=u64::from(agents)
}

/// Runs a number of rounds of a way on one core.
pub fn run(index: usize, rounds: u32) {
    let mut round = (WAYS[index].start)(AGENTS, false);
    for _ in 0..rounds {
        black_box(round());
    }
}

/// Returns the table of all ways. Each byte that counts is read and written.
pub fn table() -> String {
    const ROUNDS: u32 = 2;
    let mut table = String::from(
        "| way | bytes per agent | instructions per agent | cache misses per agent | ns per agent, one core | all cores | GB/s, one core | all cores |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let rounds = WAYS.map(|Way { start, .. }| [false, true].map(|all_cores| RefCell::new(start(AGENTS, all_cores))));
    let runs = rounds.as_flattened().iter().map(|round| {
        move |rounds: u32| {
            for _ in 0..rounds {
                black_box(round.borrow_mut()());
            }
        }
    });
    let runs: Vec<_> = runs.collect();
    let times = side_by_side::<6>(std::array::from_fn(|index| &runs[index] as &dyn Fn(u32)), ROUNDS);
    for (index, (Way { name, start }, times)) in WAYS.iter().zip(times.as_chunks::<2>().0).enumerate() {
        let mut round = None;
        let allocated = measure(|| round = Some(start(AGENTS, false))).bytes_current;
        let bytes = f64::from(u32::try_from(allocated).unwrap_or(0)) / f64::from(AGENTS);
        let [instructions, misses] = [INSTRUCTIONS, MISSES].map(|counter| {
            let count =
                count::this(&format!("million{index}")).and_then(|command| count::slope_of(counter, &command, ROUNDS));
            count.map_or("–".to_owned(), |count| format!("{:.2}", count / f64::from(AGENTS)))
        });
        let [one, all] = times.map(|time| time / f64::from(AGENTS));
        let _ = writeln!(
            table,
            "| {name} | {bytes:.1} | {instructions} | {misses} | {one:.1} | {all:.1} | {:.1} | {:.1} |",
            bytes / one,
            bytes / all
        );
    }
    table
}
