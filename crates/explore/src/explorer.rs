//! What is explored, and which properties are checked.

use std::time::Duration;

use bt_core::{Node, Save, Shift, Status, Tree as _};

use crate::explorable::Explorable;
use crate::exploration::Exploration;
use crate::free::{is_leaf, matches};
use crate::futures::futures_in;
use crate::names::Names;
use crate::property::{Property, Rule};
use crate::search::{begin, search};
use crate::subject::{ModelClock, Setup, Subject};
use crate::ticked::Ticked;
use crate::watch::Watch;

/// Returns an explorer of every run of a tree, for one agent that begins with this context. See the [crate](crate).
///
/// The tree can be a static one, a reference to one, or a `LoadedTree` of `bt-dynamic`. `C: Hash` determines which contexts are the same: two contexts that hash the
/// same bytes are one state.
pub fn explore<'p, N: Node<C> + Save, C: Explorable<M>, M>(tree: N, context: C) -> Explorer<'p, N, C> {
    let description = tree.description();
    let setup = Setup {
        environment: None,
        clock: None,
        normalize: None,
        show: None,
        is_single_run: false,
        max_states: 1_000_000,
        max_transitions: 100_000_000,
        max_ticks: u32::MAX,
        stops_at_violation: false,
        is_complete_optional: false,
        has_errors: true,
    };
    let watch = Watch::new(&description);
    let (names, futures) = (Names::new(description), futures_in(&tree));
    let subject = Subject { tree, context, futures, names, watch, setup, properties: Vec::new() };
    Explorer { subject, search: search::<N, C> }
}

/// An exploration that has not run yet, returned by [`explore`]. A method that adds a property panics if another property has the
/// same name.
#[must_use = "it explores nothing until `check` or `run` is called"]
pub struct Explorer<'p, N, C> {
    subject: Subject<'p, N, C>,
    search: Search<'p, N, C>,
}

/// The search of a tree over a context. It alone needs to know that the context can be copied.
type Search<'p, N, C> = fn(&mut Subject<'p, N, C>) -> Result<Exploration, &'static str>;

impl<'p, N, C> Explorer<'p, N, C> {
    /// Calls a function with the context before each tick, for what other agents, users and the world may do. The function can
    /// [choose](crate::choose).
    pub fn environment(mut self, act: impl Fn(&mut C) + 'p) -> Self {
        self.subject.setup.environment = Some(Box::new(act));
        self
    }

    /// Advances the time of the context before each tick by one of these steps, as a choice.
    ///
    /// After each tick the time is set to 1,000,000,000 s, and all moments in the memory are converted. So states that differ only in the time are one state, and a tree
    /// with timeouts and cooldowns has finitely many. Only differences of times may matter to leaves, not the time itself. A custom leaf that stores a moment implements
    /// [`LeafShape::shift`](bt_core::leaf::LeafShape::shift) or [`Timed`](bt_core::Timed). If the context stores moments, convert them too: [`shift`](Self::shift). The
    /// first 1000 ticks, the first tick of each state and every 16th tick are repeated, also at another time. The exploration panics if a repeated tick differs.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_explore::explore;
    ///
    /// #[derive(Clone, Default, Hash)]
    /// struct Npc { now: Duration, shots: u8 }
    /// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
    /// fn shoot(npc: &mut Npc) { npc.shots = (npc.shots + 1).min(2) }
    ///
    /// let exploration = explore(tree! { for Npc: cooldown(secs(2)) { shoot } }, Npc::default())
    ///     .clock([millis(500)], |npc| &mut npc.now)
    ///     .responds("shoots every 2 s", |tick| tick.ctx.shots > 0, |tick| tick.ctx.shots > 1, 4)
    ///     .run();
    /// assert!(exploration.is_complete() && exploration.holds());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there are no steps.
    #[track_caller]
    pub fn clock(
        mut self,
        steps: impl IntoIterator<Item = Duration>,
        now: impl Fn(&mut C) -> &mut Duration + 'p,
    ) -> Self {
        let steps: Vec<_> = steps.into_iter().collect();
        assert!(!steps.is_empty(), "a clock needs at least one step");
        self.subject.setup.clock = Some(ModelClock { steps, now: Box::new(now), shift: None });
        self
    }

