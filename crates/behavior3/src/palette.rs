//! The nodes that an editor offers: the words, each with its parameters, and the leaves, decorators and composites of a program.
//!
//! ```
//! let words = bt_behavior3::palette::entries();
//! let cooldown = words.iter().find(|entry| entry.name == "cooldown").unwrap();
//! assert_eq!((&*cooldown.insert, &*cooldown.group), ("cooldown(secs(1))", "words"));
//! assert_eq!(cooldown.params[0].unit.as_deref(), Some("s"));
//! ```

use bt_words::{Arity, Bound, Family, FileForm, ParamType, Role, Row, Word, Written};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::format::CustomNode;
use crate::notation::{call, field_name, file_value, path};

/// The group of the words.
const WORDS: &str = "words";

/// A node that an editor offers.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[non_exhaustive]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Entry {
    /// Its name: a word of `tree!`, or the name under which the program registers it.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Whether it is a condition: a leaf that only reads the context.
    pub is_condition: bool,
    /// Where it comes from: `words`, or the module of the program.
    pub group: String,
    /// Its documentation.
    pub doc: String,
    /// A new node, without children, as the text of a tree: `cooldown(secs(1))`, `goto(speed = 1)`. It has the parameters that are required.
    pub insert: String,
    /// Its parameters.
    pub params: Vec<Param>,
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "EntryKind"))]
pub enum Kind {
    /// It has children.
    Composite,
    /// It has one child.
    Decorator,
    /// It has no children.
    Leaf,
    /// It chooses one of its children: `if`, `match`.
    Choice,
    /// A state machine.
    Machine,
    /// A state of a machine.
    State,
}

/// A parameter of a node: an argument in `tree!` and in texts, a property in files of the editor.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub ty: Type,
    /// The unit of measurement, if there is one.
    pub unit: Option<String>,
    /// The value of a new node as text, if it is known: `secs(1)`. That of an optional parameter is its default.
    pub default: Option<String>,
    /// Whether a node must have it.
    pub required: bool,
    /// The least number.
    pub min: Option<f64>,
    /// The greatest number.
    pub max: Option<f64>,
    /// The names of its values. Numbers are possible too if the type is a number.
    pub choices: Vec<String>,
    /// Its documentation.
    pub doc: String,
    /// The value of a new node of the Behavior3 editor; `None` if a new node does not have the property.
    #[serde(skip)]
    pub property: Option<Value>,
}

/// The type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Type {
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A number from 0 to 1.
    Probability,
    /// A duration.
    Time,
    /// `true` or `false`.
    Boolean,
    /// One of several names.
    Choice,
    /// Text.
    Text,
    /// The name of a variable.
    Variable,
    /// A list.
    List,
    /// Anything else: the name of a leaf, of a registered value or of a state; in a `tree!`, an expression of Rust.
    Expression,
}

impl Type {
    /// Returns some value of this type, as text.
    const fn example(self) -> &'static str {
        match self {
            Self::Integer => "1",
            Self::Number => "1.0",
            Self::Probability => "0.5",
            Self::Time => "secs(1)",
            Self::Boolean => "true",
            Self::Choice | Self::Text => "\"\"",
            Self::Variable => "var(name)",
            Self::List => "[]",
            Self::Expression => "0",
        }
    }
}

impl Param {
    /// Returns a parameter without a default.
    pub fn new(name: &str, ty: Type) -> Self {
        Self {
            name: name.to_owned(),
            ty,
            unit: None,
            default: None,
            required: true,
            min: None,
            max: None,
            choices: Vec::new(),
            doc: String::new(),
            property: Some(json!("")),
        }
    }

    /// Makes the parameter optional, with this default.
    #[must_use]
    pub fn with_default(self, default: Value) -> Self {
        Self { required: false, default: Some(file_value(&default)), property: Some(default), ..self }
    }

    /// Returns the value of a new node, as text.
    pub fn initial(&self) -> String {
        match (&self.default, self.choices.first()) {
            (Some(default), _) => default.clone(),
            (None, Some(choice)) => format!("{choice:?}"),
            (None, None) => self.ty.example().to_owned(),
        }
    }
}

impl Entry {
    /// Returns an entry for a node of the program.
    pub fn new(name: &str, kind: Kind, group: &str, doc: &str, params: Vec<Param>) -> Self {
        let required = params.iter().filter(|param| param.required);
        let written = required.map(|param| format!("{} = {}", field_name(&param.name), param.initial()));
        let insert = call(path(name), written);
        let (name, group, doc) = (name.to_owned(), group.to_owned(), doc.to_owned());
        Self { name, kind, is_condition: false, group, doc, insert, params }
    }

    /// Returns the entry of a word.
    fn of(word: Word) -> Self {
        let row = word.row();
        let params: Vec<_> = row.params.iter().map(Param::of).collect();
        let written = row.params.iter().zip(&params).filter_map(|(row, param)| argument(row, param));
        let insert = call(row.name, written) + &behind(row);
        Self { insert, ..Self::new(row.name, kind(row), WORDS, row.doc, params) }
    }

