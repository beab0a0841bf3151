//! Describes a loaded tree.

use bt_behavior3::NodeKind;
use bt_core::Outcomes;
use bt_core::decorator::DecoratorShape;
use bt_core::describe::{InFile, Info, Kind, Name, Param, Visitor};
use bt_core::file::Written;
use bt_words::Word;

use crate::built_in::with_policy;
use crate::op::{Attachment, DynTransition, NodeOp};
use crate::tree::{DynNode, DynTreeOf};
use bt_core::Contexts;

impl<F: Contexts> DynTreeOf<F> {
    /// Shows a node and the nodes below it.
    pub(crate) fn show(&self, index: usize, visitor: &mut dyn Visitor) {
        let node = &self.nodes[index];
        let source = &self.sources[index];
        let word = source.kind.word();
        visitor.in_file(InFile {
            id: source.origin(),
            name: source.name(),
            title: source.title.as_deref(),
            properties: &source.properties_text(),
            more: &source.spec.more,
            is_own: source.kind == NodeKind::Own,
            is_leaf: node.children.is_empty(),
        });
        if let NodeOp::Leaf(leaf) = &node.op {
            return leaf.describe(visitor);
        }
        for DynTransition { text, .. } in node.op.transitions() {
            visitor.transition(&format!("{}", text.on), &text.to);
        }
        enter(node, word, visitor);
        for child in self.children_of(node) {
            self.show(*child as usize, visitor);
        }
        node.op.attachments().for_each(|attachment| show_attachment(attachment, visitor));
        visitor.leave();
    }
}

fn show_attachment<F: Contexts>(attachment: &Attachment<F>, visitor: &mut dyn Visitor) {
    visitor.role(attachment.role);
    if attachment.negated {
        show(Word::Invert, &[], visitor);
    }
    visitor.registered(&attachment.name);
    attachment.leaf.describe(visitor);
    if attachment.negated {
        visitor.leave();
    }
}

/// Shows a word of the vocabulary.
fn show(word: Word, params: &[Param<'_>], visitor: &mut dyn Visitor) {
    let kind = Kind::of(word.row().family);
    visitor.enter(&Info { kind, name: Name::Known(word.name()), can: Outcomes::ANY, params });
}

/// Enters a node that is not a leaf of the user.
fn enter<F: Contexts>(node: &DynNode<F>, word: Option<Word>, visitor: &mut dyn Visitor) {
    let own = |kind, name, visitor: &mut dyn Visitor, params: &[Param<'_>]| {
        visitor.enter(&Info { kind, name: Name::Known(name), can: Outcomes::ANY, params });
    };
    let Some(word) = word else {
        if let NodeOp::Policy(policy) = &node.op {
            visitor.state(policy.state());
            policy.params(&mut |params| own(Kind::Decorator, policy.name(), visitor, params));
        }
        if let NodeOp::Composite(rule) = &node.op {
            let rule = rule.rule();
            visitor.state(rule.state());
            rule.params(&mut |params| own(Kind::Composite, rule.name(), visitor, params));
        }
        if let NodeOp::Nested { name, properties } = &node.op {
            let written: Vec<_> = properties.iter().map(|(name, value)| (name, Written(value))).collect();
            let params: Vec<_> = written.iter().map(|(name, value)| Param::new(name, value)).collect();
            own(Kind::Subtree, name, visitor, &params);
        }
        return;
    };
    let name = |index: usize| word.row().params[index].name;
    match &node.op {
        NodeOp::Decorator(policy) => {
            with_policy!(policy, policy => policy.params(&mut |params| show(word, params, visitor)));
        }
        NodeOp::Service { every, action } => {
            // One expression: older compilers drop the arguments of a format at its end.
            show(word, &[Param::new(name(0), every), Param::new(name(1), &format_args!("{}", action.name))], visitor);
        }
        NodeOp::State { name, .. } => {
            let name = Name::Known(name);
            visitor.enter(&Info { kind: Kind::State, name, can: Outcomes::ANY, params: &[] });
        }
        NodeOp::Composite(rule) => rule.rule().params(&mut |params| show(word, params, visitor)),
        NodeOp::Wait { wait } => wait.params(&mut |params| show(word, params, visitor)),
        NodeOp::Sequential { .. }
        | NodeOp::Machine { .. }
        | NodeOp::Constant(_)
        | NodeOp::Policy(_)
        | NodeOp::Nested { .. }
        | NodeOp::Leaf(_) => show(word, &[], visitor),
    }
}
