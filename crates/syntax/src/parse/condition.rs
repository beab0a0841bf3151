//! Parses conditions: nodes that are combined with `!`, `&&`, `||` and parentheses, as in Rust.

use bt_words::Word;
use syn::Expr;

use super::attributes::{allowing, attributes};
use super::leaf::{borrowed, fragment, in_parentheses, is_tuple, leaf, missing, plain};
use super::left::leave_rest;
use super::list::List;
use super::rust::{angle, begins_path, path, rust, with_syn};
use super::stray::in_angles;
use super::tokens::found;
use crate::ast::{Child, Inner, Node, Path};
use crate::errors::{Errors, REGISTER};
use crate::keyword::is_keyword;
use crate::tokens::{Ident, Input, Span, Tree};

/// The help for a Rust expression that is not a node.
const RUST: &str = "help: write a closure: `if |npc: &Npc| npc.hp < 3 { … }`\nhelp: put a Rust `if` in parentheses: `(if x { a } else { b })`";

/// Reports a Rust expression before a brace that is not a condition, and consumes it. `begin` is where the condition began, and the input is
/// where an operator follows it that does not combine conditions. Returns `false` if there is no such expression.
pub(super) fn not_a_condition<'t>(word: &str, begin: &Input<'t>, input: &Input<'t>, errors: &mut Errors) -> bool {
    let end = with_syn(begin, Expr::parse_without_eager_brace).map(|(_, end)| end);
    let Some(end) = end.filter(|end| !end.since(input).is_empty()) else { return false };
    let expression = begin.take_until(&end);
    input.take_until(&end);
    let found = expression.written();
    let help = errors.either(RUST, REGISTER);
    errors.at(
        expression.span(),
        format!("the condition of `{word}` must be a node, found the expression `{found}`\n{help}"),
    );
    errors.leave_rust(expression);
    true
}

/// Parses a condition up to the brace after it. A leaf in it has no label: a label before the brace is that of the whole node.
pub(super) fn condition<'t>(input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    combined(input, Word::Selector, true, &mut one, errors)
}

/// Parses conditions with `||` between them, or with `&&` if `word` is `sequence`. `one` parses a condition without operators.
/// If nothing but an operator can follow (`is_alone`), others are reported as mistakes.
fn combined<'t>(
    input: &Input<'t>,
    word: Word,
    is_alone: bool,
    one: &mut dyn FnMut(&Input<'t>, &mut Errors) -> Node<'t>,
    errors: &mut Errors,
) -> Node<'t> {
    let (is_or, span) = (word == Word::Selector, input.span());
    let mut next = |errors: &mut Errors| {
        if is_or { combined(input, Word::Sequence, is_alone, one, errors) } else { one(input, errors) }
    };
    let mut nodes = vec![next(errors)];
    while let Some(tokens) = operator(input, is_or, is_alone, errors) {
        input.skip(tokens);
        nodes.push(next(errors));
    }
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        last => composite(word, nodes.into_iter().chain(last).collect(), span, input),
    }
}

/// Returns the number of tokens of `||`, or of `&&`. Reports another way to write it.
fn operator(input: &Input<'_>, is_or: bool, is_alone: bool, errors: &mut Errors) -> Option<usize> {
    let (sign, other, word) = if is_or { ("||", '|', "or") } else { ("&&", '&', "and") };
    if is_or && input.peek("||") || !is_or && input.peek("&&") {
        return Some(2);
    }
    if !is_alone {
        return None;
    }
    let found = match input.peek_tree()? {
        Tree::Ident(found) if found == word => word.to_owned(),
        Tree::Punct(found) if found.as_char() == other && !input.peek("||") && !input.peek("&&") => other.to_string(),
        _ => return None,
    };
    errors.at(
        input.span(),
        format!("expected `{sign}`, found `{found}`\nhelp: conditions are combined with `&&`, `||` and `!`"),
    );
    Some(1)
}

/// Returns the composite that an operator means.
fn composite<'t>(word: Word, nodes: Vec<Node<'t>>, span: Span<'t>, input: &Input<'t>) -> Node<'t> {
    let path = Path { tokens: input.nothing(), word: Some(Ident::made(word.name(), span)), span };
    let child = |node| Child { cfgs: Vec::new(), weight: None, dots: None, node };
    let children = nodes.into_iter().map(child).collect();
    Node::Inner(Inner { path, args: None, action: None, label: None, children })
}