    /// Converts moments that the context stores, after each tick, when the [clock](Self::clock) is set back. A moment of the past
    /// makes each tick another state: store when a period ends, or [`normalize`](Self::normalize) a moment that is too old to
    /// matter.
    ///
    /// ```
    /// use bt_core::prelude::*;
    /// use bt_explore::explore;
    ///
    /// #[derive(Clone, Default, Hash)]
    /// struct Npc { now: Duration, angry_until: Duration }
    /// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
    /// fn is_angry(npc: &Npc) -> bool { npc.now < npc.angry_until }
    /// fn shout(npc: &mut Npc) { npc.angry_until = npc.now + secs(2) }
    ///
    /// let exploration = explore(tree! { for Npc: if is_angry { run } else { shout } }, Npc::default())
    ///     .clock([secs(1)], |npc| &mut npc.now)
    ///     .shift(|npc, by| npc.angry_until = by.time(npc.angry_until).max(npc.now))
    ///     .always_possible("shouts", |tick| tick.visits("shout") > 0)
    ///     .check();
    /// assert!(exploration.states() < 6);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if there is no clock.
    #[track_caller]
    pub fn shift(mut self, shift: impl Fn(&mut C, Shift) + 'p) -> Self {
        let Some(clock) = &mut self.subject.setup.clock else {
            panic!("`shift` needs a clock: call `clock` before it")
        };
        clock.shift = Some(Box::new(shift));
        self
    }

    /// Calls a function with the context after each tick. The function makes contexts equal that need not be distinguished: it
    /// sorts what has no order, or clears what no leaf reads. So there are fewer states. Properties receive the context before
    /// this call.
    pub fn normalize(mut self, normalize: impl Fn(&mut C) + 'p) -> Self {
        self.subject.setup.normalize = Some(Box::new(normalize));
        self
    }

    /// Lets leaves return any status that their types allow, as a choice. They are not called. A leaf that starts with `Running` is
    /// [opened](bt_core::Observer::replacement).
    ///
    /// The leaves are those with this path. If the path contains `*`, the leaves are those whose names match, where `*` means any text: `free("*")`
    /// frees all leaves.
    ///
    /// # Panics
    ///
    /// Panics if there are no such leaves, or if a node with the path is not a leaf.
    #[track_caller]
    pub fn free(self, path: &str) -> Self {
        self.free_with(path, None)
    }

    /// Lets leaves return one of these statuses, as a choice. They are not called. See [`free`](Self::free).
    ///
    /// # Panics
    ///
    /// Panics where `free` panics, if there are no statuses, and if a leaf cannot return one of the statuses.
    #[track_caller]
    pub fn free_as(self, path: &str, statuses: impl AsRef<[Status]>) -> Self {
        self.free_with(path, Some(statuses.as_ref()))
    }

    #[track_caller]
    fn free_with(mut self, path: &str, statuses: Option<&[Status]>) -> Self {
        let nodes = self.subject.names.description.nodes();
        if path.contains('*') {
            let mut leaves = nodes.iter().filter(|node| is_leaf(node) && matches(path, &node.name)).peekable();
            assert!(
                leaves.peek().is_some(),
                "no leaf matches `{path}` in this tree:\n{}",
                self.subject.names.description
            );
            self.subject.watch.free.add(leaves, statuses);
        } else {
            let found = self.subject.names.of(path);
            self.subject.watch.free.add(found.iter().map(|node| &nodes[node.index()]), statuses);
        }
        self
    }

