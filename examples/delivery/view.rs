//! The terminal view: a map, the tree of one robot, and the counts.

use bt_core::Wake;
use bt_core::describe::Description;
use bt_core::prelude::*;
use bt_examples::{
    input::{Input, Key},
    panel,
    panes::above,
    play::{Look, Play},
    watch::Watch,
};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::canvas::{Canvas, Points};
use ratatui::widgets::{Block, Paragraph};
use web_time::Instant;

use crate::robot::{ACTIVITIES, Robot, Totals};
use crate::simulation::{FRAME, Simulation, Ticked};
use crate::warehouse::{SIZE, lock};

/// The color of each activity.
const COLORS: [Color; ACTIVITIES.len()] =
    [Color::Gray, Color::Green, Color::Magenta, Color::Cyan, Color::Yellow, Color::Red];
/// More robots on the map would hide each other.
const ROBOTS_ON_MAP: usize = 400;

/// A simulation in the terminal.
pub(crate) struct Dashboard<N: Node<Robot>> {
    simulation: Simulation<N>,
    tree: Description,
    are_stopped: bool,
    is_fast: bool,
    /// The moving average of the time per frame.
    frame_time: Duration,
}

impl<N: Node<Robot>> Dashboard<N> {
    pub(crate) fn new(simulation: Simulation<N>) -> Self {
        let tree = simulation.herd.tree().description();
        Self { simulation, tree, are_stopped: false, is_fast: false, frame_time: Duration::ZERO }
    }

    fn selected(&self) -> usize {
        self.simulation.selected.robot
    }

    fn select(&mut self, step: isize) {
        let robot = self.selected().saturating_add_signed(step);
        if robot < self.simulation.robots.len() {
            self.simulation.select(robot);
        }
    }

    fn draw_map(&self, frame: &mut Frame<'_>, area: Rect) {
        let robots = &self.simulation.robots;
        let step = robots.len().div_ceil(ROBOTS_ON_MAP).max(1);
        let title = if step > 1 { format!(" map, 1 of {step} robots ") } else { " map ".to_owned() };
        let point = |robot: &Robot| {
            let position = robot.position(self.simulation.now);
            (f64::from(position.x), f64::from(SIZE.y - position.y))
        };
        let of = |activity| -> Vec<_> {
            let shown = robots.iter().step_by(step).filter(|robot| robot.activity == activity);
            shown.map(point).collect()
        };
        let canvas = Canvas::default()
            .block(Block::bordered().title(title))
            .marker(Marker::Braille)
            .x_bounds([-1.0, f64::from(SIZE.x) + 1.0])
            .y_bounds([0.0, f64::from(SIZE.y)])
            .paint(|context| {
                for (activity, color) in ACTIVITIES.into_iter().zip(COLORS) {
                    context.draw(&Points { coords: &of(activity), color });
                }
                if let Some((x, y)) = robots.get(self.selected()).map(point) {
                    context.print(x, y, Line::styled("@", Style::new().fg(Color::White).add_modifier(Modifier::BOLD)));
                }
            });
        frame.render_widget(canvas, area);
    }

    fn draw_counts(&self, frame: &mut Frame<'_>, area: Rect) {
        let count = |((activity, color), count): ((&_, Color), usize)| {
            let text = format!("{count:>6} {activity:?}").to_lowercase();
            Line::from(vec![Span::styled(" ●", Style::new().fg(color)), Span::from(text)])
        };
        let counts = ACTIVITIES.iter().zip(COLORS).zip(self.simulation.counts());
        let lines: Vec<Line<'_>> = counts.map(count).collect();
        let title = format!(" {} robots ", self.simulation.robots.len());
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), area);
    }

    fn draw_totals(&self, frame: &mut Frame<'_>, area: Rect) {
        let simulation = &self.simulation;
        let Totals { delivered, put_back, failed, timed_out, retried, cancelled } = simulation.totals();
        let open = lock(&simulation.orders).open.len();
        let (saved, percent) = simulation.saved();
        let (label, speed) = (Style::new().fg(Color::DarkGray), if self.is_fast { ", 10x" } else { "" });
        let lines: Vec<Line<'_>> = [
            ("orders ", format!("{delivered} delivered, {put_back} put back, {open} open")),
            ("drives ", format!("{failed} failed, {timed_out} timed out, {retried} retried")),
            ("       ", format!("{cancelled} cancelled by timeouts and the operator")),
            ("ticks  ", format!("{} done, {saved} saved ({percent:.2} %)", simulation.ticks)),
            ("time   ", format!("{}{speed}", seconds(simulation.now))),
            ("frame  ", format!("{} µs", self.frame_time.as_micros())),
        ]
        .map(|(name, text)| Line::from(vec![Span::styled(name, label), Span::from(text)]))
        .into();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" totals ")), area);
    }

    fn draw_selected(&self, frame: &mut Frame<'_>, area: Rect) {
        let selected = self.selected();
        let due = match self.simulation.due(selected) {
            Some(Wake::At(time)) => format!("asleep until {}", seconds(time)),
            Some(Wake::Event) => "asleep until an event".to_owned(),
            Some(Wake::Next) | None => "awake".to_owned(),
        };
        let title = format!(" robot {selected}: {due} ");
        panel::draw(frame, area, &title, &self.tree, &self.simulation.selected.statuses);
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

impl<N: Node<Robot>> Play for Dashboard<N> {
    fn look(&self) -> Look {
        Look {
            tick: FRAME,
            keys: &[
                ("space", "stop or release all"),
                ("s", "this robot"),
                ("←", "previous"),
                ("→", "next"),
                ("f", "fast"),
            ],
            columns: Some([Constraint::Min(28), Constraint::Max(54)]),
        }
    }

    fn input(&mut self, input: Input) {
        let Input::Key(key) = input else { return };
        match key {
            Key::Char(' ') => {
                self.are_stopped = !self.are_stopped;
                self.simulation.stop_all(self.are_stopped);
            }
            Key::Char('s') => {
                let selected = self.selected();
                let is_stopped = self.simulation.robots.get(selected).is_some_and(|robot| robot.is_stopped);
                self.simulation.stop(selected, !is_stopped);
            }
            Key::Left => self.select(-1),
            Key::Right => self.select(1),
            Key::Char('f') => self.is_fast = !self.is_fast,
            _ => {}
        }
    }

    fn tick(&mut self) {
        for _ in 0..if self.is_fast { 10 } else { 1 } {
            let start = Instant::now();
            self.simulation.frame(Ticked::Due);
            self.frame_time = (self.frame_time * 9 + start.elapsed()) / 10;
        }
    }

    fn watch(&self) -> &Watch {
        &self.simulation.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [map, counts] = above(area, 8);
        self.draw_map(frame, map);
        self.draw_counts(frame, counts);
    }

    fn draw_tree(&self, frame: &mut Frame<'_>, area: Rect) {
        let [tree, totals] = above(area, 8);
        self.draw_selected(frame, tree);
        self.draw_totals(frame, totals);
    }
}
