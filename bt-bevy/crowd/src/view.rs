//! The terminal view: the square from above.

use bevy_app::App;
use bt_examples::input::Input;
use bt_examples::options::Options;
use bt_examples::play::{Look, Play};
use bt_examples::watch::Watch;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::widgets::{Block, Paragraph};

use crate::app::{self, TICK};
use crate::square::{self, Customer, Doing, Place, Position};

/// The simulation in the terminal.
pub struct Square {
    app: App,
    watch: Watch,
}

impl Square {
    /// Creates the simulation.
    pub fn new(options: Options) -> Self {
        Self { app: app::app(options), watch: Watch::default() }
    }
}

/// The sign and the color of what a customer does.
const fn sign(doing: Doing) -> (&'static str, Color) {
    match doing {
        Doing::Wandering => ("o", Color::White),
        Doing::Queueing => ("o", Color::Yellow),
        Doing::Drinking => ("u", Color::Magenta),
        Doing::Courting => ("♥", Color::Red),
        Doing::Kissing => ("♥", Color::LightMagenta),
        Doing::Working => ("w", Color::Blue),
        Doing::Chatting => ("c", Color::Green),
        Doing::Sulking => ("-", Color::DarkGray),
    }
}

impl Play for Square {
    fn look(&self) -> Look {
        let keys =
            &[("♥", "in love"), ("o", "wanders"), ("u", "drinks"), ("w", "works"), ("c", "chats"), ("-", "sulks")];
        Look { tick: TICK, keys, columns: None }
    }

    fn input(&mut self, _: Input) {}

    fn tick(&mut self) {
        self.app.update();
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [area, line, _] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)]).areas(area);
        let block = Block::bordered().title(" crowd: one tree for all ");
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let buffer = frame.buffer_mut();
        // The square is stretched over the terminal.
        let mut put = |at: glam::Vec2, text: &str, color: Color| {
            let cell = |share: f32, cells: u16| {
                (0..cells).take_while(|cell| f32::from(*cell) < share * f32::from(cells)).count().saturating_sub(1)
            };
            let [x, y] = [cell(at.x / square::SIZE.x, inner.width), cell(at.y / square::SIZE.y, inner.height)];
            let [x, y] = [x, y].map(|cell| u16::try_from(cell).unwrap_or(0));
            let room = usize::from(inner.width.saturating_sub(x));
            if inner.height > 0 {
                buffer.set_stringn(inner.x + x, inner.y + y, text, room, Style::new().fg(color));
            }
        };
        for (place, name) in Place::ALL {
            put(place.at(), name, Color::Cyan);
        }
        let world = self.app.world_mut();
        let mut customers = world.query::<(&Customer, &Position)>();
        for (customer, position) in customers.iter(world) {
            let (text, color) = sign(customer.doing);
            put(position.0, text, color);
        }
        frame.render_widget(Paragraph::new(app::counts(world)), line);
    }
}
