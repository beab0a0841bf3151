//! Values that the page shows, as JSON.

use bt_core::Blackboard;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::floats::Floats;

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
    let text = match serde_json::to_string(&Floats(value)) {
        Ok(text) if text.len() <= MOST => return text,
        Ok(text) => format!("{} bytes are too many to show", text.len()),
        Err(error) => format!("cannot be shown: {error}"),
    };
    Value::String(text).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::text;

    #[test]
    fn floats_that_are_no_numbers_are_text() {
        #[derive(Serialize)]
        enum Kind {
            Tuple(f64, u8),
            Struct { x: f32 },
            New(f64),
            Unit,
        }
        #[derive(Serialize)]
        struct New(f32);
        #[derive(Serialize)]
        struct All {
            kinds: [Kind; 4],
            some: Option<f64>,
            none: Option<f64>,
            new: New,
            pair: (f64, ()),
            map: BTreeMap<i32, f32>,
            raw: Box<serde_json::value::RawValue>,
            ids: (u64, i64, u128),
        }
        let all = All {
            kinds: [
                Kind::Tuple(f64::NAN, 3),
                Kind::Struct { x: f32::INFINITY },
                Kind::New(f64::NEG_INFINITY),
                Kind::Unit,
            ],
            some: Some(f64::NAN),
            none: None,
            new: New(0.5),
            pair: (1.5, ()),
            map: [(-1, f32::NAN)].into(),
            raw: serde_json::value::to_raw_value(&[1]).expect("it is JSON"),
            ids: (u64::MAX, i64::MIN, u128::MAX),
        };
        let expected = concat!(
            r#"{"kinds":[{"Tuple":["NaN",3]},{"Struct":{"x":"inf"}},{"New":"-inf"},"Unit"],"some":"NaN","none":null,"#,
            r#""new":0.5,"pair":[1.5,null],"map":{"-1":"NaN"},"raw":[1],"#,
            r#""ids":[18446744073709551615,-9223372036854775808,340282366920938463463374607431768211455]}"#,
        );
        assert_eq!(text(&all), expected);
        assert_eq!(text(&f32::NAN), "\"NaN\"");
    }

    #[test]
    fn what_cannot_be_shown_says_so() {
        assert_eq!(text(&[1, 2]), "[1,2]");
        assert_eq!(text(&"x".repeat(70_000)), "\"70002 bytes are too many to show\"");
        let keys = std::collections::HashMap::from([((1, 2), 3)]);
        assert_eq!(text(&keys), "\"cannot be shown: key must be a string\"");
    }
}