/// Parses the guard of a transition, or a node of a state.
pub(super) fn guard<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    combined(input, Word::Selector, false, &mut |input, errors| one_in_state(input, list, errors), errors)
}

/// Parses a guard without operators, except `!` before it, or a node of a state.
fn one_in_state<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    let names = attributes(input, errors);
    allowing(names, one_without_attributes(input, list, errors))
}

fn one_without_attributes<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    if input.peek("!") && (input.peek2("(") || input.peek2("!")) {
        let bang = input.span();
        input.eat("!");
        return Node::Not { bang, child: Box::new(one_in_state(input, list, errors)) };
    }
    let in_parentheses = if input.peek("(") { parenthesized(input, errors) } else { None };
    in_parentheses.unwrap_or_else(|| Node::parse_bare(input, list, errors))
}

/// Parses a condition without operators, except `!` before it.
fn one<'t>(input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    let names = attributes(input, errors);
    let node = without_attributes(input, errors);
    allowing(names, node)
}

fn without_attributes<'t>(input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    let span = input.span();
    if let Some(node) = fragment(input) {
        return node;
    }
    if let Some(bang) = input.eat("!") {
        return Node::Not { bang, child: Box::new(one(input, errors)) };
    }
    if input.peek("|") || input.peek("move") {
        return leaf(rust(input), span);
    }
    if input.peek("(") {
        return match parenthesized(input, errors) {
            Some(node) => node,
            None => in_parentheses(input, errors),
        };
    }
    if input.peek("&") {
        return borrowed(input, errors);
    }
    if angle(input).is_some() {
        return in_angles(input, List::Braces, errors);
    }
    if begins_path(input) {
        let ahead = path(&input.fork());
        // A keyword cannot be a leaf, so the braces after it contain its children.
        if ahead.word.is_some_and(|word| is_keyword(word.text())) {
            return Node::parse_named(input, List::Braces, errors);
        }
        return plain(input, errors);
    }
    let help = if input.peek("let") {
        "help: use `match` to compare with a pattern"
    } else if input.peek_value() {
        errors.either(RUST, REGISTER)
    } else {
        ""
    };
    let found = found(input);
    if input.peek("let") {
        // A pattern is not an expression.
        input.take_before(|input| input.peek("=") || input.peek("{"));
        input.eat("=");
    }
    skip_to_brace(input, errors);
    missing(span, format!("expected a condition, found {found}\n{help}").trim_end(), errors)
}

/// Skips to the next brace or comma, and keeps the skipped code for editors.
pub(super) fn skip_to_brace(input: &Input<'_>, errors: &mut Errors) {
    errors.salvage(input.take_before(|input| input.peek("{") || input.peek(",")));
}

/// Parses a node or a condition in parentheses; returns `None` if they contain other Rust.
fn parenthesized<'t>(input: &Input<'t>, errors: &mut Errors) -> Option<Node<'t>> {
    let ahead = input.fork();
    let inside = ahead.group()?.stream();
    let begin = inside.input();
    // As outside conditions, an `if` in parentheses is Rust.
    let is_rust = ahead.peek(".") || begin.is_empty() || begin.peek("if") || begin.peek("match");
    if is_rust || is_tuple(inside) {
        return None;
    }
    let content = |errors: &mut Errors| {
        let input = inside.input();
        let node = condition(&input, errors);
        if !input.is_empty() {
            let found = found(&input);
            errors.at(input.span(), format!("expected `&&`, `||` or `)` after a condition, found {found}"));
            leave_rest(&input, List::Braces, errors);
        }
        node
    };
    let mut quiet = errors.of_part();
    let mut found = content(&mut quiet);
    if !quiet.is_empty() {
        // A node with children or a label, such as a decorator of the user.
        let (mut others, whole) = (errors.of_part(), inside.input());
        let node = Node::parse(&whole, List::Braces, &mut others);
        if whole.is_empty() && others.is_empty() {
            found = node;
        } else if syn::parse2::<Expr>(inside.to_macro()).is_ok_and(|found| !is_combined(&found)) {
            return None;
        } else {
            // To parse it once more would take twice the time for each level of parentheses.
            errors.extend(quiet);
        }
    }
    input.skip(1);
    Some(found)
}

/// Returns `true` for an expression that is a combination of conditions.
fn is_combined(expression: &Expr) -> bool {
    matches!(expression, Expr::Binary(syn::ExprBinary { op: syn::BinOp::And(_) | syn::BinOp::Or(_), .. }))
}
