//! A leaf may panic at any call. Whoever catches that has a memory that can be used: nothing is running in it, no leaf is closed twice, none is ticked
//! while it is closed.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use bt_core::Never;
use bt_core::decorator::{AfterChild, Decorated, Gate, decorate};
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use bt_dynamic::{NoProperties, Registry};
use rand_pcg::Pcg32;

/// A context that panics at one of its calls.
#[derive(Clone)]
struct Fuse {
    /// How many calls there were.
    calls: usize,
    /// At which it panics.
    panics_at: Option<usize>,
    /// Which leaves are open.
    open: [bool; 16],
    now: Duration,
    chance: Pcg32,
}

impl Fuse {
    fn new(panics_at: Option<usize>) -> Self {
        Self { calls: 0, panics_at, open: [false; 16], now: secs(0), chance: Pcg32::seed_from_u64(3) }
    }

    /// A call of the user's code, which may panic. (Without the message that a panic prints.)
    fn call(&mut self) {
        self.calls += 1;
        if self.panics_at == Some(self.calls - 1) {
            resume_unwind(Box::new("planned"));
        }
    }

    /// What a leaf is told by its number and the time: mostly that it goes on.
    fn told(&self, leaf: usize) -> Status {
        match (self.now.as_secs() + 3 * leaf as u64) % 5 {
            0 => Status::Success,
            1 => Status::Failure,
            _ => Status::Running,
        }
    }
}

impl Clock for Fuse {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for Fuse {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        self.call();
        &mut self.chance
    }
}

/// A leaf that checks its own lifecycle.
#[derive(Clone, Copy)]
struct Checked(usize);

#[leaf]
impl Leaf<Fuse> for Checked {
    type Open = u8;

    fn enter(&self, fuse: &mut Fuse) {
        fuse.call();
    }

    fn open(&self, fuse: &mut Fuse) -> u8 {
        fuse.call();
        fuse.open[self.0] = true;
        7
    }

    fn tick(&self, open: &mut u8, fuse: &mut Fuse) -> Status {
        assert!(*open == 7 && fuse.open[self.0], "leaf {} is ticked while it is closed", self.0);
        fuse.call();
        fuse.told(self.0)
    }

    fn close(&self, open: &mut u8, fuse: &mut Fuse, _: End) {
        assert!(*open == 7 && fuse.open[self.0], "leaf {} is closed twice", self.0);
        fuse.open[self.0] = false;
        fuse.call();
    }

    fn exit(&self, fuse: &mut Fuse, _: Status) {
        fuse.call();
    }
}

fn leaf(number: usize) -> Checked {
    Checked(number)
}

#[action]
fn act(fuse: &mut Fuse) -> bool {
    fuse.call();
    fuse.now.as_secs().is_multiple_of(2)
}

/// A decorator whose every call may panic, and which checks that it is open.
struct Guarded(usize);

#[decorator]
impl Decorator<Fuse> for Guarded {
    type Open = u8;
    type Kept = u8;

    fn open(&self, open: &mut u8, _: &mut u8, fuse: &mut Fuse) -> Gate<Never> {
        fuse.call();
        *open = 9;
        fuse.open[self.0] = true;
        Gate::Go
    }

    fn resume(&self, open: &mut u8, _: &mut u8, fuse: &mut Fuse) -> Gate<Never> {
        assert!(*open == 9 && fuse.open[self.0], "a decorator is resumed while it is closed");
        fuse.call();
        Gate::Go
    }

    fn end(&self, outcome: Outcome, open: &mut u8, _: &mut u8, fuse: &mut Fuse) -> AfterChild<Never> {
        assert!(*open == 9 && fuse.open[self.0], "a decorator is asked while it is closed");
        fuse.call();
        AfterChild::End(outcome)
    }

    fn close(&self, open: &mut u8, _: &mut u8, fuse: &mut Fuse, _: End) {
        assert!(*open == 9 && fuse.open[self.0], "a decorator is closed twice");
        fuse.open[self.0] = false;
        fuse.call();
    }
}

fn guarded<N>(number: usize, child: N) -> Decorated<Guarded, N> {
    decorate(Guarded(number), child)
}

