//! The decorators that run their child for each item of a list.

use std::collections::VecDeque;
use std::fmt;

use bt_behavior3::Fault;
use bt_core::Outcome;
use bt_core::board::{BoardValue, HasBoard, Key, Untyped};
use bt_core::decorator;
use bt_core::decorator::{AfterChild, Decorator, Gate};
use bt_core::describe::Param;
use bt_core::file::Properties;
use serde::{Deserialize, Serialize};

use crate::nodes::port::{Instead, Port, PortValue, key, look_up, set, text};
use crate::nodes::signal::{fault, forget, is_skipped, show_fault};
use crate::script::Scope;

/// The type of the items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Items {
    Int,
    Bool,
    Double,
    Text,
}

/// A `LoopInt`, `LoopBool`, `LoopDouble` or `LoopString`.
pub(crate) struct Loop {
    pub(crate) name: &'static str,
    pub(crate) items: Items,
    pub(crate) queue: Queue,
    pub(crate) if_empty: Port<Instead>,
    /// The variable that is set to each item.
    pub(crate) value: Option<Key<()>>,
    pub(crate) scope: Scope,
}

/// The list of a loop: written in the file, or a variable.
pub(crate) enum Queue {
    Items(Vec<Item>),
    Variable(Key<()>),
}

/// Writes the list as in a file.
impl fmt::Debug for Queue {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Items(items) => {
                for (index, item) in items.iter().enumerate() {
                    write!(out, "{}{item}", if index == 0 { "" } else { ";" })?;
                }
                Ok(())
            }
            Self::Variable(key) => key.fmt(out),
        }
    }
}

/// An item of a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Item {
    Int(i64),
    Bool(bool),
    Double(f64),
    Text(String),
}

impl fmt::Display for Item {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => number.fmt(out),
            Self::Bool(value) => value.fmt(out),
            Self::Double(number) => number.fmt(out),
            Self::Text(text) => text.fmt(out),
        }
    }
}

impl From<Item> for Untyped {
    fn from(item: Item) -> Self {
        match item {
            Item::Int(number) => Self::Int(number),
            Item::Bool(value) => Self::Other(BoardValue::new(value)),
            Item::Double(number) => Self::Real(number),
            Item::Text(text) => Self::Text(text),
        }
    }
}

/// Returns the whole number at the beginning of a text, as BehaviorTree.CPP reads it: 2 for `2.5`.
fn whole(text: &str) -> Option<i64> {
    let sign = usize::from(text.starts_with('-'));
    let end = text[sign..].find(|digit: char| !digit.is_ascii_digit()).map_or(text.len(), |end| end + sign);
    text[..end].parse().ok()
}

impl Items {
    /// Converts one item of a text.
    fn of_text(self, text: &str) -> Option<Item> {
        match self {
            Self::Int => whole(text.trim()).map(Item::Int),
            Self::Double => text.trim().parse().ok().map(Item::Double),
            Self::Bool => bool::of_text(text).map(Item::Bool),
            Self::Text => Some(Item::Text(text.to_owned())),
        }
    }

    /// Converts the list `a;b;c`.
    fn list(self, text: &str) -> Result<Vec<Item>, String> {
        if text.is_empty() {
            return Ok(Vec::new());
        }
        // The last item may end with a semicolon too.
        let text = text.strip_suffix(';').unwrap_or(text);
        let item = |part: &str| {
            let name = match self {
                Self::Int => "whole numbers",
                Self::Bool => "`true` and `false`",
                Self::Double => "numbers",
                Self::Text => "text",
            };
            self.of_text(part).ok_or_else(|| format!("expected a list of {name} such as `a;b;c`, found `{part}` in it"))
        };
        text.split(';').map(item).collect()
    }

