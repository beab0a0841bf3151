//! Ticking a loaded tree. It goes down by calls: trees are at most [`MOST_LEVELS`](bt_behavior3::MOST_LEVELS) deep.

use crate::decorator::{AfterChild, Gate};
use crate::dynamic::error::{MOST_RESTARTS, RunError};
use crate::dynamic::memory::{DynMemory, Slot};
use crate::dynamic::reload::MemoryOwner;
use crate::dynamic::tree::{Attachment, DynNode, DynTransition, DynTree, DynWhen, NodeOp};
use crate::id::NodeId;
use crate::machine::Edge;
use crate::node::Visit;
use crate::observe::{Observer, as_dyn};
use crate::status::{End, Outcome, Status, Step};
use crate::visit;

/// One visit of a tree, or halting it.
pub(super) struct Run<'a, C: ?Sized, O> {
    tree: &'a DynTree<C>,
    /// The root's id.
    at: NodeId,
    memory: &'a mut DynMemory,
    ctx: &'a mut C,
    observer: &'a mut O,
    /// Whether the memory is one in which the tree can go on.
    goes_on: bool,
    /// How often nodes have started their child again.
    restarts: u32,
}

impl<'a, C: ?Sized, O: Observer> Run<'a, C, O> {
    /// A visit with this memory, which may be new, loaded, or of another tree. If that is running, it is halted first, as far as that can be.
    pub(super) fn new(
        tree: &'a DynTree<C>,
        at: NodeId,
        memory: &'a mut DynMemory,
        open: bool,
        visit: &'a mut Visit<'_, C, O>,
    ) -> Self {
        let Visit { ctx, observer } = visit;
        let goes_on = match tree.owner_of(memory) {
            MemoryOwner::Own => true,
            MemoryOwner::Before(before) => before.take_over(tree, open, memory, ctx),
            MemoryOwner::Nobodys => {
                *memory = tree.new_memory();
                false
            }
        };
        memory.version = tree.version;
        memory.structure = tree.structure;
        memory.loaded = false;
        memory.error = None;
        Self { tree, at, memory, ctx, observer, goes_on, restarts: 0 }
    }

    /// A visit with a memory that is known to be of this tree.
    pub(super) fn of(tree: &'a DynTree<C>, memory: &'a mut DynMemory, ctx: &'a mut C, observer: &'a mut O) -> Self {
        Self { tree, at: NodeId::ROOT, memory, ctx, observer, goes_on: true, restarts: 0 }
    }

    /// Begins a run of the root. Its parent reports the root's own events.
    pub(super) fn start(&mut self) -> Status {
        self.close_all();
        self.visit(0, true)
    }

    /// Goes on with a run of the root, or begins another, if it is gone with the tree that the memory was of.
    pub(super) fn resume(&mut self) -> Status {
        if self.goes_on {
            return self.visit(0, false);
        }
        if O::ON {
            self.observer.close(self.at, End::Halted);
            self.observer.open(self.at);
        }
        self.start()
    }

    /// Breaks the root off.
    pub(super) fn interrupt(&mut self) {
        if self.goes_on {
            self.break_off(0);
            self.set_open(0, false);
        }
    }

    /// Brings a machine that is running into a state.
    pub(super) fn force(&mut self, machine: usize, state: usize) -> Status {
        let node = &self.tree.nodes[machine];
        let at = self.id(node);
        visit::enter(at, false, self.observer);
        self.halt_children(node);
        let (here, _) = self.state(node);
        let step = Step::<()>::from(self.go(node, Some(here), state));
        visit::leave(&step, at, self.observer);
        self.end_forced(machine, step.status())
    }

    /// A machine that was forced into a state and has ended with that: what is above it ends with it, as with any error.
    fn end_forced(&mut self, machine: usize, status: Status) -> Status {
        self.set_open(machine, status == Status::Running);
        if status != Status::Running {
            self.halt(0);
            self.set_open(0, false);
        }
        status
    }

    /// Begins a run of the root, which is a machine, in a state.
    pub(super) fn begin_in(&mut self, state: usize) -> Status {
        let (node, at) = (&self.tree.nodes[0], self.at);
        self.close_all();
        visit::enter(at, true, self.observer);
        let step = Step::<()>::from(self.go(node, None, state));
        visit::leave(&step, at, self.observer);
        self.set_open(0, step.status() == Status::Running);
        step.status()
    }

