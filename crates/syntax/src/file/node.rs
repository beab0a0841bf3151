//! Syntax to the nodes of a file.

use std::borrow::Cow;
use std::sync::Arc;

use bt_behavior3::{ALLOW, DISABLED, NodeSpec, Properties};
use bt_words::{Lint, ParamType, Role, Word};
use proc_macro2::Delimiter;
use serde_json::{Value, json};

use super::arguments::{Own, form, of_word};
use super::names::Unnamed;
use super::value;
use crate::ast::{Allowed, Args, Arm, Attribute, Child, If, Inner, Leaf, Match, Node};
use crate::check::allow::unknown;
use crate::check::siblings::labels;
use crate::errors::{Errors, REGISTER};
use crate::keyword::{Form, WITHIN};
use crate::tokens::{Input, Span, Text, TokenStream};

/// The nodes of a file so far.
pub(super) struct Writer<'e> {
    /// The number of nodes in the trees before.
    pub(super) before: usize,
    /// The index of the tree.
    pub(super) tree: usize,
    /// The nodes of the tree, in pre-order.
    pub(super) nodes: Vec<NodeSpec>,
    pub(super) unnamed: Vec<Unnamed>,
    pub(super) errors: &'e mut Errors,
}

impl Writer<'_> {
    /// Writes a node and the nodes below it. Returns its id; `None` for an error.
    pub(super) fn node(&mut self, node: Node<'_>) -> Option<String> {
        self.allowing(node, &[])
    }

    /// Writes a node that allows these lints.
    fn allowing<'t>(&mut self, node: Node<'t>, allowed: &[Allowed<'t>]) -> Option<String> {
        match node {
            Node::Inner(inner) => self.inner(inner, allowed),
            Node::Machine(machine) => self.machine(*machine, allowed),
            Node::If(branch) => Some(self.branch(*branch, allowed)),
            Node::Match(selection) => Some(self.selection(*selection, allowed)),
            Node::Not { bang, child } => {
                let at = self.begin(Word::Invert.name(), bang, None, allowed);
                let child = self.node(*child);
                Some(self.end(at, Properties::default(), child))
            }
            Node::Allowing { names, node } => {
                let names: Vec<_> = allowed.iter().copied().chain(names).collect();
                self.allowing(*node, &names)
            }
            Node::Leaf(leaf) => self.leaf(leaf, allowed),
            // They have been reported.
            Node::Missing(_) | Node::Skipped(_) => None,
        }
    }

    /// Begins a node, before those below it. Returns its index.
    pub(super) fn begin(
        &mut self,
        name: &str,
        span: Span<'_>,
        label: Option<Text<'_>>,
        allowed: &[Allowed<'_>],
    ) -> usize {
        let at = self.nodes.len();
        let id = format!("#{}", self.before + at + 1);
        let mut node = NodeSpec::new(id, name, &label.map_or_else(String::new, Text::value), "");
        node.place = Some(span.place());
        if allowed.iter().any(|of| of.attribute == Attribute::Disabled) {
            node.properties.insert(DISABLED.to_owned(), true.into());
        }
        if let Some(lints) = self.lints(allowed) {
            node.properties.insert(ALLOW.to_owned(), lints);
        }
        self.nodes.push(node);
        at
    }

    /// Ends a node, after those below it. Returns its id.
    pub(super) fn end(&mut self, at: usize, given: Properties, below: impl IntoIterator<Item = String>) -> String {
        let node = &mut self.nodes[at];
        node.properties.append(given);
        node.set_children(below.into_iter().collect());
        node.id.clone()
    }

    /// Returns the names of lints, if there are any: one as text, several as a list.
    fn lints(&mut self, allowed: &[Allowed<'_>]) -> Option<Value> {
        let mut names = Vec::new();
        for Allowed { name, attribute } in allowed {
            match attribute {
                Attribute::Disabled => continue,
                Attribute::Allow if Lint::ALL.iter().all(|lint| *name != lint.name()) => {
                    unknown(*name, "allow", self.errors);
                }
                Attribute::Allow => {}
                Attribute::Expect => {
                    let message = format!("a file cannot contain `#[expect(…)]`\nhelp: write `#[allow({name})]`");
                    self.errors.at(name.span(), message);
                }
            }
            names.push(name.to_string());
        }
        match &*names {
            [] => None,
            [name] => Some(json!(name)),
            names => Some(json!(names)),
        }
    }

    fn inner(&mut self, inner: Inner<'_>, allowed: &[Allowed<'_>]) -> Option<String> {
        let Inner { path, args, action, label, children } = inner;
        // The word of combined conditions is not written.
        let (name, rest) = match path.word {
            Some(word) => (word.unraw().into(), None),
            None => self.name(path.tokens, path.span).map(|(name, rest)| (name, Some(rest)))?,
        };
        if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
            self.rust(rest.span(), "Rust");
            return None;
        }
        if name == WITHIN {
            let message = format!("a file cannot contain `{WITHIN}`, which takes a function\n{REGISTER}");
            self.errors.at(path.span, message);
            return None;
        }
        let at = self.begin(&name, path.span, label, allowed);
        let form = form(&name);
        let mut given = match form {
            Some(form) => of_word(&name, form, args, path.span, self.errors),
            None => self.own(at, args),
        };
        if let Some(Form::Action(_)) = form {
            let at = action.as_deref().map_or(path.span, at_node);
            if let Some((name, leaf)) = self.action(&name, action.map(|action| *action), path.span) {
                given.insert_at(&name, leaf, at.place());
            }
        }
        self.annotations(&name, form, &children, &mut given);
        labels(children.iter().map(|child| &child.node), self.errors);
        let below: Vec<_> = children.into_iter().filter_map(|child| self.child(child)).collect();
        Some(self.end(at, given, below))
    }

    /// Returns the properties of a node that is no word. Its arguments without names get them later.
    fn own(&mut self, node: usize, args: Option<Args<'_>>) -> Properties {
        let Own { named, unnamed } = Own::of(args, self.errors);
        if !unnamed.is_empty() {
            self.unnamed.push(Unnamed { tree: self.tree, node, values: unnamed });
        }
        named
    }

    /// Writes a child, whose annotation is a property of its parent.
    fn child(&mut self, child: Child<'_>) -> Option<String> {
        if let Some(token) = child.cfgs.first() {
            self.rust(token.begin(), "`#[cfg(…)]`");
        }
        if let Some(dots) = child.dots {
            self.errors.at(dots, "a file cannot contain `..` before children\nhelp: write the children");
            return None;
        }
        self.node(child.node)
    }

    /// Adds the weights or scores of children.
    fn annotations(&mut self, name: &str, form: Option<Form>, children: &[Child<'_>], given: &mut Properties) {
        let is_weighted = matches!(form, Some(Form::Weights));
        let is_scored = matches!(form, Some(Form::Scores(_)));
        if is_scored || is_weighted && children.iter().any(|child| child.weight.is_some()) {
            let ty = if is_scored { ParamType::Scores } else { ParamType::Weights };
            let param = Word::named(name).find_map(|word| word.row().param(ty));
            let values = children.iter().map(|child| match child.weight {
                Some(weight) if !weight.is_empty() => Some((weight.begin().place(), self.annotation(weight)?)),
                // A value or a child with an error has been reported.
                None if matches!(child.node, Node::Missing(_) | Node::Skipped(_)) => None,
                weight if weight.is_some() || is_weighted => Some((at_node(&child.node).place(), json!(1))),
                _ => {
                    let message = format!(
                        "`{name}` expects a score before each child\nhelp: write `{name} {{ score => child }}`"
                    );
                    self.errors.at(at_node(&child.node), message);
                    None
                }
            });
            if let (Some(values), Some(param)) = (values.collect(), param) {
                given.insert_list(param.name, values);
            }
            return;
        }
        for weight in children.iter().filter_map(|child| child.weight).filter(|weight| !weight.is_empty()) {
            let message = "a value is only allowed before a child of a `random_selector`, a `random_sequence` or a `utility_selector`";
            self.errors.at(weight.begin(), message);
        }
    }

    /// Returns a value before a child.
    fn annotation(&mut self, tokens: TokenStream<'_>) -> Option<Value> {
        let input = tokens.input();
        let (value, _) = value::value(&input, self.errors)?;
        if !input.is_empty() {
            self.errors.at(input.span(), "expected `=>` after a value");
        }
        Some(value)
    }

    /// Returns the action of a `service`, which is the name of a leaf in files.
    fn action(&mut self, name: &str, action: Option<Node<'_>>, span: Span<'_>) -> Option<(String, Value)> {
        let param = Word::named(name).find_map(|word| word.row().param(ParamType::Leaf(Role::Service)))?;
        let Some(action) = action else {
            let message =
                format!("`{name}` expects a time and an action\nhelp: write `{name}(secs(1), look_around) {{ … }}`");
            self.errors.at(span, message);
            return None;
        };
        Some((param.name.to_owned(), self.leaf_name(action)?.into()))
    }

    /// Returns the name of a leaf without arguments, label and attributes: what a property can name.
    pub(super) fn leaf_name<'t>(&mut self, node: Node<'t>) -> Option<Cow<'t, str>> {
        let span = at_node(&node);
        if let Node::Missing(_) | Node::Skipped(_) = node {
            // It has been reported.
            return None;
        }
        if let Node::Leaf(Leaf { tokens, label: None, span, .. }) = node {
            let (name, rest) = self.name(tokens, span)?;
            if rest.is_empty() {
                return Some(name);
            }
        }
        let message = "expected the name of a leaf, without arguments, label or children\nhelp: register a leaf that does this, and write its name";
        self.errors.at(span, message);
        None
    }

    fn branch(&mut self, branch: If<'_>, allowed: &[Allowed<'_>]) -> String {
        let If { word, span, condition, label, then, otherwise } = branch;
        let at = self.begin(word.name(), span, label, allowed);
        let nodes = [Some(condition), Some(then), otherwise];
        labels(nodes.iter().flatten(), self.errors);
        let below: Vec<_> = nodes.into_iter().flatten().filter_map(|node| self.node(node)).collect();
        self.end(at, Properties::default(), below)
    }

    fn selection(&mut self, selection: Match<'_>, allowed: &[Allowed<'_>]) -> String {
        let Match { word, span, function, label, arms } = selection;
        let at = self.begin(word.name(), span, label, allowed);
        let mut given = Properties::default();
        let named = |ty| word.row().param(ty).map(|param| param.name.to_owned());
        let on = function.map(|function| function.tokens);
        let on = on.and_then(|tokens| Some((tokens.begin().place(), self.annotation(tokens)?)));
        if let (Some(name), Some((at, value))) = (named(ParamType::Value), on) {
            given.insert_at(&name, value, at);
        }
        let (mut cases, last) = (Vec::new(), arms.len().saturating_sub(1));
        let is_any = |arm: &Arm<'_>| arm.pattern.is("_");
        let has_any = arms.iter().any(|arm| is_any(arm) || arm.pattern.is_empty());
        for (index, arm) in arms.iter().enumerate() {
            let span = arm.pattern.begin();
            // An error in the arm has been reported.
            if arm.pattern.is_empty() || is_any(arm) && matches!(arm.node, Node::Missing(_)) {
                continue;
            }
            match (index == last, is_any(arm)) {
                (true, true) => {}
                (true, false) if !has_any => self.errors.at(
                    span,
                    format!("the last pattern of a `{}` in a file must be `_`, for any other value", word.name()),
                ),
                (_, false) => cases.extend(self.case(arm.pattern).map(|value| (span.place(), value))),
                (false, true) => {
                    let help = "help: write the arm of `_` last";
                    self.errors.at(span, format!("only the last pattern in a file can be `_`\n{help}"));
                }
            }
        }
        if let Some(name) = named(ParamType::Cases) {
            given.insert_list(&name, cases);
        }
        labels(arms.iter().map(|arm| &arm.node), self.errors);
        let below: Vec<_> = arms.into_iter().filter_map(|arm| self.node(arm.node)).collect();
        self.end(at, given, below)
    }

    /// Returns the value that a pattern is.
    fn case(&mut self, pattern: TokenStream<'_>) -> Option<Value> {
        let (mut quiet, input) = (self.errors.of_part(), pattern.input());
        // A range and a time are texts, too.
        let is_text = input.peek_text() && input.after().is_empty();
        let found = value::value(&input, &mut quiet).filter(|_| input.is_empty());
        match found {
            Some((value @ Value::String(_), false)) if is_text => Some(value),
            Some((value @ (Value::Number(_) | Value::Bool(_)), false)) => Some(value),
            _ => {
                let message = format!(
                    "a pattern in a file must be a text, a number or a boolean, found `{}`\nhelp: write an enum variant as text, `\"Calm\"`; for a range, register a value that distinguishes the cases",
                    pattern.written()
                );
                self.errors.at(pattern.begin(), message);
                None
            }
        }
    }

    fn leaf(&mut self, leaf: Leaf<'_>, allowed: &[Allowed<'_>]) -> Option<String> {
        let (name, rest) = self.name(leaf.tokens, leaf.span)?;
        let is_macro = rest.peek("!");
        let args = rest.group_in(Delimiter::Parenthesis).map(Args::from);
        if !rest.is_empty() {
            if name == "tree" && is_macro {
                self.errors.at(leaf.span, "a file contains the tree alone\nhelp: remove `tree!` and its braces");
            } else {
                self.rust(rest.span(), "a macro or a method");
            }
            return None;
        }
        if name == "var" && args.is_some() {
            let found = leaf.tokens.written();
            self.errors.at(leaf.span, format!("expected a node, found the variable `{found}`\n{REGISTER}"));
            return None;
        }
        let at = self.begin(&name, leaf.span, leaf.label, allowed);
        let properties = match form(&name) {
            Some(form) => of_word(&name, form, args, leaf.span, self.errors),
            None => self.own(at, args),
        };
        Some(self.end(at, properties, None))
    }

    /// Returns the name that begins tokens, and the other tokens. Reports other Rust.
    fn name<'t>(&mut self, tokens: TokenStream<'t>, span: Span<'t>) -> Option<(Cow<'t, str>, Input<'t>)> {
        let input = tokens.input();
        input.eat("::");
        let is_closure = input.peek("move");
        if let Some(name) = value::path(&input).filter(|_| !is_closure) {
            return Some((name, input));
        }
        let what = match tokens.input() {
            first if first.peek("|") || first.peek("move") => "a closure",
            first if first.peek("&") => "a reference",
            _ => "Rust",
        };
        self.rust(span, what);
        None
    }

    /// Reports Rust that a file cannot contain.
    fn rust(&mut self, span: Span<'_>, what: &str) {
        self.errors.at(span, format!("a file cannot contain {what}\n{REGISTER}"));
    }
}

/// Returns the place of a node.
pub(super) fn at_node<'t>(node: &Node<'t>) -> Span<'t> {
    match node {
        Node::Inner(inner) => inner.path.span,
        Node::Machine(machine) => machine.keyword.span(),
        Node::If(branch) => branch.span,
        Node::Match(selection) => selection.span,
        Node::Not { bang: span, .. } | Node::Missing(span) | Node::Skipped(span) => *span,
        Node::Allowing { node, .. } => at_node(node),
        Node::Leaf(leaf) => leaf.span,
    }
}

/// Returns the nodes with their ids, as a tree has them.
pub(super) fn by_id(nodes: Vec<NodeSpec>) -> Vec<(String, Arc<NodeSpec>)> {
    nodes.into_iter().map(|node| (node.id.clone(), Arc::new(node))).collect()
}
