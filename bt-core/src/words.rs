//! The keywords of `tree!` as names that editors complete. For the compiler, the module is empty.
//!
//! They are types: a leaf with the name of a keyword stays a leaf, and an editor inserts no parentheses after a type. Expansions import them.

#![allow(unexpected_cfgs, reason = "rust-analyzer sets it")]

bt_macros::completions!();
