//! Parses attributes of nodes.

use proc_macro2::Delimiter;

use crate::ast::{Allowed, Attribute, Node};
use crate::errors::{DOCUMENTATION, Errors, did_you_mean};
use crate::tokens::{Input, TokenStream};

/// Parses `#[allow(names)]`, `#[expect(names)]` and `#[disabled]` before a node. Returns the names.
pub(super) fn attributes<'t>(input: &Input<'t>, errors: &mut Errors) -> Vec<Allowed<'t>> {
    let mut names = Vec::new();
    documentation(input, errors);
    while input.peek("#") && input.peek2("[") {
        let hash = input.span();
        input.eat("#");
        if let Some(group) = input.group() {
            match allowed(group.stream()) {
                Some(allowed) => names.extend(allowed),
                None if begins(group.stream(), "cfg") => {
                    errors
                        .at(hash, "`#[cfg(…)]` is only allowed before a child in a list, before its other attributes");
                }
                None => {
                    let help = meant(group.stream(), errors)
                        .unwrap_or_else(|| "\nhelp: write, for example, `#[allow(unreachable)]`".to_owned());
                    let other = errors.either("#[expect(…)]", "#[disabled]");
                    errors.at(hash, format!("expected `#[allow(…)]` or `{other}` before a node{help}"));
                }
            }
        }
        documentation(input, errors);
    }
    names
}

/// Parses documentation comments, and reports the first.
pub(super) fn documentation(input: &Input<'_>, errors: &mut Errors) {
    let begin = input.span();
    let mut has_any = false;
    while input.peek("#")
        && input.peek2("[")
        && input.after().group().is_some_and(|group| begins(group.stream(), "doc"))
    {
        input.eat("#");
        input.group();
        has_any = true;
    }
    if has_any {
        errors.at(begin, DOCUMENTATION);
    }
}

/// Returns the help for a misspelled attribute.
fn meant(attribute: TokenStream<'_>, errors: &Errors) -> Option<String> {
    let (word, known) = (attribute.input().word()?, ["allow", errors.either("expect", "disabled")]);
    if word == "disabled" && errors.is_file() {
        return Some("\nhelp: write `#[disabled]`".to_owned());
    }
    did_you_mean(word.text(), known)
}

/// Skips attributes before a weight, a score or a pattern, and reports them.
pub(super) fn misplaced(input: &Input<'_>, errors: &mut Errors) {
    let ahead = input.fork();
    while ahead.peek("#") && ahead.after().peek_group().is_some_and(|group| !begins(group.stream(), "cfg")) {
        ahead.skip(2);
    }
    let (attributes, arrow) = (ahead.since(input), ahead.fork());
    if attributes.is_empty() {
        return;
    }
    let value = arrow.take_before(|input| [",", "{", "<", "=>"].iter().any(|sign| input.peek(sign)));
    if value.is_empty() || !arrow.peek("=>") {
        return;
    }
    let (value, written) = (value.written(), attributes.written());
    let help = format!("help: write it after the `=>`: `{value} => {written} …`");
    errors.at(input.span(), format!("an attribute is only allowed before a node\n{help}"));
    input.take_until(&ahead);
}

fn begins(attribute: TokenStream<'_>, name: &str) -> bool {
    attribute.input().peek(name)
}

/// Parses the names in `allow(a, b)` or `expect(a, b)`, or `disabled`, which is its own name.
fn allowed(attribute: TokenStream<'_>) -> Option<Vec<Allowed<'_>>> {
    let input = attribute.input();
    let word = input.word()?;
    let attribute = match word.text() {
        "disabled" if input.is_empty() => return Some(vec![Allowed { name: word, attribute: Attribute::Disabled }]),
        "allow" => Attribute::Allow,
        "expect" => Attribute::Expect,
        _ => return None,
    };
    let names = input.group_in(Delimiter::Parenthesis).filter(|_| input.is_empty())?.stream().input();
    let mut all = Vec::new();
    while !names.is_empty() {
        all.push(Allowed { name: names.word()?, attribute });
        if names.eat(",").is_none() && !names.is_empty() {
            return None;
        }
    }
    (!all.is_empty()).then_some(all)
}

/// Wraps a node with the lints that are allowed before it.
pub(super) fn allowing<'t>(names: Vec<Allowed<'t>>, node: Node<'t>) -> Node<'t> {
    if names.is_empty() { node } else { Node::Allowing { names, node: Box::new(node) } }
}