/// Ticks a tree, now and then halts it, and panics once at each call that there is.
fn panicking_everywhere<N: Node<Fuse>>(tree: &N) -> usize {
    let run = |fuse: &mut Fuse, memory: &mut Memory<N>, from: u64| {
        for second in from..from + 14 {
            fuse.now = secs(second);
            if second % 9 == 8 {
                tree.halt(fuse, memory);
            } else {
                tree.tick(fuse, memory);
            }
        }
    };
    let mut whole = Fuse::new(None);
    run(&mut whole, &mut tree.memory(), 0);
    assert!(whole.calls > 20, "there is little to panic at: {}", whole.calls);
    for panics_at in 0..whole.calls {
        let (mut fuse, mut memory) = (Fuse::new(Some(panics_at)), tree.memory());
        let caught = catch_unwind(AssertUnwindSafe(|| run(&mut fuse, &mut memory, 0)));
        assert!(caught.is_err(), "it panics at call {panics_at}");
        assert!(!memory.is_running(), "nothing is running after a panic");
        // So nothing may be ticked or closed before it is opened again.
        fuse.open = [false; 16];
        let mut copy = memory.clone();
        for memory in [&mut memory, &mut copy] {
            let mut fuse = fuse.clone();
            let from = fuse.now.as_secs();
            run(&mut fuse, memory, from);
            tree.halt(&mut fuse, memory);
            assert!(!memory.is_running());
        }
    }
    whole.calls
}

macro_rules! shapes {
    ($($name:ident: $tree:expr;)+) => {$(
        #[test]
        fn $name() {
            panicking_everywhere(&$tree);
        }
    )+};
}

shapes! {
    memory_sequence: tree! { for Fuse: mem_sequence { leaf(0), leaf(1), leaf(2) } };
    memory_selector: tree! { for Fuse: mem_selector { leaf(0), mem_sequence { leaf(1), leaf(2) } leaf(3) } };
    reactive_selector: tree! { for Fuse: selector { sequence { act, leaf(0) } leaf(1), leaf(2) } };
    reactive_sequence: tree! { for Fuse: sequence { selector { leaf(0), act } leaf(1), selector { act, leaf(2) } } };
    parallel: tree! {
        for Fuse: parallel(success = 2, failure = 2) { leaf(0), mem_sequence { leaf(1), leaf(2) } leaf(3) }
    };
    memory_parallel: tree! { for Fuse: mem_parallel(success = 2, failure = 2) { leaf(0), leaf(1), leaf(2) } };
    random: tree! { for Fuse: random_selector { leaf(0), 2 => leaf(1), leaf(2) } };
    timed: tree! {
        for Fuse: timeout(secs(2)) { mem_sequence { delay(secs(1)) { leaf(0) } cooldown(secs(2)) { leaf(1) } } }
    };
    loops: tree! { for Fuse: mem_sequence { retry(3) { leaf(0) } repeat(2) { leaf(1) } until_success { leaf(2) } } };
    own_decorator: tree! { for Fuse: mem_sequence { guarded(8) { leaf(0) } guarded(9) { guarded(10) { leaf(1) } } } };
    service: tree! { for Fuse: service(secs(1), act) { mem_sequence { leaf(0), leaf(1) } } };
    machine: tree! {
        for Fuse: machine {
            state a { leaf(0), act -> b, enter: act, exit: act }
            state b { mem_sequence { leaf(1), leaf(2) } success -> c, enter: act, exit: act }
            state c { leaf(3), failure -> success }
            any { sequence { !act, act } -> a }
        }
    };
    boxed_among_others: tree! {
        for Fuse: parallel(success = 3) {
            boxed(tree! { for Fuse: mem_sequence { leaf(0), leaf(1) } }),
            leaf(2),
            boxed(tree! { for Fuse: guarded(8) { boxed(tree! { for Fuse: leaf(3) }) } }),
        }
    };
    more_than_a_tuple_holds: tree! {
        for Fuse: mem_selector {
            leaf(0),
            leaf(1),
            leaf(2),
            leaf(3),
            leaf(4),
            leaf(5),
            leaf(6),
            leaf(7),
            leaf(8),
            leaf(9),
            leaf(10),
        }
    };
    subtree: {
        #[subtree]
        fn inner() -> impl Node<Fuse> {
            tree! { mem_sequence { leaf(0), leaf(1) } }
        }
        tree! { for Fuse: selector { act, inner } }
    };
}

#[test]
fn loaded_trees() {
    let mut registry = Registry::<Fuse>::new().with_clock().with_random();
    for number in 0..6 {
        registry.add_with(&format!("leaf{number}"), move |_: NoProperties| Checked(number));
    }
    registry.add::<act>("act").add_decorator("guarded", |_: NoProperties| Guarded(8));
    registry.add_with("subtree", |_: NoProperties| tree! { for Fuse: mem_sequence { leaf(11), leaf(12) } });
    let node = |name: &str, children: &[&str]| serde_json::json!({ "name": name, "children": children });
    let state = |name: &str, transitions: &[&str], child: &str| serde_json::json!({ "name": "state", "properties": { "name": name, "transitions": transitions }, "children": [child] });
    let file = serde_json::json!({ "root": "root", "nodes": {
        "root": node("parallel", &["1", "2", "m"]),
        "1": node("MemSequence", &["l0", "g", "l1"]), "l0": node("leaf0", &[]), "l1": node("leaf1", &[]),
        "g": node("guarded", &["l2"]), "l2": node("leaf2", &[]),
        "2": { "name": "service", "properties": { "every": 1000, "action": "act" }, "child": "sub" }, "sub": node("subtree", &[]),
        "m": node("machine", &["a", "b"]),
        "a": state("a", &["act -> b"], "l3"), "b": state("b", &["!act -> a"], "l4"),
        "l3": node("leaf3", &[]), "l4": node("leaf4", &[]),
    } });
    let tree = registry.load(&file.to_string()).unwrap_or_else(|error| panic!("{error}"));
    panicking_everywhere(&tree);
    let above = tree! { for Fuse: mem_sequence { leaf(13), tree, leaf(14) } };
    panicking_everywhere(&above);
}