    /// Leaves `Error` out of what free leaves return, also those of a [`free_tree`](crate::free_tree()).
    pub const fn without_errors(mut self) -> Self {
        self.subject.setup.has_errors = false;
        self
    }

    /// Ends each run when the tree ends. Without it, the tree starts again in the next tick.
    pub const fn single_run(mut self) -> Self {
        self.subject.setup.is_single_run = true;
        self
    }

    /// Limits the number of states; the default is 1,000,000. An exploration that reaches a limit is not [complete](Exploration::is_complete).
    pub const fn max_states(mut self, states: usize) -> Self {
        self.subject.setup.max_states = states;
        self
    }

    /// Limits the number of transitions; the default is 100,000,000.
    pub const fn max_transitions(mut self, transitions: u64) -> Self {
        self.subject.setup.max_transitions = transitions;
        self
    }

    /// Limits the number of ticks in a run; there is no limit by default.
    pub const fn max_ticks(mut self, ticks: u32) -> Self {
        self.subject.setup.max_ticks = ticks;
        self
    }

    /// Accepts in [`check`](Self::check) that a limit ends the exploration.
    pub const fn incomplete(mut self) -> Self {
        self.subject.setup.is_complete_optional = true;
        self
    }

    /// Writes the context into counterexamples, after each tick.
    pub fn show(mut self, show: impl Fn(&C) -> String + 'p) -> Self {
        self.subject.setup.show = Some(Box::new(show));
        self
    }

    #[track_caller]
    fn property(mut self, name: &str, rule: Rule<'p, C>) -> Self {
        let is_known = self.subject.properties.iter().any(|property| property.name == name);
        assert!(!is_known, "two properties have the name `{name}`");
        let properties = &mut self.subject.properties;
        let slot = rule.initial().map(|_| properties.iter().filter(|other| other.slot.is_some()).count());
        let future = properties.iter().filter(|other| other.rule.is_about_the_future()).count();
        assert!(
            !rule.is_about_the_future() || future < 64,
            "an exploration has at most 64 properties about the future: `{name}` is one more"
        );
        let bit = if rule.is_about_the_future() { 1 << future } else { 0 };
        properties.push(Property { name: name.to_owned(), rule, slot, bit });
        self
    }

