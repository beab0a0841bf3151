//! An interactive example: its inputs, its ticks, and its screen.

use std::time::Duration;

use ratatui::backend::TestBackend;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::{Frame, Terminal};

use crate::input::Input;
use crate::panes::Pane;
use crate::watch::Watch;

/// An example that can run interactively, in a terminal or in a browser.
pub trait Play {
    /// Returns its rate and its screen.
    fn look(&self) -> Look;
    /// Handles an input of the user.
    fn input(&mut self, input: Input);
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
    /// The keys and other inputs except `q`, each with its effect. The last line shows them; in a browser, a key is a button.
    pub keys: &'static [(&'static str, &'static str)],
    /// The columns of the scene and of the tree beside it; `None` if there is no tree.
    pub columns: Option<[Constraint; 2]>,
}

/// Draws an example: its scene and its tree, or in a narrow terminal only `pane`, and the keys.
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
    let keys = keys.iter().map(|(key, effect)| format!("{key}: {effect}"));
    let parts: Vec<_> = [Some("q: quit".to_owned()), other, inspector].into_iter().flatten().chain(keys).collect();
    draw_line(frame, 0, &format!(" {} ", parts.join(" · ")));
}

/// Draws an example on a terminal of a number of columns and rows, for tests. Returns the text of each row.
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

/// Draws a text `above` lines above the last one, over the present content.
pub(crate) fn draw_line(frame: &mut Frame<'_>, above: u16, text: &str) {
    let area = frame.area();
    let style = Style::new().add_modifier(Modifier::REVERSED);
    let width = usize::from(area.width.saturating_sub(2));
    frame.buffer_mut().set_stringn(area.x + 2, area.bottom().saturating_sub(1 + above), text, width, style);
}
