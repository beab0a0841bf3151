//! The terminal loop of an example: ticks at a fixed rate, and draws after each tick.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyModifiers};
use crossterm::execute;
use ratatui::Frame;
use ratatui::style::{Modifier, Style};

use crate::watch::Watch;

/// An example that can run interactively in the terminal.
pub trait Play {
    /// The duration of a tick.
    const TICK: Duration;
    /// Handles an input event.
    fn event(&mut self, event: &Event);
    /// Runs one tick of the simulation.
    fn tick(&mut self);
    /// Draws the current state.
    fn draw(&mut self, frame: &mut Frame<'_>);
    /// Returns the agents in the inspector.
    fn watch(&self) -> &Watch;
}

/// Runs an example until the user presses `q` or Ctrl-C. Restores the terminal, even after a panic.
/// Returns an error if the terminal cannot be read or written.
pub(crate) fn play(simulation: &mut impl Play) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    execute!(io::stdout(), EnableMouseCapture)?;
    let result = run_loop(simulation, &mut terminal);
    execute!(io::stdout(), DisableMouseCapture)?;
    ratatui::try_restore()?;
    result
}

fn run_loop<S: Play>(simulation: &mut S, terminal: &mut ratatui::DefaultTerminal) -> io::Result<()> {
    let mut next = Instant::now();
    loop {
        terminal.draw(|frame| {
            simulation.draw(frame);
            if let Some(url) = simulation.watch().url() {
                draw_url(frame, &url);
            }
        })?;
        next += S::TICK;
        while event::poll(next.saturating_duration_since(Instant::now()))? {
            let event = event::read()?;
            if is_quit(&event) {
                return Ok(());
            }
            simulation.event(&event);
        }
        // After a pause, for example of a suspended terminal, continue without catching up.
        next = next.max(Instant::now().checked_sub(S::TICK).unwrap_or(next));
        simulation.tick();
    }
}

/// Draws the URL of the inspector in the last line.
fn draw_url(frame: &mut Frame<'_>, url: &str) {
    let area = frame.area();
    let style = Style::new().add_modifier(Modifier::REVERSED);
    frame.buffer_mut().set_stringn(
        area.x + 2,
        area.bottom().saturating_sub(1),
        format!(" inspector at {url} "),
        usize::from(area.width.saturating_sub(2)),
        style,
    );
}

fn is_quit(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    match key.code {
        KeyCode::Char('q') => true,
        KeyCode::Char('c') => key.modifiers.contains(KeyModifiers::CONTROL),
        _ => false,
    }
}
