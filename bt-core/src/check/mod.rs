//! What can be wrong with a tree of which every word is right, found while the compiler evaluates constants.
//!
//! A node's type says what it can ever give ([`NodeShape::CAN`](crate::NodeShape::CAN)), through any number of subtree functions. From that follows
//! what can never happen: a child that is never ticked, a loop that nothing ends. Where a node stands in a [`tree!`](crate::tree!), the
//! expansion has a constant that looks for it, with the node's own span; so the error points at the node. Constants are evaluated when
//! code is generated: by `cargo build`, `test` or `run`, not by `cargo check`.
//!
//! | name | what is wrong |
//! |---|---|
//! | `unreachable` | a child that can never run, since one before it never lets the tick pass; a state or a transition of a machine that nothing leads to |
//! | `endless` | `until_failure` of what never fails, `until_success` and `wait_until` of what never succeeds |
//! | `pointless` | a decorator without anything to do: `timeout` around what never runs on, `retry` of what never fails, `invert` of what never ends |
//! | `threshold` | a threshold written in a `parallel` that its children can never reach |
//!
//! `#[allow(name)]` before the node says that it is meant. `#[expect(name)]` says so too, and is an error where nothing is wrong:
//!
//! ```
//! # use bt_core::prelude::*;
//! # fn patrol(_: &mut ()) -> Status { Status::Running }
//! # fn dream(_: &mut ()) {}
//! let tree = tree! { for (): selector { dream, #[expect(unreachable)] patrol } };
//! # tree.tick(&mut (), &mut tree.memory());
//! ```
//!
//! ```compile_fail
//! # use bt_core::prelude::*;
//! # fn patrol(_: &mut ()) -> Status { Status::Running }
//! # fn dream(_: &mut ()) {}
//! let tree = tree! { for (): selector { dream, patrol } }; // `dream` never fails
//! # tree.tick(&mut (), &mut tree.memory());
//! ```
//!
//! The compiler reports the first such mistake of each `tree!`, since evaluation of a constant ends there. A tree in a generic function is checked for each type that
//! it is made for. What depends on a parameter of the function is not reported there, since its user cannot change it:
//!
//! ```
//! # use bt_core::prelude::*;
//! fn stubborn<C, N: Node<C>>(child: N) -> impl Node<C> { tree! { retry(3) { child } } }
//!
//! let tree = tree! { for (): sequence { stubborn(succeed()), stubborn(fail()) } };
//! # tree.tick(&mut (), &mut tree.memory());
//! ```
//!
//! A leaf depends on a parameter if its type does not follow without one: whether it is `Unpin` is not known. A guard of a machine is
//! checked all the same. A tree that uses the function knows what it gives there.
//!
//! Nothing is known of an erased node ([`BoxNode`](crate::BoxNode)): it may give anything. A function that answers
//! [`Status`](crate::Status) may give anything too; `bool`, `()` and the like say more. Your own decorators take part through
//! [`DecoratorShape::STATUSES`](crate::decorator::DecoratorShape::STATUSES) and [`REQUIRES`](crate::decorator::DecoratorShape::REQUIRES), your own
//! leaves through [`LeafShape::CAN`](crate::leaf::LeafShape::CAN).

mod facts;
mod lints;
mod machine_site;
mod parameter;
mod reach;
mod site;
pub(crate) mod text;
mod transitions;

pub(crate) use facts::{Below, Unreachable};
#[doc(hidden)]
pub use facts::{ChildFacts, Facts, Reach, StateFacts, StateListFacts};
pub(crate) use lints::LintDetail;
#[doc(hidden)]
pub use lints::Lints;
pub use lints::{Lint, Requirement};
#[doc(hidden)]
pub use machine_site::{any_transition, hook, state, transition};
#[doc(hidden)]
pub use parameter::{Parametric, Written};
#[doc(hidden)]
pub use site::{CheckedSource, TreeType, child, facts, leaf_at, located, root};
#[doc(hidden)]
pub use transitions::{Target, TransitionFacts, TransitionList};