    /// Brings a machine into a state owner_of node is ready to start, and out of that it is in. Returns `Running`, or `Error` if a hook returns it.
    fn go(&mut self, machine: &DynNode<C>, from: Option<usize>, to: usize) -> Status {
        if from.is_some_and(|from| self.hook(machine, from, Edge::Exit) == Outcome::Error) {
            return Status::Error;
        }
        *self.word(machine) = (to as u64) << 2;
        if O::ON {
            let at = self.id(machine);
            self.observer.state(at, to);
        }
        match self.hook(machine, to, Edge::Enter) {
            Outcome::Error => Status::Error,
            Outcome::Success | Outcome::Failure => Status::Running,
        }
    }

    /// Does what is done on entering or leaving a state of a machine.
    fn hook(&mut self, machine: &DynNode<C>, state: usize, edge: Edge) -> Outcome {
        let tree = self.tree;
        match &tree.nodes[tree.children_of(machine)[state] as usize].what {
            NodeOp::State { hooks, .. } => {
                hooks[edge as usize].as_ref().map_or(Outcome::Success, |hook| self.at_once(hook))
            }
            _ => Outcome::Success,
        }
    }

    /// Leaves the state that a machine is in, owner_of node is not running. Returns `then`, or `Error` if `exit:` returns it.
    fn leave(&mut self, machine: &DynNode<C>, then: Status) -> Status {
        let (here, _) = self.state(machine);
        if self.hook(machine, here, Edge::Exit) == Outcome::Error { Status::Error } else { then }
    }

    pub(super) fn is_open(&self, index: usize) -> bool {
        self.memory.is_open(index)
    }

    /// Whatever a panic has left open is over.
    fn close_all(&mut self) {
        for (index, word) in (0..self.tree.nodes.len()).step_by(64).zip(&mut self.memory.words) {
            let nodes = self.tree.nodes.len() - index;
            *word &= if nodes < 64 { u64::MAX << nodes } else { 0 };
        }
    }

    fn set_open(&mut self, index: usize, open: bool) {
        let (word, bit) = (&mut self.memory.words[index / 64], 1_u64 << (index % 64));
        if open { *word |= bit } else { *word &= !bit }
    }

    fn word(&mut self, node: &DynNode<C>) -> &mut u64 {
        &mut self.memory.words[node.word as usize]
    }

    fn id(&self, node: &DynNode<C>) -> NodeId {
        self.at.skip(node.at)
    }

    fn now(&self) -> u64 {
        self.tree.capabilities.now.map_or(0, |now| now(&*self.ctx))
    }

    /// The slot of a leaf or policy; one for nothing where it has none.
    fn with_slot<R>(&mut self, node: &DynNode<C>, act: impl FnOnce(&mut Slot, &mut C, &mut O) -> R) -> R {
        self.in_slot(node.slot, act)
    }

    fn in_slot<R>(&mut self, slot: Option<u32>, act: impl FnOnce(&mut Slot, &mut C, &mut O) -> R) -> R {
        match slot.and_then(|slot| self.memory.slots.get_mut(slot as usize)) {
            Some(slot) => act(slot, self.ctx, self.observer),
            None => act(&mut Slot::Empty, self.ctx, self.observer),
        }
    }

    /// Visits a node below the root, and tells the observer.
    fn child(&mut self, index: usize) -> Status {
        let tree = self.tree;
        let at = self.id(&tree.nodes[index]);
        let opening = !self.is_open(index);
        visit::enter(at, opening, self.observer);
        let status = self.visit(index, opening);
        visit::leave(&Step::<()>::from(status), at, self.observer);
        status
    }

