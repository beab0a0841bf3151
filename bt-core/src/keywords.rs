//! The keywords of [`tree!`](crate::tree!) as items, so that editors show their documentation in a tree.
//!
//! In a tree, they are written `selector { a, b }` or `timeout(secs(5)) { a }`. The macro calls these functions.

pub use crate::composite::keywords::*;
pub use crate::decorator::keywords::*;
pub use crate::machine::machine;
pub use crate::within::within;
