//! An interpreter of trees as naive as can be: state in the nodes, one match, no types, no cleverness.

use std::time::Duration;

use bt_core::rand_core::Rng;
use bt_core::{Cause, End, Status};
use bt_words::Word;

use crate::spec::{Args, How, On, Own, Spec, StateSpec, TransitionSpec};
use bt_tests::world::{Event, LEFT, World};

/// A tree and what one agent remembers of it, all in one.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "it is naive: each is a fact of its own")]
pub struct Reference {
    pub(crate) spec: Spec,
    pub(crate) id: u32,
    /// The ids of what is no child. Of a service: its action. Of a machine: for each state the conditions of its transitions, then what is done on entering and
    /// on leaving it; last the conditions of transitions from any state.
    attachments: Vec<Vec<u32>>,
    pub(crate) children: Vec<Reference>,
    /// Whether the node is running.
    pub(crate) open: bool,
    /// The child that a composite goes on at.
    pub(crate) at: usize,
    /// How often a loop's child has ended.
    pub(crate) ended: u32,
    /// How the children of a parallel that remembers have ended.
    pub(crate) results: Vec<Option<Status>>,
    /// When the run began.
    pub(crate) began: Duration,
    /// The number of times of this run.
    pub(crate) times: u32,
    /// The time of this run.
    pub(crate) span: Duration,
    /// How many runs there were in the whole life.
    pub(crate) runs: u32,
    /// How the one run of `run_once` ended.
    pub(crate) once: Option<Status>,
    /// When the last run was over.
    pub(crate) over: Option<Duration>,
    /// Where the next run of a `kept_sequence` starts.
    pub(crate) position: usize,
    /// Whether a `kept_sequence` continues at its first child, to which an edit has moved it.
    pub(crate) is_at_first: bool,
    /// When the action of a `service` was run.
    pub(crate) served: Option<Duration>,
    /// What a running `finally` does.
    pub(crate) stage: Stage,
    /// Whether a halt has left the cleanup of a `finally` running.
    pub(crate) left: bool,
    /// Whether a halt has left the cleanup of a `finally` waiting for those in the body.
    pub(crate) left_waits: bool,
}

/// What a running `finally` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Waits for the cleanup of an earlier run.
    Waits,
    Body,
    /// After the body has ended so.
    Cleanup(Status),
}

pub(crate) const BODY: usize = 0;
pub(crate) const CLEANUP: usize = 1;

impl Reference {
    /// A new agent.
    pub fn new(spec: &Spec) -> Self {
        Self::numbered(spec, &mut 0)
    }

    fn numbered(spec: &Spec, next: &mut u32) -> Self {
        let id = *next;
        *next += 1;
        let mut attachments = Vec::new();
        let children: Vec<_> = match spec {
            Spec::Machine { states, any } => {
                let state = |state: &StateSpec| {
                    let child = Self::numbered(&Spec::plain(Word::State, vec![state.node.clone()]), next);
                    attachments.push(conditions(&state.transitions, next));
                    // What is done on entering, and on leaving.
                    attachments.push(vec![*next, *next + 1]);
                    *next += 2;
                    child
                };
                let children = states.iter().map(state).collect();
                attachments.push(conditions(any, next));
                children
            }
            Spec::Word(Word::Service, _, children) => {
                let child = Self::numbered(&children[0], next);
                attachments.push(vec![*next]);
                *next += 1;
                vec![child]
            }
            _ => spec.children().into_iter().map(|child| Self::numbered(child, next)).collect(),
        };
        Self {
            spec: spec.clone(),
            id,
            attachments,
            results: vec![None; children.len()],
            children,
            open: false,
            at: 0,
            ended: 0,
            began: Duration::ZERO,
            times: 0,
            span: Duration::ZERO,
            runs: 0,
            once: None,
            over: None,
            position: 0,
            is_at_first: false,
            served: None,
            stage: Stage::Waits,
            left: false,
            left_waits: false,
        }
    }

