//! A loaded tree: its nodes in pre-order.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Weak;
use alloc::vec::Vec;
use core::ops::Range;
use core::time::Duration;

use bt_behavior3::{Arrow, Checked, Ends, Fault, TreeSpec, When, Word};

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
use crate::node::{Node, Shape, Visit};
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
    pub(super) powers: Powers<C>,
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
pub(super) struct Powers<C: ?Sized> {
    pub(super) now: Option<fn(&C) -> u64>,
    pub(super) chance: Option<fn(&mut C) -> u64>,
    pub(super) on_error: Option<fn(&mut C, NodeId, RunError)>,
}

impl<C: ?Sized> Clone for Powers<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: ?Sized> Copy for Powers<C> {}

/// A node of a loaded tree.
pub(super) struct DynNode<C: ?Sized> {
    pub(super) what: What<C>,
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
pub(super) enum What<C: ?Sized> {
    /// Selectors let failures pass, sequences successes.
    InARow {
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
    Service(u64, String, Aside<C>),
    Wait(u64),
    Machine {
        any: Vec<DynArrow<C>>,
    },
    State {
        name: String,
        arrows: Vec<DynArrow<C>>,
        /// What is done on entering and on leaving it.
        hooks: Hooks<C>,
    },
    Just(Status),
    Leaf(AnyLeaf<C>),
    Policy(AnyPolicy<C>),
}

/// What is done on entering a state, and on leaving it: by [`Edge`](crate::machine::Edge).
pub(super) type Hooks<C> = [Option<Aside<C>>; 2];

/// An arrow of a machine.
pub(super) struct DynArrow<C: ?Sized> {
    pub(super) on: DynWhen<C>,
    /// The index of the state it leads to, or the status with which it leads out.
    pub(super) to: Result<usize, Status>,
    /// As it is written.
    text: Arrow,
}

/// When an arrow may be followed.
pub(super) enum DynWhen<C: ?Sized> {
    Success,
    Failure,
    Leaf(Aside<C>),
}

/// A leaf that is no child: the condition of an arrow, what is done on entering or leaving a state, the action of a service.
pub(super) struct Aside<C: ?Sized> {
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

impl<C: ?Sized> Aside<C> {
    fn new(role: Role, name: &str, leaf: AnyLeaf<C>, negated: bool) -> Self {
        Self { role, name: name.to_owned(), leaf, negated, at: 0, slot: None }
    }

    fn show(&self, visitor: &mut dyn Visitor) {
        visitor.role(self.role);
        if !self.negated {
            visitor.registered(&self.name);
            return self.leaf.describe(visitor);
        }
        What::<C>::Invert.enter(visitor);
        visitor.registered(&self.name);
        self.leaf.describe(visitor);
        visitor.leave();
    }
}

/// The leaves of a node that are no children, shared or exclusive.
macro_rules! asides {
    ($what:expr, $iter:ident $(, $mut:tt)?) => {{
        let (action, arrows, hooks): (_, &$($mut)? [DynArrow<C>], &$($mut)? [_]) = match $what {
            What::Service(_, _, action) => (Some(action), &$($mut)? [], &$($mut)? []),
            What::Machine { any: arrows } => (None, arrows, &$($mut)? []),
            What::State { arrows, hooks, .. } => (None, arrows, hooks),
            _ => (None, &$($mut)? [], &$($mut)? []),
        };
        let conditions = arrows.$iter().filter_map(|arrow| match &$($mut)? arrow.on {
            DynWhen::Leaf(condition) => Some(condition),
            DynWhen::Success | DynWhen::Failure => None,
        });
        action.into_iter().chain(conditions).chain(hooks.$iter().flatten())
    }};
}

impl<C: ?Sized> What<C> {
    /// How many words it needs.
    pub(super) fn words(&self, children: usize) -> usize {
        match self {
            What::Random { .. } => children.div_ceil(64),
            What::Parallel { remembers: true, .. } => children.div_ceil(32),
            What::RepeatTimes(_) | What::Retry(_) | What::Limit(_) | What::RunOnce | What::Machine { .. } => 1,
            What::Timeout(_) | What::Delay(_) | What::Cooldown(_) | What::Service(..) | What::Wait(_) => 1,
            _ => 0,
        }
    }

    fn has_slot(&self) -> bool {
        match self {
            What::Leaf(leaf) => leaf.remembers(),
            What::Policy(_) => true,
            _ => false,
        }
    }

    /// The leaves that are no children, in the order of their ids.
    pub(super) fn asides(&self) -> impl Iterator<Item = &Aside<C>> {
        asides!(self, iter)
    }

    fn asides_mut(&mut self) -> impl Iterator<Item = &mut Aside<C>> {
        asides!(self, iter_mut, mut)
    }
}

impl<C: ?Sized> DynNode<C> {
    /// Its title in the file, or its name.
    pub(super) fn title(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }

