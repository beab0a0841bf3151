//! Two versions of a text as a unified difference.

use std::time::Duration;

use similar::TextDiff;

/// The number of unchanged lines around a difference.
const AROUND: usize = 3;
/// The time limit for finding the fewest lines that differ. For large texts that differ everywhere, more lines are shown.
const LIMIT: Duration = Duration::from_millis(200);

/// Returns the difference of two texts in unified format, without the names of files; empty if they are the same.
///
/// ```
/// let difference = bt_syntax::edit::difference("selector { a }\n", "selector { b }\n");
/// assert_eq!(difference, "@@ -1 +1 @@\n-selector { a }\n+selector { b }\n");
/// assert_eq!(bt_syntax::edit::difference("a\n", "a\n"), "");
/// ```
pub fn difference(old: &str, new: &str) -> String {
    TextDiff::configure().timeout(LIMIT).diff_lines(old, new).unified_diff().context_radius(AROUND).to_string()
}

#[cfg(test)]
mod tests {
    /// It would take minutes to find the fewest lines.
    #[test]
    fn large_texts_are_compared_soon() {
        let text =
            |indent: &str| (0..100_000).map(|line| format!("{indent}line {line}")).collect::<Vec<_>>().join("\n");
        let difference = super::difference(&text(""), &text("    "));
        assert_eq!(difference.lines().filter(|line| line.starts_with("-line")).count(), 100_000);
    }
}
