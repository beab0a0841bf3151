//! What the scripts of one tree share.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use bt_core::board::Convert;

/// What the scripts of one tree share.
#[derive(Clone, Default)]
pub struct Scope {
    /// The constants by name. A name is looked up here before it is looked up on a board.
    pub constants: Arc<BTreeMap<String, i32>>,
    /// The variables that exist without a value, with the conversions to their types if these are known.
    pub types: Arc<OnceLock<BTreeMap<String, Option<Convert>>>>,
}

impl Scope {
    /// Returns `true` if a variable exists without a value.
    pub(crate) fn has(&self, variable: &str) -> bool {
        self.types.get().is_some_and(|types| types.contains_key(variable))
    }

    /// Returns the conversion to the type of a variable, if it is known.
    pub(crate) fn convert(&self, variable: &str) -> Option<&Convert> {
        self.types.get()?.get(variable)?.as_ref()
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = self.types.get().map(|types| types.keys().collect::<Vec<_>>());
        out.debug_struct("Scope").field("constants", &self.constants).field("types", &types).finish()
    }
}
