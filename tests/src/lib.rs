//! What the tests share: a tree as data, a world whose leaves do as they are told and write down what they see, and an interpreter
//! of trees that is as naive as can be.

pub mod engine;
pub mod flag;
pub mod guide;
pub mod hostile;
pub mod reference;
pub mod spec;
pub mod world;
