//! The difference of two texts, as lines.

use std::fmt::Write as _;

/// The number of equal lines around changed ones.
const CONTEXT: usize = 3;
/// The maximum size of the table that finds the fewest changed lines. Larger parts are replaced as a whole.
const MAX_CELLS: usize = 4_000_000;

/// A line of a difference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Same(&'a str),
    Removed(&'a str),
    Added(&'a str),
}

/// Returns the difference of two texts in the unified format, without the names of files; empty if they are the same.
///
/// ```
/// use bt_syntax::edit::difference;
///
/// assert_eq!(difference("a\nb\nc\n", "a\nB\nc\n"), "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
/// assert_eq!(difference("a\n", "a\n"), "");
/// ```
pub fn difference(old: &str, new: &str) -> String {
    let lines = lines(old, new);
    let mut text = String::new();
    // The numbers of the lines before `at`.
    let (mut at, mut line, mut new_line) = (0, 0, 0);
    while let Some(first) = (at..lines.len()).find(|index| !is_same(lines[*index])) {
        let begin = first.saturating_sub(CONTEXT).max(at);
        line += begin - at;
        new_line += begin - at;
        let mut end = first + 1;
        let mut same = 0;
        for (index, next) in lines.iter().enumerate().skip(first) {
            same = if is_same(*next) { same + 1 } else { 0 };
            if same == 0 {
                end = index + 1;
            }
            if same > 2 * CONTEXT {
                break;
            }
        }
        let end = (end + CONTEXT).min(lines.len());
        let hunk = &lines[begin..end];
        let count = |not: fn(&Line<'_>) -> bool| hunk.iter().filter(|line| !not(line)).count();
        let removed = count(|line| matches!(line, Line::Added(_)));
        let added = count(|line| matches!(line, Line::Removed(_)));
        let _ = writeln!(text, "@@ -{} +{} @@", range(line, removed), range(new_line, added));
        for one in hunk {
            let (sign, content) = match one {
                Line::Same(content) => (' ', content),
                Line::Removed(content) => ('-', content),
                Line::Added(content) => ('+', content),
            };
            let _ = write!(text, "{sign}{content}");
            if !content.ends_with('\n') {
                text += "\n\\ No newline at end of file\n";
            }
        }
        (at, line, new_line) = (end, line + removed, new_line + added);
    }
    text
}

const fn is_same(line: Line<'_>) -> bool {
    matches!(line, Line::Same(_))
}

/// Returns a range of lines as in the head of a part: an empty one is named by the line before it.
fn range(before: usize, count: usize) -> String {
    let first = if count == 0 { before } else { before + 1 };
    if count == 1 { first.to_string() } else { format!("{first},{count}") }
}

/// Returns the lines of both texts, with the fewest changed ones.
fn lines<'a>(old: &'a str, new: &'a str) -> Vec<Line<'a>> {
    let (old, new): (Vec<_>, Vec<_>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = old[first..].iter().rev().zip(new[first..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (before, after) = (&old[first..old.len() - rest], &new[first..new.len() - rest]);
    let mut all: Vec<_> = old[..first].iter().map(|line| Line::Same(line)).collect();
    if before.len().saturating_mul(after.len()) > MAX_CELLS {
        all.extend(before.iter().map(|line| Line::Removed(line)));
        all.extend(after.iter().map(|line| Line::Added(line)));
    } else {
        changed(before, after, &mut all);
    }
    all.extend(old[old.len() - rest..].iter().map(|line| Line::Same(line)));
    all
}

/// Adds the lines between the equal ones at both ends.
fn changed<'a>(old: &[&'a str], new: &[&'a str], all: &mut Vec<Line<'a>>) {
    let width = new.len() + 1;
    // The number of lines that the rests behind each pair of lines have in common.
    let mut common = vec![0u32; (old.len() + 1) * width];
    for (row, old) in old.iter().enumerate().rev() {
        for (column, new) in new.iter().enumerate().rev() {
            let here = row * width + column;
            common[here] =
                if old == new { common[here + width + 1] + 1 } else { common[here + width].max(common[here + 1]) };
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < old.len() || column < new.len() {
        let here = row * width + column;
        if row < old.len() && column < new.len() && old[row] == new[column] {
            all.push(Line::Same(old[row]));
            (row, column) = (row + 1, column + 1);
        } else if row < old.len() && (column == new.len() || common[here + width] >= common[here + 1]) {
            all.push(Line::Removed(old[row]));
            row += 1;
        } else {
            all.push(Line::Added(new[column]));
            column += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_changes_are_parts_of_their_own() {
        let old: String = (1..=30).map(|line| format!("{line}\n")).collect();
        let new = old.replace("\n5\n", "\nfive\n").replace("\n20\n21\n", "\n");
        let expected = "\
@@ -2,7 +2,7 @@
 2
 3
 4
-5
+five
 6
 7
 8
@@ -17,8 +17,6 @@
 17
 18
 19
-20
-21
 22
 23
 24
";
        assert_eq!(difference(&old, &new), expected);
        let near = old.replace("\n5\n", "\nfive\n").replace("\n12\n", "\n");
        assert_eq!(difference(&old, &near).matches("@@ ").count(), 1, "six equal lines are between them");
    }

    #[test]
    fn empty_texts_and_ends_without_a_newline() {
        assert_eq!(difference("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(difference("a\n", ""), "@@ -1 +0,0 @@\n-a\n");
        assert_eq!(difference("a", "a\n"), "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
    }

    #[test]
    fn large_texts_are_compared_soon() {
        let text = |word: &str| (0..100_000).map(|line| format!("{word} {line}\n")).collect::<String>();
        let found = difference(&text("old"), &text("new"));
        assert!(found.starts_with("@@ -1,100000 +1,100000 @@\n-old 0\n"));
    }
}
