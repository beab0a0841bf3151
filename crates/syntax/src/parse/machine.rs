//! Parses `machine { state idle { graze, herded -> obey } any { … } }`, in braces or angle brackets.

use bt_words::{Word, nearest};
use proc_macro2::{Delimiter, Span, TokenStream};
use quote::ToTokens;
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitStr, Token, token};

use super::attributes::{allowing, attributes};
use super::branch::in_braces;
use super::condition::guard;
use super::habit::comparison;
use super::leaf::{leaf, missing};
use super::list::{List, at_end, at_separator, close, ends_with_brace};
use super::rust::begins_path;
use super::tokens::{braced, found, ident, skip, take_until};
use crate::ast::{Machine, Node, State, TransitionTo};
use crate::errors::{Errors, did_you_mean};
use crate::location;

/// Parses the states of a machine, in braces or angle brackets.
pub(super) fn machine(
    keyword: Ident,
    label: Option<LitStr>,
    input: ParseStream<'_>,
    around: List,
    errors: &mut Errors,
) -> Machine {
    let mut machine = Machine { keyword, label, states: Vec::new(), any: None, has_strays: false };
    let blocks = |input: ParseStream<'_>, list: List, errors: &mut Errors| {
        while !at_end(input, list) {
            block(input, list, &mut machine, errors);
            let _ = input.parse::<Token![,]>();
        }
    };
    listed(input, around, "state", blocks, errors);
    machine
}

/// Parses the content of braces or angle brackets, up to the end.
fn listed(
    input: ParseStream<'_>,
    around: List,
    last: &str,
    mut read: impl FnMut(ParseStream<'_>, List, &mut Errors),
    errors: &mut Errors,
) {
    if braced(input, |input| read(input, List::Braces, errors)).is_some() {
        return;
    }
    let open = input.span();
    skip(input, 1);
    read(input, List::Transitions(around.depth() + 1), errors);
    close(input, open, last, errors);
}

/// Parses `state name { … }` or `any { … }`.
fn block(input: ParseStream<'_>, list: List, machine: &mut Machine, errors: &mut Errors) {
    let allowed = attributes(input, errors);
    let span = input.span();
    let word = if at_end(input, list) { None } else { input.call(Ident::parse_any).ok() };
    let is = |known: &str| word.as_ref().is_some_and(|word| word == known);
    if is("state") || is("any") {
        let name = if is("state") { input.call(Ident::parse_any).ok() } else { word.clone() };
        let Some(name) = name else {
            let found = found(input);
            machine.has_strays = true;
            errors.at(input.span(), format!("expected a state name, found {found}"));
            skip(input, usize::from(!(opens(input) || at_end(input, list))));
            return skip_block(input, list, errors);
        };
        if opens(input) {
            let state = State { allowed, ..state(name, input, list, errors) };
            if is("state") {
                machine.states.push(state);
            } else if machine.any.is_some() {
                errors.at(span, "duplicate `any`\nhelp: put all transitions in one `any`");
                state.leave(errors);
            } else {
                machine.any = Some(state);
            }
            return;
        }
        let head = if is("state") { format!("state {name}") } else { name.to_string() };
        errors.at(name.span(), format!("`{head}` has no body\nhelp: write `{head} {{ … }}`"));
        machine.has_strays = true;
        if is("state") {
            let nodes = vec![(Node::Missing(name.span()), name.span())];
            machine.states.push(State { allowed, nodes, ..State::of(name) });
        }
        return skip_block(input, list, errors);
    }
    machine.has_strays = true;
    errors.leave_unknown(word.as_ref(), ["state", "any"]);
    let found = word.map_or_else(|| found(input), |word| format!("`{word}`"));
    let help = did_you_mean(found.trim_matches('`'), ["state", "any"]).unwrap_or_default();
    errors.at(span, format!("expected `state name {{ … }}` or `any {{ … }}` in a `machine`, found {found}{help}"));
    // A name and a body follow a misspelled `state`.
    skip(input, usize::from(input.peek(Ident) && (input.peek2(token::Brace) || input.peek2(Token![<]))));
    skip_block(input, list, errors);
}

/// Returns `true` if the body of a state begins here.
fn opens(input: ParseStream<'_>) -> bool {
    input.peek(token::Brace) || input.peek(Token![<])
}

/// Skips to the next possible block, and keeps the content of skipped lists for editors.
fn skip_block(input: ParseStream<'_>, list: List, errors: &mut Errors) {
    let begins_block = |input: ParseStream<'_>| {
        let ahead = input.fork();
        let is_word = ahead.parse::<Ident>().is_ok_and(|word| word == "state" || word == "any");
        let has_name = ahead.peek(Ident) && (is_word || ahead.peek2(token::Brace) || ahead.peek2(Token![<]));
        input.peek(Ident) && (has_name || opens(&ahead))
    };
    errors.quietly(|quiet| {
        while !(at_end(input, list) || begins_block(input)) {
            if opens(input) {
                let stray = state(Ident::new("stray", input.span()), input, list, quiet);
                stray.leave(quiet);
            } else {
                skip(input, 1 + usize::from(input.peek(Token![->])));
            }
        }
    });
}

