//! Custom composites: a rule over children, written by the user.

use bt_words::{ChildCount, Returns, StatusMap, Word};

use crate::clock::Shift;
use crate::composite::adopted::Adopted;
use crate::composite::marks::Marks;
use crate::composite::rule::{Children, switch_to, tick_rest};
use crate::composite::running::Running;
use crate::composite::wakes::{ChildWakes, ListWakes};
use crate::describe::{Info, Kind, Name, Param, SourceNode, StateType, Visitor, short_name};
use crate::facts::Facts;
use crate::id::NodeId;
use crate::list::{List, ListShape};
use crate::node::{Node, NodeShape, Visit, one_more};
use crate::observer::Observer;
use crate::outcomes::Outcomes;
use crate::stated::{check_stated, is_checked};
use crate::status::{CleanUp, End, Interrupt, Outcome, Status, Step};
use crate::wake::{Foreseen, Wake, WakeVisit};
use crate::walk::{NodeState, OwnState, StateVisitor, any_left, each_way};

/// The context-independent part of a [`Composite`]. [`#[composite]`](macro@crate::composite) generates it from the
/// `impl Composite` block.
///
/// The state of a composite has two parts. [`Open`](Self::Open) exists while the composite runs; [`Kept`](Self::Kept) is
/// kept across runs. The states of the children are stored separately.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a composite",
    label = "not a composite",
    note = "write `#[composite]` before `impl Composite<…> for {Self}`"
)]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait CompositeShape {
    /// The state of the composite while it runs. It is created with `Default` when a run starts, and dropped when the
    /// run ends.
    type Open: Default + Clone + Send + Sync + 'static;
    /// The state that the composite keeps across runs. It is created with `Default` together with the memory.
    type Kept: Default + Clone + Send + Sync + 'static;
    /// The number of children that may run at once: [`OneAtATime`](crate::composite::OneAtATime) or
    /// [`Several`](crate::composite::Several).
    type Running: Running;
    /// The lifetime of the [marks](Children::mark) on children: [`NoMarks`](crate::composite::NoMarks),
    /// [`PerTick`](crate::composite::PerTick) or [`PerRun`](crate::composite::PerRun).
    type Marks: Marks;
    /// The number of children that the composite takes.
    const CHILDREN: ChildCount = ChildCount::ANY;
    /// The statuses that the composite can return, given those of its children. Trees are checked with them.
    ///
    /// With debug assertions, a composite that returns another status at the start of a run panics, unless it keeps state across runs.
    const RETURNS: Returns = match Self::WORD {
        Some(word) => word.row().returns,
        None => Returns::AnyChild(StatusMap::UNKNOWN),
    };
    /// The documentation of the composite, for the palettes of editors. `#[composite]` takes it from the documentation of the impl block.
    const DOC: &'static str = "";
    /// The word of the vocabulary.
    #[doc(hidden)]
    const WORD: Option<Word> = None;
    /// `true` if the rule has no state, and treats a running child like one that starts. See
    /// [`NodeShape::RESTARTS`](crate::NodeShape::RESTARTS).
    #[doc(hidden)]
    const RESTARTS: bool = false;

    /// Returns when the composite, which is running, has to be ticked again. Until then, a tick would
    /// change neither the composite nor its children nor the context. The default is the next tick.
    ///
    /// A composite that only resumes its running child returns [`children.running()`](ChildWakes::running):
    ///
    /// ```
    /// use bt_core::composite::{ChildWakes, Children};
    /// use bt_core::composite::{Composed, compose};
    /// use bt_core::prelude::*;
    /// use bt_core::Wake;
    ///
    /// /// Ticks the last child first; resumes at the running child.
    /// struct Backwards;
    ///
    /// #[composite]
    /// impl<C: ?Sized> Composite<C> for Backwards {
    ///     fn wake(&self, _: &(), _: &(), children: &mut dyn ChildWakes) -> Wake { children.running() }
    ///     fn tick(&self, children: &mut impl Children<C>, _: &mut (), _: &mut (), ctx: &mut C) -> Status {
    ///         let last = children.running().unwrap_or(children.len() - 1);
    ///         for child in (0..=last).rev() {
    ///             match children.tick(child, ctx) {
    ///                 Status::Success => {}
    ///                 status => return status,
    ///             }
    ///         }
    ///         Status::Success
    ///     }
    /// }
    ///
    /// struct Npc { now: Duration }
    /// impl Clock for Npc { fn now(&self) -> Duration { self.now } }
    ///
    /// fn backwards<L>(children: L) -> Composed<Backwards, L> { compose(Backwards, children) }
    ///
    /// let tree = tree! { for Npc: backwards { succeed, wait(secs(3)) } };
    /// let mut memory = tree.memory();
    /// let status = tree.tick(&mut Npc { now: secs(1) }, &mut memory);
    /// assert_eq!(tree.due(status, &memory, &mut Npc { now: secs(1) }), Wake::At(secs(4)));
    /// ```
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, children: &mut dyn ChildWakes) -> Wake {
        Wake::Next
    }

    /// Returns what starting the composite would do, if that is known without an effect. The default is
    /// `None`: it is not known.
    fn foresee(&self, kept: &Self::Kept, children: &mut dyn ChildWakes) -> Foreseen {
        None
    }

    /// Called when an edit of a loaded tree has reordered, added, removed or replaced children of the composite, or has inserted
    /// the composite above running children. A child that the edit has wrapped in another node is still the same child. Converts
    /// the state, which may store children by index. Returns `false` if the composite cannot continue. The composite is then
    /// halted, and its state is cleared.
    ///
    /// The composite may also be not running; then no child is running. This method is not called for a composite that has never
    /// run. By default, a composite continues if its children are [in place](Adopted::is_in_place), or if it has neither state
    /// nor [`PerRun`](crate::composite::PerRun) marks.
    ///
    /// ```
    /// use bt_core::composite::{Adopted, Children};
    /// use bt_core::prelude::*;
    ///
    /// /// Resumes at the child after the last one that succeeded.
    /// struct RoundRobin;
    ///
    /// #[composite]
    /// impl<C: ?Sized> Composite<C> for RoundRobin {
    ///     type Kept = usize;
    ///     fn adopt(&self, _: &mut (), current: &mut usize, children: &mut Adopted<'_>) -> bool {
    ///         let moved = children.moved().nth(*current).flatten();
    ///         *current = children.running().next().or(moved).unwrap_or(0);
    ///         true
    ///     }
    ///     fn tick(&self, children: &mut impl Children<C>, _: &mut (), current: &mut usize, ctx: &mut C) -> Status {
    ///         let status = children.tick(*current, ctx);
    ///         if status == Status::Success {
    ///             *current = (*current + 1) % children.len();
    ///         }
    ///         status
    ///     }
    /// }
    /// ```
    fn adopt(&self, open: &mut Self::Open, kept: &mut Self::Kept, children: &mut Adopted<'_>) -> bool {
        children.is_in_place() || size_of::<(Self::Open, Self::Kept)>() == 0 && !Self::Marks::ARE_OPEN
    }

    /// Returns the outcome of the present run if an edit of a loaded tree has decided it. Called before each tick of a loaded
    /// tree.
    #[doc(hidden)]
    fn decided(&self, open: &mut Self::Open, children: usize) -> Option<Outcome> {
        None
    }

    /// Returns the name of the composite in descriptions. The default is the name of the type.
    fn name(&self) -> &str {
        match Self::WORD {
            Some(word) => word.name(),
            None => short_name::<Self>(),
        }
    }

    /// Converts the times stored by the composite to another clock. See [`Shift`].
    fn shift(&self, open: Option<&mut Self::Open>, kept: &mut Self::Kept, by: Shift) {}

    /// Calls `show` with the parameters of the composite, for descriptions.
    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        show(&[]);
    }
}

