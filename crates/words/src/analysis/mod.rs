//! Computes the statuses that a tree can return, and the nodes that can never run. The constants of a `tree!` and the loader call the same functions.
//!
//! [`Facts`] about a node are the statuses that it can return, its mistakes ([`Lints`]), and the facts about the nodes below it. They follow from the
//! facts about its children: for a composite by [`Returns::facts`](crate::Returns::facts), for a decorator by [`Facts::above`], for a machine by
//! [`Reach::new`]. A [`Finding`] is a mistake with the details for its message.
//!
//! ```
//! use bt_words::analysis::{ChildFacts, Facts, Form};
//! use bt_words::{Outcomes, Word};
//!
//! let (succeed, condition) = (Facts::leaf(Outcomes::SUCCESS), Facts::leaf(Outcomes::SUCCESS.or(Outcomes::FAILURE)));
//! let children = [&condition, &succeed, &condition];
//! let facts = Word::Selector.row().facts(ChildFacts::These(&children));
//! assert_eq!(facts.returns, Outcomes::SUCCESS);
//! let finding = facts.unreachable(2).unwrap();
//! assert_eq!(
//!     finding.message(Form::File).as_str(),
//!     "unreachable node; note: the child before it only returns `Success`, and `selector` continues only after `Failure`; \
//!      help: move or remove one of them, or set the property `allow` of this node to `unreachable`"
//! );
//! ```

mod decorators;
mod facts;
mod finding;
mod lints;
mod message;
pub mod must_end;
mod numbers;
mod parallel;
mod reach;
mod returns;
mod transitions;
mod unreachable;

pub use crate::requirement::Requirement;
pub use decorators::Given;
pub use facts::{Below, ChildFacts, Facts, Reach, StateFacts, StateListFacts};
pub use finding::{Finding, Form};
pub use lints::Lints;
pub use message::Message;
pub use transitions::{Target, TransitionFacts, TransitionList};
pub use unreachable::Unreachable;
