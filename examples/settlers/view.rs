//! The terminal view: the way between town and forest, the tree of one settler, and what has happened.

use std::collections::VecDeque;

use bt_core::describe::Description;
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_dynamic::{FileTree, LoadedTree};
use bt_examples::options::Options;
use bt_examples::{
    panel,
    terminal::{Look, Play},
    watch::Watch,
};
use crossterm::event::{Event, KeyCode};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use crate::FILE;
use crate::settler::{Settler, TICK, Town};

/// The number of log lines that are kept.
const LOG_LINES: usize = 50;
/// The last position that is drawn.
const FOREST: i32 = 14;

/// The town in the terminal. The tree is reloaded whenever its file changes.
pub(crate) struct Game {
    file: FileTree<Settler>,
    town: Town<LoadedTree<Settler>>,
    description: Description,
    /// The settler whose tree is shown, and its last statuses.
    selected: usize,
    statuses: Statuses,
    log: VecDeque<String>,
    watch: Watch,
}

impl Game {
    pub(crate) fn new(file: FileTree<Settler>, options: Options) -> Self {
        let town = Town::new(file.tree(), options.seed);
        let watch = Watch::new(options, ("settler", file.tree()), "settler", town.len(), TICK);
        watch.file(FILE, file.editable());
        Self {
            description: file.tree().description(),
            town,
            selected: 0,
            statuses: Statuses::default(),
            log: VecDeque::from([format!("edit {FILE} to change the tree")]),
            watch,
            file,
        }
    }

    fn log(&mut self, line: String) {
        self.log.push_back(line);
        if self.log.len() > LOG_LINES {
            self.log.pop_front();
        }
    }

    fn reload(&mut self) {
        match self.file.poll() {
            None => {}
            Some(Err(error)) => self.log(format!("reload failed, keeping the old tree: {error}")),
            Some(Ok(change)) => {
                self.town.each(|settler, memory| _ = change.apply(memory, settler));
                self.watch.replace(&*change.new, &change.matching());
                self.description = change.new.description();
                self.statuses = Statuses::default();
                self.log("the tree has been reloaded".to_owned());
            }
        }
    }
}

impl Play for Game {
    fn look(&self) -> Look {
        Look {
            tick: TICK,
            keys: "1 to 4: the tree of a settler",
            columns: Some([Constraint::Min(36), Constraint::Max(56)]),
        }
    }

    fn event(&mut self, event: &Event) {
        let Event::Key(key) = event else { return };
        let KeyCode::Char(digit @ '1'..='4') = key.code else { return };
        let selected = digit as usize - '1' as usize;
        if selected != self.selected && selected < self.town.len() {
            self.selected = selected;
            self.statuses = Statuses::default();
        }
    }

    fn tick(&mut self) {
        self.reload();
        let Self { file, town, watch, statuses, selected, .. } = self;
        let lines = town.tick(|index, settler, memory| {
            if !watch.is_held(index) {
                let now = settler.now();
                let statuses = (index == *selected).then_some(&mut *statuses);
                file.tree().tick_with(settler, memory, &mut (statuses, watch.at(index, now)));
            }
            watch.show_mut(index, |values| {
                values.edit("hunger", &mut settler.hunger).edit("position", &mut settler.position);
                values.edit("carried", &mut settler.carried).show("activity", settler.activity);
            });
        });
        for line in lines {
            self.log(line);
        }
    }

    fn watch(&self) -> &Watch {
        &self.watch
    }

    fn draw_scene(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let [town, log] = Layout::vertical([Constraint::Length(8), Constraint::Fill(1)]).areas(area);
        let lines: Vec<_> =
            self.town.settlers().enumerate().map(|(index, settler)| lane(settler, index == self.selected)).collect();
        let title = format!(" {} logs in store ", self.town.wood);
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), town);
        draw_log(frame, log, &self.log);
    }

    fn draw_tree(&self, frame: &mut Frame<'_>, area: Rect) {
        let name = self.town.settlers().nth(self.selected).map_or("", |settler| settler.name);
        panel::draw(frame, area, &format!(" {name} "), &self.description, &self.statuses);
    }
}

/// A settler between the town at the left and the forest at the right.
fn lane(settler: &Settler, is_selected: bool) -> Line<'static> {
    let letter: String = settler.name.chars().take(1).collect();
    let style = if is_selected {
        Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
    } else {
        Style::new().add_modifier(Modifier::BOLD)
    };
    let mut spans = vec![Span::styled("⌂", Style::new().fg(Color::Yellow))];
    for position in 0..=FOREST {
        spans.push(match position {
            _ if position == settler.position => Span::styled(letter.clone(), style),
            12.. => Span::styled("♣", Style::new().fg(Color::Green)),
            _ => Span::styled("·", Style::new().fg(Color::DarkGray)),
        });
    }
    let logs = "=".repeat(usize::try_from(settler.carried).unwrap_or(0).min(9));
    spans.push(Span::raw(format!(" {} ", settler.activity)));
    spans.push(Span::styled(logs, Style::new().fg(Color::Yellow)));
    Line::from(spans)
}

/// Draws the last lines that fit, wrapped.
fn draw_log(frame: &mut Frame<'_>, area: Rect, log: &VecDeque<String>) {
    let width = usize::from(area.width.saturating_sub(2)).max(1);
    let rows = log.iter().flat_map(|line| {
        let letters: Vec<char> = line.chars().collect();
        letters.chunks(width).map(|row| Line::from(row.iter().collect::<String>())).collect::<Vec<_>>()
    });
    let rows: Vec<_> = rows.collect();
    let hidden = rows.len().saturating_sub(usize::from(area.height.saturating_sub(2)));
    let shown: Vec<_> = rows.into_iter().skip(hidden).collect();
    frame.render_widget(Paragraph::new(shown).block(Block::bordered().title(" log ")), area);
}