/// The rule of a composite: it decides which children are ticked, and what the composite returns.
///
/// In each tick of the composite, [`tick`](Self::tick) is called once. The method ticks and halts children by index, through
/// [`Children`]. The library does the rest:
///
/// - Children that are running when the rule returns an outcome are halted, in order. When it returns `Running`, they
///   stay running.
/// - When the composite is halted, its running children are halted.
/// - When a child returns `Error`, the composite returns `Error`, regardless of the rule. If the rule ticks further
///   children in this tick, they return `Error` without being ticked. A rule that loops must stop at `Error`.
///
/// Implement the trait with [`#[composite]`](macro@crate::composite), which accepts the items of [`CompositeShape`] in the
/// same block. The attribute fills in `()` for `Open` and `Kept`, [`OneAtATime`](crate::composite::OneAtATime) for `Running` and
/// [`NoMarks`](crate::composite::NoMarks) for `Marks` if they are omitted. A function makes the composite available in trees:
///
/// ```
/// use bt_core::composite::Children;
/// use bt_core::composite::{Composed, compose};
/// use bt_core::prelude::*;
///
/// /// Ticks the first child. When it fails, runs the second, and tries the first again, up to `retries` times.
/// struct Recovery { retries: u32 }
///
/// #[composite(children = 2)]
/// impl<C: ?Sized> Composite<C> for Recovery {
///     type Open = u32; // the number of retries in this run
///     fn tick(&self, children: &mut impl Children<C>, retries: &mut u32, _: &mut (), ctx: &mut C) -> Status {
///         loop {
///             if !children.is_running(1) {
///                 match children.tick(0, ctx) {
///                     Status::Failure if *retries < self.retries => *retries += 1,
///                     other => return other,
///                 }
///             }
///             match children.tick(1, ctx) {
///                 Status::Success => {}
///                 other => return other,
///             }
///         }
///     }
/// }
///
/// fn recovery<L>(retries: u32, children: L) -> Composed<Recovery, L> {
///     compose(Recovery { retries }, children)
/// }
///
/// fn follow_path(obstacles: &mut u32) -> bool { *obstacles == 0 }
/// fn clear_costmaps(obstacles: &mut u32) { *obstacles -= 1 }
///
/// let tree = tree! { for u32: recovery(6) { follow_path, clear_costmaps } };
/// assert_eq!(tree.tick(&mut 6, &mut tree.memory()), Status::Success);
/// assert_eq!(tree.tick(&mut 7, &mut tree.memory()), Status::Failure);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a composite over `{C}`",
    label = "not a composite over `{C}`",
    note = "add `#[composite] impl Composite<{C}> for {Self} {{ … }}`"
)]
#[expect(unused_variables, reason = "the defaults ignore their arguments")]
pub trait Composite<C: ?Sized>: CompositeShape {
    /// Ticks the composite. When a run starts, no child is running and `open` has its default value.
    fn tick(
        &self,
        children: &mut impl Children<C>,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        ctx: &mut C,
    ) -> Status;

