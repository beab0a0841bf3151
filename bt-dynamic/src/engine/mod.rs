//! The entries of the engine. They know neither a context nor an observer, so that they and all below them are compiled with this package, not in each
//! program.

pub(crate) mod composite;
pub(crate) mod decorator;
pub(crate) mod machine;
pub(crate) mod region;
pub(crate) mod run;
pub(crate) mod timed;
pub(crate) mod visit;

use bt_core::engine::{DynObserver, WithDyn};
use bt_core::{NodeId, Status};

use crate::engine::run::Run;
use crate::flat::FlatTree;
use crate::flat::code::{Cursor, Reached};
use crate::flat::host::Host;
use crate::flat::memory::LoadedMemory;
use crate::nodes::shape::Shapes;

/// A tree with a memory of that tree.
pub(crate) struct Engine<'a> {
    pub(crate) flat: &'a FlatTree,
    pub(crate) shapes: &'a dyn Shapes,
    /// The root's id.
    pub(crate) at: NodeId,
    pub(crate) memory: &'a mut LoadedMemory,
}

impl Engine<'_> {
    /// Ticks the root. Its parent reports its events.
    pub(crate) fn tick(self, opening: bool, host: &mut dyn Host, observer: Option<&mut dyn DynObserver>) -> Status {
        let Self { flat, shapes, at, memory } = self;
        match observer {
            Some(observer) => Run::new(flat, shapes, at, memory, &mut WithDyn(observer)).visit(0, opening, host),
            None => Run::new(flat, shapes, at, memory, &mut ()).visit(0, opening, host),
        }
    }

    /// Ticks the root, which is the root of a region, from where its code has been reached.
    pub(crate) fn go_on(self, reached: Reached, cursor: &mut Cursor, host: &mut dyn Host) -> Status {
        let Self { flat, shapes, at, memory } = self;
        Run::new(flat, shapes, at, memory, &mut ()).go_on(reached, 0, cursor, host)
    }

    /// Halts the root. Its parent reports the event.
    pub(crate) fn halt(self, host: &mut dyn Host, observer: Option<&mut dyn DynObserver>) {
        let Self { flat, shapes, at, memory } = self;
        match observer {
            Some(observer) => Run::new(flat, shapes, at, memory, &mut WithDyn(observer)).halt_root(host),
            None => Run::new(flat, shapes, at, memory, &mut ()).halt_root(host),
        }
    }

    /// Opens the root if it is a leaf whose statuses are replaced. Its parent has asked the observer.
    pub(crate) fn open_replaced(self, host: &mut dyn Host) -> bool {
        let Self { flat, shapes, at, memory } = self;
        Run::new(flat, shapes, at, memory, &mut ()).open_replaced_root(host)
    }

    /// Changes the state of a running machine, or starts a run of the root in that state.
    pub(crate) fn change_state(
        self,
        machine: Option<usize>,
        state: usize,
        host: &mut dyn Host,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status {
        let Self { flat, shapes, at, memory } = self;
        match observer {
            Some(observer) => {
                Run::new(flat, shapes, at, memory, &mut WithDyn(observer)).change_state(machine, state, host)
            }
            None => Run::new(flat, shapes, at, memory, &mut ()).change_state(machine, state, host),
        }
    }
}
