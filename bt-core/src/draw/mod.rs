//! Drawings of descriptions, with statuses and counts: as text, for Mermaid, for Graphviz, and as SVG.

use alloc::format;
use alloc::string::String;

use crate::describe::{Described, Description};
use crate::observe::{Last, NodeCounts, Statistics, Statuses};
use crate::status::Status;

mod dot;
mod mermaid;
mod state_diagram;
mod svg;
mod text;

/// A drawing of a [`Description`], returned by [`Description::draw`]. `Display` formats it as text.
///
/// ```
/// use bt_core::observe::{Statistics, Statuses};
/// use bt_core::prelude::*;
///
/// fn near(near: &bool) -> bool { *near }
/// let tree = tree! { for bool: selector { sequence { near, run }, succeed } };
///
/// let (mut statuses, mut statistics) = (Statuses::default(), Statistics::default());
/// let mut memory = tree.memory();
/// for is_near in [true, false, false] {
///     tree.tick_with(&mut is_near.clone(), &mut memory, &mut (&mut statuses, &mut statistics));
/// }
/// let description = tree.description();
/// assert_eq!(description.draw().with(&statuses).counting(&statistics).to_string(), "\
/// selector      Success *   3 visits: 67 % success, 33 % running
/// ├─ sequence   Failure *   3 visits: 67 % failure, 33 % running
/// │  ├─ near    Failure *   3 visits: 33 % success, 67 % failure
/// │  └─ run     Halted      1 visit: 100 % running, 1 halt
/// └─ succeed    Success *   2 visits: 100 % success
/// ");
/// assert!(description.draw().with(&statuses).svg().starts_with("<svg"));
/// ```
#[derive(Clone, Copy)]
#[must_use = "print it, or convert it to another form"]
pub struct Drawing<'a> {
    description: &'a Description,
    statuses: Option<&'a Statuses>,
    statistics: Option<&'a Statistics>,
    colors: bool,
}

/// A language in which a drawing is written for another program. [`Form::ALL`] are those of this crate: a command offers each by its name.
///
/// ```
/// use bt_core::draw::Form;
/// use bt_core::prelude::*;
///
/// let description = tree! { for (): selector { fail, run } }.description();
/// let form = Form::ALL.iter().find(|form| form.name == "dot").expect("a form");
/// assert_eq!((form.write)(&description.draw()), description.draw().dot());
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Form {
    /// The name.
    pub name: &'static str,
    /// What the form is for: the help of an option of this name.
    pub help: &'static str,
    /// Writes a drawing.
    pub write: fn(&Drawing<'_>) -> String,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 3] = [
        Self { name: "dot", help: "Draw for Graphviz", write: |drawing| drawing.dot() },
        Self { name: "mermaid", help: "Draw for Mermaid", write: |drawing| drawing.mermaid() },
        Self { name: "svg", help: "Draw as SVG", write: |drawing| drawing.svg() },
    ];
}

impl Description {
    /// Returns a drawing of this tree. Without further options it contains only the nodes.
    pub const fn draw(&self) -> Drawing<'_> {
        Drawing { description: self, statuses: None, statistics: None, colors: false }
    }
}

impl<'a> Drawing<'a> {
    /// Adds the last status of each node. Nodes visited in the last tick are highlighted.
    pub const fn with(self, statuses: &'a Statuses) -> Self {
        Self { statuses: Some(statuses), ..self }
    }

    /// Adds the number of visits of each node, and the statuses that they returned.
    pub const fn counting(self, statistics: &'a Statistics) -> Self {
        Self { statistics: Some(statistics), ..self }
    }

    /// Enables or disables the colors of text, for a terminal (see `std::io::IsTerminal`). Forms other than text always have
    /// colors.
    pub const fn colored(self, colors: bool) -> Self {
        Self { colors, ..self }
    }

    /// Returns the last event of a node, and whether it occurred in the last tick.
    fn last(&self, node: &Described) -> Option<(Last, bool)> {
        let statuses = self.statuses?;
        Some((statuses.last(node.id)?, statuses.is_fresh(node.id)))
    }

    fn count(&self, node: &Described) -> Option<&'a NodeCounts> {
        self.statistics.map(|statistics| statistics.of(node.id))
    }
}

/// The appearance of a status.
struct Look {
    /// The name of the style class.
    class: &'static str,
    sign: &'static str,
    /// The color as `#rrggbb`, on a light background.
    color: &'static str,
    /// The color on a dark background.
    dark: &'static str,
    /// The ANSI color code.
    ansi: u8,
}

const fn look(last: Last) -> Look {
    let (class, sign, color, dark, ansi) = match last {
        Last::Returned(Status::Success) => ("success", "✓", "#2e7d32", "#66bb6a", 32),
        Last::Returned(Status::Failure) => ("failure", "✗", "#c62828", "#ef6c66", 31),
        Last::Returned(Status::Running) => ("running", "▶", "#b26a00", "#f0a93c", 33),
        Last::Returned(Status::Error) => ("error", "!", "#8e24aa", "#ce78e0", 35),
        Last::Halted => ("halted", "■", "#1565c0", "#64a5f0", 34),
    };
    Look { class, sign, color, dark, ansi }
}

/// All appearances of a node.
const ALL: [Last; 5] = [
    Last::Returned(Status::Success),
    Last::Returned(Status::Failure),
    Last::Returned(Status::Running),
    Last::Returned(Status::Error),
    Last::Halted,
];

/// Escapes text for XML, and so for SVG.
fn xml(text: &str) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        match sign {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            // These characters are not allowed in XML in any form.
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            sign => out.push(sign),
        }
    }
    out
}

/// Shortens a text to at most `most` characters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{kept}…")
}
