//! A check that nodes return only statuses of their declarations.

use bt_words::Word;

use crate::outcomes::Outcomes;
use crate::status::Status;

/// Returns `true` if the statuses of a node with this state are checked. This holds for a user-defined node whose state cannot
/// come from a save or from the tree before a reload, in which its children may have returned other statuses. (Tests of this
/// library check the nodes of the vocabulary.)
#[inline(always)]
pub const fn is_checked<State>(word: Option<Word>) -> bool {
    word.is_none() && size_of::<State>() == 0
}

/// Panics with debug assertions if a node returns a status that its declaration does not contain.
#[inline(always)]
pub fn check_stated<'a>(kind: &str, name: impl FnOnce() -> &'a str, status: Status, stated: Outcomes) {
    if cfg!(debug_assertions) && !stated.contains(status.into()) {
        unstated(kind, name(), status, stated);
    }
}

#[cold]
fn unstated(kind: &str, name: &str, status: Status, stated: Outcomes) -> ! {
    panic!("the {kind} `{name}` returned {status:?}, but its `const RETURNS` allows {stated}");
}
