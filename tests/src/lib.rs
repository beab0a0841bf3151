//! What the tests share: a world whose leaves do as they are told and write down what they see.

pub mod flag;
pub mod hostile;
pub mod world;
