//! How names and values are written: as Rust, or as the text of a file.

use std::time::Duration;

use bt_words::{ParamType, Role, Word, is_file_name, is_identifier, is_keyword, nearest, peer};
use serde_json::Value;

use crate::amount::Amount;
use crate::args::Arg;
use crate::checked::Node;
use crate::kind::NodeKind;
use crate::source::{Scalar, Source, variable};
use crate::transition::{Transition, When, is_end};

/// Words with a meaning in the text of a tree, which are no words of Rust or of files: a name that is the same is written as `r#name`.
const SYNTAX: [&str; 9] = ["and", "elif", "else", "elseif", "elsif", "not", "or", "tree", "within"];

/// How a tree is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// As the content of `tree!`, with names in the style of Rust.
    Rust,
    /// As the text of a file, with the names as they are.
    File,
}

impl Notation {
    /// Returns the name of a state.
    pub(crate) fn ident(self, name: &str) -> String {
        match self {
            Self::Rust => rust_ident(name),
            Self::File => path(name),
        }
    }

    /// Returns the name of a leaf, a decorator, a composite or a value.
    pub(crate) fn own_name(self, name: &str) -> String {
        match self {
            Self::Rust => rust_name(name),
            Self::File => path(name),
        }
    }

    /// Returns the keyword of a `match` and what it evaluates. In Rust, one of a variable is a function call that has the cases as arguments.
    pub(crate) fn selection(self, word: Word, value: &Source, cases: &[Scalar]) -> String {
        match (self, value) {
            (Self::Rust, Source::Variable(name)) => {
                let cases: Vec<_> = cases.iter().map(|case| format!("{case}.into()")).collect();
                format!("bt_core::file::{}_variable({name:?}, [{}])", word.name(), cases.join(", "))
            }
            (_, value) => format!("{} {}", word.name(), self.source(value)),
        }
    }

    /// Returns a value that a node reads.
    pub(crate) fn source(self, source: &Source) -> String {
        match (self, source) {
            (_, Source::Number(number)) => format!("{number:?}"),
            (Self::File, Source::Registered(name)) if !is_path(name) => format!("{name:?}"),
            (_, Source::Registered(name)) => self.own_name(name),
            (Self::Rust, Source::Variable(name)) => format!("bt_core::file::variable({name:?})"),
            (Self::File, Source::Variable(name)) => file_variable(name),
        }
    }

    /// Returns an argument as written between a keyword and its children; `None` if it is written elsewhere.
    pub(crate) fn argument(self, name: &str, ty: ParamType, arg: &Arg) -> Option<String> {
        match arg {
            Arg::Number(times) => Some(self.amount(times, ToString::to_string)),
            Arg::Time(time) => Some(self.amount(time, |time| self.duration(*time))),
            Arg::Probability(probability) => Some(self.amount(probability, |probability| format!("{probability:?}"))),
            Arg::Threshold(_, Some(bound)) => Some(format!("{name} = {}", bound.name())),
            Arg::Threshold(threshold, None) => Some(format!("{name} = {threshold}")),
            Arg::Leaf(_, leaf) if ty == ParamType::Leaf(Role::Service) => Some(self.own_name(leaf)),
            Arg::Bonus(bonus) => Some(format!("{name} = {bonus:?}")),
            Arg::Leaf(..)
            | Arg::Weights(_)
            | Arg::Scores(_)
            | Arg::Value(_)
            | Arg::Cases(_)
            | Arg::Transitions(_)
            | Arg::Name(_) => None,
        }
    }

    /// Returns a number or time.
    fn amount<T>(self, amount: &Amount<T>, write: impl Fn(&T) -> String) -> String {
        match amount {
            Amount::Fixed(value) => write(value),
            Amount::Range(least, most) => format!("{}..={}", write(least), write(most)),
            Amount::Read(from) => self.source(from),
        }
    }

    fn duration(self, time: Duration) -> String {
        let (seconds, millis, nanos) = (time.as_secs(), time.as_millis(), time.as_nanos());
        if time == Duration::from_secs(seconds) {
            format!("secs({seconds})")
        } else if Some(time) == u64::try_from(millis).ok().map(Duration::from_millis) {
            format!("millis({millis})")
        } else {
            match self {
                Self::Rust => format!("Duration::from_nanos({nanos})"),
                Self::File => format!("{nanos}ns"),
            }
        }
    }

    /// Returns a custom node.
    pub(crate) fn own(self, node: &Node) -> String {
        match self {
            Self::Rust => rust_node(node),
            Self::File => called(&path(node.name()), node),
        }
    }

    /// Returns a transition.
    pub(crate) fn transition(self, transition: &Transition) -> String {
        let on = match &transition.on {
            When::Leaf { name, negated } => format!("{}{}", if *negated { "!" } else { "" }, self.own_name(name)),
            ended => ended.to_string(),
        };
        let to = if is_end(&transition.to) { transition.to.clone() } else { self.ident(&transition.to) };
        format!("{on} -> {to}")
    }
}

/// Returns `true` if a text of a tree can contain this name: a path of Rust.
pub fn is_path(name: &str) -> bool {
    let is_word = |word: &str| {
        is_identifier(word) || is_keyword(word) && !["self", "super", "crate", "Self", "_"].contains(&word)
    };
    name.split("::").all(is_word)
}

