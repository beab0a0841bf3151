//! The tokens of a list as nodes.

use std::ops::Range;
use std::sync::Arc;

use syn::LitStr;

use super::gap::{self, DISABLED, Gap};
use super::node::{List, Node, Open};
use crate::file;
use crate::format::comment::comments_of;
use crate::format::item::{self as format, Item, Piece, attribute, items};
use crate::format::layout::moved;
use crate::lex::{Token, is_pair, range_of, tokens};

/// The attribute of a node in a text that is left out.
pub(super) const OFF: &str = "#[disabled]";

/// Returns `true` for `#[cfg(…)]`.
pub(super) fn is_cfg(attribute: &str) -> bool {
    attribute.starts_with("#[cfg")
}

/// Nodes of a text, and the comments after the last one.
#[derive(Default)]
#[expect(clippy::struct_field_names, reason = "they are the nodes of the text")]
pub(super) struct Nodes {
    pub(super) nodes: Vec<Node>,
    /// The comment after the delimiter before the nodes.
    pub(super) begin: String,
    pub(super) end: Vec<String>,
    /// Where the lines of the last node end.
    last: usize,
}

/// Text at this index that a document cannot contain: a comment inside of a node, or unknown syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unknown {
    pub(super) at: usize,
    pub(super) is_comment: bool,
}

/// Reads the nodes of a text.
pub(super) fn nodes(text: &str) -> Result<Nodes, Unknown> {
    nodes_of(text, format::List::default())
}

/// Reads the nodes of a list.
pub(super) fn nodes_of(text: &str, list: format::List) -> Result<Nodes, Unknown> {
    let tokens = tokens(text).map_err(|_| Unknown { at: 0, is_comment: false })?;
    nodes_in(text, &tokens, list, 0..text.len())
}

/// Reads the nodes of a list at a place of a text, with the tokens there.
pub(super) fn nodes_in(
    text: &str,
    tokens: &[Token],
    list: format::List,
    place: Range<usize>,
) -> Result<Nodes, Unknown> {
    let items = items(tokens, text, list).ok_or(Unknown { at: place.start, is_comment: false })?;
    Reader { text }.list(&items, place)
}