    /// Whether the tree is running.
    pub fn is_running(&self) -> bool {
        self.open
    }

    /// Ticks the tree: first the cleanups that halts have left, then the root.
    pub fn tick(&mut self, world: &mut World, events: &mut Vec<Event>) -> Status {
        self.clean_up(world, events);
        self.tick_root(world, events)
    }

    /// Ticks the root.
    pub fn tick_root(&mut self, world: &mut World, events: &mut Vec<Event>) -> Status {
        self.visit(world, events)
    }

    /// Ticks what halts have left running, deepest first.
    pub fn clean_up(&mut self, world: &mut World, events: &mut Vec<Event>) {
        self.children.iter_mut().for_each(|child| child.clean_up(world, events));
        if self.left {
            self.left = self.children[CLEANUP].visit(world, events) == Status::Running;
        } else if self.left_waits && !self.children[BODY].is_cleaning_up() {
            self.left_waits = false;
            self.left = self.children[CLEANUP].visit(world, events) == Status::Running;
        }
    }

    /// Whether a halt has left a cleanup running.
    pub fn is_cleaning_up(&self) -> bool {
        self.left || self.left_waits || self.children.iter().any(Self::is_cleaning_up)
    }

    /// Halts what halts have left running.
    fn halt_left(&mut self, why: Cause, world: &mut World, events: &mut Vec<Event>) {
        let Some((last, before)) = self.children.split_last_mut() else { return };
        for child in before {
            child.halt_left(why, world, events);
        }
        if std::mem::take(&mut self.left_waits) {
            last.visit(world, events);
            last.halt(why, world, events);
        }
        if std::mem::take(&mut self.left) {
            last.halt(why, world, events);
        }
        last.halt_left(why, world, events);
    }

    /// Visits the node once.
    pub(crate) fn visit(&mut self, world: &mut World, events: &mut Vec<Event>) -> Status {
        events.push(Event::Enter(self.id));
        if let Spec::Leaf(number) = self.spec {
            world.see(Event::Enter(number));
        }
        let opening = !self.open;
        if opening {
            events.push(Event::Open(self.id));
            if let Spec::Leaf(number) = self.spec {
                world.see(Event::Open(number));
            }
            self.open = true;
            self.at = 0;
            self.ended = 0;
            self.results.fill(None);
            self.began = world.now;
        }
        let (status, refused) = match self.refusal(opening, world, events) {
            Some(status) => (status, opening),
            None => (self.run(opening, world, events), false),
        };
        if status != Status::Running && !self.is_finally() {
            // Whatever is still open below is halted, in order.
            let timed_out = matches!(self.spec, Spec::Word(Word::Timeout, ..));
            let why = if timed_out { Cause::TimedOut } else { Cause::Ended };
            self.halt_children(why, world, events);
        }
        self.open &= status == Status::Running;
        events.push(Event::Tick(self.id, status));
        if status != Status::Running {
            events.push(Event::Close(self.id, end(status)));
            if !refused {
                self.closed(end(status), world);
            }
        }
        events.push(Event::Exit(self.id, status));
        if let Spec::Leaf(number) = self.spec {
            world.see(Event::Exit(number, status));
        }
        status
    }

    /// Breaks off whatever is running, deepest first.
    pub fn halt(&mut self, why: Cause, world: &mut World, events: &mut Vec<Event>) {
        if !self.open {
            return;
        }
        if self.is_finally() {
            self.halt_finally(why, world, events);
        } else {
            self.halt_children(why, world, events);
        }
        if let Spec::Machine { states, .. } = &self.spec {
            let number = states[self.at].number;
            self.leave(number, world, events);
        }
        self.open = false;
        events.push(Event::Close(self.id, End::Halted(why)));
        self.closed(End::Halted(why), world);
    }

    fn halt_children(&mut self, why: Cause, world: &mut World, events: &mut Vec<Event>) {
        self.children.iter_mut().for_each(|child| child.halt(why, world, events));
    }

