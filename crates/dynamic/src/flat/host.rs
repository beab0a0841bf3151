//! What the engine requires of the program that ticks a tree.
//!
//! The engine does not depend on a context, so it is compiled once for all of them. Only a [`Host`] has the context, and the nodes of the
//! user over it.

use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

use bt_behavior3::Scalar;
use bt_core::composite::Children;
use bt_core::decorator::Gate;
use bt_core::engine::{DynObserver, ErasedState, Then};
use bt_core::{
    CleanUp, Clock, ContextFamily, End, NodeId, Random, Status, Wake,
    protocol::{Foreseen, Interrupt},
};
use rand_core::TryRng;

use crate::error::RunError;
use crate::flat::code::{Code, Cursor, Reached};

/// A value that a node reads.
pub(crate) enum Reading {
    Number(f64),
    /// A registered function, by its number in the tree.
    Function(u32),
    Variable(String),
}

/// A context, and the nodes of the user over it by their numbers. The engine reports the events of these nodes.
pub(crate) trait Host {
    /// Returns the time of the context's clock in nanoseconds.
    fn nanos(&self) -> u64;
    /// Returns random bits.
    fn random(&mut self) -> u64;
    /// Reads a value.
    fn read(&self, reading: &Reading) -> Option<Scalar>;
    /// Passes an error to a context that handles it. Returns `false` if it does not.
    fn fail(&mut self, at: NodeId, error: &RunError) -> bool;

    /// Runs the code of a region, without an observer, up to the end of its tick or to an instruction for the engine.
    fn leaves(&mut self, code: &Code, slots: &mut [ErasedState], at: NodeId, cursor: &mut Cursor) -> Reached;
    /// Resumes a run of a leaf, or starts one if `opening`.
    fn tick_leaf(
        &mut self,
        leaf: u32,
        opening: bool,
        at: NodeId,
        slot: &mut ErasedState,
        observer: Option<&mut dyn DynObserver>,
    ) -> Status;
    fn interrupt_leaf(
        &mut self,
        leaf: u32,
        at: NodeId,
        slot: &mut ErasedState,
        how: Interrupt,
        observer: Option<&mut dyn DynObserver>,
    );
    /// Visits the cleanups in a leaf that a halt has left running.
    fn clean_up_leaf(
        &mut self,
        leaf: u32,
        at: NodeId,
        slot: &mut ErasedState,
        how: CleanUp,
        observer: Option<&mut dyn DynObserver>,
    );
    /// Opens a leaf without ticking it. Returns `false` if it cannot be running then.
    fn open_replaced(&mut self, leaf: u32, at: NodeId, slot: &mut ErasedState) -> bool;
    /// Returns when a running leaf has to be ticked again.
    fn wake_leaf(&mut self, leaf: u32, slot: &ErasedState) -> Wake;
    /// Returns what starting a leaf would do.
    fn foresee_leaf(&mut self, leaf: u32, slot: &ErasedState, event: bool) -> Foreseen;

    /// Calls a decorator of the user before a tick of its child, with a new state if `opening`.
    fn gate_of(&mut self, policy: u32, opening: bool, slot: &mut ErasedState) -> Gate<()>;
    /// Calls a decorator of the user after a tick of its child.
    fn after_child(&mut self, policy: u32, child: Status, slot: &mut ErasedState) -> Then;
    /// Calls a function with the reason why a decorator of the user has returned `Error`.
    fn reason_of(&self, policy: u32, show: &mut dyn FnMut(&dyn fmt::Display));
    fn adopt_policy(&mut self, policy: u32, slot: &mut ErasedState) -> bool;
    fn close_policy(&mut self, policy: u32, slot: &mut ErasedState, end: End);

    /// Calls the rule of a composite of the user, with a new state if `opening`.
    fn tick_rule(&mut self, rule: u32, opening: bool, children: &mut AnyChildren<'_>, slot: &mut ErasedState)
    -> Status;
    fn close_rule(&mut self, rule: u32, slot: &mut ErasedState, end: End);
}

/// The children of a composite of the user.
pub(crate) type AnyChildren<'c> = dyn for<'h> Children<HostContext<'h>> + 'c;

/// A host as a context, for the policies and rules of `bt-core`. Loading rejects a tree that needs more than its context has.
pub(crate) struct HostContext<'h>(pub(crate) &'h mut dyn Host);

/// The family of these contexts.
pub(crate) struct Hosts;

impl<'h> ContextFamily<'h, '_> for Hosts {
    type Context = HostContext<'h>;
}

impl Clock for HostContext<'_> {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.nanos())
    }

    fn nanos(&self) -> u64 {
        self.0.nanos()
    }
}

/// The context is its own generator.
impl Random for HostContext<'_> {
    type Rng = Self;

    fn rng(&mut self) -> &mut Self {
        self
    }
}

impl TryRng for HostContext<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|bits| (bits >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.random())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}
