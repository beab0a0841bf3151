//! Builds the operation of a checked node. Leaves and decorators are created from properties.

use std::collections::BTreeMap;

use bt_behavior3::{Args, AttachedLeaf, Node, NodeKind};
use bt_core::Status;
use bt_core::describe::Role;
use bt_core::file::Properties;
use bt_words::ParamType;

use crate::leaf::AnyLeaf;
use crate::op::{Attachment, DynTransition, DynWhen, NodeOp};
use crate::policy::AnyPolicy;

/// A function that creates a node from its properties, or returns `None` if they are invalid.
pub(crate) enum Maker<C: ?Sized> {
    Leaf(Make<AnyLeaf<C>>),
    Decorator(Make<AnyPolicy<C>>),
}

pub(crate) type Make<T> = Box<dyn Fn(&mut Properties<'_>) -> Option<T> + Send + Sync>;

/// The registered leaves and decorators, by name.
pub(crate) type Makers<C> = BTreeMap<String, Maker<C>>;

/// A node under construction.
pub(crate) struct Making<'n, 'p, C: ?Sized> {
    pub(crate) node: &'n Node,
    pub(crate) args: &'n Args,
    pub(crate) properties: Properties<'p>,
    makers: &'n Makers<C>,
}

impl<C: ?Sized> NodeOp<C> {
    /// Returns the operation of a node. Adds its errors to `errors`.
    pub(crate) fn make(node: &Node, makers: &Makers<C>, errors: &mut Vec<String>) -> Option<Self> {
        let properties = Properties::new(&node.properties);
        let mut making = Making { node, args: node.kind.args(), properties, makers };
        let op = match &node.kind {
            NodeKind::Word(word, _) => Self::of(*word, &mut making),
            NodeKind::Own => making.own(),
        };
        errors.extend(making.properties.into_faults());
        op
    }
}

impl<C: ?Sized> Making<'_, '_, C> {
    fn own(&mut self) -> Option<NodeOp<C>> {
        Some(match self.makers.get(&self.node.name)? {
            Maker::Leaf(make) => NodeOp::Leaf(make(&mut self.properties)?),
            Maker::Decorator(make) => NodeOp::Policy(make(&mut self.properties)?),
        })
    }

    /// Returns the attached leaf with this role, which the node must have.
    pub(crate) fn attachment(&mut self, role: Role) -> Option<Attachment<C>> {
        let name = self.args.leaf(role)?;
        let param = self.node.kind.word()?.row().params.iter().find(|param| param.ty == ParamType::Leaf(role))?;
        self.leaf(AttachedLeaf { role, negated: false, name }, param.name)
    }

    /// Returns the attached leaf with this role, if the node has one.
    pub(crate) fn optional_attachment(&mut self, role: Role) -> Option<Option<Attachment<C>>> {
        if self.args.leaf(role).is_none() { Some(None) } else { self.attachment(role).map(Some) }
    }

    /// Returns the transitions of the node. Their targets are resolved after all states have been built.
    pub(crate) fn transitions(&mut self) -> Option<Vec<DynTransition<C>>> {
        let args = self.args;
        let transitions = args.transitions().iter().map(|text| {
            let to = Err(if text.to == "success" { Status::Success } else { Status::Failure });
            Some(DynTransition { on: DynWhen::of(text, self)?, to, text: text.clone() })
        });
        transitions.collect()
    }

    /// Returns a registered leaf, created without properties.
    pub(crate) fn leaf(&mut self, attached: AttachedLeaf<'_>, property: &str) -> Option<Attachment<C>> {
        let none = serde_json::Map::new();
        let mut own = Properties::new(&none);
        let leaf = match self.makers.get(attached.name) {
            Some(Maker::Leaf(make)) => make(&mut own),
            Some(Maker::Decorator(_)) | None => None,
        };
        for error in own.into_faults() {
            self.properties.report(format!("{property} `{}`: {error}", attached.name));
        }
        leaf.map(|leaf| Attachment::new(attached, leaf))
    }
}
