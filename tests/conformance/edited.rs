//! Random edits of random trees.

use bt_conformance::spec::{Args, How, On, Own, Spec, StateSpec, TransitionSpec};
use bt_core::Status;
use bt_words::Arity;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::loaded::reachable;
use crate::random;

/// A tree whose nodes have ids that stay when it is edited.
#[derive(Clone, Debug)]
pub(crate) struct Edited {
    id: u32,
    label: u32,
    kind: Kind,
    children: Vec<Edited>,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Any node, without its children.
    Node(Spec),
    /// A state of a machine.
    State(Vec<TransitionSpec>),
}

/// The number that is added to those of leaves, and to the ids of states for theirs. Those of the actions of services are smaller.
pub(crate) const FIRST_LEAF: u32 = 100_000;

/// An edit: what, where, and a number for what else it needs.
pub(crate) type Edit = (u8, u16, u16);

/// Edits that are made at once.
pub(crate) fn edits() -> impl Strategy<Value = Vec<Edit>> {
    vec((0..9_u8, any::<u16>(), any::<u16>()), 1..=5)
}

/// Whether an edit deletes a running leaf, and two numbers for what else it does.
pub(crate) type Deletion = Option<[u16; 2]>;

/// Deletions of running leaves, of which random edits make few.
pub(crate) fn deletion() -> impl Strategy<Value = Deletion> {
    proptest::option::weighted(0.3, any::<[u16; 2]>())
}

fn args(number: u16) -> Args {
    let of = |count: u16| number / 7 % count;
    Args {
        times: of(4).into(),
        millis: of(300).into(),
        percent: u8::try_from(of(101)).unwrap_or(0),
        success: 1 + usize::from(of(4)),
        failure: 1 + usize::from(of(3)),
        weighted: of(2) == 0,
        action: of(1000).into(),
        how: [How::Fixed, How::Fixed, How::Computed, How::Ranged][usize::from(number % 4)],
    }
}

fn leaf(number: u16) -> Spec {
    let own = u32::from(number / 4);
    match number % 4 {
        0 | 1 => Spec::Leaf(own),
        2 => Spec::Action(own),
        _ => Spec::Condition(own),
    }
}

fn transitions(number: u16) -> Vec<TransitionSpec> {
    let transition = |number: u16| {
        let on =
            [On::Success, On::Failure, On::Condition(number.into()), On::Not(number.into())][usize::from(number % 4)];
        let to = if number.is_multiple_of(5) {
            Err(Status::from(number.is_multiple_of(2)))
        } else {
            Ok(usize::from(number / 20))
        };
        TransitionSpec { on, to }
    };
    (0..number % 3).map(|index| transition(number / (3 + index))).collect()
}

/// A node of an arity, without children.
fn node(arity: Arity, number: u16, args: Args) -> Spec {
    let own: &[Own] = match arity {
        Arity::One => &Own::ALL[..1],
        Arity::Many => &Own::ALL[1..],
        Arity::Zero | Arity::Branches | Arity::BodyAndCleanup => &[],
    };
    let words = random::words(arity);
    let of = usize::from(number) % (words.len() + own.len());
    match words.get(of) {
        Some(word) => Spec::Word(*word, args, Vec::new()),
        None => Spec::Own(own[of - words.len()], number.into(), Vec::new()),
    }
}

/// The transitions of a machine of so many states.
fn resolved(transitions: &[TransitionSpec], states: usize) -> Vec<TransitionSpec> {
    let transition =
        |transition: &TransitionSpec| TransitionSpec { to: transition.to.map(|to| to % states), ..*transition };
    transitions.iter().map(transition).collect()
}

