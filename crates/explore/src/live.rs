//! An agent in a state, and its next tick.

use std::any::Any;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bt_core::{Memory, Node, Observer, Save, Shift, Status, Tree as _};

use crate::bits::Nodes;
use crate::choices::{Script, TIME, choose_labeled};
use crate::subject::{Setup, Subject};
use crate::watch::{self, Watch};

/// The time between ticks. Moments that leaves store are before it, back to the beginning of a run of 30 years.
const START: Duration = Duration::from_secs(1_000_000_000);

/// An agent in a state whose transitions are not known yet.
pub(crate) struct Live<N: Save, C> {
    pub(crate) state: u32,
    /// The number of ticks since the first state.
    pub(crate) depth: u32,
    pub(crate) ctx: C,
    pub(crate) memory: Memory<N>,
    pub(crate) open: Nodes,
    pub(crate) machines: watch::States,
    /// The numbers of properties that have one.
    pub(crate) due: Vec<u32>,
}

/// The result of a tick.
pub(crate) struct Tick {
    /// The status, or the message of a panic.
    pub(crate) status: Result<Status, String>,
    /// The time that has passed.
    pub(crate) passed: Duration,
}

impl<N: Node<C> + Save, C: Clone + Hash> Live<N, C> {
    /// Returns the first state.
    pub(crate) fn first(subject: &Subject<'_, N, C>) -> Self {
        let (mut ctx, mut memory) = (subject.context.clone(), subject.tree.memory());
        settle(&subject.tree, &subject.setup, &mut ctx, &mut memory);
        let due = subject.properties.iter().filter_map(|property| property.rule.initial()).collect();
        let (open, machines) = subject.watch.at_rest();
        Self { state: 0, depth: 0, ctx, memory, open, machines, due }
    }

    /// Returns a copy of the agent at another time of its clock. Its next tick must be the same.
    pub(crate) fn at_another_time(&self, tree: &N, setup: &Setup<'_, C>) -> Self {
        const LATER: Duration = Duration::from_secs(777_777);
        let (mut ctx, mut memory) = (self.ctx.clone(), self.memory.clone());
        if setup.clock.is_some() {
            move_clock(tree, setup, &mut ctx, &mut memory, START + LATER);
        }
        let (open, machines, due) = (self.open.clone(), self.machines.clone(), self.due.clone());
        Self { ctx, memory, open, machines, due, ..*self }
    }

    /// Ticks the agent once.
    pub(crate) fn tick<O: Observer>(
        &mut self,
        tree: &N,
        setup: &Setup<'_, C>,
        script: &mut Script,
        observer: &mut O,
    ) -> Tick {
        tick(tree, setup, &mut self.ctx, &mut self.memory, script, observer)
    }

    /// Ticks a copy of the agent once. Returns its context and memory, too.
    pub(crate) fn tick_copy<O: Observer>(
        &self,
        tree: &N,
        setup: &Setup<'_, C>,
        script: &mut Script,
        observer: &mut O,
    ) -> (Tick, C, Memory<N>) {
        let (mut ctx, mut memory) = (self.ctx.clone(), self.memory.clone());
        (tick(tree, setup, &mut ctx, &mut memory, script, observer), ctx, memory)
    }

    /// Ends the tick that `watch` has observed.
    pub(crate) fn settle(&mut self, tree: &N, setup: &Setup<'_, C>, watch: &Watch) {
        settle(tree, setup, &mut self.ctx, &mut self.memory);
        self.open.copy_from(&watch.open);
        self.machines.clone_from(&watch.states);
        self.depth += 1;
    }
}

fn tick<N: Node<C> + Save, C, O: Observer>(
    tree: &N,
    setup: &Setup<'_, C>,
    ctx: &mut C,
    memory: &mut Memory<N>,
    script: &mut Script,
    observer: &mut O,
) -> Tick {
    let mut passed = Duration::ZERO;
    let tick = || {
        if let Some(clock) = &setup.clock {
            passed = clock.steps[choose_labeled(TIME, clock.steps.len())];
            *(clock.now)(ctx) += passed;
        }
        if let Some(act) = &setup.environment {
            act(ctx);
        }
        tree.tick_with(ctx, memory, observer)
    };
    let status = catch_unwind(AssertUnwindSafe(|| script.play(tick))).map_err(|panic| {
        script.take();
        message(&*panic)
    });
    Tick { status, passed }
}

/// Moves the clock and all moments to another time.
fn move_clock<N: Node<C> + Save, C>(tree: &N, setup: &Setup<'_, C>, ctx: &mut C, memory: &mut Memory<N>, to: Duration) {
    let Some(clock) = &setup.clock else {
        // The memory of a loaded tree is cleared of what is not read again.
        return tree.shift(memory, Shift::new(Duration::ZERO, Duration::ZERO));
    };
    let by = Shift::forgetting(*(clock.now)(ctx), to);
    tree.shift(memory, by);
    *(clock.now)(ctx) = to;
    if let Some(shift) = &clock.shift {
        shift(ctx, by);
    }
}

/// Sets the clock back, and makes memories and contexts equal that have the same future.
pub(crate) fn settle<N: Node<C> + Save, C>(tree: &N, setup: &Setup<'_, C>, ctx: &mut C, memory: &mut Memory<N>) {
    move_clock(tree, setup, ctx, memory, START);
    if let Some(normalize) = &setup.normalize {
        normalize(ctx);
    }
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a value that is not text").to_owned()
}
