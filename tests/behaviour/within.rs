//! Trees over a part of the context.

use bt_core::Shift;
use bt_core::prelude::*;

#[derive(Default)]
struct Weapon {
    rounds: u32,
    now: Duration,
    log: Vec<&'static str>,
}

impl Clock for Weapon {
    fn now(&self) -> Duration {
        self.now
    }
}

#[derive(Default)]
struct Soldier {
    weapon: Weapon,
    spare: Option<Weapon>,
    calm: bool,
}

#[action]
fn load(weapon: &mut Weapon, rounds: u32) {
    weapon.rounds += rounds;
}

fn empty(weapon: &Weapon) -> bool {
    weapon.rounds == 0
}

fn calm(soldier: &Soldier) -> bool {
    soldier.calm
}

#[subtree]
fn reload(rounds: u32) -> impl Node<Weapon> + Save {
    tree! { sequence { empty, mem_sequence { wait(secs(2)), load(rounds) } } }
}

#[test]
fn the_nodes_in_the_braces_are_over_the_part() {
    let tree = tree! {
        for Soldier: sequence "soldier" {
            calm,
            within(|soldier: &mut Soldier| &mut soldier.weapon) { selector "weapon" { reload(6), !empty } }
            |soldier: &mut Soldier| soldier.weapon.log.push("ready"),
        }
    };
    assert_eq!(
        tree.description().to_string(),
        "\
sequence \"soldier\"
├─ calm
├─ selector \"weapon\"
│  ├─ reload(rounds: 6)
│  │  └─ sequence
│  │     ├─ empty
│  │     └─ mem_sequence
│  │        ├─ wait(time: 2s)
│  │        └─ load(rounds: 6)
│  └─ invert
│     └─ empty
└─ |soldier: &mut Soldier| soldier.weapon.log.push(\"ready\")
"
    );
    let (mut ann, mut memory) = (Soldier { calm: true, ..Soldier::default() }, tree.memory());
    assert_eq!(tree.tick(&mut ann, &mut memory), Status::Running);
    let save = serde_json::to_string(&tree.saved(&memory)).expect("it is data");
    let mut memory = tree.memory();
    tree.load(&mut memory, &mut serde_json::Deserializer::from_str(&save)).expect("the same tree");
    ann.weapon.now = secs(2);
    assert_eq!(tree.tick(&mut ann, &mut memory), Status::Success);
    assert_eq!((ann.weapon.rounds, ann.weapon.log), (6, vec!["ready"]));
}

#[test]
fn a_halt_reaches_the_nodes_in_the_braces() {
    struct Aim;

    #[leaf]
    impl Leaf<Weapon> for Aim {
        fn open(&self, weapon: &mut Weapon) {
            weapon.log.push("aims");
        }
        fn tick(&self, (): &mut (), _: &mut Weapon) -> Status {
            Status::Running
        }
        fn close(&self, (): &mut (), weapon: &mut Weapon, end: End) {
            weapon.log.push(if matches!(end, End::Halted(_)) { "lowers" } else { "fires" });
        }
    }

    let tree = tree! { for Soldier: sequence { calm, within(|soldier: &mut Soldier| &mut soldier.weapon) { (Aim) } } };
    let (mut ann, mut memory) = (Soldier { calm: true, ..Soldier::default() }, tree.memory());
    tree.tick(&mut ann, &mut memory);
    ann.calm = false;
    tree.tick(&mut ann, &mut memory);
    assert_eq!(ann.weapon.log, ["aims", "lowers"]);
}

#[test]
fn parts_can_be_nested_and_of_any_type() {
    let tree = tree! {
        for Soldier: sequence {
            within(|soldier: &mut Soldier| soldier.spare.get_or_insert_default()) {
                within(|weapon: &mut Weapon| &mut weapon.rounds) { |rounds: &mut u32| *rounds += 1 }
            }
            within(|soldier: &mut Soldier| -> &mut dyn Clock { &mut soldier.weapon }) { wait(secs(0)) }
            within(|soldier: &mut Soldier| soldier.weapon.log.as_mut_slice()) { |log: &[&str]| log.is_empty() }
        }
    };
    let mut ann = Soldier::default();
    assert_eq!(tree.tick(&mut ann, &mut tree.memory()), Status::Success);
    assert_eq!(ann.spare.expect("it was created").rounds, 1);
}

#[test]
fn the_context_and_the_part_can_borrow() {
    struct World<'w> {
        soldiers: &'w mut [Soldier],
        here: usize,
    }

    fn weapon<'a>(world: &'a mut World<'_>) -> &'a mut Weapon {
        &mut world.soldiers[world.here].weapon
    }

    // One tree for all lifetimes: the part is a function.
    #[subtree]
    fn guard() -> impl Node<World<'_>> {
        tree! { within(weapon) { load(3) } }
    }

    let tree = guard();
    let mut soldiers = [Soldier::default(), Soldier::default()];
    for here in [1, 1, 0] {
        let mut world = World { soldiers: &mut soldiers, here };
        tree.tick(&mut world, &mut tree.memory());
    }
    assert_eq!(soldiers.map(|soldier| soldier.weapon.rounds), [3, 6]);

    let mut world = World { soldiers: &mut [], here: 0 };
    let closure =
        tree! { for World<'_>: within(|world: &mut World<'_>| &mut world.here) { |here: &mut usize| *here += 1 } };
    closure.tick(&mut world, &mut closure.memory());
    assert_eq!(world.here, 1);
}

