//! Which contexts can be explored.

use std::hash::Hash;

/// A context that can be explored: any type that is `Clone` and `Hash`. `M` is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be explored: a context needs `Clone` and `Hash`",
    label = "expected a context that is `Clone` and `Hash`, found `{Self}`",
    note = "the states of an exploration are copies of the context, which are distinguished by their hashes",
    note = "help: a tree over any context is explored without it: `explore(free_tree(&tree)?, FreeContext::default())`, or with a model of some leaves: `explore(model_tree(&tree, registry)?, model)`"
)]
pub trait Explorable<M>: Clone + Hash {}

impl<T: Clone + Hash> Explorable<by::Copies> for T {}

// Without another implementation, the compiler reports what is missing for the first one, one by one, and not the message above.
impl<T: by::Nothing + Clone + Hash> Explorable<by::Nobody> for T {}

/// A marker that distinguishes the implementations.
mod by {
    #[derive(Debug)]
    pub struct Copies;
    #[derive(Debug)]
    pub struct Nobody;
    pub trait Nothing {}
}
