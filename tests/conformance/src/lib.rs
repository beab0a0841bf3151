//! A tree as data, what the engines make of it, and an interpreter of trees that is as naive as can be.

pub mod engine;
pub mod every_word;
mod guards;
mod migrated;
pub mod reference;
pub mod spec;
