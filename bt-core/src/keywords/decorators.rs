//! The keywords of decorators.

use core::time::Duration;

use crate::decorator::{
    Cooldown, Delay, Force, Invert, Limit, Repeat, RepeatTimes, Retry, RunOnce, Service, Timeout, Times, UntilFailure,
    UntilSuccess, WaitUntil,
};

/// Success becomes failure, failure success. `!x` is `invert { x }`.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: sequence { !|asleep: &bool| *asleep, invert { fail } } };
/// assert_eq!(tree.tick(&mut false, &mut tree.memory()), Status::Success);
/// ```
pub const fn invert() -> Invert {
    Invert
}

/// Success and failure become success. (The Succeeder of "An Introduction to Behavior Trees, part 3" swallows `Running` and `Error` too: see
/// [`Decorator::running`](crate::Decorator::running). What files call `Succeeder` is the leaf [`succeed`](crate::succeed).)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): force_success { fail } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Success);
/// ```
pub const fn force_success() -> Force<true> {
    Force
}

/// Success and failure become failure. (Behavior3's Failer.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): force_failure { succeed } };
/// assert_eq!(tree.tick(&mut (), &mut tree.memory()), Status::Failure);
/// ```
pub const fn force_failure() -> Force<false> {
    Force
}

/// Without a number: starts its child again and again, at most once per tick, and never ends by itself.
///
/// With one, `repeat(3)`: see [`repeat_times`].
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: repeat { |n: &mut u32| *n += 1 } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(n, 2);
/// ```
pub const fn repeat() -> Repeat {
    Repeat
}

/// `repeat(3)`: starts its child until it has ended three times, whether by success or failure, then succeeds.
///
/// Goes on within the tick while the child ends at once. `repeat(0)` succeeds without it. (Behavior3's Repeater.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: repeat(3) { |n: &mut u32| *n += 1 } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 3);
/// ```
pub const fn repeat_times<T: Times>(times: T) -> RepeatTimes<T> {
    RepeatTimes { times }
}

/// `retry(3)`: starts its child until it succeeds, at most three times, then fails.
///
/// Goes on within the tick while the child fails at once. `retry(0)` fails without it.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: retry(5) { |n: &mut u32| { *n += 1; *n == 3 } } };
/// let mut n = 0;
/// assert_eq!(tree.tick(&mut n, &mut tree.memory()), Status::Success);
/// assert_eq!(n, 3);
/// ```
pub const fn retry<T: Times>(times: T) -> Retry<T> {
    Retry { times }
}

/// Starts its child again, at most once per tick, until it fails; then succeeds. (Behavior3's RepeatUntilFailure.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: until_failure { |n: &mut u32| { *n += 1; *n < 2 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// ```
pub const fn until_failure() -> UntilFailure {
    UntilFailure
}

/// Starts its child again, at most once per tick, until it succeeds; then succeeds. (Behavior3's RepeatUntilSuccess.)
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: until_success { |n: &mut u32| { *n += 1; *n == 2 } } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// ```
pub const fn until_success() -> UntilSuccess {
    UntilSuccess
}

/// Running until its child succeeds: asks it once per tick. (The Lua text's WaitUntil.)
///
/// The same as [`until_success`], for what reads better as waiting: `wait_until { friend_arrived }`.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for bool: wait_until { |arrived: &bool| *arrived } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut false, &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut true, &mut memory), Status::Success);
/// ```
pub const fn wait_until() -> WaitUntil {
    WaitUntil
}

/// `limit(3)`: starts its child at most three times in the life of the memory, then fails. (Behavior3's Limiter counts calls, also
/// those of a run that goes on.)
///
/// [`Memory::reset`](crate::Memory::reset) begins a new life.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for (): limit(1) { succeed } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut (), &mut memory), Status::Failure);
/// ```
pub const fn limit(runs: u32) -> Limit {
    Limit { runs }
}

/// Runs its child to success or failure once in the life of the memory, and returns that outcome ever after.
///
/// A run that is halted or ends in an error does not count.
///
/// ```
/// # use bt_core::prelude::*;
/// let tree = tree! { for u32: run_once { |n: &mut u32| *n += 1 } };
/// let (mut n, mut memory) = (0, tree.memory());
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut n, &mut memory), Status::Success);
/// assert_eq!(n, 1);
/// ```
pub const fn run_once() -> RunOnce {
    RunOnce
}

/// `timeout(secs(5))`: once the child has run for longer, it is not ticked any more: it is halted and this fails.
///
/// Needs a [`Clock`](crate::Clock). (Behavior3's MaxTime.)
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: timeout(secs(5)) { run } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(5)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(6)), &mut memory), Status::Failure);
/// ```
pub const fn timeout(time: Duration) -> Timeout {
    Timeout { time }
}

/// `delay(secs(1))`: is running for so long, then starts its child. Needs a [`Clock`](crate::Clock).
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: delay(secs(1)) { fail } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Running);
/// assert_eq!(tree.tick(&mut Npc(secs(1)), &mut memory), Status::Failure);
/// ```
pub const fn delay(time: Duration) -> Delay {
    Delay { time }
}

/// `cooldown(secs(10))`: fails for so long after a run of its child was over, however it was. Needs a [`Clock`](crate::Clock).
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc(Duration);
/// # impl Clock for Npc { fn now(&self) -> Duration { self.0 } }
/// let tree = tree! { for Npc: cooldown(secs(10)) { succeed } };
/// let mut memory = tree.memory();
/// assert_eq!(tree.tick(&mut Npc(secs(0)), &mut memory), Status::Success);
/// assert_eq!(tree.tick(&mut Npc(secs(9)), &mut memory), Status::Failure);
/// assert_eq!(tree.tick(&mut Npc(secs(10)), &mut memory), Status::Success);
/// ```
pub const fn cooldown(time: Duration) -> Cooldown {
    Cooldown { time }
}

/// `service(secs(1), look_around)`: does something when its child starts, and every so often while it runs.
///
/// The action is a leaf that cannot be running; whether it succeeds does not matter. The child gives what it gives. An error of the action halts the
/// child and ends the service. The period begins anew each time that the action is done. Needs a [`Clock`](crate::Clock). (Unreal's service.)
///
/// ```
/// # use bt_core::prelude::*;
/// # struct Npc { now: Duration, looks: u32 }
/// # impl Clock for Npc { fn now(&self) -> Duration { self.now } }
/// fn look_around(npc: &mut Npc) { npc.looks += 1 }
///
/// let tree = tree! { for Npc: service(secs(1), look_around) { run } };
/// let (mut npc, mut memory) = (Npc { now: secs(0), looks: 0 }, tree.memory());
/// for millisecond in (0..=2500).step_by(250) {
///     npc.now = millis(millisecond);
///     tree.tick(&mut npc, &mut memory);
/// }
/// assert_eq!(npc.looks, 3);
/// ```
pub const fn service<A, N>(every: Duration, action: A, text: &'static str, child: N) -> Service<A, N> {
    Service { every, action, text, child }
}