/// Skips the name and the body of a state outside a machine, and keeps their content for editors.
pub(super) fn skip_state(input: ParseStream<'_>, list: List, errors: &mut Errors) {
    if let Some(name) = input.parse().ok().filter(|_| opens(input)) {
        errors.quietly(|quiet| state(name, input, list, quiet).leave(quiet));
    }
}

/// Parses the body of a state.
fn state(name: Ident, input: ParseStream<'_>, around: List, errors: &mut Errors) -> State {
    let mut state = State::of(name);
    let items = |input: ParseStream<'_>, list: List, errors: &mut Errors| {
        let mut missing: Option<(Span, String)> = None;
        while !at_end(input, list) {
            let nodes = state.nodes.len();
            item(input, list, &mut state, errors);
            let node = state.nodes.get(nodes).map(|(node, _)| node);
            // A second node is another error.
            if let Some((span, found)) = missing.take().filter(|_| node.is_none() || nodes == 0) {
                errors.at(span, format!("expected `,` before the next item of the state, found {found}"));
            }
            if input.parse::<Token![,]>().is_err() && !at_end(input, list) && !ends_with_brace(node) {
                missing = Some((input.span(), found(input)));
            }
        }
    };
    listed(input, around, "item", items, errors);
    state
}

/// Parses `enter: node`, `exit: node`, `guard -> target` or a node.
fn item(input: ParseStream<'_>, list: List, state: &mut State, errors: &mut Errors) {
    let hook = input.peek(Ident) && input.peek2(Token![:]) && !input.peek2(Token![::]);
    if let Some(word) = hook.then(|| input.parse::<Ident>().ok()).flatten() {
        skip(input, 1);
        let slot = match word.to_string().as_str() {
            "enter" => Some(&mut state.enter),
            "exit" => Some(&mut state.exit),
            _ => None,
        };
        let action = Node::parse(input, list, errors);
        match slot {
            Some(slot) if slot.is_some() => {
                errors.at(word.span(), format!("duplicate `{word}:`"));
                action.leave(errors);
            }
            Some(slot) => *slot = Some(action),
            None => {
                let help = match nearest(&word.to_string(), ["enter", "exit"]) {
                    Some(meant) => format!("help: did you mean `{meant}:`?"),
                    None => "note: expected `enter:` or `exit:`".to_owned(),
                };
                errors.at(word.span(), format!("unknown keyword `{word}:` in a state\n{help}"));
                action.leave(errors);
            }
        }
        return;
    }
    if let Some((word, action)) = hook_without_colon(input, list, errors) {
        let slot = if word == "enter" { &mut state.enter } else { &mut state.exit };
        *slot = Some(action);
        return;
    }
    let allowed = attributes(input, errors);
    let (span, begin) = (input.span(), input.fork());
    let compared = if begins_path(input) { comparison(input, list, errors) } else { None };
    let (node, text) = if let Some(compared) = compared {
        (compared, take_until(&begin, input))
    } else if input.peek(Token![->]) {
        let help =
            "help: write `condition -> state`, or `success -> state` for when the node of the state has succeeded";
        (missing(span, format!("expected a condition before `->`\n{help}"), errors), TokenStream::new())
    } else {
        let node = guard(input, list, errors);
        outcome(node, take_until(&begin, input), input, errors)
    };
    let arrow = input.span();
    if let Ok(wrong) = input.parse::<Token![=>]>() {
        errors.at(wrong.spans[0], "expected `->`, found `=>`\nhelp: write a transition as `condition -> state`");
    } else if input.parse::<Token![->]>().is_err() {
        state.nodes.push((allowing(allowed, node), span));
        return;
    }
    let mut to = input.call(Ident::parse_any).ok();
    if let (Some(word), Some(name)) = (&to, input.fork().parse::<Ident>().ok().filter(|_| input.peek(Ident)))
        && word == Word::State.name()
    {
        errors.at(word.span(), format!("expected a state name after `->`, found `{word}`\nhelp: write `-> {name}`"));
        to = input.parse().ok();
    }
    if to.is_none() {
        let found = found(input);
        errors.at(arrow, format!("expected a state name, `success` or `failure` after `->`, found {found}"));
        skip(input, usize::from(!at_separator(input, list)));
    }
    state.transitions.push(TransitionTo { allowed, guard: node, text, span, to });
}

