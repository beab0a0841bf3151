//! The sources of live trees in the page of the inspector.

use bt_inspector::{Document, Inspector};

use crate::source::sources;

/// Lets pages of an inspector show the source files of live trees, each as a document, and edit them as far as the program permits. A file appears when the
/// first of its trees is evaluated.
///
/// ```
/// use bt_inspector::Inspector;
///
/// let inspector = Inspector::local()?;
/// bt_live::edit(&inspector);          // pages show the sources
/// inspector.allow_edit();             // they change the running trees
/// # if false {
/// inspector.allow_write("src")?;      // they save the sources in this folder
/// # }
/// println!("edit at {}", inspector.url());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// A change in the page is applied to all agents in their next tick. What only the compiler can make, such as a leaf that the tree does not have, is an error at its
/// node, and the current tree continues. Once saved, such a change waits for the compiler. A save writes only between the braces of the `tree!`s that have changed.
///
/// While no page is open, this costs nothing.
pub fn edit(inspector: &Inspector) {
    inspector.edit_each(|| {
        let document = |source: crate::Source| Document::file(source.path()).follows_file().target(source);
        sources().into_iter().map(document).collect()
    });
}
