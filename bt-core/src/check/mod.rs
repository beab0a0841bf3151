//! Checks of a syntactically valid tree while the compiler evaluates constants.
//!
//! The type of a node determines the statuses that it can return ([`NodeShape::RETURNS`](crate::NodeShape::RETURNS)), through any number of subtree functions.
//! The checks find what can never happen: a child that is never ticked, a loop that never ends. The expansion of [`tree!`](crate::tree!) contains a
//! constant for the checks of each node, with the span of the node, so the error points at the node. Constants are evaluated when code is generated:
//! by `cargo build`, `test` or `run`, not by `cargo check`.
//!
//! | name | mistake |
//! |---|---|
//! | `unreachable` | a child that is never ticked, because a child before it always stops the composite; a state of a machine that is never entered; a transition that is never followed; the node of a state that is always left before the node is ticked |
//! | `endless` | `until_failure` with a child that never fails; `until_success` or `wait_until` with a child that never succeeds |
//! | `pointless` | a decorator without effect, or a loop that never repeats: `timeout` with a child that never returns `Running`, `retry` with a child that never fails, `invert` with a child that never ends; a literal number with which the child is never started (again): `limit(0)`, `retry(1)` |
//! | `threshold` | a threshold of a `parallel` that its children can never reach |
//!
//! `#[allow(name)]` before the node allows the mistake. `#[expect(name)]` allows it too, and is an error if it is unused:
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
//! The compiler reports only the first mistake of each `tree!`, since the evaluation of a constant ends there. A tree in a generic function is checked
//! for each type that the function is used with. A mistake that depends on a parameter of the function is not reported, since the function's user
//! cannot fix it:
//!
//! ```
//! # use bt_core::prelude::*;
//! fn stubborn<C, N: Node<C>>(child: N) -> impl Node<C> { tree! { retry(3) { child } } }
//!
//! let tree = tree! { for (): sequence { stubborn(succeed()), stubborn(fail()) } };
//! # tree.tick(&mut (), &mut tree.memory());
//! ```
//!
//! A leaf depends on a parameter if the compiler cannot determine without the parameter whether the leaf's type is `Unpin`. The condition of a
//! transition is always checked. A tree that uses the function is checked with the statuses of that use.
//!
//! The checks are functions of [`bt_words::analysis`], which also check loaded trees. There, mistakes are warnings.
//!
//! An erased node ([`BoxNode`](crate::BoxNode)) can return any status, and so can a function that returns [`Status`](crate::Status); `bool`, `()` and
//! similar types are more precise. Custom decorators declare their statuses with
//! [`DecoratorShape::RETURNS`](crate::decorator::DecoratorShape::RETURNS) and [`REQUIRES`](crate::decorator::DecoratorShape::REQUIRES), custom
//! leaves with [`LeafShape::RETURNS`](crate::leaf::LeafShape::RETURNS).

mod lifetime;
mod machine_site;
mod parameter;
mod report;
mod site;

#[doc(hidden)]
pub use crate::facts::Facts;
pub use crate::facts::Requirement;
pub use bt_words::Lint;

#[doc(hidden)]
pub use lifetime::{Family, OverEvery, OverFamily, OverOne, OverOneBox, OverOneFunction};
#[doc(hidden)]
pub use machine_site::{any_transition, hook, state, transition};
#[doc(hidden)]
pub use parameter::{Parametric, Written};
#[cfg(feature = "json")]
pub(crate) use report::stop;
#[doc(hidden)]
pub use site::{CheckedSource, TreeType, child, facts, leaf_at, located, own_child, root};
