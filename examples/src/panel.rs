//! A panel that shows a tree with its last statuses.

use bt_core::describe::{Described, Description};
use bt_core::observe::{Last, Seen, Statuses};
use bt_core::prelude::*;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

/// Draws a tree. Nodes visited in the last tick are bright, running nodes are yellow. If the tree does not fit, the running part is shown.
pub fn draw(frame: &mut Frame<'_>, area: Rect, title: &str, tree: &Description, statuses: &Statuses) {
    let lines: Vec<_> = tree.nodes().iter().zip(tree.lines()).map(|(node, text)| line(node, text, statuses)).collect();
    let height = usize::from(area.height.saturating_sub(2));
    let running = tree.nodes().iter().rposition(|node| is_live(statuses.last(node.id))).unwrap_or(0);
    let top = running.saturating_sub(height / 2).min(lines.len().saturating_sub(height));
    let shown: Vec<_> = lines.into_iter().skip(top).take(height).collect();
    frame.render_widget(Paragraph::new(shown).block(Block::bordered().title(title.to_owned())), area);
}

fn is_live(seen: Option<Seen>) -> bool {
    seen.is_some_and(|seen| seen.fresh && seen.last == Last::Returned(Status::Running))
}

fn line(node: &Described, text: String, statuses: &Statuses) -> Line<'static> {
    let seen = statuses.last(node.id);
    let (mark, style) = match seen {
        None => (" ", Style::new().fg(Color::DarkGray)),
        Some(seen) => {
            let (mark, color) = match seen.last {
                Last::Returned(Status::Success) => ("✓", Color::Green),
                Last::Returned(Status::Failure) => ("✗", Color::Red),
                Last::Returned(Status::Running) => ("▶", Color::Yellow),
                Last::Returned(Status::Error) => ("!", Color::Magenta),
                Last::Halted => ("■", Color::Blue),
            };
            let style = Style::new().fg(color);
            (mark, if seen.fresh { style } else { style.add_modifier(Modifier::DIM) })
        }
    };
    let bold = if is_live(seen) { style.add_modifier(Modifier::BOLD) } else { style };
    Line::from(vec![Span::styled(format!("{mark} "), style), Span::styled(text, bold)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    /// Returns the rows of a panel of the given height.
    fn shown(height: u16) -> Vec<String> {
        let tree = tree! {
            for (): selector { sequence { fail, #[allow(unreachable)] run } fail, run, #[allow(unreachable)] succeed }
        };
        let mut statuses = Statuses::default();
        tree.tick_with(&mut (), &mut tree.memory(), &mut statuses);
        let mut terminal = Terminal::new(TestBackend::new(24, height)).expect("the test backend cannot fail");
        terminal
            .draw(|frame| draw(frame, frame.area(), "tree", &tree.description(), &statuses))
            .expect("the test backend cannot fail");
        let buffer = terminal.backend().buffer();
        let row = |y| (0..24).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..height).map(row).collect()
    }

    #[test]
    fn a_panel_shows_a_status_per_node() {
        assert_eq!(
            shown(9)[1..8],
            [
                "│▶ selector            │",
                "│✗ ├─ sequence         │",
                "│✗ │  ├─ fail          │",
                "│  │  └─ run           │",
                "│✗ ├─ fail             │",
                "│▶ ├─ run              │",
                "│  └─ succeed          │",
            ]
        );
    }

    #[test]
    fn a_small_panel_shows_the_running_part() {
        assert_eq!(shown(4)[1..3], ["│✗ ├─ fail             │", "│▶ ├─ run              │"]);
    }
}
