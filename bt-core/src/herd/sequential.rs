//! What a herd can do without the feature `rayon`: say what is missing.

use core::time::Duration;

use crate::herd::{AgentId, Herd, StatusCounts};
use crate::memory::Memory;
use crate::tree::Tree;

/// The feature `rayon`, which is not enabled.
#[diagnostic::on_unimplemented(
    message = "the parallel methods of `Herd` need the feature `rayon` of bt-core",
    label = "needs the feature `rayon`",
    note = "write `features = [\"rayon\"]` in the line of `bt-core` in Cargo.toml, or call the method without `par_`"
)]
pub trait Rayon {}

#[doc(hidden)]
impl<N: Tree> Herd<N> {
    /// Needs the feature `rayon`.
    pub fn par_tick_all<C>(&mut self, _: &mut [C]) -> StatusCounts
    where
        C: Rayon,
    {
        StatusCounts::default()
    }

    /// Needs the feature `rayon`.
    pub fn par_tick_due<C>(&mut self, _: Duration, _: &mut [C]) -> StatusCounts
    where
        C: Rayon,
    {
        StatusCounts::default()
    }

    /// Needs the feature `rayon`.
    pub fn par_for_each<S>(&mut self, _: &mut [S], _: impl Fn(AgentId, &N, &mut Memory<N>, &mut S))
    where
        S: Rayon,
    {
    }
}
