//! Nodes that are put in, taken out, moved, wrapped and copied.

use std::sync::Arc;

use super::before::Before;
use super::gap;
use super::head::{Form, Head};
use super::node::{Document, List, Node, Notation, Open};
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
                let before = Before::of(of, self.notation);
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

    pub(super) fn delete(&mut self, ids: &[u32]) -> Result<Vec<u32>, String> {
        let ids = self.outermost(ids)?;
        let mut neighbor = None;
        for id in ids {
            let way = self.with_not(id)?;
            let node = Arc::clone(self.at(&way));
            neighbor = way.parent().map(|(parent, ..)| self.at(&parent).id);
            let behind = Some(node.behind.clone()).filter(|text| !text.is_empty());
            neighbor = self.leave(&way, node.above.iter().cloned().chain(behind).collect()).or(neighbor);
            self.take(node.id)?;
        }
        Ok(neighbor.into_iter().filter(|id| self.way(*id).is_ok()).collect())
    }

    pub(super) fn duplicate(&mut self, ids: &[u32]) -> Result<Vec<u32>, String> {
        let mut copies = Vec::new();
        for id in self.outermost(ids)? {
            let way = self.with_not(id)?;
            let mut copy = Node { origin: None, ..Node::clone(self.at(&way)) };
            without_origin(&mut copy);
            let mut copy = self.numbered(copy);
            let Some((list, index)) = self.list_mut(&way) else {
                return Err("a root has no neighbors; help: put a composite around it".to_owned());
            };
            if let Some(label) = &copy.label {
                let is_new = |label: &String| !list.children.iter().any(|child| child.label.as_ref() == Some(label));
                let label = (2..u32::MAX).map(|number| format!("{label} {number}")).find(is_new);
                Arc::make_mut(&mut copy).label = label;
            }
            copies.push(copy.id);
            list.children.insert(index + 1, copy);
        }
        Ok(copies)
    }

    pub(super) fn relocate(&mut self, ids: &[u32], mut spot: Spot) -> Result<Vec<u32>, String> {
        if let Spot::List { parent, list, before } = &mut spot {
            let to = self.way(*parent)?;
            for id in ids {
                if self.way(*id)?.contains(&to) {
                    return Err("a node cannot be moved into itself".to_owned());
                }
            }
            // The next neighbor that stays.
            let children = self.at(&to).lists.get(*list).map_or(&[][..], |list| &list.children);
            let at = before.and_then(|id| children.iter().position(|child| child.id == id)).unwrap_or(children.len());
            *before = children[at..].iter().map(|child| child.id).find(|id| !ids.contains(id));
        }
        let (mut taken, mut was) = (Vec::new(), Vec::new());
        for id in ids {
            let parent = self.with_not(*id)?.parent();
            was.push(parent.map_or(Before::Nothing, |(parent, ..)| Before::of(self.at(&parent), self.notation)));
            // Comments that a blank line divides from the node stay.
            let way = self.way(*id)?;
            let of = self.at_mut(&way);
            let own = gap::own(&of.above);
            let far = of.above.drain(..own).collect();
            self.leave(&way, far);
            taken.push(self.take(*id)?);
        }
        self.put_fitting(taken, &was, &spot)
    }

    /// Leaves comments of a node, which is about to go, where it is: above the next node. Returns that one. Nodes of files have none.
    pub(super) fn leave(&mut self, way: &Way, comments: Vec<String>) -> Option<u32> {
        let comments = if self.notation.is_data() { Vec::new() } else { comments };
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
        let head = if head.trim() == "!" && self.notation == Notation::Xml { xml::NOT } else { head };
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
        if is_not && ids.len() > 1 {
            return Err("`!` has one child; help: wrap the nodes in a `sequence` first".to_owned());
        }
        if let Some((parent, list, index)) = first.parent() {
            let children = &self.at(&parent).lists[list].children;
            let neighbors = children.iter().skip(index).take(ids.len()).map(|child| child.id);
            if !neighbors.eq(ids.iter().copied()) {
                return Err("only neighbors can be wrapped in one node; help: move them next to each other".to_owned());
            }
        } else if ids.len() > 1 {
            return Err("only neighbors can be wrapped in one node; help: move them next to each other".to_owned());
        }
        let is_data = self.notation.is_data();
        let mut children: Vec<_> =
            ids.iter().map(|id| Arc::clone(self.at(&self.way(*id).unwrap_or_else(|_| first.clone())))).collect();
        let inside = Arc::make_mut(&mut children[0]);
        around.before = std::mem::take(&mut inside.before);
        let is_cfg = |attribute: &String| attribute.starts_with("#[cfg");
        around.attributes = inside.attributes.extract_if(.., |attribute| is_cfg(attribute)).collect();
        if !is_data {
            around.above = std::mem::take(&mut inside.above);
        }
        if ids.len() == 1 {
            around.behind = std::mem::take(&mut inside.behind);
        }
        let before = Before::of(&around, self.notation);
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
        let mut children: Vec<_> = node.children().cloned().collect();
        if children.is_empty() {
            return Err(format!("`{}` has no children", node.head));
        }
        let ids: Vec<_> = children.iter().map(|child| child.id).collect();
        xml::unwrap(&node, &mut children);
        let first = Arc::make_mut(&mut children[0]);
        if !self.notation.is_data() {
            first.above.splice(
                0..0,
                node.above.iter().cloned().chain(Some(node.lists[0].begin.clone()).filter(|text| !text.is_empty())),
            );
        }
        let last = Arc::make_mut(children.last_mut().ok_or("no children")?);
        last.behind =
            [&*last.behind, &*node.behind].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
        for child in &mut children {
            Arc::make_mut(child).before.clone_from(&node.before);
        }
        match self.list_mut(&way) {
            Some((list, _)) if list.open == Open::Not && ids.len() > 1 => {
                Err("`!` has one child; help: unwrap the `!` first".to_owned())
            }
            Some((list, index)) => {
                list.children.splice(index..=index, children);
                Ok(ids)
            }
            None if ids.len() > 1 => {
                Err(format!("a tree has one root, and `{}` has {} children", node.head, ids.len()))
            }
            None => {
                *self.at_mut(&way) = Node::clone(&children[0]);
                Ok(ids)
            }
        }
    }

    pub(super) fn disable(&mut self, ids: &[u32], disabled: bool) -> Result<Vec<u32>, String> {
        let ids = self.outermost(ids)?;
        for id in &ids {
            let way = self.way(*id)?;
            match way.parent() {
                None if disabled => return Err("the root cannot be disabled".to_owned()),
                Some((parent, list, _)) if self.at(&parent).lists[list].open == Open::Not => {
                    return Err("disable the `!` before the node, not the node alone".to_owned());
                }
                _ => {}
            }
            self.at_mut(&way).disabled = disabled;
        }
        Ok(ids)
    }
}

pub(super) fn without_origin(node: &mut Node) {
    node.origin = None;
    for child in node.lists.iter_mut().flat_map(|list| &mut list.children) {
        without_origin(Arc::make_mut(child));
    }
}
