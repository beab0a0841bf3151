//! A live tree that is a machine.

use bt_core::machine::{StateMachine, StateNames};
use bt_core::{NodeId, Observer, Single, Step, Visit};

use super::literal::kept_text;
use super::node::Live;
use super::nodes::{StoreOver, StoreShape};
use crate::flat::memory::LoadedMemory;
use crate::flat::op::NodeOp;
use crate::version::{Form, MemoryOwner, Version};

impl<N: StateNames, S: StoreShape> StateNames for Live<N, S> {
    fn state_name(&self, index: usize) -> Option<&'static str> {
        self.present().version().root_states().nth(index).map(kept_text)
    }
}

impl<T: Form> Version<T> {
    /// Returns the names of the states of the machine at the root, in order; none if the root is something else.
    fn root_states(&self) -> impl Iterator<Item = &str> {
        let root = self.flat.nodes.first().filter(|root| matches!(root.op, NodeOp::Machine { .. }));
        let states = root.map_or(&[][..], |root| self.flat.children_of(root));
        states.iter().filter_map(|state| match &self.flat.nodes[*state as usize].op {
            NodeOp::State { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the name of the present state of the machine at the root.
    fn root_state(&self, kept: &LoadedMemory) -> Option<&str> {
        let words = kept.words.get(self.flat.nodes.first()?.first_word as usize..)?;
        self.root_states().nth(self.flat.nodes[0].op.present_state(words)?)
    }
}

impl<C: ?Sized, N: StateMachine<C>, S: StoreOver<Single<C>>> StateMachine<C> for Live<N, S> {
    fn index_of(&self, (): &(), kept: &LoadedMemory) -> Option<usize> {
        let present = self.present();
        let version = present.version();
        match version.owner_of(kept) {
            MemoryOwner::This => version.root_states().position(|state| Some(state) == version.root_state(kept)),
            // It goes on in the state of this name in its next tick.
            MemoryOwner::Before(before) => {
                version.root_states().position(|state| Some(state) == before.version().root_state(kept))
            }
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
        let status = present.version().change_state::<Single<C>, O>(at, 0, index, was_running, kept, visit);
        Step::<()>::from(status).map(|()| if was_running { None } else { Some(()) })
    }
}
