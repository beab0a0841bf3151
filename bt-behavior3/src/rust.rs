//! Converts a tree to `tree!` source.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use bt_words::{Arity, Lint, ParamType, Role, Word, is_file_name, is_keyword, nearest, peer};
use serde_json::Value;

use crate::amount::Amount;
use crate::args::Arg;
use crate::checked::{Checked, Node};
use crate::diagnostic::{Diagnostic, Short};
use crate::kind::NodeKind;
use crate::source::{Scalar, Source, variable};
use crate::transition::{Transition, When, is_end};

/// The preferred maximum length of a line.
const WIDTH: usize = 100;

impl Checked {
    /// Returns the tree as the content of a `tree!`. Names of custom nodes are converted to the style of Rust: the leaf `AnyAround` becomes `any_around`, or
    /// `(any_around { kinds: …, radius: … })` with properties, since properties have no order in a file. A decorator becomes a function call: with its only property, or with a
    /// struct of its name, `AnyAround { … }`, if it has several.
    ///
    /// Text is written as `"text".into()`, which fits the types `&str` and `String`, and a list as `[1, 2].into()`, which fits arrays and `Vec`. Numbers are written as in the file. If a parameter is a float and the file has `10`, rustc reports the expected type. A struct or an enum is written as JSON, since the
    /// file does not contain its type. Nested trees are written as their nodes. If [`ambiguous`](Self::ambiguous) returns errors, the result differs from the file.
    pub fn to_rust(&self) -> String {
        self.node(self.inlined(0), 0, "", true) + "\n"
    }

    /// Returns an error for each pair of names in the file that have the same name in Rust.
    ///
    /// ```
    /// use bt_behavior3::{NodeNames, Project, Arity};
    ///
    /// let file = r#"{ "root": "1", "nodes": {
    ///     "1": { "name": "Sequence", "children": ["2", "3"] }, "2": { "name": "walk to" }, "3": { "name": "walk_to" }
    /// } }"#;
    /// let names = NodeNames::new([("walk to", Arity::Zero), ("walk_to", Arity::Zero)]);
    /// let errors = Project::read(file)?.check(None, &names).unwrap().ambiguous();
    /// assert_eq!(errors[0].reason, "`walk to` and `walk_to` are both `walk_to` in Rust");
    /// # Ok::<(), bt_behavior3::ReadError>(())
    /// ```
    pub fn ambiguous(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut own = BTreeMap::new();
        for node in &self.nodes {
            let mut states = BTreeMap::new();
            let of_states = node.children.iter().map(|child| &self.nodes[*child].kind);
            let of_states = of_states.filter(|kind| kind.word() == Some(Word::State)).map(|kind| kind.args().name());
            let of_states: Vec<_> = of_states.filter_map(|name| both(&mut states, ident(name), name)).collect();
            let own_node = (node.kind == NodeKind::Own).then_some(node.name());
            let leaves = own_node.into_iter().chain(node.kind.attached_leaves().map(|leaf| leaf.name));
            let of_leaves = leaves.filter_map(|name| both(&mut own, own_name(name), name));
            diagnostics.extend(of_leaves.chain(of_states).map(|reason| node.diagnostic(reason)));
        }
        diagnostics
    }

    /// Returns the lints that a node allows, and those that the nodes allow of which it is the nested tree.
    fn attributes(&self, mut index: usize) -> String {
        let mut allowed: Vec<&str> = Vec::new();
        loop {
            let node = &self.nodes[index];
            let lints = Lint::ALL.into_iter().filter(|lint| node.allows(*lint)).map(Lint::name);
            allowed.extend(lints.filter(|lint| !allowed.contains(lint)).collect::<Vec<_>>());
            match node.parent.filter(|parent| matches!(self.nodes[*parent].kind, NodeKind::Tree(_))) {
                Some(parent) => index = parent,
                None if allowed.is_empty() => return String::new(),
                None => return format!("#[allow({})] ", allowed.join(", ")),
            }
        }
    }

