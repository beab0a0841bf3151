//! Trees of XML for a registry.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use bt_behavior3::palette::Type;
use bt_behavior3::{Diagnostic, Project};
use bt_core::Contexts;
use bt_dynamic::{LoadError, LoadedTreeOf, RegistryOf};

use crate::document::Document;
use crate::nodes::nav2;

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
        let (mut outputs, mut latching) = (BTreeSet::new(), BTreeSet::new());
        for entry in self.palette() {
            for param in entry.params {
                match param.ty {
                    Type::Variable => _ = outputs.insert((entry.name.clone(), param.name)),
                    _ if param.name == nav2::RESET => _ = latching.insert(entry.name.clone()),
                    _ => {}
                }
            }
        }
        let is_output = |leaf: &str, port: &str| {
            nav2::is_output(leaf, port) || outputs.contains(&(leaf.to_owned(), port.to_owned()))
        };
        Ok(document.lower(tree, &is_output, &|name| nav2::is_latching(name) && latching.contains(name))?)
    }

    fn load_document(&self, document: &Document, tree: Option<&str>) -> Result<LoadedTreeOf<F>, LoadError> {
        self.load_from(&self.convert_xml(document, tree)?, None)
    }
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
        let text = fs::read_to_string(path)
            .map_err(|error| vec![Diagnostic::of_tree("", format!("cannot read `{}`: {error}", path.display()))])?;
        Self::read(&text, |path| fs::read_to_string(folder.join(path)).map_err(|error| error.to_string()))
    }
}
