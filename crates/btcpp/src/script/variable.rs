//! How a script uses a variable.

use bt_core::board::Key;

/// A variable of a script.
pub(super) struct Variable {
    pub(super) key: Key<()>,
    pub(super) access: Access,
}

/// How a script uses a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// The script reads the variable or the constant.
    Read,
    /// The script sets the variable.
    Write,
    /// The script reads and sets the variable.
    ReadWrite,
}
