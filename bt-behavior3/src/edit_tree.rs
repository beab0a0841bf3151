//! A tree of a running program, as an editor sees it.

use crate::diagnostic::Diagnostic;
use crate::names::NodeNames;
use crate::palette::Entry;

/// A tree of a running program that an editor replaces: without the type of its context, and from any thread.
///
/// `Editable` of `bt-dynamic` is one for trees that are loaded, and `Source` of `bt-live` for the trees of a source file.
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

    /// Replaces the tree by that of a text. Agents follow with their next tick. Returns the warnings.
    ///
    /// # Errors
    ///
    /// Returns all errors that can be determined. The tree before goes on.
    fn apply(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>>;

    /// Returns the errors of the text that was applied last that only a tick could find. The tree before goes on. Editors ask often.
    fn errors(&self) -> Vec<Diagnostic> {
        Vec::new()
    }
}