    /// Returns the entry of a word under its name in Behavior3.
    fn of_behavior3(word: Word, form: FileForm) -> Self {
        let row = word.row();
        let param = |(index, row_param): (usize, &bt_words::Param)| {
            let param = Param { name: form.property(row, index).to_owned(), ..Param::of(row_param) };
            match row_param.ty {
                ParamType::Time => {
                    let (ty, unit) = (Type::Integer, Some("ms".to_owned()));
                    Param { ty, unit, default: param.property.as_ref().map(file_value), ..param }
                }
                _ => param,
            }
        };
        let params = row.params.iter().enumerate().map(param).collect();
        Self::new(form.name, kind(row), WORDS, row.doc, params)
    }

    /// Returns the declaration of the node for the Behavior3 editor.
    pub fn declaration(&self) -> CustomNode {
        let category = match self.kind {
            Kind::Composite | Kind::Choice | Kind::Machine => "composite",
            Kind::Decorator | Kind::State => "decorator",
            Kind::Leaf if self.is_condition => "condition",
            Kind::Leaf => "action",
        };
        let properties = self.params.iter().filter_map(|param| Some((param.name.clone(), param.property.clone()?)));
        CustomNode::declare(&self.name, category, &self.doc, properties.collect())
    }
}

/// Returns an entry for each word of `tree!`, also for those that Behavior3 has under another name.
pub fn entries() -> Vec<Entry> {
    Word::ALL.iter().map(|word| Entry::of(*word)).collect()
}

/// Returns an entry for each word under the name that it has in files of the Behavior3 editor, whose times are in milliseconds.
///
/// ```
/// let words = bt_behavior3::palette::entries_of_files();
/// let wait = words.iter().find(|entry| entry.name == "Wait").unwrap();
/// assert_eq!(wait.insert, "Wait(milliseconds = 1000)");
/// assert!(words.iter().all(|entry| entry.name != "wait") && words.iter().any(|entry| entry.name == "cooldown"));
/// ```
pub fn entries_of_files() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for word in Word::ALL {
        let entry = word.behavior3().map_or_else(|| Entry::of(*word), |form| Entry::of_behavior3(*word, form));
        // With and without a number, it is one node of the editor.
        match entries.iter_mut().find(|known| known.name == entry.name) {
            Some(known) if known.params.is_empty() => {
                known.params = entry.params.into_iter().map(|param| Param { required: false, ..param }).collect();
            }
            Some(_) => {}
            None => entries.push(entry),
        }
    }
    entries
}

/// Returns a node for each word of `tree!` that Behavior3 lacks, with its properties and one line of documentation, for the palette of the editor.
///
/// ```
/// let palette = bt_behavior3::palette();
/// let cooldown = palette.iter().find(|node| node.name == "cooldown").unwrap();
/// assert_eq!(cooldown.category(), Some("decorator"));
/// assert_eq!(cooldown.properties["time"], 1000);
/// assert!(palette.iter().all(|node| node.name != "selector")); // the editor's `Priority`
/// ```
pub fn palette() -> Vec<CustomNode> {
    let words = Word::ALL.iter().filter(|word| word.behavior3().is_none());
    words.map(|word| declaration(*word)).collect()
}

/// Returns the declaration of a word for the editor.
pub fn declaration(word: Word) -> CustomNode {
    Entry::of(word).declaration()
}

impl CustomNode {
    /// Declares a node for the editor, with a title that shows its properties.
    pub fn declare(name: &str, category: &str, description: &str, properties: Map<String, Value>) -> Self {
        let shown: Vec<_> = properties.keys().map(|name| format!(" <{name}>")).collect();
        let shown = shown.concat();
        let more = [
            ("version", json!("0.3.0")),
            ("scope", json!("node")),
            ("category", json!(category)),
            ("title", json!(format!("{name}{shown}"))),
            ("description", json!(description)),
            ("parent", Value::Null),
        ];
        let more = more.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { name: name.to_owned(), properties, more }
    }
}

fn kind(row: &Row) -> Kind {
    let has_cases = row.param(ParamType::Cases).is_some();
    match (row.family, row.arity()) {
        (Family::Composite, Arity::Branches) => Kind::Choice,
        (Family::Composite, _) if has_cases => Kind::Choice,
        (Family::Composite, _) => Kind::Composite,
        (Family::Decorator, _) => Kind::Decorator,
        (Family::Leaf, _) => Kind::Leaf,
        (Family::Machine, _) => Kind::Machine,
        (Family::State, _) => Kind::State,
    }
}

