//! Documents of BehaviorTree.CPP. A head is the name of a node with its ports, `Repeat(num_cycles = 3)`, a label its `name`, a note its `_description`, and a
//! disabled node has `_skipIf="true"`. A file is written as it was read: only what differs is replaced, with the comments of a node where the node goes: those above it up to a blank line, and those behind it in its line.

mod around;
mod element;
mod head;
mod indent;
mod paste;
mod place;
mod read;
mod source;
mod tag;
mod write;

pub(super) use self::element::{check, check_disabled};
pub(super) use self::head::{
    NOT, Variables, argument, private_variable, replaced, tree_used, use_of_tree, uses_variables, with_tree,
};
pub(super) use self::paste::{from_text, nodes, uses_of_trees};
pub(super) use self::place::{Gone, Source};
pub(super) use self::read::{is_main, is_version_4, read};
pub(super) use self::source::{argument_at, leave};
pub(super) use self::write::{copy, write};
