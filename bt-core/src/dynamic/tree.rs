//! A loaded tree: its nodes in pre-order.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Weak;
use alloc::vec::Vec;
use core::ops::Range;
use core::time::Duration;

use bt_behavior3::{Checked, Ends, Fault, Transition, TreeSpec, When, Word};

use crate::clock::Shift;
use crate::describe::{FileNode, InFile, Info, Kind, Name, Param, Role, Visitor};
use crate::dynamic::error::RunError;
use crate::dynamic::leaf::AnyLeaf;
use crate::dynamic::memory::DynMemory;
use crate::dynamic::policy::AnyPolicy;
use crate::dynamic::properties::Properties;
use crate::dynamic::registry::{Maker, nanos};
use crate::dynamic::run::Run;
use crate::hash::Fnv;
use crate::id::NodeId;
use crate::node::{Node, NodeShape, Visit};
use crate::observe::Observer;
use crate::outcomes::Outcomes;
use crate::status::{Status, Step};
use crate::tree::Tree;

/// A tree that was loaded from a file: see the [module](super). A node like any other, over the context `C`.
///
/// What an agent remembers of it is a [`DynMemory`]: flat, and part of saves. Loading another file into it is refused by the
/// [fingerprint](crate::Tree::fingerprint) like that of any other tree. A memory that was used with another tree, of which this one knows nothing, begins anew with its first tick; what was open
/// in it is not closed, since nobody can.
pub struct DynTree<C: ?Sized> {
    pub(super) title: String,
    /// What the file says of the tree, without its nodes.
    pub(super) header: TreeSpec,
    pub(super) nodes: Vec<DynNode<C>>,
    /// The children of all nodes, one list after the other.
    pub(super) children: Vec<u32>,
    /// How many words a memory has, and how many slots.
    pub(super) words: usize,
    pub(super) slots: usize,
    pub(super) capabilities: Capabilities<C>,
    /// Tells trees of different nodes or properties apart: memories are of one tree.
    pub(super) version: u64,
    /// Its fingerprint, without what may be around it.
    pub(super) structure: u64,
    /// The trees that were in its place before, as long as somebody has them.
    pub(super) before: Vec<Weak<Self>>,
    /// Which node each id belongs to.
    owners: Vec<u32>,
}

/// What of a context the words can use, if the registry was told that it has it.
pub(super) struct Capabilities<C: ?Sized> {
    pub(super) now: Option<fn(&C) -> u64>,
    pub(super) chance: Option<fn(&mut C) -> u64>,
    pub(super) on_error: Option<fn(&mut C, NodeId, RunError)>,
}

impl<C: ?Sized> Clone for Capabilities<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: ?Sized> Copy for Capabilities<C> {}

/// A node of a loaded tree.
pub(super) struct DynNode<C: ?Sized> {
    pub(super) what: NodeOp<C>,
    /// Its id relative to the root's: leaves may be whole trees.
    pub(super) at: u32,
    /// Its children in the list of all.
    pub(super) children: Range<u32>,
    /// Where its words begin, and its slot, if it has one.
    pub(super) word: u32,
    pub(super) slot: Option<u32>,
    label: Option<String>,
    name: String,
    pub(super) id: String,
    /// Name and properties in the file.
    pub(super) spec: String,
    /// The same for descriptions, and what else the file says.
    file: FileNode,
    is_own: bool,
}

/// What a node is, ready to run.
pub(super) enum NodeOp<C: ?Sized> {
    /// Selectors let failures pass, sequences successes.
    Sequential {
        selects: bool,
        remembers: bool,
    },
    Random {
        selects: bool,
        weights: Option<Vec<f64>>,
    },
    Parallel {
        remembers: bool,
        success: usize,
        failure: usize,
    },
    Invert,
    Force(bool),
    Repeat,
    RepeatTimes(u32),
    Retry(u32),
    UntilFailure,
    /// Also `wait_until`.
    UntilSuccess {
        waits: bool,
    },
    Limit(u32),
    RunOnce,
    Timeout(u64),
    Delay(u64),
    Cooldown(u64),
    Service(u64, String, Attachment<C>),
    Wait(u64),
    Machine {
        any: Vec<DynTransition<C>>,
    },
    State {
        name: String,
        transitions: Vec<DynTransition<C>>,
        /// What is done on entering and on leaving it.
        hooks: Hooks<C>,
    },
    Just(Status),
    Leaf(AnyLeaf<C>),
    Policy(AnyPolicy<C>),
}

