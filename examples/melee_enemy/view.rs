//! The terminal view: the court, and the tree of one enemy.

use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_examples::{
    input::{Input, Key},
    panel,
    panes::above,
    play::{Look, Play},
    watch::Watch,
};
use glam::{Vec2, vec2};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

use crate::player::SPEED;
use crate::simulation::{Simulation, describe};
use crate::tree::TRIGGER;
use crate::world::{COURT, Enemy, Mood, Student, TICK};

/// The number of log lines shown.
const LOG_LINES: usize = 5;

/// A simulation in the terminal.
pub(crate) struct Game<N: for<'w> Node<Enemy<'w>>> {
    simulation: Simulation<N>,
    /// The enemy whose tree is shown, and its last statuses.
    selected: usize,
    statuses: Statuses,
    /// The point that the user sent the player to.
    goal: Option<Vec2>,
    automatic: bool,
    log: Vec<String>,
    /// The area where the court was last drawn.
    court: Rect,
}

impl<N: for<'w> Node<Enemy<'w>> + 'static> Game<N> {
    pub(crate) fn new(simulation: Simulation<N>) -> Self {
        Self {
            simulation,
            selected: 0,
            statuses: Statuses::default(),
            goal: None,
            automatic: true,
            log: Vec::new(),
            court: Rect::default(),
        }
    }

    fn select(&mut self, enemy: usize) {
        if enemy < self.simulation.world.students.len() && enemy != self.selected {
            self.selected = enemy;
            self.statuses = Statuses::default();
        }
    }

    /// Sends the player to a point.
    fn send(&mut self, goal: Vec2) {
        self.automatic = false;
        self.goal = Some(goal.clamp(Vec2::ZERO, COURT));
    }

    fn key(&mut self, key: Key) {
        const STEP: f32 = 30.0;
        let (here, students) = (self.simulation.world.player.position, self.simulation.world.students.len());
        match key {
            Key::Left | Key::Char('a') => self.send(here - Vec2::X * STEP),
            Key::Right | Key::Char('d') => self.send(here + Vec2::X * STEP),
            Key::Up | Key::Char('w') => self.send(here - Vec2::Y * STEP),
            Key::Down | Key::Char('s') => self.send(here + Vec2::Y * STEP),
            Key::Char('p') => self.automatic = !self.automatic,
            Key::Tab => self.select((self.selected + 1) % students),
            Key::Char(digit) => self.select(digit.to_digit(10).map_or(students, |digit| digit as usize)),
        }
    }

    /// Converts a terminal cell to a point in the court.
    fn in_court(&self, column: u16, row: u16) -> Vec2 {
        let Rect { x, y, width, height } = self.court;
        let cell = vec2(f32::from(column.saturating_sub(x)) + 0.5, f32::from(row.saturating_sub(y)) + 0.5);
        cell * COURT / vec2(f32::from(width.max(1)), f32::from(height.max(1)))
    }

    /// Returns the terminal cell of a point in the court.
    fn cell(&self, point: Vec2) -> (u16, u16) {
        let Rect { x, y, width, height } = self.court;
        let size = vec2(f32::from(width.saturating_sub(1)), f32::from(height.saturating_sub(1)));
        let cell = (point.clamp(Vec2::ZERO, COURT) / COURT * size).round();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cell lies in the terminal")]
        let (column, row) = (cell.x as u16, cell.y as u16);
        (x + column, y + row)
    }

    /// Draws a sign at a point, if it is visible.
    fn sign(&self, frame: &mut Frame<'_>, point: Vec2, sign: &str, style: Style) {
        let (column, row) = self.cell(point);
        if self.court.contains((column, row).into()) {
            let width = self.court.right().saturating_sub(column);
            frame.buffer_mut().set_stringn(column, row, sign, usize::from(width), style);
        }
    }

    fn draw_court(&self, frame: &mut Frame<'_>) {
        let world = &self.simulation.world;
        self.draw_trigger_area(frame);
        for point in &world.meeting_points {
            self.sign(frame, *point, "+", Style::new().fg(Color::Cyan));
        }
        for thing in &world.boxes {
            let lifted = thing.height > 0.0;
            let style = Style::new().fg(if lifted { Color::Magenta } else { Color::Yellow });
            self.sign(frame, thing.position - Vec2::Y * thing.height, "▣", style);
        }
        for (id, student) in world.students.iter().enumerate() {
            self.draw_student(frame, id, student);
        }
        let style = Style::new().fg(Color::White).add_modifier(Modifier::BOLD);
        self.sign(frame, world.player.position, "☻", style);
    }

    /// Draws the circle in which the selected student attacks.
    fn draw_trigger_area(&self, frame: &mut Frame<'_>) {
        const SIGNS: u8 = 60;
        let Some(student) = self.simulation.world.students.get(self.selected) else { return };
        for sign in 0..SIGNS {
            let angle = f32::from(sign) / f32::from(SIGNS) * std::f32::consts::TAU;
            let point = student.position + Vec2::from_angle(angle) * TRIGGER;
            if point.cmpge(Vec2::ZERO).all() && point.cmple(COURT).all() {
                self.sign(frame, point, "·", Style::new().fg(Color::Yellow));
            }
        }
    }

    /// Returns the sign of a student in a fight: a fist that swings.
    fn fight(&self, student: &Student) -> Option<&'static str> {
        const SWING: [&str; 4] = ["\\", "|", "/", "─"];
        let since = student.now.saturating_sub(student.fought?);
        let frame = self.simulation.world.now.as_millis() / (3 * TICK.as_millis());
        (since <= TICK).then(|| SWING[usize::try_from(frame).unwrap_or_default() % SWING.len()])
    }

    fn draw_student(&self, frame: &mut Frame<'_>, id: usize, student: &Student) {
        let (face, color) = match (student.mood, student.talks_to) {
            (Mood::Threatened, _) => (self.fight(student).unwrap_or("!"), Color::Red),
            (Mood::Suspicious, _) => ("?", Color::LightYellow),
            (Mood::Calm, Some(_)) => ("…", Color::LightGreen),
            (Mood::Calm, None) => (arrow(student.facing), Color::Green),
        };
        let mut style = Style::new().fg(color);
        if id == self.selected {
            style = style.add_modifier(Modifier::REVERSED);
        }
        self.sign(frame, student.position, &format!("{id}{face}"), style);
    }
}

