//! The tutorials of BehaviorTree.CPP with this library: each tree as XML, its leaves in Rust, and what the program prints.

mod basics;
mod boards;
mod door;
mod leaves;
mod mocks;
mod ports;
mod reactive;
mod robot;
mod subtrees;
mod waypoints;
