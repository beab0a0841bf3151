//! Nodes that are put in, taken out, moved, wrapped and copied.

use std::sync::Arc;

use super::before::Before;
use super::disabled::inherit;
use super::document::Document;
use super::gap;
use super::head::{Form, Head};
use super::item::is_cfg;
use super::node::{List, Node, Open};
use super::operation::At;
use super::way::{Spot, Way};
use super::xml;

impl Document {
    /// Puts nodes into a place, with a weight where their neighbors have one. `was` is what was before them under their old parents.
    pub(super) fn put_fitting(
        &mut self,
        mut nodes: Vec<Arc<Node>>,
        was: &[Before],
        spot: &Spot,
    ) -> Result<Vec<u32>, String> {
        let (before, siblings) = match spot {
            Spot::List { parent, list, .. } => {
                let of = self.node(*parent)?;
                let before = Before::of(of, self.style());
                (before, of.lists.get(*list).map(|list| list.children.clone()).unwrap_or_default())
            }
            Spot::Root(_) => (Before::Nothing, Vec::new()),
        };
        for (index, node) in nodes.iter_mut().enumerate() {
            before.fit(Arc::make_mut(node), &siblings, was.get(index).copied());
        }
        let ids = nodes.iter().map(|node| node.id).collect();
        self.put(nodes, spot)?;
        Ok(ids)
    }

    /// Returns an error if a value is before a new node where none can be.
    pub(super) fn check_inserted(&self, text: &str, at: At) -> Result<(), String> {
        // Other errors are those of the operation.
        let (Ok(Spot::List { parent, .. }), Ok(nodes)) = (self.spot(at), self.parse(text)) else { return Ok(()) };
        let parent = self.node(parent)?;
        match nodes.iter().find(|node| !node.before.is_empty()) {
            Some(node) if Before::of(parent, self.style()) == Before::Nothing => {
                let name = Head::of(&parent.head).name;
                Err(format!(
                    "a child of `{name}` has no value before it, found `{0} =>`; help: remove `{0} =>`",
                    node.before
                ))
            }
            Some(_) | None => Ok(()),
        }
    }

    pub(super) fn delete(&mut self, ids: &[u32]) -> Result<Vec<u32>, String> {
        let ids = self.outermost(ids)?;
        let mut neighbor = None;
        for id in ids {
            let way = self.with_not(id)?;
            let node = Arc::clone(self.at(&way));
            neighbor = way.parent().map(|(parent, ..)| self.at(&parent).id);
            let behind = Some(node.behind.clone()).filter(|text| !text.is_empty());
            let comments = node.above.iter().cloned().chain(behind).chain(gap::of_empty_body(&node));
            neighbor = self.leave(&way, comments.collect()).or(neighbor);
            self.take(node.id)?;
        }
        Ok(neighbor.into_iter().filter(|id| self.way(*id).is_ok()).collect())
    }

    pub(super) fn duplicate(&mut self, ids: &[u32]) -> Result<Vec<u32>, String> {
        let mut copies = Vec::new();
        for way in self.outermost_ways(ids)? {
            let way = self.before_not(way);
            let mut copy = Node::clone(self.at(&way));
            without_origin(&mut copy);
            if !self.style().is_data() {
                // Comments that a blank line divides from the node are not its own.
                copy.above.drain(..gap::own(&copy.above));
            }
            copies.push((way, self.numbered(copy)));
        }
        let new = copies.iter().map(|(_, copy)| copy.id).collect();
        // From the last to the first, so that the ways to the others stay.
        for (way, mut copy) in copies.into_iter().rev() {
            let Some((list, index)) = self.list_mut(&way) else {
                return Err("a root has no neighbors; help: put a composite around it".to_owned());
            };
            if let Some(label) = &copy.label {
                let is_new = |label: &String| !list.children.iter().any(|child| child.label.as_ref() == Some(label));
                let label = (2..u32::MAX).map(|number| format!("{label} {number}")).find(is_new);
                Arc::make_mut(&mut copy).label = label;
            }
            list.children.insert(index + 1, copy);
        }
        Ok(new)
    }

