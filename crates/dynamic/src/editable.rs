//! A tree that an editor replaces while agents run.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use bt_behavior3::palette::Entry;
use bt_behavior3::{Diagnostic, EditTree, EditXml, NodeNames, Project};
use bt_core::{Contexts, Single, engine};

use crate::error::LoadError;
use crate::followed::Followed;
use crate::live_tree::LiveTreeOf;
use crate::load::registry::RegistryOf;
use crate::tree::LoadedTreeOf;

/// A tree that an editor replaces while agents run. Its methods are those of [`EditableOf`].
pub type Editable<C> = EditableOf<Single<C>>;

/// A tree that an editor, such as that of the inspector, replaces while agents run.
///
/// A text that begins with `{` is a file of the Behavior3 editor, and one that begins with `<` XML of BehaviorTree.CPP, which the crate `bt-btcpp` reads. With the feature `text`, any
/// other text is that of a `tree!`. Agents, also sleeping ones, follow
/// in their next tick. So do recordings to files and the inspector.
///
#[cfg_attr(feature = "text", doc = "```")]
#[cfg_attr(not(feature = "text"), doc = "```ignore")]
/// use bt_core::prelude::*;
/// use bt_dynamic::bt_behavior3::EditTree;
/// use bt_dynamic::{Editable, LiveTree, Registry};
///
/// let mut registry = Registry::<u32>::new();
/// registry.add_leaf("walk", |steps: &mut u32| { *steps += 1; Status::Running });
/// registry.add_leaf("jump", |steps: &mut u32| { *steps += 10; Status::Running });
///
/// let tree = LiveTree::new();
/// let editable = Editable::new(tree.clone(), registry);
/// editable.apply("walk")?;
/// let (mut steps, mut memory) = (0, tree.memory());
/// tree.tick(&mut steps, &mut memory);
///
/// let edited: &dyn EditTree = &editable; // for an editor, from any thread
/// assert_eq!(edited.check("sequence { wlak }").unwrap_err()[0].to_string(), "1:12: unknown node `wlak`; help: did you mean `walk`?");
/// edited.apply("sequence { jump }").unwrap();
/// tree.tick(&mut steps, &mut memory);
/// assert_eq!(steps, 11);
/// # Ok::<(), bt_dynamic::LoadError>(())
/// ```
pub struct EditableOf<F: Contexts> {
    live: LiveTreeOf<F>,
    registry: Arc<RegistryOf<F>>,
    /// The id or title of the tree in its file.
    name: Option<String>,
    /// The file that the tree follows as well.
    file: Option<Arc<Followed>>,
}

impl<F: Contexts> EditableOf<F> {
    /// Creates an editable tree from a node. Its texts can use the names of the registry.
    pub fn new(live: LiveTreeOf<F>, registry: impl Into<Arc<RegistryOf<F>>>) -> Self {
        // Loops that sleep look for edits.
        engine::follow();
        Self { live, registry: registry.into(), name: None, file: None }
    }

    /// Sets the file that the tree follows as well.
    pub(crate) fn of_file(self, file: Arc<Followed>) -> Self {
        Self { file: Some(file), ..self }
    }

    /// Selects the tree with this id or title, if a text has several. Without this method, the tree that was open last in the editor is selected, or the
    /// first.
    #[must_use]
    pub fn tree_named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// Loads the tree of a text, without replacing the current tree.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn load(&self, text: &str) -> Result<LoadedTreeOf<F>, LoadError> {
        self.registry.load_from(&self.read(text)?, self.name.as_deref())
    }

    fn read(&self, text: &str) -> Result<Project, LoadError> {
        let folder = self.file.as_ref().map_or(Path::new(""), |file| file.folder());
        self.registry.read_any(text, folder)
    }

    /// Replaces the tree with that of a text. Returns the warnings.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid. The current tree is then retained.
    pub fn apply(&self, text: &str) -> Result<Vec<Diagnostic>, LoadError> {
        self.apply_read(text, &self.read(text)?)
    }

    fn apply_read(&self, text: &str, read: &Project) -> Result<Vec<Diagnostic>, LoadError> {
        let tree = self.registry.load_from(read, self.name.as_deref())?;
        let warnings = tree.warnings().to_vec();
        let replace = || self.live.replace(tree);
        match &self.file {
            Some(file) => file.apply(text, replace),
            None => replace(),
        };
        // Agents that sleep are ticked, too.
        engine::count_edit();
        Ok(warnings)
    }
}

impl<F: Contexts> EditTree for EditableOf<F> {
    fn palette(&self) -> Vec<Entry> {
        self.registry.palette()
    }

    fn names(&self) -> NodeNames {
        self.registry.names()
    }

    fn check(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.load(text).map(|tree| tree.warnings().to_vec()).map_err(LoadError::into_diagnostics)
    }

    fn apply(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.apply(text).map_err(LoadError::into_diagnostics)
    }

    fn read(&self, text: &str) -> Option<Result<Project, Vec<Diagnostic>>> {
        Some(self.read(text).map_err(LoadError::into_diagnostics))
    }

    fn apply_read(&self, text: &str, read: &Project) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.apply_read(text, read).map_err(LoadError::into_diagnostics)
    }

    fn xml(&self) -> Option<&dyn EditXml> {
        self.registry.reads_xml().then_some(self)
    }
}

impl<F: Contexts> EditXml for EditableOf<F> {
    fn palette(&self) -> Vec<Entry> {
        self.registry.palette_of_xml()
    }

    fn names(&self) -> NodeNames {
        self.registry.names()
    }

    fn project(&self, text: &str) -> Result<Project, Vec<Diagnostic>> {
        self.read(text).map_err(LoadError::into_diagnostics)
    }
}

impl<F: Contexts> Clone for EditableOf<F> {
    fn clone(&self) -> Self {
        let (live, registry) = (self.live.clone(), Arc::clone(&self.registry));
        Self { live, registry, name: self.name.clone(), file: self.file.clone() }
    }
}

impl<F: Contexts> fmt::Debug for EditableOf<F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Editable").field(&self.live).finish()
    }
}
