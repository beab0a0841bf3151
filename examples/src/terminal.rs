//! The loop of a story in the terminal: so many ticks a second, drawn after each.

use std::io;
use std::time::{Duration, Instant};

use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyModifiers};
use crossterm::execute;
use ratatui::Frame;
use ratatui::style::{Modifier, Style};

use crate::watch::Watch;

/// A story that can be played.
pub trait Play {
    /// How long a tick is.
    const TICK: Duration;
    /// The player did something.
    fn event(&mut self, event: &Event);
    /// Time passes.
    fn tick(&mut self);
    /// Shows where the story is.
    fn draw(&mut self, frame: &mut Frame<'_>);
    /// Its agents in the browser.
    fn watch(&self) -> &Watch;
}

/// Plays until the player presses `q` or Ctrl-C. The terminal is left as it was, also after a panic.
/// An error is one of reading or writing the terminal.
pub(crate) fn play(story: &mut impl Play) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    execute!(io::stdout(), EnableMouseCapture)?;
    let played = turns(story, &mut terminal);
    execute!(io::stdout(), DisableMouseCapture)?;
    ratatui::try_restore()?;
    played
}

fn turns<S: Play>(story: &mut S, terminal: &mut ratatui::DefaultTerminal) -> io::Result<()> {
    let mut next = Instant::now();
    loop {
        terminal.draw(|frame| {
            story.draw(frame);
            if let Some(url) = story.watch().url() {
                show_address(frame, &url);
            }
        })?;
        next += S::TICK;
        while event::poll(next.saturating_duration_since(Instant::now()))? {
            let event = event::read()?;
            if quits(&event) {
                return Ok(());
            }
            story.event(&event);
        }
        // After a pause (a suspended terminal) the story goes on, it does not hurry.
        next = next.max(Instant::now().checked_sub(S::TICK).unwrap_or(next));
        story.tick();
    }
}

/// In the last line.
fn show_address(frame: &mut Frame<'_>, url: &str) {
    let area = frame.area();
    let style = Style::new().add_modifier(Modifier::REVERSED);
    frame.buffer_mut().set_stringn(
        area.x + 2,
        area.bottom().saturating_sub(1),
        format!(" watch it think: {url} "),
        usize::from(area.width.saturating_sub(2)),
        style,
    );
}

fn quits(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    match key.code {
        KeyCode::Char('q') => true,
        KeyCode::Char('c') => key.modifiers.contains(KeyModifiers::CONTROL),
        _ => false,
    }
}