    /// All its slots: its own, and those of the leaves that are no children.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.slot.into_iter().chain(self.what.asides().filter_map(|aside| aside.slot))
    }
}

impl<C: ?Sized> DynTree<C> {
    pub(super) fn build(
        checked: Checked,
        makers: &BTreeMap<String, Maker<C>>,
        powers: Powers<C>,
    ) -> Result<Self, Vec<Fault>> {
        let mut tree = Self {
            title: checked.title,
            header: checked.tree,
            nodes: Vec::with_capacity(checked.nodes.len()),
            children: Vec::new(),
            // A bit for each node says whether it is running.
            words: checked.nodes.len().div_ceil(64),
            slots: 0,
            powers,
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
            if matches!(what, What::Timeout(_) | What::Delay(_) | What::Cooldown(_) | What::Service(..) | What::Wait(_))
                && powers.now.is_none()
            {
                fault("it needs a clock: `Registry::with_clock`, over a context that is a `Clock`".to_owned());
            }
            if matches!(what, What::Random { .. }) && powers.chance.is_none() {
                fault("it needs chance: `Registry::with_random`, over a context that is `Random`".to_owned());
            }
            let from = number(tree.children.len());
            tree.children.extend(node.children.iter().map(|child| number(*child)));
            let word = number(tree.words);
            let slot = what.has_slot().then(|| number(tree.slots));
            tree.words += what.words(node.children.len());
            tree.slots += usize::from(slot.is_some());
            for aside in what.asides_mut().filter(|aside| aside.leaf.remembers()) {
                aside.slot = Some(number(tree.slots));
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
            (if let What::Leaf(leaf) = &node.what { leaf.count() } else { 1 }, node.children.clone());
        self.nodes[index].at = next(&mut self.owners, count);
        for child in children {
            self.number(self.children[child as usize] as usize);
        }
        for aside in self.nodes[index].what.asides_mut() {
            aside.at = next(&mut self.owners, u32::from(aside.negated) + aside.leaf.count());
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

    /// Finds the states that arrows lead to, now that all are there.
    fn link_machines(&mut self) {
        for machine in 0..self.nodes.len() {
            if !matches!(self.nodes[machine].what, What::Machine { .. }) {
                continue;
            }
            let states: Vec<_> = self.children_of(&self.nodes[machine]).iter().map(|state| *state as usize).collect();
            let name = |state: &usize| match &self.nodes[*state].what {
                What::State { name, .. } => name.clone(),
                _ => String::new(),
            };
            let names: Vec<_> = states.iter().map(name).collect();
            for index in states.into_iter().chain([machine]) {
                if let What::Machine { any: arrows } | What::State { arrows, .. } = &mut self.nodes[index].what {
                    for arrow in arrows {
                        if let Some(to) = names.iter().position(|name| *name == arrow.text.to) {
                            arrow.to = Ok(to);
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

    /// The id that a node has in the file. The condition of an arrow and the action of a service have that of the node that names them.
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
        if let What::Leaf(leaf) = &node.what {
            return leaf.describe(visitor);
        }
        if let What::Machine { any: arrows } | What::State { arrows, .. } = &node.what {
            for DynArrow { text, .. } in arrows {
                visitor.arrow(&format!("{}", text.on), &text.to);
            }
        }
        node.what.enter(visitor);
        for child in self.children_of(node) {
            self.show(*child as usize, visitor);
        }
        node.what.asides().for_each(|aside| aside.show(visitor));
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
) -> Option<What<C>> {
    Some(match word {
        Word::Selector { remembers } => What::InARow { selects: true, remembers: *remembers },
        Word::Sequence { remembers } => What::InARow { selects: false, remembers: *remembers },
        Word::Random { selects, weights } => What::Random { selects: *selects, weights: weights.clone() },
        Word::Parallel { remembers, success, failure } => {
            What::Parallel { remembers: *remembers, success: (*success).max(1), failure: (*failure).max(1) }
        }
        Word::Invert => What::Invert,
        Word::ForceSuccess => What::Force(true),
        Word::ForceFailure => What::Force(false),
        Word::Repeat => What::Repeat,
        Word::RepeatTimes(times) => What::RepeatTimes(*times),
        Word::Retry(times) => What::Retry(*times),
        Word::UntilFailure => What::UntilFailure,
        Word::UntilSuccess => What::UntilSuccess { waits: false },
        Word::WaitUntil => What::UntilSuccess { waits: true },
        Word::Limit(runs) => What::Limit(*runs),
        Word::RunOnce => What::RunOnce,
        Word::Timeout(time) => What::Timeout(nanos(*time)),
        Word::Delay(time) => What::Delay(nanos(*time)),
        Word::Cooldown(time) => What::Cooldown(nanos(*time)),
        Word::Wait(time) => What::Wait(nanos(*time)),
        Word::Just(Ends::Success) => What::Just(Status::Success),
        Word::Just(Ends::Failure) => What::Just(Status::Failure),
        Word::Just(Ends::Running) => What::Just(Status::Running),
        Word::Just(Ends::Error) => What::Just(Status::Error),
        Word::Service(every, action) => {
            let leaf = plain_leaf(action, "action", properties, makers)?;
            What::Service(nanos(*every), action.clone(), Aside::new(Role::Service, action, leaf, false))
        }
        Word::Machine { any } => What::Machine { any: arrows(any, properties, makers)? },
        Word::State { name, arrows: own, enter, exit } => {
            let mut hook = |role, word, leaf: &Option<String>| match leaf {
                Some(leaf) => Some(Some(Aside::new(role, leaf, plain_leaf(leaf, word, properties, makers)?, false))),
                None => Some(None),
            };
            let hooks = [hook(Role::Enter, "enter", enter)?, hook(Role::Exit, "exit", exit)?];
            What::State { name: name.clone(), arrows: arrows(own, properties, makers)?, hooks }
        }
        Word::Own => match makers.get(name)? {
            Maker::Leaf(make) => What::Leaf(make(properties)?),
            Maker::Decorator(make) => What::Policy(make(properties)?),
        },
    })
}

/// A registered leaf without properties, for the node whose properties these are.
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

/// Arrows whose conditions are registered leaves, without properties.
fn arrows<C: ?Sized>(
    arrows: &[Arrow],
    properties: &mut Properties<'_>,
    makers: &BTreeMap<String, Maker<C>>,
) -> Option<Vec<DynArrow<C>>> {
    let arrow = |text: &Arrow| {
        let on = match &text.on {
            When::Success => DynWhen::Success,
            When::Failure => DynWhen::Failure,
            When::Leaf { name, negated } => DynWhen::Leaf(Aside::new(
                Role::Guard,
                name,
                plain_leaf(name, "arrow on", properties, makers)?,
                *negated,
            )),
        };
        // Where it leads to a state, that is found once all are there.
        let to = Err(if text.to == "success" { Status::Success } else { Status::Failure });
        Some(DynArrow { on, to, text: text.clone() })
    };
    arrows.iter().map(arrow).collect()
}

impl<C: ?Sized> What<C> {
    fn enter(&self, visitor: &mut dyn Visitor) {
        let time = |time: &u64| Duration::from_nanos(*time);
        let mut show = |kind, name: &str, params: &[Param<'_>]| {
            visitor.enter(&Info { kind, name: Name::Known(name), can: Outcomes::ANY, params });
        };
        let (composite, decorator, action) = (Kind::Composite, Kind::Decorator, Kind::Action);
        match self {
            What::Machine { .. } => show(Kind::Machine, "machine", &[]),
            What::State { name, .. } => show(Kind::State, name, &[]),
            What::InARow { selects, remembers } => show(composite, in_a_row(*selects, *remembers), &[]),
            What::Random { selects, weights } => {
                let weights = weights.as_ref().map(|weights| Param::new("weights", weights));
                let name = if *selects { "random_selector" } else { "random_sequence" };
                show(composite, name, weights.as_slice());
            }
            What::Parallel { remembers, success, failure } => {
                let name = if *remembers { "mem_parallel" } else { "parallel" };
                show(composite, name, &[Param::new("success", success), Param::new("failure", failure)]);
            }
            What::Invert => show(decorator, "invert", &[]),
            What::Force(success) => show(decorator, if *success { "force_success" } else { "force_failure" }, &[]),
            What::Repeat => show(decorator, "repeat", &[]),
            What::RepeatTimes(times) => show(decorator, "repeat", &[Param::new("times", times)]),
            What::Retry(times) => show(decorator, "retry", &[Param::new("times", times)]),
            What::UntilFailure => show(decorator, "until_failure", &[]),
            What::UntilSuccess { waits } => show(decorator, if *waits { "wait_until" } else { "until_success" }, &[]),
            What::Limit(runs) => show(decorator, "limit", &[Param::new("runs", runs)]),
            What::RunOnce => show(decorator, "run_once", &[]),
            What::Timeout(limit) => show(decorator, "timeout", &[Param::new("time", &time(limit))]),
            What::Delay(delay) => show(decorator, "delay", &[Param::new("time", &time(delay))]),
            What::Cooldown(cooldown) => show(decorator, "cooldown", &[Param::new("time", &time(cooldown))]),
            What::Service(every, leaf, _) => {
                let every = time(every);
                show(
                    decorator,
                    "service",
                    &[Param::new("every", &every), Param::new("action", &format_args!("{leaf}"))],
                );
            }
            What::Wait(wait) => show(action, "wait", &[Param::new("time", &time(wait))]),
            What::Just(Status::Success) => show(action, "succeed", &[]),
            What::Just(Status::Failure) => show(action, "fail", &[]),
            What::Just(Status::Running) => show(action, "run", &[]),
            What::Just(Status::Error) => show(action, "error", &[]),
            What::Policy(policy) => {
                visitor.state(policy.state());
                policy.params(&mut |params| {
                    let name = Name::Known(policy.name());
                    visitor.enter(&Info { kind: decorator, name, can: Outcomes::ANY, params });
                });
            }
            What::Leaf(_) => {}
        }
    }
}

const fn in_a_row(selects: bool, remembers: bool) -> &'static str {
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

impl<C: ?Sized> Shape for DynTree<C> {
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
