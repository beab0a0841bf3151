//! Conversion of values to JSON for the page.

use std::fmt::Write as _;

use bt_core::NodeId;
use bt_core::board::{Blackboard, Board};
use ciborium::Value as Data;
use serde::Serialize;
use serde_json::{Map, Value};

use super::caught::caught;
use super::edit::{Edit, Editable, Path, Step, replace, replace_in};
use super::floats::Floats;
use super::reader::Reader;

/// The maximum size of a value that is sent, in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// The values that a program shows next to a tick, some of which pages can edit. Passed to the function of [`Watched::show_mut`](crate::Watched::show_mut).
pub struct Values {
    edits: Vec<Edit>,
    /// The members of a JSON object.
    shown: String,
    editable: Vec<Path>,
}

impl Values {
    pub(crate) fn new(edits: Vec<Edit>) -> Self {
        Self { edits, shown: String::new(), editable: Vec::new() }
    }

    /// Shows a value under a name. Pages cannot edit it.
    pub fn show<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> &mut Self {
        self.member(name, &text(value));
        self
    }

    /// Shows a value under a name, and applies the edits of pages. An edit replaces the value or a part of it, for example a field of a struct.
    ///
    /// The value is serialized, changed and deserialized. Fields that serde skips get their default values: pass the editable parts instead of the
    /// whole.
    pub fn edit<T: Editable + ?Sized>(&mut self, name: &str, value: &mut T) -> &mut Self {
        for edit in self.edits_of(name) {
            let _ = edit.answer.set(replace(value, &edit.path[1..], &edit.value));
        }
        self.editable.push(vec![name.into()]);
        self.show(name, value)
    }

    /// Shows the variables of a board under a name, and applies the edits of pages. Variables whose keys were created with
    /// [`Key::saved`](bt_core::board::Key::saved) can be edited. The others are formatted with `Debug`.
    pub fn board(&mut self, name: &str, board: &mut Board) -> &mut Self {
        for edit in self.edits_of(name) {
            let _ = edit.answer.set(set_variable(board, &edit.path[1..], &edit.value));
        }
        let mut variables = self::board(board);
        if let Value::Object(variables) = &mut variables {
            for line in lines(board) {
                let shown = line.shown();
                if let Some(value) = line.value() {
                    variables.insert(shown.clone(), serde_json::from_str(&text(value)).unwrap_or_default());
                }
                self.editable.push(vec![name.into(), Step::Name(shown)]);
            }
        }
        self.show(name, &variables)
    }

    /// Returns the edits of the value with this name, and removes them from the list.
    fn edits_of(&mut self, name: &str) -> Vec<Edit> {
        let is_of = |edit: &mut Edit| edit.path.first() == Some(&name.into());
        self.edits.extract_if(.., is_of).collect()
    }

    fn member(&mut self, name: &str, value: &str) {
        let comma = if self.shown.is_empty() { "" } else { "," };
        let _ = write!(self.shown, "{comma}{}:{value}", Value::String(name.to_owned()));
    }

    /// Returns all values as JSON, and those that pages can edit. Rejects the edits of other values.
    pub(crate) fn finish(self) -> (String, Vec<Path>) {
        for edit in self.edits {
            let _ = edit.answer.set(Err("the program does not let pages edit this value".to_owned()));
        }
        let shown = format!("{{{}}}", self.shown);
        let shown = if shown.len() > MAX_BYTES { too_large(shown.len()) } else { shown };
        (shown, self.editable)
    }
}

/// A variable of a board that can be saved.
struct Line(Vec<(Data, Data)>);

impl Line {
    fn get(&self, field: &str) -> Option<&Data> {
        self.0.iter().find(|(name, _)| name.as_text() == Some(field)).map(|(_, value)| value)
    }

    fn set(&mut self, field: &str, value: Data) {
        if let Some((_, place)) = self.0.iter_mut().find(|(name, _)| name.as_text() == Some(field)) {
            *place = value;
        }
    }

    /// Returns the value, unless the variable is not set.
    fn value(&self) -> Option<&Data> {
        self.get("value").filter(|value| !value.is_null())
    }

    /// Returns the name under which the variable is shown.
    fn shown(&self) -> String {
        let text = |field| self.get(field).and_then(Data::as_text);
        let node = self.get("node").and_then(|node| node.deserialized::<Option<NodeId>>().ok()).flatten();
        let name = text("name").unwrap_or_default();
        let of = text("tree").map(|tree| (tree, node));
        bt_core::board::VariableView { name, of, type_name: "", value: None, changes: None }.to_string()
    }
}

/// Returns the variables of a board that can be saved.
fn lines(board: &Board) -> Vec<Line> {
    let Ok(Data::Array(lines)) = caught(|| Data::serialized(board)) else { return Vec::new() };
    lines.into_iter().filter_map(|line| line.into_map().ok()).map(Line).collect()
}

/// Changes a variable of a board, or a part of it, as loading a save with this variable does.
fn set_variable(board: &mut Board, path: &[Step], value: &Value) -> Result<(), String> {
    let Some((Step::Name(name), path)) = path.split_first() else {
        return Err("a board cannot be replaced as a whole".to_owned());
    };
    let line = lines(board).into_iter().find(|line| line.shown() == *name);
    let mut line = line.ok_or_else(|| format!("`{name}` cannot be edited; help: create its key with `Key::saved`"))?;
    if path.is_empty() && value.is_null() {
        return Err("a variable cannot be unset here".to_owned());
    }
    let mut content = line.get("value").cloned().unwrap_or(Data::Null);
    replace_in(&mut content, path, value)?;
    line.set("value", content);
    let changes = line.get("changes").and_then(|changes| changes.deserialized::<u64>().ok()).unwrap_or(0);
    line.set("changes", changes.saturating_add(1).into());
    caught(|| board.load(Reader::new(Data::Array(vec![Data::Map(line.0)]))))
}

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
            let text = caught(|| Ok::<_, std::fmt::Error>(format!("{value:?}")));
            variables.insert(variable.to_string(), Value::String(text.unwrap_or_else(|error| error)));
        }
    });
    Value::Object(variables)
}

