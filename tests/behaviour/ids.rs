//! The id that a leaf sees is its id in the whole tree, with and without an observer. (Any tree: `conformance/ids.rs`.)

use std::sync::Arc;

use bt_core::Status::{Error, Running};
use bt_core::board::ParameterError;
use bt_core::describe::{Kind, Visitor};
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_core::{SaveMemory, Step, protocol::Visit};
use bt_dynamic::{LiveTree, LoadedTree, NoProperties, Registry};

use crate::support::Replace;

#[derive(Default)]
struct Npc {
    board: Board,
    ids: Vec<usize>,
}

impl Npc {
    fn take(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.ids)
    }
}

impl HasBoard for Npc {
    fn board(&self) -> &Board {
        &self.board
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

struct Fault;

impl OnError<Fault> for Npc {
    fn on_error(&mut self, at: NodeId, _: Fault) {
        self.ids.push(at.index());
    }
}

impl OnError<ParameterError> for Npc {
    fn on_error(&mut self, at: NodeId, _: ParameterError) {
        self.ids.push(at.index());
    }
}

#[action]
fn bad(_: &mut Npc) -> Result<(), Fault> {
    Err(Fault)
}

const SPEED: Key<u32> = Key::new("speed");

#[action]
fn drive(_: &mut Npc, #[input] speed: u32) -> Status {
    Status::from(speed > 0)
}

/// Ticks a tree in all ways, each for a new agent, and returns the ids that the contexts received.
fn received<N: Node<Npc> + Send + Sync + 'static>(tree: N) -> [Vec<usize>; 4] {
    let (tree, mut npc) = (Arc::new(tree), Npc::default());
    let plain = (tree.tick(&mut npc, &mut tree.memory()), npc.take());
    let observed = (tree.tick_with(&mut npc, &mut tree.memory(), &mut Statuses::default()), npc.take());
    let brain = (Brain::new(&tree).tick(&mut npc), npc.take());
    let mut herd = Herd::new(tree);
    herd.add();
    let mut npcs = [npc];
    herd.tick_all(&mut npcs);
    assert_eq!([plain.0, observed.0, brain.0], [Error; 3]);
    let [npc] = &mut npcs;
    [plain.1, observed.1, brain.1, npc.take()]
}

#[test]
fn a_context_receives_the_id_of_a_leaf_in_the_whole_tree() {
    let mut registry = Registry::<Npc>::new();
    registry.add_with("Bad", |_: NoProperties| bad());
    let file = r#"{ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3"] }, "2": { "name": "Succeeder" }, "3": { "name": "Bad" }
    } }"#;
    let load = || registry.load(file).unwrap();
    assert_eq!(
        received(tree! { for Npc: selector { fail, (boxed(tree! { for Npc: bad })) } }),
        [(); 4].map(|()| vec![2])
    );
    let two = tree! { for Npc: selector { fail, (boxed(tree! { for Npc: sequence { succeed, (boxed(bad())) } })) } };
    assert_eq!(received(two), [(); 4].map(|()| vec![4]));
    let saving = tree! { for Npc: selector { fail, (BoxNode::<Npc, SaveMemory>::saving(tree! { for Npc: bad })) } };
    assert_eq!(received(saving), [(); 4].map(|()| vec![2]));
    let parameter = tree! { for Npc: sequence { succeed, (boxed(tree! { for Npc: drive(SPEED) })) } };
    assert_eq!(received(parameter), [(); 4].map(|()| vec![2]));
    let machine = tree! { for Npc: machine { state only { (boxed(bad())), success -> success } } };
    assert_eq!(received(machine), [(); 4].map(|()| vec![2]));
    assert_eq!(received(tree! { for Npc: selector { fail, (load()) } }), [(); 4].map(|()| vec![4]));
    assert_eq!(received(tree! { for Npc: selector { fail, (boxed(load())) } }), [(); 4].map(|()| vec![4]));
}

