//! Trees of free leaves, made of trees over any context.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use bt_behavior3::Word;
use bt_core::describe::{Described, Description, Kind, Parameter, Role};
use bt_core::engine;
use bt_core::{Clock, NodeId, NodeShape, Outcomes, Random, Status, Tree as _};
use bt_dynamic::{DynTree, LoadError, Registry, to_behavior3};

use crate::choices::{FREE, choice};
use crate::draws::Draws;
use crate::free::{all_of, is_leaf};

/// A tree whose leaves return any status that their types allow, returned by [`free_tree`].
pub type FreeTree = DynTree<FreeContext>;

/// The context of a [`FreeTree`]: a clock, and random numbers that are choices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FreeContext {
    /// The time, for [`Explorer::clock`](crate::Explorer::clock).
    pub now: Duration,
    rng: Draws,
}

impl Clock for FreeContext {
    fn now(&self) -> Duration {
        self.now
    }
}

impl Random for FreeContext {
    type Rng = Draws;

    fn rng(&mut self) -> &mut Draws {
        &mut self.rng
    }
}

/// Makes a tree with the same composites, decorators and machines, in which every leaf returns any status that its type allows, as a choice.
///
/// The tree can have any context: one that borrows, that cannot be cloned, or that needs an engine. It runs in the engine for loaded trees, which has the semantics of
/// the static one. Properties of it hold whatever the leaves do: so they hold for the real leaves, too. A violation may be one that the real leaves do not allow.
///
/// - A condition of a transition is one free condition, also if it consists of several with `&&` and `||`.
/// - `match` chooses any child, and utility composites choose any order.
/// - `chance` starts its child and does not; a range is its least and its greatest value.
/// - The label of a leaf is how it was called in the tree.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_explore::{FreeContext, explore, free_tree};
///
/// struct Robot<'a> { motor: &'a mut dyn FnMut(f32) }                 // neither `Clone` nor `Hash`
/// fn door_closed(_: &Robot<'_>) -> bool { unimplemented!("asks a sensor") }
/// fn drive(robot: &mut Robot<'_>) -> Status { (robot.motor)(1.0); Status::Running }
///
/// fn robot() -> impl for<'a> Node<Robot<'a>> {
///     tree! { sequence { door_closed, drive } }
/// }
///
/// explore(free_tree(&robot())?, FreeContext::default())
///     .never("drives although the door is open", |tick| {
///         tick.is_running("drive") && tick.returned("door_closed", Status::Failure)
///     })
///     .check();
/// # Ok::<(), bt_explore::FreeError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the tree contains a decorator or composite of your own, or a time or count that is computed from the context. Explore the tree itself then,
/// with [`free`](crate::Explorer::free) leaves.
pub fn free_tree<N: NodeShape>(tree: &N) -> Result<FreeTree, FreeError> {
    let mut free = Freed { description: tree.description(), nodes: Vec::new(), leaves: BTreeMap::new(), values: 0 };
    if let Some(root) = free.description.nodes().first().cloned() {
        free.add(&root, None);
    }
    let mut registry = Registry::<FreeContext>::new().with_clock().with_random();
    for (name, can) in free.leaves {
        add_leaf(&mut registry, &name, can);
    }
    for options in 1..=free.values {
        registry.add_value(&value_name(options), move |_: &FreeContext| choice("a value", options) as u32);
    }
    let project = to_behavior3(&engine::description(free.nodes), "free");
    registry.load_from(&project, None).map_err(FreeError)
}

/// The error of [`free_tree`] for a tree that contains nodes which cannot be built without their context.
#[derive(Debug)]
pub struct FreeError(LoadError);

impl fmt::Display for FreeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "a node of the tree cannot be built without its context: {}\nhelp: explore the tree itself, with `.free(\"*\")`",
            self.0
        )
    }
}

impl std::error::Error for FreeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn value_name(options: usize) -> String {
    format!("any of {options}")
}