    /// Returns a node after an expression and `=>`, if it has one; with its title as label if `is_labeled`.
    fn node(&self, index: usize, indent: usize, before: &str, is_labeled: bool) -> String {
        let node = &self.nodes[index];
        let before = &format!("{before}{}", self.attributes(index));
        let below: Vec<_> = node.children.iter().map(|child| self.inlined(*child)).collect();
        let label = node.title.as_ref().filter(|_| is_labeled).map(|title| format!(" {title:?}")).unwrap_or_default();
        let head = head(node) + &label;
        if below.is_empty() {
            return format!("{before}{head}");
        }
        let args = node.kind.args();
        if node.kind.word() == Some(Word::State) {
            let mut parts = vec![self.node(below[0], indent + 1, "", true)];
            parts.extend(transitions(node));
            let hooks = [("enter", Role::Enter), ("exit", Role::Exit)];
            parts.extend(
                hooks.iter().filter_map(|(word, role)| Some(format!("{word}: {}", own_name(args.leaf(*role)?)))),
            );
            return format!("{before}state {} {{ {} }}", ident(args.name()), parts.join(", "));
        }
        let annotations: Vec<_> = match (args.weights(), args.scores(), args.cases()) {
            (Some(weights), ..) => weights.iter().map(|weight| format!("{weight} => ")).collect(),
            (_, Some(scores), _) => scores.iter().map(|score| format!("{} => ", source(score))).collect(),
            (.., Some(cases)) if matches!(args.value(), Some(Source::Registered(_))) => {
                cases.iter().map(|case| format!("{case} => ")).chain(["_ => ".to_owned()]).collect()
            }
            _ => vec![String::new(); below.len()],
        };
        if node.kind.word() == Some(Word::Invert) && node.title.is_none() {
            return format!("{before}!{}", self.node(below[0], indent, "", true));
        }
        let titles: Vec<_> = below.iter().map(|child| self.nodes[*child].title.as_deref()).collect();
        // Siblings have different labels.
        let children = below.iter().zip(&annotations).enumerate().map(|(index, (child, before))| {
            self.node(*child, indent + 1, before, !titles[..index].contains(&titles[index]))
        });
        let mut children: Vec<_> = children.collect();
        if node.kind.word().is_some_and(|word| word.row().arity() == Arity::Branches) {
            return before.to_owned() + &branches(&head, &children, indent);
        }
        if !args.transitions().is_empty() {
            children.push(format!("any {{ {} }}", transitions(node).collect::<Vec<_>>().join(", ")));
        }
        let line = format!("{before}{head} {{ {} }}", joined(&children, " "));
        if !line.contains('\n')
            && line.len() + 4 * indent <= WIDTH
            && !children.iter().any(|child| child.ends_with('}'))
        {
            return line;
        }
        let pad = "    ".repeat(indent + 1);
        format!("{before}{head} {{\n{pad}{}\n{}}}", joined(&children, &format!("\n{pad}")), "    ".repeat(indent))
    }
}

/// Returns the transitions of a node, with the lint that it allows for them.
fn transitions(node: &Node) -> impl Iterator<Item = String> {
    let before =
        if node.allows(Lint::Unreachable) { format!("#[allow({})] ", Lint::Unreachable.name()) } else { String::new() };
    node.kind.args().transitions().iter().map(move |of| before.clone() + &transition(of))
}

/// Returns `if condition { node } else { node }`. `head` is the keyword and possibly the label.
fn branches(head: &str, children: &[String], indent: usize) -> String {
    let (word, label) = head.split_once(' ').unwrap_or((head, ""));
    let label = if label.is_empty() { String::new() } else { format!("{label} ") };
    let mut text = format!("{word} ({}) {label}", children[0]);
    for (index, branch) in children[1..].iter().enumerate() {
        let pad = "    ".repeat(indent + 1);
        let before = if index == 0 { "" } else { " else " };
        let _ = write!(text, "{before}{{\n{pad}{branch}\n{}}}", "    ".repeat(indent));
    }
    text
}