    /// Moves nodes to a place. A `!` moves with its node.
    pub(super) fn relocate(&mut self, ids: &[u32], mut spot: Spot) -> Result<Vec<u32>, String> {
        let ids = ids.iter().map(|id| Ok(self.at(&self.with_not(*id)?).id)).collect::<Result<Vec<_>, String>>()?;
        let mut stays_disabled = false;
        if let Spot::List { parent, list, before } = &mut spot {
            let to = self.way(*parent)?;
            stays_disabled = self.at(&to).disabled || self.is_below_disabled(&to);
            for id in &ids {
                if self.way(*id)?.contains(&to) {
                    return Err("a node cannot be moved into itself".to_owned());
                }
            }
            // The next neighbor that stays.
            let children = self.at(&to).lists.get(*list).map_or(&[][..], |list| &list.children);
            let at = before.and_then(|id| children.iter().position(|child| child.id == id)).unwrap_or(children.len());
            *before = children[at..].iter().map(|child| child.id).find(|id| !ids.contains(id));
            // They are there.
            let end = before.and_then(|id| children.iter().position(|child| child.id == id)).unwrap_or(children.len());
            let begin = end.saturating_sub(ids.len());
            if children[begin..end].iter().map(|child| child.id).eq(ids.iter().copied()) {
                return Ok(ids);
            }
        }
        let (mut taken, mut was) = (Vec::new(), Vec::new());
        for id in ids {
            let way = self.way(id)?;
            let parent = way.parent();
            was.push(parent.map_or(Before::Nothing, |(parent, ..)| Before::of(self.at(&parent), self.style())));
            let leaves_disabled = !stays_disabled && self.is_below_disabled(&way);
            // Comments that a blank line divides from the node stay.
            let of = self.at_mut(&way);
            let own = gap::own(&of.above);
            let far = of.above.drain(..own).collect();
            self.leave(&way, far);
            let mut node = self.take(id)?;
            Arc::make_mut(&mut node).disabled |= leaves_disabled;
            taken.push(node);
        }
        self.put_fitting(taken, &was, &spot)
    }

    /// Leaves comments of a node, which is about to go, where it is: above the next node. Returns that one. Nodes of files have none.
    pub(super) fn leave(&mut self, way: &Way, comments: Vec<String>) -> Option<u32> {
        let comments = if self.style().is_data() { Vec::new() } else { comments };
        match self.list_mut(way) {
            Some((list, index)) => {
                let next = list.children.get_mut(index + 1).map(Arc::make_mut);
                let id = next.as_ref().map(|next| next.id);
                next.map_or(&mut list.end, |next| &mut next.above).splice(0..0, comments);
                id
            }
            None if way.is_loose() => None,
            None => {
                self.trees[way.tree].around.end.splice(0..0, comments);
                None
            }
        }
    }

