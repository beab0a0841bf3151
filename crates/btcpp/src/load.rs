//! Trees of XML for a registry.

use std::path::Path;

use bt_behavior3::{Diagnostic, Project};
use bt_core::Contexts;
use bt_dynamic::{LoadError, LoadedTreeOf, RegistryOf};

use crate::builtin::Builtin;
use crate::document::Document;
use crate::models;
use crate::program::Program;

/// Loads trees from the XML of BehaviorTree.CPP.
///
/// A node of the user has its name in the registry. If that is the name of a word of this library, such as `Wait`, it is registered as `btcpp::Wait`.
pub trait XmlRegistry<F: Contexts> {
    /// Loads the tree that a text states as the one to execute, or its only tree. A text cannot include files.
    ///
    /// # Errors
    ///
    /// Returns all errors in the text that can be determined, each with its line and column.
    fn load_xml(&self, text: &str) -> Result<LoadedTreeOf<F>, LoadError>;

    /// Loads the tree that a file states as the one to execute, or its only tree. Included files are read as well: their paths are relative to the
    /// folder of the file that includes them.
    ///
    /// # Errors
    ///
    /// Returns all errors in the files that can be determined, each with its line and column.
    fn load_xml_file(&self, path: impl AsRef<Path>) -> Result<LoadedTreeOf<F>, LoadError>;

    /// Converts a tree of a document, and those that it can contain, for [`load_from`](RegistryOf::load_from). `None` selects the tree that the document
    /// states as the one to execute, or the only one.
    ///
    /// # Errors
    ///
    /// Returns the errors in the nodes of BehaviorTree.CPP and in scripts. Loading reports errors in other nodes.
    fn convert_xml(&self, document: &Document, tree: Option<&str>) -> Result<Project, LoadError>;

    /// Returns a file with the models of the leaves, decorators and composites that the program has added, for the palette of Groot: a `<TreeNodesModel>` with
    /// their ports, defaults and documentation.
    ///
    /// ```
    /// use bt_btcpp::XmlRegistry;
    /// use bt_core::prelude::*;
    /// use bt_dynamic::Registry;
    ///
    /// /// Computes a path.
    /// #[action]
    /// fn plan(_: &mut Board, #[input] goal: i32, #[param(default = 3)] tries: u32, #[output] path: &mut Option<Vec<i32>>) {
    ///     *path = Some((0..goal).collect());
    /// }
    ///
    /// let mut registry = Registry::<Board>::new();
    /// registry.add::<plan>("Plan");
    /// assert_eq!(registry.models_xml(), r#"<?xml version="1.0"?>
    /// <root BTCPP_format="4">
    ///   <TreeNodesModel>
    ///     <Action ID="Plan">
    ///       <input_port name="goal" type="int"/>
    ///       <input_port name="tries" type="int" default="3"/>
    ///       <output_port name="path"/>
    ///       <MetadataFields><Metadata description="Computes a path."/></MetadataFields>
    ///     </Action>
    ///   </TreeNodesModel>
    /// </root>
    /// "#);
    /// ```
    fn models_xml(&self) -> String;

    /// Loads a tree of a document. `None` selects the tree that the document states as the one to execute, or the only one.
    ///
    /// # Errors
    ///
    /// Returns all errors in the trees that can be determined, each with its line and column.
    fn load_document(&self, document: &Document, tree: Option<&str>) -> Result<LoadedTreeOf<F>, LoadError>;
}

impl<F: Contexts> XmlRegistry<F> for RegistryOf<F> {
    fn load_xml(&self, text: &str) -> Result<LoadedTreeOf<F>, LoadError> {
        let include = |_: &str| Err("a text cannot include files; help: use `load_xml_file`".to_owned());
        self.load_document(&Document::read(text, include)?, None)
    }

    fn load_xml_file(&self, path: impl AsRef<Path>) -> Result<LoadedTreeOf<F>, LoadError> {
        self.load_document(&Document::open(path)?, None)
    }

    fn convert_xml(&self, document: &Document, tree: Option<&str>) -> Result<Project, LoadError> {
        Ok(document.to_project(tree, &Program::of(self))?)
    }

    fn models_xml(&self) -> String {
        models::of_palette(&self.palette())
    }

    fn load_document(&self, document: &Document, tree: Option<&str>) -> Result<LoadedTreeOf<F>, LoadError> {
        let project = self.convert_xml(document, tree)?;
        if self.names().arity(Builtin::Script.registered()).is_none() {
            without_nodes(&project)?;
        }
        self.load_from(&project, None)
    }
}

/// Reports the first node of a tree that a registry without the nodes of BehaviorTree.CPP does not have.
fn without_nodes(project: &Project) -> Result<(), Vec<Diagnostic>> {
    let mut nodes = project.trees.iter().flat_map(|tree| &tree.nodes);
    let missing = nodes.find_map(|(_, node)| Some((node.place?, node.name.strip_prefix("btcpp::")?)));
    missing.map_or(Ok(()), |(place, name)| {
        let reason = format!(
            "the registry does not have the nodes of BehaviorTree.CPP, such as {name}; help: call \
             `Nodes::new().add_to(&mut registry)`"
        );
        Err(vec![Diagnostic::at(place, reason)])
    })
}

impl Document {
    /// Reads a file and those that it includes, whose paths are relative to the folder of the file that includes them.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read, and the errors of [`read`](Self::read).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Vec<Diagnostic>> {
        let path = path.as_ref();
        let folder = path.parent().unwrap_or(Path::new(""));
        let text = read_file(path)
            .map_err(|reason| vec![Diagnostic::of_tree("", format!("cannot read `{}`: {reason}", path.display()))])?;
        Self::read(&text, |path| read_file(&folder.join(path)))
    }
}

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// Reads a file. Pipes and devices, which may have no end, are errors.
pub(crate) fn read_file(path: &Path) -> Result<String, String> {
    bt_files::read(path, MAX_FILE).map_err(|error| error.to_string())
}
