//! Parses `machine { state idle { graze, herded -> obey } any { … } }`, in braces or angle brackets.

use bt_words::{Word, nearest};

use super::attributes::{allowing, attributes};
use super::branch::in_braces;
use super::condition::guard;
use super::habit::comparison;
use super::leaf::missing;
use super::list::{List, at_end, at_separator, close, ends_with_brace};
use super::rust::begins_path;
use super::tokens::{braced, found, is_colon};
use crate::ast::{Machine, Node, State, TransitionTo};
use crate::errors::{Errors, did_you_mean};
use crate::tokens::{Ident, Input, Span, Text, TokenStream};

/// Parses the states of a machine, in braces or angle brackets.
pub(super) fn machine<'t>(
    keyword: Ident<'t>,
    label: Option<Text<'t>>,
    input: &Input<'t>,
    around: List,
    errors: &mut Errors,
) -> Machine<'t> {
    let mut machine = Machine { keyword, label, states: Vec::new(), any: None, has_strays: false };
    let blocks = |input: &Input<'t>, list: List, errors: &mut Errors| {
        while !at_end(input, list) {
            block(input, list, &mut machine, errors);
            input.eat(",");
        }
    };
    listed(input, around, "state", blocks, errors);
    machine
}

/// Parses the content of braces or angle brackets, up to the end.
fn listed<'t>(
    input: &Input<'t>,
    around: List,
    last: &str,
    mut read: impl FnMut(&Input<'t>, List, &mut Errors),
    errors: &mut Errors,
) {
    if braced(input, |input| read(input, List::Braces, errors)).is_some() {
        return;
    }
    let open = input.span();
    input.skip(1);
    read(input, List::Transitions(around.depth() + 1), errors);
    close(input, open, last, errors);
}

/// Parses `state name { … }` or `any { … }`.
fn block<'t>(input: &Input<'t>, list: List, machine: &mut Machine<'t>, errors: &mut Errors) {
    let allowed = attributes(input, errors);
    let span = input.span();
    let word = if at_end(input, list) { None } else { input.word() };
    let is = |known: &str| word.is_some_and(|word| word == known);
    if is("state") || is("any") {
        let name = if is("state") { input.word() } else { word };
        let Some(name) = name else {
            let found = found(input);
            machine.has_strays = true;
            errors.at(input.span(), format!("expected a state name, found {found}"));
            input.skip(usize::from(!(opens(input) || at_end(input, list))));
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
        let head = if is("state") { format!("state {name}") } else { name.text().to_owned() };
        errors.at(name.span(), format!("`{head}` has no body\nhelp: write `{head} {{ … }}`"));
        machine.has_strays = true;
        if is("state") {
            let nodes = vec![(Node::Missing(name.span()), name.span())];
            machine.states.push(State { allowed, nodes, ..State::of(name) });
        }
        return skip_block(input, list, errors);
    }
    machine.has_strays = true;
    errors.leave_unknown(word, ["state", "any"]);
    let found = word.map_or_else(|| found(input), |word| format!("`{word}`"));
    let is_body = word.is_some() && opens(input);
    let help = did_you_mean(found.trim_matches('`'), ["state", "any"])
        .or_else(|| word.filter(|_| is_body).map(|name| format!("\nhelp: write `state {name} {{ … }}`")))
        .unwrap_or_default();
    errors.at(span, format!("expected `state name {{ … }}` or `any {{ … }}` in a `machine`, found {found}{help}"));
    // A name and a body follow a misspelled `state`.
    input.skip(usize::from(input.peek_name().is_some() && (input.peek2("{") || input.peek2("<"))));
    skip_block(input, list, errors);
}

/// Returns `true` if the body of a state begins here.
fn opens(input: &Input<'_>) -> bool {
    input.peek("{") || input.peek("<")
}

/// Skips to the next possible block, and keeps the content of skipped lists for editors.
fn skip_block(input: &Input<'_>, list: List, errors: &mut Errors) {
    let begins_block = |input: &Input<'_>| {
        let ahead = input.after();
        let is_word = input.peek("state") || input.peek("any");
        let has_name = ahead.peek_name().is_some() && (is_word || ahead.peek2("{") || ahead.peek2("<"));
        input.peek_name().is_some() && (has_name || opens(&ahead))
    };
    errors.quietly(|quiet| {
        while !(at_end(input, list) || begins_block(input)) {
            if opens(input) {
                let stray = state(Ident::new("stray", input.span()), input, list, quiet);
                stray.leave(quiet);
            } else {
                input.skip(1 + usize::from(input.peek("->")));
            }
        }
    });
}

/// Skips the name and the body of a state outside a machine, and keeps their content for editors.
pub(super) fn skip_state(input: &Input<'_>, list: List, errors: &mut Errors) {
    if let Some(name) = input.name().filter(|_| opens(input)) {
        errors.quietly(|quiet| state(name, input, list, quiet).leave(quiet));
    }
}

