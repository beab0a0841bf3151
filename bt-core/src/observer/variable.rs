//! A variable of a board, for observers and tools.

use core::fmt;

/// A variable of a board, for observers and tools.
#[derive(Clone, Copy)]
pub struct VariableView<'a> {
    /// The name of the variable.
    pub name: &'a str,
    /// The tree that the variable belongs to, and the node if it belongs to a node; `None` if the variable is global.
    pub of: Option<(&'a str, Option<crate::NodeId>)>,
    /// The name of the variable's type.
    pub type_name: &'static str,
    /// The value, if the variable is set.
    pub value: Option<&'a dyn fmt::Debug>,
    /// The number of changes, if they are counted.
    pub changes: Option<u64>,
}

impl fmt::Display for VariableView<'_> {
    /// Formats the name, after the tree and the node that the variable belongs to: `guard #3: hunger`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            None => {}
            Some((tree, None)) => write!(out, "{tree}: ")?,
            Some((tree, Some(node))) => write!(out, "{tree} {node}: ")?,
        }
        out.write_str(self.name)
    }
}
