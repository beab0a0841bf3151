//! Parses `match function { pattern if guard => node, … }` and `mem_match`.

use bt_words::Word;
use syn::parse::Parse;
use syn::{Expr, Pat};

use super::attributes::misplaced;
use super::branch::in_braces;
use super::leaf::missing;
use super::list::{List, ends_with_brace};
use super::rust::{path_before_brace, rust, with_syn};
use super::tokens::{self, braced, found, is_colon};
use crate::ast::{Arm, Function, Match, Node};
use crate::errors::{Errors, REGISTER_VALUE};
use crate::tokens::{Input, Span, Text, TokenStream};

/// Returns the word that begins here, if it is `match` or `mem_match`.
pub(super) fn word(input: &Input<'_>) -> Option<Word> {
    tokens::word(input, [Word::Match, Word::MemMatch])
}

/// Parses a node that begins with this word.
pub(super) fn matching<'t>(word: Word, input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    let (span, name) = (input.span(), word.name());
    input.skip(1);
    let function = function(name, span, input, errors);
    let label = input.text();
    let Some((_, arms)) = braced(input, |input| arms(input, errors)) else {
        let Some(function) = function else {
            // The error is about the function.
            return Node::Missing(span);
        };
        errors.leave_rust(function.tokens);
        let at = if input.is_empty() { span } else { input.span() };
        let found = found(input);
        return missing(at, format!("expected `{{` after the function of `{name}`, found {found}"), errors);
    };
    Node::Match(Box::new(Match { word, span, function, label, arms }))
}

/// Parses the function. An expression that is visibly not a function of the context is an error.
fn function<'t>(name: &str, span: Span<'t>, input: &Input<'t>, errors: &mut Errors) -> Option<Function<'t>> {
    let at = if input.is_empty() { span } else { input.span() };
    let of_macro = format!("help: write `{name} |npc: &Npc| npc.mood {{ … }}`, or the path of a function");
    let help = errors.either(&of_macro, REGISTER_VALUE);
    let what = errors.either("a function of the context", "the name of a registered value or `var(name)`");
    let expected = |found: &str| format!("`{name}` expects {what}, found {found}\n{help}");
    if input.is_empty() || input.peek("{") || input.peek(",") {
        errors.at(at, expected(&found(input)));
        return None;
    }
    if let Some(tokens) = path_before_brace(input) {
        return Some(Function { tokens, closure: None });
    }
    let tokens = rust(input);
    let expression = syn::parse2::<Expr>(tokens.to_macro());
    match expression {
        Ok(Expr::Lit(_) | Expr::Binary(_) | Expr::Unary(_) | Expr::Tuple(_) | Expr::Reference(_)) => {
            errors.at(at, expected(&format!("`{}`", tokens.written())));
            errors.salvage(tokens);
            None
        }
        Ok(Expr::Field(_) | Expr::MethodCall(_) | Expr::Index(_)) if errors.is_file() => {
            errors.at(at, expected(&format!("`{}`", tokens.written())));
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
fn arms<'t>(input: &Input<'t>, errors: &mut Errors) -> Vec<Arm<'t>> {
    let (mut arms, mut has_other_sign) = (Vec::new(), false);
    while !input.is_empty() {
        misplaced(input, errors);
        if input.peek("..") && !begins_arm(input) || input.peek("#") {
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
        if input.is_empty() || input.peek(",") {
            let found = found(input);
            let message =
                format!("expected a node after `=>`, found {found}\nhelp: `succeed` does nothing and succeeds");
            let node = missing(if input.is_empty() { pattern.begin() } else { input.span() }, message, errors);
            arms.push(Arm { pattern, node });
            input.eat(",");
            continue;
        }
        // As in Rust, the node may be in braces.
        let has_braces = input.peek("{");
        let node = if has_braces { in_braces("=>", input, errors) } else { Node::parse(input, List::Braces, errors) };
        let needs_comma = !has_braces && !ends_with_brace(Some(&node));
        arms.push(Arm { pattern, node });
        if input.eat(",").is_none() && needs_comma && !input.is_empty() {
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
fn begins_arm(input: &Input<'_>) -> bool {
    after_pattern(input).is_some_and(|ahead| ahead.peek("=>") || ahead.peek("if"))
}

/// Returns the reader after a pattern.
fn after_pattern<'t>(input: &Input<'t>) -> Option<Input<'t>> {
    let ahead = input.fork();
    if is_plain(&ahead) && ahead.peek("=>") {
        return Some(ahead);
    }
    // `syn` copies all tokens that it gets.
    let end = input.fork();
    end.take_before(|input| input.peek("=>"));
    end.skip(2);
    let arm = input.fork().take_until(&end);
    arm.input().rust(Pat::parse_multi_with_leading_vert).map(|(_, ahead)| ahead)
}

/// Parses a pattern of names, literals and ranges, and returns whether there is one. To find that out is much cheaper than to parse Rust.
fn is_plain(input: &Input<'_>) -> bool {
    loop {
        let is_one = input.eat("_").is_some() || is_bound(input) && (input.eat("..=").is_none() || is_bound(input));
        if !is_one || input.eat("|").is_none() {
            return is_one;
        }
    }
}

/// Takes the label of a node. A text before `=>` is the next pattern or weight, after a missing comma.
pub(super) fn label<'t>(input: &Input<'t>) -> Option<Text<'t>> {
    let ahead = input.fork();
    let is_next = input.peek_text() && is_plain(&ahead) && ahead.peek("=>");
    if is_next { None } else { input.text() }
}

/// Parses a literal or a path.
fn is_bound(input: &Input<'_>) -> bool {
    let is_number = input.peek("-") && input.peek_value();
    input.skip(usize::from(is_number));
    input.literal().is_some() || is_path(input)
}

/// Parses a path of names.
fn is_path(input: &Input<'_>) -> bool {
    let is_name = input.name().is_some() || input.eat("true").is_some() || input.eat("false").is_some();
    is_name && (input.eat("::").is_none() || is_path(input))
}

/// Parses a pattern, its `if` and the `=>`, which must follow. Another sign in the place of that is reported once.
fn pattern<'t>(input: &Input<'t>, errors: &mut Errors, has_other_sign: &mut bool) -> Option<TokenStream<'t>> {
    let after = after_pattern(input);
    let (is_pattern, mut ahead) = (after.is_some(), after.unwrap_or_else(|| input.fork()));
    let mut is_complete = is_pattern;
    if is_pattern && ahead.eat("if").is_some() {
        match with_syn(&ahead, Expr::parse) {
            Some((_, end)) => ahead = end,
            None => is_complete = false,
        }
    }
    let is_arrow = ahead.peek("=>");
    if is_complete && (is_arrow || ahead.peek("->") || is_colon(&ahead)) {
        if !is_arrow && !std::mem::replace(has_other_sign, true) {
            let found = if ahead.peek("->") { "->" } else { ":" };
            let message = format!("expected `=>` after a pattern, found `{found}`\nhelp: write `pattern => node`");
            errors.at(ahead.span(), message);
        }
        let pattern = input.take_until(&ahead);
        input.skip(if is_colon(input) { 1 } else { 2 });
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
fn skip_arm<'t>(input: &Input<'t>, errors: &mut Errors) -> Arm<'t> {
    let span = input.span();
    errors.salvage(input.take_before(|input| input.peek(",")));
    input.eat(",");
    Arm { pattern: input.nothing(), node: Node::Missing(span) }
}
