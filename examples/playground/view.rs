//! The view: what each leaf returns, and the tree.

use bt_core::describe::Description;
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_dynamic::LoadedTree;
use bt_examples::{
    input::{Input, Key},
    options::Options,
    panel,
    play::{Look, Play},
    watch::{Watch, numbered},
};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph, Wrap};

use crate::stage::{Leaf, Stage, TICK};

/// A tree and its leaves.
struct Shown {
    tree: LoadedTree<Stage>,
    memory: Memory<LoadedTree<Stage>>,
    stage: Stage,
    description: Description,
    statuses: Statuses,
}

/// The playground.
pub(crate) struct Game {
    /// The tree, or why there is none.
    shown: Result<Shown, String>,
    /// The leaf that the keyboard operates on.
    selected: usize,
    /// Where the leaves were drawn last.
    leaves: Rect,
    was_pressed: bool,
    watch: Watch,
}

impl Game {
    pub(crate) fn new(loaded: Result<(LoadedTree<Stage>, Stage), String>, options: Options) -> Self {
        let mut watch = Watch::default();
        let shown = loaded.map(|(tree, stage)| {
            watch = Watch::new(options, ("tree", &tree), numbered("agent", 1), TICK);
            let (memory, description) = (tree.memory(), tree.description());
            Shown { tree, memory, stage, description, statuses: Statuses::default() }
        });
        Self { shown, selected: 0, leaves: Rect::default(), was_pressed: false, watch }
    }

    fn leaves(&mut self) -> &mut [Leaf] {
        self.shown.as_mut().map_or(&mut [], |shown| &mut shown.stage.leaves)
    }

    fn turn(&mut self, leaf: usize) {
        if let Some(leaf) = self.leaves().get_mut(leaf) {
            leaf.turn();
        }
    }
}

impl Play for Game {
    fn look(&self) -> Look {
        Look {
            tick: TICK,
            keys: &[("↑", "up"), ("↓", "down"), ("space", "what the leaf returns"), ("click", "the same")],
            columns: Some([Constraint::Min(28), Constraint::Fill(1)]),
        }
    }

    fn input(&mut self, input: Input) {
        match input {
            Input::Key(Key::Up) => self.selected = self.selected.saturating_sub(1),
            Input::Key(Key::Down) => self.selected = (self.selected + 1).min(self.leaves().len().saturating_sub(1)),
            Input::Key(Key::Char(' ')) => self.turn(self.selected),
            Input::Key(_) => {}
            Input::Pointer { column, row, pressed } => {
                let is_click = !std::mem::replace(&mut self.was_pressed, pressed) && pressed;
                if is_click && self.leaves.contains((column, row).into()) {
                    self.selected = usize::from(row - self.leaves.y);
                    self.turn(self.selected);
                }
            }
        }
    }

    fn tick(&mut self) {
        let Ok(Shown { tree, memory, stage, statuses, .. }) = &mut self.shown else { return };
        if !self.watch.is_held(0) {
            stage.now += TICK;
            stage.leaves.iter_mut().for_each(|leaf| leaf.is_ticked = false);
            let now = stage.now;
            tree.tick_with(stage, memory, &mut (statuses, self.watch.at(0, now)));
        }
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let block = Block::bordered().title(" what the leaves return ");
        let inner = block.inner(area);
        let selected = self.selected;
        let lines: Vec<_> = match &self.shown {
            Err(error) => error.lines().map(|line| Line::from(line.to_owned())).collect(),
            Ok(shown) => {
                shown.stage.leaves.iter().enumerate().map(|(index, leaf)| line(leaf, index == selected)).collect()
            }
        };
        self.leaves = Rect { height: inner.height.min(u16::try_from(lines.len()).unwrap_or(u16::MAX)), ..inner };
        let paragraph = Paragraph::new(lines).block(block);
        // A row is a leaf.
        let paragraph = if self.shown.is_err() { paragraph.wrap(Wrap { trim: false }) } else { paragraph };
        frame.render_widget(paragraph, area);
    }

    fn draw_tree(&self, frame: &mut Frame<'_>, area: Rect) {
        if let Ok(shown) = &self.shown {
            panel::draw(frame, area, " tree ", &shown.description, &shown.statuses);
        }
    }
}

/// A leaf, and what it returns.
fn line(leaf: &Leaf, is_selected: bool) -> Line<'static> {
    let (sign, color) = match leaf.returns {
        Status::Success => ('✓', Color::Green),
        Status::Failure => ('✗', Color::Red),
        Status::Running => ('▶', Color::Yellow),
        Status::Error => ('!', Color::Magenta),
    };
    let style = Style::new().fg(color);
    let style = if leaf.is_ticked { style.add_modifier(Modifier::BOLD) } else { style };
    let style = if is_selected { style.add_modifier(Modifier::REVERSED) } else { style };
    let mark = if leaf.is_ticked { '•' } else { ' ' };
    Line::styled(format!("{mark} {sign} {:<8}{}", format!("{:?}", leaf.returns).to_lowercase(), leaf.name), style)
}
