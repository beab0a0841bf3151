//! The keywords of `tree!` as names that editors complete. For the compiler, the module is empty.
//!
//! The names are types: a leaf with the name of a keyword remains a leaf, and an editor inserts no parentheses after a type.
//! Expansions import the names.

bt_macros::completions!();
