//! Parses conditions: nodes that are combined with `!`, `&&`, `||` and parentheses, as in Rust.

use bt_words::Word;
use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token, token};

use super::attributes::{allowing, attributes};
use super::leaf::{borrowed, fragment, in_parentheses, leaf, missing, plain};
use super::left::leave_rest;
use super::list::List;
use super::rust::{angle, begins_path, path, rust};
use super::stray::in_angles;
use super::tokens::{found, skip, take, take_before, take_until};
use crate::ast::{Child, Inner, Node, Path};
use crate::errors::{Errors, Left, REGISTER};
use crate::keyword::is_keyword;
use crate::text;

/// The help for a Rust expression that is not a node.
const RUST: &str = "help: write a closure: `if |npc: &Npc| npc.hp < 3 { … }`\nhelp: put a Rust `if` in parentheses: `(if x { a } else { b })`";

/// Reports a Rust expression before a brace that is not a condition, and consumes it. `begin` is where the condition began, and the input is
/// where an operator follows it that does not combine conditions. Returns `false` if there is no such expression.
pub(super) fn not_a_condition(word: &str, begin: ParseStream<'_>, input: ParseStream<'_>, errors: &mut Errors) -> bool {
    let end = begin.fork();
    if Expr::parse_without_eager_brace(&end).is_err() || end.cursor() <= input.cursor() {
        return false;
    }
    let expression = take_until(begin, &end);
    take_until(input, &end);
    let found = text::written(expression.clone());
    let help = errors.either(RUST, REGISTER);
    errors.on(&expression, format!("the condition of `{word}` must be a node, found the expression `{found}`\n{help}"));
    errors.leave(Left::Rust(expression));
    true
}

/// Parses a condition up to the brace after it. A leaf in it has no label: a label before the brace is that of the whole node.
pub(super) fn condition(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    combined(input, Word::Selector, true, &mut one, errors)
}

/// Parses conditions with `||` between them, or with `&&` if `word` is `sequence`. `one` parses a condition without operators.
/// If nothing but an operator can follow (`is_alone`), others are reported as mistakes.
fn combined(
    input: ParseStream<'_>,
    word: Word,
    is_alone: bool,
    one: &mut dyn FnMut(ParseStream<'_>, &mut Errors) -> Node,
    errors: &mut Errors,
) -> Node {
    let (is_or, span) = (word == Word::Selector, input.span());
    let mut next = |errors: &mut Errors| {
        if is_or { combined(input, Word::Sequence, is_alone, one, errors) } else { one(input, errors) }
    };
    let mut nodes = vec![next(errors)];
    while let Some(tokens) = operator(input, is_or, is_alone, errors) {
        skip(input, tokens);
        nodes.push(next(errors));
    }
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        last => composite(word, nodes.into_iter().chain(last), span),
    }
}

/// Returns the number of tokens of `||`, or of `&&`. Reports another way to write it.
fn operator(input: ParseStream<'_>, is_or: bool, is_alone: bool, errors: &mut Errors) -> Option<usize> {
    let (sign, other, word) = if is_or { ("||", '|', "or") } else { ("&&", '&', "and") };
    if is_or && input.peek(Token![||]) || !is_or && input.peek(Token![&&]) {
        return Some(2);
    }
    if !is_alone {
        return None;
    }
    let found = match input.fork().parse().ok()? {
        TokenTree::Ident(found) if found == word => word.to_owned(),
        TokenTree::Punct(found) if found.as_char() == other && !input.peek(Token![||]) && !input.peek(Token![&&]) => {
            other.to_string()
        }
        _ => return None,
    };
    errors.at(
        input.span(),
        format!("expected `{sign}`, found `{found}`\nhelp: conditions are combined with `&&`, `||` and `!`"),
    );
    Some(1)
}

/// Returns the composite that an operator means.
fn composite(word: Word, nodes: impl Iterator<Item = Node>, span: Span) -> Node {
    let keyword = Ident::new(word.name(), Span::mixed_site().located_at(span));
    let path = Path { tokens: keyword.to_token_stream(), word: Some(keyword), span };
    let children = nodes.map(|node| Child { cfgs: Vec::new(), weight: None, dots: None, node }).collect();
    Node::Inner(Inner { path, args: None, action: None, label: None, children })
}

/// Parses the guard of a transition, or a node of a state.
pub(super) fn guard(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    combined(input, Word::Selector, false, &mut |input, errors| one_in_state(input, list, errors), errors)
}

/// Parses a guard without operators, except `!` before it, or a node of a state.
fn one_in_state(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let names = attributes(input, errors);
    allowing(names, one_without_attributes(input, list, errors))
}

