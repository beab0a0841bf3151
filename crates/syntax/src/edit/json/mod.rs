//! Documents of the Behavior3 editor. A head is the name of a node with its properties, `Wait(milliseconds = 2000)`, a label its title, a note its description. A file is
//! written as it was read, with only those values replaced, entries added and entries removed that differ.

mod coordinates;
mod declare;
mod entries;
mod entry;
mod file;
mod flat;
mod fresh;
mod head;
mod layout;
mod names;
mod nodes;
mod paste;
mod read;
mod room;
mod shape;
mod span;
mod splice;
mod style;
#[cfg(test)]
mod tests;
mod write;

pub(super) use self::room::Json;
