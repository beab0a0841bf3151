//! Describes a loaded tree.

use bt_behavior3::{Diagnostic, Node, NodeKind, Place, When};
use bt_core::Outcomes;
use bt_core::decorator::DecoratorShape;
use bt_core::describe::{Followed, InFile, Info, Kind, Name, Param, Visitor};
use bt_core::file::Written;
use bt_words::Word;
use bt_words::analysis::Given;

use crate::flat::built_in::with_policy;
use crate::flat::composites::CompositeOp;
use crate::flat::node::LoadedNode;
use crate::flat::op::{Attachment, LoadedTransition, NodeOp};
use crate::flat::{FlatTree, Follows};
use crate::nodes::shape::Shapes;

impl FlatTree {
    /// Shows a node and the nodes below it. Removes their warnings from the front of `warnings`.
    pub(crate) fn show(
        &self,
        index: usize,
        shapes: &dyn Shapes,
        warnings: &mut &[Diagnostic],
        visitor: &mut dyn Visitor,
    ) {
        let node = &self.nodes[index];
        let source = &self.sources[index];
        let word = source.kind.word();
        match (&self.follows, source.spec.place) {
            (Some(Follows { file, .. }), Some(Place { line, column })) => {
                let text = source.spec.description();
                let label = source.title.as_deref();
                let of_node = warnings_of(source, warnings);
                visitor.follows(Followed { label, text: &text, file, line, column, warnings: &of_node });
            }
            _ => visitor.in_file(InFile {
                id: source.origin(),
                name: source.name(),
                place: source.place_in_file(),
                title: source.title.as_deref(),
                properties: &source.properties_text(),
                more: &source.spec.more,
                warnings: &warnings_of(source, warnings),
                is_own: source.kind == NodeKind::Own,
                is_leaf: node.children.is_empty(),
            }),
        }
        if let NodeOp::Leaf(leaf) = &node.op {
            if source.kind == NodeKind::Own && self.follows.is_none() {
                let written: Vec<_> = source.written_properties().collect();
                let written: Vec<_> = written.iter().map(|(name, text)| (*name, Written(text))).collect();
                visitor.properties(&written.iter().map(|(name, text)| Param::new(name, text)).collect::<Vec<_>>());
            }
            return shapes.leaf(*leaf).describe(visitor);
        }
        for LoadedTransition { text, .. } in node.op.transitions() {
            match &text.on {
                When::Leaf { name, negated } => {
                    let on = format!("{}{}", if *negated { "!" } else { "" }, self.name_of(name));
                    visitor.transition(&on, &text.to);
                }
                When::Success | When::Failure => visitor.transition(&text.on.to_string(), &text.to),
            }
        }
        self.enter(node, word, source.returns, shapes, visitor);
        for child in self.children_of(node) {
            self.show(*child as usize, shapes, warnings, visitor);
        }
        for attachment in node.op.attachments() {
            self.show_attachment(attachment, shapes, visitor);
        }
        visitor.leave();
    }
}

impl FlatTree {
    /// Returns the name of an attached leaf as it is shown.
    fn name_of<'n>(&'n self, name: &'n str) -> &'n str {
        let text = self.follows.as_ref().and_then(|follows| follows.attached.get(name));
        text.map_or(name, |(text, _)| text)
    }

    fn show_attachment(&self, attachment: &Attachment, shapes: &dyn Shapes, visitor: &mut dyn Visitor) {
        visitor.role(attachment.role);
        if attachment.negated {
            show(Word::Invert, Word::Invert.statuses(Given::NOTHING).of(attachment.returns), &[], visitor);
        }
        match &self.follows {
            Some(Follows { file, attached }) => {
                if let Some((text, Place { line, column })) = attached.get(&attachment.name) {
                    let (line, column) = (*line, *column);
                    visitor.follows(Followed { label: None, text, file, line, column, warnings: &[] });
                }
            }
            None => visitor.registered(&attachment.name),
        }
        shapes.leaf(attachment.leaf).describe(visitor);
        if attachment.negated {
            visitor.leave();
        }
    }
}

/// Removes the warnings of a node from the front of a list in the order of the nodes. Of the words that one name means, the first has them.
pub(crate) fn warnings_of<'a>(node: &Node, warnings: &mut &'a [Diagnostic]) -> Vec<&'a str> {
    let count = warnings.iter().take_while(|warning| warning.id == node.origin()).count();
    let (these, rest) = warnings.split_at(count);
    *warnings = rest;
    these.iter().map(|warning| warning.reason.as_str()).collect()
}

/// Shows a word of the vocabulary.
fn show(word: Word, returns: Outcomes, params: &[Param<'_>], visitor: &mut dyn Visitor) {
    let kind = Kind::of(word.row().family);
    visitor.enter(&Info { kind, name: Name::Known(word.name()), returns, params });
}

impl FlatTree {
    /// Enters a node that is not a leaf of the user.
    fn enter(
        &self,
        node: &LoadedNode,
        word: Option<Word>,
        returns: Outcomes,
        shapes: &dyn Shapes,
        visitor: &mut dyn Visitor,
    ) {
        let own = |kind, name, visitor: &mut dyn Visitor, params: &[Param<'_>]| {
            visitor.enter(&Info { kind, name: Name::Known(name), returns, params });
        };
        let Some(word) = word else {
            if let NodeOp::Policy(policy) = &node.op {
                let policy = shapes.policy(*policy);
                visitor.state(policy.state());
                policy.params(&mut |params| own(Kind::Decorator, policy.name(), visitor, params));
            }
            if let NodeOp::Composite(CompositeOp { rule, .. }) = &node.op {
                let rule = rule.shape(shapes);
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
                with_policy!(policy, policy => policy.params(&mut |params| show(word, returns, params, visitor)));
            }
            NodeOp::Service { every, action } => {
                // One expression: older compilers drop the arguments of a format at its end.
                show(
                    word,
                    returns,
                    &[Param::new(name(0), every), Param::new(name(1), &format_args!("{}", self.name_of(&action.name)))],
                    visitor,
                );
            }
            NodeOp::State { name, .. } => {
                let name = Name::Known(name);
                visitor.enter(&Info { kind: Kind::State, name, returns, params: &[] });
            }
            NodeOp::Composite(CompositeOp { rule, .. }) => {
                rule.shape(shapes).params(&mut |params| show(word, returns, params, visitor));
            }
            NodeOp::Wait { wait } => wait.params(&mut |params| show(word, returns, params, visitor)),
            NodeOp::Sequential { .. }
            | NodeOp::Finally
            | NodeOp::Machine { .. }
            | NodeOp::Constant(_)
            | NodeOp::Policy(_)
            | NodeOp::Nested { .. }
            | NodeOp::Leaf(_) => show(word, returns, &[], visitor),
        }
    }
}