    /// Requires that the condition holds in every tick of every run.
    #[track_caller]
    pub fn always(self, name: &str, holds: impl Fn(&Ticked<'_, C>) -> bool + 'p) -> Self {
        self.property(name, Rule::Always(Box::new(holds)))
    }

    /// Requires that the condition holds in no tick of any run.
    #[track_caller]
    pub fn never(self, name: &str, holds: impl Fn(&Ticked<'_, C>) -> bool + 'p) -> Self {
        self.property(name, Rule::Always(Box::new(move |tick| !holds(tick))))
    }

    /// Requires that the condition holds in at least one tick of at least one run.
    #[track_caller]
    pub fn sometimes(self, name: &str, holds: impl Fn(&Ticked<'_, C>) -> bool + 'p) -> Self {
        self.property(name, Rule::Sometimes(Box::new(holds)))
    }

    /// Requires that the condition holds sooner or later in every fair run.
    ///
    /// A run is fair if in each state that comes up again and again, each combination of choices is taken again and again. So a leaf that is free to fail does not fail
    /// forever. The property is violated if there is a state from which the condition cannot become true any more, and which can be reached without it. With
    /// [`single_run`](Self::single_run), the end of a run is such a state.
    ///
    /// What is still due is a part of the state, so a property at most doubles the number of states. Many such properties are explored faster
    /// one by one.
    ///
    /// # Panics
    ///
    /// Panics for the 65th property about the future: `eventually`, `leads_to` and `always_possible`.
    #[track_caller]
    pub fn eventually(self, name: &str, holds: impl Fn(&Ticked<'_, C>) -> bool + 'p) -> Self {
        self.property(name, Rule::Eventually(Box::new(holds)))
    }

    /// Requires that after each tick in which `trigger` holds, `response` holds sooner or later in every [fair](Self::eventually) run: in the same tick,
    /// or a later one.
    ///
    /// # Panics
    ///
    /// Panics where [`eventually`](Self::eventually) panics.
    #[track_caller]
    pub fn leads_to(
        self,
        name: &str,
        trigger: impl Fn(&Ticked<'_, C>) -> bool + 'p,
        response: impl Fn(&Ticked<'_, C>) -> bool + 'p,
    ) -> Self {
        self.property(name, Rule::LeadsTo(Box::new(trigger), Box::new(response)))
    }

    /// Requires that from every state, there is a run in which the condition holds: no state is a trap. After the end of a [`single_run`](Self::single_run), the
    /// condition need not hold.
    ///
    /// # Panics
    ///
    /// Panics where [`eventually`](Self::eventually) panics.
    #[track_caller]
    pub fn always_possible(self, name: &str, holds: impl Fn(&Ticked<'_, C>) -> bool + 'p) -> Self {
        self.property(name, Rule::AlwaysPossible(Box::new(holds)))
    }

    /// Requires that after each tick in which `trigger` holds, `response` holds in the same tick, or at most `within` ticks later, in every run, and
    /// before the end of a [`single_run`](Self::single_run).
    #[track_caller]
    pub fn responds(
        self,
        name: &str,
        trigger: impl Fn(&Ticked<'_, C>) -> bool + 'p,
        response: impl Fn(&Ticked<'_, C>) -> bool + 'p,
        within: u32,
    ) -> Self {
        self.property(name, Rule::Responds(Box::new(trigger), Box::new(response), within))
    }

    /// Requires that after each tick in which `trigger` holds, `response` holds in the same tick, or in a later tick before the tree
    /// ends, in every run.
    #[track_caller]
    pub fn before_end(
        self,
        name: &str,
        trigger: impl Fn(&Ticked<'_, C>) -> bool + 'p,
        response: impl Fn(&Ticked<'_, C>) -> bool + 'p,
    ) -> Self {
        self.property(name, Rule::BeforeEnd(Box::new(trigger), Box::new(response)))
    }

    /// Requires that no leaf is ticked twice in a tick. A bounded loop (`repeat(3)`, `retry(3)`) violates this if its child ends
    /// at once.
    pub fn no_leaf_ticks_twice(self) -> Self {
        self.always("no leaf is ticked twice in a tick", |tick| tick.ticked_twice().is_none())
    }

    /// Explores all runs, and returns the result.
    ///
    /// # Panics
    ///
    /// Panics if the state of a node cannot be serialized, if a tick differs when it is repeated, if a leaf that is not free is
    /// asynchronous, if a node needs a clock and nothing can advance the time, and in another exploration.
    #[track_caller]
    pub fn run(mut self) -> Exploration {
        self.search()
    }

    #[track_caller]
    fn search(&mut self) -> Exploration {
        let timed = begin(&self.subject);
        match (self.search)(&mut self.subject) {
            Ok(exploration) => Exploration { timed, ..exploration },
            Err(reason) => panic!("{reason}"),
        }
    }

    /// Explores runs until a property is violated. A shorter counterexample is found before a longer one.
    ///
    /// Returns the result if all properties hold.
    ///
    /// # Panics
    ///
    /// Panics where [`run`](Self::run) panics, with the counterexample if a property is violated, and if a limit ends the exploration, unless that
    /// is [accepted](Self::incomplete).
    #[track_caller]
    pub fn check(mut self) -> Exploration {
        self.subject.setup.stops_at_violation = true;
        let exploration = self.search();
        if let Some(violation) = exploration.violations().next() {
            panic!("{violation}");
        }
        assert!(
            exploration.is_complete() || self.subject.setup.is_complete_optional,
            "the exploration is not complete\n{exploration}help: raise the limit, make the context smaller, or call `incomplete` to accept this"
        );
        exploration
    }
}
