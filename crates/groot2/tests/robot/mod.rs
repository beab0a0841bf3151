//! The leaves of the trees whose logs and replies BehaviorTree.CPP has recorded.

use bt_btcpp::{Nodes, XmlRegistry};
use bt_core::describe::{Kind, Visitor};
use bt_core::prelude::*;
use bt_core::{Step, protocol::Visit};
use bt_dynamic::{LoadedTree, Registry};

/// A leaf that returns the statuses of a text in order.
struct Scripted {
    statuses: Vec<Status>,
    kind: Kind,
}

impl Scripted {
    fn next(&self, position: &mut usize) -> Status {
        let status = self.statuses[*position % self.statuses.len()];
        *position += 1;
        status
    }
}

impl NodeShape for Scripted {
    type Open = ();
    type Kept = usize;

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(self.kind, "scripted", &[]);
    }
}

/// The context: a board, and a clock that stands.
pub(crate) struct Robot(pub(crate) Board);

impl HasBoard for Robot {
    fn board(&self) -> &Board {
        &self.0
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.0
    }
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

impl Node<Robot> for Scripted {
    fn start<O: Observer>(&self, _: NodeId, position: &mut usize, _: &mut Visit<'_, Robot, O>) -> Step<()> {
        self.next(position).into()
    }

    fn resume<O: Observer>(
        &self,
        _: NodeId,
        (): &mut (),
        position: &mut usize,
        _: &mut Visit<'_, Robot, O>,
    ) -> Step<()> {
        self.next(position).into()
    }
}

/// Loads a tree with the leaves `Act` and `Cond`.
pub(crate) fn load(xml: &str) -> LoadedTree<Robot> {
    let mut registry = Registry::<Robot>::new().with_clock();
    Nodes::new().add_to(&mut registry);
    for (name, kind) in [("Act", Kind::Action), ("Cond", Kind::Condition)] {
        registry.add_leaf_from(name, move |properties| {
            let script: String = properties.read("script", None)?;
            let status = |sign| match sign {
                'R' => Status::Running,
                'S' => Status::Success,
                _ => Status::Failure,
            };
            Some(Scripted { statuses: script.chars().map(status).collect(), kind })
        });
    }
    registry.load_xml(xml).unwrap()
}
