//! The simulation: a world, and the memories of its enemies.

use bt_core::describe::Description;
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_examples::options::Options;
use bt_examples::watch::{Watch, numbered};

use crate::player::Autopilot;
use crate::world::{Enemy, EventKind, LogEntry, Mood, TICK, World};

/// A world with one tree, and a memory per enemy.
pub(crate) struct Simulation<N: for<'w> Node<Enemy<'w>>> {
    tree: N,
    memories: Vec<Memory<N>>,
    pub(crate) world: World,
    pub(crate) autopilot: Autopilot,
    pub(crate) watch: Watch,
}

impl<N: for<'w> Node<Enemy<'w>> + 'static> Simulation<N> {
    pub(crate) fn new(tree: N, seed: u64) -> Self {
        Self::in_world(World::new(seed), tree, seed)
    }

    pub(crate) fn in_world(world: World, tree: N, seed: u64) -> Self {
        let memories = world.students.iter().map(|_| tree.memory()).collect();
        Self { tree, memories, world, autopilot: Autopilot::new(seed), watch: Watch::default() }
    }

    /// Registers the enemies with the inspector, if the options demand it.
    pub(crate) fn watched(mut self, options: Options) -> Self {
        self.watch = Watch::new(options, ("melee enemy", &self.tree), numbered("student", self.memories.len()), TICK);
        self
    }

    pub(crate) fn description(&self) -> Description {
        self.tree.description()
    }

    /// Returns the tree and its memory size, as lines.
    pub(crate) fn drawing(&self) -> Vec<String> {
        let mut lines = self.description().lines();
        lines.push(format!("{} nodes, {} bytes per enemy", self.tree.count(), size_of::<Memory<N>>()));
        lines
    }

    /// Ticks each enemy once. Optionally records the statuses of one enemy.
    pub(crate) fn tick(&mut self, observed: Option<(usize, &mut Statuses)>) {
        self.world.step();
        let (watched, mut statuses) = observed.unzip();
        for (id, memory) in self.memories.iter_mut().enumerate() {
            if self.watch.is_held(id) {
                continue;
            }
            let student = &mut self.world.students[id];
            student.now += TICK;
            let now = student.now;
            self.watch.rewind(id, now, memory, student);
            let mut enemy = Enemy { world: &mut self.world, id };
            let statuses = statuses.as_deref_mut().filter(|_| watched == Some(id));
            self.tree.tick_with(&mut enemy, memory, &mut (statuses, self.watch.at(id, now)));
            self.watch.show(id, || &self.world.students[id]);
        }
    }

    /// Runs one tick with the simulated player. Returns the new log entries.
    pub(crate) fn tick_automatically(&mut self) -> Vec<LogEntry> {
        self.autopilot.steer(&mut self.world);
        self.tick(None);
        self.watch.pace();
        std::mem::take(&mut self.world.log)
    }

    /// Runs ticks with the simulated player. Returns a line per event.
    pub(crate) fn trace(&mut self, ticks: u32) -> Vec<String> {
        let mut lines: Vec<_> = (0..ticks).flat_map(|_| self.tick_automatically()).map(describe).collect();
        let (seconds, hits) = (self.world.now.as_secs_f32(), self.world.player.hits);
        lines.push(format!("the player was hit {hits} times in {seconds:.0} s"));
        lines
    }
}

/// Formats a log entry as a line.
pub(crate) fn describe(LogEntry { at, student, what }: LogEntry) -> String {
    let what = match what {
        EventKind::Turns { mood: Mood::Calm, distance } => format!("calms down (player at distance {distance:.0})"),
        EventKind::Turns { mood: Mood::Suspicious, distance } => {
            format!("gets suspicious (player at distance {distance:.0})")
        }
        EventKind::Turns { mood: Mood::Threatened, distance } => {
            format!("feels threatened (player at distance {distance:.0})")
        }
        EventKind::Strikes => "strikes the player".to_owned(),
        EventKind::Lifts { which } => format!("lifts box {which}"),
        EventKind::Drops { which } => format!("drops box {which}"),
        EventKind::Attaches { to } => format!("waits for a friend at meeting point {to}"),
        EventKind::Talks { to } => format!("talks to student {to}"),
        EventKind::Wanders => "wanders off".to_owned(),
    };
    format!("{:>7.2} s  student {student} {what}", at.as_secs_f32())
}
