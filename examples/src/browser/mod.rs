//! An example in the browser: the page around it calls the functions exported here, and draws the cells of its scene. The inspector's page beside it shows the tree.
//!
//! There is one thread. While a tick waits at a breakpoint, the browser suspends it and runs everything but the example.

pub mod page;

use std::cell::RefCell;
use std::process::ExitCode;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use wasm_bindgen::prelude::*;

use crate::input::{Input, Key};
use crate::options::Options;
use crate::play::Play;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

thread_local! {
    static MAKE: RefCell<Option<Make>> = const { RefCell::new(None) };
    static SHOWN: RefCell<Option<Shown>> = const { RefCell::new(None) };
}

/// Creates an example.
type Make = Box<dyn FnOnce(Options) -> Box<dyn Play>>;

/// A running example and its screen.
struct Shown {
    example: Box<dyn Play>,
    screen: Terminal<TestBackend>,
}

/// Stores the function that creates the example. The page starts the example.
pub fn run<P: Play + 'static>(
    _: u32,
    _: impl FnOnce(Options) -> Vec<String>,
    play: impl FnOnce(Options) -> P + 'static,
) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
    MAKE.set(Some(Box::new(|options| Box::new(play(options)))));
    ExitCode::SUCCESS
}

/// Starts the example with options as on a command line.
///
/// # Errors
///
/// Returns a message if an option is invalid, or if the example is already running.
#[wasm_bindgen]
pub fn start(options: Vec<String>) -> Result<(), String> {
    let default = Options { headless: false, inspect: true, edit: true, ..Options::headless(0, 1) };
    let options = Options::parse(options, default)?;
    let make = MAKE.take().ok_or("the example is already running")?;
    let example = make(options);
    if let Some(inspector) = example.watch().inspector() {
        page::show(inspector);
    }
    let Ok(screen) = Terminal::new(TestBackend::new(80, 24));
    SHOWN.set(Some(Shown { example, screen }));
    Ok(())
}

/// Runs a tick. Call it through a promise: the call is suspended while the tick waits at a breakpoint.
#[wasm_bindgen]
pub fn tick() {
    with(|shown| shown.example.tick());
}

/// Returns the time between two ticks in milliseconds.
#[wasm_bindgen]
pub fn interval() -> f64 {
    with(|shown| shown.example.look().tick.as_secs_f64() * 1000.0).unwrap_or_default()
}

/// Returns the keys and their effects, in turn.
#[wasm_bindgen]
pub fn keys() -> Vec<String> {
    let of = |shown: &mut Shown| {
        shown
            .example
            .look()
            .keys
            .iter()
            .flat_map(|(key, effect)| [key, effect])
            .map(|text| (*text).to_owned())
            .collect()
    };
    with(of).unwrap_or_default()
}

/// Returns whether a name is that of a key.
#[wasm_bindgen(js_name = isKey)]
pub fn is_key(name: &str) -> bool {
    Key::named(name).is_some()
}

/// Passes a pressed key to the example. Returns whether examples use such a key.
#[wasm_bindgen]
pub fn key(name: &str) -> bool {
    let Some(key) = Key::named(name) else { return false };
    with(|shown| shown.example.input(Input::Key(key)));
    true
}

/// Passes the position of the pointer to the example.
#[wasm_bindgen]
pub fn pointer(column: u16, row: u16, pressed: bool) {
    with(|shown| shown.example.input(Input::Pointer { column, row, pressed }));
}

/// Draws the scene. Returns three numbers for each cell, row by row: the character, its color and modifiers, and the color behind it.
/// Returns nothing while a tick waits.
#[wasm_bindgen]
pub fn draw(columns: u16, rows: u16) -> Vec<u32> {
    let drawn = with(|Shown { example, screen }| {
        screen.backend_mut().resize(columns, rows);
        let Ok(_) = screen.draw(|frame| example.draw_scene(frame, frame.area()));
        screen.backend().buffer().content().iter().flat_map(encoded).collect()
    });
    drawn.unwrap_or_default()
}

/// Returns the character, its color and modifiers, and the color behind it.
fn encoded(cell: &Cell) -> [u32; 3] {
    const MODIFIERS: [(Modifier, u32); 3] = [(Modifier::BOLD, 1), (Modifier::DIM, 2), (Modifier::REVERSED, 4)];
    let modifiers =
        MODIFIERS.iter().filter(|(modifier, _)| cell.modifier.contains(*modifier)).map(|(_, bit)| bit << 28);
    let letter = cell.symbol().chars().next().map_or(0, u32::from);
    [letter, color(cell.fg) | modifiers.sum::<u32>(), color(cell.bg)]
}

/// Returns a color as 0xRRGGBB, one of the 16 colors of terminals as 0x1000000 plus its number, or the color of the page as 0x2000000.
const fn color(color: Color) -> u32 {
    const NAMED: u32 = 0x100_0000;
    match color {
        Color::Reset => 0x200_0000,
        Color::Black => NAMED,
        Color::Red => NAMED + 1,
        Color::Green => NAMED + 2,
        Color::Yellow => NAMED + 3,
        Color::Blue => NAMED + 4,
        Color::Magenta => NAMED + 5,
        Color::Cyan => NAMED + 6,
        Color::Gray => NAMED + 7,
        Color::DarkGray => NAMED + 8,
        Color::LightRed => NAMED + 9,
        Color::LightGreen => NAMED + 10,
        Color::LightYellow => NAMED + 11,
        Color::LightBlue => NAMED + 12,
        Color::LightMagenta => NAMED + 13,
        Color::LightCyan => NAMED + 14,
        Color::White => NAMED + 15,
        Color::Rgb(red, green, blue) => (red as u32) << 16 | (green as u32) << 8 | blue as u32,
        Color::Indexed(index) => NAMED + index as u32 % 16,
    }
}

/// Calls a function with the running example. While a tick waits, the example is not available.
fn with<T>(act: impl FnOnce(&mut Shown) -> T) -> Option<T> {
    SHOWN.with(|shown| shown.try_borrow_mut().ok()?.as_mut().map(act))
}