    /// Called when a run has ended or was halted. The children have been halted.
    fn close(&self, open: &mut Self::Open, kept: &mut Self::Kept, ctx: &mut C, end: End) {}
}

/// Ticks a composite: calls the rule with children that return `Error` after one of them did.
#[inline(always)]
pub fn tick_composite<C: ?Sized, R: Composite<C>>(
    rule: &R,
    children: &mut impl Children<C>,
    open: &mut R::Open,
    kept: &mut R::Kept,
    ctx: &mut C,
) -> Status {
    let mut children = UntilError { children, failed: false };
    let status = rule.tick(&mut children, open, kept, ctx);
    if children.failed { Status::Error } else { status }
}

/// Children that are not ticked after one of them has returned `Error`.
struct UntilError<'a, X> {
    children: &'a mut X,
    failed: bool,
}

impl<C: ?Sized, X: Children<C>> Children<C> for UntilError<'_, X> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.children.len()
    }

    #[inline(always)]
    fn is_running(&self, child: usize) -> bool {
        self.children.is_running(child)
    }

    #[inline(always)]
    fn running(&self) -> Option<usize> {
        self.children.running()
    }

    #[inline(always)]
    fn tick(&mut self, child: usize, ctx: &mut C) -> Status {
        if self.failed {
            return Status::Error;
        }
        let status = self.children.tick(child, ctx);
        self.failed = status == Status::Error;
        status
    }

    #[inline(always)]
    fn halt(&mut self, child: usize, ctx: &mut C) {
        self.children.halt(child, ctx);
    }

    #[inline(always)]
    fn condition(&mut self, ctx: &mut C) -> Outcome {
        if self.failed {
            return Outcome::Error;
        }
        let outcome = self.children.condition(ctx);
        self.failed = outcome == Outcome::Error;
        outcome
    }

    #[inline(always)]
    fn switch_to(&mut self, child: usize, ctx: &mut C) -> Status {
        if self.failed {
            return Status::Error;
        }
        let status = self.children.switch_to(child, ctx);
        self.failed = status == Status::Error;
        status
    }

    #[inline(always)]
    fn is_cleaning_up(&self) -> bool {
        self.children.is_cleaning_up()
    }

    #[inline(always)]
    fn is_marked(&self, child: usize) -> bool {
        self.children.is_marked(child)
    }

    #[inline(always)]
    fn mark(&mut self, child: usize) {
        self.children.mark(child);
    }

    #[inline(always)]
    fn tick_rest<R>(&mut self, ctx: &mut C, mut decide: impl FnMut(Status) -> Option<R>) -> Option<R> {
        if self.failed {
            return None;
        }
        let failed = &mut self.failed;
        let decided = self.children.tick_rest(ctx, |status| {
            let decided = decide(status);
            *failed = status == Status::Error;
            if *failed { Some(decided) } else { decided.map(Some) }
        });
        decided.flatten()
    }

    #[inline(always)]
    fn choose(&mut self, number: usize) -> Option<usize> {
        self.children.choose(number)
    }

    #[inline(always)]
    fn score(&mut self, child: usize, score: f32) {
        self.children.score(child, score);
    }
}

