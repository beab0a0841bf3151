//! Trees whose type is erased: one type for all trees over a context.

mod brain;
mod memory;
mod node;
#[cfg(feature = "serde")]
mod state;

pub use brain::Brain;
#[cfg(feature = "serde")]
pub use memory::SaveMemory;
pub use memory::{BoxMemory, ErasedMemory};
pub use node::{BoxNode, DynNode, DynShape, boxed};
#[cfg(feature = "serde")]
pub use state::{ErasedState, State, load_parts, parts_to_value};
