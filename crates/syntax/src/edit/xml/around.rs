//! The comments and the space around an element: which of them belong to it.

use super::source::Found;

/// Returns what is before an element from the next line on: comments, and space.
pub(super) fn lead<'e>(found: &Found<'e>) -> &'e str {
    &found.before[line_end(found.before).unwrap_or(0)..]
}

/// Returns what of that belongs to the element. Comments before a blank line do not.
pub(super) fn near<'e>(found: &Found<'e>) -> &'e str {
    &lead(found)[far(found).len()..]
}

/// Returns the comments before an element that do not belong to it.
pub(super) fn far<'e>(found: &Found<'e>) -> &'e str {
    let lead = lead(found);
    let ends = lead.match_indices('\n').map(|(at, _)| at).collect::<Vec<_>>();
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

/// Returns what is before the last tag of an element, from the line behind the last child on.
pub(super) fn last<'e>(found: &Found<'e>) -> &'e str {
    let last = found.children().last().map_or("", |last| last.after);
    &last[line_end(last).unwrap_or(0)..]
}

/// Returns the comments in a text.
pub(super) fn comments(text: &str) -> impl Iterator<Item = &str> {
    let begins = text.match_indices("<!--").map(|(at, _)| &text[at..]);
    begins.filter_map(|rest| Some(&rest[..rest.find("-->")? + "-->".len()]))
}

/// Returns what is behind an element in its line.
pub(super) fn tail<'e>(found: &Found<'e>) -> &'e str {
    line_end(found.after).map_or("", |end| &found.after[..end])
}

/// Returns where the line ends that a text begins in; `None` if it has no end.
fn line_end(text: &str) -> Option<usize> {
    text.find('\n').map(|end| if text[..end].ends_with('\r') { end - 1 } else { end })
}
