//! Writes a tree as `tree!` source, or as the text of a file.

use std::collections::BTreeMap;
use std::fmt::Write;

use bt_words::{Arity, Lint, Role, Word};

use crate::checked::{Checked, Node};
use crate::diagnostic::{Diagnostic, Short};
use crate::kind::NodeKind;
use crate::notation::{Notation, call, called};
use crate::source::Source;

/// The preferred maximum length of a line.
const WIDTH: usize = 100;

impl Checked {
    /// Returns the tree as the content of a `tree!`. Names of custom nodes are converted to the style of Rust: the leaf `AnyAround` becomes `any_around`, or
    /// `(any_around { kinds: …, radius: … })` with properties, since properties have no order in a file. A decorator becomes a function call: with its only property, or with a
    /// struct of its name, `AnyAround { … }`, if it has several.
    ///
    /// Text is written as `"text".into()`, which fits the types `&str` and `String`, and a list as `[1, 2].into()`, which fits arrays and `Vec`. Numbers are written as in the file. If a parameter is a float and the file has `10`, rustc reports the expected type. A struct or an enum is written as JSON, since the
    /// file does not contain its type. Nested trees are written as their nodes. If [`ambiguous`](Self::ambiguous) returns errors, the result differs from the file.
    pub fn to_rust(&self) -> String {
        Writer { tree: self, notation: Notation::Rust, trees: &BTreeMap::new() }.written(0)
    }

    /// Returns an error for each pair of names in the file that have the same name in Rust.
    ///
    /// ```
    /// use bt_behavior3::{NodeNames, Project, Arity};
    ///
    /// let file = r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "Sequence", "children": ["2", "3"] }, "2": { "name": "walk to" }, "3": { "name": "walk_to" }
    /// } }"#;
    /// let names = NodeNames::new([("walk to", Arity::Zero), ("walk_to", Arity::Zero)]);
    /// let errors = Project::read(file)?.check(None, &names).unwrap().ambiguous();
    /// assert_eq!(errors[0].reason, "`walk to` and `walk_to` are both `walk_to` in Rust");
    /// # Ok::<(), bt_behavior3::ReadError>(())
    /// ```
    pub fn ambiguous(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut own = BTreeMap::new();
        for node in &self.nodes {
            let mut states = BTreeMap::new();
            let of_states = node.children.iter().map(|child| &self.nodes[*child].kind);
            let of_states = of_states.filter(|kind| kind.word() == Some(Word::State)).map(|kind| kind.args().name());
            let of_states: Vec<_> =
                of_states.filter_map(|name| both(&mut states, Notation::Rust.ident(name), name)).collect();
            let own_node = (node.kind == NodeKind::Own).then_some(node.name());
            let leaves = own_node.into_iter().chain(node.kind.attached_leaves().map(|leaf| leaf.name));
            let of_leaves = leaves.filter_map(|name| both(&mut own, Notation::Rust.own_name(name), name));
            diagnostics.extend(of_leaves.chain(of_states).map(|reason| node.diagnostic(reason)));
        }
        diagnostics
    }
}

/// Writes a tree in one notation.
pub(crate) struct Writer<'a> {
    pub(crate) tree: &'a Checked,
    pub(crate) notation: Notation,
    /// The names of nested trees in a text, by their ids.
    pub(crate) trees: &'a BTreeMap<&'a str, String>,
}

