//! The terminal loop of an example: ticks at a fixed rate, and draws after each tick.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crossterm::cursor::MoveTo;
use crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyModifiers, MouseButton, MouseEventKind,
};
use crossterm::execute;
use crossterm::style::{PrintStyledContent, Stylize};

use crate::edits::Edits;
use crate::input::{Input, Key};
use crate::options::Options;
use crate::panes::Pane;
use crate::play::{Play, draw};
use crate::watch::Inspector;

/// Runs an example: prints a trace if headless, else runs interactively in the terminal.
pub fn run<P: Play>(
    default_ticks: u32,
    headless: impl FnOnce(Options) -> Vec<String>,
    play: impl FnOnce(Options) -> P,
) -> ExitCode {
    let result = match Options::from_command_line(default_ticks) {
        Ok(options) if options.headless => {
            for line in headless(options) {
                println!("{line}");
            }
            Ok(())
        }
        Ok(options) => play_in_terminal(&mut play(options)).map_err(|error| format!("terminal error: {error}")),
        Err(message) => Err(message),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs an example until the user presses `q` or Ctrl-C. Restores the terminal, even after a panic.
/// Returns an error if the terminal cannot be read or written.
fn play_in_terminal(simulation: &mut dyn Play) -> io::Result<()> {
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
                    match input(&event) {
                        Some(Input::Key(Key::Char('v'))) => pane = pane.other(),
                        Some(input) => simulation.input(input),
                        None => {}
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

/// Reads events on a separate thread: a tick may wait for a page that has paused an agent. Then the last line shows a notice, and `q` still ends the program.
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

/// Returns the input of an event, if examples handle it.
fn input(event: &Event) -> Option<Input> {
    Some(match event {
        Event::Key(key) if key.is_press() => Input::Key(match key.code {
            KeyCode::Char(letter) => Key::Char(letter),
            KeyCode::Left => Key::Left,
            KeyCode::Right => Key::Right,
            KeyCode::Up => Key::Up,
            KeyCode::Down => Key::Down,
            KeyCode::Tab => Key::Tab,
            _ => return None,
        }),
        Event::Mouse(mouse) => {
            let pressed =
                matches!(mouse.kind, MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left));
            Input::Pointer { column: mouse.column, row: mouse.row, pressed }
        }
        _ => return None,
    })
}

fn is_quit(event: &Event) -> bool {
    let Event::Key(key) = event else { return false };
    match key.code {
        KeyCode::Char('q') => true,
        KeyCode::Char('c') => key.modifiers.contains(KeyModifiers::CONTROL),
        _ => false,
    }
}