#[test]
fn a_machine_and_its_conditions_can_be_over_a_part() {
    let tree = tree! {
        for Soldier: machine {
            state idle { run, within(|soldier: &mut Soldier| &mut soldier.weapon) { empty } -> reload }
            state reload { within(|soldier: &mut Soldier| &mut soldier.weapon) { load(6) } success -> idle }
        }
    };
    let (mut ann, mut memory) = (Soldier::default(), tree.memory());
    for _ in 0..3 {
        assert_eq!(tree.tick(&mut ann, &mut memory), Status::Running);
    }
    assert_eq!(ann.weapon.rounds, 6);
}

#[test]
fn parameters_are_captured() {
    fn supply<N: Node<Weapon>>(rounds: u32, child: N) -> impl Node<Soldier> {
        tree! { within(|soldier: &mut Soldier| &mut soldier.weapon) { sequence { load(rounds), child } } }
    }
    let tree = supply(4, tree! { for Weapon: load(1) });
    let mut ann = Soldier::default();
    assert_eq!(tree.tick(&mut ann, &mut tree.memory()), Status::Success);
    assert_eq!(ann.weapon.rounds, 5);
}

#[test]
fn a_shift_reaches_the_nodes_in_the_braces() {
    let tree = tree! { for Soldier: within(|soldier: &mut Soldier| &mut soldier.weapon) { wait(secs(2)) } };
    let (mut ann, mut memory) = (Soldier::default(), tree.memory());
    ann.weapon.now = secs(100);
    assert_eq!(tree.tick(&mut ann, &mut memory), Status::Running);
    tree.shift(&mut memory, Shift::new(secs(100), secs(0)));
    ann.weapon.now = secs(1);
    assert_eq!(tree.tick(&mut ann, &mut memory), Status::Running);
    ann.weapon.now = secs(2);
    assert_eq!(tree.tick(&mut ann, &mut memory), Status::Success);

    let tree = tree! {
        for Soldier: within(|soldier: &mut Soldier| &mut soldier.weapon) { cooldown(secs(2)) { load(1) } }
    };
    let (mut ann, mut memory) = (Soldier::default(), tree.memory());
    ann.weapon.now = secs(100);
    assert_eq!(tree.tick(&mut ann, &mut memory), Status::Success);
    tree.shift(&mut memory, Shift::new(secs(100), secs(0)));
    ann.weapon.now = secs(1);
    assert_eq!(tree.tick(&mut ann, &mut memory), Status::Failure);
    ann.weapon.now = secs(2);
    assert_eq!(tree.tick(&mut ann, &mut memory), Status::Success);
}

#[test]
fn the_function_over_a_context_that_borrows_can_be_a_closure() {
    struct World {
        now: u32,
        steps: Vec<u32>,
    }
    struct Ctx<'w> {
        world: &'w mut World,
        me: usize,
    }
    #[subtree]
    fn walk() -> impl Node<Ctx<'_>> {
        tree! {
            sequence {
                within(|ctx: &mut Ctx<'_>| &mut ctx.world.steps[ctx.me]) { |steps: &mut u32| *steps += 1 }
                within(|ctx| &mut *ctx.world) { |world: &World| world.now > 3 }
            }
        }
    }
    let tree = walk();
    let mut memory = tree.memory();
    let mut world = World { now: 3, steps: vec![0, 0] };
    for (now, expected) in [(3, Status::Failure), (4, Status::Success)] {
        world.now = now;
        let mut ctx = Ctx { world: &mut world, me: 1 };
        assert_eq!(tree.tick(&mut ctx, &mut memory), expected);
    }
    assert_eq!(world.steps, [0, 2]);
}