/// Returns a name as a path of Rust.
pub fn path(name: &str) -> String {
    let word = |word: &str| {
        if is_keyword(word) || SYNTAX.contains(&word) { format!("r#{word}") } else { word.to_owned() }
    };
    name.split("::").map(word).collect::<Vec<_>>().join("::")
}

/// Returns a node of a file by its name in the text, with its properties as arguments. The properties `1`, `2` and so on are those of a text
/// whose arguments have no names.
pub(crate) fn called(name: &str, node: &Node) -> String {
    let properties = node.properties();
    let is_tree = matches!(node.kind, NodeKind::Tree(_));
    let values = (1_usize..).map_while(|position| properties.get(&position.to_string()).filter(|_| !is_tree));
    let unnamed: Vec<_> = values.map(file_value).collect();
    let is_named =
        |name: &str| !name.parse().is_ok_and(|at| (1..=unnamed.len()).contains(&at) && at.to_string() == name);
    let named = node.properties_in_order().into_iter().filter(|(name, _)| is_named(name));
    let named = named.map(|(name, value)| argument(name, value));
    call(name, unnamed.iter().cloned().chain(named))
}

/// Returns a name with arguments, if there are any.
pub fn call(name: impl Into<String>, arguments: impl IntoIterator<Item = String>) -> String {
    let (name, arguments) = (name.into(), Vec::from_iter(arguments));
    if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(", ")) }
}

/// Returns a property as an argument with its name.
pub(crate) fn argument(name: &str, value: &Value) -> String {
    format!("{} = {}", field_name(name), file_value(value))
}

/// Returns the name of an argument or a field.
pub fn field_name(name: &str) -> String {
    if is_path(name) && !name.contains("::") { path(name) } else { format!("{name:?}") }
}

/// Returns a value in the text of a file.
pub fn file_value(value: &Value) -> String {
    match value {
        Value::String(text) => variable(text).map_or_else(|| format!("{text:?}"), file_variable),
        Value::Array(values) => format!("[{}]", values.iter().map(file_value).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| format!("{}: {}", field_name(name), file_value(value));
            format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn file_variable(name: &str) -> String {
    if is_identifier(name) { format!("var({name})") } else { format!("var({name:?})") }
}

/// Returns a custom node in Rust. Before children, `tree!` takes a name near a keyword, or a keyword of another library, for a mistake.
fn rust_node(node: &Node) -> String {
    let mut name = rust_name(node.name());
    let keywords = Word::ALL.iter().filter(|word| word.is_keyword()).map(|word| word.name());
    if !node.children.is_empty()
        && !name.contains("::")
        && (peer(&name).is_some() || nearest(&name, keywords).is_some())
    {
        name.insert_str(0, "self::");
    }
    if node.properties().is_empty() {
        return name;
    }
    let fields: Vec<_> = node.properties().iter().map(|(name, value)| field(name, value)).collect();
    let fields = fields.join(", ");
    if node.children.is_empty() {
        return format!("({name} {{ {fields} }})");
    }
    match node.properties().iter().next().filter(|_| node.properties().len() == 1) {
        Some((of, only)) => format!("{name}({})", literal(of, only)),
        // A file does not state the order of a function's parameters.
        None => format!("{name}({} {{ {fields} }})", camel(node.name())),
    }
}

/// Returns a value as Rust. A reference to a variable becomes the name of its key. The conversions fit parameters of the types `&str` and `String`, and
/// parameters that are a value or a key. A list fits arrays and `Vec`, and an object a struct that is named after its property.
fn literal(name: &str, value: &Value) -> String {
    match value {
        Value::String(text) => match variable(text) {
            Some(key) => format!("{}.into()", snake(key).to_uppercase()),
            None => format!("{text:?}.into()"),
        },
        Value::Array(values) => {
            format!("[{}].into()", values.iter().map(|value| literal(name, value)).collect::<Vec<_>>().join(", "))
        }
        Value::Object(fields) => {
            let fields: Vec<_> = fields.iter().map(|(name, value)| field(name, value)).collect();
            format!("{} {{ {} }}", camel(name), fields.join(", "))
        }
        Value::Null => "None".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn field(name: &str, value: &Value) -> String {
    format!("{}: {}", rust_ident(name), literal(name, value))
}

/// Returns a name in the style of Rust functions: `any_around` for `AnyAround`. Keeps paths.
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

/// Returns the same as a valid Rust identifier.
fn rust_ident(name: &str) -> String {
    let snake = snake(name);
    match snake.as_str() {
        "self" | "super" | "crate" | "_" | "" | "success" | "failure" => format!("{snake}_"),
        word if is_keyword(word) => format!("r#{word}"),
        _ => snake,
    }
}

/// Returns the name of the user's function, which must not be a word of `tree!`.
fn rust_name(name: &str) -> String {
    let ident = rust_ident(name);
    if is_file_name(&ident) { format!("{ident}_") } else { ident }
}

/// Returns a name in the style of Rust types.
fn camel(name: &str) -> String {
    let snake = snake(name.rsplit("::").next().unwrap_or(name));
    let parts = snake.split('_').map(|part| {
        let mut signs = part.chars();
        signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
    });
    parts.collect()
}
