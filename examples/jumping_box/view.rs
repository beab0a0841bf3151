//! The terminal view: the box and its tree.

use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_examples::{
    input::Input,
    options::Options,
    panel,
    play::{Look, Play},
    watch::{Watch, numbered},
};
use glam::{Vec2, vec2};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Color, Style};
use ratatui::widgets::{Block, Paragraph};

use crate::scene::{CANVAS, Paint, SIZE, Scene, TICK};

/// A scene with its tree.
pub(crate) struct Game<N: Node<Scene>> {
    tree: N,
    memory: Memory<N>,
    statuses: Statuses,
    scene: Scene,
    watch: Watch,
    /// The area where the canvas was last drawn.
    canvas: Rect,
}

impl<N: Node<Scene>> Game<N> {
    pub(crate) fn new(tree: N, scene: Scene, options: Options) -> Self {
        let watch = Watch::new(options, ("jumping box", &tree), numbered("box", 1), TICK);
        let memory = tree.memory();
        Self { tree, memory, statuses: Statuses::default(), scene, watch, canvas: Rect::default() }
    }

    /// Converts a terminal cell to a point on the canvas. Returns `None` outside the canvas.
    fn on_canvas(&self, column: u16, row: u16) -> Option<Vec2> {
        let Rect { x, y, width, height } = self.canvas;
        let inside = self.canvas.contains((column, row).into());
        let cell = vec2(f32::from(column.saturating_sub(x)) + 0.5, f32::from(row.saturating_sub(y)) + 0.5);
        inside.then(|| cell * CANVAS / vec2(f32::from(width), f32::from(height)))
    }

    /// Returns the terminal cells that the box covers.
    fn cells(&self) -> Rect {
        let Rect { x, y, width, height } = self.canvas;
        let scale = vec2(f32::from(width), f32::from(height)) / CANVAS;
        let (from, to) = ((self.scene.position * scale).round(), ((self.scene.position + SIZE) * scale).round());
        let size = (to - from).max(Vec2::ONE);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a box lies inside the terminal")]
        let [left, top, wide, high] = [from.x as u16, from.y as u16, size.x as u16, size.y as u16];
        Rect::new(x + left, y + top, wide, high).intersection(self.canvas)
    }
}

impl<N: Node<Scene>> Play for Game<N> {
    fn look(&self) -> Look {
        Look {
            tick: TICK,
            keys: &[("pointer", "hover over the box for half a second")],
            columns: Some([Constraint::Fill(1), Constraint::Length(48)]),
        }
    }

    fn input(&mut self, input: Input) {
        if let Input::Pointer { column, row, .. } = input {
            self.scene.mouse = self.on_canvas(column, row);
        }
    }

    fn tick(&mut self) {
        self.scene.step();
        let mut observer = (&mut self.statuses, self.watch.at(0, self.scene.now()));
        self.tree.tick_with(&mut self.scene, &mut self.memory, &mut observer);
        self.watch.show(0, || self.scene.values());
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let title = format!(" {} jumps ", self.scene.jumps);
        let border = Block::bordered().title(title);
        self.canvas = border.inner(area);
        frame.render_widget(border, area);
        let color = match self.scene.color {
            Paint::Blue => Color::Blue,
            Paint::Red => Color::Red,
        };
        frame.render_widget(Paragraph::new("").style(Style::new().bg(color)), self.cells());
    }

    fn draw_tree(&self, frame: &mut Frame<'_>, area: Rect) {
        panel::draw(frame, area, " tree ", &self.tree.description(), &self.statuses);
    }
}
