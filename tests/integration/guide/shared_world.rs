use bt_core::prelude::*;
use bt_core::{ContextFamily, ContextOf, Contexts};

/// What the villagers share.
#[derive(Default)]
struct World { now: Duration, wolf: Option<i32>, apples: u32, bodies: Vec<Body> }

/// What each villager has.
#[derive(Default)]
struct Body { at: i32, bag: Bag }

#[derive(Default)]
struct Bag { apples: u32, eaten: u32 }

/// The context: one villager in the world, for one tick.
struct Ctx<'w> { world: &'w mut World, me: usize }

impl Ctx<'_> {
    fn body(&mut self) -> &mut Body { &mut self.world.bodies[self.me] }
}

impl Clock for Ctx<'_> {
    fn now(&self) -> Duration { self.world.now }
}

// A subtree over a part of the context: every bag.
fn has_apple(bag: &Bag) -> bool { bag.apples > 0 }

fn eat(bag: &mut Bag) {
    bag.apples -= 1;
    bag.eaten += 1;
}

#[subtree]
fn snack() -> impl Node<Bag> + Save {
    tree! { sequence { has_apple, eat } }
}

fn bag<'a>(ctx: &'a mut Ctx<'_>) -> &'a mut Bag { &mut ctx.body().bag }

// A generic subtree: for every context that can be in danger.
trait Threatened {
    fn danger(&self) -> Option<i32>;         // how far away, and on which side
    fn step(&mut self, by: i32);
}

#[condition]
fn danger_within<C: Threatened>(ctx: &C, distance: i32) -> bool {
    ctx.danger().is_some_and(|danger| danger.abs() < distance)
}

#[action]
fn run_away<C: Threatened>(ctx: &mut C, speed: i32) -> Status {
    ctx.step(if ctx.danger().is_some_and(|danger| danger > 0) { -speed } else { speed });
    Status::Running
}

#[subtree]
fn flee<F: Contexts>(distance: i32) -> impl Node<ContextOf<'_, '_, F>> + Save
where
    for<'a, 'b> ContextOf<'a, 'b, F>: Threatened + Sized,
{
    tree! { sequence { danger_within(distance), run_away(2) } }
}

// The tree of a villager.
impl<'a> ContextFamily<'a, '_> for Ctx<'_> { type Context = Ctx<'a>; }

impl Threatened for Ctx<'_> {
    fn danger(&self) -> Option<i32> { Some(self.world.wolf? - self.world.bodies[self.me].at) }
    fn step(&mut self, by: i32) { self.body().at += by }
}

fn apples_left(ctx: &Ctx<'_>) -> bool { ctx.world.apples > 0 }

fn pick(ctx: &mut Ctx<'_>) {
    ctx.world.apples -= 1;
    ctx.body().bag.apples += 1;
}

#[subtree]
fn villager() -> impl Node<Ctx<'_>> + Save {
    tree! {
        selector {
            flee::<Ctx<'_>>(5),
            mem_sequence { apples_left, pick, wait(secs(2)) }
            within(bag) { snack }
        }
    }
}