    fn visit(&mut self, index: usize, opening: bool) -> Status {
        let tree = self.tree;
        let node = &tree.nodes[index];
        let status = match &node.what {
            NodeOp::Sequential { selects, remembers } => self.sequential(node, Status::from(!*selects), *remembers),
            NodeOp::Random { selects, weights } => {
                self.random(node, Status::from(!*selects), weights.as_deref(), opening)
            }
            NodeOp::Parallel { remembers, success, failure } => {
                self.parallel(node, *remembers, *success, *failure, opening)
            }
            NodeOp::Machine { any } => self.machine(node, any, opening),
            NodeOp::State { .. } => self.child(tree.children_of(node)[0] as usize),
            NodeOp::Just(status) => *status,
            NodeOp::Wait(time) => {
                if opening {
                    self.begin_time(node, *time);
                }
                if self.is_due(node, *time) { Status::Success } else { Status::Running }
            }
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.with_slot(node, |slot, ctx, observer| leaf.tick(opening, at, slot, ctx, as_dyn(observer)))
            }
            _ => self.decorate(node, opening),
        };
        if status != Status::Running {
            // Whatever is still open below is halted, in order.
            self.halt_children(node);
        }
        self.set_open(index, status == Status::Running);
        status
    }

    pub(super) fn halt(&mut self, index: usize) {
        if !self.is_open(index) {
            return;
        }
        self.break_off(index);
        self.set_open(index, false);
        if O::ON {
            let at = self.id(&self.tree.nodes[index]);
            self.observer.close(at, End::Halted);
        }
    }

    fn halt_children(&mut self, node: &DynNode<C>) {
        for child in self.tree.children_of(node) {
            self.halt(*child as usize);
        }
    }

    /// Halts what is below, deepest first, and what the node itself has open.
    fn break_off(&mut self, index: usize) {
        let tree = self.tree;
        let node = &tree.nodes[index];
        self.halt_children(node);
        match &node.what {
            NodeOp::Leaf(leaf) => {
                let at = self.id(node);
                self.with_slot(node, |slot, ctx, observer| leaf.halt(at, slot, ctx, as_dyn(observer)));
            }
            NodeOp::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.close(slot, ctx, End::Halted)),
            NodeOp::Cooldown(time) => self.cool_down(node, *time),
            // An error in leaving has been handed to the context; nothing else is left to end.
            NodeOp::Machine { .. } => _ = self.leave(node, Status::Success),
            _ => {}
        }
    }

    fn sequential(&mut self, node: &DynNode<C>, pass: Status, remembers: bool) -> Status {
        let children = self.tree.children_of(node);
        let running = children.iter().position(|child| self.is_open(*child as usize));
        let first = if remembers { running.unwrap_or(0) } else { 0 };
        for index in first..children.len() {
            let status = self.child(children[index] as usize);
            if status == pass {
                continue;
            }
            // Who was running before and is not any more is halted after the one that took over was ticked.
            if let Some(running) = running.filter(|running| *running != index) {
                self.halt(children[running] as usize);
            }
            return status;
        }
        pass
    }

    fn random(&mut self, node: &DynNode<C>, pass: Status, weights: Option<&[f64]>, opening: bool) -> Status {
        let children = self.tree.children_of(node);
        let words = node.word as usize..node.word as usize + children.len().div_ceil(64);
        if opening {
            self.memory.words[words.clone()].fill(0);
        }
        let mut running = children.iter().position(|child| self.is_open(*child as usize));
        loop {
            let index = match running.take() {
                Some(index) => index,
                None => match self.draw(words.start, children.len(), weights) {
                    Some(index) => index,
                    None => return pass,
                },
            };
            self.memory.words[words.start + index / 64] |= 1 << (index % 64);
            let status = self.child(children[index] as usize);
            if status != pass {
                return status;
            }
        }
    }

    /// One of the children that have not been drawn yet.
    fn draw(&mut self, word: usize, children: usize, weights: Option<&[f64]>) -> Option<usize> {
        let left = |words: &[u64], child: &usize| words[word + child / 64] >> (child % 64) & 1 == 0;
        let weight = |child: usize| weights.map_or(1.0, |weights| weights[child]);
        let words = &self.memory.words;
        let last = (0..children).rfind(|child| left(words, child))?;
        let all: f64 = (0..children).filter(|child| left(words, child)).map(weight).sum();
        let chance = self.tree.capabilities.chance.map_or(0, |chance| chance(self.ctx));
        let mut point = crate::chance::unit(chance) * all;
        let words = &self.memory.words;
        let hit = (0..children).filter(|child| left(words, child)).find(|child| {
            point -= weight(*child);
            point < 0.0
        });
        Some(hit.unwrap_or(last))
    }

    fn parallel(
        &mut self,
        node: &DynNode<C>,
        remembers: bool,
        success: usize,
        failure: usize,
        opening: bool,
    ) -> Status {
        let children = self.tree.children_of(node);
        let word = node.word as usize;
        if remembers && opening {
            self.memory.words[word..word + children.len().div_ceil(32)].fill(0);
        }
        let mut tally = Tally { successes: 0, failures: 0, children: children.len(), success, failure, remembers };
        if remembers {
            for index in 0..children.len() {
                tally.add(self.result(word, index));
            }
        }
        // Where a threshold is out of reach no child is ticked.
        if let Some(status) = tally.decided() {
            return status;
        }
        for (index, child) in children.iter().enumerate() {
            if remembers && self.result(word, index) != 0 {
                continue;
            }
            let result = match self.child(*child as usize) {
                Status::Error => return Status::Error,
                Status::Running => continue,
                Status::Success => 1,
                Status::Failure => 2,
            };
            tally.add(result);
            if remembers {
                self.memory.words[word + index / 32] |= result << (2 * (index % 32));
            }
            if let Some(status) = tally.decided() {
                return status;
            }
        }
        Status::Running
    }

    /// How a child of a parallel that remembers has ended: 0 not yet, 1 success, otherwise failure.
    fn result(&self, word: usize, index: usize) -> u64 {
        self.memory.words[word + index / 32] >> (2 * (index % 32)) & 3
    }

    /// A machine's word is the state it is in, and in the last two bits how that one's node has ended: 0 not, 1 success, 2 failure.
    fn machine(&mut self, node: &DynNode<C>, any: &[DynTransition<C>], opening: bool) -> Status {
        if opening && self.go(node, None, 0) == Status::Error {
            return Status::Error;
        }
        let followed = self.follow(node, any, true);
        if let Some(Err(status)) = followed {
            return status;
        }
        let (state, _) = self.state(node);
        let ended = match self.child(self.tree.children_of(node)[state] as usize) {
            Status::Error => return self.leave(node, Status::Error),
            Status::Running => 0,
            Status::Success => 1,
            Status::Failure => 2,
        };
        *self.word(node) = (state as u64) << 2 | ended;
        // One transition in a tick.
        if ended == 0 || followed.is_some() {
            return Status::Running;
        }
        match self.follow(node, any, false) {
            Some(Err(status)) => status,
            _ => Status::Running,
        }
    }

    /// The state that a machine is in, and how its node has ended.
    fn state(&mut self, node: &DynNode<C>) -> (usize, u64) {
        let last = self.tree.children_of(node).len() - 1;
        let word = *self.word(node);
        // (A save may have been changed by hand.)
        (usize::try_from(word >> 2).map_or(last, |state| state.min(last)), word & 3)
    }

    /// Follows the first transition that may be followed: one of the state's, or of those of any that do not lead back to it. Conditions are asked, or not.
    fn follow(&mut self, node: &DynNode<C>, any: &[DynTransition<C>], ask: bool) -> Option<Result<usize, Status>> {
        let tree = self.tree;
        let (here, ended) = self.state(node);
        let NodeOp::State { transitions, .. } = &tree.nodes[tree.children_of(node)[here] as usize].what else {
            return None;
        };
        let any = any.iter().filter(|transition| transition.to != Ok(here));
        for transition in transitions.iter().chain(any) {
            let holds = match &transition.on {
                DynWhen::Success => ended == 1,
                DynWhen::Failure => ended == 2,
                DynWhen::Leaf(_) if !ask => false,
                DynWhen::Leaf(condition) => match self.at_once(condition) {
                    Outcome::Success => true,
                    Outcome::Failure => false,
                    Outcome::Error => {
                        self.halt_children(node);
                        return Some(Err(self.leave(node, Status::Error)));
                    }
                },
            };
            if holds {
                self.halt_children(node);
                return Some(match transition.to {
                    Ok(state) => match self.go(node, Some(here), state) {
                        Status::Error => Err(Status::Error),
                        _ => Ok(state),
                    },
                    Err(status) => Err(self.leave(node, status)),
                });
            }
        }
        None
    }

    /// Runs a leaf that is no child, and returns how it ended. One that is running all the same is halted at once and counts as a failure.
    fn at_once(&mut self, attachment: &Attachment<C>) -> Outcome {
        let above = self.at.skip(attachment.at);
        let at = if attachment.negated { above.first_child() } else { above };
        visit::enter(above, true, self.observer);
        if attachment.negated {
            visit::enter(at, true, self.observer);
        }
        let tick = |slot: &mut Slot, ctx: &mut C, observer: &mut O| {
            attachment.leaf.tick(true, at, slot, ctx, as_dyn(observer))
        };
        let step = Step::<()>::from(self.in_slot(attachment.slot, tick));
        visit::leave(&step, at, self.observer);
        let result = match step {
            Step::Done(outcome @ (Outcome::Success | Outcome::Failure)) if attachment.negated => {
                Step::Done(Outcome::from(outcome == Outcome::Failure))
            }
            step => step,
        };
        if attachment.negated {
            visit::leave(&result, above, self.observer);
        }
        match result {
            Step::Done(outcome) => outcome,
            Step::Running(()) => {
                self.in_slot(attachment.slot, |slot, ctx, observer| {
                    attachment.leaf.halt(at, slot, ctx, as_dyn(observer))
                });
                if O::ON {
                    for at in core::iter::once(at).chain(attachment.negated.then_some(above)) {
                        self.observer.close(at, End::Halted);
                    }
                }
                Outcome::Failure
            }
        }
    }

    fn decorate(&mut self, node: &DynNode<C>, opening: bool) -> Status {
        let gate = if opening { self.open(node) } else { self.resume_decorator(node) };
        match gate {
            Gate::Go => {}
            Gate::Pause(()) => return Status::Running,
            Gate::End(outcome) => {
                if !opening {
                    self.halt_children(node);
                    self.close(node, outcome);
                }
                return outcome.into();
            }
        }
        let child = self.tree.children_of(node)[0] as usize;
        loop {
            let next = match Step::<()>::from(self.child(child)) {
                Step::Running(()) => match self.running(node) {
                    None => return Status::Running,
                    Some(outcome) => {
                        self.halt_children(node);
                        AfterChild::End(outcome)
                    }
                },
                Step::Done(Outcome::Error) => AfterChild::End(self.error(node)),
                Step::Done(outcome) => self.end(node, outcome),
            };
            match next {
                AfterChild::Again if self.restarts < MOST_RESTARTS => self.restarts += 1,
                AfterChild::Again => {
                    self.fail(node);
                    self.close(node, Outcome::Error);
                    return Status::Error;
                }
                AfterChild::Later(()) => return Status::Running,
                AfterChild::End(outcome) => {
                    self.close(node, outcome);
                    return outcome.into();
                }
            }
        }
    }

    /// Tells that a node has started its child again too often.
    fn fail(&mut self, node: &DynNode<C>) {
        let (tree, at) = (self.tree, self.id(node));
        let error = RunError { node: node.id.clone(), title: node.title().into() };
        if let Some(on_error) = tree.capabilities.on_error {
            on_error(self.ctx, at, error.clone());
        }
        self.memory.error = Some(error.into());
    }

    /// A run begins: may the child start?
    fn open(&mut self, node: &DynNode<C>) -> Gate<()> {
        match &node.what {
            NodeOp::RepeatTimes(0) => return Gate::End(Outcome::Success),
            NodeOp::Retry(0) => return Gate::End(Outcome::Failure),
            NodeOp::RepeatTimes(_) | NodeOp::Retry(_) => *self.word(node) = 0,
            NodeOp::Limit(most) => {
                let runs = self.word(node);
                if *runs >= u64::from(*most) {
                    return Gate::End(Outcome::Failure);
                }
                *runs += 1;
            }
            NodeOp::RunOnce => match *self.word(node) {
                1 => return Gate::End(Outcome::Success),
                2 => return Gate::End(Outcome::Failure),
                _ => {}
            },
            NodeOp::Timeout(time) => self.begin_time(node, *time),
            NodeOp::Delay(time) => {
                self.begin_time(node, *time);
                if *time > 0 {
                    return Gate::Pause(());
                }
            }
            // Nought is never; the time is kept with one added.
            NodeOp::Cooldown(time) if *self.word(node) > 0 => {
                *self.word(node) -= 1;
                let is_due = self.is_due(node, *time);
                *self.word(node) = self.word(node).wrapping_add(1).max(1);
                if !is_due {
                    return Gate::End(Outcome::Failure);
                }
            }
            NodeOp::Service(every, _, action) => return self.serve(node, *every, action),
            NodeOp::Policy(policy) => return self.with_slot(node, |slot, ctx, _| policy.open(slot, ctx)),
            _ => {}
        }
        Gate::Go
    }

    /// A later tick: may the child go on?
    fn resume_decorator(&mut self, node: &DynNode<C>) -> Gate<()> {
        match &node.what {
            // At the deadline itself the child is ticked a last time.
            NodeOp::Timeout(time) if self.is_due(node, *time) && self.left(node) < 0 => Gate::End(Outcome::Failure),
            NodeOp::Delay(time) => {
                let started = self.is_open(self.tree.children_of(node)[0] as usize);
                if started || self.is_due(node, *time) { Gate::Go } else { Gate::Pause(()) }
            }
            NodeOp::Service(every, _, action) if self.is_due(node, *every) => self.serve(node, *every, action),
            NodeOp::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.resume(slot, ctx)),
            _ => Gate::Go,
        }
    }

    /// Does the action of a service.
    fn serve(&mut self, node: &DynNode<C>, every: u64, action: &Attachment<C>) -> Gate<()> {
        self.begin_time(node, every);
        match self.at_once(action) {
            Outcome::Error => Gate::End(Outcome::Error),
            Outcome::Success | Outcome::Failure => Gate::Go,
        }
    }

    /// Keeps when a time that begins now is over.
    fn begin_time(&mut self, node: &DynNode<C>, time: u64) {
        *self.word(node) = self.now().wrapping_add(time);
    }

    /// Whether the time is over that a node keeps. A clock that was set back does not make it longer than it is.
    fn is_due(&mut self, node: &DynNode<C>, time: u64) -> bool {
        let left = self.left(node);
        if left > time.cast_signed() {
            self.begin_time(node, time);
            return time == 0;
        }
        left <= 0
    }

    /// How much is left of the time that a node keeps.
    fn left(&mut self, node: &DynNode<C>) -> i64 {
        let now = self.now();
        self.word(node).wrapping_sub(now).cast_signed()
    }

    /// The child is running: with which outcome does the run end all the same, if it does?
    fn running(&mut self, node: &DynNode<C>) -> Option<Outcome> {
        match &node.what {
            NodeOp::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.running(slot, ctx)),
            _ => None,
        }
    }

    /// The child gave an error: how does the run end?
    fn error(&mut self, node: &DynNode<C>) -> Outcome {
        match &node.what {
            NodeOp::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.error(slot, ctx)),
            _ => Outcome::Error,
        }
    }

    /// The child ended with success or failure: what now?
    fn end(&mut self, node: &DynNode<C>, outcome: Outcome) -> AfterChild<()> {
        let success = outcome == Outcome::Success;
        match &node.what {
            NodeOp::Invert => AfterChild::End(Outcome::from(!success)),
            NodeOp::Force(success) => AfterChild::End(Outcome::from(*success)),
            NodeOp::Repeat => AfterChild::Later(()),
            NodeOp::RepeatTimes(times) => self.again(node, *times, Outcome::Success),
            NodeOp::Retry(times) if !success => self.again(node, *times, Outcome::Failure),
            NodeOp::UntilFailure => {
                if success {
                    AfterChild::Later(())
                } else {
                    AfterChild::End(Outcome::Success)
                }
            }
            NodeOp::UntilSuccess { .. } if !success => AfterChild::Later(()),
            NodeOp::RunOnce => {
                *self.word(node) = if success { 1 } else { 2 };
                AfterChild::End(outcome)
            }
            NodeOp::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.end(outcome, slot, ctx)),
            _ => AfterChild::End(outcome),
        }
    }

    fn again(&mut self, node: &DynNode<C>, times: u32, then: Outcome) -> AfterChild<()> {
        let ended = self.word(node);
        // (A save may have been changed by hand.)
        *ended = ended.saturating_add(1);
        if *ended < u64::from(times) { AfterChild::Again } else { AfterChild::End(then) }
    }

    /// The run is over.
    fn close(&mut self, node: &DynNode<C>, outcome: Outcome) {
        match &node.what {
            NodeOp::Cooldown(time) => self.cool_down(node, *time),
            NodeOp::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.close(slot, ctx, outcome.into())),
            _ => {}
        }
    }

    /// Keeps when the time after a run is over.
    fn cool_down(&mut self, node: &DynNode<C>, time: u64) {
        *self.word(node) = self.now().wrapping_add(time).wrapping_add(1).max(1);
    }
}

/// Counts the children of a parallel against its thresholds.
struct Tally {
    successes: usize,
    failures: usize,
    children: usize,
    success: usize,
    failure: usize,
    remembers: bool,
}

impl Tally {
    /// Counts one child: 0 has not ended, 1 has succeeded, otherwise it has failed.
    const fn add(&mut self, result: u64) {
        match result {
            0 => {}
            1 => self.successes += 1,
            _ => self.failures += 1,
        }
    }

    /// How the parallel ends, if that is decided. Success is asked first.
    const fn decided(&self) -> Option<Status> {
        let still = if self.remembers { self.children - self.failures } else { self.children };
        if self.successes >= self.success {
            Some(Status::Success)
        } else if self.failures >= self.failure || still < self.success {
            Some(Status::Failure)
        } else {
            None
        }
    }
}