impl Param {
    /// Returns a parameter of a word.
    fn of(row: &bt_words::Param) -> Self {
        let of = |ty, property, doc: &str| {
            let property = Some(property).filter(|_| row.required || !matches!(row.ty, ParamType::Leaf(_)));
            Self { required: row.required, property, doc: doc.to_owned(), ..Self::new(row.name, ty) }
        };
        let from = |min, param| Self { min: Some(min), ..param };
        let starting = |default: &str, param| Self { default: Some(default.to_owned()), ..param };
        match row.ty {
            ParamType::Times => {
                starting("1", from(1.0, of(Type::Integer, json!(1), "The number of times the child is started.")))
            }
            ParamType::Runs => {
                let doc = "The number of times the child is started in the lifetime of the agent.";
                starting("1", from(1.0, of(Type::Integer, json!(1), doc)))
            }
            ParamType::Time => {
                let param = of(Type::Time, json!(1000), "A time.");
                starting("secs(1)", from(0.0, Self { unit: Some("s".to_owned()), ..param }))
            }
            ParamType::Probability => {
                let param = of(Type::Probability, json!(0.5), "A probability.");
                starting("0.5", from(0.0, Self { max: Some(1.0), ..param }))
            }
            ParamType::Threshold(bound) => {
                let default = bound.name();
                let doc = "The number of children that decide: `all`, `one` or a number.";
                let choices = Bound::ALL.map(|bound| bound.name().to_owned()).to_vec();
                starting(default, from(1.0, Self { choices, ..of(Type::Integer, json!(default), doc) }))
            }
            ParamType::Weights => of(Type::List, Value::Null, "A positive number for each child, 1 by default."),
            ParamType::Scores => of(Type::List, json!([]), "A score for each child: a number or a value."),
            ParamType::Cases => of(Type::List, json!([]), "A value for each child except the last."),
            ParamType::Bonus => {
                starting("0", from(0.0, of(Type::Number, json!(0), "A bonus for the score of the running child.")))
            }
            ParamType::Value => of(Type::Expression, json!(""), "A function of the context, or a variable."),
            ParamType::Leaf(role) => {
                let doc = match role {
                    Role::Service => "The leaf that is ticked.",
                    Role::Enter => "The leaf that is ticked when the state is entered.",
                    Role::Exit => "The leaf that is ticked when the state is left.",
                    _ => "The leaf.",
                };
                of(Type::Expression, json!(""), doc)
            }
            ParamType::Transitions => of(Type::List, json!([]), "Transitions, such as `enemy_near -> fight`."),
            ParamType::Name => of(Type::Expression, json!(""), "The name."),
        }
    }
}

/// Returns an argument of a new node of a word as it is written in parentheses; `None` if it is optional or written elsewhere.
fn argument(row: &bt_words::Param, param: &Param) -> Option<String> {
    let written = match row.ty.written() {
        Written::Expression => param.initial(),
        Written::Node => row.example.to_owned(),
        Written::Option => format!("{} = {}", row.name, param.initial()),
        Written::BeforeChildren | Written::InState | Written::InMatch => return None,
    };
    row.required.then_some(written)
}

/// Returns what a new node of a word has after its name without parentheses: what a `match` evaluates, the name of a state.
fn behind(row: &Row) -> String {
    let is_behind = |param: &&bt_words::Param| matches!(param.ty, ParamType::Value | ParamType::Name);
    row.params.iter().find(is_behind).map(|param| format!(" {}", param.example)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_has_an_entry_with_all_its_parameters() {
        let entries = entries();
        assert_eq!(entries.len(), Word::ALL.len());
        for (entry, word) in entries.iter().zip(Word::ALL) {
            assert_eq!((&*entry.name, &*entry.doc), (word.name(), word.row().doc));
            let names: Vec<_> = entry.params.iter().map(|param| &*param.name).collect();
            assert_eq!(names, word.row().params.iter().map(|param| param.name).collect::<Vec<_>>());
            assert!(entry.params.iter().all(|param| !param.doc.is_empty()));
        }
        let inserts: Vec<_> = entries.iter().map(|entry| &*entry.insert).collect();
        for insert in [
            "sequence",
            "selector",
            "if",
            "match mood",
            "machine",
            "state idle",
            "repeat",
            "repeat(1)",
            "limit(1)",
            "parallel",
            "utility_selector",
            "random_selector",
            "chance(0.5)",
            "wait(secs(1))",
            "succeed",
            "service(secs(1), look_around)",
        ] {
            assert!(inserts.contains(&insert), "{insert}: {inserts:?}");
        }
    }

    #[test]
    fn the_json_is_that_of_the_protocol() {
        let entries = entries();
        let of = |name: &str| entries.iter().find(|entry| entry.name == name).map(|entry| json!(entry));
        assert_eq!(
            of("chance"),
            Some(json!({
                "name": "chance", "kind": "decorator", "is_condition": false, "group": "words",
                "doc": Word::Chance.row().doc, "insert": "chance(0.5)",
                "params": [{ "name": "probability", "type": "probability", "unit": null, "default": "0.5", "required": true,
                    "min": 0.0, "max": 1.0, "choices": [], "doc": "A probability." }]
            }))
        );
        let own = Entry::new(
            "go to",
            Kind::Leaf,
            "guard",
            "",
            vec![
                Param::new("speed", Type::Integer),
                Param::new("mood", Type::Text).with_default(json!("calm")),
                Param { choices: vec!["North".to_owned()], ..Param::new("door", Type::Choice) },
            ],
        );
        assert_eq!(own.insert, "go to(speed = 1, door = \"North\")");
        assert_eq!(own.declaration().properties["mood"], "calm");
    }
}
