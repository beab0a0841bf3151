//! The comments and the space around an element: which of them belong to it.

use super::source::Found;

/// Returns what is before an element, without what belongs to the tag or the element before it: comments, and space.
pub(super) fn lead<'e>(found: &Found<'e>) -> &'e str {
    let begin = if found.is_first { line_end(found.before).unwrap_or(0) } else { tail_end(found.before) };
    &found.before[begin..]
}

/// Returns what of that belongs to the element. Comments before a blank line do not.
pub(super) fn near<'e>(found: &Found<'e>) -> &'e str {
    &lead(found)[far(found).len()..]
}

/// Returns the comments before an element that do not belong to it.
pub(super) fn far<'e>(found: &Found<'e>) -> &'e str {
    let lead = lead(found);
    let ends = line_ends(lead).collect::<Vec<_>>();
    let is_blank = |pair: &&[usize]| lead[pair[0]..pair[1]].trim().is_empty();
    let blank = ends.windows(2).rfind(is_blank).map_or(0, |pair| pair[0]);
    let far = lead[..blank].trim_end();
    if far.contains("<!--") || far.contains("<?") { far } else { "" }
}

/// Returns what is behind the first tag of an element in its line.
pub(super) fn behind_tag<'e>(found: &Found<'e>) -> &'e str {
    let inside = found.element.inside.clone().unwrap_or_default();
    let first = found.children().next().map_or(&found.text[inside], |first| first.before);
    line_end(first).map_or("", |end| &first[..end])
}

/// Returns what is behind the first tag of an element in its line; all that is inside of one that has no children.
pub(super) fn first<'e>(found: &Found<'e>) -> &'e str {
    let inside = found.element.inside.clone().unwrap_or_default();
    if found.element.children.is_empty() { &found.text[inside] } else { behind_tag(found) }
}

/// Returns what is before the last tag of an element, without what belongs to the last child.
pub(super) fn last<'e>(found: &Found<'e>) -> &'e str {
    let last = found.children().last().map_or("", |last| last.after);
    &last[tail_end(last)..]
}

/// Returns the comments in a text.
pub(super) fn comments(text: &str) -> impl Iterator<Item = &str> {
    let begins = text.match_indices("<!--").map(|(at, _)| &text[at..]);
    begins.filter_map(|rest| Some(&rest[..rest.find("-->")? + "-->".len()]))
}

/// Returns what is behind an element in its line; if others follow there, the comments.
pub(super) fn tail<'e>(found: &Found<'e>) -> &'e str {
    &found.after[..tail_end(found.after)]
}

fn tail_end(after: &str) -> usize {
    line_end(after).unwrap_or_else(|| after.trim_end().len())
}

/// Returns where the line ends that a text begins in, which a comment may continue in the next ones; `None` if it has no end.
fn line_end(text: &str) -> Option<usize> {
    line_ends(text).next().map(|end| if text[..end].ends_with('\r') { end - 1 } else { end })
}

/// Returns `true` if a line ends in a text, outside of comments.
pub(super) fn has_line_end(text: &str) -> bool {
    line_ends(text).next().is_some()
}

/// Returns the ends of lines that are in no comment.
fn line_ends(text: &str) -> impl Iterator<Item = usize> {
    const OTHERS: [(&str, &str); 3] = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")];
    let mut from = 0;
    text.match_indices(['\n', '<']).filter_map(move |(at, sign)| {
        if at < from {
            return None;
        }
        if sign == "\n" {
            return Some(at);
        }
        let (_, end) = OTHERS.into_iter().find(|(begin, _)| text[at..].starts_with(begin))?;
        from = text[at..].find(end).map_or(text.len(), |found| at + found + end.len());
        None
    })
}
