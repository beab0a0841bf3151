//! Parses paths, their suffixes and expressions, which are passed on unchanged.

use proc_macro2::Delimiter;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Lit};

use crate::ast::Path;
use crate::tokens::{Input, Span, TokenStream, Tree};

pub(super) fn begins_path(input: &Input<'_>) -> bool {
    let of_paths = ["self", "super", "crate", "Self"];
    let is_one = || input.peek_word().is_some_and(|word| of_paths.contains(&word.text()));
    input.peek_name().is_some() || input.peek("<") || input.peek("::") || is_one()
}

/// Parses a path, possibly incomplete: `a`, `a::b`, `a::<T>`, `a::<T>::b`, `<T as Trait>::a`, `a::`.
pub(super) fn path<'t>(input: &Input<'t>) -> Path<'t> {
    let (span, begin) = (input.span(), input.fork());
    let (mut last, mut parts) = (None, 0);
    if input.peek("<") {
        angles(input);
    }
    loop {
        if input.eat("::").is_some() {
            parts += 1;
            if input.peek("<") {
                angles(input);
                // A name after generic arguments without `::` is not part of this path.
                if input.peek("::") {
                    continue;
                }
                break;
            }
        }
        // The next child is not part of this path: `a::` may be followed by a comma.
        let Some(word) = input.word() else { break };
        (last, parts) = (Some(word), parts + 1);
        if !input.peek("::") {
            break;
        }
    }
    Path { tokens: input.since(&begin), word: last.filter(|_| parts == 1), span }
}

/// Parses generic arguments, up to the matching `>`.
pub(super) fn angles(input: &Input<'_>) {
    let mut depth = 0_usize;
    let mut arrow = false;
    while let Some(next) = input.tree() {
        if let Tree::Punct(punct) = next {
            match punct.as_char() {
                '<' => depth += 1,
                '>' if !arrow => depth = depth.saturating_sub(1),
                _ => {}
            }
            arrow = punct.as_char() == '-';
        }
        if depth == 0 {
            break;
        }
    }
}

/// Parses the suffixes of an expression: `.field`, `.method(…)`, `?`, possibly incomplete.
pub(super) fn calls(input: &Input<'_>) {
    let is_index = || input.peek_literal().is_some_and(|literal| matches!(literal.lit(), Some(Lit::Int(_))));
    while input.peek(".") || input.peek("?") {
        let dot = input.peek(".");
        input.skip(1);
        if dot && (input.peek_word().is_some() || is_index()) {
            input.skip(1);
        }
        if input.eat("::").is_some() {
            angles(input);
        }
        if input.peek("(") || input.peek("[") {
            input.skip(1);
        }
    }
}

/// Returns the `<` around a root, as in `< selector < a, b > >`. A path can begin with `<`, too: `<Guard as Leaves>::attack`.
pub(super) fn angle<'t>(input: &Input<'t>) -> Option<Span<'t>> {
    let open = input.peek("<").then(|| input.span())?;
    let ahead = input.fork();
    angles(&ahead);
    (!ahead.peek("::")).then_some(open)
}

/// Parses a path, possibly with arguments, if a brace follows, or a label after a name. To find that out is much cheaper than to parse an expression.
pub(super) fn path_before_brace<'t>(input: &Input<'t>) -> Option<TokenStream<'t>> {
    if !begins_path(input) {
        return None;
    }
    let ahead = input.fork();
    let is_label = path(&ahead).word.is_some() && ahead.peek_text();
    ahead.group_in(Delimiter::Parenthesis);
    (is_label || ahead.peek("{")).then(|| input.take_until(&ahead))
}

/// Parses Rust up to the brace after it: a closure without braces around its body, or another expression.
pub(super) fn rust<'t>(input: &Input<'t>) -> TokenStream<'t> {
    match with_syn(input, Expr::parse_without_eager_brace) {
        Some((_, end)) => input.take_until(&end),
        None => input.take_before(|input| input.peek("{")),
    }
}

/// Parses one argument of a list, up to its comma. An incomplete expression ends at the next comma.
pub(crate) fn expression<'t>(input: &Input<'t>) -> TokenStream<'t> {
    let ahead = input.fork();
    let before = ahead.take_before(|input| input.peek(","));
    // Only parameters and generic arguments have commas of their own.
    if before.trees().any(|token| token.is_punct('|') || token.is_punct('<'))
        && let Some((_, end)) = with_syn(input, Expr::parse)
        && (end.is_empty() || end.peek(","))
    {
        return input.take_until(&end);
    }
    input.take_until(&ahead)
}

/// Parses an expression with a parser of `syn`. Returns what it has parsed, and the reader after that; `None` for an error. The parser gets the
/// tokens up to the next comma if no comma can be in the expression, since `syn` copies all tokens that it gets.
pub(super) fn with_syn<'t, T>(
    input: &Input<'t>,
    parser: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> Option<(T, Input<'t>)> {
    most(input).input().rust(parser)
}

/// Returns the tokens that an expression can have: all, or those before the next comma if that ends it.
pub(super) fn most<'t>(input: &Input<'t>) -> TokenStream<'t> {
    let ahead = input.fork();
    ahead.eat("move");
    if ahead.eat("|").is_some() {
        ahead.take_before(|input| input.peek("|"));
        ahead.skip(1);
    }
    let mut is_operand = false;
    while !(ahead.is_empty() || ahead.peek(",")) {
        if is_operand && ahead.eat("||").is_some() {
            is_operand = false;
            continue;
        }
        // After an operand, these signs compare and combine; elsewhere, they begin a list.
        let begins_list = !is_operand && (ahead.peek("<") || ahead.peek("|"));
        if begins_list || ahead.peek("as") || ahead.peek("->") {
            return input.rest();
        }
        let is_word = ahead.peek_name().is_some() || ahead.peek("self");
        is_operand = is_word || ahead.peek_literal().is_some() || ahead.peek_group().is_some();
        ahead.skip(1);
    }
    ahead.since(input)
}
