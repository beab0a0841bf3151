//! Values that the page shows, as JSON.

use bt_core::Blackboard;
use serde::Serialize;
use serde_json::{Map, Value};

/// More text than this is not sent.
const MOST: usize = 64 * 1024;

/// All variables of a board that are set, for [`Watched::show`](crate::Watched::show): their values as `Debug` writes them.
///
/// ```
/// use bt_core::prelude::*;
///
/// let mut board = Board::new();
/// board.set(&Key::new("hunger"), 3_u32);
/// assert_eq!(bt_inspector::board(&board), serde_json::json!({ "hunger": "3" }));
/// ```
pub fn board(board: &impl Blackboard) -> Value {
    let mut variables = Map::new();
    board.show(&mut |shown| {
        if let Some(value) = shown.value {
            variables.insert(shown.to_string(), Value::String(format!("{value:?}")));
        }
    });
    Value::Object(variables)
}

/// A value as JSON; where it cannot be, or is too long, what is wrong with it.
pub(crate) fn text(value: &impl Serialize) -> String {
    let text = match serde_json::to_string(value) {
        Ok(text) if text.len() <= MOST => return text,
        Ok(text) => format!("{} bytes are too many to show", text.len()),
        Err(error) => format!("cannot be shown: {error}"),
    };
    Value::String(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn what_cannot_be_shown_says_so() {
        assert_eq!(text(&[1, 2]), "[1,2]");
        assert_eq!(text(&"x".repeat(70_000)), "\"70002 bytes are too many to show\"");
        let keys = std::collections::HashMap::from([((1, 2), 3)]);
        assert_eq!(text(&keys), "\"cannot be shown: key must be a string\"");
    }
}
