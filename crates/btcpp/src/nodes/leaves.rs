//! The leaves that access variables by name.

use bt_core::board::{HasBoard, Key, Untyped};
use bt_core::describe::{Kind, Param, Visitor};
use bt_core::engine::explain;
use bt_core::{Never, Node, NodeId, NodeShape, Observer, Outcome, Outcomes, Step, protocol::Visit};

use crate::nodes::port::{look_up, set};
use crate::nodes::scripted::{Scripted, Text};
use crate::script::Scope;

/// A leaf that ends at once. It returns `Error` with the reason if it cannot do what it is for.
pub(crate) enum Instant {
    /// Runs a script.
    Script(Scripted),
    /// Succeeds if a script is true.
    Condition(Scripted),
    /// Sets a variable to text, or to the value of another variable.
    Set { value: Result<Key<()>, String>, key: Key<()>, scope: Scope },
    /// Unsets a variable.
    Unset(Key<()>),
}

impl Instant {
    fn tick<C: HasBoard + ?Sized>(&self, ctx: &mut C) -> Result<bool, String> {
        match self {
            Self::Script(script) => script.run(ctx).map(|()| true),
            Self::Condition(script) => script.holds(ctx),
            Self::Set { value, key, scope } => {
                let value = match value {
                    Ok(from) => look_up(from, ctx),
                    Err(text) => Some(Untyped::Text(text.clone())),
                };
                // Without a value, it fails.
                value.map_or(Ok(false), |value| set(scope, key, value, ctx).map(|()| true))
            }
            Self::Unset(key) => {
                ctx.board_mut().unset(key);
                Ok(true)
            }
        }
    }
}

impl NodeShape for Instant {
    type Open = Never;
    type Kept = ();
    const RETURNS: Outcomes = Outcomes::ANY.without(Outcomes::RUNNING);
    const RESTARTS: bool = true;

    fn describe(&self, visitor: &mut dyn Visitor) {
        let mut show = |kind, name, params: &[Param<'_>]| visitor.leaf::<Self>(kind, name, params);
        match self {
            Self::Script(script) => show(Kind::Action, "Script", &[Param::new("code", &Text(script.script.text()))]),
            Self::Condition(script) => {
                show(Kind::Condition, "ScriptCondition", &[Param::new("code", &Text(script.script.text()))]);
            }
            Self::Set { value: Ok(from), key, .. } => {
                show(Kind::Action, "SetBlackboard", &[Param::new("value", from), Param::new("output_key", key)]);
            }
            Self::Set { value: Err(text), key, .. } => {
                show(Kind::Action, "SetBlackboard", &[Param::new("value", text), Param::new("output_key", key)]);
            }
            Self::Unset(key) => show(Kind::Action, "UnsetBlackboard", &[Param::new("key", key)]),
        }
    }
}

impl<C: HasBoard + ?Sized> Node<C> for Instant {
    fn start<O: Observer>(&self, at: NodeId, (): &mut (), visit: &mut Visit<'_, C, O>) -> Step<Never> {
        Step::Done(match self.tick(visit.ctx) {
            Ok(has_succeeded) => Outcome::from(has_succeeded),
            Err(reason) => {
                explain(at, &reason, visit.observer);
                Outcome::Error
            }
        })
    }
}

/// A `WasEntryUpdated`: it succeeds if a variable has changed since its last tick.
pub(crate) struct WasUpdated(pub(crate) Key<()>);

impl NodeShape for WasUpdated {
    type Open = Never;
    /// The number of changes in the last tick.
    type Kept = u64;
    const RETURNS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Condition, "WasEntryUpdated", &[Param::new("entry", &self.0)]);
    }
}

impl<C: HasBoard + ?Sized> Node<C> for WasUpdated {
    fn start<O: Observer>(&self, _: NodeId, seen: &mut u64, visit: &mut Visit<'_, C, O>) -> Step<Never> {
        let changes = visit.ctx.board().changes(&self.0);
        Step::Done(Outcome::from(std::mem::replace(seen, changes) != changes))
    }
}