#[test]
fn the_shield_of_the_readme_is_closed_once() {
    #[derive(Clone)]
    struct Npc {
        hp: i32,
        panics: bool,
    }
    struct Shield;
    #[leaf]
    impl Leaf<Npc> for Shield {
        fn open(&self, npc: &mut Npc) {
            npc.hp += 100;
        }
        fn tick(&self, (): &mut (), npc: &mut Npc) -> Status {
            Status::from(!npc.panics)
        }
        fn close(&self, (): &mut (), npc: &mut Npc, _: End) {
            npc.hp -= 100;
        }
    }
    fn flaky(npc: &mut Npc) -> Status {
        if npc.panics {
            resume_unwind(Box::new("planned"));
        }
        Status::Running
    }
    let tree = tree! { for Npc: parallel { wait_until { (Shield) } flaky } };
    let (mut npc, mut memory) = (Npc { hp: 0, panics: true }, tree.memory());
    assert!(catch_unwind(AssertUnwindSafe(|| tree.tick(&mut npc, &mut memory))).is_err());
    npc.panics = false;
    tree.tick(&mut npc, &mut memory);
    tree.halt(&mut npc, &mut memory);
    assert_eq!(npc.hp, 0);
}

#[test]
fn a_state_that_is_forced_may_panic() {
    fn machine() -> impl StateMachine<Fuse> {
        tree! {
            machine {
                state a { leaf(0), enter: act, exit: act, act -> b }
                state b { leaf(1), enter: act, exit: act, act -> a }
            }
        }
    }
    let machine = machine();
    for panics_at in 0..9 {
        let (mut fuse, mut memory) = (Fuse::new(Some(panics_at)), machine.memory());
        let caught = catch_unwind(AssertUnwindSafe(|| {
            machine.to("a", &mut fuse, &mut memory).expect("there is such a state");
            machine.tick(&mut fuse, &mut memory);
            machine.to("b", &mut fuse, &mut memory).expect("there is such a state");
            machine.tick(&mut fuse, &mut memory);
        }));
        assert!(caught.is_err() && !memory.is_running(), "{panics_at}");
        machine.to("b", &mut fuse, &mut memory).expect("there is such a state");
        machine.tick(&mut fuse, &mut memory);
        machine.halt(&mut fuse, &mut memory);
    }
}

#[test]
fn the_other_agents_of_a_herd_are_not_concerned() {
    for parallel in [false, true] {
        let mut herd = Herd::new(tree! { for Fuse: mem_sequence { leaf(2), leaf(4) } });
        herd.grow(64);
        let mut fuses = vec![Fuse::new(None); 64];
        fuses[20].panics_at = Some(2);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            if parallel { herd.par_tick_all(&mut fuses) } else { herd.tick_all(&mut fuses) }
        }));
        assert!(caught.is_err());
        for second in 1..9 {
            for fuse in &mut fuses {
                fuse.now = secs(second);
            }
            herd.tick_all(&mut fuses);
        }
        let members: Vec<_> = herd.ids().collect();
        for member in members {
            assert!(herd.remove(member, &mut fuses[member.index()]));
        }
        assert!(fuses.iter().enumerate().all(|(agent, fuse)| agent == 20 || fuse.open == [false; 16]));
    }
}

#[test]
fn an_observer_sees_that_what_was_running_is_not_any_more() {
    let tree = tree! { for Fuse: parallel { leaf(1), leaf(4), act } };
    let (mut fuse, mut memory) = (Fuse::new(None), tree.memory());
    let mut statuses = Statuses::default();
    tree.tick_with(&mut fuse, &mut memory, &mut statuses);
    assert!(statuses.is_running(NodeId::new(2)));
    fuse.panics_at = Some(fuse.calls);
    assert!(catch_unwind(AssertUnwindSafe(|| tree.tick_with(&mut fuse, &mut memory, &mut statuses))).is_err());
    // This time the tick ends before that leaf.
    fuse.panics_at = Some(fuse.calls + 3);
    assert!(catch_unwind(AssertUnwindSafe(|| tree.tick_with(&mut fuse, &mut memory, &mut statuses))).is_err());
    assert!(!statuses.is_running(NodeId::new(2)));
}
