//! Observers that consist of others: references, options, tuples, observers for one agent.

use crate::id::NodeId;
use crate::observer::{ForAgent, Observer, Tick, VariableView};
use crate::status::{End, Status};
use crate::visitor::Visitor;

/// Implements the events of ticks, for each of several `Option<&mut impl Observer>`.
macro_rules! tell_ticks {
    (|$this:ident| $($one:expr),+) => {
        #[inline(always)]
        fn skipped(&mut self) { let $this = self; $(if let Some(one) = $one { one.skipped() })+ }
        fn edited(&mut self, edits: u32, describe: &dyn Fn(&mut dyn Visitor)) { let $this = self; $(if let Some(one) = $one { one.edited(edits, describe) })+ }
        #[inline(always)]
        fn begin(&mut self, tick: Tick) { let $this = self; $(if let Some(one) = $one { one.begin(tick) })+ }
        #[inline(always)]
        fn end(&mut self, tick: Tick, status: Option<Status>) { let $this = self; $(if let Some(one) = $one { one.end(tick, status) })+ }
        fn variable(&mut self, tick: Tick, variable: &VariableView<'_>) { let $this = self; $(if let Some(one) = $one { one.variable(tick, variable) })+ }
    };
}

/// Implements the events of nodes, for each of several `Option<&mut impl Observer>`.
macro_rules! tell_nodes {
    (|$this:ident| $($one:expr),+) => {
        #[inline(always)]
        fn enter(&mut self, at: NodeId) { let $this = self; $(if let Some(one) = $one { one.enter(at) })+ }
        #[inline(always)]
        fn open(&mut self, at: NodeId) { let $this = self; $(if let Some(one) = $one { one.open(at) })+ }
        #[inline(always)]
        fn tick(&mut self, at: NodeId, status: Status) { let $this = self; $(if let Some(one) = $one { one.tick(at, status) })+ }
        #[inline(always)]
        fn close(&mut self, at: NodeId, end: End) { let $this = self; $(if let Some(one) = $one { one.close(at, end) })+ }
        #[inline(always)]
        fn state(&mut self, at: NodeId, state: usize) { let $this = self; $(if let Some(one) = $one { one.state(at, state) })+ }
        #[inline(always)]
        fn score(&mut self, at: NodeId, score: f32) { let $this = self; $(if let Some(one) = $one { one.score(at, score) })+ }
        fn error(&mut self, at: NodeId, error: &dyn core::fmt::Display) { let $this = self; $(if let Some(one) = $one { one.error(at, error) })+ }
        fn failure(&mut self, at: NodeId, reason: &dyn core::fmt::Display) { let $this = self; $(if let Some(one) = $one { one.failure(at, reason) })+ }
        #[inline(always)]
        fn replacement(&mut self, at: NodeId) -> Option<Status> {
            let $this = self;
            let mut status = None;
            $(if let Some(one) = $one { status = one.replacement(at).or(status) })+
            status
        }
        #[inline(always)]
        fn force_state(&mut self, at: NodeId) -> Option<usize> {
            let $this = self;
            let mut state = None;
            $(if let Some(one) = $one { state = one.force_state(at).or(state) })+
            state
        }
        #[inline(always)]
        fn choose(&mut self, at: NodeId, left: usize) -> Option<usize> {
            let $this = self;
            let mut child = None;
            $(if let Some(one) = $one { child = one.choose(at, left).or(child) })+
            child
        }
        #[inline(always)]
        fn exit(&mut self, at: NodeId, status: Status) { let $this = self; $(if let Some(one) = $one { one.exit(at, status) })+ }
    };
}

impl<O: Observer> Observer for &mut O {
    const ON: bool = O::ON;
    const INLINE: bool = O::INLINE;
    const SLEEPS: bool = O::SLEEPS;

    #[inline(always)]
    fn is_asleep(&self) -> bool {
        (**self).is_asleep()
    }

    tell_ticks! { |this| Some(&mut **this) }
    tell_nodes! { |this| Some(&mut **this) }
}

/// An optional observer. `None` is asleep.
impl<O: Observer> Observer for Option<O> {
    const ON: bool = O::ON;
    const INLINE: bool = O::INLINE;
    const SLEEPS: bool = true;

    #[inline(always)]
    fn is_asleep(&self) -> bool {
        self.as_ref().is_none_or(|one| O::SLEEPS && one.is_asleep())
    }

    tell_ticks! { |this| this }
    tell_nodes! { |this| this }
}

#[cfg(feature = "alloc")]
pub(crate) use tell_nodes;

/// Several observers, which receive each event in order. The tuple sleeps if all of them sleep; while one is awake, all
/// receive the events.
macro_rules! tuples {
    ($($($O:ident $index:tt),+;)+) => {$(
        impl<$($O: Observer),+> Observer for ($($O,)+) {
            const ON: bool = $($O::ON)||+;
            const INLINE: bool = $(($O::INLINE || !$O::ON))&&+;
            const SLEEPS: bool = $(($O::SLEEPS || !$O::ON))&&+;

            #[inline(always)]
            fn is_asleep(&self) -> bool {
                $((!$O::ON || self.$index.is_asleep()))&&+
            }

            tell_ticks! { |this| $(Some(&mut this.$index)),+ }
            tell_nodes! { |this| $(Some(&mut this.$index)),+ }
        }
    )+};
}

tuples! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}

impl<O: Observer> Observer for ForAgent<'_, O> {
    const ON: bool = O::ON;
    const INLINE: bool = O::INLINE;
    const SLEEPS: bool = O::SLEEPS;

    #[inline(always)]
    fn is_asleep(&self) -> bool {
        self.observer.is_asleep()
    }

    #[inline(always)]
    fn skipped(&mut self) {
        self.observer.skipped();
    }

    fn edited(&mut self, edits: u32, describe: &dyn Fn(&mut dyn Visitor)) {
        self.observer.edited(edits, describe);
    }

    #[inline(always)]
    fn begin(&mut self, _: Tick) {
        self.observer.begin(self.tick);
    }

    #[inline(always)]
    fn end(&mut self, _: Tick, status: Option<Status>) {
        self.observer.end(self.tick, status);
    }

    fn variable(&mut self, _: Tick, variable: &VariableView<'_>) {
        self.observer.variable(self.tick, variable);
    }

    tell_nodes! { |this| Some(&mut *this.observer) }
}