    pub(crate) fn is_finally(&self) -> bool {
        matches!(self.spec, Spec::Word(Word::Finally, ..))
    }

    fn finally(&mut self, opening: bool, world: &mut World, events: &mut Vec<Event>) -> Status {
        if opening {
            self.stage = Stage::Waits;
        }
        if self.stage == Stage::Waits {
            if self.left || self.left_waits {
                return Status::Running;
            }
            self.stage = Stage::Body;
        }
        if self.stage == Stage::Body {
            let status = self.children[BODY].visit(world, events);
            if status == Status::Running {
                return Status::Running;
            }
            self.stage = Stage::Cleanup(status);
        }
        let Stage::Cleanup(status) = self.stage else { unreachable!("it has left the other stages") };
        if !self.children[CLEANUP].open && self.children[BODY].is_cleaning_up() {
            return Status::Running;
        }
        match self.children[CLEANUP].visit(world, events) {
            Status::Success | Status::Failure => status,
            other => other,
        }
    }

    pub(crate) fn halt_finally(&mut self, why: Cause, world: &mut World, events: &mut Vec<Event>) {
        match self.stage {
            Stage::Waits => {}
            Stage::Body => {
                self.children[BODY].halt(why, world, events);
                self.leave_cleanup(world, events);
            }
            Stage::Cleanup(_) => {
                self.left = self.children[CLEANUP].open;
                self.left_waits = !self.left;
            }
        }
    }

    /// Starts the cleanup after the body was halted, and leaves it.
    pub(crate) fn leave_cleanup(&mut self, world: &mut World, events: &mut Vec<Event>) {
        self.left_waits = self.children[BODY].is_cleaning_up();
        self.left = !self.left_waits && self.children[CLEANUP].visit(world, events) == Status::Running;
    }

    /// A run is over.
    pub(crate) fn closed(&mut self, end: End, world: &World) {
        self.over = Some(world.now);
        if let Spec::Leaf(number) | Spec::Own(Own::Patience, number, _) = self.spec {
            world.see(Event::Close(number, end));
        }
    }

    fn machine(
        &mut self,
        opening: bool,
        states: &[StateSpec],
        any: &[TransitionSpec],
        world: &mut World,
        events: &mut Vec<Event>,
    ) -> Status {
        if opening {
            events.push(Event::State(self.id, 0));
            self.enter(states[0].number, world, events);
        }
        let ended = self.results[self.at];
        let here = self.at;
        let own = states[here].transitions.iter().zip(&self.attachments[2 * here]);
        let any_but_back =
            any.iter().zip(&self.attachments[2 * states.len()]).filter(|(transition, _)| transition.to != Ok(here));
        let followed = own
            .chain(any_but_back)
            .find(|(transition, id)| match transition.on {
                On::Success => ended == Some(Status::Success),
                On::Failure => ended == Some(Status::Failure),
                On::Just(status) => {
                    visited(**id, status, events, |_| {});
                    status == Status::Success
                }
                On::Condition(number) => {
                    let status = world.tell_condition();
                    visited(**id, status, events, |_| world.see(Event::Tick(number, status)));
                    status == Status::Success
                }
                On::Not(number) => {
                    let status = world.tell_condition();
                    let not = Status::from(status != Status::Success);
                    visited(**id, not, events, |events| {
                        visited(**id + 1, status, events, |_| world.see(Event::Tick(number, status)));
                    });
                    not == Status::Success
                }
            })
            .map(|(transition, _)| transition);
        if let Some(transition) = followed
            && let Some(status) = self.follow(transition, states, world, events)
        {
            return status;
        }
        let state = self.at;
        if self.waits(state) {
            return Status::Running;
        }
        let status = self.children[state].visit(world, events);
        self.results[state] = None;
        if status == Status::Running {
            return Status::Running;
        }
        if status == Status::Error {
            self.leave(states[state].number, world, events);
            return Status::Error;
        }
        self.results[state] = Some(status);
        let on = if status == Status::Success { On::Success } else { On::Failure };
        if followed.is_none()
            && let Some(transition) = arrows_of(states, any, state).find(|transition| transition.on == on)
        {
            return self.follow(transition, states, world, events).unwrap_or(Status::Running);
        }
        Status::Running
    }