impl Edited {
    pub(crate) fn of(spec: &Spec, next: &mut u32) -> Self {
        let own = match spec {
            Spec::Word(word, args, _) => Spec::Word(*word, *args, Vec::new()),
            Spec::Own(own, number, _) => Spec::Own(*own, *number, Vec::new()),
            Spec::Machine { any, .. } => Spec::Machine { states: Vec::new(), any: any.clone() },
            Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_) => spec.clone(),
        };
        let mut tree = Self::new(Kind::Node(own), Vec::new(), next);
        tree.children = match spec {
            Spec::Machine { states, .. } => {
                let state = |state: &StateSpec| {
                    let node = Self::of(&state.node, next);
                    Self::new(Kind::State(state.transitions.clone()), vec![node], next)
                };
                states.iter().map(state).collect()
            }
            _ => spec.children().into_iter().map(|child| Self::of(child, next)).collect(),
        };
        tree
    }

    fn new(kind: Kind, children: Vec<Edited>, next: &mut u32) -> Self {
        *next += 1;
        Self { id: *next, label: 0, kind, children }
    }

    /// A new state of a machine, with a node.
    fn state(node: Edited, number: u16, next: &mut u32) -> Self {
        Self::new(Kind::State(transitions(number)), vec![node], next)
    }

    fn is_machine(&self) -> bool {
        matches!(self.kind, Kind::Node(Spec::Machine { .. }))
    }

    /// The tree as the interpreters see it.
    pub(crate) fn spec(&self) -> Spec {
        reachable(&self.whole())
    }

    fn whole(&self) -> Spec {
        let children = || self.children.iter().map(Self::whole).collect();
        match &self.kind {
            Kind::Node(Spec::Word(word, args, _)) => Spec::Word(*word, *args, children()),
            Kind::Node(Spec::Own(own, number, _)) => Spec::Own(*own, *number, children()),
            Kind::Node(Spec::Machine { any, .. }) => {
                let len = self.children.len();
                let state = |state: &Edited| match &state.kind {
                    Kind::State(transitions) => StateSpec {
                        node: state.children[0].whole(),
                        number: FIRST_LEAF + state.id,
                        transitions: resolved(transitions, len),
                    },
                    Kind::Node(_) => unreachable!("it would not be valid"),
                };
                Spec::Machine { states: self.children.iter().map(state).collect(), any: resolved(any, len) }
            }
            Kind::Node(Spec::Leaf(number)) => Spec::Leaf(FIRST_LEAF * 2 + number),
            Kind::Node(other) => other.clone(),
            Kind::State(_) => unreachable!("it would not be valid"),
        }
    }

    /// The ids and labels of the nodes in pre-order.
    pub(crate) fn ids(&self) -> Vec<(u32, u32)> {
        std::iter::once((self.id, self.label)).chain(self.children.iter().flat_map(Self::ids)).collect()
    }

    fn count(&self) -> usize {
        1 + self.children.iter().map(Self::count).sum::<usize>()
    }

    fn arity(&self) -> Arity {
        match &self.kind {
            Kind::Node(Spec::Word(word, ..)) => word.row().arity(),
            Kind::Node(Spec::Own(Own::Patience, ..)) | Kind::State(_) => Arity::One,
            Kind::Node(Spec::Own(..) | Spec::Machine { .. }) => Arity::Many,
            Kind::Node(Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_)) => Arity::Zero,
        }
    }

    /// Whether all nodes have as many children as they take, and machines have states.
    fn is_valid(&self) -> bool {
        let children = self.children.len();
        let fits = match self.arity() {
            Arity::Zero => children == 0,
            Arity::One => children == 1,
            Arity::Many => (1..=8).contains(&children),
            Arity::Branches => (2..=3).contains(&children),
            Arity::BodyAndCleanup => children == 2,
        };
        let fits_below = |child: &Self| matches!(child.kind, Kind::State(_)) == self.is_machine() && child.is_valid();
        fits && self.children.iter().all(fits_below)
    }

    /// The node at a place in pre-order.
    fn at(&mut self, place: usize) -> &mut Self {
        let mut place = place;
        if place == 0 {
            return self;
        }
        place -= 1;
        for child in &mut self.children {
            let count = child.count();
            if place < count {
                return child.at(place);
            }
            place -= count;
        }
        unreachable!("the place is in the tree")
    }

    /// The tree after some edits. Those that are not possible change nothing.
    pub(crate) fn edited(&self, edits: &[Edit], next: &mut u32) -> Self {
        edits.iter().fold(self.clone(), |tree, edit| {
            let edited = tree.edited_once(*edit, next);
            let is_valid = edited.is_valid() && !matches!(edited.kind, Kind::State(_)) && edited.count() < 80;
            if is_valid { edited } else { tree }
        })
    }

    /// The tree without one of the leaves with these numbers, if it can be without it. There may be another leaf elsewhere.
    pub(crate) fn without(&self, running: &[u32], deletion: Deletion, next: &mut u32) -> Self {
        let Some([number, place]) = deletion.filter(|_| !running.is_empty()) else { return self.clone() };
        let leaf = running[usize::from(number) % running.len()];
        let mut tree = self.clone();
        if !tree.delete(&|kind| matches!(kind, Kind::Node(Spec::Leaf(own)) if FIRST_LEAF * 2 + own == leaf)) {
            return tree;
        }
        if number.is_multiple_of(4) {
            return if tree.is_valid() { tree } else { self.clone() };
        }
        let insert = (3, place, 12 * (number / 4 % 1000));
        let edited = tree.edited_once(insert, next);
        if edited.is_valid() { edited } else { self.clone() }
    }

    /// Deletes the first leaf of a kind, with the nodes above that have no other child.
    fn delete(&mut self, is_it: &dyn Fn(&Kind) -> bool) -> bool {
        let of = |child: &Self| is_it(&child.kind) || child.only_has(is_it);
        match self.children.iter().position(of) {
            Some(child) if self.children.len() > 1 => {
                self.children.remove(child);
                true
            }
            _ => self.children.iter_mut().any(|child| child.delete(is_it)),
        }
    }

    fn only_has(&self, is_it: &dyn Fn(&Kind) -> bool) -> bool {
        matches!(&*self.children, [only] if is_it(&only.kind) || only.only_has(is_it))
    }

    /// Whether an edit can be possible here.
    fn can(&self, what: u8) -> bool {
        let len = self.children.len();
        match what {
            0 | 4 | 5 => len > 1,
            2 => len > 0,
            3 => self.arity() != Arity::Zero && self.arity() != Arity::One,
            _ => true,
        }
    }

    fn edited_once(&self, (what, place, number): Edit, next: &mut u32) -> Self {
        let mut tree = self.clone();
        let places: Vec<_> = (0..tree.count()).filter(|place| tree.at(*place).can(what)).collect();
        let Some(place) = places.get(place as usize % places.len().max(1)) else { return tree };
        let node = tree.at(*place);
        let (len, arity) = (node.children.len(), node.arity());
        let nth = |len: usize| usize::from(number / 3) % len.max(1);
        match what {
            // Swap.
            0 => node.children.swap(nth(len), (nth(len) + 1) % len),
            // Wrap.
            1 => {
                let (mut child, args) = (node.clone(), args(number));
                let own = match number % 7 {
                    0 => Spec::Machine { states: Vec::new(), any: transitions(number) },
                    1 | 2 => self::node(Arity::Many, number / 7, args),
                    3 => self::node(Arity::Branches, number / 7, args),
                    4 => self::node(Arity::BodyAndCleanup, number / 7, args),
                    _ => self::node(Arity::One, number / 7, args),
                };
                if number.is_multiple_of(7) {
                    child = Self::state(child, number / 7, next);
                }
                // A guard stands before the node.
                let guard = match number % 7 {
                    1 | 3 => Some(Self::new(Kind::Node(leaf(number / 9)), Vec::new(), next)),
                    _ => None,
                };
                let cleanup = (number % 7 == 4).then(|| Self::new(Kind::Node(leaf(number / 9)), Vec::new(), next));
                *node = Self::new(Kind::Node(own), guard.into_iter().chain([child]).chain(cleanup).collect(), next);
            }
            // Unwrap.
            2 => {
                let child = node.children.swap_remove(nth(len));
                *node =
                    if node.is_machine() { child.children.into_iter().next().expect("states have one") } else { child };
            }
            // Insert.
            3 => {
                let mut new = Self::new(Kind::Node(leaf(number)), Vec::new(), next);
                if node.is_machine() {
                    new = Self::state(new, number / 4, next);
                }
                node.children.insert(nth(len + 1), new);
            }
            // Delete.
            4 => _ = node.children.remove(nth(len)),
            // Move.
            5 => {
                let mut moved = node.children.remove(nth(len));
                let targets: Vec<_> = (0..tree.count()).filter(|place| tree.at(*place).can(3)).collect();
                let target = tree.at(targets[usize::from(number / 11) % targets.len()]);
                let place = usize::from(number / 5) % (target.children.len() + 1);
                if target.is_machine() && !matches!(moved.kind, Kind::State(_)) {
                    moved = Self::state(moved, number, next);
                }
                target.children.insert(place, moved);
            }
            // Renumber.
            6 => match &mut node.kind {
                Kind::Node(Spec::Word(_, own, _)) => *own = args(number),
                Kind::Node(Spec::Leaf(own) | Spec::Action(own) | Spec::Condition(own) | Spec::Own(_, own, _)) => {
                    *own = number.into();
                }
                Kind::Node(Spec::Machine { any: all, .. }) | Kind::State(all) => *all = transitions(number),
            },
            // Rename.
            7 => match &mut node.kind {
                Kind::Node(Spec::Machine { .. }) | Kind::State(_) => {}
                Kind::Node(Spec::Word(word, own, _)) if word.row().arity() != Arity::Zero => {
                    node.kind = Kind::Node(self::node(arity, number, *own));
                }
                Kind::Node(Spec::Own(..)) => node.kind = Kind::Node(self::node(arity, number, args(number))),
                Kind::Node(own) => {
                    *own = if number.is_multiple_of(5) { self::node(arity, number, args(number)) } else { leaf(number) }
                }
            },
            // Relabel.
            8 => node.label = number.into(),
            _ => {}
        }
        tree
    }
}
