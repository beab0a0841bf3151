//! Trees in expressions of other trees: each follows its own text.

use bt_syntax::live::{Found, find};

/// Returns a tree in which the trees in its expressions are as they were compiled; `None` if it has none.
///
/// `inner` are trees of the same file, in order, with their compiled texts.
pub(crate) fn with_compiled<'f>(outer: &Found, inner: impl Iterator<Item = (&'f Found, &'f str)>) -> Option<Found> {
    let mut source = String::new();
    let mut end = 0;
    for (found, compiled) in inner {
        // Those after its end are the last ones.
        let Some(at) = offset(outer, found) else { break };
        if at < end {
            continue;
        }
        let written = &outer.source[at..];
        let length = found.source.len() - offset(found, found)?;
        source += &outer.source[end..at];
        source += compiled;
        // What follows stays on its line.
        source.extend(written.get(..length)?.chars().filter(|sign| *sign == '\n'));
        end = at + length;
    }
    if end == 0 {
        return None;
    }
    source += &outer.source[end..];
    let flat = find(&format!("tree! {{{source}}}")).ok()?.into_iter().next()?.flat;
    Some(Found { source, flat, ..outer.clone() })
}

/// Returns where the first token of a tree is in the text of a tree around it, or in its own.
fn offset(outer: &Found, inner: &Found) -> Option<usize> {
    let lines = inner.root.line.checked_sub(outer.start.line)?;
    let before = if lines == 0 { outer.start.column } else { 1 };
    let mut rest = outer.source.as_str();
    for _ in 0..lines {
        rest = rest.split_once('\n')?.1;
    }
    let column = inner.root.column.checked_sub(before)? as usize;
    let (column, _) = rest.char_indices().nth(column)?;
    let at = outer.source.len() - rest.len() + column;
    let is_inside = inner.start > outer.start || std::ptr::eq(inner, outer);
    is_inside.then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of the first tree of a source, in which each other is compiled as `X`.
    fn compiled(source: &str) -> Option<(String, String)> {
        let found = find(source).expect(source);
        with_compiled(&found[0], found[1..].iter().map(|found| (found, "X"))).map(|found| (found.source, found.flat))
    }

    #[test]
    fn trees_in_a_tree_are_as_compiled() {
        let expect = |source, text: &str, flat: &str| {
            assert_eq!(compiled(source), Some((text.to_owned(), flat.to_owned())), "{source}");
        };
        expect("tree! { a, |x| tree! { é, b }, c }", " a, |x| tree! { X}, c ", "a,|x|tree!{X},c");
        expect(
            "tree! { é, (\n tree!(for N: a { tree! { b } }\n\n), c, tree! { d }\n) }\ntree! { e }",
            " é, (\n tree!(for N: X\n\n), c, tree! { X}\n) ",
            "é,(tree!(for N:X),c,tree!{X})",
        );
        assert_eq!(compiled("tree! { a } tree! { b }\ntree! { c }"), None);
    }
}
