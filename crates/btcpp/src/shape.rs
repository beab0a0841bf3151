//! What is known of a node of BehaviorTree.CPP: its category, its ports, the number of its children, and the word that is like it.

use bt_words::{Arity, Word};

/// The category of a node, which is the element of its explicit form: `<Action ID="…"/>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    Action,
    Condition,
    Control,
    Decorator,
    SubTree,
}

impl Category {
    pub const ALL: [Self; 5] = [Self::Action, Self::Condition, Self::Control, Self::Decorator, Self::SubTree];

    /// Returns the name of the element.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Action => "Action",
            Self::Condition => "Condition",
            Self::Control => "Control",
            Self::Decorator => "Decorator",
            Self::SubTree => "SubTree",
        }
    }

    /// Returns the number of children of its nodes.
    pub const fn arity(self) -> Arity {
        match self {
            Self::Control => Arity::Many,
            Self::Decorator => Arity::One,
            Self::Action | Self::Condition | Self::SubTree => Arity::Zero,
        }
    }

    /// Returns the category with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// The word of this library that is most like a node, and is written as it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Like {
    /// It behaves in the same way.
    Same(Word),
    /// It behaves in the same way, unless a child can be skipped, whose failure it passes on.
    Unskipped(Word),
    /// It behaves nearly in the same way.
    Near(Word),
}

/// A port of a node.
#[derive(Clone, Copy, Debug)]
pub struct Port {
    pub name: &'static str,
    pub needs: Needs,
    /// What a value is, unless it is a variable.
    pub value: Literal,
    /// Whether the port is a script.
    pub is_script: bool,
    /// Whether the node writes the variable that the port names, with or without braces.
    pub is_written: bool,
}

/// What can be written in a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literal {
    Text,
    Whole,
    Flag,
}

impl Literal {
    /// Returns what is expected in place of a text that is something else.
    pub fn expected(self, text: &str) -> Option<&'static str> {
        match self {
            Self::Whole if text.trim().parse::<i64>().is_err() => Some("a whole number"),
            Self::Flag if boolean(text).is_none() => Some("`true` or `false`"),
            Self::Text | Self::Whole | Self::Flag => None,
        }
    }
}

/// Whether a port has to be in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    Required,
    /// It has this value if it is not in the file.
    Default(&'static str),
    Nothing,
}

/// The number of children.
#[derive(Clone, Copy, Debug)]
pub struct Takes {
    pub least: usize,
    pub most: usize,
}

impl Takes {
    /// Returns the error for an invalid number of children.
    pub fn fault(self, found: usize) -> Option<String> {
        let children = |count| if count == 1 { "1 child".to_owned() } else { format!("{count} children") };
        let expected = match self {
            Self { least, most } if (least..=most).contains(&found) => return None,
            Self { most: 0, .. } => "no children".to_owned(),
            Self { least, most } if least == most => children(least),
            Self { least, most: usize::MAX } => format!("at least {}", children(least)),
            Self { least, most } => format!("{least} to {most} children"),
        };
        Some(format!("expected {expected}, found {found}"))
    }
}

pub(crate) const fn required(name: &'static str) -> Port {
    Port { name, needs: Needs::Required, value: Literal::Text, is_script: false, is_written: false }
}

pub(crate) const fn whole(port: Port) -> Port {
    Port { value: Literal::Whole, ..port }
}

pub(crate) const fn flag(port: Port) -> Port {
    Port { value: Literal::Flag, ..port }
}

pub(crate) const fn optional(name: &'static str, default: &'static str) -> Port {
    Port { needs: Needs::Default(default), ..required(name) }
}

/// An output, which need not be used.
pub(crate) const fn output(name: &'static str) -> Port {
    Port { needs: Needs::Nothing, ..written(name) }
}

pub(crate) const fn script(name: &'static str) -> Port {
    Port { is_script: true, ..required(name) }
}

pub(crate) const fn written(name: &'static str) -> Port {
    Port { is_written: true, ..required(name) }
}

/// Returns the value of a text that is true or false.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "True" | "TRUE" | "1" => Some(true),
        "false" | "False" | "FALSE" | "0" => Some(false),
        _ => None,
    }
}
