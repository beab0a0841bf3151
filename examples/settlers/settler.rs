//! Settlers, their leaves, and the town they build.

use bt_core::prelude::*;
use bt_dynamic::Registry;
use serde::Serialize;

/// How long a tick is.
pub(crate) const TICK: Duration = millis(100);
const NAMES: [&str; 4] = ["Ada", "Bo", "Cy", "Di"];

/// One settler: the context of the tree.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Settler {
    pub(crate) name: &'static str,
    pub(crate) place: i32,
    pub(crate) hunger: u32,
    pub(crate) carries: u32,
    /// Wood that was brought home and not yet counted.
    pub(crate) brought: u32,
    pub(crate) does: &'static str,
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
    settler.does = "eats";
    settler.hunger = settler.hunger.saturating_sub(bite);
    if settler.hunger == 0 { Status::Success } else { Status::Running }
}

#[action]
pub(crate) fn walk_to(settler: &mut Settler, place: i32) -> Status {
    settler.does = "walks";
    settler.place += (place - settler.place).signum();
    if settler.place == place { Status::Success } else { Status::Running }
}

#[action]
pub(crate) fn chop(settler: &mut Settler, wood: u32) -> Status {
    settler.does = "chops";
    settler.carries += 1;
    if settler.carries >= wood { Status::Success } else { Status::Running }
}

#[action]
pub(crate) fn carry_home(settler: &mut Settler) -> Status {
    settler.does = "carries wood home";
    settler.place += (0 - settler.place).signum();
    if settler.place != 0 {
        return Status::Running;
    }
    settler.brought += std::mem::take(&mut settler.carries);
    Status::Success
}

#[action]
pub(crate) fn nap(settler: &mut Settler) -> Status {
    settler.does = "naps";
    Status::Running
}

/// The names that the file may use.
pub(crate) fn registry() -> Registry<Settler> {
    let mut registry = Registry::new().with_clock();
    registry.add::<hungry>("Hungry").add::<eat>("Eat").add::<walk_to>("WalkTo");
    registry.add::<chop>("Chop").add::<carry_home>("CarryHome").add::<nap>("Nap");
    registry
}

/// All settlers, and what each remembers of the tree.
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
            let new = Settler { name, place: 0, hunger, carries: 0, brought: 0, does: "", now: Duration::ZERO };
            (new, tree.memory())
        };
        Self { settlers: NAMES.into_iter().map(&mut settler).collect(), ticks: 0, wood: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.settlers.len()
    }

    pub(crate) fn each(&mut self, mut act: impl FnMut(&mut Settler, &mut Memory<N>)) {
        self.settlers.iter_mut().for_each(|(settler, memory)| act(settler, memory));
    }

    /// Time passes, and everybody thinks once. Returns a line for whoever does something else than before, and one every ten seconds.
    pub(crate) fn tick(&mut self, mut think: impl FnMut(usize, &mut Settler, &mut Memory<N>) -> Status) -> Vec<String> {
        self.ticks += 1;
        let now = TICK * self.ticks;
        let mut lines = Vec::new();
        for (index, (settler, memory)) in self.settlers.iter_mut().enumerate() {
            let before = settler.does;
            settler.now = now;
            settler.hunger += 1;
            think(index, settler, memory);
            self.wood += std::mem::take(&mut settler.brought);
            if settler.does != before {
                lines.push(format!("{:>6.1} s  {} {}", now.as_secs_f32(), settler.name, settler.does));
            }
        }
        if self.ticks.is_multiple_of(100) {
            lines.push(self.line());
        }
        lines
    }

    pub(crate) fn line(&self) -> String {
        format!("{:>6.1} s  {} logs in the store", (TICK * self.ticks).as_secs_f32(), self.wood)
    }
}
