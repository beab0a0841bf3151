//! Two versions of a text as a unified difference.

use similar::TextDiff;

/// The lines around what differs.
const AROUND: usize = 3;

/// Returns the difference of two texts in unified format, without the names of files; empty if they are the same.
///
/// ```
/// let difference = bt_syntax::edit::difference("selector { a }\n", "selector { b }\n");
/// assert_eq!(difference, "@@ -1 +1 @@\n-selector { a }\n+selector { b }\n");
/// assert_eq!(bt_syntax::edit::difference("a\n", "a\n"), "");
/// ```
pub fn difference(old: &str, new: &str) -> String {
    TextDiff::from_lines(old, new).unified_diff().context_radius(AROUND).to_string()
}
