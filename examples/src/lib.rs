//! What the stories share: their options, a loop in the terminal, and a panel that shows a tree with its last statuses.

pub mod options;
pub mod panel;
pub mod terminal;
