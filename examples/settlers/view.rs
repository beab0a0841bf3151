//! The terminal view: the way between town and forest, the tree of one settler, and what has happened.

use std::collections::VecDeque;
use std::sync::Arc;

use bt_core::describe::Description;
use bt_core::observe::Statuses;
use bt_core::prelude::*;
use bt_dynamic::{Editable, FileTree, LiveTree, LoadError, LoadedTree};
use bt_examples::options::Options;
use bt_examples::{
    input::{Input, Key},
    panel,
    play::{Look, Play},
    watch::Watch,
};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

use crate::FILE;
use crate::settler::{Settler, TICK, Town, registry};

/// The number of log lines that are kept.
const LOG_LINES: usize = 50;
/// The last position that is drawn.
const FOREST: i32 = 14;

/// The town. The tree is reloaded whenever its file changes, and a page can edit it.
pub(crate) struct Game {
    tree: LiveTree<Settler>,
    /// The file of the tree; `None` in a browser, where the tree is a text.
    file: Option<FileTree<Settler>>,
    town: Town<LiveTree<Settler>>,
    /// The tree that was ticked last.
    current: Option<Arc<LoadedTree<Settler>>>,
    description: Description,
    /// The settler whose tree is shown, and its last statuses.
    selected: usize,
    statuses: Statuses,
    log: VecDeque<String>,
    watch: Watch,
}

impl Game {
    /// Returns a town whose tree is that of a file.
    pub(crate) fn new(file: FileTree<Settler>, options: Options) -> Self {
        let game = Self::with(file.live(), format!("edit {FILE} to change the tree"), options);
        game.watch.file(FILE, file.editable());
        Self { file: Some(file), ..game }
    }

    /// Returns a town whose tree is that of a text.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub(crate) fn of_text((name, text): (&str, &str), options: Options) -> Result<Self, LoadError> {
        let tree = LiveTree::new();
        let editable = Editable::new(tree.clone(), registry());
        editable.apply(text)?;
        let game = Self::with(tree, "edit the tree in the page".to_owned(), options);
        game.watch.text(name, text, editable);
        Ok(game)
    }

    fn with(tree: LiveTree<Settler>, hint: String, options: Options) -> Self {
        let town = Town::new(&tree, options.seed);
        let names = town.settlers().map(|settler| settler.name.to_owned());
        let watch = Watch::new(options, ("settler", &tree), names, TICK);
        let (current, description) = (tree.tree(), tree.description());
        let log = VecDeque::from([hint]);
        Self { tree, file: None, town, current, description, selected: 0, statuses: Statuses::default(), log, watch }
    }

    fn log(&mut self, line: String) {
        self.log.push_back(line);
        if self.log.len() > LOG_LINES {
            self.log.pop_front();
        }
    }

    fn reload(&mut self) {
        if let Some(Err(error)) = self.file.as_mut().and_then(FileTree::poll) {
            self.log(format!("reload failed, keeping the old tree: {error}"));
        }
        let (current, tree) = (self.tree.tree(), &self.tree);
        if current.as_ref().map(Arc::as_ptr) != self.current.as_ref().map(Arc::as_ptr) {
            // The settlers, and what is known of them, follow with their next ticks.
            (self.description, self.current) = (tree.description(), current);
            self.statuses = Statuses::default();
            self.log("the tree has been reloaded".to_owned());
        }
    }
}

impl Play for Game {
    fn look(&self) -> Look {
        Look {
            tick: TICK,
            keys: &[("1", "Ada"), ("2", "Bo"), ("3", "Cy"), ("4", "Di")],
            columns: Some([Constraint::Min(36), Constraint::Max(56)]),
        }
    }

    fn input(&mut self, input: Input) {
        let Input::Key(Key::Char(digit @ '1'..='4')) = input else { return };
        let selected = digit as usize - '1' as usize;
        if selected != self.selected && selected < self.town.len() {
            self.selected = selected;
            self.statuses = Statuses::default();
        }
    }

    fn tick(&mut self) {
        self.reload();
        let Self { tree, town, watch, statuses, selected, .. } = self;
        let lines = town.tick(|index, settler, memory| {
            if !watch.is_held(index) {
                let now = settler.now();
                let statuses = (index == *selected).then_some(&mut *statuses);
                tree.tick_with(settler, memory, &mut (statuses, watch.at(index, now)));
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
