//! Conversion of values to JSON for the page.

use bt_core::Blackboard;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::floats::Floats;

/// The maximum size of a value that is sent, in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// Returns all set variables of a board as a value for [`Watched::show`](crate::Watched::show). Each variable is formatted with `Debug`.
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
    board.show(&mut |variable| {
        if let Some(value) = variable.value {
            variables.insert(variable.to_string(), Value::String(format!("{value:?}")));
        }
    });
    Value::Object(variables)
}

/// Returns a value as JSON, or a message if it is too large or cannot be serialized.
pub(crate) fn text(value: &impl Serialize) -> String {
    let text = match serde_json::to_string(&Floats(value)) {
        Ok(text) if text.len() <= MAX_BYTES => return text,
        Ok(text) => format!("too large to show: {} bytes", text.len()),
        Err(error) => format!("cannot be serialized: {error}"),
    };
    Value::String(text).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::text;

    #[test]
    fn non_finite_floats_are_text() {
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
            raw: serde_json::value::to_raw_value(&[1]).expect("valid JSON"),
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
    fn values_that_cannot_be_shown_are_replaced_by_a_message() {
        assert_eq!(text(&[1, 2]), "[1,2]");
        assert_eq!(text(&"x".repeat(70_000)), "\"too large to show: 70002 bytes\"");
        let keys = std::collections::HashMap::from([((1, 2), 3)]);
        assert_eq!(text(&keys), "\"cannot be serialized: key must be a string\"");
    }
}
