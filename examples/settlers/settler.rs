//! The settlers, their leaves and their town.

use bt_core::prelude::*;
use bt_dynamic::Registry;
use serde::Serialize;

/// The duration of a tick.
pub(crate) const TICK: Duration = millis(100);
const NAMES: [&str; 4] = ["Ada", "Bo", "Cy", "Di"];

/// A settler: the context of the tree.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Settler {
    pub(crate) name: &'static str,
    pub(crate) position: i32,
    pub(crate) hunger: u32,
    pub(crate) carried: u32,
    /// The wood brought home but not yet counted.
    pub(crate) delivered: u32,
    pub(crate) activity: &'static str,
    #[serde(skip)]
    pub(crate) now: Duration,
}

impl Clock for Settler {
    fn now(&self) -> Duration {
        self.now
    }
}

#[condition]
pub(crate) fn hungry(settler: &Settler, more_than: u32) -> bool {
    settler.hunger > more_than
}

#[action]
pub(crate) fn eat(settler: &mut Settler, bite: u32) -> Status {
    settler.activity = "eats";
    settler.hunger = settler.hunger.saturating_sub(bite);
    if settler.hunger == 0 { Status::Success } else { Status::Running }
}

#[action]
pub(crate) fn walk_to(settler: &mut Settler, place: i32) -> Status {
    settler.activity = "walks";
    settler.position += (place - settler.position).signum();
    if settler.position == place { Status::Success } else { Status::Running }
}

#[action]
pub(crate) fn chop(settler: &mut Settler, wood: u32) -> Status {
    settler.activity = "chops";
    settler.carried += 1;
    if settler.carried >= wood { Status::Success } else { Status::Running }
}

#[action]
pub(crate) fn carry_home(settler: &mut Settler) -> Status {
    settler.activity = "carries wood home";
    settler.position += (0 - settler.position).signum();
    if settler.position != 0 {
        return Status::Running;
    }
    settler.delivered += std::mem::take(&mut settler.carried);
    settler.activity = "rests";
    Status::Success
}

#[action]
pub(crate) fn nap(settler: &mut Settler) -> Status {
    settler.activity = "naps";
    Status::Running
}

/// Returns the registry with the leaves that the file can use.
pub(crate) fn registry() -> Registry<Settler> {
    let mut registry = Registry::new().with_clock();
    registry.add::<hungry>("Hungry").add::<eat>("Eat").add::<walk_to>("WalkTo");
    registry.add::<chop>("Chop").add::<carry_home>("CarryHome").add::<nap>("Nap");
    registry
}

/// The settlers and their memories.
pub(crate) struct Town<N: Tree> {
    settlers: Vec<(Settler, Memory<N>)>,
    ticks: u32,
    pub(crate) wood: u32,
}

impl<N: Tree> Town<N> {
    pub(crate) fn new(tree: &N, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut settler = |name| {
            let hunger = random.u32(0..60);
            let new =
                Settler { name, position: 0, hunger, carried: 0, delivered: 0, activity: "", now: Duration::ZERO };
            (new, tree.memory())
        };
        Self { settlers: NAMES.into_iter().map(&mut settler).collect(), ticks: 0, wood: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.settlers.len()
    }

    pub(crate) fn settlers(&self) -> impl Iterator<Item = &Settler> {
        self.settlers.iter().map(|(settler, _)| settler)
    }

    /// Ticks each settler once. Returns a line per settler whose activity changes, and a summary every 10 s.
    pub(crate) fn tick(&mut self, mut tick_agent: impl FnMut(usize, &mut Settler, &mut Memory<N>)) -> Vec<String> {
        self.ticks += 1;
        let now = TICK * self.ticks;
        let mut lines = Vec::new();
        for (index, (settler, memory)) in self.settlers.iter_mut().enumerate() {
            let before = settler.activity;
            settler.now = now;
            settler.hunger += 1;
            tick_agent(index, settler, memory);
            self.wood += std::mem::take(&mut settler.delivered);
            if settler.activity != before {
                lines.push(format!("{:>6.1} s  {} {}", now.as_secs_f32(), settler.name, settler.activity));
            }
        }
        if self.ticks.is_multiple_of(100) {
            lines.push(self.line());
        }
        lines
    }

    pub(crate) fn line(&self) -> String {
        format!("{:>6.1} s  {} logs in store", (TICK * self.ticks).as_secs_f32(), self.wood)
    }
}
