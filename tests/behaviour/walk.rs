//! A walk over the state of a tree: each node hands over its own state, in both engines.

use bt_core::decorator::decorate;
use bt_core::prelude::*;
use bt_core::{
    SaveMemory,
    protocol::{OwnState, StateBytes, StateVisitor},
};
use bt_dynamic::{NoProperties, Registry};
use bt_tests::world::World;

/// The ids of the visited nodes.
#[derive(Default)]
struct Visited(Vec<usize>);

impl StateVisitor for Visited {
    fn node(&mut self, at: NodeId, _: OwnState<'_>) {
        self.0.push(at.index());
    }
}

/// Returns the ids of the visited nodes, each once.
#[track_caller]
fn visited<N: NodeShape>(tree: &N, memory: &Memory<N>) -> Vec<usize> {
    let mut visited = Visited::default();
    tree.visit_state(memory, &mut visited);
    assert!(visited.0.is_sorted(), "{:?}", visited.0);
    visited.0.dedup();
    visited.0
}

/// Two nodes, of which one keeps a number and the other has none.
fn limited() -> impl Node<World> + Save + Copy + Send + Sync {
    tree! { for World: limit(2) { succeed } }
}

/// A tree with all kinds of lists of children, and of nodes that are not children.
fn many() -> impl Node<World> + Save {
    tree! {
        parallel {
            machine {
                state a { enter: limited(), run, limited() -> b }
                state b { limited(), exit: limited() }
                any { limited() -> a }
            }
            service(secs(1), limited()) { timeout(secs(2)) { run } }
            sequence { ..[limited(), limited()], ..vec![limited()], ..Some(limited()) }
            if |_: &World| true { limited() } else { boxed_limited() }
            selector { fail, fail, fail, fail, fail, fail, fail, fail, fail, limited() }
            parallel(success = one) { ..vec![limited(), limited()], wait(secs(3)) }
        }
    }
}

fn boxed_limited() -> BoxNode<World, SaveMemory> {
    BoxNode::saving(limited())
}

#[test]
fn all_nodes_are_visited_in_the_order_of_their_ids() {
    let tree = many();
    let all: Vec<_> = (0..tree.description().nodes().len()).collect();
    let mut memory = tree.memory();
    assert_eq!(visited(&tree, &memory), all);
    assert_eq!(tree.tick(&mut World::default(), &mut memory), Status::Running);
    assert_eq!(visited(&tree, &memory), all);
    let boxed = BoxNode::<World, SaveMemory>::saving(many());
    assert_eq!(visited(&boxed, &boxed.memory()), all);
}

#[test]
fn each_node_has_the_bytes_of_its_own_state() {
    let tree = many();
    for (node, bytes) in tree.description().nodes().iter().zip(tree.bytes_by_node()) {
        let StateBytes { open, kept } = bytes;
        let expected = match &*node.name {
            "limit" => open == 0 && (kept == 4 || kept > 4 && node.parent.is_some_and(|parent| is_if(&tree, parent))),
            "timeout" | "wait" => open == size_of::<Duration>() / 2 && kept == 0,
            "service" => open == 0 && kept == 8,
            "parallel" => open >= 3 && kept == 0,
            "machine" | "if" | "sequence" | "selector" => open == 1 && kept == 0,
            _ => bytes == StateBytes::default(),
        };
        assert!(expected, "{node}: {bytes:?}");
    }
}

fn is_if<N: NodeShape>(tree: &N, node: NodeId) -> bool {
    tree.description().node(node).is_some_and(|node| node.name == "if")
}

#[test]
fn leaves_and_policies_of_the_user_count_with_their_states() {
    #[action]
    fn dig(_: &mut World, #[open] deep: &mut [u8; 3], #[kept] holes: &mut u16) -> Status {
        *holes += u16::from(deep[0]);
        Status::Running
    }

    #[derive(Clone, Copy)]
    struct Counting;

    #[decorator]
    impl Decorator<World> for Counting {
        type Open = u8;
        type Kept = [u64; 2];
    }

    let counting = |child| decorate(Counting, child);
    let tree = tree! { for World: counting { dig() } };
    assert_eq!(tree.bytes_by_node(), [StateBytes { open: 1, kept: 16 }, StateBytes { open: 3, kept: 2 }]);

    let mut registry = Registry::<World>::new();
    registry.add_leaf("Dig", dig());
    registry.add_decorator("Counting", |_: NoProperties| Counting);
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "Repeater", "child": "2" },
        "2": { "name": "Counting", "child": "3" },
        "3": { "name": "limit", "properties": { "runs": 3 }, "child": "4" },
        "4": { "name": "Dig" }
    } }"#;
    let loaded = registry.load(file).unwrap();
    let expected = [(0, 0), (1, 16), (0, 8), (3, 2)].map(|(open, kept)| StateBytes { open, kept });
    assert_eq!(loaded.bytes_by_node(), expected);
    let mut memory = loaded.memory();
    assert_eq!(loaded.tick(&mut World::default(), &mut memory), Status::Running);
    assert_eq!(visited(&loaded, &memory), [0, 1, 2, 3]);
    assert_eq!(visited(&tree! { for World: sequence { succeed, (&loaded) } }, &Memory::new()), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_walk_that_reads_changes_nothing() {
    let tree = tree! { for World: sequence { boxed_limited(), boxed_limited() } };
    let memory = tree.memory();
    let saved = |memory: &_| serde_json::to_string(&tree.saved(memory)).unwrap();
    let before = saved(&memory);
    assert_eq!(visited(&tree, &memory), [0, 1, 2, 3, 4]);
    assert_eq!(saved(&memory), before);
}