/// What is done on entering a state, and on leaving it: by [`Edge`](crate::machine::Edge).
pub(super) type Hooks<C> = [Option<Attachment<C>>; 2];

/// A transition of a machine.
pub(super) struct DynTransition<C: ?Sized> {
    pub(super) on: DynWhen<C>,
    /// The index of the state it leads to, or the status with which it leads out.
    pub(super) to: Result<usize, Status>,
    /// As it is written.
    text: Transition,
}

/// When a transition may be followed.
pub(super) enum DynWhen<C: ?Sized> {
    Success,
    Failure,
    Leaf(Attachment<C>),
}

/// A leaf that is no child: the condition of a transition, what is done on entering or leaving a state, the action of a service.
pub(super) struct Attachment<C: ?Sized> {
    role: Role,
    /// The name that the leaf is registered under.
    name: String,
    pub(super) leaf: AnyLeaf<C>,
    /// Whether it stands below an `invert`, which is a node too.
    pub(super) negated: bool,
    /// The id of the leaf, or of its `invert`, relative to the root's.
    pub(super) at: u32,
    /// Its slot, if it remembers anything.
    pub(super) slot: Option<u32>,
}

impl<C: ?Sized> Attachment<C> {
    fn new(role: Role, name: &str, leaf: AnyLeaf<C>, negated: bool) -> Self {
        Self { role, name: name.to_owned(), leaf, negated, at: 0, slot: None }
    }

    fn show(&self, visitor: &mut dyn Visitor) {
        visitor.role(self.role);
        if !self.negated {
            visitor.registered(&self.name);
            return self.leaf.describe(visitor);
        }
        NodeOp::<C>::Invert.enter(visitor);
        visitor.registered(&self.name);
        self.leaf.describe(visitor);
        visitor.leave();
    }
}

/// The leaves of a node that are no children, shared or exclusive.
macro_rules! attachments {
    ($what:expr, $iter:ident $(, $mut:tt)?) => {{
        let (action, transitions, hooks): (_, &$($mut)? [DynTransition<C>], &$($mut)? [_]) = match $what {
            NodeOp::Service(_, _, action) => (Some(action), &$($mut)? [], &$($mut)? []),
            NodeOp::Machine { any: transitions } => (None, transitions, &$($mut)? []),
            NodeOp::State { transitions, hooks, .. } => (None, transitions, hooks),
            _ => (None, &$($mut)? [], &$($mut)? []),
        };
        let conditions = transitions.$iter().filter_map(|transition| match &$($mut)? transition.on {
            DynWhen::Leaf(condition) => Some(condition),
            DynWhen::Success | DynWhen::Failure => None,
        });
        action.into_iter().chain(conditions).chain(hooks.$iter().flatten())
    }};
}

impl<C: ?Sized> NodeOp<C> {
    /// How many words it needs.
    pub(super) fn words(&self, children: usize) -> usize {
        match self {
            NodeOp::Random { .. } => children.div_ceil(64),
            NodeOp::Parallel { remembers: true, .. } => children.div_ceil(32),
            NodeOp::RepeatTimes(_) | NodeOp::Retry(_) | NodeOp::Limit(_) | NodeOp::RunOnce | NodeOp::Machine { .. } => {
                1
            }
            NodeOp::Timeout(_) | NodeOp::Delay(_) | NodeOp::Cooldown(_) | NodeOp::Service(..) | NodeOp::Wait(_) => 1,
            _ => 0,
        }
    }

    fn has_slot(&self) -> bool {
        match self {
            NodeOp::Leaf(leaf) => leaf.remembers(),
            NodeOp::Policy(_) => true,
            _ => false,
        }
    }

    /// The leaves that are no children, in the order of their ids.
    pub(super) fn attachments(&self) -> impl Iterator<Item = &Attachment<C>> {
        attachments!(self, iter)
    }

