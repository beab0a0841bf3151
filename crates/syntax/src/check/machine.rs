//! Checks machines: names, transitions, reachability.

use bt_words::analysis::{Finding, Form};
use bt_words::{Flags, Lint};

use super::allow;
use super::plain::{in_sequence, unlabeled};
use super::siblings::constant;
use crate::ast;
use crate::errors::{Errors, Mistake, did_you_mean};
use crate::keyword::OUTCOMES;
use crate::plan::{Guard, Located, Node, State, Target, Transition};
use crate::tokens::{Ident, Span, Text};

/// The leaves that do nothing, in a state that only has an `enter:` action or leads on.
const FILLERS: [&str; 3] = ["run", "succeed", "fail"];

/// Checks a machine.
pub(super) fn machine(machine: ast::Machine<'_>, errors: &mut Errors) -> Located {
    let span = machine.keyword.span().to_macro();
    if machine.states.is_empty() {
        if machine.has_strays {
            return unlabeled(Node::Broken, span);
        }
        errors.at(span, "`machine` has no states\nhelp: write `machine { state idle { … } }`");
        return unlabeled(Node::Broken, span);
    }
    machine.leave_names(errors);
    let names: Vec<Ident<'_>> = machine.states.iter().map(|state| state.name).collect();
    let all = machine.states.iter().chain(&machine.any).flat_map(|state| &state.transitions);
    let has_unknown = { all }.any(|transition| transition.to.is_none_or(|to| !names.contains(&to) && !is_outcome(to)));
    check_names(&names, errors);
    let any = machine.any.map(|any| any_transitions(any, &names, errors)).unwrap_or_default();
    let mut states: Vec<State> = machine.states.into_iter().map(|state| self::state(state, &names, errors)).collect();
    check_first_node(&mut states, &any, errors);
    // A state may be the one that an unknown name means, and what is left out may lead to it.
    if !(has_unknown || machine.has_strays) {
        check_reach(&names, &states, &any, errors);
    }
    let node = Node::Machine { keyword: machine.keyword.to_macro(), states, any };
    Located { label: machine.label.map(Text::to_macro), ..unlabeled(node, span) }
}

fn check_names(names: &[Ident<'_>], errors: &mut Errors) {
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            errors.at(name.span(), format!("duplicate state `{name}`"));
        }
        if is_outcome(*name) {
            errors.at(name.span(), format!("a state cannot be named `{name}`\nnote: `-> {name}` ends the machine"));
        }
    }
}

fn is_outcome(name: Ident<'_>) -> bool {
    OUTCOMES.contains(&name.text())
}

/// Returns the transitions of `any`. Reports anything else in it.
fn any_transitions(any: ast::State<'_>, names: &[Ident<'_>], errors: &mut Errors) -> Vec<Transition> {
    let word = any.name.span();
    if let Some(name) = any.allowed.first() {
        let attribute = match name.attribute {
            ast::Attribute::Allow => "allow(…)",
            ast::Attribute::Expect => "expect(…)",
            ast::Attribute::Disabled => "disabled",
        };
        let message =
            format!("`#[{attribute}]` is not allowed before `any`\nhelp: put it before a transition of `any`");
        errors.at(name.name.span(), message);
    }
    for (stray, span) in any.nodes {
        stray.leave(errors);
        errors.at(span, "`any` can only contain transitions\nhelp: write `any { condition -> state }`");
    }
    if any.enter.is_some() || any.exit.is_some() {
        errors.at(word, "`any` can only contain transitions\nnote: `enter:` and `exit:` are only allowed in a `state`");
        any.enter.into_iter().chain(any.exit).for_each(|hook| hook.leave(errors));
    }
    transitions(any.transitions, None, names, errors)
}

