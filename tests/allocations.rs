//! A tick of a static tree allocates nothing.

use bt_core::Rewind;
use bt_core::prelude::*;
use bt_tests::world::Events;

struct Npc {
    hunger: u32,
    now: Duration,
}

impl Clock for Npc {
    fn now(&self) -> Duration {
        self.now
    }
}

#[condition]
fn hungry(npc: &Npc, than: u32) -> bool {
    npc.hunger > than
}

#[action]
fn eat(npc: &mut Npc, #[open] bites: &mut u32) -> Status {
    *bites += 1;
    npc.hunger -= 1;
    if *bites < 3 { Status::Running } else { Status::Success }
}

#[subtree]
fn life() -> impl Node<Npc> {
    tree! {
        selector {
            mem_sequence { hungry(5), timeout(secs(3)) { eat } wait(secs(1)) }
            parallel(success = one) { cooldown(secs(2)) { wait(millis(500)) } repeat { retry(2) { hungry(20) } } }
            limit(10) { mem_parallel { |npc: &mut Npc| npc.hunger += 1, delay(millis(100)) { succeed } } }
        }
    }
}

fn allocations(run: impl FnOnce()) -> u64 {
    allocation_counter::measure(run).count_total
}

/// Ticks a thousand times, halting now and then.
fn run<N: Node<Npc>>(tree: &N, memory: &mut Memory<N>) {
    let mut npc = Npc { hunger: 12, now: secs(0) };
    for tick in 0..1000 {
        npc.now += millis(100);
        npc.hunger += u32::from(tick % 7 == 0);
        tree.tick(&mut npc, memory);
        if tick % 50 == 0 {
            tree.halt(&mut npc, memory);
        }
    }
}

#[test]
fn a_tick_of_a_static_tree_allocates_nothing() {
    let tree = life();
    let mut memory = tree.memory();
    assert_eq!(allocations(|| run(&tree, &mut memory)), 0);
    assert_eq!(allocations(|| drop(tree.memory())), 0, "a memory is a plain value");
}

#[test]
fn a_boxed_subtree_allocates_once_for_each_agent() {
    let tree = tree! { for Npc: selector { boxed(life()), succeed } };
    let mut memory = tree.memory();
    assert_eq!(allocations(|| run(&tree, &mut memory)), 1);
    assert_eq!(allocations(|| run(&tree, &mut memory)), 0);
}

#[test]
fn the_counter_counts() {
    let tree = life();
    let mut events = Events::default();
    let mut npc = Npc { hunger: 12, now: secs(0) };
    let noted = allocations(|| {
        tree.tick_with(&mut npc, &mut tree.memory(), &mut events);
    });
    assert!(noted > 0, "the observer's list grows");
}

#[test]
fn a_file_with_too_many_nested_trees_needs_little_memory() {
    let tree = |number: usize| {
        let next = format!("t{}", number + 1);
        format!(
            r#"{{ "id": "t{number}", "root": "1", "nodes": {{
                "1": {{ "name": "Sequence", "children": ["2", "3"] }}, "2": {{ "name": "{next}" }}, "3": {{ "name": "{next}" }}
            }} }}"#
        )
    };
    let trees: Vec<_> = (0..41).map(tree).collect();
    let text = format!(r#"{{ "trees": [{}] }}"#, trees.join(", "));
    let registry = bt_dynamic::Registry::<()>::new();
    let used = allocation_counter::measure(|| assert!(registry.load(&text).is_err()));
    assert!(used.bytes_max < 20 * text.len() as u64, "{} bytes for {}", used.bytes_max, text.len());
}

#[test]
fn snapshots_take_at_most_their_bound_and_storing_does_not_allocate() {
    const BOUND: usize = 100_000;
    let tree = life();
    let (mut npc, mut memory) = (Npc { hunger: 12, now: secs(0) }, tree.memory());
    let mut rewind = Rewind::new(BOUND);
    let mut run = |ticks: std::ops::Range<u64>| {
        for tick in ticks {
            rewind.store(tick, npc.now, || (memory.clone(), npc.hunger));
            npc.now += millis(100);
            npc.hunger += u32::from(tick % 7 == 0);
            tree.tick(&mut npc, &mut memory);
        }
        rewind.bytes()
    };
    let mut bytes = 0;
    let grown = allocation_counter::measure(|| bytes = run(0..5000));
    assert_eq!(grown.bytes_current, i64::try_from(bytes).unwrap());
    assert!(bytes <= BOUND && bytes > BOUND - 200, "{bytes}");
    assert_eq!(allocations(|| _ = run(5000..6000)), 0);
}

#[test]
fn weighed_snapshots_take_at_most_their_bound() {
    const BOUND: usize = 100_000;
    let mut rewind = Rewind::new(BOUND).weigh(|items: &Vec<u64>| items.capacity() * size_of::<u64>());
    let sizes = (0..3000).map(|n| if n < 1500 { n % 3 } else { 100 + n % 200 });
    let used = allocation_counter::measure(|| {
        let (mut taken, mut checked) = (0, 0);
        for (tick, size) in (0..).zip(sizes) {
            taken +=
                allocation_counter::measure(|| rewind.store(tick, secs(0), || Vec::with_capacity(size))).bytes_current;
            assert_eq!(taken, i64::try_from(rewind.bytes()).unwrap());
            assert!(rewind.bytes() <= BOUND);
            checked += 1;
        }
        assert_eq!(checked, 3000);
    });
    assert!(used.count_total > 0);
    assert!(rewind.iter().len() > 40, "{}", rewind.iter().len());
}
