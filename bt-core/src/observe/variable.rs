//! A variable of a board, for observers and tools.

use core::fmt;

/// A variable, for tools.
#[derive(Clone, Copy)]
pub struct VariableView<'a> {
    /// Its name.
    pub name: &'a str,
    /// The tree, and perhaps the node of it, that it belongs to; `None` if it is global.
    pub of: Option<(&'a str, Option<crate::NodeId>)>,
    /// The name of its type.
    pub type_name: &'static str,
    /// Its value, if it is set.
    pub value: Option<&'a dyn fmt::Debug>,
    /// How often it has changed, where that is counted.
    pub changes: Option<u64>,
}

impl fmt::Display for VariableView<'_> {
    /// Its name, after the tree and the node that it belongs to: `guard #3: hunger`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of {
            None => {}
            Some((tree, None)) => write!(out, "{tree}: ")?,
            Some((tree, Some(node))) => write!(out, "{tree} {node}: ")?,
        }
        out.write_str(self.name)
    }
}
