//! `machine { state idle { graze, herded -> obey } any { … } }`.

use proc_macro2::{Group, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitStr, Token, token};

use super::super::ast::{ArrowTo, Machine, State};
use super::list::ends_with_brace;
use super::tokens::{found, group, skip, take_until};
use super::{List, allowing, attributes, bare, leave, leave_state, node};
use crate::errors::{Errors, did_you_mean, nearest};

/// A machine's states, between its braces.
pub(super) fn machine(keyword: Ident, label: Option<LitStr>, braces: &Group, errors: &mut Errors) -> Machine {
    let parser = |input: ParseStream<'_>| {
        let mut machine = Machine { keyword, label, states: Vec::new(), any: None };
        while !input.is_empty() {
            block(input, &mut machine, errors);
            let _ = input.parse::<Token![,]>();
        }
        Ok(machine)
    };
    // The parser takes all there is and gives no error.
    Parser::parse2(parser, braces.stream()).unwrap_or_else(|error| Machine {
        keyword: Ident::new("machine", error.span()),
        label: None,
        states: Vec::new(),
        any: None,
    })
}

/// `state name { … }` or `any { … }`.
fn block(input: ParseStream<'_>, machine: &mut Machine, errors: &mut Errors) {
    let allowed = attributes(input, errors);
    let span = input.span();
    let word = input.call(Ident::parse_any).ok();
    let is = |known: &str| word.as_ref().is_some_and(|word| word == known);
    if is("state") || is("any") {
        let name = if is("state") { input.call(Ident::parse_any).ok() } else { word.clone() };
        let Some(name) = name else {
            let found = found(input);
            errors.at(input.span(), format!("expected the name of a state, found {found}"));
            skip(input, usize::from(!input.peek(token::Brace)));
            return skip_block(input, errors);
        };
        if let Some(braces) = input.peek(token::Brace).then(|| group(input)).flatten() {
            let state = State { allowed, ..state(name, &braces, errors) };
            if is("state") {
                machine.states.push(state);
            } else if machine.any.is_some() {
                errors.at(span, "`any` is given twice: its arrows can stand together");
                leave_state(state, errors);
            } else {
                machine.any = Some(state);
            }
            return;
        }
        errors.at(name.span(), format!("a state has its node and arrows in braces: `state {name} {{ … }}`"));
        return;
    }
    let found = word.map_or_else(|| found(input), |word| format!("`{word}`"));
    let meant = did_you_mean(found.trim_matches('`'), ["state", "any"]);
    errors.at(span, format!("a machine holds `state name {{ … }}` and `any {{ … }}`, found {found}{meant}"));
    // A misspelt `state` is followed by a name and braces.
    skip(input, usize::from(input.peek(Ident) && input.peek2(token::Brace)));
    skip_block(input, errors);
}

/// Skips to what may be the next block, and keeps aside what is in the braces that are skipped.
fn skip_block(input: ParseStream<'_>, errors: &mut Errors) {
    let mut quiet = Errors::default();
    while !(input.is_empty() || input.peek(Ident) && (input.peek2(Ident) || input.peek2(token::Brace))) {
        if let Ok(TokenTree::Group(braces)) = input.parse() {
            let stray = state(Ident::new("stray", braces.span()), &braces, &mut quiet);
            leave_state(stray, &mut quiet);
        }
    }
    errors.leave_all(quiet);
}

/// What is in the braces of one state.
fn state(name: Ident, braces: &Group, errors: &mut Errors) -> State {
    let mut state = State { allowed: Vec::new(), name, nodes: Vec::new(), arrows: Vec::new(), enter: None, exit: None };
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            let nodes = state.nodes.len();
            item(input, &mut state, errors);
            let node = state.nodes.get(nodes).map(|(node, _)| node);
            if input.parse::<Token![,]>().is_err() && !input.is_empty() && !ends_with_brace(node) {
                let found = found(input);
                errors.at(input.span(), format!("expected `,` before the next part of the state, found {found}"));
            }
        }
        Ok(())
    };
    if let Err(error) = Parser::parse2(parser, braces.stream()) {
        errors.add(error);
    }
    state
}

/// `enter: node`, `exit: node`, `guard -> target` or a node.
fn item(input: ParseStream<'_>, state: &mut State, errors: &mut Errors) {
    let hook = input.peek(Ident) && input.peek2(Token![:]) && !input.peek2(Token![::]);
    if let Some(word) = hook.then(|| input.parse::<Ident>().ok()).flatten() {
        skip(input, 1);
        let slot = match word.to_string().as_str() {
            "enter" => Some(&mut state.enter),
            "exit" => Some(&mut state.exit),
            _ => None,
        };
        let action = node(input, List::Braces, errors);
        match slot {
            Some(slot) if slot.is_some() => {
                errors.at(word.span(), format!("`{word}` is given twice"));
                leave(action, errors);
            }
            Some(slot) => *slot = Some(action),
            None => {
                let meant = nearest(&word.to_string(), ["enter", "exit"]);
                let meant = meant.map(|meant| format!("; did you mean `{meant}:`?")).unwrap_or_default();
                errors.at(word.span(), format!("a state has `enter:` and `exit:`, no `{word}:`{meant}"));
                leave(action, errors);
            }
        }
        return;
    }
    let allowed = attributes(input, errors);
    let (span, begin) = (input.span(), input.fork());
    let node = bare(input, List::Braces, errors);
    let text = take_until(&begin, input);
    let arrow = input.span();
    if input.parse::<Token![->]>().is_err() {
        state.nodes.push((allowing(allowed, node), span));
        return;
    }
    match input.call(Ident::parse_any) {
        Ok(to) => state.arrows.push(ArrowTo { allowed, guard: node, text, span, to }),
        Err(_) => {
            let found = found(input);
            errors.at(arrow, format!("expected the name of a state, `success` or `failure` after `->`, found {found}"));
            skip(input, usize::from(!input.peek(Token![,])));
            leave(node, errors);
        }
    }
}

/// Whether a word before braces is `machine`, rightly or nearly written: a decorator of the user's holds a node, not states.
pub(super) fn is_meant(word: &Ident, braces: &Group) -> bool {
    // `#[allow(…)]` may stand before the first state.
    let is_hash = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#');
    let mut tokens: Vec<_> = braces.stream().into_iter().take(5).collect();
    if tokens.first().is_some_and(is_hash) {
        tokens.drain(..2.min(tokens.len()));
    }
    tokens.truncate(3);
    let is_block = match tokens.as_slice() {
        [TokenTree::Ident(word), TokenTree::Ident(_), TokenTree::Group(_)] => word == "state",
        [TokenTree::Ident(word), TokenTree::Group(_), ..] => word == "any",
        _ => false,
    };
    if word == "machine" {
        return is_block
            || !matches!(tokens.as_slice(), [TokenTree::Ident(word), ..] if word != "state" && word != "any");
    }
    is_block && nearest(&word.to_string(), ["machine"]).is_some()
}
