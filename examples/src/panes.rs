//! The parts of the terminal: the scene and the tree beside it, or one of them if the terminal is narrow.

use ratatui::layout::{Constraint, Layout, Rect};

/// The minimum number of columns of a terminal that shows both.
const WIDE: u16 = 80;
/// The minimum number of rows of the upper one of two areas.
const UPPER: u16 = 8;

/// What a narrow terminal shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pane {
    /// The tree.
    #[default]
    Tree,
    /// The scene, with the agents.
    Scene,
}

impl Pane {
    /// Returns the other pane.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Tree => Self::Scene,
            Self::Scene => Self::Tree,
        }
    }

    /// Returns the name of the pane in the line of keys.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Scene => "scene",
        }
    }

    /// Returns the areas of the scene and of the tree; `None` for what is not shown.
    pub(crate) fn areas(self, area: Rect, widths: [Constraint; 2]) -> [Option<Rect>; 2] {
        if area.width >= WIDE {
            return Layout::horizontal(widths).areas(area).map(Some);
        }
        match self {
            Self::Tree => [None, Some(area)],
            Self::Scene => [Some(area), None],
        }
    }
}

/// Splits an area into an upper one, and a lower one with `rows` rows, which is empty if the upper one would become too low.
pub fn above(area: Rect, rows: u16) -> [Rect; 2] {
    let rows = if area.height >= rows + UPPER { rows } else { 0 };
    Layout::vertical([Constraint::Fill(1), Constraint::Length(rows)]).areas(area)
}
