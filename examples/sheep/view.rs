//! The terminal view: the meadow and the machine.

use std::time::Duration;

use bt_core::prelude::*;
use bt_examples::{
    input::{Input, Key},
    panes::above,
    play::{Look, Play},
    watch::Watch,
};
use glam::{Vec2, vec2};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::canvas::{Canvas, Points};
use ratatui::widgets::{Block, Paragraph};

use crate::flock::{MEADOW, Sheep};
use crate::simulation::{STATES, Simulation};

/// The color of each state.
const COLORS: [Color; STATES.len()] = [Color::Green, Color::Yellow, Color::Cyan, Color::Red];

/// A simulation in the terminal.
pub(crate) struct Game<N: for<'f> StateMachine<Sheep<'f>>> {
    simulation: Simulation<N>,
    machine: Vec<String>,
    /// Whether the dog is simulated. Cleared when the mouse moves.
    automatic: bool,
    mouse: Option<Vec2>,
    meadow: Rect,
}

impl<N: for<'f> StateMachine<Sheep<'f>>> Game<N> {
    pub(crate) fn new(simulation: Simulation<N>) -> Self {
        let machine = simulation.herd.tree().description().lines();
        Self { simulation, machine, automatic: true, mouse: None, meadow: Rect::default() }
    }

    /// Converts a terminal cell to a point on the meadow. Returns `None` outside the meadow.
    fn on_meadow(&self, column: u16, row: u16) -> Option<Vec2> {
        let Rect { x, y, width, height } = self.meadow;
        let inside = self.meadow.contains((column, row).into());
        let cell = vec2(f32::from(column.saturating_sub(x)) + 0.5, f32::from(row.saturating_sub(y)) + 0.5);
        inside.then(|| cell * MEADOW / vec2(f32::from(width), f32::from(height)))
    }
}

/// Converts a point to canvas coordinates, whose y axis points up.
fn point(position: Vec2) -> (f64, f64) {
    (f64::from(position.x), f64::from(MEADOW.y - position.y))
}

impl<N: for<'f> StateMachine<Sheep<'f>>> Play for Game<N> {
    fn look(&self) -> Look {
        Look {
            tick: Duration::from_millis(50),
            keys: &[("pointer", "the dog"), ("w", "wolf"), ("p", "simulate dog")],
            columns: Some([Constraint::Min(40), Constraint::Max(66)]),
        }
    }

    fn input(&mut self, input: Input) {
        match input {
            Input::Pointer { column, row, .. } => {
                self.mouse = self.on_meadow(column, row);
                self.automatic = false;
            }
            Input::Key(Key::Char('p')) => self.automatic = true,
            Input::Key(Key::Char('w')) => {
                let wolf = self.simulation.sight.wolf;
                self.simulation.sight.wolf = if wolf.is_none() { Some(vec2(20.0, 20.0)) } else { None };
            }
            Input::Key(_) => {}
        }
    }

    fn tick(&mut self) {
        if self.automatic {
            self.simulation.move_dog_and_wolf();
        } else {
            self.simulation.sight.dog = self.mouse;
        }
        self.simulation.tick();
    }

    fn watch(&self) -> &Watch {
        &self.simulation.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let dog = if self.automatic { "the dog is simulated" } else { "the mouse is the dog" };
        let border = Block::bordered().title(format!(" {dog} "));
        self.meadow = border.inner(area);
        let states: Vec<_> = self.simulation.states().collect();
        let positions = |wanted: usize| -> Vec<(f64, f64)> {
            let of = self.simulation.bodies.iter().zip(&states).filter(|(_, state)| **state == Some(wanted));
            of.map(|(body, _)| point(body.position)).collect()
        };
        let sight = &self.simulation.sight;
        let canvas = Canvas::default()
            .block(border)
            .marker(Marker::Braille)
            .x_bounds([0.0, f64::from(MEADOW.x)])
            .y_bounds([0.0, f64::from(MEADOW.y)])
            .paint(|context| {
                for (state, color) in COLORS.into_iter().enumerate() {
                    context.draw(&Points { coords: &positions(state), color });
                }
                let bold = Style::new().add_modifier(Modifier::BOLD);
                for (position, sign, color) in [(sight.dog, "D", Color::White), (sight.wolf, "W", Color::LightRed)] {
                    if let Some((x, y)) = position.map(point) {
                        context.print(x, y, Line::styled(sign, bold.fg(color)));
                    }
                }
            });
        frame.render_widget(canvas, area);
    }

    fn draw_tree(&self, frame: &mut Frame<'_>, area: Rect) {
        let [machine, counts] = above(area, 8);
        let lines: Vec<Line<'_>> = self.machine.iter().map(|line| Line::from(line.as_str())).collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" shared machine ")), machine);
        let count = |((state, color), count): ((&&str, Color), usize)| {
            Line::from(vec![Span::styled("● ", Style::new().fg(color)), Span::from(format!("{count:>4} {state}"))])
        };
        let mut lines: Vec<Line<'_>> = STATES.iter().zip(COLORS).zip(self.simulation.counts()).map(count).collect();
        lines.push(Line::from(format!("{} byte of memory per sheep", size_of::<Memory<N>>())));
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" flock ")), counts);
    }
}
