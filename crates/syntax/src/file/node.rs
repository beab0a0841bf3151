//! Syntax to the nodes of a file.

use std::sync::Arc;

use bt_behavior3::{ALLOW, DISABLED, NodeSpec};
use bt_words::{Lint, ParamType, Role, Word};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use serde_json::{Map, Value, json};
use syn::LitStr;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};

use super::arguments::{Given, Own, form, of_word};
use super::names::Unnamed;
use super::value;
use crate::ast::{Allowed, Attribute, Child, If, Inner, Leaf, Match, Node};
use crate::check::allow::unknown;
use crate::check::siblings::labels;
use crate::errors::{Errors, REGISTER};
use crate::keyword::{Form, WITHIN};
use crate::location::place;
use crate::{location, text};

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
    pub(super) fn node(&mut self, node: Node) -> Option<String> {
        self.allowing(node, &[])
    }

    /// Writes a node that allows these lints.
    fn allowing(&mut self, node: Node, allowed: &[Allowed]) -> Option<String> {
        match node {
            Node::Inner(inner) => self.inner(inner, allowed),
            Node::Machine(machine) => self.machine(*machine, allowed),
            Node::If(branch) => Some(self.branch(*branch, allowed)),
            Node::Match(selection) => Some(self.selection(*selection, allowed)),
            Node::Not { bang, child } => {
                let at = self.begin(Word::Invert.name(), bang, None, allowed);
                let child = self.node(*child);
                Some(self.end(at, Given::default(), child))
            }
            Node::Allowing { names, node } => {
                let names: Vec<_> = allowed.iter().cloned().chain(names).collect();
                self.allowing(*node, &names)
            }
            Node::Leaf(leaf) => self.leaf(leaf, allowed),
            // They have been reported.
            Node::Missing(_) | Node::Skipped(_) => None,
        }
    }

    /// Begins a node, before those below it. Returns its index.
    pub(super) fn begin(&mut self, name: &str, span: Span, label: Option<&LitStr>, allowed: &[Allowed]) -> usize {
        let at = self.nodes.len();
        let mut properties = Map::new();
        if allowed.iter().any(|of| of.attribute == Attribute::Disabled) {
            properties.insert(DISABLED.to_owned(), true.into());
        }
        if let Some(lints) = self.lints(allowed) {
            properties.insert(ALLOW.to_owned(), lints);
        }
        let title = label.map(|label| ("title".to_owned(), label.value().into()));
        self.nodes.push(NodeSpec {
            id: format!("#{}", self.before + at + 1),
            name: name.to_owned(),
            properties,
            more: Map::from_iter(title).into(),
            place: Some(place(span)),
            ..NodeSpec::default()
        });
        at
    }

    /// Ends a node, after those below it. Returns its id.
    pub(super) fn end(&mut self, at: usize, given: Given, below: impl IntoIterator<Item = String>) -> String {
        let node = &mut self.nodes[at];
        node.properties.extend(given.values);
        node.arguments.extend(given.places);
        let below: Vec<_> = below.into_iter().collect();
        node.children = (!below.is_empty()).then_some(below);
        node.id.clone()
    }

    /// Returns the names of lints, if there are any: one as text, several as a list.
    fn lints(&mut self, allowed: &[Allowed]) -> Option<Value> {
        let mut names = Vec::new();
        for Allowed { name, attribute } in allowed {
            match attribute {
                Attribute::Disabled => continue,
                Attribute::Allow if Lint::ALL.iter().all(|lint| name != lint.name()) => {
                    unknown(name, "allow", self.errors);
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

    fn inner(&mut self, inner: Inner, allowed: &[Allowed]) -> Option<String> {
        let Inner { path, args, action, label, children } = inner;
        let (name, rest) = self.name(path.tokens, path.span)?;
        if let Some(token) = rest.into_iter().next() {
            self.rust(token.span(), "Rust");
            return None;
        }
        if name == WITHIN {
            let message = format!("a file cannot contain `{WITHIN}`, which takes a function\n{REGISTER}");
            self.errors.at(path.span, message);
            return None;
        }
        let at = self.begin(&name, path.span, label.as_ref(), allowed);
        let form = form(&name);
        let mut given = match form {
            Some(form) => of_word(&name, form, args.as_ref(), path.span, self.errors),
            None => self.own(at, args.as_ref()),
        };
        if let Some(Form::Action(_)) = form {
            let at = action.as_deref().map_or(path.span, at_node);
            if let Some((name, leaf)) = self.action(&name, action.map(|action| *action), path.span) {
                given.insert(name, at, leaf);
            }
        }
        self.annotations(&name, form, &children, &mut given);
        labels(children.iter().map(|child| &child.node), self.errors);
        let below: Vec<_> = children.into_iter().filter_map(|child| self.child(child)).collect();
        Some(self.end(at, given, below))
    }

    /// Returns the properties of a node that is no word. Its arguments without names get them later.
    fn own(&mut self, node: usize, args: Option<&Group>) -> Given {
        let Own { named, unnamed } = Own::of(args, self.errors);
        if !unnamed.is_empty() {
            let values = unnamed.into_iter().map(|(span, value)| (place(span), value)).collect();
            self.unnamed.push(Unnamed { tree: self.tree, node, values });
        }
        named
    }

    /// Writes a child, whose annotation is a property of its parent.
    fn child(&mut self, child: Child) -> Option<String> {
        if let Some(token) = child.cfgs.first() {
            self.rust(location::of(token), "`#[cfg(…)]`");
        }
        if let Some(dots) = child.dots {
            self.errors.at(dots, "a file cannot contain `..` before children\nhelp: write the children");
            return None;
        }
        self.node(child.node)
    }

    /// Adds the weights or scores of children.
    fn annotations(&mut self, name: &str, form: Option<Form>, children: &[Child], given: &mut Given) {
        let is_weighted = matches!(form, Some(Form::Weights));
        let is_scored = matches!(form, Some(Form::Scores(_)));
        if is_scored || is_weighted && children.iter().any(|child| child.weight.is_some()) {
            let ty = if is_scored { ParamType::Scores } else { ParamType::Weights };
            let param = Word::named(name).find_map(|word| word.row().param(ty));
            let values = children.iter().map(|child| match &child.weight {
                Some(weight) => Some((location::of(weight), self.annotation(weight)?)),
                None if is_weighted => Some((at_node(&child.node), json!(1))),
                None => {
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
        for weight in children.iter().filter_map(|child| child.weight.as_ref()) {
            let message = "a value is only allowed before a child of a `random_selector`, a `random_sequence` or a `utility_selector`";
            self.errors.at(location::of(weight), message);
        }
    }

    /// Returns a value before a child.
    fn annotation(&mut self, tokens: &TokenStream) -> Option<Value> {
        let errors = &mut *self.errors;
        let parser = |input: ParseStream<'_>| {
            let found = value::value(input, errors);
            if found.is_some() && !input.is_empty() {
                errors.at(input.span(), "expected `=>` after a value");
            }
            let _ = input.parse::<TokenStream>();
            Ok(found)
        };
        Parser::parse2(parser, tokens.clone()).ok()?.map(|(value, _)| value)
    }

    /// Returns the action of a `service`, which is the name of a leaf in files.
    fn action(&mut self, name: &str, action: Option<Node>, span: Span) -> Option<(String, Value)> {
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
    pub(super) fn leaf_name(&mut self, node: Node) -> Option<String> {
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

    fn branch(&mut self, branch: If, allowed: &[Allowed]) -> String {
        let If { word, span, condition, label, then, otherwise } = branch;
        let at = self.begin(word.name(), span, label.as_ref(), allowed);
        let nodes = [Some(condition), Some(then), otherwise];
        labels(nodes.iter().flatten(), self.errors);
        let below: Vec<_> = nodes.into_iter().flatten().filter_map(|node| self.node(node)).collect();
        self.end(at, Given::default(), below)
    }

    fn selection(&mut self, selection: Match, allowed: &[Allowed]) -> String {
        let Match { word, span, function, label, arms } = selection;
        let at = self.begin(word.name(), span, label.as_ref(), allowed);
        let mut given = Given::default();
        let named = |ty| word.row().param(ty).map(|param| param.name.to_owned());
        let on =
            function.and_then(|function| Some((location::of(&function.tokens), self.annotation(&function.tokens)?)));
        if let (Some(name), Some((at, value))) = (named(ParamType::Value), on) {
            given.insert(name, at, value);
        }
        let (mut cases, last) = (Vec::new(), arms.len().saturating_sub(1));
        let has_any = arms.iter().any(|arm| arm.pattern.to_string() == "_");
        for (index, arm) in arms.iter().enumerate() {
            let (span, written) = (location::of(&arm.pattern), text::written(arm.pattern.clone()));
            match (index == last, written == "_") {
                (true, true) => {}
                (true, false) if !has_any => self.errors.at(
                    span,
                    format!("the last pattern of a `{}` in a file must be `_`, for any other value", word.name()),
                ),
                (_, false) => cases.extend(self.case(&arm.pattern).map(|value| (span, value))),
                // It stands for an arm that has been reported.
                (false, true) if matches!(arm.node, Node::Missing(_)) => {}
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
    fn case(&mut self, pattern: &TokenStream) -> Option<Value> {
        let mut quiet = self.errors.of_part();
        let parser = |input: ParseStream<'_>| {
            let value = value::value(input, &mut quiet);
            let is_whole = input.is_empty();
            let _ = input.parse::<TokenStream>();
            Ok(value.filter(|_| is_whole))
        };
        let found = Parser::parse2(parser, pattern.clone()).ok().flatten();
        // A range and a time are texts, too.
        let is_text = syn::parse2::<LitStr>(pattern.clone()).is_ok();
        match found {
            Some((value @ Value::String(_), false)) if is_text => Some(value),
            Some((value @ (Value::Number(_) | Value::Bool(_)), false)) => Some(value),
            _ => {
                let found = text::written(pattern.clone());
                let message = format!(
                    "a pattern in a file must be a text, a number or a boolean, found `{found}`\nhelp: write an enum variant as text, `\"Calm\"`; for a range, register a value that distinguishes the cases"
                );
                self.errors.at(location::of(pattern), message);
                None
            }
        }
    }

    fn leaf(&mut self, leaf: Leaf, allowed: &[Allowed]) -> Option<String> {
        let (name, rest) = self.name(leaf.tokens, leaf.span)?;
        let mut rest = rest.into_iter();
        let args = match (rest.next(), rest.next()) {
            (None, _) => None,
            (Some(TokenTree::Group(args)), None) if args.delimiter() == Delimiter::Parenthesis => Some(args),
            (Some(first), second) => {
                let span = match second {
                    Some(second) if matches!(first, TokenTree::Group(_)) => second.span(),
                    _ => first.span(),
                };
                if name == "tree" && matches!(&first, TokenTree::Punct(sign) if sign.as_char() == '!') {
                    self.errors.at(leaf.span, "a file contains the tree alone\nhelp: remove `tree!` and its braces");
                } else {
                    self.rust(span, "a macro or a method");
                }
                return None;
            }
        };
        let at = self.begin(&name, leaf.span, leaf.label.as_ref(), allowed);
        let properties = match form(&name) {
            Some(form) => of_word(&name, form, args.as_ref(), leaf.span, self.errors),
            None => self.own(at, args.as_ref()),
        };
        Some(self.end(at, properties, None))
    }

    /// Returns the name that begins tokens, and the other tokens. Reports other Rust.
    fn name(&mut self, tokens: TokenStream, span: Span) -> Option<(String, Vec<TokenTree>)> {
        let all: Vec<_> = tokens.into_iter().collect();
        let is_colon = |at: usize| matches!(all.get(at), Some(TokenTree::Punct(sign)) if sign.as_char() == ':');
        let (mut name, mut end) = (String::new(), 0);
        loop {
            let colons = if is_colon(end) && is_colon(end + 1) { 2 } else { 0 };
            match all.get(end + colons) {
                Some(TokenTree::Ident(word)) if word != "move" && (end == 0 || colons > 0) => {
                    let separator = if end == 0 { "" } else { "::" };
                    name = format!("{name}{separator}{}", word.unraw());
                    end += colons + 1;
                }
                _ => break,
            }
        }
        if name.is_empty() {
            let what = match all.first().map(ToString::to_string).as_deref() {
                Some("|" | "move") => "a closure",
                Some("&") => "a reference",
                _ => "Rust",
            };
            self.rust(span, what);
            return None;
        }
        Some((name, all[end..].to_vec()))
    }

    /// Reports Rust that a file cannot contain.
    fn rust(&mut self, span: Span, what: &str) {
        self.errors.at(span, format!("a file cannot contain {what}\n{REGISTER}"));
    }
}

/// Returns the place of a node.
pub(super) fn at_node(node: &Node) -> Span {
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
