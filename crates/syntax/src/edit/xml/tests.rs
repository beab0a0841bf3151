//! What tests look at.

use super::around::{near, tail};
use super::place::{Gone, Source};

impl Gone {
    pub(in crate::edit) const fn source(&self) -> &Source {
        &self.source
    }
}

impl Source {
    /// Returns the element with the comments that belong to it.
    pub(in crate::edit) fn with_comments(&self) -> String {
        let found = self.found().expect("it is XML");
        format!("{}{}{}", near(&found), found.source(), tail(&found))
    }
}
