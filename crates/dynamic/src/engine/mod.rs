//! The engine of loaded trees.
//!
//! Its entry points depend on neither a context nor an observer, so that they and all below them are compiled with this package, not in
//! each program.

pub(crate) mod composite;
pub(crate) mod decorator;
pub(crate) mod finally;
pub(crate) mod machine;
pub(crate) mod region;
pub(crate) mod run;
pub(crate) mod timed;
pub(crate) mod visit;

use bt_core::engine::{DynObserver, WithDyn};
use bt_core::{Cause, Observer, Status};

use crate::engine::run::Run;
use crate::flat::code::{Cursor, Reached};
use crate::flat::host::Host;

impl Run<'_, ()> {
    /// Ticks the root. Its parent reports its events.
    pub(crate) fn tick(&mut self, opening: bool, host: &mut dyn Host) -> Status {
        self.visit(0, opening, host)
    }

    /// Ticks the root, with an observer.
    pub(crate) fn tick_observed(
        &mut self,
        opening: bool,
        host: &mut dyn Host,
        observer: &mut dyn DynObserver,
    ) -> Status {
        self.with(&mut WithDyn(observer)).visit(0, opening, host)
    }

    /// Ticks the root, which is the root of a region, from where its code has been reached.
    pub(crate) fn tick_from(&mut self, reached: Reached, cursor: &mut Cursor, host: &mut dyn Host) -> Status {
        self.go_on(reached, 0, cursor, host)
    }

    /// Halts the root. Its parent reports the event.
    pub(crate) fn halt_root(&mut self, why: Cause, host: &mut dyn Host, observer: Option<&mut dyn DynObserver>) {
        match observer {
            Some(observer) => self.with(&mut WithDyn(observer)).halt_open_root(why, host),
            None => self.halt_open_root(why, host),
        }
    }

    /// Opens the root if it is a leaf whose statuses are replaced. Its parent has called the observer.
    pub(crate) fn open_replaced_root(&mut self, host: &mut dyn Host) -> bool {
        let is_open = self.open_replaced(&self.flat.nodes[0], host);
        self.set_open(0, is_open);
        is_open
    }

    /// Changes the state of a running machine, or starts a run of the root in that state.
    pub(crate) fn change_state(
        &mut self,
        machine: Option<usize>,
        state: usize,
        host: &mut dyn Host,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status {
        match observer {
            Some(observer) => self.with(&mut WithDyn(observer)).enter_state(machine, state, host),
            None => self.enter_state(machine, state, host),
        }
    }

    /// Returns the same with an observer.
    pub(crate) const fn with<'r, O: Observer>(&'r mut self, observer: &'r mut O) -> Run<'r, O> {
        let Self { flat, shapes, at, restarts, .. } = *self;
        Run { flat, shapes, at, memory: self.memory, observer, restarts }
    }
}