/// Children under the rule of a composite.
#[derive(Clone, Copy, Debug)]
pub struct Composed<R, L> {
    pub(crate) rule: R,
    children: L,
}

/// Puts children under a rule. Functions that are used as composites in a tree return the result. See [`Composite`].
///
/// The children are those in the tree, or a tuple of up to 8 nodes.
///
/// # Panics
///
/// A run of the composite panics when it starts if the number of children is invalid and only known at run time, as for
/// `..patrols`. The compiler checks a number that is known at compile time.
pub const fn compose<R: CompositeShape, L>(rule: R, children: L) -> Composed<R, L> {
    Composed { rule, children }
}

/// The open state of a custom composite and its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ComposedOpen<S, M, X> {
    rule: S,
    marks: M,
    children: X,
}

/// The children of a composite in a tree. `OPENING` if the composite starts in this tick.
struct StaticChildren<'a, const OPENING: bool, L: ListShape, R: CompositeShape, O> {
    list: &'a L,
    /// The id of the composite.
    at: NodeId,
    marks: &'a mut <R::Marks as Marks>::Set<L>,
    open: &'a mut <R::Running as Running>::Open<L>,
    kept: &'a mut L::Kept,
    observer: &'a mut O,
}

impl<const OPENING: bool, L: ListShape, R: CompositeShape, O: Observer> StaticChildren<'_, OPENING, L, R, O> {
    #[inline(always)]
    fn tick_child<const LEAVES: bool, C: ?Sized>(&mut self, child: usize, ctx: &mut C) -> Status
    where
        L: List<C>,
    {
        let visit = &mut Visit::new(ctx, &mut *self.observer);
        let first = self.at.first_child();
        match R::Running::tick::<OPENING, LEAVES, C, L, O>(self.list, child, first, self.open, self.kept, visit) {
            Some(status) => status,
            None => panic!("there is no child {child}: the composite has {} children", self.list.len()),
        }
    }
}