fn state(state: ast::State<'_>, names: &[Ident<'_>], errors: &mut Errors) -> State {
    let name = state.name;
    let mut nodes: Vec<(Located, Span<'_>)> =
        state.nodes.into_iter().map(|(it, span)| (it.check(errors), span)).collect();
    if nodes.is_empty() {
        errors.at(
            name.span(),
            format!("state `{name}` has no node\nhelp: write `state {name} {{ node, condition -> other }}`"),
        );
        nodes.push((unlabeled(Node::Broken, name.span().to_macro()), name.span()));
    }
    for (_, span) in &nodes[1..] {
        let message = format!(
            "state `{name}` has more than one node\nhelp: put the nodes in a composite, such as `sequence {{ … }}`"
        );
        errors.at(*span, message);
    }
    let node_of = if nodes.len() == 1 {
        nodes.remove(0).0
    } else {
        let span = name.span().to_macro();
        unlabeled(in_sequence(nodes.into_iter().map(|(node, _)| node).collect(), span), span)
    };
    let transitions = transitions(state.transitions, Some(name), names, errors);
    // A state needs a node, so one that is left at once has one of these.
    let is_filler = matches!(&node_of.node, Node::Leaf { .. }) && FILLERS.contains(&node_of.text.as_str());
    let filler = if is_filler { Flags::allows(Lint::Unreachable) } else { Flags::NONE };
    let node_of = Located { flags: node_of.flags.or(filler), ..node_of };
    let (enter, exit) = (state.enter.map(|enter| enter.check(errors)), state.exit.map(|exit| exit.check(errors)));
    let flags = allow::flags(&state.allowed, errors);
    State { flags, name: name.to_macro(), node: node_of, transitions, enter, exit }
}

/// Returns the transitions of one state, or of `any`.
fn transitions(
    transitions: Vec<ast::TransitionTo<'_>>,
    of: Option<Ident<'_>>,
    names: &[Ident<'_>],
    errors: &mut Errors,
) -> Vec<Transition> {
    let mut checked: Vec<Transition> = Vec::new();
    let mut always = false;
    for ast::TransitionTo { allowed, guard, text, span, to } in transitions {
        let text = text.written();
        let mut flags = allow::flags(&allowed, errors);
        let is_end = OUTCOMES.iter().position(|outcome| text == *outcome);
        // A missing condition has been reported.
        if !text.is_empty() && checked.iter().any(|before| before.text == text) {
            errors.at(span, format!("duplicate transition on `{text}`\nnote: only the first is ever followed"));
        }
        if always {
            if !flags.has(Flags::allows(Lint::Unreachable)) {
                let finding = Finding::Transition("the condition of a transition before it always holds");
                let message = finding.message(Form::Rust).to_string();
                errors.mistake(Mistake { lint: finding.lint(), span: span.to_macro(), message, node: None });
            }
            flags = flags.not_expecting(Lint::Unreachable);
        }
        let target = target(to, &text, names, errors);
        if target.is_none() && is_end.is_none() {
            if is_hook(&text) {
                errors.quietly_unbound(|quiet| guard.leave(quiet));
            } else {
                errors.quietly(|quiet| guard.leave(quiet));
            }
            continue;
        }
        let guard = match is_end {
            Some(index) => Guard::End(index == 0),
            None => {
                let condition = guard.check(errors);
                always |= constant(&condition) == Some(true);
                Guard::Condition(Box::new(condition))
            }
        };
        if let Some(to) = to.filter(|to| of == Some(*to)) {
            errors.at(
                to.span(),
                format!(
                    "transition from `{to}` to itself\nnote: without it, the machine stays in `{to}`\nhelp: remove it"
                ),
            );
        }
        if let Some(target) = target {
            checked.push(Transition { flags, span: span.to_macro(), guard, text, target });
        }
    }
    checked
}

/// Reports the node of the first state if a visibly constant condition always leads out of it, and no transition leads back. Types are
/// checked later.
fn check_first_node(states: &mut [State], any: &[Transition], errors: &mut Errors) {
    let leads_back = |transition: &Transition| matches!(transition.target, Target::State(0, _));
    if states.iter().flat_map(|state| &state.transitions).chain(any).any(leads_back) {
        return;
    }
    let Some(first) = states.first_mut() else { return };
    let always = |transition: &Transition| match &transition.guard {
        Guard::Condition(condition) => constant(condition) == Some(true),
        Guard::End(_) => false,
    };
    if !first.transitions.iter().any(always) {
        return;
    }
    if !first.node.flags.has(Flags::allows(Lint::Unreachable)) {
        let (lint, message) = (Finding::Idle.lint(), Finding::Idle.message(Form::Rust).to_string());
        errors.mistake(Mistake { lint, span: first.node.span, message, node: None });
    }
    first.node.flags = first.node.flags.not_expecting(Lint::Unreachable);
}

/// Returns `true` if the word is that of an action of a state.
fn is_hook(word: &str) -> bool {
    ["enter", "exit"].contains(&word)
}

/// Returns the target of a transition, of which this is the condition.
fn target(to: Option<Ident<'_>>, guard: &str, names: &[Ident<'_>], errors: &mut Errors) -> Option<Target> {
    let known: Vec<String> = names.iter().map(ToString::to_string).collect();
    let words = || known.iter().map(String::as_str).chain(OUTCOMES);
    let to = to?;
    if let Some(outcome) = OUTCOMES.iter().position(|outcome| to == *outcome) {
        return Some(Target::Out(outcome == 0));
    }
    if let Some(index) = names.iter().position(|name| *name == to) {
        return Some(Target::State(index, to.to_macro()));
    }
    let word = to.to_string();
    if is_hook(guard) {
        let message = format!("unknown state `{word}`\nhelp: an action of the state is written `{guard}: {word}`");
        errors.at(to.span(), message);
        return None;
    }
    let help = did_you_mean(&word, words()).unwrap_or_else(|| {
        // A duplicate name has an error of its own.
        let once = known.iter().enumerate().filter(|(index, name)| !known[..*index].contains(name));
        format!("\nnote: the states are `{}`", once.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join("`, `"))
    });
    errors.at(to.span(), format!("unknown state `{word}`{help}"));
    None
}

/// Reports states that cannot be reached from the first.
fn check_reach(names: &[Ident<'_>], states: &[State], any: &[Transition], errors: &mut Errors) {
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
        // A duplicate state has been reported already.
        if names.iter().filter(|other| *other == name).count() == 1 {
            let message = format!(
                "unreachable state `{name}`\nnote: no transition leads to it, and it is not the initial state\n\
                 help: add a transition, or write `#[allow(unreachable)]` before this state if only your code enters it"
            );
            let (lint, span) = (Lint::Unreachable, name.span().to_macro());
            errors.mistake(Mistake { lint, span, message, node: Some(span) });
        }
    }
}