/// Returns an error if two names have the same name in Rust.
fn both<'a>(known: &mut BTreeMap<String, &'a str>, rust: String, name: &'a str) -> Option<String> {
    let text = format!(" are both `{rust}` in Rust");
    let before = *known.entry(rust).or_insert(name);
    (before != name).then(|| format!("`{}` and `{}`{text}", Short(before), Short(name)))
}

/// Joins children, with a comma after each child that does not end with a brace, except the last.
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
    match &node.kind {
        // Nested trees are written as their nodes.
        NodeKind::Own | NodeKind::Tree(_) => own(node),
        NodeKind::Word(word, args) => {
            if let (Some(value), Some(cases)) = (args.value(), args.cases()) {
                return selection(*word, value, cases);
            }
            let params = word.row().params.iter().zip(&args.0);
            let written: Vec<_> =
                params.filter_map(|(param, arg)| argument(param.name, param.ty, arg.as_ref()?)).collect();
            if written.is_empty() { word.name().to_owned() } else { format!("{}({})", word.name(), written.join(", ")) }
        }
    }
}

/// Returns the keyword of a `match` and what it evaluates. With a variable, it is a function call that has the cases as arguments.
fn selection(word: Word, value: &Source, cases: &[Scalar]) -> String {
    match value {
        Source::Variable(name) => {
            let cases: Vec<_> = cases.iter().map(|case| format!("{case}.into()")).collect();
            format!("bt_core::file::{}_variable({name:?}, [{}])", word.name(), cases.join(", "))
        }
        value => format!("{} {}", word.name(), source(value)),
    }
}

/// Returns a value that a node reads as Rust.
fn source(source: &Source) -> String {
    match source {
        Source::Number(number) => format!("{number:?}"),
        Source::Registered(name) => own_name(name),
        Source::Variable(name) => format!("bt_core::file::variable({name:?})"),
    }
}

/// Returns an argument as written between a keyword and its children; `None` if it is written elsewhere.
fn argument(name: &str, ty: ParamType, arg: &Arg) -> Option<String> {
    match arg {
        Arg::Number(times) => Some(amount(times, ToString::to_string)),
        Arg::Time(time) => Some(amount(time, |time| duration(*time))),
        Arg::Probability(probability) => Some(amount(probability, |probability| format!("{probability:?}"))),
        Arg::Threshold(threshold) => Some(format!("{name} = {threshold}")),
        Arg::Leaf(_, leaf) if ty == ParamType::Leaf(Role::Service) => Some(own_name(leaf)),
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

/// Returns a number or time as Rust.
fn amount<T>(amount: &Amount<T>, write: impl Fn(&T) -> String) -> String {
    match amount {
        Amount::Fixed(value) => write(value),
        Amount::Range(least, most) => format!("{}..={}", write(least), write(most)),
        Amount::Read(from) => source(from),
    }
}

/// Returns a custom node. Before children, `tree!` takes a name near a keyword, or a keyword of another library, for a mistake.
fn own(node: &Node) -> String {
    let mut name = own_name(node.name());
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
    format!("{}: {}", ident(name), literal(name, value))
}

/// Returns a transition with names in the style of Rust.
fn transition(transition: &Transition) -> String {
    let on = match &transition.on {
        When::Leaf { name, negated } => format!("{}{}", if *negated { "!" } else { "" }, own_name(name)),
        ended => ended.to_string(),
    };
    let to = if is_end(&transition.to) { transition.to.clone() } else { ident(&transition.to) };
    format!("{on} -> {to}")
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
fn ident(name: &str) -> String {
    let snake = snake(name);
    match snake.as_str() {
        "self" | "super" | "crate" | "_" | "" | "success" | "failure" => format!("{snake}_"),
        word if is_keyword(word) => format!("r#{word}"),
        _ => snake,
    }
}

/// Returns the name of the user's function, which must not be a word of `tree!`.
fn own_name(name: &str) -> String {
    let ident = ident(name);
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
