//! Documents of BehaviorTree.CPP. A head is the name of a node with its ports, `Repeat(num_cycles = 3)`, a label its `name`, a note its `_description`, and a
//! disabled node has `_skipIf="true"`. A file is written as it was read: only what differs is replaced, with the comments of a node where the node goes: those above it up to a blank line, and those behind it in its line.

mod around;
mod element;
mod head;
mod indent;
mod part;
mod paste;
mod place;
mod read;
mod room;
mod source;
mod tag;
#[cfg(test)]
mod tests;
mod write;

pub use self::paste::is_xml;
pub(super) use self::place::{Gone, Source};
pub(super) use self::room::Xml;
pub(super) use self::source::leave;