    /// Whether this child has to wait for a cleanup of another.
    fn waits(&self, child: usize) -> bool {
        !self.children[child].open && self.children.iter().any(Self::is_cleaning_up)
    }

    /// Leaves the state and enters the next; if it leads out, the outcome.
    fn follow(
        &mut self,
        transition: &TransitionSpec,
        states: &[StateSpec],
        world: &mut World,
        events: &mut Vec<Event>,
    ) -> Option<Status> {
        let why = if transition.to.is_ok() { Cause::Preempted } else { Cause::Ended };
        self.halt_children(why, world, events);
        self.leave(states[self.at].number, world, events);
        match transition.to {
            Ok(to) => {
                self.at = to;
                self.results.fill(None);
                events.push(Event::State(self.id, to));
                self.enter(states[to].number, world, events);
                None
            }
            Err(outcome) => Some(outcome),
        }
    }

    /// Enters the state that the machine is in.
    fn enter(&self, number: u32, world: &World, events: &mut Vec<Event>) {
        let id = self.attachments[2 * self.at + 1][0];
        visited(id, Status::Success, events, |_| world.see(Event::Open(number)));
    }

    /// Leaves the state that the machine is in.
    fn leave(&self, number: u32, world: &World, events: &mut Vec<Event>) {
        let id = self.attachments[2 * self.at + 1][1];
        visited(id, Status::Success, events, |_| world.see(Event::Close(number, LEFT)));
    }

    /// Forgets what this node and those below have kept across runs.
    fn forget(&mut self) {
        (self.runs, self.once, self.over, self.served, self.position) = (0, None, None, None, 0);
        self.is_at_first = false;
        self.children.iter_mut().for_each(Self::forget);
    }

    /// The status of a decorator that does not let its child be ticked.
    pub(crate) fn refusal(&mut self, opening: bool, world: &mut World, events: &mut Vec<Event>) -> Option<Status> {
        let (word, args) = match self.spec {
            Spec::Word(word, args, _) => (word, args),
            Spec::Own(Own::Patience, number, _) => {
                if opening {
                    self.runs += 1;
                    if self.runs.is_multiple_of(3) {
                        return Some(Status::Failure);
                    }
                    world.see(Event::Open(number));
                } else {
                    self.ended += 1;
                }
                return (self.ended > number % 4).then_some(Status::Failure);
            }
            _ => return None,
        };
        let now = world.now;
        let since = |then: Duration| now.saturating_sub(then);
        match word {
            Word::RepeatTimes | Word::Retry | Word::RepeatWhileSuccess => {
                if opening {
                    self.times = times(args, world);
                }
                (opening && self.times == 0).then_some(Status::from(word != Word::Retry))
            }
            Word::Limit if opening => {
                self.times = times(args, world);
                if self.runs >= self.times {
                    return Some(Status::Failure);
                }
                self.runs += 1;
                None
            }
            Word::Timeout => {
                if opening {
                    self.span = span(args, world);
                }
                (since(self.began) > self.span).then_some(Status::Failure)
            }
            Word::Delay => {
                if opening {
                    self.span = span(args, world);
                }
                (since(self.began) < self.span).then_some(Status::Running)
            }
            Word::Cooldown if opening => {
                if self.over.is_some_and(|over| since(over) < self.span) {
                    return Some(Status::Failure);
                }
                self.span = span(args, world);
                None
            }
            Word::SucceedOnce | Word::RunOnce if opening => self.once,
            Word::Fresh if opening => {
                self.children[0].halt_left(Cause::Ended, world, events);
                self.children[0].forget();
                None
            }
            Word::Chance if opening => {
                let share = share(args, world);
                (ticket(world) >= share).then_some(Status::Failure)
            }
            // Only at the start of a run.
            Word::Limit | Word::Cooldown | Word::SucceedOnce | Word::RunOnce | Word::Fresh | Word::Chance => None,
            // Their child is always ticked.
            Word::Invert
            | Word::ForceSuccess
            | Word::ForceFailure
            | Word::Repeat
            | Word::UntilFailure
            | Word::UntilSuccess
            | Word::WaitUntil
            | Word::ByEvent
            | Word::Service => None,
            // No decorators.
            Word::Selector
            | Word::Sequence
            | Word::MemSelector
            | Word::MemSequence
            | Word::KeptSequence
            | Word::Finally
            | Word::RandomSelector
            | Word::RandomSequence
            | Word::Parallel
            | Word::MemParallel
            | Word::UtilitySelector
            | Word::MemUtilitySelector
            | Word::Match
            | Word::MemMatch
            | Word::If
            | Word::MemIf
            | Word::Machine
            | Word::State
            | Word::Wait
            | Word::Succeed
            | Word::Fail
            | Word::Run
            | Word::Error => None,
        }
    }