impl<const OPENING: bool, C: ?Sized, L: List<C>, R: CompositeShape, O: Observer> Children<C>
    for StaticChildren<'_, OPENING, L, R, O>
{
    #[inline(always)]
    fn len(&self) -> usize {
        self.list.len()
    }

    #[inline(always)]
    fn is_running(&self, child: usize) -> bool {
        R::Running::has(self.list, self.open, child)
    }

    #[inline(always)]
    fn running(&self) -> Option<usize> {
        R::Running::first(self.list, self.open)
    }

    #[inline(always)]
    fn tick(&mut self, child: usize, ctx: &mut C) -> Status {
        self.tick_child::<false, C>(child, ctx)
    }

    #[inline(always)]
    fn condition(&mut self, ctx: &mut C) -> Outcome {
        let visit = &mut Visit::new(ctx, &mut *self.observer);
        R::Running::condition(self.list, self.at.first_child(), self.open, self.kept, visit)
    }

    #[inline(always)]
    fn switch_to(&mut self, child: usize, ctx: &mut C) -> Status {
        if const { L::EACH.clean_up() } { switch_to(self, child, ctx) } else { self.tick_child::<true, C>(child, ctx) }
    }

    #[inline(always)]
    fn is_cleaning_up(&self) -> bool {
        if const { !L::EACH.clean_up() } {
            return false;
        }
        any_left(|visitor| self.list.walk(self.at.first_child(), (None, &*self.kept).into(), visitor))
    }

    #[inline(always)]
    fn halt(&mut self, child: usize, ctx: &mut C) {
        let visit = &mut Visit::new(ctx, &mut *self.observer);
        R::Running::halt(self.list, child, self.at.first_child(), self.open, self.kept, visit);
    }

    #[inline(always)]
    fn is_marked(&self, child: usize) -> bool {
        R::Marks::has(self.list, self.marks, child)
    }

    #[inline(always)]
    fn mark(&mut self, child: usize) {
        R::Marks::put(self.list, self.marks, child);
    }

    #[inline(always)]
    fn tick_rest<T>(&mut self, ctx: &mut C, mut decide: impl FnMut(Status) -> Option<T>) -> Option<T> {
        // A constant decides, so that the code of the children is there once.
        if R::Running::IS_ONE || !R::Marks::ARE_ON {
            return tick_rest(self, ctx, decide);
        }
        let (slots, set) = (R::Running::slots(self.open)?, R::Marks::of_list(self.marks)?);
        let visit = &mut Visit::new(ctx, &mut *self.observer);
        self.list.tick_rest::<OPENING, T, O>(self.at.first_child(), slots, set, self.kept, visit, &mut decide)
    }

    #[inline(always)]
    fn choose(&mut self, number: usize) -> Option<usize> {
        if O::ON { self.observer.choose(self.at, number).filter(|chosen| *chosen < number) } else { None }
    }

    #[inline(always)]
    fn score(&mut self, child: usize, score: f32) {
        if O::ON {
            self.observer.score(self.list.id_of(child, self.at.first_child()), score);
        }
    }
}

impl<R: CompositeShape, L: ListShape> NodeShape for Composed<R, L> {
    type Open = ComposedOpen<R::Open, <R::Marks as Marks>::Open<L>, <R::Running as Running>::Open<L>>;
    type Kept = (R::Kept, L::Kept);
    const RETURNS: Outcomes = Self::FACTS.returns;
    const FACTS: Facts = {
        let keyword = match R::WORD {
            Some(word) => Some(word.name()),
            None => None,
        };
        let facts = R::RETURNS.facts(keyword, L::EACH);
        Facts { lints: facts.lints.children(R::CHILDREN, L::LEN), ..facts }
    };
    const COUNT: Option<u32> = one_more(L::COUNT);
    const RESTARTS: bool = R::RESTARTS && L::RESTARTS;

    #[inline]
    fn count(&self) -> u32 {
        1 + self.children.count()
    }

    fn walk(&self, at: NodeId, state: NodeState<'_, Self::Open, Self::Kept>, visitor: &mut dyn StateVisitor) {
        visitor.node(at, OwnState::while_running(size_of::<<R::Marks as Marks>::Open<L>>()));
        each_way!(state, |open, (kept, below)| {
            let (rule, children) = match open {
                Some(ComposedOpen { rule, marks: _, children }) => (Some(rule), Some(children)),
                None => (None, None),
            };
            let own = NodeState::from((rule, kept));
            own.visit_timed(at, visitor, |open, kept, by| self.rule.shift(open, kept, by));
            R::Running::walk(&self.children, at, (children, below).into(), visitor);
        });
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.state(StateType::of::<(R::Open, R::Kept)>());
        let mut sources: &[SourceNode] = &[];
        self.rule.params(&mut |params| {
            let name = Name::Known(self.rule.name());
            sources = visitor.enter(&Info { kind: Kind::Composite, name, returns: Self::RETURNS, params });
        });
        self.children.describe(sources, visitor);
        visitor.leave();
    }
}

