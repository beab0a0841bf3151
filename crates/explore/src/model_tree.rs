//! Trees over a model, made of trees over any context.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use bt_behavior3::{Diagnostic, Word};
use bt_core::describe::{Described, Description, Kind, Parameter, Role};
use bt_core::engine;
use bt_core::{NodeId, NodeShape, Outcomes, Tree as _};
use bt_dynamic::{LoadError, LoadedTree, Registry, to_behavior3};

use crate::choices::choose_labeled;
use crate::free::is_leaf;
use crate::free_leaf::{FreeAction, FreeCondition, FreeLeaf};

/// Makes a tree with the same composites, decorators and machines over the context of a model. The registry has the leaves of the model, under the names of the leaves of
/// the tree. All other leaves are free: they return any status that their types allow, as a choice.
///
/// The tree can have any context: a context that borrows, that cannot be cloned, or that needs an engine. The result runs in the
/// engine for loaded trees, which has the semantics of the static one.
///
/// - The parameters of a leaf are properties: see [`Registry::add_with`]. A parameter is written as its `Debug` output; text that is not JSON becomes a string.
/// - A decorator or composite of your own is registered under its name in drawings, if it can be used over any context.
/// - A condition of a transition with `&&` or `||` is one free condition, without the names of its parts.
/// - `match` chooses any child, and utility composites choose any order.
/// - The label of a free closure is its source.
///
/// ```
/// use bt_core::prelude::*;
/// use bt_dynamic::Registry;
/// use bt_explore::{explore, flip, model_tree};
/// use serde::Deserialize;
///
/// // The program, over a context that cannot be explored.
/// struct Robot<'a> { laser: &'a dyn Fn() -> f32 }
/// #[condition]
/// fn near(robot: &Robot<'_>, meters: f32) -> bool { (robot.laser)() < meters }
/// fn brake(_: &mut Robot<'_>) {}
/// fn drive(_: &mut Robot<'_>) -> Status { Status::Running }
/// #[subtree]
/// fn robot() -> impl Node<Robot<'_>> {
///     tree! { selector { sequence { near(0.5), brake } sequence { !near(2.0), drive } } }
/// }
///
/// // The model: a distance in steps of half a meter.
/// #[derive(Clone, Hash)]
/// struct Model { half_meters: u8 }
/// #[derive(Deserialize)]
/// struct Near { meters: f32 }
/// #[condition]
/// fn model_near(model: &Model, meters: f32) -> bool { f32::from(model.half_meters) * 0.5 < meters }
///
/// let mut registry = Registry::<Model>::new();
/// registry.add_with("near", |near: Near| model_near(near.meters));
/// explore(model_tree(&robot(), registry)?, Model { half_meters: 9 })
///     .environment(|model| if flip("comes nearer") { model.half_meters = model.half_meters.saturating_sub(1) })
///     .never("drives within 2 m", |tick| tick.is_running("drive") && tick.ctx.half_meters < 4)
///     .sometimes("brakes", |tick| tick.visits("brake") > 0)
///     .check();
/// # Ok::<(), bt_explore::ModelError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the tree contains a decorator or composite of your own that is not registered, a time or count that is computed from the context, or words
/// that need a clock, random numbers or a board without [`Registry::with_clock`], [`Registry::with_random`] or
/// [`Registry::with_board`]; and if the registry has a name that no node has.
pub fn model_tree<N: NodeShape, C: 'static>(tree: &N, mut registry: Registry<C>) -> Result<LoadedTree<C>, ModelError> {
    let names = registry.names();
    let mut new = Rebuilt {
        description: tree.description(),
        is_registered: &|name| names.arity(name).is_some(),
        nodes: Vec::new(),
        leaves: BTreeMap::new(),
        used: BTreeSet::new(),
        values: 0,
    };
    if let Some(root) = new.description.nodes().first().cloned() {
        new.add(&root, None);
    }
    let Rebuilt { nodes, leaves, values, used, .. } = new;
    let unused: Vec<_> = names.names().filter(|name| !used.contains(*name)).map(|name| format!("`{name}`")).collect();
    if !unused.is_empty() {
        let names = unused.join(", ");
        return Err(ModelError(format!(
            "the registry has {names}, but no node of the tree has the name:\n{}",
            tree.description()
        )));
    }
    for (name, returns) in leaves {
        add_leaf(&mut registry, &name, returns);
    }
    for options in 1..=values {
        let any = move |_: &C| u32::try_from(choose_labeled("a value", options)).unwrap_or(u32::MAX);
        registry.add_value(&value_name(options), any);
    }
    let description = engine::description(nodes);
    registry.load_from(&to_behavior3(&description, "model"), None).map_err(|error| {
        let reasons = match error {
            LoadError::Read(error) => error.to_string(),
            LoadError::Invalid(found) => {
                let reason = |Diagnostic { id, reason, .. }: &Diagnostic| match in_file(&description, id) {
                    Some(node) => format!("`{}`: {reason}", description.path_of(node)),
                    None => reason.clone(),
                };
                found.iter().map(reason).collect::<Vec<_>>().join("\n")
            }
        };
        ModelError(format!("the tree cannot be built without its context:\n{reasons}\nhelp: {HELP}"))
    })
}

