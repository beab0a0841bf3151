//! A tree as `tree!` source.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::check::{Checked, Node};
use crate::properties::variable;
use crate::word::{Arrow, When, Word};

/// A line is not longer than this, if it can be helped.
const WIDTH: usize = 100;

impl Checked {
    /// The tree as it stands in a `tree!`. The user's own nodes are called by their names as Rust would have them: `AnyAround` is `any_around(…)`, with its properties
    /// in the order of the file as arguments.
    pub fn to_rust(&self) -> String {
        self.node(0, 0, "") + "\n"
    }

    fn node(&self, index: usize, indent: usize, weight: &str) -> String {
        let node = &self.nodes[index];
        let head = head(node);
        if node.children.is_empty() {
            return format!("{weight}{head}");
        }
        if let Word::State { name, arrows } = &node.word {
            let mut parts = vec![self.node(node.children[0], indent + 1, "")];
            parts.extend(arrows.iter().map(arrow));
            return format!("state {} {{ {} }}", snake(name), parts.join(", "));
        }
        let weights = match &node.word {
            Word::Random { weights: Some(weights), .. } => {
                weights.iter().map(|weight| format!("{weight} => ")).collect()
            }
            _ => vec![String::new(); node.children.len()],
        };
        if let Word::Invert = node.word
            && node.title.is_none()
        {
            return format!("{weight}!{}", self.node(node.children[0], indent, ""));
        }
        let mut children: Vec<_> =
            node.children.iter().zip(&weights).map(|(child, weight)| self.node(*child, indent + 1, weight)).collect();
        if let Word::Machine { any } = &node.word
            && !any.is_empty()
        {
            let arrows: Vec<_> = any.iter().map(arrow).collect();
            children.push(format!("any {{ {} }}", arrows.join(", ")));
        }
        let line = format!("{weight}{head} {{ {} }}", joined(&children, " "));
        if !line.contains('\n')
            && line.len() + 4 * indent <= WIDTH
            && !children.iter().any(|child| child.ends_with('}'))
        {
            return line;
        }
        let pad = "    ".repeat(indent + 1);
        format!("{weight}{head} {{\n{pad}{}\n{}}}", joined(&children, &format!("\n{pad}")), "    ".repeat(indent))
    }
}

/// Children, with a comma after each that does not end in a brace, but for the last.
fn joined(children: &[String], between: &str) -> String {
    let mut text = String::new();
    for (index, child) in children.iter().enumerate() {
        text += child;
        if index + 1 < children.len() {
            text += if child.ends_with('}') { "" } else { "," };
            text += between;
        }
    }
    text
}

fn head(node: &Node) -> String {
    let mut head = node.word.keyword().map_or_else(|| own(node), str::to_owned);
    let _ = match &node.word {
        Word::RepeatTimes(times) | Word::Retry(times) | Word::Limit(times) => write!(head, "({times})"),
        Word::Timeout(time) | Word::Delay(time) | Word::Cooldown(time) | Word::Wait(time) => {
            write!(head, "({})", duration(*time))
        }
        Word::Service(every, action) => write!(head, "({}, {})", duration(*every), snake(action)),
        Word::Parallel { success, failure, .. } => write!(head, "(success = {success}, failure = {failure})"),
        _ => Ok(()),
    };
    if let Some(title) = &node.title
        && !node.children.is_empty()
    {
        let _ = write!(head, " {title:?}");
    }
    head
}

/// A node of the user's own.
fn own(node: &Node) -> String {
    let name = snake(&node.name);
    if node.properties.is_empty() { name } else { format!("{name}({})", arguments(&node.properties)) }
}

fn arguments(properties: &Map<String, Value>) -> String {
    properties.values().map(literal).collect::<Vec<_>>().join(", ")
}

/// A value as Rust writes it. What refers to a variable is its key's name.
fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => match variable(text) {
            Some(key) => snake(key).to_uppercase(),
            None => format!("{text:?}"),
        },
        Value::Array(values) => format!("&[{}]", values.iter().map(literal).collect::<Vec<_>>().join(", ")),
        value => value.to_string(),
    }
}

/// An arrow, its names as Rust has them.
fn arrow(arrow: &Arrow) -> String {
    let on = match &arrow.on {
        When::Leaf { name, negated } => format!("{}{}", if *negated { "!" } else { "" }, snake(name)),
        ended => ended.to_string(),
    };
    format!("{on} -> {}", snake(&arrow.to))
}

fn duration(time: Duration) -> String {
    let (seconds, millis) = (time.as_secs(), time.as_millis());
    if time == Duration::from_secs(seconds) {
        format!("secs({seconds})")
    } else if Some(time) == u64::try_from(millis).ok().map(Duration::from_millis) {
        format!("millis({millis})")
    } else {
        format!("Duration::from_nanos({})", time.as_nanos())
    }
}

/// A name as Rust writes functions: `AnyAround` is `any_around`. Paths stay paths.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut before = None::<char>;
    for sign in name.chars() {
        let sign = if sign.is_alphanumeric() || sign == ':' { sign } else { '_' };
        if sign.is_uppercase() && before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit()) {
            snake.push('_');
        }
        snake.extend(sign.to_lowercase());
        before = Some(sign);
    }
    if snake.starts_with(|sign: char| sign.is_ascii_digit()) { format!("_{snake}") } else { snake }
}