#[test]
fn two_boxes_do_not_share_the_variables_of_a_node() {
    const TRIES: Key<u32> = Key::new("tries");
    #[action]
    fn try_it(npc: &mut Npc, #[at] at: NodeId) {
        let tries = TRIES.in_node("burglar", at);
        let before = npc.board.get(&tries).copied().unwrap_or(0);
        npc.board.set(&tries, before + 1);
    }
    let tree = tree! { for Npc: sequence { (boxed(try_it())), (boxed(tree! { for Npc: repeat(2) { try_it } })) } };
    let mut npc = Npc::default();
    tree.tick(&mut npc, &mut tree.memory());
    let tries = [0, 1, 2, 3].map(|at| npc.board.get(&TRIES.in_node("burglar", NodeId::new(at))).copied());
    assert_eq!(tries, [None, Some(1), None, Some(2)]);
}

#[action]
fn note(npc: &mut Npc, #[at] at: NodeId) {
    npc.ids.push(at.index());
}

/// A machine with this id in the file, whose `exit:` action notes its id in the tree.
fn lamp(machine: &str) -> LoadedTree<Npc> {
    let mut registry = Registry::<Npc>::new();
    registry.add_with("Note", |_: NoProperties| note());
    let file = format!(
        r#"{{ "root": "{machine}", "nodes": {{
            "{machine}": {{ "name": "machine", "children": ["2"] }},
            "2": {{ "name": "state", "properties": {{ "name": "on", "exit": "Note" }}, "children": ["3"] }},
            "3": {{ "name": "Runner" }}
        }} }}"#
    );
    registry.load(&file).unwrap()
}

#[test]
fn what_is_halted_has_its_id_in_the_whole_tree() {
    let live = LiveTree::<Npc>::new();
    live.replace(lamp("first"));
    let tree = tree! { for Npc: sequence { succeed, (boxed(live.clone())), succeed } };
    let (mut npc, mut memory) = (Npc::default(), tree.memory());
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    tree.halt(&mut npc, &mut memory);
    assert_eq!(npc.take(), [5]);

    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    live.replace(lamp("second"));
    assert_eq!(tree.tick(&mut npc, &mut memory), Running);
    assert_eq!(npc.take(), [5], "the machine that is not there any more is halted in its place");
}

/// A leaf that notes its id as it is replaced by an observer.
#[derive(Clone)]
struct Replaced;

impl NodeShape for Replaced {
    type Open = ();
    type Kept = ();

    fn describe(&self, visitor: &mut dyn Visitor) {
        visitor.leaf::<Self>(Kind::Action, "replaced", &[]);
    }
}

impl Node<Npc> for Replaced {
    fn start<O: Observer>(&self, _: NodeId, (): &mut (), _: &mut Visit<'_, Npc, O>) -> Step<()> {
        Step::Done(Outcome::Failure)
    }

    fn resume<O: Observer>(&self, _: NodeId, (): &mut (), (): &mut (), _: &mut Visit<'_, Npc, O>) -> Step<()> {
        Step::Running(())
    }

    fn open_replaced(&self, at: NodeId, (): &mut (), visit: &mut Visit<'_, Npc, ()>) -> Option<()> {
        visit.ctx.ids.push(at.index());
        Some(())
    }
}

#[test]
fn what_stands_in_for_a_leaf_has_its_id_in_the_whole_tree() {
    let mut registry = Registry::<Npc>::new();
    registry.add_with("Replaced", |_: NoProperties| Replaced);
    let sequence = r#"{ "root": "1", "nodes": {
        "1": { "name": "Sequence", "children": ["2", "3"] }, "2": { "name": "Succeeder" }, "3": { "name": "Replaced" }
    } }"#;
    let only = r#"{ "root": "1", "nodes": { "1": { "name": "Replaced" } } }"#;
    let load = |file| registry.load(file).unwrap();
    let tree = tree! {
        for Npc: sequence { (boxed(load(sequence))), (boxed(load(only))), (boxed(tree! { for Npc: !(Replaced) })) }
    };
    let mut npc = Npc::default();
    for at in [3, 4, 6] {
        let mut others = Others(at);
        assert_eq!(
            tree.tick_with(&mut npc, &mut tree.memory(), &mut (&mut others, Replace(NodeId::new(at), Running))),
            Running
        );
    }
    assert_eq!(npc.ids, [3, 4, 6]);
}

/// Lets every leaf before a node succeed.
struct Others(u32);

impl Observer for Others {
    fn replacement(&mut self, at: NodeId) -> Option<Status> {
        (matches!(at.index(), 3 | 4) && at.index() < NodeId::new(self.0).index()).then_some(Status::Success)
    }
}
