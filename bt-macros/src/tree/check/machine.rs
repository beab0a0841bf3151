//! Machines: names, transitions, reachability.

use bt_words::{Flags, Lint, nearest};
use proc_macro2::{Ident, Span};

use super::super::ast;
use super::super::plan::{Guard, Located, Node, State, Target, Transition};
use super::siblings::constant;
use super::{allow, in_sequence, node, unlabelled};
use crate::errors::Errors;
use crate::text;
use crate::tree::parse::leave;

/// The names that are outcomes.
const OUTCOMES: [&str; 2] = ["success", "failure"];

/// Checks a machine.
pub(super) fn machine(machine: ast::Machine, errors: &mut Errors) -> Located {
    let span = machine.keyword.span();
    if machine.states.is_empty() {
        errors.at(span, "`machine` has no states: `machine { state idle { … } }`");
        return unlabelled(Node::Broken, span);
    }
    let names: Vec<Ident> = machine.states.iter().map(|state| state.name.clone()).collect();
    check_names(&names, errors);
    let any = machine.any.map(|any| any_transitions(any, &names, errors)).unwrap_or_default();
    let states: Vec<State> = machine.states.into_iter().map(|state| self::state(state, &names, errors)).collect();
    check_reach(&names, &states, &any, errors);
    let node = Node::Machine { keyword: machine.keyword, states, any };
    Located { label: machine.label, ..unlabelled(node, span) }
}

fn check_names(names: &[Ident], errors: &mut Errors) {
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            errors.at(name.span(), format!("there is a state `{name}` already"));
        }
        if OUTCOMES.iter().any(|outcome| name == outcome) {
            errors.at(name.span(), format!("a state cannot be called `{name}`: `-> {name}` ends the machine"));
        }
    }
}

/// The transitions of `any`, which has nothing else.
fn any_transitions(any: ast::State, names: &[Ident], errors: &mut Errors) -> Vec<Transition> {
    let word = any.name.span();
    if let Some(name) = any.allowed.first() {
        errors.at(name.name.span(), "`#[allow(…)]` stands before a transition of `any`, not before `any`");
    }
    for (stray, span) in any.nodes {
        leave(stray, errors);
        errors.at(span, "`any` holds only transitions: `any { condition -> state }`");
    }
    if any.enter.is_some() || any.exit.is_some() {
        errors.at(word, "`any` holds only transitions: `enter:` and `exit:` belong to a state");
        any.enter.into_iter().chain(any.exit).for_each(|hook| leave(hook, errors));
    }
    transitions(any.transitions, None, names, errors)
}

fn state(state: ast::State, names: &[Ident], errors: &mut Errors) -> State {
    let name = state.name;
    let mut nodes: Vec<(Located, Span)> = state.nodes.into_iter().map(|(it, span)| (node(it, errors), span)).collect();
    if nodes.is_empty() {
        errors.at(
            name.span(),
            format!("the state `{name}` holds no node: `state {name} {{ node, condition -> other }}`"),
        );
        nodes.push((unlabelled(Node::Broken, name.span()), name.span()));
    }
    for (_, span) in &nodes[1..] {
        let message =
            format!("the state `{name}` holds one node already: put them into a composite, such as `sequence {{ … }}`");
        errors.at(*span, message);
    }
    let node_of = if nodes.len() == 1 {
        nodes.remove(0).0
    } else {
        let span = name.span();
        unlabelled(in_sequence(nodes.into_iter().map(|(node, _)| node).collect(), span), span)
    };
    let transitions = transitions(state.transitions, Some(&name), names, errors);
    let (enter, exit) = (state.enter.map(|enter| node(enter, errors)), state.exit.map(|exit| node(exit, errors)));
    let flags = allow::flags(&state.allowed, errors);
    State { flags, name, node: node_of, transitions, enter, exit }
}

/// The transitions of one state, or of any.
fn transitions(
    transitions: Vec<ast::TransitionTo>,
    of: Option<&Ident>,
    names: &[Ident],
    errors: &mut Errors,
) -> Vec<Transition> {
    let mut checked: Vec<Transition> = Vec::new();
    let mut always = false;
    for ast::TransitionTo { allowed, guard, text, span, to } in transitions {
        let text = text::written(text);
        let mut flags = allow::flags(&allowed, errors);
        let is_end = OUTCOMES.iter().position(|outcome| text == *outcome);
        if checked.iter().any(|before| before.text == text) {
            errors.at(span, format!("there is a transition for `{text}` already: only the first is ever followed"));
        }
        if always {
            if !flags.has(Flags::allows(Lint::Unreachable)) {
                errors.at(span, "a transition before this one always holds, so this one can never be followed");
            }
            flags = flags.not_expecting(Lint::Unreachable);
        }
        let target = target(&to, names, errors);
        if target.is_none() && is_end.is_none() {
            leave(guard, errors);
            continue;
        }
        let guard = match is_end {
            Some(index) => Guard::End(index == 0),
            None => {
                let condition = node(guard, errors);
                always |= constant(&condition) == Some(true);
                Guard::Condition(Box::new(condition))
            }
        };
        if of.is_some_and(|of| *of == to) {
            errors.at(to.span(), format!("a transition from `{to}` to itself: without it the state just goes on"));
        }
        if let Some(target) = target {
            checked.push(Transition { flags, span, guard, text, target });
        }
    }
    checked
}

fn target(to: &Ident, names: &[Ident], errors: &mut Errors) -> Option<Target> {
    if let Some(outcome) = OUTCOMES.iter().position(|outcome| to == outcome) {
        return Some(Target::Out(outcome == 0));
    }
    if let Some(index) = names.iter().position(|name| name == to) {
        return Some(Target::State(index, to.clone()));
    }
    let known: Vec<String> = names.iter().map(ToString::to_string).collect();
    let word = to.to_string();
    let meant = nearest(&word, known.iter().map(String::as_str).chain(OUTCOMES));
    let help = meant
        .map_or_else(|| format!("the states are {}", known.join(", ")), |meant| format!("did you mean `{meant}`?"));
    errors.at(to.span(), format!("no state `{word}`; {help}"));
    None
}

/// Reports states to which no way leads from the first.
fn check_reach(names: &[Ident], states: &[State], any: &[Transition], errors: &mut Errors) {
    let mut reached = vec![false; states.len()];
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        for transition in states[index].transitions.iter().chain(any) {
            if let Target::State(to, _) = &transition.target {
                open.push(*to);
            }
        }
    }
    for ((name, state), _) in names.iter().zip(states).zip(reached).filter(|(_, reached)| !reached) {
        if state.flags.has(Flags::allows(Lint::Unreachable)) {
            continue;
        }
        // A state that is there twice has been reported for that.
        if names.iter().filter(|other| *other == name).count() == 1 {
            errors.at(name.span(), format!("no transitions lead to the state `{name}`, and it is not the first; write `#[allow(unreachable)]` before it if it is entered only from outside"));
        }
    }
}
