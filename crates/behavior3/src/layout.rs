//! Where the editor shows the nodes of a tree. A parent is left of its children, and these are one below the other: by default, the editor takes the
//! order of children from `y`.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::format::TreeSpec;
use crate::spec::NodeSpec;

/// The distances from a parent to its children, and between two leaves: multiples of the editor's grid, which it moves nodes to.
const WIDE: i64 = 17 * GRID;
const HIGH: i64 = 7 * GRID;
const GRID: i64 = 12;

/// The editor's camera, which shows the root at the left, below the middle of a small window.
const CAMERA: (i64, i64) = (120, 360);

impl TreeSpec {
    /// Gives coordinates to all nodes, unless all have some already, which show the order of children.
    pub(crate) fn lay_out(&mut self) {
        let is_laid_out = is_laid_out(self);
        let at_root = |point: (f64, f64)| json!({ "x": point.0 - f64_of(WIDE), "y": point.1 });
        let block = if is_laid_out {
            let mut nodes = self.nodes.iter();
            let root = nodes.find(|(id, _)| self.root.as_ref() == Some(id)).and_then(|(_, node)| point(node));
            root.map(at_root)
        } else {
            let points = points(self);
            for ((_, node), (x, y)) in self.nodes.iter_mut().zip(points) {
                let node = Arc::make_mut(node);
                let mut more = node.more.to_map();
                set(&mut more, &json!({ "x": x, "y": y }), true);
                node.more = more.into();
            }
            Some(json!({ "x": 0, "y": 0 }))
        };
        let camera = json!({ "camera_x": CAMERA.0, "camera_y": CAMERA.1, "camera_z": 1 });
        set(&mut self.more, &camera, false);
        set(&mut self.more, &block.unwrap_or_default(), !is_laid_out);
    }
}

#[expect(clippy::cast_precision_loss, reason = "it is small")]
fn f64_of(number: i64) -> f64 {
    number as f64
}

/// Adds fields to those of `display`. Those that it has are replaced if `is_new`.
fn set(more: &mut Map<String, Value>, fields: &Value, is_new: bool) {
    let display = more.entry("display").or_insert_with(|| json!({}));
    if !display.is_object() {
        *display = json!({});
    }
    let (Some(display), Some(fields)) = (display.as_object_mut(), fields.as_object()) else { return };
    for (name, value) in fields {
        if is_new || !display.contains_key(name) {
            display.insert(name.clone(), value.clone());
        }
    }
}

/// Returns the coordinates of a node.
fn point(node: &NodeSpec) -> Option<(f64, f64)> {
    let display = node.more.get("display")?;
    let coordinate = |name| display.get(name)?.as_f64();
    Some((coordinate("x")?, coordinate("y")?))
}

/// Returns whether all nodes have coordinates, of which those of siblings are in order. The nodes of nested trees that became one tree are at the
/// places that they had in theirs.
fn is_laid_out(tree: &TreeSpec) -> bool {
    let points: Option<HashMap<&str, (f64, f64)>> =
        tree.nodes.iter().map(|(id, node)| Some((id.as_str(), point(node)?))).collect();
    let Some(points) = points else { return false };
    let mut places: Vec<_> = points.values().map(|(x, y)| (x.to_bits(), y.to_bits())).collect();
    places.sort_unstable();
    let is_sorted = |by: fn(&(f64, f64)) -> f64| {
        let below = |node: &NodeSpec| node.children().filter_map(|id| points.get(id).map(by)).is_sorted();
        tree.nodes.iter().all(|(_, node)| below(node))
    };
    places.windows(2).all(|pair| pair[0] != pair[1]) && (is_sorted(|point| point.1) || is_sorted(|point| point.0))
}

/// A node on its way to its coordinates.
struct Placed {
    /// The index of its node.
    node: usize,
    depth: i64,
    y: i64,
    /// The first and the last child among the placed nodes.
    children: Option<(usize, usize)>,
}