/// Adds a leaf that returns any of these statuses.
fn add_leaf(registry: &mut Registry<FreeContext>, name: &str, can: Outcomes) {
    let statuses: Vec<_> = all_of(can).collect();
    let any = move || statuses[choice(FREE, statuses.len())];
    let can_be = |status: Status| can.meets(status.into());
    if can_be(Status::Running) || can_be(Status::Error) {
        registry.add_leaf(name, move |_: &mut FreeContext| any());
    } else if can_be(Status::Failure) {
        registry.add_leaf(name, move |_: &FreeContext| any() == Status::Success);
    } else {
        registry.add_leaf(name, |_: &mut FreeContext| {});
    }
}

/// A description whose nodes can be loaded.
struct Freed {
    description: Description,
    nodes: Vec<Described>,
    /// The free leaves and their statuses.
    leaves: BTreeMap<String, Outcomes>,
    /// The largest number of options of a value.
    values: usize,
}

impl Freed {
    /// Adds a node and the nodes below it. Returns its new id.
    fn add(&mut self, node: &Described, parent: Option<NodeId>) -> NodeId {
        let id = NodeId::new(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let mut new = Described { id, parent, file: None, ..node.clone() };
        let is_attached = !node.role.is_child();
        let is_free = is_attached || (is_leaf(node) && Word::named(&node.name).next().is_none());
        if is_free {
            let called = node.label.clone().unwrap_or_else(|| node.call());
            new.name = self.leaf(&called, node, is_attached);
            new.kind = if node.kind == Kind::Action { Kind::Action } else { Kind::Condition };
            new.params.clear();
            new.label = (new.name != called && !is_attached).then_some(called);
            self.nodes.push(new);
            return id;
        }
        let below: Vec<_> =
            self.description.descendants(node.id).filter(|below| below.parent == Some(node.id)).cloned().collect();
        let children = below.iter().filter(|below| below.role.is_child()).count();
        self.free_values(&mut new, children);
        self.nodes.push(new);
        let mut guards = Vec::new();
        for below in &below {
            let added = self.add(below, Some(id));
            let name = self.nodes[added.index()].name.clone();
            match below.role {
                Role::Guard => guards.push(name),
                // The description has the name of the action as a parameter.
                Role::Service => {
                    if let Some(param) = self.nodes[id.index()].params.iter_mut().find(|param| param.name == "action") {
                        param.value = format!("{name:?}");
                    }
                }
                _ => {}
            }
        }
        // The guards are attached in the order of the transitions that have one.
        let mut guards = guards.into_iter();
        for transition in &mut self.nodes[id.index()].transitions {
            if transition.on != "success"
                && transition.on != "failure"
                && let Some(guard) = guards.next()
            {
                transition.on = guard;
            }
        }
        id
    }

    /// Returns the name of a free leaf, which is a new one for conditions and actions that are attached to a node.
    fn leaf(&mut self, called: &str, node: &Described, is_attached: bool) -> String {
        let is_plain = called.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
        let mut name = if is_plain && !is_attached { called.to_owned() } else { format!("leaf {}", node.id.index()) };
        if is_attached && is_plain {
            name = format!("{called} {}", node.id.index());
        }
        let can = if node.role == Role::Guard { Outcomes::SUCCESS.or(Outcomes::FAILURE) } else { node.can };
        while self.leaves.get(&name).is_some_and(|known| *known != can) {
            name.push('\'');
        }
        self.leaves.insert(name.clone(), can);
        name
    }

    /// Replaces what a node reads from its context by choices.
    fn free_values(&mut self, node: &mut Described, children: usize) {
        let value = value_name(children);
        let param = |name: &str, value: String| Parameter {
            name: name.to_owned(),
            property: Some(value.clone()),
            value,
            type_name: None,
            default: None,
            unit: None,
        };
        match Word::named(&node.name).find(|word| Kind::of(word.row().family) == node.kind) {
            Some(Word::Match | Word::MemMatch) => {
                let cases: Vec<_> = (0..children).collect();
                node.params = vec![param("on", format!("{value:?}")), param("cases", format!("{cases:?}"))];
            }
            Some(Word::UtilitySelector | Word::MemUtilitySelector) => {
                node.params.retain(|param| param.name != "scores");
                node.params.insert(0, param("scores", format!("{:?}", vec![value; children])));
            }
            _ => return,
        }
        self.values = self.values.max(children);
    }
}
