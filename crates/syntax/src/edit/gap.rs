//! The comments between nodes: which node they belong to.

use super::node::{List, Node, Open, Style};
use crate::format::comment::{Comment, comments_of};

/// The beginning of a comment that contains a disabled node.
pub(super) const DISABLED: &str = "/* disabled: ";

/// The comments between two nodes.
#[derive(Default)]
pub(super) struct Gap {
    /// The comment in the last line of the node before.
    pub(super) behind: String,
    /// Where that ends in the gap.
    pub(super) end: usize,
    /// The other comments, in order; an empty one is a blank line.
    pub(super) above: Vec<String>,
}

/// Splits what is between two nodes, or a node and a delimiter. Returns `None` if the text contains anything other than comments.
pub(super) fn split(gap: &str, at_end: bool) -> Option<Gap> {
    let mut split = Gap::default();
    let comments = comments_of(gap)?;
    let Some((end, comments)) = comments.split_last() else { return Some(split) };
    // Those in the line of the node before belong to it, unless the next node is in that line, too.
    let count = comments.iter().take_while(|comment| comment.breaks == 0).count();
    let next = comments.get(count).unwrap_or(end);
    let ends_line = next.breaks > 0 || count < comments.len() || at_end;
    let count = if ends_line || comments[..count].last().is_some_and(Comment::is_of_line) { count } else { 0 };
    let (in_line, others) = comments.split_at(count);
    split.end = in_line.last().map_or(0, |last| last.start + last.text.len());
    split.behind = in_line.iter().map(|comment| comment.text).collect::<Vec<_>>().join(" ");
    for comment in others {
        blank(comment, &mut split.above);
        split.above.push(comment.at(0, false).into_owned());
    }
    if !at_end {
        blank(end, &mut split.above);
    }
    Some(split)
}

fn blank(comment: &Comment<'_>, above: &mut Vec<String>) {
    if comment.breaks > 1 {
        above.push(String::new());
    }
}

/// Returns the index of the first of the comments that are right above a node, without a blank line.
pub(super) fn own(above: &[String]) -> usize {
    above.iter().rposition(String::is_empty).map_or(0, |blank| blank + 1)
}

/// Returns the text of the comments right above a node, without their signs; in JSON and XML, the description.
pub(super) fn note(above: &[String], style: Style) -> String {
    if style.is_data() {
        return above.join("\n");
    }
    let lines = above[own(above)..].iter().flat_map(|comment| {
        let inner = comment.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/"));
        let lines: Vec<_> = match inner {
            Some(inner) => inner.trim().lines().map(|line| line.trim().trim_start_matches("* ")).collect(),
            None => vec![comment.strip_prefix("//").unwrap_or(comment).trim()],
        };
        lines.into_iter().map(str::to_owned).collect::<Vec<_>>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Replaces the comments right above a node, or the description.
pub(super) fn set_note(above: &mut Vec<String>, text: &str, style: Style) {
    if style.is_data() {
        *above = text.trim().lines().map(str::to_owned).collect();
        return;
    }
    above.truncate(own(above));
    let lines = text.trim().lines().map(|line| format!("// {}", line.trim()).trim_end().to_owned());
    above.extend(lines);
}

/// Returns the comments in the lists of a node without children, also where it is negated.
pub(super) fn of_empty_body(node: &Node) -> Vec<String> {
    match node.lists.as_slice() {
        [List { open: Open::Not, children, .. }] => children.iter().flat_map(|child| of_empty_body(child)).collect(),
        lists if node.children().next().is_none() => {
            let of_list = |list: &List| {
                let begin = Some(list.begin.clone()).filter(|text| !text.is_empty());
                begin.into_iter().chain(list.end.clone()).collect::<Vec<_>>()
            };
            lists.iter().flat_map(of_list).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the comments behind several nodes as those behind one.
pub(super) fn joined<'c>(comments: impl IntoIterator<Item = &'c String>) -> String {
    let comments = comments.into_iter().filter(|text| !text.is_empty()).map(String::as_str);
    comments.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(gap: &str, at_end: bool) -> (String, Vec<String>) {
        let Gap { behind, above, .. } = split(gap, at_end).expect("only comments");
        (behind, above)
    }

    #[test]
    fn a_comment_belongs_to_the_node_in_its_line_or_below_it() {
        assert_eq!(
            parts(" // fast\n\n  // the nap\n", false),
            ("// fast".into(), vec![String::new(), "// the nap".into()])
        );
        assert_eq!(parts(" /* a */ /* b */\n", false), ("/* a */ /* b */".into(), vec![]));
        assert_eq!(parts(" /* before */ ", false), (String::new(), vec!["/* before */".into()]));
        assert_eq!(parts(" /* before */ ", true), ("/* before */".into(), vec![]));
        assert_eq!(parts("\n// end\n\n", true), (String::new(), vec!["// end".into()]));
        assert_eq!(parts("\n\n", false), (String::new(), vec![String::new()]));
        assert!(split(" x ", false).is_none());
    }

    #[test]
    fn a_note_is_what_is_right_above_a_node() {
        let mut above: Vec<String> = ["// far", "", "// near", "//the node"].map(str::to_owned).into();
        assert_eq!(note(&above, Style::Source), "near\nthe node");
        set_note(&mut above, "one\n\n two ", Style::Source);
        assert_eq!(above, ["// far", "", "// one", "//", "// two"]);
        set_note(&mut above, " ", Style::Source);
        assert_eq!(above, ["// far", ""]);
        assert_eq!(note(&["/* a\n * b */".to_owned()], Style::Text), "a\nb");
    }
}
