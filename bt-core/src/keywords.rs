//! The keywords of [`tree!`](crate::tree!), as items: an editor shows their documentation where you write them.
//!
//! In a tree you write `selector { a, b }` or `timeout(secs(5)) { a }`. The macro calls these functions.

pub use crate::composite::keywords::*;
pub use crate::decorator::keywords::*;
pub use crate::machine::machine;