    fn run(&mut self, opening: bool, world: &mut World, events: &mut Vec<Event>) -> Status {
        let (word, args) = match self.spec.clone() {
            Spec::Leaf(number) | Spec::Action(number) => {
                let status = world.tell();
                world.see(Event::Tick(number, status));
                return status;
            }
            Spec::Condition(number) => {
                let status = world.tell_condition();
                world.see(Event::Tick(number, status));
                return status;
            }
            Spec::Machine { states, any } => return self.machine(opening, &states, &any, world, events),
            Spec::Own(own, ..) => return self.own(own, opening, world, events),
            Spec::Word(word, args, _) => (word, args),
        };
        match word {
            Word::Selector => self.sequential(Status::Failure, false, world, events),
            Word::Sequence => self.sequential(Status::Success, false, world, events),
            Word::MemSelector => self.sequential(Status::Failure, true, world, events),
            Word::MemSequence => self.sequential(Status::Success, true, world, events),
            Word::KeptSequence => {
                while self.position < self.children.len() {
                    let status = self.children[self.position].visit(world, events);
                    if status != Status::Success {
                        return status;
                    }
                    self.position += 1;
                }
                self.position = 0;
                self.is_at_first = false;
                Status::Success
            }
            Word::RandomSelector => self.random(Status::Failure, args, world, events),
            Word::RandomSequence => self.random(Status::Success, args, world, events),
            Word::Parallel => self.parallel(false, args, world, events),
            Word::MemParallel => self.parallel(true, args, world, events),
            Word::UtilitySelector => {
                self.results.fill(None);
                self.utility(args, args.keep(), world, events)
            }
            Word::MemUtilitySelector => self.utility(args, 0.0, world, events),
            Word::Match | Word::MemMatch => {
                if opening || word == Word::Match || !self.children[self.at].open {
                    self.at = world.pick(args.times).min(self.children.len() - 1);
                }
                for (index, child) in self.children.iter_mut().enumerate() {
                    if index != self.at {
                        child.halt(Cause::Preempted, world, events);
                    }
                }
                if self.waits(self.at) { Status::Running } else { self.children[self.at].visit(world, events) }
            }
            Word::Finally => self.finally(opening, world, events),
            Word::If => self.branch(true, world, events),
            Word::MemIf => {
                let asks = opening || !self.children[1..].iter().any(|child| child.open);
                self.branch(asks, world, events)
            }
            Word::Machine => unreachable!("machines are not words here"),
            Word::State => self.children[0].visit(world, events),
            Word::Service => {
                if self.served.is_none_or(|served| world.now.saturating_sub(served) >= self.span) {
                    self.served = Some(world.now);
                    self.span = span(args, world);
                    let action = self.attachments[0][0];
                    visited(action, Status::Success, events, |_| world.see(Event::Open(args.action)));
                }
                self.decorate(word, world, events)
            }
            Word::Wait => {
                if opening {
                    self.span = span(args, world);
                }
                if world.now.saturating_sub(self.began) >= self.span { Status::Success } else { Status::Running }
            }
            Word::Succeed => Status::Success,
            Word::Fail => Status::Failure,
            Word::Run => Status::Running,
            Word::Error => Status::Error,
            Word::Invert
            | Word::ForceSuccess
            | Word::ForceFailure
            | Word::Repeat
            | Word::RepeatTimes
            | Word::Retry
            | Word::RepeatWhileSuccess
            | Word::UntilFailure
            | Word::UntilSuccess
            | Word::WaitUntil
            | Word::Limit
            | Word::RunOnce
            | Word::SucceedOnce
            | Word::Fresh
            | Word::ByEvent
            | Word::Timeout
            | Word::Delay
            | Word::Cooldown
            | Word::Chance => self.decorate(word, world, events),
        }
    }

