//! The words that the Behavior3 editor lacks, as nodes for its palette.

use bt_words::{Bound, Family, ParamType, Word};
use serde_json::{Map, Value, json};

use crate::format::CustomNode;

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
    let row = word.row();
    CustomNode::declare(row.name, category(row.family), row.doc, properties(word))
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

/// Returns the category of a family in the editor.
const fn category(family: Family) -> &'static str {
    match family {
        Family::Composite | Family::Machine => "composite",
        Family::Decorator | Family::State => "decorator",
        Family::Leaf => "action",
    }
}

/// Returns the properties of a new node of a word.
fn properties(word: Word) -> Map<String, Value> {
    let params = word.row().params.iter().filter(|param| param.required || !matches!(param.ty, ParamType::Leaf(_)));
    let value = |ty| match ty {
        ParamType::Times | ParamType::Runs => json!(1),
        ParamType::Time => json!(1000),
        ParamType::Probability => json!(0.5),
        ParamType::Threshold(Bound::All) => json!("all"),
        ParamType::Threshold(Bound::One) => json!("one"),
        ParamType::Weights => Value::Null,
        ParamType::Bonus => json!(0),
        ParamType::Leaf(_) | ParamType::Name | ParamType::Value => json!(""),
        ParamType::Transitions | ParamType::Scores | ParamType::Cases => json!([]),
    };
    params.map(|param| (param.name.to_owned(), value(param.ty))).collect()
}