fn one_without_attributes(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    if input.peek(Token![!]) && (input.peek2(token::Paren) || input.peek2(Token![!])) {
        let bang = input.span();
        skip(input, 1);
        return Node::Not { bang, child: Box::new(one_in_state(input, list, errors)) };
    }
    let in_parentheses = if input.peek(token::Paren) { parenthesized(input, errors) } else { None };
    in_parentheses.unwrap_or_else(|| Node::parse_bare(input, list, errors))
}

/// Parses a condition without operators, except `!` before it.
fn one(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let names = attributes(input, errors);
    let node = without_attributes(input, errors);
    allowing(names, node)
}

fn without_attributes(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let span = input.span();
    if let Some(node) = fragment(input) {
        return node;
    }
    if let Ok(bang) = input.parse::<Token![!]>() {
        return Node::Not { bang: bang.span, child: Box::new(one(input, errors)) };
    }
    if input.peek(Token![|]) || input.peek(Token![||]) || input.peek(Token![move]) {
        return leaf(rust(input), span);
    }
    if input.peek(token::Paren) {
        return match parenthesized(input, errors) {
            Some(node) => node,
            None => in_parentheses(input, errors),
        };
    }
    if input.peek(Token![&]) {
        return borrowed(input, errors);
    }
    if angle(input).is_some() {
        return in_angles(input, List::Braces, errors);
    }
    if begins_path(input) {
        let ahead = path(&input.fork());
        // A keyword cannot be a leaf, so the braces after it contain its children.
        if ahead.word.as_ref().is_some_and(is_keyword) {
            return Node::parse_named(input, List::Braces, errors);
        }
        return plain(input, errors);
    }
    let help = if input.peek(Token![let]) {
        "help: use `match` to compare with a pattern"
    } else if input.peek(syn::Lit) {
        errors.either(RUST, REGISTER)
    } else {
        ""
    };
    let found = found(input);
    if input.peek(Token![let]) {
        // A pattern is not an expression.
        while !(input.peek(Token![=]) || input.peek(token::Brace) || input.is_empty()) {
            skip(input, 1);
        }
        let _ = input.parse::<Token![=]>();
    }
    skip_to_brace(input, errors);
    missing(span, format!("expected a condition, found {found}\n{help}").trim_end(), errors)
}

/// Skips to the next brace or comma, and keeps the skipped code for editors.
pub(super) fn skip_to_brace(input: ParseStream<'_>, errors: &mut Errors) {
    errors.salvage(take_before(input, |input| input.peek(token::Brace) || input.peek(Token![,])));
}

/// Parses a node or a condition in parentheses; returns `None` if they contain other Rust.
fn parenthesized(input: ParseStream<'_>, errors: &mut Errors) -> Option<Node> {
    let ahead = input.fork();
    let TokenTree::Group(group) = ahead.parse().ok()? else { return None };
    // As outside conditions, an `if` in parentheses is Rust.
    let is_rust =
        |input: ParseStream<'_>| Ok((input.peek(Token![if]) || input.peek(Token![match]), take(input, usize::MAX)));
    if ahead.peek(Token![.])
        || group.stream().is_empty()
        || Parser::parse2(is_rust, group.stream()).is_ok_and(|(is_rust, _)| is_rust)
    {
        return None;
    }
    let several = Punctuated::<Expr, Token![,]>::parse_terminated;
    if Parser::parse2(several, group.stream()).is_ok_and(|found| found.len() > 1 || found.trailing_punct()) {
        return None;
    }
    let content = |errors: &mut Errors| {
        let parser = |input: ParseStream<'_>| {
            let node = condition(input, errors);
            if !input.is_empty() {
                let found = found(input);
                errors.at(input.span(), format!("expected `&&`, `||` or `)` after a condition, found {found}"));
                leave_rest(input, List::Braces, errors);
            }
            Ok(node)
        };
        Parser::parse2(parser, group.stream()).unwrap_or(Node::Missing(group.span()))
    };
    let mut quiet = errors.of_part();
    let mut found = content(&mut quiet);
    if !quiet.is_empty() {
        // A node with children or a label, such as a decorator of the user.
        let mut others = errors.of_part();
        let whole = |input: ParseStream<'_>| Ok((Node::parse(input, List::Braces, &mut others), input.is_empty()));
        match Parser::parse2(whole, group.stream()) {
            Ok((node, true)) if others.is_empty() => found = node,
            _ if syn::parse2::<Expr>(group.stream()).is_ok_and(|found| !is_combined(&found)) => return None,
            // To parse it once more would take twice the time for each level of parentheses.
            _ => errors.extend(quiet),
        }
    }
    skip(input, 1);
    Some(found)
}

/// Returns `true` for an expression that is a combination of conditions.
fn is_combined(expression: &Expr) -> bool {
    matches!(expression, Expr::Binary(syn::ExprBinary { op: syn::BinOp::And(_) | syn::BinOp::Or(_), .. }))
}
