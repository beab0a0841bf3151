//! A tree of a running program, for an editor.

use crate::diagnostic::Diagnostic;
use crate::format::Project;
use crate::names::NodeNames;
use crate::palette::Entry;

/// A tree of a running program that an editor replaces, from any thread and without the type of its context.
///
/// `Editable` of `bt-dynamic` implements it for loaded trees, and `Source` of `bt-live` for the trees of a source file.
pub trait EditTree: Send + Sync {
    /// Returns the nodes that the editor offers.
    fn palette(&self) -> Vec<Entry>;

    /// Returns the names of the program's nodes.
    fn names(&self) -> NodeNames;

    /// Checks a text as [`apply`](Self::apply) does, and changes nothing. Returns the warnings of a valid text.
    ///
    /// # Errors
    ///
    /// Returns all errors that can be determined.
    fn check(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>>;

    /// Replaces the tree with that of a text. Agents follow in their next tick. Returns the warnings.
    ///
    /// # Errors
    ///
    /// Returns all errors that can be determined. The current tree is then retained.
    fn apply(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>>;

    /// Reads the trees of a text, which an editor then reads only once; `None` if they are not read as data.
    fn read(&self, _text: &str) -> Option<Result<Project, Vec<Diagnostic>>> {
        None
    }

    /// Replaces the tree as [`apply`](Self::apply) does, with one of those that [`read`](Self::read) has read from the text.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`apply`](Self::apply).
    fn apply_read(&self, text: &str, _read: &Project) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.apply(text)
    }

    /// Returns the errors of the last applied text that only a tick can find. The previous tree then continues. Editors call this
    /// method often.
    fn errors(&self) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Returns what the program knows of XML; `None` if it cannot read XML.
    fn xml(&self) -> Option<&dyn EditXml> {
        None
    }
}

/// What an editor has to know of the XML of BehaviorTree.CPP.
///
/// `Editable` of `bt-dynamic` implements it for registries with the nodes of `bt-btcpp`, and `XmlNodes` of `bt-btcpp` for files that no program runs.
pub trait EditXml: Send + Sync {
    /// Returns the nodes that the editor offers, by their names in XML.
    fn palette(&self) -> Vec<Entry>;

    /// Returns the names of nodes in the trees that [`project`](Self::project) returns.
    fn names(&self) -> NodeNames;

    /// Reads the trees of an XML text.
    ///
    /// # Errors
    ///
    /// Returns all errors that can be determined.
    fn project(&self, text: &str) -> Result<Project, Vec<Diagnostic>>;
}
