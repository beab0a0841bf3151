//! A text as it was read.

use std::any::Any;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A text, with what its notation finds in it. Clones share both.
#[derive(Clone, Debug)]
pub(super) struct Original(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    text: Box<str>,
    found: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Original {
    pub(super) fn new(text: &str) -> Self {
        Self(Arc::new(Parts { text: text.into(), found: OnceLock::new() }))
    }

    /// Returns what is found in the text, for which it is searched only once; `None` if it has been searched for something of another type.
    pub(super) fn found<T: Any + Send + Sync>(&self, find: impl FnOnce(&str) -> T) -> Option<&T> {
        self.0.found.get_or_init(|| Box::new(find(self))).downcast_ref()
    }
}

impl Deref for Original {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}
