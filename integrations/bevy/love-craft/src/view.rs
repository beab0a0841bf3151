//! The game in a terminal: the park from above. The pointer carries chibis and birds.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimeUpdateStrategy};
use bt_examples::input::Input;
use bt_examples::options::Options;
use bt_examples::play::{Look, Play};
use bt_examples::watch::Watch;
use glam::Vec2;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::{Block, Paragraph};

use crate::{Balloon, Bird, Flight, Game, Held, Level, Mood, Position, Role, Site, TICK, Topic, Town, Weather};
use crate::{carry, pick_up, put_down};

/// The game in the terminal.
pub struct Scene {
    app: App,
    watch: Watch,
    /// Where the park was drawn last.
    area: Rect,
}

impl Scene {
    /// Starts the game.
    pub fn new(options: Options) -> Self {
        Self { app: app(options), watch: Watch::default(), area: Rect::default() }
    }

    /// Returns the point of the park at a cell.
    fn point(&self, column: u16, row: u16) -> Vec2 {
        let share =
            |cell: u16, from: u16, size: u16| (f32::from(cell.saturating_sub(from)) + 0.5) / f32::from(size.max(1));
        let size = self.app.world().resource::<Town>().size;
        let Rect { x, y, width, height } = self.area;
        Vec2::new(share(column, x, width), share(row, y, height)) * size
    }
}

/// Creates the game without a picture. It advances by a tick with each update.
pub(crate) fn app(options: Options) -> App {
    let mut app = App::new();
    app.add_plugins((bevy_time::TimePlugin, Game::new(options.seed)));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(TICK));
    #[cfg(feature = "inspector")]
    if options.inspect {
        app.add_plugins(bt_bevy::TreeInspectorPlugin::default());
    }
    app.finish();
    app.cleanup();
    app
}

/// Runs the game without a player. Returns the tree, and a line for every ten seconds.
pub fn trace(options: Options) -> Vec<String> {
    let mut app = app(options);
    let tree = bt_bevy::bt_core::describe::Description::of(&crate::tree::chibi()).draw().to_string();
    let mut lines: Vec<_> = tree.lines().map(str::to_owned).collect();
    for tick in 1..=options.ticks {
        app.update();
        if tick % 100 == 0 {
            lines.push(format!("{:4} s  {}", tick / 10, text(app.world())));
        }
    }
    lines
}

/// Describes the level and the weather.
fn text(world: &World) -> String {
    let level = world.resource::<Level>();
    let level = match level.result {
        Some((_, true)) => "Next level!".to_owned(),
        Some((_, false)) => "Time is up. Try again!".to_owned(),
        None => level.text(world.resource::<Time>().elapsed()),
    };
    let rain = if world.resource::<Weather>().is_raining { ", it rains" } else { "" };
    level + rain
}

const fn color(topic: Topic) -> Color {
    match topic {
        Topic::Music => Color::LightBlue,
        Topic::Flowers => Color::LightMagenta,
        Topic::Cake => Color::Yellow,
        Topic::Stars => Color::White,
        Topic::Ships => Color::LightCyan,
        Topic::Cats => Color::LightGreen,
    }
}

const fn sign(balloon: Balloon) -> &'static str {
    match balloon {
        Balloon::Topic(Topic::Music) => "♪",
        Balloon::Topic(Topic::Flowers) => "f",
        Balloon::Topic(Topic::Cake) => "k",
        Balloon::Topic(Topic::Stars) => "*",
        Balloon::Topic(Topic::Ships) => "s",
        Balloon::Topic(Topic::Cats) => "c",
        Balloon::Heart => "♥",
        Balloon::Tears => ";",
        Balloon::Anger => "!",
        Balloon::Smile => "+",
        Balloon::Bored => "z",
        Balloon::Gossip => "%",
        Balloon::Hello => "?",
        Balloon::Rain => "'",
        Balloon::Seeds => ".",
    }
}

impl Play for Scene {
    fn look(&self) -> Look {
        let keys =
            &[("drag", "carry a chibi to one of the same color, or a bird away"), ("x", "meddler"), ("♥", "love")];
        Look { tick: TICK, keys, columns: None }
    }

    fn input(&mut self, input: Input) {
        let Input::Pointer { column, row, pressed } = input else { return };
        let at = self.point(column, row);
        let world = self.app.world_mut();
        let is_holding = world.query_filtered::<(), With<Held>>().iter(world).next().is_some();
        match (pressed, is_holding) {
            (true, false) => {
                pick_up(world, at);
            }
            (true, true) => carry(world, at),
            (false, true) => put_down(world),
            (false, false) => (),
        }
    }

    fn tick(&mut self) {
        self.app.update();
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [area, line, _] =
            Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)]).areas(area);
        let block = Block::bordered().title(" Love Craft ");
        let inner = block.inner(area);
        frame.render_widget(block, area);
        self.area = inner;
        let size = self.app.world().resource::<Town>().size;
        let buffer = frame.buffer_mut();
        // The park is stretched over the terminal.
        let mut put = |at: Vec2, above: u16, text: &str, style: Style| {
            let cell = |share: f32, cells: u16| {
                (0..cells).take_while(|cell| f32::from(*cell) < share * f32::from(cells)).count().saturating_sub(1)
            };
            let [x, y] = [cell(at.x / size.x, inner.width), cell(at.y / size.y, inner.height)];
            let [x, y] = [x, y].map(|cell| u16::try_from(cell).unwrap_or(0));
            let room = usize::from(inner.width.saturating_sub(x));
            if inner.height > 0 && y >= above {
                buffer.set_stringn(inner.x + x, inner.y + y - above, text, room, style);
            }
        };
        let world = self.app.world_mut();
        for (site, at) in &world.resource::<Town>().sites {
            let (text, color) = match site {
                Site::Tree => ("tree", Color::Green),
                Site::Bench => ("bench", Color::DarkGray),
                Site::Gate => ("gate", Color::Gray),
            };
            put(*at, 0, text, Style::new().fg(color));
        }
        for (bird, position) in world.query::<(&Bird, &Position)>().iter(world) {
            let text = if bird.flight == Flight::Flying { "^" } else { "v" };
            put(position.0, 0, text, Style::new().fg(Color::DarkGray));
        }
        let mut chibis = world.query::<(&Role, &Mood, &Position, Has<Held>)>();
        for (role, mood, position, is_held) in chibis.iter(world) {
            let style = Style::new().fg(if role.is_meddler { Color::LightRed } else { color(role.topic) });
            let style = if is_held { style.add_modifier(Modifier::REVERSED) } else { style };
            put(position.0, 0, if role.is_meddler { "x" } else { "o" }, style);
            if let Some(balloon) = mood.balloon {
                put(position.0, 1, sign(balloon), style);
            }
        }
        frame.render_widget(Paragraph::new(text(world)), line);
    }
}