/// Reads the nodes of untrusted text, whose depth is limited.
pub(super) fn typed(text: &str) -> Result<Nodes, Unknown> {
    file::limited(text).map_err(|_| Unknown { at: 0, is_comment: false })?;
    nodes(text)
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    fn list(&self, items: &[Item<'_>], inner: Range<usize>) -> Result<Nodes, Unknown> {
        let mut read = Nodes::default();
        let mut last = inner.start;
        for item in items {
            let above = self.before(last..item.range.start, false, &mut read)?;
            self.no_comment(item.range.end..item.end)?;
            let mut node = self.node(item)?;
            node.above = above;
            read.nodes.push(node);
            last = item.end;
        }
        read.end = self.before(last..inner.end, true, &mut read)?;
        Ok(read)
    }

    /// Reads what is before a node, or before the end. Nodes that are left out are among the comments.
    fn before(&self, gap: Range<usize>, at_end: bool, read: &mut Nodes) -> Result<Vec<String>, Unknown> {
        let comments = comments_of(&self.text[gap.clone()]).ok_or(Unknown { at: gap.start, is_comment: true })?;
        let mut last = gap.start;
        for comment in &comments {
            let Some(node) = disabled(&comment.at(0, false)) else { continue };
            let start = gap.start + comment.start;
            let above = self.between(last..start, false, read)?;
            read.nodes.push(Node { above, disabled: true, ..node });
            last = start + comment.text.len();
        }
        self.between(last..gap.end, at_end, read)
    }

    /// Reads the comments between two nodes. Returns those above the second one.
    fn between(&self, gap: Range<usize>, at_end: bool, read: &mut Nodes) -> Result<Vec<String>, Unknown> {
        let unknown = Unknown { at: gap.start, is_comment: true };
        let Gap { behind, above, end } = gap::split(&self.text[gap.clone()], at_end).ok_or(unknown)?;
        let begin = std::mem::replace(&mut read.last, gap.start + end);
        match read.nodes.last_mut() {
            Some(node) => (node.behind, node.lines) = (behind, Some(begin..read.last)),
            None => read.begin = behind,
        }
        Ok(above)
    }

    fn no_comment(&self, gap: Range<usize>) -> Result<(), Unknown> {
        let found = self.text[gap.clone()].find(|sign: char| !(sign.is_whitespace() || sign == ','));
        found.map_or(Ok(()), |at| Err(Unknown { at: gap.start + at, is_comment: true }))
    }

    fn node(&self, item: &Item<'_>) -> Result<Node, Unknown> {
        let start = item.range.start;
        let mut node = Node { at: Some((start, start)), ..Node::default() };
        let mut last = start;
        for attribute in &item.attributes {
            self.no_comment(last..attribute.start)?;
            last = attribute.end;
            let text = &self.text[attribute.clone()];
            node.disabled |= text == OFF;
            node.attributes.push(text.to_owned());
        }
        let (mut is_first, mut text) = (true, String::new());
        for piece in &item.pieces {
            match piece {
                Piece::Text(tokens) => {
                    let range = range_of(tokens).unwrap_or(last..last);
                    self.no_comment(last..range.start)?;
                    last = range.end;
                    if std::mem::take(&mut is_first) {
                        self.head(tokens, &mut node)?;
                    } else {
                        text = self.text(range);
                    }
                }
                Piece::List { open, close, items } => {
                    self.no_comment(last..open.start)?;
                    last = close.end;
                    let Nodes { nodes, begin, end, .. } = self.list(items, open.end..close.start)?;
                    let children = nodes.into_iter().map(Arc::new).collect();
                    let is_angle = self.text[open.clone()].starts_with('<');
                    let open = if is_angle { Open::Angle } else { Open::Brace };
                    let before = std::mem::take(&mut text);
                    node.lists.push(List { before, open, begin, children, end });
                }
            }
        }
        node.tail = text;
        Ok(negated(node))
    }

    /// Returns Rust as if its first line were not indented.
    fn text(&self, range: Range<usize>) -> String {
        moved(self.text, &range, 0, false)
    }

    /// Splits the text before the first list: what is before `=>`, attributes after it, the label at the end, and the head between them.
    fn head(&self, mut tokens: &[Token], node: &mut Node) -> Result<(), Unknown> {
        let text = |tokens: &[Token]| range_of(tokens).map(|range| self.text(range)).unwrap_or_default();
        if let Some(arrow) = (0..tokens.len()).find(|index| is_pair(&tokens[*index..], self.text, "=", ">")) {
            node.before = text(&tokens[..arrow]);
            let mut last = tokens[arrow + 1].range().end;
            let begin = tokens[arrow].range().start;
            self.no_comment(tokens[..arrow].last().map_or(begin, |last| last.range().end)..begin)?;
            tokens = &tokens[arrow + 2..];
            while let Some((attribute, rest)) = attribute(tokens, self.text)
                && let Some(next) = rest.first()
                && self.text[attribute.end..next.range().start].trim().is_empty()
            {
                self.no_comment(last..attribute.start)?;
                last = attribute.end;
                node.attributes.push(self.text(attribute));
                tokens = rest;
            }
            self.no_comment(last..tokens.first().map_or(last, |first| first.range().start))?;
            node.disabled |= node.attributes.iter().any(|attribute| attribute == OFF);
        }
        if let [call @ .., label] = tokens
            && !call.is_empty()
            && self.text[label.range()].starts_with(['"', 'r'])
            && let Ok(label) = syn::parse_str::<LitStr>(&self.text[label.range()])
        {
            node.label = Some(label.value());
            self.no_comment(call[call.len() - 1].range().end..tokens[call.len()].range().start)?;
            tokens = call;
        }
        node.head = text(tokens);
        let begin = node.at.map_or(0, |(start, _)| start);
        node.at = range_of(tokens).map(|range| (begin, range.start));
        Ok(())
    }
}

/// Moves the places of nodes, which are in a text that begins there.
pub(super) fn shift(node: &mut Node, by: usize) {
    node.at = node.at.map(|(start, head)| (start + by, head + by));
    node.lines = node.lines.take().map(|lines| lines.start + by..lines.end + by);
    node.children_mut().for_each(|child| shift(child, by));
}

/// Forgets the places of nodes, which are in a comment.
fn without_place(node: &mut Node) {
    (node.at, node.lines) = (None, None);
    node.children_mut().for_each(without_place);
}

/// Returns a node that is left out.
fn disabled(comment: &str) -> Option<Node> {
    let text = comment.strip_prefix(DISABLED)?.strip_suffix("*/")?.trim_end();
    let Nodes { mut nodes, begin, end, .. } = nodes(text).ok()?;
    let is_plain = begin.is_empty() && end.is_empty() && nodes.len() == 1;
    let mut node = nodes.pop().filter(|node| is_plain && node.above.is_empty() && node.behind.is_empty())?;
    without_place(&mut node);
    Some(node)
}

/// Splits `!child` into two nodes.
fn negated(mut node: Node) -> Node {
    let Some(rest) = node.head.strip_prefix('!').filter(|_| !is_transition(&node)) else { return node };
    let head = rest.trim_start().to_owned();
    let at = node.at.map(|(_, at)| at + node.head.len() - head.len());
    let child = Node {
        head,
        at: at.map(|at| (at, at)),
        label: node.label.take(),
        lists: std::mem::take(&mut node.lists),
        tail: std::mem::take(&mut node.tail),
        ..Node::default()
    };
    "!".clone_into(&mut node.head);
    let list = List { open: Open::Not, children: vec![Arc::new(negated(child))], ..List::default() };
    Node { lists: vec![list], ..node }
}

/// Returns `true` for `condition -> state`.
pub(super) fn is_transition(node: &Node) -> bool {
    let text = if node.lists.is_empty() { &node.head } else { &node.tail };
    let target = text.rsplit_once("->").map_or("", |(_, target)| target.trim());
    !target.is_empty() && target.chars().all(|sign| sign.is_alphanumeric() || sign == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Node {
        let mut read = nodes(text).unwrap_or_else(|unknown| panic!("{text}: {unknown:?}"));
        assert_eq!(read.nodes.len(), 1, "{text}");
        read.nodes.remove(0)
    }

    fn heads(list: &[Arc<Node>]) -> Vec<&str> {
        list.iter().map(|node| node.head.as_str()).collect()
    }

    #[test]
    fn a_node_has_parts() {
        let node = one("3 => #[allow(unreachable)] #[disabled] timeout(secs(5)) \"x\\\"y\" { a, b(1) }");
        assert_eq!(
            (&*node.attributes, node.disabled),
            (&["#[allow(unreachable)]".to_owned(), OFF.to_owned()][..], true)
        );
        assert_eq!((&*node.before, &*node.head, node.label.as_deref()), ("3", "timeout(secs(5))", Some("x\"y")));
        assert_eq!(heads(&node.lists[0].children), ["a", "b(1)"]);
        let node = one("|g: &G| -> bool { g.idle /* counts */ } \"label\"");
        assert_eq!((&*node.head, node.label.as_deref()), ("|g: &G| -> bool { g.idle /* counts */ }", Some("label")));
        assert!(!is_transition(&node) && node.lists.is_empty());
        assert_eq!(one("sequence < a, b >").lists[0].open, Open::Angle);
    }

    #[test]
    fn branches_have_several_lists() {
        let node = one("if near(10.0) \"l\" { a } else if far { b } else { c }");
        assert_eq!((&*node.head, node.label.as_deref()), ("if near(10.0)", Some("l")));
        let lists: Vec<_> = node.lists.iter().map(|list| (&*list.before, heads(&list.children))).collect();
        assert_eq!(lists, [("", vec!["a"]), ("else if far", vec!["b"]), ("else", vec!["c"])]);
        let node = one("match mood { Mood::Calm | Mood::Sad if x > 3 => a, _ => b { c } }");
        let arms: Vec<_> = node.lists[0].children.iter().map(|arm| (&*arm.before, &*arm.head)).collect();
        assert_eq!(arms, [("Mood::Calm | Mood::Sad if x > 3", "a"), ("_", "b")]);
    }

    #[test]
    fn states_have_nodes_transitions_and_hooks() {
        let node = one("machine { state idle { graze, !scared -> fear, enter: f, } any { sequence { a } -> idle } }");
        let [idle, any] = &node.lists[0].children[..] else { panic!("{node:?}") };
        assert_eq!(heads(&idle.lists[0].children), ["graze", "!scared -> fear", "enter: f"]);
        let scared = &any.lists[0].children[0];
        assert!(is_transition(&idle.lists[0].children[1]) && is_transition(scared));
        assert_eq!((&*scared.head, &*scared.tail), ("sequence", "-> idle"));
    }

    #[test]
    fn a_negated_node_has_a_child() {
        let node = one("2 => ! !near(3) \"x\"");
        assert_eq!((&*node.before, &*node.head, node.lists[0].open), ("2", "!", Open::Not));
        let inner = &node.lists[0].children[0];
        assert_eq!((&*inner.head, inner.lists[0].children[0].label.as_deref()), ("!", Some("x")));
        assert_eq!(heads(&one("!sequence { a }").lists[0].children), ["sequence"]);
    }

    #[test]
    fn comments_are_at_their_nodes() {
        let node = one(
            "sequence { // first\n\n // one\n a, // behind\n /* disabled: b(2) { c } */ // off\n // two\n d\n // end\n }",
        );
        let list = &node.lists[0];
        assert_eq!((&*list.begin, &*list.end), ("// first", &["// end".to_owned()][..]));
        assert_eq!(heads(&list.children), ["a", "b(2)", "d"]);
        let [a, b, d] = &list.children[..] else { panic!("{node:?}") };
        assert_eq!((&a.above[..], &*a.behind), (&[String::new(), "// one".to_owned()][..], "// behind"));
        assert!(b.disabled && b.behind == "// off" && !d.disabled);
        assert_eq!(d.above, ["// two"]);
    }

    #[test]
    fn what_is_not_known_has_a_place() {
        let unknown = |text| nodes(text).err().map(|unknown| (unknown.at, unknown.is_comment));
        assert_eq!(unknown("sequence /* x */ { a }"), Some((9, true)));
        assert_eq!(unknown("if near(1) /* x */ \"y\" { a }"), Some((11, true)));
        assert_eq!(unknown("r { 1 => /* x */ a }"), Some((9, true)));
        assert_eq!(unknown("r { 1 /* x */ => #[allow(endless)] a }"), Some((6, true)));
        assert_eq!(unknown("a {"), Some((0, false)));
        assert!(nodes("").is_ok_and(|read| read.nodes.is_empty()));
    }
}
