//! The trees of a file: one node, or `tree name { node }` for each.

use bt_behavior3::{Project, TreeSpec};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use serde_json::{Map, Value};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Token, token};

use super::arguments::{is_reserved, reserved};
use super::names::Unnamed;
use super::node::{Writer, by_id};
use super::value::{Argument, arguments};
use crate::errors::Errors;
use crate::parse;

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
pub(super) fn file(stream: TokenStream, errors: &mut Errors) -> Parsed {
    let mut parsed = Parsed { project: Project::default(), unnamed: Vec::new() };
    let parser = |input: ParseStream<'_>| {
        if !begins(input) {
            add(Head::default(), input.parse()?, &mut parsed, errors);
            return Ok(());
        }
        while !input.is_empty() {
            block(input, &mut parsed, errors);
        }
        Ok(())
    };
    // All tokens are consumed.
    let _ = Parser::parse2(parser, stream);
    parsed
}

/// Returns `true` if `tree name` follows.
fn begins(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<Ident>().is_ok_and(|word| word == TREE) && ahead.peek(Ident::peek_any)
}

/// Parses `tree name(property = default) "title" { node }`.
fn block(input: ParseStream<'_>, parsed: &mut Parsed, errors: &mut Errors) {
    if !begins(input) {
        errors.at(input.span(), format!("expected another tree\n{HELP}"));
        let _ = input.parse::<TokenStream>();
        return;
    }
    let _ = input.parse::<Ident>();
    let Ok(name) = input.call(Ident::parse_any) else { return };
    let id = name.unraw().to_string();
    let properties = if input.peek(token::Paren) { properties(input, errors) } else { Map::new() };
    let title = if input.peek(LitStr) { input.parse::<LitStr>().ok() } else { None };
    let title = title.map_or_else(|| id.clone(), |title| title.value());
    if parsed.project.trees.iter().any(|tree| tree.id == id) {
        errors.at(name.span(), format!("duplicate tree `{id}`"));
    }
    match input.fork().parse() {
        Ok(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
            let _ = input.parse::<TokenTree>();
            if body.stream().is_empty() {
                errors.at(body.span(), format!("tree `{id}` has no node\n{HELP}"));
            }
            add(Head { id, title, properties }, body.stream(), parsed, errors);
        }
        // The body in angle brackets: `tree name < node >`.
        _ if input.peek(Token![<]) => {
            let body = rest(input);
            add(Head { id, title, properties }, body, parsed, errors);
        }
        _ => {
            errors.at(name.span(), format!("tree `{id}` has no body\n{HELP}"));
            let _ = input.parse::<Token![,]>();
            rest(input);
        }
    }
}

/// Takes the tokens before the next tree.
fn rest(input: ParseStream<'_>) -> TokenStream {
    let mut tokens = TokenStream::new();
    while !(input.is_empty() || begins(input)) {
        tokens.extend(input.parse::<TokenTree>().ok());
    }
    tokens
}

/// Parses the properties of a tree, each with its default, or without one if it is required.
fn properties(input: ParseStream<'_>, errors: &mut Errors) -> Map<String, Value> {
    let Ok(TokenTree::Group(group)) = input.parse::<TokenTree>() else { return Map::new() };
    let mut all = Map::new();
    for Argument { name, begin, span, value, is_name } in
        arguments(&Group::new(Delimiter::Parenthesis, group.stream()), errors)
    {
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
fn add(head: Head, body: TokenStream, parsed: &mut Parsed, errors: &mut Errors) {
    if body.is_empty() {
        if head.id.is_empty() {
            errors.at(
                proc_macro2::Span::call_site(),
                "expected a node, found an empty file\nhelp: write a node, such as `selector { … }`",
            );
        }
        return;
    }
    let tree = parse::tree(body, errors);
    if let Some(context) = &tree.context {
        errors.on(&context.ty, "a file has no context\nhelp: remove `for …:`");
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
