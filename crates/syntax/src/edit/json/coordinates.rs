//! Where new nodes are in the editor, which orders children by their coordinates.

use std::collections::HashMap;

use super::flat::Flat;
use crate::edit::order::longest;

/// Coordinates in the editor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The coordinates of the nodes of a tree.
pub(super) struct Coordinates {
    /// Whether children are beside their parent, one below the other.
    is_horizontal: bool,
    points: Vec<Option<Point>>,
}

/// The distance from a parent to its children, and between two children, in a tree whose children are below their parent or beside it.
const STEPS: [(f64, f64); 2] = [(100.0, 120.0), (200.0, 60.0)];

impl Coordinates {
    /// Returns the coordinates of all nodes. `known` are those in the file, of which the order is `before` the change: the known children of each node.
    pub(super) fn new(flats: &[Flat<'_>], known: &[Option<Point>], before: &[Vec<usize>]) -> Self {
        let mut all = Self { is_horizontal: is_horizontal(flats, known), points: known.to_vec() };
        let mut shifts = HashMap::new();
        for at in moved(flats, known, before, all.is_horizontal) {
            if let Some(point) = all.points[at].take() {
                shifts.insert(at, point);
            }
        }
        // Parents are before their children.
        for (at, flat) in flats.iter().enumerate() {
            if flat.parent.is_none() && all.points[at].is_none() {
                all.points[at] = Some(all.root(flat));
            }
            all.place_children(flats, at);
            for child in &flat.children {
                let (Some(old), Some(new)) = (shifts.get(child), all.points[*child]) else { continue };
                all.shift(flats, *child, Point { x: new.x - old.x, y: new.y - old.y });
            }
        }
        all
    }

    pub(super) fn at(&self, index: usize) -> Option<Point> {
        self.points[index]
    }

    /// Returns the coordinate by which children are ordered, and the other one.
    fn split(&self, point: Point) -> (f64, f64) {
        if self.is_horizontal { (point.y, point.x) } else { (point.x, point.y) }
    }

    fn join(&self, order: f64, depth: f64) -> Point {
        let (order, depth) = (order.round(), depth.round());
        if self.is_horizontal { Point { x: depth, y: order } } else { Point { x: order, y: depth } }
    }

    /// Returns the point of a root, from its children.
    fn root(&self, flat: &Flat<'_>) -> Point {
        let (down, _) = STEPS[usize::from(self.is_horizontal)];
        let below = flat.children.iter().find_map(|child| self.points[*child]);
        below.map_or(Point { x: 0.0, y: 0.0 }, |child| {
            let (order, depth) = self.split(child);
            self.join(order, depth - down)
        })
    }

    /// Places the children of a node that have no coordinates.
    fn place_children(&mut self, flats: &[Flat<'_>], parent: usize) {
        let (down, aside) = STEPS[usize::from(self.is_horizontal)];
        let children = &flats[parent].children;
        // The next child with coordinates, of each.
        let mut nexts = Vec::with_capacity(children.len());
        let mut next = None;
        for child in children.iter().rev() {
            nexts.push(next);
            next = self.points[*child].or(next);
        }
        for ((index, child), next) in children.iter().enumerate().zip(nexts.into_iter().rev()) {
            if self.points[*child].is_some() {
                continue;
            }
            let before =
                index.checked_sub(1).and_then(|before| self.points[children[before]]).map(|point| self.split(point));
            let after = next.map(|point| self.split(point));
            let below =
                flats[*child].children.iter().find_map(|below| self.points[*below]).map(|point| self.split(point));
            let above = self.points[parent].map(|point| self.split(point));
            let sibling = before.or(after).map(|(_, depth)| depth);
            let between = above.zip(below).map(|((_, above), (_, below))| f64::midpoint(above, below));
            let depth = sibling.or(between).or(above.map(|(_, depth)| depth + down)).unwrap_or(0.0);
            let order =
                match (before.map(|(order, _)| order), after.map(|(order, _)| order), below.map(|(order, _)| order)) {
                    // The node that it is around was in its place.
                    (before, after, Some(below))
                        if before.is_none_or(|before| before <= below) && after.is_none_or(|after| below <= after) =>
                    {
                        below
                    }
                    (Some(before), Some(after), _) => f64::midpoint(before, after),
                    (Some(before), None, _) => before + aside,
                    (None, Some(after), _) => after - aside,
                    (None, None, _) => above.map_or(0.0, |(order, _)| order),
                };
            self.points[*child] = Some(self.join(order, depth));
        }
    }

    /// Moves what is below a node with it.
    fn shift(&mut self, flats: &[Flat<'_>], top: usize, by: Point) {
        let mut left = flats[top].children.clone();
        while let Some(at) = left.pop() {
            if let Some(point) = &mut self.points[at] {
                *point = Point { x: point.x + by.x, y: point.y + by.y };
            }
            left.extend(&flats[at].children);
        }
    }
}

/// Returns whether children are beside their parent, one below the other, as most neighbors show by their order. This is the editor's default.
fn is_horizontal(flats: &[Flat<'_>], known: &[Option<Point>]) -> bool {
    let (mut beside, mut below) = (0, 0);
    for flat in flats {
        let points: Vec<_> = flat.children.iter().filter_map(|child| known[*child]).collect();
        for pair in points.windows(2) {
            let (right, down) = (pair[1].x > pair[0].x, pair[1].y > pair[0].y);
            beside += usize::from(down && !right);
            below += usize::from(right && !down);
        }
    }
    beside >= below
}

/// Returns the nodes that are no longer in the order of their coordinates, of nodes whose children were: as few as possible.
fn moved(flats: &[Flat<'_>], known: &[Option<Point>], before: &[Vec<usize>], is_horizontal: bool) -> Vec<usize> {
    let order = |at: &usize| known[*at].map(|point| if is_horizontal { point.y } else { point.x });
    let mut all = Vec::new();
    for (flat, before) in flats.iter().zip(before) {
        let now: Vec<usize> = flat.children.iter().copied().filter(|child| known[*child].is_some()).collect();
        let is_ordered = |of: &[usize]| of.iter().filter_map(order).is_sorted();
        if now == *before || is_ordered(&now) || !is_ordered(before) {
            continue;
        }
        let kept = longest(&now.iter().filter_map(order).collect::<Vec<_>>());
        all.extend(now.iter().enumerate().filter(|(index, _)| !kept.contains(index)).map(|(_, at)| *at));
    }
    all
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::edit::node::Node;

    /// Returns the coordinates of a root with three children, of which one has a child.
    fn placed(known: [Option<(f64, f64)>; 5], before: &[usize]) -> Vec<(f64, f64)> {
        let node = Arc::new(Node::default());
        let flat = |parent, children: &[usize]| Flat { node: &node, parent, children: children.to_vec() };
        let flats =
            [flat(None, &[1, 2, 4]), flat(Some(0), &[]), flat(Some(0), &[3]), flat(Some(2), &[]), flat(Some(0), &[])];
        let known = known.map(|point| point.map(|(x, y)| Point { x, y }));
        let all = Coordinates::new(&flats, &known, &[before.to_vec(), Vec::new(), vec![3], Vec::new(), Vec::new()]);
        (0..5).filter_map(|at| all.at(at)).map(|point| (point.x, point.y)).collect()
    }

    #[test]
    fn a_new_node_is_between_its_neighbors() {
        let known = [Some((0.0, 0.0)), Some((200.0, -40.0)), None, None, Some((200.0, 40.0))];
        assert_eq!(placed(known, &[1, 4])[2..4], [(200.0, 0.0), (400.0, 0.0)]);
        let known = [Some((0.0, 0.0)), Some((200.0, -40.0)), Some((200.0, 0.0)), Some((400.0, 0.0)), None];
        assert_eq!(placed(known, &[1, 2])[4], (200.0, 60.0));
    }

    #[test]
    fn children_at_any_distance_show_the_direction_by_their_order() {
        // The editor writes children in the order of `y`: that they are far apart in `x` says nothing.
        let known = [Some((0.0, 0.0)), Some((500.0, -40.0)), Some((100.0, 0.0)), None, None];
        assert_eq!(placed(known, &[1, 2])[4], (100.0, 60.0));
        let known = [Some((0.0, 0.0)), Some((-100.0, 120.0)), Some((0.0, 120.0)), None, None];
        assert_eq!(placed(known, &[1, 2])[4], (120.0, 120.0));
    }

    #[test]
    fn a_node_around_another_is_where_that_was() {
        let known = [Some((0.0, 0.0)), Some((200.0, -40.0)), None, Some((200.0, 10.0)), Some((200.0, 40.0))];
        assert_eq!(placed(known, &[1, 4])[2], (200.0, 10.0));
    }

    #[test]
    fn a_moved_node_goes_with_what_is_below_it() {
        let known = [(0.0, 0.0), (200.0, 0.0), (200.0, 100.0), (420.0, 110.0), (200.0, 50.0)].map(Some);
        let placed = placed(known, &[1, 4, 2]);
        assert_eq!(placed, [(0.0, 0.0), (200.0, 0.0), (200.0, 25.0), (420.0, 35.0), (200.0, 50.0)]);
    }
}
