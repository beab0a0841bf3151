//! Whether nodes return what their declarations state.

use crate::outcomes::Outcomes;
use crate::status::Status;

/// Panics with debug assertions if a node returns a status that is not among those of its declaration.
#[inline(always)]
pub fn check_stated<'a>(kind: &str, name: impl FnOnce() -> &'a str, status: Status, stated: Outcomes) {
    debug_assert!(
        stated.contains(status.into()),
        "the {kind} `{}` returned {status:?}, but its `const RETURNS` allows {stated}",
        name()
    );
}
