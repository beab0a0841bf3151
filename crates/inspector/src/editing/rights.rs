//! The rights of a page.

/// What a page may do with a document, besides looking at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rights {
    pub(crate) edit: bool,
    pub(crate) write: bool,
}