    pub(super) fn wrap(&mut self, ids: &[u32], head: &str) -> Result<Vec<u32>, String> {
        let head = if head.trim() == "!" { self.room().facts().not } else { head };
        let is_not = head.trim() == "!";
        let mut around = if is_not {
            Node { head: "!".to_owned(), lists: vec![List { open: Open::Not, ..List::default() }], ..Node::default() }
        } else {
            self.parse_head(head)?
        };
        if around.lists.is_empty() {
            if Head::of(&around.head).form != Form::Call {
                return Err(format!("expected a node that takes children, found `{}`", around.head));
            }
            // A node of the user.
            around.lists.push(List::default());
        }
        let ids = self.outermost(ids)?;
        let first = self.way(ids[0])?;
        let mut around = self.in_style(around, self.open_at(&first));
        if is_not && ids.len() > 1 {
            return Err("`!` has one child; help: wrap the nodes in a `sequence` first".to_owned());
        }
        let are_neighbors = first.parent().map_or(ids.len() == 1, |(parent, list, index)| {
            let children = self.at(&parent).lists[list].children.iter().skip(index);
            children.take(ids.len()).map(|child| child.id).eq(ids.iter().copied())
        });
        if !are_neighbors {
            return Err("only neighbors can be wrapped in one node; help: move them next to each other".to_owned());
        }
        let is_data = self.style().is_data();
        let mut children: Vec<_> =
            ids.iter().map(|id| Arc::clone(self.at(&self.way(*id).unwrap_or_else(|_| first.clone())))).collect();
        let inside = Arc::make_mut(&mut children[0]);
        around.before = std::mem::take(&mut inside.before);
        let cfgs = inside.attributes.extract_if(.., |attribute| is_cfg(attribute));
        around.attributes.splice(0..0, cfgs);
        if is_not {
            // A negated node is disabled with its `!`.
            around.disabled = std::mem::take(&mut inside.disabled);
        }
        if !is_data {
            around.above.append(&mut inside.above);
        }
        if ids.len() == 1 {
            around.behind = std::mem::take(&mut inside.behind);
        }
        let before = Before::of(&around, self.style());
        for child in &mut children {
            before.fit(Arc::make_mut(child), &[], None);
        }
        around.lists[0].children = children;
        around.id = self.new_id();
        let id = around.id;
        match self.list_mut(&first) {
            Some((list, index)) => _ = list.children.splice(index..index + ids.len(), [Arc::new(around)]).count(),
            None => *self.at_mut(&first) = around,
        }
        Ok(vec![id])
    }

    pub(super) fn unwrap(&mut self, id: u32) -> Result<Vec<u32>, String> {
        let way = self.way(id)?;
        let node = Arc::clone(self.at(&way));
        let is_negated = self.with_not(id)? != way;
        let mut children: Vec<_> = node.children().cloned().collect();
        match children.len() {
            0 => return Err(format!("`{}` has no children", node.head)),
            1 => {}
            _ if is_negated => return Err("`!` has one child; help: unwrap the `!` first".to_owned()),
            count if way.parent().is_none() => {
                return Err(format!("a tree has one root, and `{}` has {count} children", node.head));
            }
            _ => {}
        }
        let ids: Vec<_> = children.iter().map(|child| child.id).collect();
        xml::leave(&node, &mut children);
        for child in &mut children {
            let child = Arc::make_mut(child);
            child.before.clone_from(&node.before);
            inherit(child, &node);
        }
        let mut rest = children.iter_mut().map(Arc::make_mut);
        let mut comments = node.above.clone();
        for list in &node.lists {
            comments.extend(Some(list.begin.clone()).filter(|text| !text.is_empty()));
            for child in rest.by_ref().take(list.children.len()) {
                child.above.splice(0..0, comments.drain(..));
            }
            comments.extend(list.end.iter().cloned());
        }
        let last = Arc::make_mut(children.last_mut().ok_or("no children")?);
        last.behind = gap::joined([&last.behind, &node.behind]);
        self.leave(&self.with_not(id)?, comments);
        match self.list_mut(&way) {
            Some((list, index)) if !is_negated => _ = list.children.splice(index..=index, children),
            Some(_) | None => self.replace_at(&way, Node::clone(&children[0])),
        }
        Ok(ids)
    }

    /// Puts a node in the place of another one. The comments of one that is negated are at its `!`.
    pub(super) fn replace_at(&mut self, way: &Way, mut node: Node) {
        let id = self.at(way).id;
        if let Ok(outer) = self.with_not(id)
            && outer != *way
        {
            let (above, behind) = (std::mem::take(&mut node.above), std::mem::take(&mut node.behind));
            let not = self.at_mut(&outer);
            not.above.extend(above);
            not.behind = gap::joined([&behind, &not.behind]);
            not.disabled |= std::mem::take(&mut node.disabled);
            let cfgs: Vec<_> = node.attributes.extract_if(.., |attribute| is_cfg(attribute)).collect();
            not.attributes.splice(0..0, cfgs);
        }
        *self.at_mut(way) = node;
    }
}

pub(super) fn without_origin(node: &mut Node) {
    node.origin = None;
    node.children_mut().for_each(without_origin);
}
