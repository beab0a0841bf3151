//! `name` and `name()` are the same leaf.
use bt_core::prelude::*;

#[derive(Default)]
struct Npc {
    board: Board,
    log: Vec<u32>,
}

impl HasBoard for Npc {
    fn board(&self) -> &Board {
        &self.board
    }
    fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }
}

fn near(_: &Npc) -> bool {
    true
}

#[action]
fn go(npc: &mut Npc, #[param(default = 3)] steps: u32) {
    npc.log.push(steps);
}

#[action]
fn jump(
    npc: &mut Npc,
    #[input]
    #[param(default = 4)]
    height: u32,
    #[param(default = 5)] width: u32,
) {
    npc.log.push(height);
    npc.log.push(width);
}

#[subtree]
fn walk() -> impl Node<Npc> {
    tree! { sequence { go, go(), go(7) } }
}

fn always() -> impl Fn(&Npc) -> bool {
    |_: &Npc| true
}

pub(crate) fn main() {
    let tree = tree! { for Npc: mem_sequence { near(), walk, walk(), always(), self::jump, jump(), jump(8, 9) } };
    let mut npc = Npc::default();
    assert_eq!(tree.tick(&mut npc, &mut tree.memory()), Status::Success);
    assert_eq!(npc.log, [3, 3, 7, 3, 3, 7, 4, 5, 4, 5, 8, 9]);
}
