//! The sources of live trees in the page of the inspector.

use bt_inspector::{Document, Inspector};

use crate::source::sources;

/// Lets pages of an inspector show the source files of live trees, each as a document, and edit them as far as the program permits. Files whose first tree is
/// evaluated later are there from then on.
///
/// ```
/// use bt_inspector::Inspector;
///
/// let inspector = Inspector::local()?;
/// bt_live::edit(&inspector);          // pages look at the sources
/// inspector.allow_edit();             // they change the running trees
/// # if false {
/// inspector.allow_write("src")?;      // they save the sources in this folder
/// # }
/// println!("edit at {}", inspector.url());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// A change in the page is applied to all agents with their next tick. What only the compiler can make, such as a leaf that the tree does not have, is an error at its
/// node, and the tree before runs on; saved, it waits for the compiler. A save writes only between the braces of the `tree!`s that have changed.
///
/// While no page is open, it costs nothing.
pub fn edit(inspector: &Inspector) {
    inspector.edit_each(|| {
        let document = |source: crate::Source| Document::file(source.path()).follows_file().target(source);
        sources().into_iter().map(document).collect()
    });
}
