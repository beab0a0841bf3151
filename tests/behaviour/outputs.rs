//! `#[output]` beside the other kinds of parameters.

use bt_core::board::{Board, Key};
use bt_core::prelude::*;

const LEFT: Key<u32> = Key::new("left");

#[action]
fn count_down(
    _: &mut Board,
    #[input] from: u32,
    #[output] left: &mut Option<u32>,
    #[open(from + 1)] number: &mut u32,
) -> Status {
    *number -= 1;
    *left = Some(*number);
    if *number > 1 { Status::Running } else { Status::Success }
}

#[test]
fn an_action_with_an_output_can_state_how_its_open_state_begins() {
    let tree = tree! { count_down(2, LEFT) };
    let (mut board, mut memory) = (Board::new(), tree.memory());
    let mut tick = || (tree.tick(&mut board, &mut memory), board.get(&LEFT).copied());
    assert_eq!(tick(), (Status::Running, Some(2)));
    assert_eq!(tick(), (Status::Success, Some(1)));
    assert_eq!(tick(), (Status::Running, Some(2)));
}
