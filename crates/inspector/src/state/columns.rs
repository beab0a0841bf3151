//! What the lists of agents show of each agent besides its status: values, and for how long something has been so.
//!
//! The program evaluates it only for the columns that a page shows, and only when a page has asked for it, a few times per second.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::expression::Expression;

/// The maximum number of columns of all pages.
pub(crate) const MAX_COLUMNS: usize = 32;
/// The maximum length of the value in a column, in characters.
const MAX_CELL: usize = 200;

/// What the pages show of the agents. It is replaced when a page shows other columns.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Columns {
    /// The values.
    pub(crate) values: Vec<Expression>,
    /// The nodes whose last visits are shown, each as the key of the first version of its tree and its lasting number.
    pub(crate) visits: Vec<(usize, u32)>,
    /// Whether it is shown for how many ticks nodes have been running.
    pub(crate) runs: bool,
}

impl Columns {
    /// Adds the columns of another page.
    pub(crate) fn add(&mut self, other: &Self) {
        let values = other.values.iter().filter(|value| !self.values.contains(value)).cloned().collect::<Vec<_>>();
        self.values.extend(values);
        let visits = other.visits.iter().filter(|visit| !self.visits.contains(visit)).copied().collect::<Vec<_>>();
        self.visits.extend(visits);
        self.runs |= other.runs;
    }

    /// Returns the number of columns that cost something for each agent.
    pub(crate) fn count(&self) -> usize {
        self.values.len() + self.visits.len()
    }

    /// Returns whether every tick of an agent has to be observed.
    pub(crate) fn tracks(&self) -> bool {
        self.runs || !self.visits.is_empty()
    }
}

/// The values in the columns of an agent, when it was asked for them last.
#[derive(Default)]
pub(crate) struct Cells {
    columns: Arc<Columns>,
    values: Vec<Cell>,
    /// The number of ticks of the agent.
    ticks: u64,
    /// The last values of an agent of a recording.
    recorded: Option<Value>,
}

/// A value, and the number of ticks since it has changed.
#[derive(Clone, Debug)]
struct Cell {
    value: Value,
    /// The number of ticks of the agent when the value was first like this.
    since: u64,
}

impl Cells {
    /// Evaluates the columns after a tick.
    pub(crate) fn update(&mut self, columns: &Arc<Columns>, shown: &Value, ticks: u64) {
        let before = std::mem::take(self);
        let values = columns.values.iter().map(|expression| {
            let value = shortened(expression.evaluate(shown));
            match before.of(expression) {
                Some(cell) if cell.value == value => cell.clone(),
                _ => Cell { value, since: ticks },
            }
        });
        *self = Self { values: values.collect(), columns: Arc::clone(columns), ticks, recorded: None };
    }

    /// Sets the last values of an agent of a recording.
    pub(super) fn set_shown(&mut self, values: Map<String, Value>) {
        self.recorded = Some(Value::Object(values));
    }

    pub(super) fn recorded(&self) -> Option<&Value> {
        self.recorded.as_ref()
    }

    fn of(&self, expression: &Expression) -> Option<&Cell> {
        let index = self.columns.values.iter().position(|other| other == expression)?;
        self.values.get(index)
    }

    pub(crate) fn value(&self, expression: &Expression) -> Option<Value> {
        let recorded = self.recorded.as_ref().map(|values| shortened(expression.evaluate(values)));
        recorded.or_else(|| self.of(expression).map(|cell| cell.value.clone()))
    }

    /// Returns the number of ticks since the value has changed, as far as it was asked for.
    pub(crate) fn unchanged(&self, expression: &Expression) -> Option<u64> {
        self.of(expression).map(|cell| self.ticks.saturating_sub(cell.since))
    }
}

/// Replaces a large value by its start as text.
fn shortened(value: Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
        Value::String(text) => start(&text).map_or(Value::String(text), Value::String),
        Value::Array(_) | Value::Object(_) => start(&value.to_string()).map_or(value, Value::String),
    }
}

/// Returns the start of a text; `None` if the text is short.
fn start(text: &str) -> Option<String> {
    let (end, _) = text.char_indices().nth(MAX_CELL)?;
    Some(format!("{}…", &text[..end]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cell_counts_since_its_value_has_changed() {
        let parse = |text: &str| Expression::parse(text).expect("it is valid");
        let columns = |texts: &[&str]| {
            Arc::new(Columns { values: texts.iter().map(|text| parse(text)).collect(), ..Columns::default() })
        };
        let mut cells = Cells::default();
        cells.update(&columns(&["hp"]), &json!({ "hp": 3 }), 5);
        cells.update(&columns(&["hp"]), &json!({ "hp": 3 }), 9);
        let cell = |cells: &Cells, text| {
            let expression = parse(text);
            (cells.value(&expression), cells.unchanged(&expression))
        };
        assert_eq!(cell(&cells, "hp"), (Some(json!(3)), Some(4)));
        cells.update(&columns(&["name", "hp"]), &json!({ "hp": 3 }), 12);
        assert_eq!(cell(&cells, "hp"), (Some(json!(3)), Some(7)), "another column does not matter");
        assert_eq!(cell(&cells, "name"), (Some(json!(null)), Some(0)));
        cells.update(&columns(&["hp"]), &json!({ "hp": 4 }), 20);
        assert_eq!(cell(&cells, "hp"), (Some(json!(4)), Some(0)));
        assert_eq!(cell(&cells, "name"), (None, None));
    }

    #[test]
    fn large_values_are_shortened() {
        let value = shortened(json!(["ä".repeat(300)]));
        let text = value.as_str().expect("it is text");
        assert!(text.starts_with("[\"ää") && text.ends_with("ä…") && text.chars().count() == MAX_CELL + 1, "{text}");
        assert_eq!(shortened(json!({ "x": 1 })), json!({ "x": 1 }));
    }
}