/// Parses `enter nap` or `exit = nap`, and reports the missing colon.
fn hook_without_colon(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Option<(Ident, Node)> {
    let word = ident(input).filter(|word| word == "enter" || word == "exit")?;
    let ahead = input.fork();
    skip(&ahead, 1);
    let is_assigned = ahead.peek(Token![=]) && !ahead.peek(Token![=>]) && !ahead.peek(Token![==]);
    if !(is_assigned || ahead.peek(Ident) || ahead.peek(token::Brace) || ahead.peek(Token![|]))
        || ahead.peek(Token![||])
    {
        return None;
    }
    let found = found(&ahead);
    errors.at(ahead.span(), format!("expected `:` after `{word}`, found {found}\nhelp: write `{word}: action`"));
    skip(input, 1 + usize::from(is_assigned));
    let node = if input.peek(token::Brace) {
        in_braces(&word.to_string(), input, errors)
    } else {
        Node::parse(input, list, errors)
    };
    Some((word, node))
}

/// Reports another word for the outcome of the node of a state before `->`, and returns the outcome.
fn outcome(node: Node, text: TokenStream, input: ParseStream<'_>, errors: &mut Errors) -> (Node, TokenStream) {
    let found = text.to_string();
    let meant = match found.as_str() {
        "on_success" => "success",
        "on_failure" => "failure",
        _ => return (node, text),
    };
    if !input.peek(Token![->]) {
        return (node, text);
    }
    let span = location::of(&text);
    let own = format!("\nhelp: for a condition of your own, write `self::{found}`");
    let own = errors.either(&own, "");
    errors.at(span, format!("expected `{meant}`, found `{found}`\nhelp: write `{meant} -> state`{own}"));
    let tokens = Ident::new(meant, span).into_token_stream();
    (leaf(tokens.clone(), span), tokens)
}

/// Returns `true` if a word before a list is `machine` or a misspelling of it. (A custom decorator contains a node, not states.)
pub(super) fn is_meant(word: &Ident, input: ParseStream<'_>) -> bool {
    let angle = |at: Cursor<'_>| at.punct().is_some_and(|(sign, _)| sign.as_char() == '<');
    let opens = |at: Cursor<'_>| at.any_group().is_some() || angle(at);
    let inside = match (input.cursor().group(Delimiter::Brace), input.cursor().punct()) {
        (Some((inside, ..)), _) => inside,
        (None, Some((sign, inside))) if sign.as_char() == '<' => inside,
        _ => return false,
    };
    // `#[allow(…)]` may precede the first state.
    let attribute = inside.punct().filter(|(sign, _)| sign.as_char() == '#').and_then(|(_, rest)| rest.any_group());
    let first = attribute.map_or(inside, |(.., rest)| rest).ident();
    let is_block = first.is_some_and(|(first, rest)| {
        first == "state" && rest.ident().is_some_and(|(_, rest)| opens(rest)) || first == "any" && opens(rest)
    });
    word == Word::Machine.name() || is_block && nearest(&word.to_string(), ["machine"]).is_some()
}
