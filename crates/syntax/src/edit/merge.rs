//! Merges changes of two people in one file.

use std::collections::HashMap;
use std::sync::Arc;

use super::document::Document;
use super::matching::{own, whole};
use super::node::{Node, Tree};
use super::operation::{At, Operation};

/// Repeats operations on another version of the file, which [`Document::reread`] has read. `base` is the document before the operations.
///
/// # Errors
///
/// Returns the conflicts: one reason for each operation on nodes that both sides have changed.
pub fn merge(base: &Document, ours: &[Operation], theirs: &Document) -> Result<Document, Vec<String>> {
    rebase(base, ours, theirs).map(|(merged, _)| merged)
}

/// Merges as [`merge`] does. Also returns the operations that lead from `theirs` to the merged document, in which created nodes have other ids.
///
/// # Errors
///
/// Returns the same errors as [`merge`].
pub fn rebase(
    base: &Document,
    ours: &[Operation],
    theirs: &Document,
) -> Result<(Document, Vec<Operation>), Vec<String>> {
    let changes = Changes::of(base, theirs);
    let (mut mine, mut merged) = (base.clone(), theirs.clone());
    merged.next = merged.next.max(mine.next);
    // The ids of nodes that our operations have made.
    let mut made: HashMap<u32, u32> = HashMap::new();
    let (mut repeated, mut reasons) = (Vec::new(), Vec::new());
    for operation in ours {
        let before = (mine.next, merged.next);
        let mut theirs = operation.clone();
        theirs.replace_ids(|id| made.get(&id).copied().unwrap_or(id));
        let conflict = changes.conflict(&mine, operation);
        if let Err(reason) = mine.apply(operation) {
            reasons.push(format!("{}: {reason}", operation.name()));
            break;
        }
        match conflict.map_or_else(|| merged.apply(&theirs), Err) {
            Ok(_) if mine.next - before.0 == merged.next - before.1 => {
                made.extend((before.0..mine.next).zip(before.1..merged.next));
                repeated.push(theirs);
            }
            Ok(_) => reasons.push(format!("{}: the copied node has changed", operation.name())),
            Err(reason) => reasons.push(format!("{}: {reason}", operation.name())),
        }
    }
    if reasons.is_empty() { Ok((merged, repeated)) } else { Err(reasons) }
}

/// The changes of another person.
struct Changes {
    /// By their ids; `None` if it is gone.
    nodes: HashMap<u32, Option<Change>>,
}

/// The differences of a node.
#[derive(Clone, Copy, Default)]
struct Change {
    own: bool,
    below: bool,
    has_moved: bool,
}

impl Changes {
    fn of(base: &Document, theirs: &Document) -> Self {
        let parents = |document: &Document| -> HashMap<u32, (u32, Arc<Node>)> {
            let mut all = HashMap::new();
            for tree in &document.trees {
                for root in tree.tops() {
                    all.insert(root.id, (tree.id, Arc::clone(root)));
                }
                for node in tree.nodes() {
                    all.extend(node.children().map(|child| (child.id, (node.id, Arc::clone(child)))));
                }
            }
            all
        };
        let (before, after) = (parents(base), parents(theirs));
        let change = |(id, (parent, node)): (&u32, &(u32, Arc<Node>))| {
            let change = after.get(id).map(|(new_parent, new)| Change {
                own: own(node) != own(new) || node.above != new.above,
                below: whole(node) != whole(new),
                has_moved: parent != new_parent,
            });
            (*id, change)
        };
        Self { nodes: before.iter().map(change).collect() }
    }

    /// Returns why an operation cannot be repeated: it is about what has changed.
    fn conflict(&self, mine: &Document, operation: &Operation) -> Option<String> {
        let change = |id: &u32| self.nodes.get(id).copied().flatten().unwrap_or_default();
        let head = |id: &u32| mine.node(*id).map_or_else(|_| "the node".to_owned(), |node| format!("`{}`", node.head));
        let gone = |id: &u32| matches!(self.nodes.get(id), Some(None)).then(|| format!("{} was deleted", head(id)));
        let own = |id: &u32| gone(id).or_else(|| change(id).own.then(|| format!("{} was changed", head(id))));
        let below = |id: &u32| gone(id).or_else(|| change(id).below.then(|| format!("{} was changed", head(id))));
        let place = |id: &u32| gone(id).or_else(|| change(id).has_moved.then(|| format!("{} was moved", head(id))));
        let at = |at: &At| match at {
            At::Before(id) | At::After(id) | At::In { r#in: id, .. } => gone(id),
            At::Tree { .. } => None,
        };
        let mut nodes = operation.nodes().iter();
        match operation {
            Operation::Insert { at: to, .. } => at(to),
            Operation::Move { at: to, .. } => nodes.find_map(place).or_else(|| at(to)),
            Operation::Delete { .. } | Operation::Duplicate { .. } | Operation::Inline { .. } => nodes.find_map(below),
            Operation::Wrap { .. } | Operation::Extract { .. } => nodes.find_map(place),
            Operation::Disable { .. }
            | Operation::Enable { .. }
            | Operation::Unwrap { .. }
            | Operation::Replace { .. }
            | Operation::Argument { .. }
            | Operation::Annotate { .. }
            | Operation::Label { .. }
            | Operation::Note { .. } => nodes.find_map(own),
            Operation::Create { .. } | Operation::Rename { .. } => None,
            Operation::Remove { tree } => {
                let tree = mine.trees.iter().find(|of| of.id == *tree);
                tree.and_then(|tree| Tree::nodes(tree).first().and_then(|root| below(&root.id)))
            }
        }
    }
}
