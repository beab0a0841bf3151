//! Ticking a loaded tree. It goes down by calls: trees are at most [`MOST_LEVELS`](bt_behavior3::MOST_LEVELS) deep.

use alloc::vec;

use crate::decorator::{Gate, Next};
use crate::dynamic::leaf::Leaf;
use crate::dynamic::memory::{DynMemory, Slot};
use crate::dynamic::tree::{DynArrow, DynNode, DynTree, DynWhen, What};
use crate::node::NodeId;
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
}

impl<'a, C: ?Sized, O: Observer> Run<'a, C, O> {
    pub(super) fn new(
        tree: &'a DynTree<C>,
        at: NodeId,
        memory: &'a mut DynMemory,
        ctx: &'a mut C,
        observer: &'a mut O,
    ) -> Self {
        if memory.words.len() != tree.words || memory.slots.len() != tree.slots {
            *memory = DynMemory { words: vec![0; tree.words], slots: vec![Slot::Empty; tree.slots] };
        }
        Self { tree, at, memory, ctx, observer }
    }

    /// Visits the root, whose own events its parent tells.
    pub(super) fn root(&mut self, opening: bool) -> Status {
        self.visit(0, opening)
    }

    /// Breaks the root off.
    pub(super) fn interrupt(&mut self) {
        self.break_off(0);
        self.set_open(0, false);
    }

    fn is_open(&self, index: usize) -> bool {
        self.memory.words[index / 64] >> (index % 64) & 1 == 1
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
        self.tree.powers.now.map_or(0, |now| now(&*self.ctx))
    }

    /// The slot of a leaf or policy; one for nothing where it has none.
    fn with_slot<R>(&mut self, node: &DynNode<C>, act: impl FnOnce(&mut Slot, &mut C, &mut O) -> R) -> R {
        match node.slot.and_then(|slot| self.memory.slots.get_mut(slot as usize)) {
            Some(slot) => act(slot, self.ctx, self.observer),
            None => act(&mut Slot::Empty, self.ctx, self.observer),
        }
    }

    /// Visits a node below the root, and tells the observer.
    fn child(&mut self, index: usize) -> Status {
        let tree = self.tree;
        let at = self.id(&tree.nodes[index]);
        let opening = !self.is_open(index);
        if O::ON {
            self.observer.enter(at);
            if opening {
                self.observer.open(at);
            }
        }
        let status = self.visit(index, opening);
        if O::ON {
            visit::leave(&Step::<()>::from(status), at, self.observer);
        }
        status
    }

    fn visit(&mut self, index: usize, opening: bool) -> Status {
        let tree = self.tree;
        let node = &tree.nodes[index];
        let status = match &node.what {
            What::InARow { selects, remembers } => self.in_a_row(node, Status::from(!*selects), *remembers),
            What::Random { selects, weights } => {
                self.random(node, Status::from(!*selects), weights.as_deref(), opening)
            }
            What::Parallel { remembers, success, failure } => {
                self.parallel(node, *remembers, *success, *failure, opening)
            }
            What::Machine { any } => self.machine(node, any, opening),
            What::State { .. } => self.child(tree.children_of(node)[0] as usize),
            What::Just(status) => *status,
            What::Wait(time) => {
                let now = self.now();
                let began = self.word(node);
                if opening {
                    *began = now;
                }
                if now.saturating_sub(*began) >= *time { Status::Success } else { Status::Running }
            }
            What::Leaf(leaf) => {
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
            What::Leaf(leaf) => {
                let at = self.id(node);
                self.with_slot(node, |slot, ctx, observer| leaf.halt(at, slot, ctx, as_dyn(observer)));
            }
            What::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.close(slot, ctx, End::Halted)),
            What::Cooldown(_) => self.over(node),
            _ => {}
        }
    }

