//! The simulation: a flock on one state machine.

use bt_core::prelude::*;
use bt_examples::options::Options;
use bt_examples::watch::{Watch, numbered};
use glam::{Vec2, vec2};

use crate::flock::{Body, DT, MEADOW, Sheep, Sight};

/// The states of the machine, in order.
pub(crate) const STATES: [&str; 4] = ["idle", "obey", "stopping", "fear"];

/// A meadow with one machine, and a memory per sheep.
pub(crate) struct Simulation<N: for<'f> StateMachine<Sheep<'f>>> {
    pub(crate) herd: Herd<N>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) sight: Sight,
    pub(crate) ticks: u32,
    /// The simulated dog.
    dog: Dog,
    random: fastrand::Rng,
    pub(crate) watch: Watch,
}

/// The simulated dog, which alternates between resting and driving the flock.
#[derive(Clone, Copy, Debug)]
struct Dog {
    position: Vec2,
}

impl<N: for<'f> StateMachine<Sheep<'f>>> Simulation<N> {
    pub(crate) fn new(machine: N, sheep: usize, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut herd = Herd::new(machine);
        herd.grow(sheep);
        let new_body = |random: &mut fastrand::Rng| {
            let position = MEADOW * vec2(0.3 + 0.4 * random.f32(), 0.2 + 0.6 * random.f32());
            Body { position, velocity: Vec2::ZERO }
        };
        let bodies: Vec<Body> = (0..sheep).map(|_| new_body(&mut random)).collect();
        let sight = Sight { sheep: bodies.clone(), dog: None, wolf: None };
        Self { herd, bodies, sight, ticks: 0, dog: Dog { position: Vec2::ZERO }, random, watch: Watch::default() }
    }

    /// Registers the sheep with the inspector, if the options demand it.
    pub(crate) fn watched(mut self, options: Options) -> Self {
        let (machine, sheep) = (self.herd.tree(), self.herd.len());
        self.watch = Watch::new(options, ("sheep", machine), numbered("sheep", sheep), Duration::from_secs_f32(DT));
        self
    }

    /// Ticks each sheep once. All sheep see the flock as it was before the tick.
    pub(crate) fn tick(&mut self) {
        self.ticks += 1;
        let now = Duration::from_secs_f32(self.seconds());
        let (bodies, sight, watch) = (&mut self.bodies, &self.sight, &mut self.watch);
        self.herd.for_each(|member, machine, memory| {
            let me = member.index();
            if watch.is_held(me) {
                return;
            }
            machine.tick_with(&mut Sheep { body: &mut bodies[me], me, sight }, memory, &mut watch.at(me, now));
            watch.show(me, || bodies[me]);
        });
        self.sight.sheep.clone_from(&self.bodies);
    }

    /// Moves the dog and the wolf by the clock. Per 2 minutes, the dog works twice, and the wolf appears once for 12 s.
    pub(crate) fn move_dog_and_wolf(&mut self) {
        let second = self.seconds() % 120.0;
        let dog_works = (10.0..35.0).contains(&second) || (70.0..90.0).contains(&second);
        self.sight.dog = dog_works.then(|| {
            let behind = self.middle() + Vec2::from_angle(second * 0.15) * 45.0;
            self.dog.position += (behind - self.dog.position).clamp_length_max(60.0 * DT);
            self.dog.position
        });
        self.sight.wolf = match self.sight.wolf {
            Some(wolf) if (45.0..57.0).contains(&second) => {
                Some(wolf + (self.middle() - wolf).clamp_length_max(30.0 * DT))
            }
            Some(_) => None,
            None if (45.0..45.1).contains(&second) => Some(vec2(self.random.f32() * MEADOW.x, 0.0)),
            None => None,
        };
    }

    pub(crate) fn seconds(&self) -> f32 {
        f32::from(u16::try_from(self.ticks).unwrap_or(u16::MAX)) * DT
    }

    pub(crate) fn middle(&self) -> Vec2 {
        let count = f32::from(u16::try_from(self.bodies.len().max(1)).unwrap_or(u16::MAX));
        self.bodies.iter().map(|body| body.position).sum::<Vec2>() / count
    }

    /// Returns the state of each sheep.
    pub(crate) fn states(&self) -> impl Iterator<Item = Option<usize>> {
        let machine = self.herd.tree();
        self.herd.ids().map(|member| {
            let memory = self.herd.memory(member)?;
            index(machine, memory)
        })
    }

    /// Returns the number of sheep per state.
    pub(crate) fn counts(&self) -> [usize; STATES.len()] {
        let mut counts = [0; STATES.len()];
        for state in self.states().flatten() {
            counts[state] += 1;
        }
        counts
    }

    /// Returns the machine as a tree, as a state diagram, and its memory size, as lines.
    pub(crate) fn drawing(&self) -> Vec<String> {
        let description = self.herd.tree().description();
        let mut lines = description.lines();
        lines.extend(description.state_diagram().lines().map(str::to_owned));
        lines.push(format!("{} byte of memory per sheep, {} sheep", size_of::<Memory<N>>(), self.herd.len()));
        lines
    }

    /// Runs ticks. Returns a line every 2 s.
    pub(crate) fn trace(&mut self, ticks: u32) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..ticks {
            self.move_dog_and_wolf();
            self.tick();
            self.watch.pace();
            if self.ticks.is_multiple_of(40) {
                lines.push(self.line());
            }
        }
        lines
    }

    pub(crate) fn line(&self) -> String {
        let counts: Vec<_> =
            STATES.iter().zip(self.counts()).map(|(state, count)| format!("{count} {state}")).collect();
        let present = match (self.sight.dog, self.sight.wolf) {
            (_, Some(_)) => ", wolf present",
            (Some(_), None) => ", dog working",
            (None, None) => "",
        };
        let middle = self.middle();
        format!("{:>6.1} s  {} around {:.0}, {:.0}{present}", self.seconds(), counts.join(", "), middle.x, middle.y)
    }
}

/// Returns the index of the current state of a sheep.
fn index<'f, N: StateMachine<Sheep<'f>>>(machine: &N, memory: &Memory<N>) -> Option<usize> {
    let state = machine.state(memory)?;
    STATES.iter().position(|name| *name == state)
}