/// Returns the node that is written with this id: the indices of the children on the way to it. Subtrees are no nodes of a file.
fn in_file(description: &Description, id: &str) -> Option<NodeId> {
    let mut path = id.split('.').map(|index| index.trim_end_matches('\''));
    let mut node = description.node(NodeId::ROOT).filter(|_| path.next() == Some("0"))?;
    loop {
        while node.kind == Kind::Subtree {
            node = description.children(node.id).next()?;
        }
        let Some(index) = path.next() else { return Some(node.id) };
        node = description.children(node.id).nth(index.parse().ok()?)?;
    }
}

/// The error of [`model_tree`] and [`free_tree`](crate::free_tree) for a tree that contains nodes which cannot be built without its context, or for a registry with names that
/// the tree does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelError(String);

impl ModelError {
    pub(crate) const fn new(reason: String) -> Self {
        Self(reason)
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ModelError {}

const HELP: &str = "add decorators and composites of your own, which are implemented for any context: `free_tree_with(&tree, |registry| { registry.add_decorator(…); })`, or in the registry of `model_tree`; if the context is `Clone` and `Hash`, explore the tree itself: `explore(&tree, context).free(\"*\")`";

fn value_name(options: usize) -> String {
    format!("any of {options}")
}

/// Adds a leaf that returns any of these statuses.
fn add_leaf<C: 'static>(registry: &mut Registry<C>, name: &str, returns: Outcomes) {
    let leaf = move |params: BTreeMap<String, String>| FreeLeaf { returns, params };
    if returns.contains(Outcomes::RUNNING) || returns.contains(Outcomes::ERROR) {
        registry.add_with(name, move |params| FreeAction(leaf(params)));
    } else {
        registry.add_with(name, move |params| FreeCondition(leaf(params)));
    }
}

/// A description whose nodes can be loaded.
struct Rebuilt<'a> {
    description: Description,
    is_registered: &'a dyn Fn(&str) -> bool,
    nodes: Vec<Described>,
    /// The free leaves and their statuses.
    leaves: BTreeMap<String, Outcomes>,
    /// The names of nodes that are not free.
    used: BTreeSet<String>,
    /// The largest number of options of a value.
    values: usize,
}

impl Rebuilt<'_> {
    /// Adds a node and the nodes below it. Returns how a property names it.
    fn add(&mut self, node: &Described, parent: Option<NodeId>) -> String {
        let id = NodeId::new(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let below: Vec<_> =
            self.description.descendants(node.id).filter(|below| below.parent == Some(node.id)).cloned().collect();
        let mut new = Described { id, parent, file: None, ..node.clone() };
        if !node.role.is_child() {
            return self.attach(new, &below);
        }
        if is_leaf(node) && !self.is_model(node) && Word::named(&node.name).next().is_none() {
            let is_plain = node.name.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
            let name = if is_plain { node.name.clone() } else { format!("leaf {}", node.id.index()) };
            self.free(&mut new, name, node.returns);
            // A closure is named by its source.
            if !is_plain {
                new.label.get_or_insert_with(|| node.name.clone());
            }
        }
        let children = below.iter().filter(|below| below.role.is_child()).count();
        self.free_values(&mut new, children);
        let name = new.name.clone();
        self.used.insert(name.clone());
        self.nodes.push(new);
        let mut guards = Vec::new();
        for below in &below {
            let name = self.add(below, Some(id));
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
        name
    }

    /// Returns `true` if a node is a leaf of the model.
    fn is_model(&self, node: &Described) -> bool {
        is_leaf(node) && (self.is_registered)(&node.name)
    }

    /// Adds a condition or an action that a property names. Returns its name there: that of a leaf of the model, the opposite of one, or that of a free leaf.
    fn attach(&mut self, mut new: Described, below: &[Described]) -> String {
        let name = match below {
            [] if self.is_model(&new) => new.name.clone(),
            [leaf] if new.name == Word::Invert.name() && self.is_model(leaf) => {
                (new.name, new.kind) = (leaf.name.clone(), leaf.kind);
                format!("!{}", leaf.name)
            }
            // A free condition, and its opposite.
            [leaf] if new.name == Word::Invert.name() && is_leaf(leaf) => {
                (new.name, new.kind) = (leaf.name.clone(), leaf.kind);
                return format!("!{}", self.attach(new, &[]));
            }
            _ => {
                // A guard that is running is halted, and does not hold.
                let returns =
                    if new.role == Role::Guard { Outcomes::SUCCESS.or(Outcomes::FAILURE) } else { new.returns };
                let is_plain = is_leaf(&new) && new.name.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
                let name = if is_plain { new.name.clone() } else { format!("guard {}", new.id.index()) };
                new.kind = if new.kind == Kind::Action { Kind::Action } else { Kind::Condition };
                self.free(&mut new, name, returns);
                new.name.clone()
            }
        };
        self.used.insert(new.name.clone());
        self.nodes.push(new);
        name
    }

    /// Makes a node a free leaf with this name, or a similar one.
    fn free(&mut self, node: &mut Described, mut name: String, returns: Outcomes) {
        while self.leaves.get(&name).is_some_and(|known| *known != returns) {
            name.push('\'');
        }
        self.leaves.insert(name.clone(), returns);
        node.name = name;
        // So that the parameters look as in the tree.
        for param in &mut node.params {
            param.property = Some(format!("{:?}", param.value));
        }
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
                // The writer leaves the last case out: it is the one for all other values.
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
