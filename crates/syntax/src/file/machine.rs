//! Machines: their transitions and hooks are properties of nodes.

use std::borrow::Cow;

use bt_behavior3::{Place, Properties};
use bt_words::{ParamType, Role, Word};
use proc_macro2::Delimiter;
use serde_json::Value;

use super::node::{Writer, at_node};
use super::on_a_thread;
use crate::ast::{Allowed, Attribute, Machine, Node, State, TransitionTo};
use crate::tokens::{Input, Tokens, Tree};

impl Writer<'_> {
    /// Writes a machine and its states.
    pub(super) fn machine(&mut self, machine: Machine<'_>, allowed: &[Allowed<'_>]) -> Option<String> {
        let Machine { keyword, label, states, any, has_strays } = machine;
        if has_strays {
            return None;
        }
        let (any, mut of_any) = match any {
            Some(any) => {
                let at = any.name.span();
                if !any.nodes.is_empty() || any.enter.is_some() || any.exit.is_some() || !any.allowed.is_empty() {
                    let help = "help: write `any { condition -> state }`";
                    self.errors.at(at, format!("`any` can only contain transitions\n{help}"));
                }
                self.transitions(any.transitions)
            }
            None => (Vec::new(), Vec::new()),
        };
        of_any.extend_from_slice(allowed);
        let at = self.begin(keyword.text(), keyword.span(), label, &of_any);
        let mut given = Properties::default();
        add(&mut given, Word::Machine, any);
        let below: Vec<_> = states.into_iter().map(|state| self.state(state)).collect();
        Some(self.end(at, given, below))
    }

    fn state(&mut self, state: State<'_>) -> String {
        let State { mut allowed, name, nodes, transitions, enter, exit } = state;
        let (transitions, of_transitions) = self.transitions(transitions);
        allowed.extend(of_transitions);
        let at = self.begin(Word::State.name(), name.span(), None, &allowed);
        let mut given = Properties::default();
        for (role, hook) in [(Role::Enter, enter), (Role::Exit, exit)] {
            let Some(hook) = hook else { continue };
            let (at, name) = (at_node(&hook).place(), self.leaf_name(hook).map(Value::from));
            if let Some((property, name)) = property(Word::State, ParamType::Leaf(role), name) {
                given.insert_at(&property, name, at);
            }
        }
        let below: Vec<_> = nodes.into_iter().filter_map(|(node, _)| self.node(node)).collect();
        given.extend(property(Word::State, ParamType::Name, Some(name.unraw().into())));
        add(&mut given, Word::State, transitions);
        self.end(at, given, below)
    }

    /// Returns transitions as the texts that they are in files, and the lints that they allow, which are those of their node there.
    fn transitions<'t>(&mut self, transitions: Vec<TransitionTo<'t>>) -> (Vec<(Place, Value)>, Vec<Allowed<'t>>) {
        let (mut all, mut lints) = (Vec::new(), Vec::<Allowed<'t>>::new());
        for TransitionTo { allowed, guard, to, .. } in transitions {
            for lint in allowed {
                if lint.attribute == Attribute::Disabled {
                    let help = "help: put it in a comment";
                    self.errors.at(
                        lint.name.span(),
                        format!("only nodes and states can be disabled, not transitions\n{help}"),
                    );
                } else if lints.iter().all(|known| known.name != lint.name) {
                    lints.push(lint);
                }
            }
            let at = at_node(&guard).place();
            let on = self.guard(guard);
            all.extend(on.zip(to).map(|(on, to)| (at, format!("{on} -> {}", to.unraw()).into())));
        }
        (all, lints)
    }

    /// Returns the condition of a transition: the name of a leaf, possibly with `!`.
    fn guard<'t>(&mut self, guard: Node<'t>) -> Option<Cow<'t, str>> {
        match guard {
            Node::Not { child, .. } => self.leaf_name(*child).map(|name| format!("!{name}").into()),
            guard => self.leaf_name(guard),
        }
    }
}

/// Returns the number of transitions in a text that have attributes: those of its state in the data of files.
pub fn count_attributes_of_transitions(text: &str) -> usize {
    fn count(input: &Input<'_>) -> usize {
        let mut found = 0;
        while let Some(token) = input.tree() {
            let Tree::Group(group) = token else { continue };
            found += count(&group.stream().input());
            if group.delimiter() == Delimiter::Bracket {
                let ahead = input.fork();
                ahead.take_before(|input| [",", "#", "{", "->"].iter().any(|sign| input.peek(sign)));
                found += usize::from(ahead.peek("->"));
            }
        }
        found
    }
    on_a_thread(|| Tokens::of_text(text).map_or(0, |(tokens, _)| count(&tokens.all().input())))
}

/// Adds the transitions of a word, if there are any.
fn add(given: &mut Properties, word: Word, transitions: Vec<(Place, Value)>) {
    if let Some(param) = word.row().param(ParamType::Transitions).filter(|_| !transitions.is_empty()) {
        given.insert_list(param.name, transitions);
    }
}

/// Returns a property of a word, if it has a value.
fn property(word: Word, ty: ParamType, value: Option<Value>) -> Option<(String, Value)> {
    Some((word.row().param(ty)?.name.to_owned(), value?))
}