fn arrow(facing: Vec2) -> &'static str {
    if facing.x.abs() >= facing.y.abs() {
        if facing.x < 0.0 { "←" } else { "→" }
    } else if facing.y < 0.0 {
        "↑"
    } else {
        "↓"
    }
}

impl<N: for<'w> Node<Enemy<'w>> + 'static> Play for Game<N> {
    fn look(&self) -> Look {
        Look {
            tick: TICK,
            keys: &[("arrows, click", "move"), ("p", "simulate player"), ("Tab", "next student"), ("0-4", "select")],
            columns: Some([Constraint::Min(40), Constraint::Max(66)]),
        }
    }

    fn input(&mut self, input: Input) {
        match input {
            Input::Key(key) => self.key(key),
            Input::Pointer { column, row, pressed } if pressed && self.court.contains((column, row).into()) => {
                self.send(self.in_court(column, row));
            }
            Input::Pointer { .. } => {}
        }
    }

    fn tick(&mut self) {
        let world = &mut self.simulation.world;
        if self.automatic {
            self.simulation.autopilot.steer(world);
        } else {
            let goal = self.goal.unwrap_or(world.player.position);
            world.player.heading = (goal - world.player.position).clamp_length_max(1.0) * SPEED;
        }
        self.simulation.tick(Some((self.selected, &mut self.statuses)));
        self.log.extend(self.simulation.world.log.drain(..).map(describe));
        self.log.drain(..self.log.len().saturating_sub(LOG_LINES));
    }

    fn watch(&self) -> &Watch {
        &self.simulation.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [court, log] = above(area, 7);
        let hits = self.simulation.world.player.hits;
        let control = if self.automatic { "simulated" } else { "controlled by you" };
        let border = Block::bordered().title(format!(" player ☻ ({control}), hits: {hits} "));
        self.court = border.inner(court);
        frame.render_widget(border, court);
        self.draw_court(frame);
        let lines: Vec<Line<'_>> = self.log.iter().map(|line| Line::from(line.as_str())).collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" log ")), log);
    }

    fn draw_tree(&self, frame: &mut Frame<'_>, area: Rect) {
        let title = format!(" tree of student {} ", self.selected);
        panel::draw(frame, area, &title, &self.simulation.description(), &self.statuses);
    }
}