/// Parses the body of a state.
fn state<'t>(name: Ident<'t>, input: &Input<'t>, around: List, errors: &mut Errors) -> State<'t> {
    let mut state = State::of(name);
    let items = |input: &Input<'t>, list: List, errors: &mut Errors| {
        let mut missing: Option<(Span<'_>, String)> = None;
        while !at_end(input, list) {
            let nodes = state.nodes.len();
            item(input, list, &mut state, errors);
            let node = state.nodes.get(nodes).map(|(node, _)| node);
            // A second node, or what is in the place of one, is another error.
            let is_reported = matches!(node, Some(Node::Missing(_) | Node::Skipped(_)));
            if let Some((span, found)) = missing.take().filter(|_| node.is_none() || nodes == 0 && !is_reported) {
                errors.at(span, format!("expected `,` before the next item of the state, found {found}"));
            }
            if input.eat(",").is_none() && !at_end(input, list) && !ends_with_brace(node) {
                missing = Some((input.span(), found(input)));
            }
        }
    };
    listed(input, around, "item", items, errors);
    state
}

/// Parses `enter: node`, `exit: node`, `guard -> target` or a node.
fn item<'t>(input: &Input<'t>, list: List, state: &mut State<'t>, errors: &mut Errors) {
    if let Some(word) = input.peek_name().filter(|_| is_colon(&input.after())) {
        input.skip(2);
        let slot = match word.text() {
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
                let help = match nearest(word.text(), ["enter", "exit"]) {
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
        (compared, begin.take_until(input))
    } else if input.peek("->") {
        let help =
            "help: write `condition -> state`, or `success -> state` for when the node of the state has succeeded";
        (missing(span, format!("expected a condition before `->`\n{help}"), errors), input.nothing())
    } else {
        let node = guard(input, list, errors);
        let text = begin.take_until(input);
        (outcome(node, text, input, errors), text)
    };
    let arrow = input.span();
    if input.eat("=>").is_some() {
        errors.at(arrow, "expected `->`, found `=>`\nhelp: write a transition as `condition -> state`");
    } else if input.eat("->").is_none() {
        state.nodes.push((allowing(allowed, node), span));
        return;
    }
    let mut to = input.word();
    if let (Some(word), Some(name)) = (to, input.peek_name())
        && word == Word::State.name()
    {
        errors.at(word.span(), format!("expected a state name after `->`, found `{word}`\nhelp: write `-> {name}`"));
        to = input.name();
    }
    if to.is_none() {
        let found = found(input);
        errors.at(arrow, format!("expected a state name, `success` or `failure` after `->`, found {found}"));
        input.skip(usize::from(!at_separator(input, list)));
    }
    state.transitions.push(TransitionTo { allowed, guard: node, text, span, to });
}

/// Parses `enter nap` or `exit = nap`, and reports the missing colon.
fn hook_without_colon<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Option<(Ident<'t>, Node<'t>)> {
    let word = input.peek_name().filter(|word| *word == "enter" || *word == "exit")?;
    let ahead = input.after();
    let is_assigned = ahead.peek("=") && !ahead.peek("=>") && !ahead.peek("==");
    if !(is_assigned || ahead.peek_name().is_some() || ahead.peek("{") || ahead.peek("|")) || ahead.peek("||") {
        return None;
    }
    let found = found(&ahead);
    errors.at(ahead.span(), format!("expected `:` after `{word}`, found {found}\nhelp: write `{word}: action`"));
    input.skip(1 + usize::from(is_assigned));
    let node = if input.peek("{") { in_braces(word.text(), input, errors) } else { Node::parse(input, list, errors) };
    Some((word, node))
}

/// Reports other words for the outcome of the node of a state before `->`. Returns the guard.
fn outcome<'t>(node: Node<'t>, text: TokenStream<'t>, input: &Input<'t>, errors: &mut Errors) -> Node<'t> {
    // The text may be inside a group without delimiters.
    let (of, is_negated) = (text.input(), text.input().peek("!"));
    of.eat("!");
    let (Some(word), true) = (of.word(), of.is_empty() && input.peek("->")) else { return node };
    let (found, meant) = match (word.text(), is_negated) {
        ("on_success", false) => ("on_success", "success"),
        ("on_failure", false) => ("on_failure", "failure"),
        ("success", true) => ("!success", "failure"),
        ("failure", true) => ("!failure", "success"),
        (_, _) => return node,
    };
    let own = format!("\nhelp: for a condition of your own, write `{}self::{word}`", if is_negated { "!" } else { "" });
    let own = errors.either(&own, "");
    let message = format!("expected `{meant}`, found `{found}`\nhelp: write `{meant} -> state`{own}");
    missing(text.begin(), message, errors)
}

/// Returns `true` if a word before a list is `machine` or a misspelling of it. (A custom decorator contains a node, not states.)
pub(super) fn is_meant(word: Ident<'_>, input: &Input<'_>) -> bool {
    let inside = match input.peek_group() {
        Some(braces) if input.peek("{") => braces.stream().input(),
        None if input.peek("<") => input.after(),
        _ => return false,
    };
    // `#[allow(…)]` may precede the first state.
    if inside.peek("#") && inside.after().peek_group().is_some() {
        inside.eat("#");
        inside.group();
    }
    let opens = |at: &Input<'_>| at.peek_group().is_some() || at.peek("<");
    let second = inside.after();
    let is_state = || inside.peek("state") && second.peek_word().is_some() && opens(&second.after());
    let is_block = is_state() || inside.peek("any") && opens(&second);
    word == Word::Machine.name() || is_block && nearest(word.text(), ["machine"]).is_some()
}
