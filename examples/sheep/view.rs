//! The meadow in the terminal, beside the machine.

use std::time::Duration;

use bt_core::prelude::*;
use bt_examples::{terminal::Play, watch::Watch};
use crossterm::event::{Event, KeyCode, MouseEvent};
use glam::{Vec2, vec2};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::canvas::{Canvas, Points};
use ratatui::widgets::{Block, Paragraph};

use crate::flock::{MEADOW, Sheep};
use crate::story::{STATES, Story};

/// The colour of each state.
const COLORS: [Color; STATES.len()] = [Color::Green, Color::Yellow, Color::Cyan, Color::Red];

/// A story being played.
pub(crate) struct Game<N: for<'f> StateMachine<Sheep<'f>>> {
    story: Story<N>,
    machine: Vec<String>,
    /// Whether the dog works by itself: until the mouse moves.
    by_itself: bool,
    mouse: Option<Vec2>,
    meadow: Rect,
}

impl<N: for<'f> StateMachine<Sheep<'f>>> Game<N> {
    pub(crate) fn new(story: Story<N>) -> Self {
        let machine = story.herd.tree().description().lines();
        Self { story, machine, by_itself: true, mouse: None, meadow: Rect::default() }
    }

    /// Where a cell of the terminal lies on the meadow.
    fn on_meadow(&self, column: u16, row: u16) -> Option<Vec2> {
        let Rect { x, y, width, height } = self.meadow;
        let inside = self.meadow.contains((column, row).into());
        let cell = vec2(f32::from(column.saturating_sub(x)) + 0.5, f32::from(row.saturating_sub(y)) + 0.5);
        inside.then(|| cell * MEADOW / vec2(f32::from(width), f32::from(height)))
    }
}

/// A place for the canvas, whose y goes up.
fn point(place: Vec2) -> (f64, f64) {
    (f64::from(place.x), f64::from(MEADOW.y - place.y))
}

impl<N: for<'f> StateMachine<Sheep<'f>>> Play for Game<N> {
    const TICK: Duration = Duration::from_millis(50);

    fn event(&mut self, event: &Event) {
        match event {
            Event::Mouse(MouseEvent { column, row, .. }) => {
                self.mouse = self.on_meadow(*column, *row);
                self.by_itself = false;
            }
            Event::Key(key) if key.code == KeyCode::Char('p') => self.by_itself = true,
            Event::Key(key) if key.code == KeyCode::Char('w') => {
                let wolf = self.story.sight.wolf;
                self.story.sight.wolf = if wolf.is_none() { Some(vec2(20.0, 20.0)) } else { None };
            }
            _ => {}
        }
    }

    fn tick(&mut self) {
        if self.by_itself {
            self.story.let_others_act();
        } else {
            self.story.sight.dog = self.mouse;
        }
        self.story.tick();
    }

    fn watch(&self) -> &Watch {
        &self.story.watch
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let [left, right] = Layout::horizontal([Constraint::Min(40), Constraint::Max(66)]).areas(frame.area());
        let dog = if self.by_itself { "the dog works by itself" } else { "the mouse is the dog" };
        let border = Block::bordered().title(format!(" {dog} · w wolf · p by itself · q quit "));
        self.meadow = border.inner(left);
        let states: Vec<_> = self.story.states().collect();
        let places = |wanted: usize| -> Vec<(f64, f64)> {
            let of = self.story.bodies.iter().zip(&states).filter(|(_, state)| **state == Some(wanted));
            of.map(|(body, _)| point(body.position)).collect()
        };
        let sight = &self.story.sight;
        let canvas = Canvas::default()
            .block(border)
            .marker(Marker::Braille)
            .x_bounds([0.0, f64::from(MEADOW.x)])
            .y_bounds([0.0, f64::from(MEADOW.y)])
            .paint(|context| {
                for (state, color) in COLORS.into_iter().enumerate() {
                    context.draw(&Points { coords: &places(state), color });
                }
                let bold = Style::new().add_modifier(Modifier::BOLD);
                for (place, sign, color) in [(sight.dog, "D", Color::White), (sight.wolf, "W", Color::LightRed)] {
                    if let Some((x, y)) = place.map(point) {
                        context.print(x, y, Line::styled(sign, bold.fg(color)));
                    }
                }
            });
        frame.render_widget(canvas, left);

        let [machine, counts] = Layout::vertical([Constraint::Fill(1), Constraint::Length(8)]).areas(right);
        let lines: Vec<Line<'_>> = self.machine.iter().map(|line| Line::from(line.as_str())).collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" their one machine ")), machine);
        let count = |((state, color), count): ((&&str, Color), usize)| {
            Line::from(vec![Span::styled("● ", Style::new().fg(color)), Span::from(format!("{count:>4} {state}"))])
        };
        let mut lines: Vec<Line<'_>> = STATES.iter().zip(COLORS).zip(self.story.counts()).map(count).collect();
        lines.push(Line::from(format!("{} byte of memory each", size_of::<Memory<N>>())));
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" the flock ")), counts);
    }
}