/// Returns coordinates for all nodes. Those that the root does not reach are below the others.
fn points(tree: &TreeSpec) -> Vec<(i64, i64)> {
    let indices: HashMap<&str, usize> =
        tree.nodes.iter().enumerate().map(|(index, (id, _))| (id.as_str(), index)).collect();
    let below = |node: usize| tree.nodes[node].1.children().filter_map(|id| indices.get(id).copied());
    let mut is_child = vec![false; tree.nodes.len()];
    (0..tree.nodes.len()).flat_map(below).for_each(|child| is_child[child] = true);
    let root = tree.root.as_deref().and_then(|root| indices.get(root).copied());
    let all = 0..tree.nodes.len();
    // In a circle, no node is the topmost.
    let tops = root.into_iter().chain(all.clone().filter(|node| !is_child[*node])).chain(all);
    let (mut placed, mut known, mut leaves) = (Vec::<Placed>::new(), vec![false; tree.nodes.len()], 0);
    for top in tops {
        // A parent is before its children, and these are before the next sibling.
        let mut next = vec![(top, 1, None)];
        while let Some((node, depth, parent)) = next.pop() {
            if std::mem::replace(&mut known[node], true) {
                continue;
            }
            let at = placed.len();
            if let Some(parent) = parent {
                let parent: &mut Placed = &mut placed[parent];
                parent.children = Some((parent.children.map_or(at, |(first, _)| first), at));
            }
            let mut children: Vec<_> = below(node).filter(|child| !known[*child]).collect();
            placed.push(Placed { node, depth, y: leaves * HIGH, children: None });
            leaves += i64::from(children.is_empty());
            children.reverse();
            next.extend(children.into_iter().map(|child| (child, depth + 1, Some(at))));
        }
    }
    for at in (0..placed.len()).rev() {
        if let Some((first, last)) = placed[at].children {
            placed[at].y = i64::midpoint(placed[first].y, placed[last].y) / GRID * GRID;
        }
    }
    let middle = placed.first().map_or(0, |root| root.y);
    let mut points = vec![(0, 0); tree.nodes.len()];
    for Placed { node, depth, y, .. } in placed {
        points[node] = (depth * WIDE, y - middle);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Project;

    fn laid_out(text: &str) -> Vec<(String, f64, f64)> {
        let mut project = Project::read(text).expect("a tree");
        project.trees[0].lay_out();
        let at = |(id, node): &(String, Arc<NodeSpec>)| point(node).map(|(x, y)| (id.clone(), x, y));
        project.trees[0].nodes.iter().filter_map(at).collect()
    }

    fn of(id: &str, x: f64, y: f64) -> (String, f64, f64) {
        (id.to_owned(), x, y)
    }

    #[test]
    fn the_depth_is_x_and_the_order_is_y() {
        let text = r#"{ "root": "1", "nodes": {
            "9": { "name": "loose" },
            "1": { "name": "Priority", "children": ["2", "3"] },
            "2": { "name": "Sequence", "children": ["4", "5"] },
            "3": { "name": "a" }, "4": { "name": "b" }, "5": { "name": "c" }
        } }"#;
        let expected = [
            of("9", 204.0, 156.0),
            of("1", 204.0, 0.0),
            of("2", 408.0, -60.0),
            of("3", 408.0, 72.0),
            of("4", 612.0, -96.0),
            of("5", 612.0, -12.0),
        ];
        assert_eq!(laid_out(text), expected);
    }

    #[test]
    fn coordinates_stay_if_all_nodes_have_some_in_their_order() {
        let text = |b: &str| {
            format!(
                r#"{{ "root": "1", "nodes": {{
                "1": {{ "name": "Priority", "children": ["2", "3"], "display": {{ "x": 0, "y": 0 }} }},
                "2": {{ "name": "a", "display": {{ "x": 100, "y": 10 }} }},
                "3": {{ "name": "b"{b} }} }} }}"#
            )
        };
        let kept = |b: &str| laid_out(&text(b))[0] == of("1", 0.0, 0.0);
        assert!(kept(r#", "display": { "x": 90, "y": 20 }"#));
        // Sideways, as with the editor's other setting.
        assert!(kept(r#", "display": { "x": 200, "y": 5 }"#));
        assert!(!kept(r#", "display": { "x": 90, "y": 5 }"#));
        assert!(!kept(r#", "display": { "x": 100, "y": 10 }"#));
        assert!(!kept(r#", "display": { "x": 90 }"#));
        assert!(!kept(""));
    }
}
