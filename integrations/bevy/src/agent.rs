//! The methods of an agent, for leaves.

use core::fmt;
use core::ops::{Deref, DerefMut};
use core::time::Duration;

use bevy_ecs::query::QueryItem;
use bevy_ecs::system::{Commands, EntityCommands};
use bt_core::board::HasBoard;
use bt_core::{Clock, NodeId, OnError, Random};
use rand_pcg::Pcg32;

use crate::behavior::{Agent, Behavior};

impl<G: Behavior> Agent<'_, '_, G> {
    /// Describes a node of the tree as in drawings, with its place in the source or in the file. For error messages: see [`Behavior::on_error`].
    pub fn describe(&self, at: NodeId) -> String {
        self.tree.describe(at)
    }

    /// Returns the commands of the tick. They are applied after all entities were ticked, as in any system: a leaf that despawns its
    /// entity does not end the tick.
    pub fn commands(&mut self) -> Commands<'_, '_> {
        self.commands.reborrow()
    }

    /// Returns the elapsed time of the schedule's clock: [`Time`](bevy_time::Time), which is virtual time in `Update` and fixed time in `FixedUpdate`.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// Returns the commands of this entity. To use other parts of the agent in between, copy [`entity`](Self::entity) and use
    /// [`commands`](Self::commands).
    pub fn entity_commands(&mut self) -> EntityCommands<'_> {
        self.commands.entity(self.entity)
    }

    /// Returns the time since the previous run of the system that ticks the trees of this behavior. With a run condition, that can be several
    /// frames. For an entity that has slept, more time has passed since its last tick.
    pub fn delta(&self) -> Duration {
        self.delta
    }

    /// Returns a random number generator. Its seed is computed from that of the [plugin](crate::TreePlugin::seed), the behavior, the entity, and the
    /// number of the tick, so a run of the app with the same seed and the same entities repeats.
    pub fn rng(&mut self) -> &mut Pcg32 {
        let (seed, entity) = (self.seed, self.entity.to_bits());
        self.rng.get_or_insert_with(|| Pcg32::new(seed, entity))
    }
}

impl<'a, 'w, G: Behavior> Deref for Agent<'a, 'w, G> {
    type Target = QueryItem<'a, 'w, G::Data>;

    fn deref(&self) -> &Self::Target {
        &self.data
    }
}

impl<G: Behavior> DerefMut for Agent<'_, '_, G> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.data
    }
}

impl<G: Behavior> Clock for Agent<'_, '_, G> {
    fn now(&self) -> Duration {
        self.now
    }
}

impl<G: Behavior> Random for Agent<'_, '_, G> {
    type Rng = Pcg32;

    fn rng(&mut self) -> &mut Pcg32 {
        self.rng()
    }
}

impl<G: Behavior, E: fmt::Display> OnError<E> for Agent<'_, '_, G> {
    fn on_error(&mut self, at: NodeId, error: E) {
        G::on_error(self, at, &error);
    }
}

/// An agent has the board of its [`data`](Agent::data): implement `HasBoard` for the item that `#[derive(QueryData)]` generates.
impl<'a, 'w, G: Behavior, B: ?Sized> HasBoard<B> for Agent<'a, 'w, G>
where
    QueryItem<'a, 'w, G::Data>: HasBoard<B>,
{
    fn board(&self) -> &B {
        self.data.board()
    }

    fn board_mut(&mut self) -> &mut B {
        self.data.board_mut()
    }

    fn shared_board(&self) -> Option<&B> {
        self.data.shared_board()
    }
}

impl<G: Behavior> fmt::Debug for Agent<'_, '_, G> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Agent").field("entity", &self.entity).field("now", &self.now).finish_non_exhaustive()
    }
}
