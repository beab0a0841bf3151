//! Live trees: divides a `tree!` into compiled parts and data, and finds the trees in a source file.
//!
//! The macro `bind`s the parts of a tree to variables. At run time `find` finds the trees in the edited file, `identify` matches them with
//! the trees before the edit, and `read` converts a tree to the data of a loaded tree, whose nodes name the parts.
//!
//! ```
//! use bt_syntax::live::{find, read};
//!
//! let source = "fn guard() -> impl Node<Npc> { tree! { selector { goto(50.0), #[allow(endless)] repeat(3) { idle } } } }";
//! let trees = find(source).unwrap();
//! assert_eq!((trees[0].path.as_str(), trees[0].place.column), ("guard", 32));
//! let tree = read(&trees[0]).unwrap();
//! let names: Vec<_> = tree.uses.iter().map(|used| used.name.as_str()).collect();
//! assert_eq!(names, ["leaf:goto(_)", "leaf:idle"]);
//! ```

pub use bt_behavior3::Place;

mod bind;
mod constant;
mod find;
mod flat;
mod free;
mod identity;
mod island;
mod items;
mod layout;
mod literal;
mod read;
mod shape;
mod source;
mod template;
#[cfg(test)]
mod tests;
mod write;

pub use bind::{Bound, Compiled, bind};
pub use find::{Found, find};
pub use flat::{body, flat, text};
pub use identity::{Known, identify};
pub use layout::laid_out;
pub use literal::Literal;
pub use read::read;
pub use shape::{Attached, Guarded, PartKind, Score, Shape, StateShape, shape};
pub use source::{Source, Use, Warning};
pub use template::{Part, Template, cases};
