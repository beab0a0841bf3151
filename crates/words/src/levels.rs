//! The depth of trees, which every reader, writer and engine visits recursively.

macro_rules! limit {
    () => {
        200
    };
}

/// The maximum number of levels of a tree, in every notation.
pub const MAX_LEVELS: usize = limit!();
/// The error for a deeper tree.
pub const TOO_DEEP: &str = concat!("tree too deep: the limit is ", limit!(), " levels");
