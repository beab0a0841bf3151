//! A live tree that is a machine.

use bt_core::machine::{StateMachine, StateNames};
use bt_core::{NodeId, Observer, Single, Step, protocol::Visit};

use super::literal::kept_text;
use super::node::Live;
use super::nodes::{StoreOver, StoreShape};
use crate::flat::memory::LoadedMemory;
use crate::version::{Form, MemoryOwner};

impl<N: StateNames, S: StoreShape> StateNames for Live<N, S> {
    fn state_name(&self, index: usize) -> Option<&'static str> {
        self.present().version().flat.states_of(ROOT).nth(index).map(kept_text)
    }
}

/// The index of the node of the machine.
const ROOT: usize = 0;

impl<C: ?Sized, N: StateMachine<C>, S: StoreOver<Single<C>>> StateMachine<C> for Live<N, S> {
    fn index_of(&self, (): &(), kept: &LoadedMemory) -> Option<usize> {
        let present = self.present();
        let version = present.version();
        let index_of = |name| version.flat.states_of(ROOT).position(|state| state == name);
        match version.owner_of(kept) {
            MemoryOwner::This => version.flat.state_name(ROOT, kept).and_then(index_of),
            // It goes on in the state of this name in its next tick.
            MemoryOwner::Before(before) => before.version().flat.state_name(ROOT, kept).and_then(index_of),
            MemoryOwner::Unknown => None,
        }
    }

    fn force<O: Observer>(
        &self,
        at: NodeId,
        index: usize,
        open: Option<&mut ()>,
        kept: &mut LoadedMemory,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<Option<()>> {
        let was_running = open.is_some();
        let present = self.present();
        let status = present.version().change_state::<Single<C>, O>(at, ROOT, index, was_running, kept, visit);
        Step::<()>::from(status).map(|()| if was_running { None } else { Some(()) })
    }
}