    /// Converts the value of a variable: text, or any type that is written as a list.
    fn of_variable(self, value: &Untyped) -> Result<Vec<Item>, String> {
        match value {
            Untyped::Text(text) => self.list(text),
            Untyped::Other(value) => {
                let items: Vec<serde_json::Value> = serde_json::from_str(&format!("{value:?}"))
                    .map_err(|_| format!("expected a list, found {value:?}"))?;
                let text = |item: &serde_json::Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
                let item = |item| self.of_text(&text(item)).ok_or_else(|| format!("unexpected {item} in a list"));
                items.iter().map(item).collect()
            }
            Untyped::Int(_) | Untyped::Real(_) => Err(format!("expected a list, found {value:?}")),
        }
    }
}

impl Loop {
    /// Reads the properties of a loop. Returns `None` if they are invalid, which is reported.
    pub(crate) fn read(
        name: &'static str,
        items: Items,
        properties: &mut Properties<'_>,
        scope: Scope,
    ) -> Option<Self> {
        let (queue, if_empty) = (text(properties, "queue"), Port::read(properties, "if_empty"));
        let value = if properties.has("value") { Some(key(properties, "value")?) } else { None };
        let queue = queue?;
        let queue = match bt_behavior3::variable(&queue) {
            Some(variable) => Queue::Variable(Key::named(variable)),
            None => match items.list(&queue) {
                Ok(items) => Queue::Items(items),
                Err(reason) => {
                    properties.report(Fault::of("queue", format!("port `queue`: {reason}")));
                    return None;
                }
            },
        };
        Some(Self { name, items, queue, if_empty: if_empty?, value, scope })
    }

    /// Takes the next item, and sets the variable.
    fn next<C: HasBoard + ?Sized>(&self, run: &mut Run, ctx: &mut C) -> Result<Gate<()>, String> {
        forget();
        if run.left.is_none() {
            let items = match &self.queue {
                Queue::Items(items) => items.clone(),
                Queue::Variable(key) => {
                    let value = look_up(key, ctx).ok_or_else(|| format!("variable `{key:?}` is not set"))?;
                    self.items.of_variable(&value)?
                }
            };
            run.left = Some(items.into());
        }
        let Some(item) = run.left.as_mut().and_then(VecDeque::pop_front) else {
            return Ok(self.if_empty.get(ctx)?.gate());
        };
        if let Some(value) = &self.value {
            set(&self.scope, value, item.into(), ctx)?;
        }
        Ok(Gate::Go)
    }
}

/// The state of a run.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The items that are left, after the list was read.
    left: Option<VecDeque<Item>>,
    is_running: bool,
}

#[decorator]
impl<C: HasBoard + ?Sized> Decorator<C> for Loop {
    type Open = Run;
    type Pause = ();

    fn name(&self) -> &str {
        self.name
    }

    fn open(&self, run: &mut Run, (): &mut (), ctx: &mut C) -> Gate<()> {
        self.next(run, ctx).unwrap_or_else(|reason| Gate::End(fault(reason)))
    }

    fn resume(&self, run: &mut Run, (): &mut (), ctx: &mut C) -> Gate<()> {
        if run.is_running {
            forget();
            return Gate::Go;
        }
        self.next(run, ctx).unwrap_or_else(|reason| Gate::End(fault(reason)))
    }

    fn running(&self, run: &mut Run, (): &mut (), _: &mut C) -> Option<Outcome> {
        run.is_running = true;
        None
    }

    fn end(&self, outcome: Outcome, run: &mut Run, (): &mut (), _: &mut C) -> AfterChild<()> {
        run.is_running = false;
        match outcome {
            Outcome::Failure if !is_skipped() => AfterChild::End(outcome),
            Outcome::Success | Outcome::Failure => AfterChild::Later(()),
            Outcome::Error => AfterChild::End(outcome),
        }
    }

    fn reason(&self, _: &C, show: &mut dyn FnMut(&dyn fmt::Display)) {
        show_fault(show);
    }

    fn params(&self, show: &mut dyn FnMut(&[Param<'_>])) {
        let value = self.value.as_ref().map(|value| Param::new("value", value));
        let all = [Param::new("queue", &self.queue), Param::new("if_empty", &self.if_empty)];
        show(&all.into_iter().chain(value).collect::<Vec<_>>());
    }
}