    fn in_a_row(&mut self, node: &DynNode<C>, pass: Status, remembers: bool) -> Status {
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
        let chance = self.tree.powers.chance.map_or(0, |chance| chance(self.ctx));
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
        let (mut successes, mut failures) = (0, 0);
        if remembers {
            for index in 0..children.len() {
                match self.result(word, index) {
                    1 => successes += 1,
                    2 => failures += 1,
                    _ => {}
                }
            }
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
            if result == 1 {
                successes += 1;
            } else {
                failures += 1;
            }
            if remembers {
                self.memory.words[word + index / 32] |= result << (2 * (index % 32));
            }
            if successes >= success {
                return Status::Success;
            }
            if failures >= failure || remembers && children.len() - failures < success {
                return Status::Failure;
            }
        }
        Status::Running
    }

    /// How a child of a parallel that remembers has ended: 0 not yet, 1 success, 2 failure.
    fn result(&self, word: usize, index: usize) -> u64 {
        self.memory.words[word + index / 32] >> (2 * (index % 32)) & 3
    }

    /// A machine's word is the state it is in, and in the last two bits how that one's node has ended: 0 not, 1 success, 2 failure.
    fn machine(&mut self, node: &DynNode<C>, any: &[DynArrow<C>], opening: bool) -> Status {
        let at = self.id(node);
        if opening {
            *self.word(node) = 0;
            if O::ON {
                self.observer.state(at, 0);
            }
        }
        let followed = self.follow(node, any, true);
        if let Some(Err(status)) = followed {
            return status;
        }
        let (state, _) = self.state(node);
        let ended = match self.child(self.tree.children_of(node)[state] as usize) {
            Status::Error => return Status::Error,
            Status::Running => 0,
            Status::Success => 1,
            Status::Failure => 2,
        };
        *self.word(node) = (state as u64) << 2 | ended;
        // One arrow in a tick.
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

    /// Follows the first arrow that may be followed: one of the state's, or of those of any that do not lead back to it. Conditions are asked, or not.
    fn follow(&mut self, node: &DynNode<C>, any: &[DynArrow<C>], ask: bool) -> Option<Result<usize, Status>> {
        let (tree, at) = (self.tree, self.id(node));
        let (here, ended) = self.state(node);
        let What::State { arrows, .. } = &tree.nodes[tree.children_of(node)[here] as usize].what else { return None };
        let any = any.iter().filter(|arrow| arrow.to != Ok(here));
        let followed = arrows.iter().chain(any).find(|arrow| match &arrow.on {
            DynWhen::Success => ended == 1,
            DynWhen::Failure => ended == 2,
            DynWhen::Leaf { leaf, negated } => ask && self.holds(&**leaf, at) != *negated,
        });
        let to = followed?.to;
        if let Ok(state) = to {
            self.halt_children(node);
            *self.word(node) = (state as u64) << 2;
            if O::ON {
                self.observer.state(at, state);
            }
        }
        Some(to)
    }

    /// Whether a leaf succeeds at once.
    fn holds(&mut self, leaf: &dyn Leaf<C>, at: NodeId) -> bool {
        let mut slot = Slot::Empty;
        let status = leaf.tick(true, at, &mut slot, self.ctx, None);
        if status == Status::Running {
            leaf.halt(at, &mut slot, self.ctx, None);
        }
        status == Status::Success
    }

    fn decorate(&mut self, node: &DynNode<C>, opening: bool) -> Status {
        let gate = if opening { self.open(node) } else { self.resume(node) };
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
                Step::Running(()) => return Status::Running,
                // Errors pass unasked.
                Step::Done(Outcome::Error) => Next::End(Outcome::Error),
                Step::Done(outcome) => self.end(node, outcome),
            };
            match next {
                Next::Again => {}
                Next::Later(()) => return Status::Running,
                Next::End(outcome) => {
                    self.close(node, outcome);
                    return outcome.into();
                }
            }
        }
    }

    /// A run begins: may the child start?
    fn open(&mut self, node: &DynNode<C>) -> Gate<()> {
        let now = self.now();
        match &node.what {
            What::RepeatTimes(0) => return Gate::End(Outcome::Success),
            What::Retry(0) => return Gate::End(Outcome::Failure),
            What::RepeatTimes(_) | What::Retry(_) => *self.word(node) = 0,
            What::Limit(most) => {
                let runs = self.word(node);
                if *runs >= u64::from(*most) {
                    return Gate::End(Outcome::Failure);
                }
                *runs += 1;
            }
            What::RunOnce => match *self.word(node) {
                1 => return Gate::End(Outcome::Success),
                2 => return Gate::End(Outcome::Failure),
                _ => {}
            },
            What::Timeout(_) => *self.word(node) = now,
            What::Delay(delay) => {
                *self.word(node) = now;
                if *delay > 0 {
                    return Gate::Pause(());
                }
            }
            What::Cooldown(time) => {
                let over = *self.word(node);
                // Nought is never; the time is kept with one added.
                if over > 0 && now.saturating_sub(over - 1) < *time {
                    return Gate::End(Outcome::Failure);
                }
            }
            What::Service(..) => self.serve(node, now),
            What::Policy(policy) => return self.with_slot(node, |slot, ctx, _| policy.open(slot, ctx)),
            _ => {}
        }
        Gate::Go
    }

    /// A later tick: may the child go on?
    fn resume(&mut self, node: &DynNode<C>) -> Gate<()> {
        let now = self.now();
        match &node.what {
            What::Timeout(limit) if now.saturating_sub(*self.word(node)) > *limit => Gate::End(Outcome::Failure),
            What::Delay(delay) if now.saturating_sub(*self.word(node)) < *delay => Gate::Pause(()),
            What::Service(every, ..) => {
                if now.saturating_sub(*self.word(node)) >= *every {
                    self.serve(node, now);
                }
                Gate::Go
            }
            What::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.resume(slot, ctx)),
            _ => Gate::Go,
        }
    }

    /// Does the action of a service.
    fn serve(&mut self, node: &DynNode<C>, now: u64) {
        *self.word(node) = now;
        let What::Service(_, _, action) = &node.what else { return };
        let at = self.id(node);
        self.with_slot(node, |slot, ctx, _| {
            if action.tick(true, at, slot, ctx, None) == Status::Running {
                action.halt(at, slot, ctx, None);
            }
        });
    }

    /// The child ended with success or failure: what now?
    fn end(&mut self, node: &DynNode<C>, outcome: Outcome) -> Next<()> {
        let success = outcome == Outcome::Success;
        match &node.what {
            What::Invert => Next::End(Outcome::from(!success)),
            What::Force(success) => Next::End(Outcome::from(*success)),
            What::Repeat => Next::Later(()),
            What::RepeatTimes(times) => self.again(node, *times, Outcome::Success),
            What::Retry(times) if !success => self.again(node, *times, Outcome::Failure),
            What::UntilFailure => {
                if success {
                    Next::Later(())
                } else {
                    Next::End(Outcome::Success)
                }
            }
            What::UntilSuccess { .. } if !success => Next::Later(()),
            What::RunOnce => {
                *self.word(node) = if success { 1 } else { 2 };
                Next::End(outcome)
            }
            What::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.end(outcome, slot, ctx)),
            _ => Next::End(outcome),
        }
    }

    fn again(&mut self, node: &DynNode<C>, times: u32, then: Outcome) -> Next<()> {
        let ended = self.word(node);
        *ended += 1;
        if *ended < u64::from(times) { Next::Again } else { Next::End(then) }
    }

    /// The run is over.
    fn close(&mut self, node: &DynNode<C>, outcome: Outcome) {
        match &node.what {
            What::Cooldown(_) => self.over(node),
            What::Policy(policy) => self.with_slot(node, |slot, ctx, _| policy.close(slot, ctx, outcome.into())),
            _ => {}
        }
    }

    /// Keeps when a run was over.
    fn over(&mut self, node: &DynNode<C>) {
        let now = self.now();
        *self.word(node) = now.saturating_add(1);
    }
}
