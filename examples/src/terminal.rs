//! The terminal loop of an example: ticks at a fixed rate, and draws after each tick.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crossterm::cursor::MoveTo;
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyModifiers};
use crossterm::execute;
use crossterm::style::{PrintStyledContent, Stylize};
use ratatui::backend::TestBackend;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::{Frame, Terminal};

use crate::edits::Edits;
use crate::panes::Pane;
use crate::watch::{Inspector, Watch};

/// An example that can run interactively in the terminal.
pub trait Play {
    /// Returns its rate and its screen.
    fn look(&self) -> Look;
    /// Handles an input event.
    fn event(&mut self, event: &Event);
    /// Runs one tick of the simulation.
    fn tick(&mut self);
    /// Draws the scene: what the agents do.
    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect);
    /// Draws the tree.
    fn draw_tree(&self, _: &mut Frame<'_>, _: Rect) {}
    /// Returns the agents in the inspector.
    fn watch(&self) -> &Watch;
}

/// The rate and the screen of an example.
#[derive(Clone, Copy)]
pub struct Look {
    /// The duration of a tick.
    pub tick: Duration,
    /// The keys and what they do, besides `q`. The last line shows them.
    pub keys: &'static str,
    /// The columns of the scene and of the tree beside it; `None` if there is no tree.
    pub columns: Option<[Constraint; 2]>,
}

/// Runs an example until the user presses `q` or Ctrl-C. Restores the terminal, even after a panic.
/// Returns an error if the terminal cannot be read or written.
pub(crate) fn play(simulation: &mut dyn Play) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    // The hook of ratatui restores the rest.
    let restore = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let _ = execute!(io::stdout(), DisableMouseCapture);
        restore(panic);
    }));
    execute!(io::stdout(), EnableMouseCapture)?;
    let edits = Edits::receive();
    let (sender, events) = mpsc::channel();
    let inspector = simulation.watch().inspector();
    let notice = Arc::new(AtomicBool::new(false));
    let shown = Arc::clone(&notice);
    std::thread::spawn(move || read(&sender, inspector.as_deref(), &shown));
    let result = run_loop(simulation, &edits, &mut terminal, &events, &notice);
    restored().and(result)
}

fn restored() -> io::Result<()> {
    execute!(io::stdout(), DisableMouseCapture)?;
    ratatui::try_restore()
}

fn run_loop(
    simulation: &mut dyn Play,
    edits: &Edits,
    terminal: &mut ratatui::DefaultTerminal,
    events: &mpsc::Receiver<io::Result<Event>>,
    notice: &AtomicBool,
) -> io::Result<()> {
    let tick = simulation.look().tick;
    let mut next = Instant::now();
    let mut pane = Pane::default();
    loop {
        if notice.swap(false, Ordering::Relaxed) {
            terminal.clear()?;
        }
        terminal.draw(|frame| {
            draw(simulation, pane, frame);
            edits.draw(frame);
        })?;
        next += tick;
        loop {
            match events.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Ok(event) => {
                    let event = event?;
                    if is_quit(&event) {
                        return Ok(());
                    }
                    match event {
                        Event::Key(key) if key.is_press() && key.code == KeyCode::Char('v') => pane = pane.other(),
                        event => simulation.event(&event),
                    }
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        // After a pause, for example of a suspended terminal, continue without catching up.
        next = next.max(Instant::now().checked_sub(tick).unwrap_or(next));
        simulation.tick();
    }
}

/// Draws an example: its scene and its tree or, in a narrow terminal, the given one, and the keys.
pub fn draw(simulation: &mut dyn Play, pane: Pane, frame: &mut Frame<'_>) {
    let (area, Look { keys, columns, .. }) = (frame.area(), simulation.look());
    let [scene, tree] = columns.map_or([Some(area), None], |columns| pane.areas(area, columns));
    if let Some(scene) = scene {
        simulation.draw_scene(frame, scene);
    }
    if let Some(tree) = tree {
        simulation.draw_tree(frame, tree);
    }
    let is_narrow = columns.is_some() && (scene.is_none() || tree.is_none());
    let other = is_narrow.then(|| format!("v: {}", pane.other().name()));
    let inspector = simulation.watch().url().map(|url| format!("inspector at {url}"));
    let parts = [Some("q: quit".to_owned()), other, inspector, Some(keys.to_owned())];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    draw_line(frame, 0, &format!(" {} ", parts.join(" · ")));
}

/// Draws an example on a terminal of so many columns and rows, for tests. Returns the text of each row.
///
/// # Panics
///
/// Never: a terminal in memory cannot fail.
pub fn screen(simulation: &mut dyn Play, pane: Pane, (columns, rows): (u16, u16)) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a terminal in memory cannot fail");
    terminal.draw(|frame| draw(simulation, pane, frame)).expect("a terminal in memory cannot fail");
    let buffer = terminal.backend().buffer();
    (0..rows).map(|y| (0..columns).map(|x| buffer[(x, y)].symbol()).collect()).collect()
}

/// Reads events on a thread of its own: a tick may wait for a page that has paused an agent. Then it says so in the last line, and `q` still ends the program.
fn read(events: &mpsc::Sender<io::Result<Event>>, inspector: Option<&Inspector>, notice: &AtomicBool) {
    /// The interval between two looks at the inspector.
    const LOOK: Duration = Duration::from_millis(200);
    loop {
        let event = match event::poll(LOOK) {
            Ok(true) => Some(event::read()),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        };
        if let Some(event) = event {
            let ends = event.as_ref().map_or(true, is_quit);
            if events.send(event).is_err() {
                return;
            }
            if ends {
                // Enough time for the loop to end the program, unless a tick waits.
                std::thread::sleep(2 * LOOK);
                let _ = restored();
                std::process::exit(0);
            }
        } else if let Some(inspector) = inspector
            && let Some(agent) = inspector.waiting()
        {
            notice.store(true, Ordering::Relaxed);
            let text = format!(" {agent} waits for the inspector: resume it at {}, or q ", inspector.url());
            let _ = draw_notice(&text);
        }
    }
}

/// Draws a text in the last line.
fn draw_notice(text: &str) -> io::Result<()> {
    let (columns, rows) = crossterm::terminal::size()?;
    let text: String = text.chars().take(columns.into()).collect();
    execute!(io::stdout(), MoveTo(0, rows.saturating_sub(1)), PrintStyledContent(text.reverse()))
}

/// Draws a text so many lines above the last one, over what is there.
pub(crate) fn draw_line(frame: &mut Frame<'_>, above: u16, text: &str) {
    let area = frame.area();
    let style = Style::new().add_modifier(Modifier::REVERSED);
    let width = usize::from(area.width.saturating_sub(2));
    frame.buffer_mut().set_stringn(area.x + 2, area.bottom().saturating_sub(1 + above), text, width, style);
}

fn is_quit(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    match key.code {
        KeyCode::Char('q') => true,
        KeyCode::Char('c') => key.modifiers.contains(KeyModifiers::CONTROL),
        _ => false,
    }
}
