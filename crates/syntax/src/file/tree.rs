//! The trees of a file: one node, or `tree name { node }` for each.

use bt_behavior3::{Project, TreeSpec};
use bt_words::{is_file_name, nearest};
use proc_macro2::Delimiter;
use serde_json::{Map, Value};

use super::arguments::{is_reserved, reserved};
use super::names::Unnamed;
use super::node::{Writer, by_id};
use super::value::{Argument, arguments};
use crate::errors::Errors;
use crate::parse::{self, found};
use crate::tokens::{Group, Ident, Input, Text, TokenStream, Tokens};

/// A file whose arguments without names have none yet.
pub(super) struct Parsed {
    pub(super) project: Project,
    pub(super) unnamed: Vec<Unnamed>,
}

/// The word before the name of a tree.
const TREE: &str = "tree";
const HELP: &str = "help: write `tree name { node }`";

/// The head of a tree, before its braces.
#[derive(Default)]
struct Head {
    id: String,
    title: String,
    properties: Map<String, Value>,
}

/// Parses a file.
pub(super) fn file(tokens: &Tokens, errors: &mut Errors) -> Parsed {
    let mut parsed = Parsed { project: Project::default(), unnamed: Vec::new() };
    let input = tokens.all().input();
    if !begins(&input) {
        add(Head::default(), tokens.all(), &mut parsed, errors);
        return parsed;
    }
    while !input.is_empty() {
        block(&input, &mut parsed, errors);
    }
    parsed
}

/// Returns `true` if `tree name` follows, whose first word may be misspelled.
fn begins(input: &Input<'_>) -> bool {
    let is_meant = |word: Ident<'_>| word == *TREE || nearest(word.text(), [TREE]).is_some();
    let (first, next) = (input.peek_name(), input.after());
    first.is_some_and(is_meant) && next.peek_word().is_some()
        || first.is_some_and(|word| word == *TREE) && (next.peek_text() || next.peek("{"))
}

/// Parses `tree name(property = default) "title" { node }`.
fn block(input: &Input<'_>, parsed: &mut Parsed, errors: &mut Errors) {
    if !begins(input) {
        errors.at(input.span(), format!("expected another tree\n{HELP}"));
        input.skip(usize::MAX);
        return;
    }
    let (span, found) = (input.span(), found(input));
    input.skip(1);
    let Some(name) = input.word() else {
        let help = if input.peek_text() { "help: write `tree name \"title\" { node }`" } else { HELP };
        errors.at(input.span(), format!("expected a name after `{TREE}`, found {}\n{help}", self::found(input)));
        input.skip(1);
        input.take_before(begins);
        return;
    };
    let id = name.unraw().to_owned();
    if found != format!("`{TREE}`") {
        errors.at(span, format!("expected `{TREE}`, found {found}\nhelp: write `{TREE} {name} {{ … }}`"));
    }
    if is_file_name(&id) {
        errors.at(name.span(), format!("`{id}` is a keyword\nhelp: rename the tree"));
    }
    let properties = input.group_in(Delimiter::Parenthesis).map(|group| properties(group, errors)).unwrap_or_default();
    let title = input.text().map_or_else(|| id.clone(), Text::value);
    if parsed.project.trees.iter().any(|tree| tree.id == id) {
        errors.at(name.span(), format!("duplicate tree `{id}`"));
    }
    if let Some(body) = input.group_in(Delimiter::Brace) {
        if body.stream().is_empty() {
            errors.at(body.span(), format!("tree `{id}` has no node\n{HELP}"));
        }
        add(Head { id, title, properties }, body.stream(), parsed, errors);
    } else if input.peek("<") {
        // The body in angle brackets: `tree name < node >`.
        add(Head { id, title, properties }, input.take_before(begins), parsed, errors);
    } else if input.is_empty() {
        errors.at(name.span(), format!("tree `{id}` has no body\n{HELP}"));
    } else {
        errors.at(input.span(), format!("expected the braces of tree `{id}`, found {}\n{HELP}", self::found(input)));
        input.eat(",");
        input.take_before(begins);
    }
}

/// Returns the properties of a tree, each with its default, or without one if it is required.
fn properties(group: Group<'_>, errors: &mut Errors) -> Map<String, Value> {
    let mut all = Map::new();
    let group = parse::arguments(None, group.into(), errors);
    if group.are_reported {
        return all;
    }
    for Argument { name, begin, span, value, is_name } in arguments(group.stream, errors) {
        let property = match (name, value) {
            (Some(name), value) if !is_name => Some((name, value)),
            (None, Value::String(name)) if is_name => Some((name, Value::Null)),
            _ => None,
        };
        match property {
            Some((name, _)) if all.contains_key(&name) => errors.at(span, format!("duplicate property `{name}`")),
            Some((name, _)) if is_reserved(&name) => errors.at(begin, reserved(&name)),
            Some((name, value)) => _ = all.insert(name, value),
            None => {
                let help = "help: write `name = default`, or `name` for a property that is required";
                errors.at(span, format!("expected a property\n{help}"));
            }
        }
    }
    all
}

/// Adds a tree.
fn add(head: Head, body: TokenStream<'_>, parsed: &mut Parsed, errors: &mut Errors) {
    if body.is_empty() {
        if head.id.is_empty() {
            let help = "help: write a node, such as `selector { … }`";
            errors.at(body.begin(), format!("expected a node, found an empty file\n{help}"));
        }
        return;
    }
    let tree = parse::tree_of(&body.input(), errors);
    if let Some(context) = &tree.context {
        errors.at(context.span, "a file has no context\nhelp: remove `for …:`");
    }
    let before = parsed.project.trees.iter().map(|tree| tree.nodes.len()).sum();
    let unnamed: Vec<Unnamed> = std::mem::take(&mut parsed.unnamed);
    let index = parsed.project.trees.len();
    let mut writer = Writer { before, tree: index, nodes: Vec::new(), unnamed, errors };
    let root = writer.node(tree.root);
    let Writer { nodes, unnamed, .. } = writer;
    parsed.unnamed = unnamed;
    let Head { id, title, properties } = head;
    let mut more = Map::new();
    if !title.is_empty() {
        more.insert("title".to_owned(), title.into());
    }
    parsed.project.trees.push(TreeSpec { id, root, properties, nodes: by_id(nodes), more, ..TreeSpec::default() });
}