impl Writer<'_> {
    /// Returns the text of the tree, as a line of its own at this indentation.
    pub(crate) fn written(&self, indent: usize) -> String {
        format!("{}{}\n", "    ".repeat(indent), self.node(self.inlined(0), indent, "", true))
    }

    /// Returns the root of a nested tree, which is not written itself in Rust, and the index of any other node.
    fn inlined(&self, index: usize) -> usize {
        match self.notation {
            Notation::Rust => self.tree.inlined(index),
            Notation::File => index,
        }
    }

    /// Returns the attributes of a node: whether it is disabled, the lints that it allows, and those that the nodes allow of which it is the nested tree.
    fn attributes(&self, mut index: usize) -> String {
        let disabled = if self.tree.nodes[index].is_disabled() { "#[disabled] " } else { "" };
        let mut allowed: Vec<&str> = Vec::new();
        loop {
            let node = &self.tree.nodes[index];
            let lints = Lint::ALL.into_iter().filter(|lint| node.allows(*lint)).map(Lint::name);
            allowed.extend(lints.filter(|lint| !allowed.contains(lint)).collect::<Vec<_>>());
            let is_inlined = |parent: &usize| {
                matches!(self.tree.nodes[*parent].kind, NodeKind::Tree(_)) && self.notation == Notation::Rust
            };
            match node.parent.filter(is_inlined) {
                Some(parent) => index = parent,
                None if allowed.is_empty() => return disabled.to_owned(),
                None => return format!("{disabled}#[allow({})] ", allowed.join(", ")),
            }
        }
    }

    /// Returns a node after an expression and `=>`, if it has one; with its title as label if `is_labeled`.
    fn node(&self, index: usize, indent: usize, before: &str, is_labeled: bool) -> String {
        let node = &self.tree.nodes[index];
        let before = &format!("{before}{}", self.attributes(index));
        let is_tree = matches!(node.kind, NodeKind::Tree(_));
        let children = node.children.iter().filter(|_| !is_tree);
        let below: Vec<_> = children.map(|child| self.inlined(*child)).collect();
        let label = node.title.as_ref().filter(|_| is_labeled).map(|title| format!(" {title:?}")).unwrap_or_default();
        let head = self.head(node) + &label;
        if below.is_empty() {
            return format!("{before}{head}");
        }
        let args = node.kind.args();
        if node.kind.word() == Some(Word::State) {
            let mut parts: Vec<_> = below.iter().map(|child| self.node(*child, indent + 1, "", true)).collect();
            parts.extend(self.transitions(node));
            let hooks = [("enter", Role::Enter), ("exit", Role::Exit)];
            parts.extend(
                hooks
                    .iter()
                    .filter_map(|(word, role)| Some(format!("{word}: {}", self.notation.own_name(args.leaf(*role)?)))),
            );
            return format!("{before}state {} {{ {} }}", self.notation.ident(args.name()), parts.join(", "));
        }
        let annotations: Vec<_> = match (args.weights(), args.scores(), args.cases()) {
            (Some(weights), ..) => weights.iter().map(|weight| format!("{weight} => ")).collect(),
            (_, Some(scores), _) => scores.iter().map(|score| format!("{} => ", self.notation.source(score))).collect(),
            (.., Some(cases))
                if matches!(args.value(), Some(Source::Registered(_))) || self.notation == Notation::File =>
            {
                cases.iter().map(|case| format!("{case} => ")).chain(["_ => ".to_owned()]).collect()
            }
            _ => vec![String::new(); below.len()],
        };
        if let (Some(Word::Invert), None, [child]) = (node.kind.word(), &node.title, &*below) {
            return format!("{before}!{}", self.node(*child, indent, "", true));
        }
        let titles: Vec<_> = below.iter().map(|child| self.tree.nodes[*child].title.as_deref()).collect();
        // Siblings in Rust have different labels.
        let children = below.iter().zip(&annotations).enumerate().map(|(index, (child, before))| {
            let is_new = !titles[..index].contains(&titles[index]);
            self.node(*child, indent + 1, before, is_new || self.notation == Notation::File)
        });
        let mut children: Vec<_> = children.collect();
        if node.kind.word().is_some_and(|word| word.row().arity() == Arity::Branches) {
            return before.to_owned() + &branches(&head, &children, indent);
        }
        if !args.transitions().is_empty() {
            children.push(format!("any {{ {} }}", self.transitions(node).collect::<Vec<_>>().join(", ")));
        }
        let line = format!("{before}{head} {{ {} }}", joined(&children, " "));
        if !line.contains('\n')
            && line.len() + 4 * indent <= WIDTH
            && !children.iter().any(|child| child.ends_with('}'))
        {
            return line;
        }
        let pad = "    ".repeat(indent + 1);
        format!("{before}{head} {{\n{pad}{}\n{}}}", joined(&children, &format!("\n{pad}")), "    ".repeat(indent))
    }

    /// Returns the transitions of a node, with the lint that it allows for them.
    fn transitions(&self, node: &Node) -> impl Iterator<Item = String> {
        let is_allowed = node.allows(Lint::Unreachable) && self.notation == Notation::Rust;
        let before = if is_allowed { format!("#[allow({})] ", Lint::Unreachable.name()) } else { String::new() };
        node.kind.args().transitions().iter().map(move |of| before.clone() + &self.notation.transition(of))
    }

    fn head(&self, node: &Node) -> String {
        match &node.kind {
            // Nested trees are written as their nodes in Rust.
            NodeKind::Own | NodeKind::Tree(_) => match self.trees.get(node.name()) {
                Some(name) if matches!(node.kind, NodeKind::Tree(_)) => called(name, node),
                _ => self.notation.own(node),
            },
            NodeKind::Word(word, args) => {
                if let (Some(value), Some(cases)) = (args.value(), args.cases()) {
                    return self.notation.selection(*word, value, cases);
                }
                let params = word.row().params.iter().zip(&args.0);
                let written = |(param, arg): (&bt_words::Param, &Option<_>)| {
                    self.notation.argument(param.name, param.ty, arg.as_ref()?)
                };
                call(word.name(), params.filter_map(written))
            }
        }
    }
}

/// Returns `if condition { node } else { node }`. `head` is the keyword and possibly the label.
fn branches(head: &str, children: &[String], indent: usize) -> String {
    let (word, label) = head.split_once(' ').unwrap_or((head, ""));
    let label = if label.is_empty() { String::new() } else { format!("{label} ") };
    let mut text = format!("{word} ({}) {label}", children[0]);
    for (index, branch) in children[1..].iter().enumerate() {
        let pad = "    ".repeat(indent + 1);
        let before = if index == 0 { "" } else { " else " };
        let _ = write!(text, "{before}{{\n{pad}{branch}\n{}}}", "    ".repeat(indent));
    }
    text
}

/// Returns an error if two names have the same name in Rust.
fn both<'a>(known: &mut BTreeMap<String, &'a str>, rust: String, name: &'a str) -> Option<String> {
    let text = format!(" are both `{rust}` in Rust");
    let before = *known.entry(rust).or_insert(name);
    (before != name).then(|| format!("`{}` and `{}`{text}", Short(before), Short(name)))
}

/// Joins children, with a comma after each child that does not end with a brace, except the last.
fn joined(children: &[String], between: &str) -> String {
    let mut text = String::new();
    for (index, child) in children.iter().enumerate() {
        text += child;
        if index + 1 < children.len() {
            text += if child.ends_with('}') { "" } else { "," };
            text += between;
        }
    }
    text
}