impl<C: ?Sized, R: Composite<C>, L: List<C>> Node<C> for Composed<R, L> {
    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start<O: Observer>(&self, at: NodeId, kept: &mut Self::Kept, visit: &mut Visit<'_, C, O>) -> Step<Self::Open> {
        // A known number is checked by the compiler.
        if L::LEN.is_none() {
            let (name, takes, found) = (self.rule.name(), R::CHILDREN, self.children.len());
            assert!(takes.contains(found), "`{name}` expects {takes}, found {found}");
        }
        let (rule, marks) = Default::default();
        let mut open = ComposedOpen { rule, marks, children: R::Running::none(&self.children) };
        let step = self.tick::<true, C, O>(at, &mut open, kept, visit);
        if const { is_checked::<R::Kept>(R::WORD) } {
            // An observer can replace the statuses of the children.
            let stated = if O::ON || Self::COUNT.is_none() { R::RETURNS.at_most() } else { Self::RETURNS };
            check_stated("composite", || self.rule.name(), step.status(), stated);
        }
        step.map(|()| open)
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn resume<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        self.tick::<false, C, O>(at, open, kept, visit)
    }

    #[inline]
    fn interrupt<O: Observer>(
        &self,
        at: NodeId,
        open: &mut Self::Open,
        kept: &mut Self::Kept,
        how: Interrupt,
        visit: &mut Visit<'_, C, O>,
    ) {
        R::Running::interrupt_all(&self.children, at.first_child(), &mut open.children, &mut kept.1, how, visit);
        if let Some(end) = how.end() {
            self.rule.close(&mut open.rule, &mut kept.0, visit.ctx, end);
        }
    }

    fn visit_cleanups<O: Observer>(
        &self,
        at: NodeId,
        kept: &mut Self::Kept,
        how: CleanUp,
        visit: &mut Visit<'_, C, O>,
    ) {
        self.children.visit_cleanups(at.first_child(), &mut kept.1, how, visit);
    }

    fn wake_cleanups(&self, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        self.children.wake_cleanups(&kept.1, visit)
    }

    #[inline]
    fn wake(&self, open: &Self::Open, kept: &Self::Kept, visit: &mut WakeVisit<'_, C>) -> Wake {
        let mut children = ListWakes::<C, L, R::Running> {
            list: &self.children,
            open: Some(&open.children),
            kept: &kept.1,
            visit: visit.part(|ctx| ctx),
            event: false,
        };
        self.rule.wake(&open.rule, &kept.0, &mut children)
    }

    #[inline]
    fn foresee(&self, kept: &Self::Kept, ctx: &mut C, event: bool) -> Foreseen {
        let visit = WakeVisit::new(ctx);
        let mut children =
            ListWakes::<C, L, R::Running> { list: &self.children, open: None, kept: &kept.1, visit, event };
        self.rule.foresee(&kept.0, &mut children)
    }
}

impl<R: CompositeShape, L: ListShape> Composed<R, L> {
    /// Ticks the composite, which starts in this tick if `OPENING`.
    #[inline(always)]
    fn tick<const OPENING: bool, C: ?Sized, O: Observer>(
        &self,
        at: NodeId,
        open: &mut <Self as NodeShape>::Open,
        kept: &mut <Self as NodeShape>::Kept,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()>
    where
        R: Composite<C>,
        L: List<C>,
    {
        let mut in_tick = Default::default();
        let mut children = StaticChildren::<OPENING, L, R, O> {
            list: &self.children,
            at,
            marks: R::Marks::set(&mut open.marks, &mut in_tick),
            open: &mut open.children,
            kept: &mut kept.1,
            observer: visit.observer,
        };
        let status = tick_composite(&self.rule, &mut children, &mut open.rule, &mut kept.0, visit.ctx);
        let step = Step::from(status);
        if let Step::Done(outcome) = step {
            let how = Interrupt::ENDED;
            R::Running::interrupt_all(&self.children, at.first_child(), &mut open.children, &mut kept.1, how, visit);
            self.rule.close(&mut open.rule, &mut kept.0, visit.ctx, outcome.into());
        }
        step
    }
}
