//! Applies operations.

use std::sync::Arc;

use bt_words::{MAX_LEVELS, TOO_DEEP};

use super::before::Before;
use super::document::{Document, New};
use super::fragment::check_before;
use super::gap;
use super::head::Head;
use super::node::{Node, Open, Tree};
use super::operation::Operation;
use crate::file::on_a_thread;

impl Document {
    /// Applies an operation to the document. Returns the affected nodes.
    ///
    /// # Errors
    ///
    /// Returns the reason if the operation is not possible. The document is then unchanged.
    pub fn apply(&mut self, operation: &Operation) -> Result<Vec<u32>, String> {
        let (changed, nodes) = on_a_thread(|| self.changed(operation))?;
        *self = changed;
        Ok(nodes)
    }

    fn changed(&self, operation: &Operation) -> Result<(Self, Vec<u32>), String> {
        let mut changed = self.clone();
        let nodes = changed.change(operation)?;
        let others = changed.changed_since(self);
        changed.check_disabled(self, &others)?;
        let is_too_deep = others.iter().any(|(_, level)| *level > MAX_LEVELS);
        if is_too_deep && changed.levels() > self.levels() {
            return Err(TOO_DEEP.to_owned());
        }
        self.room().follow(self, &mut changed, (operation, &nodes))?;
        Ok((changed, nodes))
    }

    /// Returns the number of levels of its deepest tree.
    fn levels(&self) -> usize {
        fn of(node: &Node) -> usize {
            1 + node.children().map(|child| of(child)).max().unwrap_or(0)
        }
        let roots = self.trees.iter().flat_map(Tree::tops);
        roots.map(|root| of(root)).max().unwrap_or(0)
    }

    fn change(&mut self, operation: &Operation) -> Result<Vec<u32>, String> {
        match operation {
            Operation::Insert { text, at } => {
                let spot = self.spot(*at)?;
                let (nodes, open) = (self.parse(text)?, self.open_in(&spot)?);
                let nodes = nodes.into_iter().map(|node| self.numbered(self.in_style(node, open))).collect();
                self.put_fitting(nodes, &[], &spot)
            }
            Operation::Delete { nodes } => self.delete(nodes),
            Operation::Duplicate { nodes } => self.duplicate(nodes),
            Operation::Move { nodes, at } => {
                let spot = self.spot(*at)?;
                let nodes = self.outermost(nodes)?;
                self.relocate(&nodes, spot)
            }
            Operation::Wrap { nodes, head } => self.wrap(nodes, head),
            Operation::Unwrap { node } => self.unwrap(*node),
            Operation::Replace { node, head } => self.replace(*node, head),
            Operation::Argument { node, index, name, value } => {
                let of = self.node(*node)?;
                if of.head == "!" {
                    return Err("`!` has no arguments; help: replace `!` with another node".to_owned());
                }
                let mut head = Head::of(&of.head);
                let (room, is_named) = (self.room(), self.room().names_arguments(&head));
                let value = value.as_ref().map(|value| room.argument(value));
                let name = name.as_deref();
                let index = index.map_or_else(|| head.index_of(name, is_named), |index| Ok(Some(index)))?;
                head.set(index, name, value.as_deref(), is_named)?;
                let text = head.text();
                self.set_head(*node, &text)
            }
            Operation::Annotate { .. } if self.style().is_data() => {
                Err("weights, scores and cases are properties of the parent in a file; help: change the argument of the parent"
                    .to_owned())
            }
            Operation::Annotate { node, before } => {
                check_before(before)?;
                let way = self.with_not(*node)?;
                before.trim().clone_into(&mut self.at_mut(&way).before);
                Ok(vec![*node])
            }
            Operation::Label { node, label } => {
                let of = self.node_mut(*node)?;
                if of.head == "!" {
                    return Err("`!` cannot have a label; help: replace `!` with `invert`".to_owned());
                }
                of.label = label.clone().filter(|label| !label.is_empty());
                Ok(vec![*node])
            }
            Operation::Note { node, text } => {
                let style = self.style();
                // In a text, no comment can be between a `!` and its child.
                let way = if style.is_data() { self.way(*node)? } else { self.with_not(*node)? };
                gap::set_note(&mut self.at_mut(&way).above, text, style);
                Ok(vec![*node])
            }
            Operation::Disable { nodes } => self.disable(nodes, true),
            Operation::Enable { nodes } => self.disable(nodes, false),
            Operation::Extract { node, name } => self.extract(*node, name),
            Operation::Inline { node } => self.inline(*node),
            Operation::Create { name, text } => {
                let root = match text.as_ref().map(|text| self.parse(text)).transpose()?.as_deref() {
                    None => None,
                    Some([root]) => Some(self.numbered(root.clone())),
                    Some(_) => return Err("a tree has one root; help: put a composite around the nodes".to_owned()),
                };
                let index = self.create(New { name: name.clone(), root, beside: None })?;
                Ok(self.trees[index].root.iter().map(|root| root.id).collect())
            }
            Operation::Rename { tree, name } => self.rename(*tree, name),
            Operation::Remove { tree } => self.remove(*tree),
        }
    }

    fn replace(&mut self, node: u32, head: &str) -> Result<Vec<u32>, String> {
        let open = self.open_at(&self.way(node)?);
        let new = self.in_style(self.parse_head(head)?, open);
        let has_comment = !(new.above.is_empty() && new.behind.is_empty());
        if !new.attributes.is_empty() || new.disabled || !new.before.is_empty() || has_comment {
            return Err(format!(
                "expected a name with its arguments, found `{}`; note: the attributes, the comments and what is before a child stay",
                head.trim()
            ));
        }
        let (room, style) = (self.room(), self.style());
        let of = self.node_mut(node)?;
        let was = Before::of(of, style);
        of.head = room.replaced(&of.head, new.head);
        of.label = new.label.or_else(|| of.label.take());
        let before = Before::of(of, style);
        let mut comments = Vec::new();
        if of.lists.is_empty() {
            of.lists = new.lists;
        } else if of.children().next().is_none() && new.lists.is_empty() {
            comments = gap::of_empty_body(of);
            of.lists.clear();
        }
        for list in &mut of.lists {
            if list.open == Open::Not {
                list.open = open;
            }
            let siblings = list.children.clone();
            let fit = |child: &mut Arc<Node>| before.fit(Arc::make_mut(child), &siblings, Some(was));
            list.children.iter_mut().for_each(fit);
        }
        let way = self.with_not(node)?;
        self.at_mut(&way).above.extend(comments);
        Ok(vec![node])
    }
}
