//! Time belongs to the context, so that tests and simulations are deterministic.

use core::time::Duration;

/// A context that knows the time. Needed by `wait`, `timeout`, `delay` and `cooldown`.
///
/// The origin is yours (start of the game, the Unix epoch); only differences count. Time should not run backwards; where it does,
/// no time has passed.
///
/// ```
/// use bt_core::prelude::*;
///
/// struct Npc { now: Duration }
///
/// impl Clock for Npc {
///     fn now(&self) -> Duration { self.now }
/// }
///
/// let tree = tree! { for Npc: wait(millis(500)) };
/// let mut memory = tree.memory();
/// let mut npc = Npc { now: secs(10) };
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Running);
/// npc.now += millis(500);
/// assert_eq!(tree.tick(&mut npc, &mut memory), Status::Success);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no clock",
    label = "needs a context that knows the time",
    note = "write `impl Clock for {Self} {{ fn now(&self) -> Duration {{ … }} }}`: the context owns the clock, so that tests can set it"
)]
pub trait Clock {
    /// The time since an origin of your choice.
    fn now(&self) -> Duration;
}

/// So many milliseconds, as in `wait(millis(500))`.
pub const fn millis(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// So many seconds, as in `timeout(secs(5))`.
pub const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}