    fn own(&mut self, own: Own, opening: bool, world: &mut World, events: &mut Vec<Event>) -> Status {
        let len = self.children.len();
        match own {
            Own::Patience => self.children[0].visit(world, events),
            Own::Backwards => {
                let last = self.children.iter().position(|child| child.open).unwrap_or(len - 1);
                let mut back = self.children[..=last].iter_mut().rev().map(|child| child.visit(world, events));
                back.find(|status| *status != Status::Success).unwrap_or(Status::Success)
            }
            Own::Crowd => {
                let mut worst = Status::Success;
                for child in &mut self.children {
                    match child.visit(world, events) {
                        // Those after an error are not ticked.
                        Status::Error => return Status::Error,
                        Status::Failure if worst == Status::Success => worst = Status::Failure,
                        Status::Running => worst = Status::Running,
                        Status::Success | Status::Failure => {}
                    }
                }
                worst
            }
            Own::RoundRobin => {
                let status = self.children[self.position].visit(world, events);
                self.position = (self.position + usize::from(status == Status::Success)) % len;
                status
            }
            Own::Shift => {
                if opening {
                    self.runs += 1;
                    self.at = self.runs as usize % len;
                }
                self.children[self.at].visit(world, events)
            }
        }
    }

    fn sequential(&mut self, pass: Status, remembers: bool, world: &mut World, events: &mut Vec<Event>) -> Status {
        let first = if remembers { self.at } else { 0 };
        for index in first..self.children.len() {
            let status = self.children[index].visit(world, events);
            if status == pass {
                continue;
            }
            self.at = index;
            // Who was running before and is not any more is halted after the one that took over was ticked.
            self.preempt(index, status, world, events);
            return status;
        }
        pass
    }

    /// Halts the children other than this one, which has returned this status. The node returns it, too.
    fn preempt(&mut self, by: usize, status: Status, world: &mut World, events: &mut Vec<Event>) {
        let why = if status == Status::Running { Cause::Preempted } else { Cause::Ended };
        for (other, child) in self.children.iter_mut().enumerate() {
            if other != by {
                child.halt(why, world, events);
            }
        }
    }

    /// Ticks the child with the highest score of those that have not failed; of equal scores, the first.
    fn utility(&mut self, args: Args, keep: f32, world: &mut World, events: &mut Vec<Event>) -> Status {
        let remembers = matches!(self.spec, Spec::Word(Word::MemUtilitySelector, ..));
        let mut goes_on = self.children.iter().position(|child| child.open).filter(|_| remembers);
        loop {
            let score =
                |index: &usize| world.score(args.score(*index)) + if self.children[*index].open { keep } else { 0.0 };
            let left = (0..self.children.len()).filter(|index| self.results[*index].is_none());
            let left = left.filter(|index| !score(index).is_nan()).rev();
            let best = left.max_by(|one, other| score(one).total_cmp(&score(other)));
            let Some(index) = goes_on.take().or(best) else { return Status::Failure };
            let status = self.children[index].visit(world, events);
            self.results[index] = Some(status);
            if status != Status::Failure {
                self.preempt(index, status, world, events);
                return status;
            }
        }
    }