    fn attachments_mut(&mut self) -> impl Iterator<Item = &mut Attachment<C>> {
        attachments!(self, iter_mut, mut)
    }
}

impl<C: ?Sized> DynNode<C> {
    /// Its title in the file, or its name.
    pub(super) fn title(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }

    /// All its slots: its own, and those of the leaves that are no children.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.slot.into_iter().chain(self.what.attachments().filter_map(|attachment| attachment.slot))
    }
}

impl<C: ?Sized> DynTree<C> {
    pub(super) fn build(
        checked: Checked,
        makers: &BTreeMap<String, Maker<C>>,
        capabilities: Capabilities<C>,
    ) -> Result<Self, Vec<Fault>> {
        let mut tree = Self {
            title: checked.title,
            header: checked.tree,
            nodes: Vec::with_capacity(checked.nodes.len()),
            children: Vec::new(),
            // A bit for each node says whether it is running.
            words: checked.nodes.len().div_ceil(64),
            slots: 0,
            capabilities,
            version: 0,
            structure: 0,
            before: Vec::new(),
            owners: Vec::new(),
        };
        let mut faults = Vec::new();
        for node in checked.nodes {
            let mut fault = |reason| faults.push(node.fault(reason));
            let mut properties = Properties::new(&node.properties);
            let what = what(&node.name, &node.word, &mut properties, makers);
            properties.faults.into_iter().for_each(&mut fault);
            let Some(mut what) = what else { continue };
            if matches!(
                what,
                NodeOp::Timeout(_) | NodeOp::Delay(_) | NodeOp::Cooldown(_) | NodeOp::Service(..) | NodeOp::Wait(_)
            ) && capabilities.now.is_none()
            {
                fault("it needs a clock: `Registry::with_clock`, over a context that is a `Clock`".to_owned());
            }
            if matches!(what, NodeOp::Random { .. }) && capabilities.chance.is_none() {
                fault("it needs chance: `Registry::with_random`, over a context that is `Random`".to_owned());
            }
            let from = number(tree.children.len());
            tree.children.extend(node.children.iter().map(|child| number(*child)));
            let word = number(tree.words);
            let slot = what.has_slot().then(|| number(tree.slots));
            tree.words += what.words(node.children.len());
            tree.slots += usize::from(slot.is_some());
            for attachment in what.attachments_mut().filter(|attachment| attachment.leaf.remembers()) {
                attachment.slot = Some(number(tree.slots));
                tree.slots += 1;
            }
            let children = from..number(tree.children.len());
            let properties = serde_json::Value::Object(node.properties).to_string();
            let spec = format!("{} {properties}", node.name);
            let more = serde_json::Value::Object(node.more).to_string();
            let file = FileNode { id: node.origin, name: node.name.clone(), properties, more };
            tree.nodes.push(DynNode {
                what,
                at: 0,
                children,
                word,
                slot,
                label: node.title,
                name: node.name,
                id: node.id,
                spec,
                file,
                is_own: matches!(node.word, Word::Own),
            });
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        tree.link_machines();
        tree.number(0);
        tree.version = tree.hash();
        tree.structure = tree.fingerprint();
        Ok(tree)
    }

    /// Assigns ids to a node and those below it, in pre-order; last to the leaves that are no children.
    fn number(&mut self, index: usize) {
        let next = |owners: &mut Vec<u32>, count: u32| {
            let at = number(owners.len());
            owners.extend(core::iter::repeat_n(number(index), count as usize));
            at
        };
        let node = &self.nodes[index];
        let (count, children) =
            (if let NodeOp::Leaf(leaf) = &node.what { leaf.count() } else { 1 }, node.children.clone());
        self.nodes[index].at = next(&mut self.owners, count);
        for child in children {
            self.number(self.children[child as usize] as usize);
        }
        for attachment in self.nodes[index].what.attachments_mut() {
            attachment.at = next(&mut self.owners, u32::from(attachment.negated) + attachment.leaf.count());
        }
    }

    /// A number for what the tree consists of. Never 0, which is no tree's.
    fn hash(&self) -> u64 {
        let mut hash = Fnv::new();
        for node in &self.nodes {
            for text in [&node.id, &node.spec] {
                hash.write(&number(text.len()).to_le_bytes());
                hash.write(text.as_bytes());
            }
            for child in self.children_of(node) {
                hash.write(&child.to_le_bytes());
            }
        }
        hash.finish().max(1)
    }

    /// Finds the states that transitions lead to, now that all are there.
    fn link_machines(&mut self) {
        for machine in 0..self.nodes.len() {
            if !matches!(self.nodes[machine].what, NodeOp::Machine { .. }) {
                continue;
            }
            let states: Vec<_> = self.children_of(&self.nodes[machine]).iter().map(|state| *state as usize).collect();
            let name = |state: &usize| match &self.nodes[*state].what {
                NodeOp::State { name, .. } => name.clone(),
                _ => String::new(),
            };
            let names: Vec<_> = states.iter().map(name).collect();
            for index in states.into_iter().chain([machine]) {
                if let NodeOp::Machine { any: transitions } | NodeOp::State { transitions, .. } =
                    &mut self.nodes[index].what
                {
                    for transition in transitions {
                        if let Some(to) = names.iter().position(|name| *name == transition.text.to) {
                            transition.to = Ok(to);
                        }
                    }
                }
            }
        }
    }

    /// Its title in the file.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The id that a node has in the file. The condition of a transition and the action of a service have that of the node that names them.
    pub fn file_id(&self, node: NodeId) -> Option<&str> {
        let owner = *self.owners.get(node.index())?;
        Some(self.nodes.get(owner as usize)?.id.as_str())
    }

    pub(super) fn children_of(&self, node: &DynNode<C>) -> &[u32] {
        &self.children[node.children.start as usize..node.children.end as usize]
    }

    fn show(&self, index: usize, visitor: &mut dyn Visitor) {
        let node = &self.nodes[index];
        let FileNode { id, name, properties, more } = &node.file;
        let is_leaf = node.children.is_empty();
        let title = node.label.as_deref();
        visitor.in_file(InFile { id, name, title, properties, more, is_own: node.is_own, is_leaf });
        if let NodeOp::Leaf(leaf) = &node.what {
            return leaf.describe(visitor);
        }
        if let NodeOp::Machine { any: transitions } | NodeOp::State { transitions, .. } = &node.what {
            for DynTransition { text, .. } in transitions {
                visitor.transition(&format!("{}", text.on), &text.to);
            }
        }
        node.what.enter(visitor);
        for child in self.children_of(node) {
            self.show(*child as usize, visitor);
        }
        node.what.attachments().for_each(|attachment| attachment.show(visitor));
        visitor.leave();
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn what<C: ?Sized>(
    name: &str,
    word: &Word,
    properties: &mut Properties<'_>,
    makers: &BTreeMap<String, Maker<C>>,
) -> Option<NodeOp<C>> {
    Some(match word {
        Word::Selector { remembers } => NodeOp::Sequential { selects: true, remembers: *remembers },
        Word::Sequence { remembers } => NodeOp::Sequential { selects: false, remembers: *remembers },
        Word::Random { selects, weights } => NodeOp::Random { selects: *selects, weights: weights.clone() },
        Word::Parallel { remembers, success, failure } => {
            NodeOp::Parallel { remembers: *remembers, success: (*success).max(1), failure: (*failure).max(1) }
        }
        Word::Invert => NodeOp::Invert,
        Word::ForceSuccess => NodeOp::Force(true),
        Word::ForceFailure => NodeOp::Force(false),
        Word::Repeat => NodeOp::Repeat,
        Word::RepeatTimes(times) => NodeOp::RepeatTimes(*times),
        Word::Retry(times) => NodeOp::Retry(*times),
        Word::UntilFailure => NodeOp::UntilFailure,
        Word::UntilSuccess => NodeOp::UntilSuccess { waits: false },
        Word::WaitUntil => NodeOp::UntilSuccess { waits: true },
        Word::Limit(runs) => NodeOp::Limit(*runs),
        Word::RunOnce => NodeOp::RunOnce,
        Word::Timeout(time) => NodeOp::Timeout(nanos(*time)),
        Word::Delay(time) => NodeOp::Delay(nanos(*time)),
        Word::Cooldown(time) => NodeOp::Cooldown(nanos(*time)),
        Word::Wait(time) => NodeOp::Wait(nanos(*time)),
        Word::Just(Ends::Success) => NodeOp::Just(Status::Success),
        Word::Just(Ends::Failure) => NodeOp::Just(Status::Failure),
        Word::Just(Ends::Running) => NodeOp::Just(Status::Running),
        Word::Just(Ends::Error) => NodeOp::Just(Status::Error),
        Word::Service(every, action) => {
            let leaf = plain_leaf(action, "action", properties, makers)?;
            NodeOp::Service(nanos(*every), action.clone(), Attachment::new(Role::Service, action, leaf, false))
        }
        Word::Machine { any } => NodeOp::Machine { any: transitions(any, properties, makers)? },
        Word::State { name, transitions: own, enter, exit } => {
            let mut hook = |role, word, leaf: &Option<String>| match leaf {
                Some(leaf) => {
                    Some(Some(Attachment::new(role, leaf, plain_leaf(leaf, word, properties, makers)?, false)))
                }
                None => Some(None),
            };
            let hooks = [hook(Role::Enter, "enter", enter)?, hook(Role::Exit, "exit", exit)?];
            NodeOp::State { name: name.clone(), transitions: transitions(own, properties, makers)?, hooks }
        }
        Word::Own => match makers.get(name)? {
            Maker::Leaf(make) => NodeOp::Leaf(make(properties)?),
            Maker::Decorator(make) => NodeOp::Policy(make(properties)?),
        },
    })
}

/// A registered leaf without properties, for the node owner_of properties these are.
fn plain_leaf<C: ?Sized>(
    name: &str,
    role: &str,
    properties: &mut Properties<'_>,
    makers: &BTreeMap<String, Maker<C>>,
) -> Option<AnyLeaf<C>> {
    let none = serde_json::Map::new();
    let mut own = Properties::new(&none);
    let leaf = match makers.get(name) {
        Some(Maker::Leaf(make)) => make(&mut own),
        _ => None,
    };
    properties.faults.extend(own.faults.into_iter().map(|fault| format!("its {role} `{name}`: {fault}")));
    leaf
}

/// Transitions owner_of conditions are registered leaves, without properties.
fn transitions<C: ?Sized>(
    transitions: &[Transition],
    properties: &mut Properties<'_>,
    makers: &BTreeMap<String, Maker<C>>,
) -> Option<Vec<DynTransition<C>>> {
    let transition = |text: &Transition| {
        let on = match &text.on {
            When::Success => DynWhen::Success,
            When::Failure => DynWhen::Failure,
            When::Leaf { name, negated } => DynWhen::Leaf(Attachment::new(
                Role::Guard,
                name,
                plain_leaf(name, "transition on", properties, makers)?,
                *negated,
            )),
        };
        // Where it leads to a state, that is found once all are there.
        let to = Err(if text.to == "success" { Status::Success } else { Status::Failure });
        Some(DynTransition { on, to, text: text.clone() })
    };
    transitions.iter().map(transition).collect()
}

impl<C: ?Sized> NodeOp<C> {
    fn enter(&self, visitor: &mut dyn Visitor) {
        let time = |time: &u64| Duration::from_nanos(*time);
        let mut show = |kind, name: &str, params: &[Param<'_>]| {
            visitor.enter(&Info { kind, name: Name::Known(name), can: Outcomes::ANY, params });
        };
        let (composite, decorator, action) = (Kind::Composite, Kind::Decorator, Kind::Action);
        match self {
            NodeOp::Machine { .. } => show(Kind::Machine, "machine", &[]),
            NodeOp::State { name, .. } => show(Kind::State, name, &[]),
            NodeOp::Sequential { selects, remembers } => show(composite, sequential(*selects, *remembers), &[]),
            NodeOp::Random { selects, weights } => {
                let weights = weights.as_ref().map(|weights| Param::new("weights", weights));
                let name = if *selects { "random_selector" } else { "random_sequence" };
                show(composite, name, weights.as_slice());
            }
            NodeOp::Parallel { remembers, success, failure } => {
                let name = if *remembers { "mem_parallel" } else { "parallel" };
                show(composite, name, &[Param::new("success", success), Param::new("failure", failure)]);
            }
            NodeOp::Invert => show(decorator, "invert", &[]),
            NodeOp::Force(success) => show(decorator, if *success { "force_success" } else { "force_failure" }, &[]),
            NodeOp::Repeat => show(decorator, "repeat", &[]),
            NodeOp::RepeatTimes(times) => show(decorator, "repeat", &[Param::new("times", times)]),
            NodeOp::Retry(times) => show(decorator, "retry", &[Param::new("times", times)]),
            NodeOp::UntilFailure => show(decorator, "until_failure", &[]),
            NodeOp::UntilSuccess { waits } => show(decorator, if *waits { "wait_until" } else { "until_success" }, &[]),
            NodeOp::Limit(runs) => show(decorator, "limit", &[Param::new("runs", runs)]),
            NodeOp::RunOnce => show(decorator, "run_once", &[]),
            NodeOp::Timeout(limit) => show(decorator, "timeout", &[Param::new("time", &time(limit))]),
            NodeOp::Delay(delay) => show(decorator, "delay", &[Param::new("time", &time(delay))]),
            NodeOp::Cooldown(cooldown) => show(decorator, "cooldown", &[Param::new("time", &time(cooldown))]),
            NodeOp::Service(every, leaf, _) => {
                let every = time(every);
                show(
                    decorator,
                    "service",
                    &[Param::new("every", &every), Param::new("action", &format_args!("{leaf}"))],
                );
            }
            NodeOp::Wait(wait) => show(action, "wait", &[Param::new("time", &time(wait))]),
            NodeOp::Just(Status::Success) => show(action, "succeed", &[]),
            NodeOp::Just(Status::Failure) => show(action, "fail", &[]),
            NodeOp::Just(Status::Running) => show(action, "run", &[]),
            NodeOp::Just(Status::Error) => show(action, "error", &[]),
            NodeOp::Policy(policy) => {
                visitor.state(policy.state());
                policy.params(&mut |params| {
                    let name = Name::Known(policy.name());
                    visitor.enter(&Info { kind: decorator, name, can: Outcomes::ANY, params });
                });
            }
            NodeOp::Leaf(_) => {}
        }
    }
}

const fn sequential(selects: bool, remembers: bool) -> &'static str {
    match (selects, remembers) {
        (true, false) => "selector",
        (true, true) => "mem_selector",
        (false, false) => "sequence",
        (false, true) => "mem_sequence",
    }
}

impl<C: ?Sized> core::fmt::Debug for DynTree<C> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("DynTree")
            .field("title", &self.title)
            .field("nodes", &self.owners.len())
            .finish_non_exhaustive()
    }
}

impl<C: ?Sized> NodeShape for DynTree<C> {
    type Open = ();
    type Kept = DynMemory;
    const CAN: Outcomes = Outcomes::ANY;
    const COUNT: Option<u32> = None;

    fn count(&self) -> u32 {
        number(self.owners.len())
    }

    fn shift_times(&self, _: Option<&mut ()>, kept: &mut DynMemory, by: Shift) {
        self.shift_memory(kept, by);
    }

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.show(0, visitor);
    }
}

impl<C: ?Sized> Node<C> for DynTree<C> {
    fn start<O: Observer>(&self, at: NodeId, kept: &mut DynMemory, visit: &mut Visit<'_, C, O>) -> Step<()> {
        Run::new(self, at, kept, false, visit).start().into()
    }

    fn resume<O: Observer>(
        &self,
        at: NodeId,
        (): &mut (),
        kept: &mut DynMemory,
        visit: &mut Visit<'_, C, O>,
    ) -> Step<()> {
        Run::new(self, at, kept, true, visit).resume().into()
    }

    fn interrupt<O: Observer>(&self, at: NodeId, (): &mut (), kept: &mut DynMemory, visit: &mut Visit<'_, C, O>) {
        Run::new(self, at, kept, true, visit).interrupt();
    }
}
