//! Literal numbers with which a word does nothing.

use crate::analysis::finding::Finding;
use crate::columns::{ParamType, Returns};
use crate::outcomes::Outcomes;
use crate::status_map::StatusMap;
use crate::table::Word;

impl Word {
    /// Returns the mistake of a word with this literal number of runs: it never starts its child, or never starts it again.
    ///
    /// Other arguments have no such values: a time of 0 and a probability of 0 or 1 are amounts that are tuned, and switch a node off while it stays in
    /// the tree.
    ///
    /// ```
    /// use bt_words::Word;
    ///
    /// assert!(Word::Retry.idle(1).is_some() && Word::Retry.idle(2).is_none());
    /// assert!(Word::Limit.idle(0).is_some() && Word::Limit.idle(1).is_none());
    /// ```
    pub const fn idle(self, number: u32) -> Option<Finding> {
        let [param, ..] = self.row().params else { return None };
        let (what, help) = match (param.ty, number, self.row().returns) {
            (ParamType::Times | ParamType::Runs, 0, _) => {
                ("never starts its child", "write a larger number, or remove the node")
            }
            (ParamType::Times, 1, Returns::Map(StatusMap { on_failure: Outcomes::SUCCESS, .. })) => {
                ("never starts its child again", "write a larger number, or `force_success` instead")
            }
            (ParamType::Times, 1, _) => {
                ("never starts its child again", "write a larger number, or remove the decorator")
            }
            _ => return None,
        };
        Some(Finding::Number { word: self, number, what, help })
    }
}
