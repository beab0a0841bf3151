//! How trees behave: a test per sentence of the semantics, and of what the macros and the core promise.

mod attachments;
mod boards;
mod chance;
mod clocks;
mod composites;
mod contexts;
mod custom;
mod decorators;
mod descriptions;
mod dsl;
mod erased;
mod generics;
mod herd;
mod leaves;
mod lifecycle;
mod loaded;
mod machines;
mod memory;
mod names;
mod observers;
mod panics;
mod parallels;
mod reloads;
mod saves;
mod spread;
mod support;