    /// Asks the condition if `asks`, and goes where it says; otherwise where the run has been.
    fn branch(&mut self, asks: bool, world: &mut World, events: &mut Vec<Event>) -> Status {
        if asks {
            let selected = match self.children[0].visit(world, events) {
                Status::Error => return Status::Error,
                Status::Success => 1,
                Status::Failure => 2,
                // A condition that runs takes the place of the branch; then it is broken off, and does not hold.
                Status::Running => {
                    self.children[1..].iter_mut().for_each(|child| child.halt(Cause::Preempted, world, events));
                    self.children[0].halt(Cause::Preempted, world, events);
                    2
                }
            };
            if selected < self.children.len() {
                for (index, child) in self.children.iter_mut().enumerate() {
                    if index != selected {
                        child.halt(Cause::Preempted, world, events);
                    }
                }
            }
            self.at = selected;
        }
        if self.at >= self.children.len() {
            return Status::Failure;
        }
        if self.waits(self.at) { Status::Running } else { self.children[self.at].visit(world, events) }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a lottery of a few tickets"
    )]
    fn random(&mut self, pass: Status, args: Args, world: &mut World, events: &mut Vec<Event>) -> Status {
        loop {
            // Whoever is running goes on; otherwise one of those who had no turn yet is drawn.
            let index = match self.children.iter().position(|child| child.open) {
                Some(index) => index,
                None => {
                    let left: Vec<_> =
                        (0..self.children.len()).filter(|index| self.results[*index].is_none()).collect();
                    if left.is_empty() {
                        return pass;
                    }
                    let tickets: Vec<usize> = left
                        .into_iter()
                        .flat_map(|index| std::iter::repeat_n(index, usize::from(args.weight(index))))
                        .collect();
                    tickets[(ticket(world) * tickets.len() as f64) as usize]
                }
            };
            let status = self.children[index].visit(world, events);
            self.results[index] = Some(status);
            if status != pass {
                return status;
            }
        }
    }

    fn parallel(&mut self, remembers: bool, args: Args, world: &mut World, events: &mut Vec<Event>) -> Status {
        let (len, success, failure) = (self.children.len(), args.success, args.failure);
        if success > len {
            return Status::Failure;
        }
        if !remembers {
            self.results.fill(None);
        }
        let decided = |results: &[Option<Status>]| {
            let count = |wanted| results.iter().filter(|result| **result == Some(wanted)).count();
            let (successes, failures) = (count(Status::Success), count(Status::Failure));
            if successes >= success {
                Some(Status::Success)
            } else {
                (failures >= failure || remembers && len - failures < success).then_some(Status::Failure)
            }
        };
        for index in 0..len {
            // Before the first tick, if an edit has changed the thresholds.
            if let Some(status) = decided(&self.results) {
                return status;
            }
            if self.results[index].is_none() {
                match self.children[index].visit(world, events) {
                    Status::Error => return Status::Error,
                    Status::Running => {}
                    status => self.results[index] = Some(status),
                }
            }
        }
        decided(&self.results).unwrap_or(Status::Running)
    }

    fn decorate(&mut self, word: Word, world: &mut World, events: &mut Vec<Event>) -> Status {
        loop {
            let status = self.children[0].visit(world, events);
            if matches!(status, Status::Running | Status::Error) {
                return status;
            }
            self.ended += 1;
            let success = status == Status::Success;
            return match word {
                Word::Invert => Status::from(!success),
                Word::ForceSuccess => Status::Success,
                Word::ForceFailure => Status::Failure,
                Word::Repeat => Status::Running,
                Word::RepeatTimes if self.ended < self.times => continue,
                Word::RepeatTimes => Status::Success,
                Word::Retry if !success && self.ended < self.times => continue,
                Word::RepeatWhileSuccess if success && self.ended < self.times => continue,
                Word::UntilFailure => {
                    if success {
                        Status::Running
                    } else {
                        Status::Success
                    }
                }
                Word::UntilSuccess | Word::WaitUntil => {
                    if success {
                        Status::Success
                    } else {
                        Status::Running
                    }
                }
                Word::RunOnce => {
                    self.once = Some(status);
                    status
                }
                Word::SucceedOnce => {
                    self.once = success.then_some(status);
                    status
                }
                Word::Retry
                | Word::RepeatWhileSuccess
                | Word::Limit
                | Word::Fresh
                | Word::ByEvent
                | Word::Timeout
                | Word::Delay
                | Word::Cooldown
                | Word::Chance
                | Word::Service => status,
                Word::Selector
                | Word::Sequence
                | Word::MemSelector
                | Word::MemSequence
                | Word::KeptSequence
                | Word::Finally
                | Word::RandomSelector
                | Word::RandomSequence
                | Word::Parallel
                | Word::MemParallel
                | Word::UtilitySelector
                | Word::MemUtilitySelector
                | Word::Match
                | Word::MemMatch
                | Word::If
                | Word::MemIf
                | Word::Machine
                | Word::State
                | Word::Wait
                | Word::Succeed
                | Word::Fail
                | Word::Run
                | Word::Error => unreachable!("`{}` is no decorator", word.name()),
            };
        }
    }
}

