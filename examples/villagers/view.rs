//! A dashboard in the terminal.

use std::time::{Duration, Instant};

use bt_core::prelude::*;
use bt_examples::{terminal::Play, watch::Watch};
use crossterm::event::{Event, KeyCode};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Style};
use ratatui::text::Line;
use ratatui::widgets::{Bar, BarChart, Block, Paragraph};

use crate::story::{Cores, Story};
use crate::village::{ACTIVITIES, Life};

/// A story being watched.
pub(crate) struct Dashboard<N: for<'v> Node<Life<'v>> + Save + Sync> {
    story: Story<N>,
    cores: Cores,
    /// How long thinking took, on the average of the last ticks.
    thinking: Duration,
    saved: Option<String>,
    said: String,
    drawing: Vec<String>,
}

impl<N: for<'v> Node<Life<'v>> + Save + Sync> Dashboard<N> {
    pub(crate) fn new(story: Story<N>, cores: Cores) -> Self {
        let drawing = story.drawing();
        Self { story, cores, thinking: Duration::ZERO, saved: None, said: String::new(), drawing }
    }

    fn save(&mut self) {
        match self.story.save() {
            Ok(saved) => {
                self.said = format!("saved in {} kB; l goes back to it", saved.len() / 1000);
                self.saved = Some(saved);
            }
            Err(error) => self.said = format!("not saved: {error}"),
        }
    }

    fn load(&mut self) {
        let Some(saved) = &self.saved else {
            "nothing is saved yet: s saves".clone_into(&mut self.said);
            return;
        };
        self.said = match self.story.load(saved) {
            Ok(()) => "loaded".to_owned(),
            Err(error) => format!("not loaded: {error}"),
        };
    }
}

impl<N: for<'v> Node<Life<'v>> + Save + Sync> Play for Dashboard<N> {
    const TICK: Duration = Duration::from_millis(50);

    fn event(&mut self, event: &Event) {
        let Event::Key(key) = event else { return };
        match key.code {
            KeyCode::Char('s') => self.save(),
            KeyCode::Char('l') => self.load(),
            KeyCode::Char('c') => self.cores = if self.cores == Cores::All { Cores::One } else { Cores::All },
            _ => {}
        }
    }

    fn tick(&mut self) {
        let start = Instant::now();
        self.story.tick(self.cores);
        self.thinking = (self.thinking * 9 + start.elapsed()) / 10;
    }

    fn watch(&self) -> &Watch {
        &self.story.watch
    }

    fn draw(&mut self, frame: &mut Frame<'_>) {
        let [left, right] = Layout::horizontal([Constraint::Min(44), Constraint::Max(72)]).areas(frame.area());
        let [chart, facts] = Layout::vertical([Constraint::Fill(1), Constraint::Length(8)]).areas(left);

        let bars: Vec<_> = ACTIVITIES
            .iter()
            .zip(self.story.counts())
            .map(|(activity, count)| {
                let color = if count > 0 { Color::Green } else { Color::DarkGray };
                let label = Line::from(format!("{activity:?}").to_lowercase());
                Bar::default().label(label).value(count as u64).style(Style::new().fg(color))
            })
            .collect();
        let title = " how many do what · s save · l load · c cores · q quit ";
        let bars = BarChart::horizontal(bars).bar_gap(1).max(self.story.herd.len() as u64);
        frame.render_widget(bars.block(Block::bordered().title(title)), chart);

        let nanos = self.thinking.as_nanos().max(1);
        let agents = self.story.herd.len() as u128;
        let facts_of = [
            self.story.line().split(": ").next().unwrap_or_default().to_owned(),
            format!("{} agents on {:?} core(s)", agents, self.cores).to_lowercase(),
            format!("{} agents ticked a second, {} ns each", agents * 1_000_000_000 / nanos, nanos / agents.max(1)),
            format!("{} bytes of memory for each", size_of::<Memory<N>>()),
            self.said.clone(),
        ];
        let lines: Vec<Line<'_>> = facts_of.into_iter().map(Line::from).collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" the village ")), facts);

        let lines: Vec<Line<'_>> = self.drawing.iter().map(|line| Line::from(line.as_str())).collect();
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" their one tree ")), right);
    }
}
