//! A context whose leaves return given statuses and record events.

use std::cell::RefCell;
use std::time::Duration;

use bt_core::prelude::*;
use bt_core::rand_core::SeedableRng;
use rand_pcg::Pcg32;

/// What a leaf or an observer saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the variants are the lifecycle")]
pub enum Event {
    Enter(u32),
    Open(u32),
    Tick(u32, Status),
    Close(u32, End),
    Exit(u32, Status),
    State(u32, usize),
}

/// The context: the statuses that the leaves return, the recorded events, and the time.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The statuses that the leaves return, one for each tick of a leaf; after the last, the first again.
    pub told: Vec<Status>,
    /// What was told so far and what the leaves saw, by their own numbers.
    pub seen: RefCell<Vec<Event>>,
    /// How many leaves were ticked.
    pub ticked: RefCell<usize>,
    /// The time.
    pub now: Duration,
    /// Chance.
    pub chance: Chance,
    /// How many events there were.
    pub events: u64,
}

/// A generator that starts from the same seed everywhere.
#[derive(Clone, Debug)]
pub struct Chance(pub Pcg32);

impl Default for Chance {
    fn default() -> Self {
        Self(Pcg32::seed_from_u64(7))
    }
}

impl Random for World {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        &mut self.chance.0
    }
}

/// An error of a leaf, which the world sees as an [`Event::Exit`] of the leaf's id.
#[derive(Clone, Copy, Debug)]
pub struct Fault;

impl OnError<Fault> for World {
    fn on_error(&mut self, at: NodeId, Fault: Fault) {
        self.see(Event::Exit(index(at), Status::Error));
    }
}

impl World {
    /// A world in which the leaves return these statuses.
    pub fn telling(told: &[Status]) -> Self {
        Self { told: told.to_vec(), ..Self::default() }
    }

    /// Writes down what a leaf sees.
    pub fn see(&self, event: Event) {
        self.seen.borrow_mut().push(event);
    }

    /// What was seen since the last time.
    pub fn take_seen(&self) -> Vec<Event> {
        self.seen.take()
    }

    /// The leaves that were ticked since the last time.
    pub fn take_ticked(&self) -> Vec<u32> {
        let ticked = |event| match event {
            Event::Tick(number, _) => Some(number),
            _ => None,
        };
        self.take_seen().into_iter().filter_map(ticked).collect()
    }

    /// Tells a leaf its next status.
    pub fn tell(&self) -> Status {
        let mut ticked = self.ticked.borrow_mut();
        let status = self.told.get(*ticked % self.told.len().max(1)).copied().unwrap_or(Status::Success);
        *ticked += 1;
        status
    }

    /// A score that changes as leaves are ticked, and now and then is no number.
    pub fn score(&self, number: u32) -> f32 {
        match (number as usize + *self.ticked.borrow()) % 5 {
            4 => f32::NAN,
            step => [0.0, 0.5, 1.0, 1.5][step],
        }
    }

    /// A number from 0 to 3 that changes as leaves are ticked.
    pub fn pick(&self, number: u32) -> usize {
        (number as usize + *self.ticked.borrow()) % 4
    }

    /// A number of times, from 0 to 3, that changes as leaves are ticked.
    pub fn times(&self, number: u32) -> u32 {
        u32::try_from(self.pick(number)).unwrap_or(0)
    }

    /// A time that changes as leaves are ticked: once, twice or three times as long.
    pub fn span(&self, millis: u64) -> Duration {
        Duration::from_millis(millis * (1 + *self.ticked.borrow() as u64 % 3))
    }

    /// A probability that changes as leaves are ticked.
    pub fn share(&self, number: u32) -> f64 {
        f64::from(self.times(number)) / 3.0
    }

    /// Tells a condition whether it holds: whatever is no success is a failure.
    pub fn tell_condition(&self) -> Status {
        Status::from(self.tell() == Status::Success)
    }
}

