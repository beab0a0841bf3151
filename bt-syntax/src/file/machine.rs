//! Machines: their transitions and hooks are properties of nodes.

use bt_words::{Param, ParamType, Role, Word};
use serde_json::{Map, Value};

use super::node::Writer;
use crate::ast::{Allowed, Machine, Node, State, TransitionTo};

impl Writer<'_> {
    /// Writes a machine and its states.
    pub(super) fn machine(&mut self, machine: Machine, allowed: &[Allowed]) -> Option<String> {
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
            None => (None, Vec::new()),
        };
        of_any.extend(allowed.iter().map(|lint| Allowed { name: lint.name.clone(), expected: lint.expected }));
        let at = self.begin(keyword.to_string().as_str(), keyword.span(), label.as_ref(), &of_any);
        let properties = property(Word::Machine, ParamType::Transitions, any);
        let below: Vec<_> = states.into_iter().map(|state| self.state(state)).collect();
        Some(self.end(at, Map::from_iter(properties), below))
    }

    fn state(&mut self, state: State) -> String {
        let State { mut allowed, name, nodes, transitions, enter, exit } = state;
        let (transitions, of_transitions) = self.transitions(transitions);
        allowed.extend(of_transitions);
        let at = self.begin(Word::State.name(), name.span(), None, &allowed);
        let [enter, exit] = [enter, exit].map(|hook| hook.and_then(|hook| self.leaf_name(hook)).map(Value::from));
        let below: Vec<_> = nodes.into_iter().filter_map(|(node, _)| self.node(node)).collect();
        let properties = [
            property(Word::State, ParamType::Name, Some(syn::ext::IdentExt::unraw(&name).to_string().into())),
            property(Word::State, ParamType::Transitions, transitions),
            property(Word::State, ParamType::Leaf(Role::Enter), enter),
            property(Word::State, ParamType::Leaf(Role::Exit), exit),
        ];
        self.end(at, properties.into_iter().flatten().collect(), below)
    }

    /// Returns transitions as the texts that they are in files, and the lints that they allow, which are those of their node there.
    fn transitions(&mut self, transitions: Vec<TransitionTo>) -> (Option<Value>, Vec<Allowed>) {
        let (mut all, mut lints) = (Vec::new(), Vec::<Allowed>::new());
        for TransitionTo { allowed, guard, to, .. } in transitions {
            for lint in allowed {
                if lints.iter().all(|known| known.name != lint.name) {
                    lints.push(lint);
                }
            }
            let (on, to) = (self.guard(guard), to.map(|to| syn::ext::IdentExt::unraw(&to).to_string()));
            all.extend(on.zip(to).map(|(on, to)| Value::from(format!("{on} -> {to}"))));
        }
        ((!all.is_empty()).then_some(Value::Array(all)), lints)
    }

    /// Returns the condition of a transition: the name of a leaf, possibly with `!`.
    fn guard(&mut self, guard: Node) -> Option<String> {
        match guard {
            Node::Not { child, .. } => self.leaf_name(*child).map(|name| format!("!{name}")),
            guard => self.leaf_name(guard),
        }
    }
}

/// Returns a property of a word, if it has a value.
fn property(word: Word, ty: ParamType, value: Option<Value>) -> Option<(String, Value)> {
    let is_it = |param: &&Param| param.ty == ty;
    Some((word.row().params.iter().find(is_it)?.name.to_owned(), value?))
}
