//! A panel that shows a tree with its last statuses.

use bt_core::describe::{Described, Description};
use bt_core::observe::{Last, Statuses};
use bt_core::prelude::*;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};

/// Draws a tree. Nodes visited in the last tick are bright, running nodes are yellow. If the tree does not fit, the running part is shown below the
/// nodes above it.
pub fn draw(frame: &mut Frame<'_>, area: Rect, title: &str, tree: &Description, statuses: &Statuses) {
    let texts = tree.lines();
    let running = tree.nodes().iter().rposition(|node| is_live(node, statuses)).unwrap_or(0);
    let rows = rows(tree, usize::from(area.height.saturating_sub(2)), running);
    let line = |(node, text): (&Described, &String)| line(node, text.clone(), statuses);
    let lines: Vec<_> =
        rows.into_iter().filter_map(|row| tree.nodes().get(row).zip(texts.get(row)).map(line)).collect();
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title.to_owned())), area);
}

/// Returns the nodes that are shown in `height` rows: the nodes around one of them and, if the first rows are hidden, the nodes above the first one. These
/// take at most half of the rows: the root, and the nearest ones.
fn rows(tree: &Description, height: usize, around: usize) -> Vec<usize> {
    let nodes = tree.nodes();
    let top = around.saturating_sub(height / 2).min(nodes.len().saturating_sub(height));
    let parent = |node: &usize| nodes.get(*node)?.parent.map(NodeId::index);
    let above = |first: usize| std::iter::successors(parent(&first), parent).collect::<Vec<_>>();
    // The more rows the nodes above take, the later is the first of the others.
    let places = (0..=height / 2).map(|places| (places, top + places, above(top + places)));
    let fits = |(places, _, above): &(usize, usize, Vec<usize>)| above.len().min(height / 2) <= *places;
    let (_, first, above) = { places }.find(fits).unwrap_or_default();
    let places = above.len().min(height / 2);
    let mut rows: Vec<_> = above.iter().copied().take(places.saturating_sub(1)).collect();
    rows.extend(above.last().filter(|_| places > 0));
    rows.reverse();
    let rest = height - rows.len();
    rows.extend((first..nodes.len()).take(rest));
    rows
}

fn is_live(node: &Described, statuses: &Statuses) -> bool {
    statuses.is_running(node.id) && statuses.is_fresh(node.id)
}

fn line(node: &Described, text: String, statuses: &Statuses) -> Line<'static> {
    let (mark, style) = match statuses.last(node.id) {
        None => (" ", Style::new().fg(Color::DarkGray)),
        Some(last) => {
            let (mark, color) = match last {
                Last::Returned(Status::Success) => ("✓", Color::Green),
                Last::Returned(Status::Failure) => ("✗", Color::Red),
                Last::Returned(Status::Running) => ("▶", Color::Yellow),
                Last::Returned(Status::Error) => ("!", Color::Magenta),
                Last::Halted => ("■", Color::Blue),
            };
            let style = Style::new().fg(color);
            (mark, if statuses.is_fresh(node.id) { style } else { style.add_modifier(Modifier::DIM) })
        }
    };
    let bold = if is_live(node, statuses) { style.add_modifier(Modifier::BOLD) } else { style };
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
    fn a_small_panel_shows_the_running_part_below_the_nodes_above_it() {
        let root = "│▶ selector            │";
        assert_eq!(shown(4)[1..3], [root, "│▶ ├─ run              │"]);
        assert_eq!(
            shown(6)[1..5],
            [root, "│✗ ├─ fail             │", "│▶ ├─ run              │", "│  └─ succeed          │"]
        );
        assert_eq!(shown(3)[1..2], ["│▶ ├─ run              │"]);
        for height in 0..3 {
            assert_eq!(shown(height).len(), usize::from(height), "nothing but a border");
        }
    }

    #[test]
    fn the_root_and_the_nearest_nodes_above_are_shown() {
        let tree = tree! {
            for (): selector {
                sequence "a" { sequence "b" { sequence "c" { succeed, succeed, succeed, run "deep" } } }
            }
        };
        let description = tree.description();
        let names = |height, around| -> Vec<_> {
            let name = |row: usize| description.nodes()[row].label.clone().unwrap_or_else(|| row.to_string());
            rows(&description, height, around).into_iter().map(name).collect()
        };
        assert_eq!(names(4, 7), ["0", "c", "6", "deep"]);
        assert_eq!(names(6, 7), ["0", "b", "c", "5", "6", "deep"]);
        assert_eq!(names(7, 7), ["0", "b", "c", "4", "5", "6", "deep"]);
        assert_eq!(names(8, 7).len(), 8);
        assert_eq!(names(1, 7), ["deep"]);
        assert_eq!(names(0, 7), [""; 0]);
    }
}
