//! Replaces a loaded tree while agents run.

pub(crate) mod adopt;
pub(crate) mod handover;
pub(crate) mod migrated;
pub(crate) mod opening;
pub(crate) mod plan;

use bt_core::describe::Matching;
use bt_core::engine::{self, Ticking};
use bt_core::{Memory, NodeId, NodeShape};

use crate::answers::Answers;
use crate::answers::nodes::Nodes;
use crate::edit::handover::Edit;
use crate::edit::migrated::Migrated;
use crate::flat::memory::LoadedMemory;
use crate::nodes::shape::Shapes;
use crate::tree::LoadedTreeOf;
use crate::version::{Form, MemoryOwner, Version};
use bt_core::{ContextOf, Contexts};

impl<F: Contexts> LoadedTreeOf<F> {
    /// Migrates an agent from this tree to `new`. Running nodes continue where possible; this tree halts the others, deepest first. A leaf whose properties have
    /// changed is opened again only where everything before it has run. A cleanup that `new` does not have is halted, and not finished; another one in its place
    /// begins in the next tick. The page "Editing a
    /// running tree" of the guide has the rules. Returns whether the agent starts a new run, and the halted leaves. Does nothing if the memory does not belong to this
    /// tree. The registry of `new` may be another: a leaf of the same name but of another type is halted, and the new leaf is opened.
    ///
    /// ```
    /// use bt_dynamic::Registry;
    /// use bt_core::prelude::*;
    ///
    /// let mut registry = Registry::<Vec<&'static str>>::new();
    /// registry.add_leaf("Walk", |log: &mut Vec<_>| { log.push("walk"); Status::Success });
    /// registry.add_leaf("Sing", |log: &mut Vec<_>| { log.push("sing"); Status::Success });
    /// let file = |last| format!(r#"{{ "root": "1", "nodes": {{
    ///     "1": {{ "name": "MemSequence", "children": ["2", "3", "4"] }},
    ///     "2": {{ "name": "Walk" }}, "3": {{ "name": "wait_until", "child": "5" }}, "5": {{ "name": "Failer" }}, "4": {{ "name": "{last}" }}
    /// }} }}"#);
    /// let old = registry.load(&file("Walk"))?;
    /// let (mut log, mut memory) = (vec![], old.memory());
    /// old.tick(&mut log, &mut memory);
    ///
    /// let new = registry.load(&file("Sing").replace("Failer", "Succeeder"))?;
    /// old.reload(&new, &mut memory, &mut log);
    /// new.tick(&mut log, &mut memory);            // resumes the wait; then runs the new end
    /// assert_eq!(log, ["walk", "sing"]);
    /// # Ok::<(), bt_dynamic::LoadError>(())
    /// ```
    pub fn reload(&self, new: &Self, memory: &mut Memory<Self>, ctx: &mut ContextOf<'_, '_, F>) -> Migrated {
        migrate(self, new, memory, ctx)
    }

    /// Returns which nodes are which nodes of a tree that replaces this one: by id and name in a file, by comparison in a text. A leaf
    /// whose properties have changed is another leaf if what is before it in a sequence has not run there. Attached leaves, and the nodes of a subtree that is one leaf of the file, go with their node.
    #[must_use]
    pub fn matching(&self, new: &Self) -> Matching {
        self.version.matching(&new.version)
    }
}

/// Migrates the agent of a node that has the memory of a loaded tree.
pub(crate) fn migrate<F: Contexts, T: Form<Nodes: Nodes<F>>, N: NodeShape<Open = (), Kept = LoadedMemory>>(
    old: &T,
    new: &T,
    memory: &mut Memory<N>,
    ctx: &mut ContextOf<'_, '_, F>,
) -> Migrated {
    let (open, kept) = engine::parts_mut(memory);
    let (old, new) = (old.version(), new.version());
    // Otherwise it has migrated already, or belongs to an earlier tree and migrates in its next tick.
    if !matches!(old.owner_of(kept), MemoryOwner::This) || kept.version == new.flat.version {
        return Migrated::default();
    }
    let ticking = Ticking::new(open, true);
    let migrated = old.take_over::<F>(new, NodeId::ROOT, ticking.open.is_some(), kept, ctx);
    if migrated.starts_afresh {
        *ticking.open = None;
    }
    ticking.done();
    migrated
}

impl<T: Form> Version<T> {
    /// Converts a memory of this tree to another.
    pub(crate) fn take_over<F: Contexts>(
        &self,
        new: &Self,
        at: NodeId,
        open: bool,
        kept: &mut LoadedMemory,
        ctx: &mut ContextOf<'_, '_, F>,
    ) -> Migrated
    where
        T::Nodes: Nodes<F>,
    {
        let shapes: [&dyn Shapes; 2] = [&self.nodes, &new.nodes];
        let migration = &*self.migrations.to(&self.flat, &new.flat, shapes);
        let edit = Edit { old: &self.flat, new: &new.flat, shapes, migration, at };
        let stopped = edit.stop(open, kept, &mut Answers::<F, _>::new(&self.nodes, ctx));
        edit.go_on(stopped, open, kept, &mut Answers::<F, _>::new(&new.nodes, ctx))
    }

    /// Returns which nodes are which nodes of a tree that replaces this one.
    pub(crate) fn matching(&self, new: &Self) -> Matching {
        self.flat.matching(&self.nodes, &new.flat, &new.nodes)
    }
}
