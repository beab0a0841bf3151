//! The items that the other packages of the same version are built on. Not part of the public interface: they change without notice, and all packages
//! have one version.
//!
//! `cargo doc -p bt-core --all-features -- --document-hidden-items` shows this page. Each group has its callers, its purpose and the rule that a caller
//! follows. A caller that breaks a rule makes the two engines differ, which the conformance tests find.
//!
//! | items | called by | purpose | rule |
//! |---|---|---|---|
//! | [`MachineParts`], [`Visited`], [`stays`] | bt-dynamic (`engine/machine`, `visit`, `wake`) | A loaded machine consists of these parts; the provided methods are the rule of all machines. | Implement only the required methods. Call `tick` with `opening` exactly if the machine is not running. |
//! | [`tick_decorator`], [`DecoratorParts`], [`Then`], [`gate`], [`after`], [`goes_on`] | bt-dynamic (`engine/decorator`, `policy`, `wake`) | A loaded decorator consists of these parts; the function is the rule of all decorators. | `may_restart` stops a loop whose child always ends at once. |
//! | [`FinallyParts`], [`FinallyPhase`], [`any_left`] | bt-dynamic (`engine/finally`, `flat/cleanups`) | A loaded `finally` consists of these parts; the provided methods are its rule. | Call `tick` with `opening` exactly if the node is not running. |
//! | [`tick_composite`], [`foresee_in_order`], [`no_marks`] | bt-dynamic (`rule`, `wake`, `engine/composite`) | The rules of composites over the children of a loaded node. | The children of a rule are in the order of their ids. `no_marks` is called when a rule without marks marks a child. |
//! | [`serve`], [`Served`], [`Counted`], [`Length`], [`Moment`], [`Until`], [`fault`] | bt-dynamic (`engine/timed`, `op`, `maker`, `packed`, `wake`, `walk`) | Services, counts and times, as in `tree!`. | A moment is a time of the context's clock. It is stored as it is, and converted only by a walk with a `Shift`. |
//! | [`enter`], [`leave`], [`explain`], [`received`] | bt-dynamic (in `engine/`) | The only functions that report the events of a visit. | Each `enter` has one `leave` with the same id. Without an observer they do nothing, except for errors in debug builds. |
//! | [`DynObserver`], [`WithDyn`], [`IfAny`], [`as_dyn`] | bt-dynamic (`leaf`, `run`, `visit`) | A leaf whose type is erased, and its observer. | Pass `None` without an observer. A leaf with nodes below it is then ticked with `()`; any other is compiled once, for `IfAny`. |
//! | [`ErasedState`], [`State`], [`parts_to_value`], [`load_parts`], [`KeptState`] | bt-dynamic (`leaf`, `leaf_state`, `memory`, `policy`, `rule`, `walk`, …) | The states of the user's own nodes in the memory of a loaded tree. | A state that was loaded is read when its node is next used; if it cannot be read, it counts as new. |
//! | [`Ticking`], [`parts`], [`parts_mut`] | bt-dynamic, bt-explore (`key`) | The two parts of a memory. | Code that runs leaves goes through `Ticking`: after a panic no node is running. |
//! | [`check_stated`], [`is_checked`] | bt-dynamic (`engine/composite`, `engine/decorator`, `rule`, `policy`) | The panic of debug builds for a node that returns what it does not state. | Call it with the statuses that an observer cannot have replaced. |
//! | [`Due`], [`is_identifier`] | bt-bevy, bt-inspector | The time when an agent is due, as herds store it; the check of a name. | |
//! | [`policy_of`], [`rule_of`], [`unsaved_node`], [`Facts`] | bt-dynamic (`compiled/`) | The compiled parts of a live tree. | |
//! | [`edits`], [`versions`], [`count_edit`], [`count_replaced`], [`follow`], [`described`] | bt-dynamic, bt-inspector | Observers follow trees that are edited or replaced. | `count_edit` is called after each edit of a tree that follows its source, `count_replaced` after a tree was replaced. |
//! | [`Nodes`], [`compare`] | bt-dynamic (`matching`) | The matching of two trees. | Nodes are in pre-order. |
//! | [`description`], [`Fnv`] | bt-btcpp, bt-dynamic, bt-explore | A description from nodes; a hash that is the same on every platform. | Nodes are in pre-order, with ids from 0. |

pub use crate::argument::fault;
pub use crate::clock::{Length, Moment, Until};
pub use crate::composite::{FinallyParts, FinallyPhase, foresee_in_order, no_marks, tick_composite};
pub use crate::decorator::{Counted, DecoratorParts, Served, Then, after, gate, goes_on, serve, tick_decorator};
#[cfg(feature = "alloc")]
pub use crate::describe::{Nodes, compare};
#[cfg(feature = "std")]
pub use crate::edits::{count_edit, count_replaced, follow};
pub use crate::edits::{edits, versions};
#[cfg(feature = "serde")]
pub use crate::erased::{ErasedState, State, load_parts, parts_to_value};
pub use crate::facts::Facts;
pub use crate::hash::Fnv;
pub use crate::machine::{MachineParts, Visited, stays};
pub use crate::memory::Ticking;
#[cfg(feature = "alloc")]
pub use crate::observe::{DynObserver, IfAny, WithDyn, as_dyn};
#[cfg(feature = "alloc")]
pub use crate::schedule::Due;
pub use crate::stated::{check_stated, is_checked};
pub use crate::visit::{enter, explain, leave, received};
pub use crate::walk::{KeptState, any_left};
#[cfg(feature = "alloc")]
pub use bt_words::is_identifier;

use crate::memory::Memory;
use crate::node::NodeShape;

/// Returns the two parts of a memory: open and kept state.
pub const fn parts<N: NodeShape + ?Sized>(memory: &Memory<N>) -> (&Option<N::Open>, &N::Kept) {
    (&memory.open, &memory.kept)
}

/// Returns the two parts of a memory for mutation: open and kept state.
pub const fn parts_mut<N: NodeShape + ?Sized>(memory: &mut Memory<N>) -> (&mut Option<N::Open>, &mut N::Kept) {
    (&mut memory.open, &mut memory.kept)
}

/// Returns the policy of a decorator.
pub fn policy_of<P, N>(decorated: crate::decorator::Decorated<P, N>) -> P {
    decorated.policy
}

/// Returns the rule of a composite.
pub fn rule_of<R, L>(composed: crate::composite::Composed<R, L>) -> R {
    composed.rule
}

/// Returns a node as one whose state is not part of saves.
#[cfg(feature = "serde")]
pub const fn unsaved_node<N>(node: N) -> crate::leaf::Unsaved<N> {
    crate::leaf::Unsaved(node)
}

/// Returns the description and the fingerprint of the tree that this function describes.
#[cfg(feature = "alloc")]
pub fn described(describe: &dyn Fn(&mut dyn crate::describe::Visitor)) -> (crate::describe::Description, u64) {
    (crate::describe::Description::by(describe), crate::describe::fingerprint_by(describe))
}

/// Creates a description from nodes in pre-order.
#[cfg(feature = "alloc")]
pub const fn description(nodes: alloc::vec::Vec<crate::describe::Described>) -> crate::describe::Description {
    crate::describe::Description::from_nodes(nodes)
}