/// Returns a value as JSON, or a message if it is too large or cannot be serialized.
pub(crate) fn text<T: Serialize + ?Sized>(value: &T) -> String {
    let text = match caught(|| serde_json::to_string(&Floats(value))) {
        Ok(text) if text.len() <= MAX_BYTES => return text,
        Ok(text) => return too_large(text.len()),
        Err(error) => format!("cannot be serialized: {error}"),
    };
    Value::String(text).to_string()
}

/// Returns the JSON shown instead of a value of this many bytes.
fn too_large(bytes: usize) -> String {
    Value::String(format!("too large to show: {bytes} bytes")).to_string()
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

    /// A type whose implementations of traits panic.
    #[derive(Clone)]
    struct Broken;

    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            panic!("out of {}", "bounds")
        }
    }

    impl<'de> serde::Deserialize<'de> for Broken {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            panic!("not yet")
        }
    }

    impl std::fmt::Debug for Broken {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            panic!("no form")
        }
    }

    #[test]
    fn a_panic_of_a_shown_type_is_shown_and_goes_no_further() {
        use bt_core::prelude::*;
        const PLAIN: Key<Broken> = Key::new("plain");
        const SAVED: Key<Broken> = Key::saved("saved");
        let mut board = Board::new();
        board.set(&PLAIN, Broken);
        board.set(&SAVED, Broken);
        let (answer, request) = edit("[\"value\"]", 3.into());
        let (other, other_request) = edit("[\"board\",\"saved\"]", 3.into());
        let mut values = super::Values::new(vec![request, other_request]);
        values.edit("value", &mut Broken).show("health", &3).board("board", &mut board);
        let (shown, _) = values.finish();
        let broken = "cannot be serialized: panicked: out of bounds";
        let expected = format!(
            r#"{{"value":"{broken}","health":3,"board":{{"plain":"panicked: no form","saved":"panicked: no form"}}}}"#
        );
        assert_eq!(shown, expected);
        assert_eq!(answer.get(), Some(&Err(broken.to_owned())));
        assert!(other.get().is_some_and(Result::is_err));
    }

    fn edit(values: &str, value: serde_json::Value) -> (crate::values::Answer, crate::values::Edit) {
        let answer = crate::values::Answer::default();
        let path = serde_json::from_str(values).expect("a path");
        (answer.clone(), crate::values::Edit { path, value, answer })
    }

    #[test]
    fn edits_are_applied_to_values_and_to_variables_of_boards() {
        use bt_core::prelude::*;
        const HUNGER: Key<f32> = Key::saved("hunger");
        const SEEN: Key<u32> = Key::new("seen");
        let mut board = Board::new();
        board.set(&HUNGER, f32::NAN);
        board.set(&SEEN, 3);
        let mut health = 10_u8;
        let mut act = |requests: &[(&str, serde_json::Value)]| {
            let (answers, edits): (Vec<_>, Vec<_>) =
                requests.iter().map(|(path, value)| edit(path, value.clone())).unzip();
            let mut values = super::Values::new(edits);
            values.show("name", "Ann").edit("health", &mut health).board("board", &mut board);
            let (shown, editable) = values.finish();
            let answers: Vec<_> = answers.iter().map(|answer| answer.get().cloned().expect("an answer")).collect();
            (shown, serde_json::to_string(&editable).expect("JSON"), answers)
        };
        let (shown, editable, _) = act(&[]);
        assert_eq!(shown, r#"{"name":"Ann","health":10,"board":{"hunger":"NaN","seen":"3"}}"#);
        assert_eq!(editable, r#"[["health"],["board","hunger"]]"#);
        let (shown, _, answers) = act(&[
            ("[\"health\"]", 9.into()),
            ("[\"board\",\"hunger\"]", 0.5.into()),
            ("[\"board\",\"seen\"]", 4.into()),
            ("[\"name\"]", "Bob".into()),
            ("[\"health\"]", 300.into()),
            ("[\"board\"]", 1.into()),
            ("[\"board\",\"hunger\"]", "much".into()),
            ("[\"board\",\"hunger\"]", serde_json::Value::Null),
        ]);
        assert_eq!(shown, r#"{"name":"Ann","health":9,"board":{"hunger":0.5,"seen":"3"}}"#);
        let errors: Vec<_> = answers.into_iter().map(Result::err).collect();
        assert_eq!(errors[..2], [None, None]);
        let text = |index: usize| errors[index].clone().expect("an error");
        assert_eq!(text(2), "`seen` cannot be edited; help: create its key with `Key::saved`");
        assert_eq!(text(3), "the program does not let pages edit this value");
        assert!(text(4).contains("expected u8"), "{}", text(4));
        assert_eq!(text(5), "a board cannot be replaced as a whole");
        assert_eq!(text(6), "expected a number, found `much`");
        assert_eq!(text(7), "a variable cannot be unset here");
        assert_eq!(board.changes(&HUNGER), 2, "a change by a page counts");
    }
}
