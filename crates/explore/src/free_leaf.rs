//! The leaves of trees of free leaves.

use std::collections::BTreeMap;
use std::fmt;

use bt_core::describe::{Info, Kind, Name, Param, Visitor};
use bt_core::{Never, Node, NodeId, NodeShape, Observer, Outcome, Outcomes, Status, Step, protocol::Visit};

use crate::choices::choose_status;
use crate::free::all_of;

/// What a free leaf can return, and the parameters that it shows.
#[derive(Clone, Debug)]
pub(crate) struct FreeLeaf {
    pub(crate) returns: Outcomes,
    pub(crate) params: BTreeMap<String, String>,
}

/// Writes a text as it is.
struct Unquoted<'a>(&'a str);

impl fmt::Debug for Unquoted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}

impl FreeLeaf {
    fn status(&self) -> Status {
        let statuses: Vec<_> = all_of(self.returns).collect();
        choose_status(&statuses)
    }

    fn describe<N: NodeShape>(&self, kind: Kind, visitor: &mut dyn Visitor) {
        let values: Vec<_> = self.params.iter().map(|(name, value)| (name, Unquoted(value))).collect();
        let params: Vec<_> = values.iter().map(|(name, value)| Param::new(name, value)).collect();
        visitor.leaf_of::<(N::Open, N::Kept)>(&Info {
            kind,
            name: Name::Known("free"),
            returns: self.returns,
            params: &params,
        });
    }
}

/// A free leaf that can be running.
#[derive(Clone, Debug)]
pub(crate) struct FreeAction(pub(crate) FreeLeaf);

impl NodeShape for FreeAction {
    type Open = ();
    type Kept = ();

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.describe::<Self>(Kind::Action, visitor);
    }
}

impl<C: ?Sized> Node<C> for FreeAction {
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<()> {
        self.0.status().into()
    }

    fn open_replaced(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, ()>) -> Option<()> {
        Some(())
    }
}

/// A free leaf that cannot be running: a condition, or an action that ends at once.
#[derive(Clone, Debug)]
pub(crate) struct FreeCondition(pub(crate) FreeLeaf);

impl NodeShape for FreeCondition {
    type Open = Never;
    type Kept = ();
    const RETURNS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);

    fn describe(&self, visitor: &mut dyn Visitor) {
        self.0.describe::<Self>(Kind::Condition, visitor);
    }
}

impl<C: ?Sized> Node<C> for FreeCondition {
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, C, O>) -> Step<Never> {
        Step::Done(Outcome::from(self.0.status() == Status::Success))
    }
}