impl Clock for World {
    fn now(&self) -> Duration {
        self.now
    }
}

/// A leaf with the full lifecycle.
#[derive(Clone, Copy, Debug)]
pub struct Told(pub u32);

#[leaf]
impl Leaf<World> for Told {
    type Open = u32;

    fn enter(&self, world: &mut World) {
        world.see(Event::Enter(self.0));
    }

    fn open(&self, world: &mut World) -> u32 {
        world.see(Event::Open(self.0));
        self.0
    }

    fn tick(&self, open: &mut u32, world: &mut World) -> Status {
        assert_eq!(*open, self.0, "a leaf gets what it has opened");
        let status = world.tell();
        world.see(Event::Tick(self.0, status));
        status
    }

    fn close(&self, open: &mut u32, world: &mut World, end: End) {
        assert_eq!(*open, self.0, "a leaf gets what it has opened");
        world.see(Event::Close(self.0, end));
    }

    fn exit(&self, world: &mut World, status: Status) {
        world.see(Event::Exit(self.0, status));
    }
}

/// A leaf with the full lifecycle, by its number.
pub const fn told(number: u32) -> Told {
    Told(number)
}

/// A number that a tree's type does not know. (Written as a literal, it is an error.)
pub const ZERO: u32 = 0;

/// A plain action.
#[action]
pub fn act(world: &mut World, number: u32) -> Status {
    let status = world.tell();
    world.see(Event::Tick(number, status));
    status
}

/// A condition.
#[condition]
pub fn check(world: &World, number: u32) -> bool {
    let status = world.tell_condition();
    world.see(Event::Tick(number, status));
    status == Status::Success
}

/// A score: see [`World::score`].
pub fn score(number: u32) -> impl Fn(&World) -> f32 + Copy + Send + Sync + 'static {
    move |world| world.score(number)
}

/// A number from 0 to 3: see [`World::pick`].
pub fn pick(number: u32) -> impl Fn(&World) -> usize + Copy + Send + Sync + 'static {
    move |world| world.pick(number)
}

/// A number of times: see [`World::times`].
pub fn times(number: u32) -> impl Fn(&World) -> u32 + Copy + Send + Sync + 'static {
    move |world| world.times(number)
}

/// A time: see [`World::span`].
pub fn span(millis: u64) -> impl Fn(&World) -> Duration + Copy + Send + Sync + 'static {
    move |world| world.span(millis)
}

/// A probability: see [`World::share`].
pub fn share(number: u32) -> impl Fn(&World) -> f64 + Copy + Send + Sync + 'static {
    move |world| world.share(number)
}

/// What is done on entering a state.
#[action]
pub fn entered(world: &mut World, number: u32) {
    world.see(Event::Open(number));
}

/// How what is done on leaving a state is written down.
pub const LEFT: End = End::Halted(Cause::Preempted);

/// What is done on leaving a state.
#[action]
pub fn left(world: &mut World, number: u32) {
    world.see(Event::Close(number, LEFT));
}

/// An observer that writes down everything.
#[derive(Clone, Debug, Default)]
pub struct Events(pub Vec<Event>);

fn index(at: NodeId) -> u32 {
    u32::try_from(at.index()).expect("ids are 32 bits")
}

impl Observer for Events {
    fn enter(&mut self, at: NodeId) {
        self.0.push(Event::Enter(index(at)));
    }

    fn open(&mut self, at: NodeId) {
        self.0.push(Event::Open(index(at)));
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        self.0.push(Event::Tick(index(at), status));
    }

    fn close(&mut self, at: NodeId, end: End) {
        self.0.push(Event::Close(index(at), end));
    }

    fn state(&mut self, at: NodeId, state: usize) {
        self.0.push(Event::State(index(at), state));
    }

    fn exit(&mut self, at: NodeId, status: Status) {
        self.0.push(Event::Exit(index(at), status));
    }
}