/// A number of times.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
fn times(args: Args, world: &mut World) -> u32 {
    match args.how {
        How::Fixed => args.times,
        How::Computed => world.times(args.times),
        How::Ranged => {
            let (least, most) = args.times_range();
            least + (ticket(world) * f64::from(most - least + 1)) as u32
        }
    }
}

/// A time.
fn span(args: Args, world: &mut World) -> Duration {
    let (least, most) = args.span_range();
    match args.how {
        How::Fixed => least,
        How::Computed => world.span(args.millis),
        How::Ranged if most == least => least,
        How::Ranged => least + most.saturating_sub(least).mul_f64(ticket(world)),
    }
}

/// A probability.
fn share(args: Args, world: &mut World) -> f64 {
    match args.how {
        How::Fixed => args.share(),
        How::Computed => world.share(args.times),
        How::Ranged if args.percent == 100 => 1.0,
        How::Ranged => args.share() + (1.0 - args.share()) * ticket(world),
    }
}

/// A number from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
fn ticket(world: &mut World) -> f64 {
    (world.chance.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The ids of the conditions of transitions; of one that has none, that of the next.
fn conditions(transitions: &[TransitionSpec], next: &mut u32) -> Vec<u32> {
    let condition = |transition: &TransitionSpec| {
        let id = *next;
        *next += transition.on.count();
        id
    };
    transitions.iter().map(condition).collect()
}

/// A visit of a node that starts and ends in it.
fn visited(id: u32, status: Status, events: &mut Vec<Event>, tick: impl FnOnce(&mut Vec<Event>)) {
    events.extend([Event::Enter(id), Event::Open(id)]);
    tick(events);
    events.extend([Event::Tick(id, status), Event::Close(id, end(status)), Event::Exit(id, status)]);
}

/// The transitions of a state, then those of any that do not lead back to it.
fn arrows_of<'a>(
    states: &'a [StateSpec],
    any: &'a [TransitionSpec],
    state: usize,
) -> impl Iterator<Item = &'a TransitionSpec> {
    states[state].transitions.iter().chain(any.iter().filter(move |transition| transition.to != Ok(state)))
}

fn end(status: Status) -> End {
    match status {
        Status::Success => End::Success,
        Status::Failure => End::Failure,
        Status::Error => End::Error,
        Status::Running => unreachable!("a running node is not closed"),
    }
}
