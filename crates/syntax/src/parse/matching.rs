//! Parses `match function { pattern if guard => node, … }` and `mem_match`.

use bt_words::Word;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::ParseStream;
use syn::{Expr, Pat, Token, token};

use super::branch::in_braces;
use super::habit::is_colon;
use super::leaf::{label, missing};
use super::list::{List, ends_with_brace};
use super::rust::rust;
use super::tokens::{self, braced, found, skip, take_before, take_until};
use crate::ast::{Arm, Function, Match, Node};
use crate::errors::{Errors, Left, REGISTER_VALUE};
use crate::location;

/// Returns the word that begins here, if it is `match` or `mem_match`.
pub(super) fn word(input: ParseStream<'_>) -> Option<Word> {
    tokens::word(input, [Word::Match, Word::MemMatch])
}

/// Parses a node that begins with this word.
pub(super) fn matching(word: Word, input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let (span, name) = (input.span(), word.name());
    skip(input, 1);
    let function = function(name, span, input, errors);
    let label = label(input);
    let Some((_, arms)) = braced(input, |input| arms(input, errors)) else {
        let Some(function) = function else {
            // The error is about the function.
            return Node::Missing(span);
        };
        errors.leave(Left::Rust(function.tokens));
        let at = if input.is_empty() { span } else { input.span() };
        let found = found(input);
        return missing(at, format!("expected `{{` after the function of `{name}`, found {found}"), errors);
    };
    Node::Match(Box::new(Match { word, span, function, label, arms }))
}

/// Parses the function. An expression that is visibly not a function of the context is an error.
fn function(name: &str, span: Span, input: ParseStream<'_>, errors: &mut Errors) -> Option<Function> {
    let at = if input.is_empty() { span } else { input.span() };
    let of_macro = format!("help: write `{name} |npc: &Npc| npc.mood {{ … }}`, or the path of a function");
    let help = errors.either(&of_macro, REGISTER_VALUE);
    let what = errors.either("a function of the context", "the name of a registered value or `var(name)`");
    let expected = |found: &str| format!("`{name}` expects {what}, found {found}\n{help}");
    if input.is_empty() || input.peek(token::Brace) || input.peek(Token![,]) {
        errors.at(at, expected(&found(input)));
        return None;
    }
    let tokens = rust(input);
    let expression = syn::parse2::<Expr>(tokens.clone());
    match expression {
        Ok(Expr::Lit(_) | Expr::Binary(_) | Expr::Unary(_) | Expr::Tuple(_) | Expr::Reference(_)) => {
            errors.at(at, expected(&format!("`{}`", crate::text::written(tokens.clone()))));
            errors.salvage(tokens);
            None
        }
        Ok(Expr::Closure(closure)) if closure.inputs.len() != 1 => {
            let found = closure.inputs.len();
            let help = format!("help: write `{name} |npc: &Npc| npc.mood {{ … }}`");
            errors.at(at, format!("`{name}` expects a closure with 1 parameter, found {found}\n{help}"));
            errors.salvage(tokens);
            None
        }
        Ok(Expr::Closure(closure)) => Some(Function { tokens, closure: Some(closure) }),
        // If the expression is incomplete, rustc reports it.
        Ok(_) | Err(_) => Some(Function { tokens, closure: None }),
    }
}

/// Parses the content of the braces.
fn arms(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Arm> {
    let (mut arms, mut has_other_sign) = (Vec::new(), false);
    while !input.is_empty() {
        if input.peek(Token![..]) && !begins_arm(input) || input.peek(Token![#]) {
            let found = found(input);
            errors.at(
                input.span(),
                format!("expected a pattern, found {found}\nnote: `..` and `#[cfg(…)]` are not allowed in a `match`"),
            );
            arms.push(skip_arm(input, errors));
            continue;
        }
        let Some(pattern) = pattern(input, errors, &mut has_other_sign) else {
            arms.push(skip_arm(input, errors));
            continue;
        };
        if input.is_empty() || input.peek(Token![,]) {
            let found = found(input);
            let message =
                format!("expected a node after `=>`, found {found}\nhelp: `succeed` does nothing and succeeds");
            let node = missing(if input.is_empty() { location::of(&pattern) } else { input.span() }, message, errors);
            arms.push(Arm { pattern, node });
            let _ = input.parse::<Token![,]>();
            continue;
        }
        // As in Rust, the node may be in braces.
        let has_braces = input.peek(token::Brace);
        let node = if has_braces { in_braces("=>", input, errors) } else { Node::parse(input, List::Braces, errors) };
        let needs_comma = !has_braces && !ends_with_brace(Some(&node));
        arms.push(Arm { pattern, node });
        if input.parse::<Token![,]>().is_err() && needs_comma && !input.is_empty() {
            let (found, is_arm) = (found(input), begins_arm(input));
            let help =
                if is_arm { "" } else { "\nhelp: put several nodes in a composite, such as `_ => sequence { … }`" };
            errors.at(input.span(), format!("expected `,` before the next pattern, found {found}{help}"));
            if !is_arm {
                skip_arm(input, errors);
            }
        }
    }
    arms
}

/// Returns `true` if a pattern and `=>` or `if` follow. A range can begin with dots, as `..` before children does.
fn begins_arm(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    Pat::parse_multi_with_leading_vert(&ahead).is_ok() && (ahead.peek(Token![=>]) || ahead.peek(Token![if]))
}

/// Parses a pattern, its `if` and the `=>`, which must follow. Another sign in the place of that is reported once.
fn pattern(input: ParseStream<'_>, errors: &mut Errors, has_other_sign: &mut bool) -> Option<TokenStream> {
    let ahead = input.fork();
    let is_pattern = Pat::parse_multi_with_leading_vert(&ahead).is_ok();
    let has_guard = is_pattern && ahead.peek(Token![if]);
    let is_complete =
        is_pattern && (!has_guard || ahead.parse::<Token![if]>().is_ok() && ahead.parse::<Expr>().is_ok());
    let is_arrow = ahead.peek(Token![=>]);
    if is_complete && (is_arrow || ahead.peek(Token![->]) || is_colon(&ahead)) {
        if !is_arrow && !std::mem::replace(has_other_sign, true) {
            let found = if ahead.peek(Token![->]) { "->" } else { ":" };
            let message = format!("expected `=>` after a pattern, found `{found}`\nhelp: write `pattern => node`");
            errors.at(ahead.span(), message);
        }
        let pattern = take_until(input, &ahead);
        skip(input, if is_colon(input) { 1 } else { 2 });
        return Some(pattern);
    }
    let at = if is_complete { ahead.span() } else { input.span() };
    let message = if is_complete {
        format!("expected `=>` after a pattern, found {}\nhelp: write `pattern => node`", found(&ahead))
    } else {
        format!("expected a Rust pattern and `=>`, found {}\nhelp: write `pattern => node`", found(input))
    };
    errors.at(at, message);
    None
}

/// Skips to the next arm, and returns one in place of it.
fn skip_arm(input: ParseStream<'_>, errors: &mut Errors) -> Arm {
    let span = input.span();
    errors.salvage(take_before(input, |input| input.peek(Token![,])));
    let _ = input.parse::<Token![,]>();
    Arm { pattern: quote!(_), node: Node::Missing(span) }
}
