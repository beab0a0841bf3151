//! Drawing a description, with what was seen of it: as text, for Mermaid, for Graphviz, as SVG.

use alloc::format;
use alloc::string::String;

use crate::describe::{Described, Description};
use crate::observe::{Last, NodeCounts, Seen, Statistics, Statuses};
use crate::status::Status;

mod dot;
mod mermaid;
mod state_diagram;
mod svg;
mod text;

/// A description being drawn: [`Description::draw`]. Its `Display` is text.
///
/// ```
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
#[must_use = "print it, or ask for another form"]
pub struct Drawing<'a> {
    description: &'a Description,
    statuses: Option<&'a Statuses>,
    statistics: Option<&'a Statistics>,
    colours: bool,
}

impl Description {
    /// A drawing of this tree. Without more it shows the nodes alone.
    pub const fn draw(&self) -> Drawing<'_> {
        Drawing { description: self, statuses: None, statistics: None, colours: false }
    }
}

impl<'a> Drawing<'a> {
    /// With the last status of each node; what the last tick visited stands out.
    pub const fn with(self, statuses: &'a Statuses) -> Self {
        Self { statuses: Some(statuses), ..self }
    }

    /// With how often each node was visited, and what came of it.
    pub const fn counting(self, statistics: &'a Statistics) -> Self {
        Self { statistics: Some(statistics), ..self }
    }

    /// In colours, if the text is for a terminal (`std::io::IsTerminal` tells). Other forms have colours in any case.
    pub const fn coloured(self, colours: bool) -> Self {
        Self { colours, ..self }
    }

    fn seen(&self, node: &Described) -> Option<Seen> {
        self.statuses?.last(node.id)
    }

    fn count(&self, node: &Described) -> Option<&'a NodeCounts> {
        self.statistics.map(|statistics| statistics.of(node.id))
    }
}

/// How a status looks.
struct Look {
    /// What it is called in classes of styles.
    class: &'static str,
    sign: &'static str,
    /// As `#rrggbb`, on a light ground.
    colour: &'static str,
    /// As a terminal knows it.
    ansi: u8,
}

const fn look(last: Last) -> Look {
    let (class, sign, colour, ansi) = match last {
        Last::Gave(Status::Success) => ("success", "✓", "#2e7d32", 32),
        Last::Gave(Status::Failure) => ("failure", "✗", "#c62828", 31),
        Last::Gave(Status::Running) => ("running", "▶", "#b26a00", 33),
        Last::Gave(Status::Error) => ("error", "!", "#8e24aa", 35),
        Last::Halted => ("halted", "■", "#1565c0", 34),
    };
    Look { class, sign, colour, ansi }
}

/// All that can be seen of a node.
const ALL: [Last; 5] = [
    Last::Gave(Status::Success),
    Last::Gave(Status::Failure),
    Last::Gave(Status::Running),
    Last::Gave(Status::Error),
    Last::Halted,
];

/// Text for XML, and so for SVG.
fn xml(text: &str) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        match sign {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            // Not allowed in XML in any form.
            '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            sign => out.push(sign),
        }
    }
    out
}

/// A text shortened to so many signs.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{kept}…")
}
