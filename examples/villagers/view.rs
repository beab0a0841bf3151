//! The terminal view: a dashboard.

use std::time::Duration;

use bt_core::prelude::*;
use bt_examples::{
    input::{Input, Key},
    panes::above,
    play::{Look, Play},
    watch::Watch,
};
use ratatui::Frame;
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::Line;
use ratatui::widgets::{Bar, BarChart, Block, Paragraph};
use web_time::Instant;

use crate::simulation::{Cores, Simulation};
use crate::village::{ACTIVITIES, Life};

/// A simulation in the terminal.
pub(crate) struct Dashboard<N: for<'v> Node<Life<'v>> + Save + Sync> {
    simulation: Simulation<N>,
    cores: Cores,
    /// The moving average of the time per tick.
    tick_time: Duration,
    saved: Option<String>,
    message: String,
    drawing: Vec<String>,
}

impl<N: for<'v> Node<Life<'v>> + Save + Sync> Dashboard<N> {
    pub(crate) fn new(simulation: Simulation<N>, cores: Cores) -> Self {
        let drawing = simulation.drawing();
        Self { simulation, cores, tick_time: Duration::ZERO, saved: None, message: String::new(), drawing }
    }

    fn save(&mut self) {
        match self.simulation.save() {
            Ok(saved) => {
                self.message = format!("saved ({} kB); press l to load", saved.len() / 1000);
                self.saved = Some(saved);
            }
            Err(error) => self.message = format!("saving failed: {error}"),
        }
    }

    fn load(&mut self) {
        let Some(saved) = &self.saved else {
            "nothing saved yet; press s to save".clone_into(&mut self.message);
            return;
        };
        self.message = match self.simulation.load(saved) {
            Ok(()) => "loaded".to_owned(),
            Err(error) => format!("loading failed: {error}"),
        };
    }
}

impl<N: for<'v> Node<Life<'v>> + Save + Sync> Play for Dashboard<N> {
    fn look(&self) -> Look {
        Look {
            tick: Duration::from_millis(50),
            keys: &[("s", "save"), ("l", "load"), ("c", "cores")],
            columns: Some([Constraint::Min(44), Constraint::Max(72)]),
        }
    }

    fn input(&mut self, input: Input) {
        match input {
            Input::Key(Key::Char('s')) => self.save(),
            Input::Key(Key::Char('l')) => self.load(),
            Input::Key(Key::Char('c')) => self.cores = if self.cores == Cores::All { Cores::One } else { Cores::All },
            _ => {}
        }
    }

    fn tick(&mut self) {
        let start = Instant::now();
        self.simulation.tick(self.cores);
        self.tick_time = (self.tick_time * 9 + start.elapsed()) / 10;
    }

    fn watch(&self) -> &Watch {
        &self.simulation.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [chart, facts] = above(area, 8);

        let bars: Vec<_> = ACTIVITIES
            .iter()
            .zip(self.simulation.counts())
            .map(|(activity, count)| {
                let color = if count > 0 { Color::Green } else { Color::DarkGray };
                let label = Line::from(format!("{activity:?}").to_lowercase());
                Bar::default().label(label).value(count as u64).style(Style::new().fg(color))
            })
            .collect();
        let title = " villagers per activity ";
        let bars = BarChart::horizontal(bars).bar_gap(1).max(self.simulation.herd.len() as u64);
        frame.render_widget(bars.block(Block::bordered().title(title)), chart);

        let nanos = self.tick_time.as_nanos().max(1);
        let agents = self.simulation.herd.len() as u128;
        let facts_of = [
            self.simulation.line().split(": ").next().unwrap_or_default().to_owned(),
            format!("{} agents on {:?} core(s)", agents, self.cores).to_lowercase(),
            format!(
                "{} agent ticks per second, {} ns per agent",
                agents * 1_000_000_000 / nanos,
                nanos / agents.max(1)
            ),
            format!("{} bytes of memory per agent", size_of::<Memory<N>>()),
            self.message.clone(),
        ];
        let lines: Vec<Line<'_>> = facts_of.into_iter().map(Line::from).collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" village ")), facts);
    }

    fn draw_tree(&self, frame: &mut Frame<'_>, area: Rect) {
        let lines: Vec<Line<'_>> = self.drawing.iter().map(|line| Line::from(line.as_str())).collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" shared tree ")), area);
    }
}
