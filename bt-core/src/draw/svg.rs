//! Drawings as SVG, with the layout of a tidy tree: the root at the left, a row for each leaf, parents centered on
//! their children.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::describe::{Described, Kind};
use crate::draw::{ALL, Drawing, look, shortened, xml};
use crate::id::NodeId;

/// The distance between two rows without and with counts below the boxes, and the height of a box, in pixels.
const ROW: f64 = 28.0;
const ROW_WITH_COUNT: f64 = 38.0;
const HIGH: f64 = 22.0;
/// The distance between two columns, and the margin around the drawing, in pixels.
const GAP: f64 = 28.0;
const MARGIN: f64 = 12.0;
/// The approximate width of a character in the normal and the small font, in pixels; and the maximum number of
/// characters in a box.
const SIGN: f64 = 6.7;
const SMALL_SIGN: f64 = 5.5;
const SIGNS: usize = 48;

const STYLE: &str = "\
svg{background:#fff}\
text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#222}\
.count{fill:#666;font-size:9px;font-weight:400;font-style:normal}\
rect{fill:#fff;stroke:#999;stroke-width:1}\
path{fill:none;stroke:#bbb}\
.composite text,.machine text{font-weight:700}\
.decorator text,.subtree text{font-style:italic}\
.subtree rect,.machine rect{stroke-width:2}\
.condition rect{stroke-dasharray:3 2}\
.stale rect{stroke-opacity:.55}\
.stale text{fill-opacity:.75}\
@media(prefers-color-scheme:dark){svg{background:#191b1f}text{fill:#ddd}rect{fill:#22262b;stroke:#777}path{stroke:#555}.count{fill:#aaa}}";

impl Drawing<'_> {
    /// Returns the tree as a self-contained SVG image, for a file of its own or as part of a page.
    ///
    /// Long labels are shortened. The complete title and the source location are shown as a tooltip.
    ///
    /// ```
    /// use bt_core::prelude::*;
    ///
    /// let tree = tree! { for (): selector { fail, run } };
    /// let picture = tree.description().draw().svg();
    /// assert!(picture.contains(">selector</text>"));
    /// ```
    pub fn svg(&self) -> String {
        let layout = Layout::of(self);
        let (width, height) = (layout.width, layout.height);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">\n<style>{STYLE}"
        );
        for last in ALL {
            let look = look(last);
            let _ = write!(out, ".{0} rect{{stroke:{1};stroke-width:2}}.{0} .sign{{fill:{1}}}", look.class, look.color);
        }
        out += "@media(prefers-color-scheme:dark){";
        for last in ALL {
            let look = look(last);
            let _ = write!(out, ".{0} rect{{stroke:{1}}}.{0} .sign{{fill:{1}}}", look.class, look.dark);
        }
        out += "}</style>\n";
        for node in self.description.nodes() {
            if let Some(parent) = node.parent {
                out += &layout.branch(parent, node);
            }
        }
        for node in self.description.nodes() {
            out += &self.svg_node(node, &layout);
        }
        out + "</svg>\n"
    }

    fn svg_node(&self, node: &Described, layout: &Layout) -> String {
        let SourceNode { x, y, width } = layout.sources[node.id.index()];
        let last = self.last(node);
        let mut class = String::from(kind_class(node.kind));
        let mut sign = "";
        if let Some((last, is_fresh)) = last {
            let look = look(last);
            let _ = write!(class, " {}{}", look.class, if is_fresh { "" } else { " stale" });
            sign = look.sign;
        }
        let rounded = match node.kind {
            Kind::Condition | Kind::Action => 4.0,
            Kind::State => HIGH / 2.0,
            _ => 0.0,
        };
        let place = node.location.as_ref().map_or_else(String::new, |place| format!("\n{place}"));
        let mut out = format!(
            "<g class=\"{class}\"><title>{}{}</title><rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{HIGH}\" rx=\"{rounded}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            xml(&node.title()),
            xml(&place),
            y - HIGH / 2.0,
            x + 6.0,
            y + 4.0,
            xml(&shown(node)),
        );
        if !sign.is_empty() {
            let _ =
                write!(out, "<text class=\"sign\" x=\"{:.1}\" y=\"{:.1}\">{sign}</text>", x + width - 14.0, y + 4.0);
        }
        if let Some(count) = self.count(node) {
            let count = xml(&format!("{count}"));
            let _ = write!(out, "<text class=\"count\" x=\"{x:.1}\" y=\"{:.1}\">{count}</text>", y + HIGH / 2.0 + 8.0);
        }
        out + "</g>\n"
    }
}

fn kind_class(kind: Kind) -> &'static str {
    match kind {
        Kind::Composite => "composite",
        Kind::Decorator => "decorator",
        Kind::Subtree => "subtree",
        Kind::Machine => "machine",
        Kind::State => "state",
        Kind::Condition => "condition",
        Kind::Action => "action",
    }
}

fn shown(node: &Described) -> String {
    shortened(&node.heading(), SIGNS)
}

fn signs(text: &str) -> f64 {
    f64::from(u32::try_from(text.chars().count()).unwrap_or(0))
}

/// The position of a node's box: its left edge, its middle line, and its width.
#[derive(Clone, Copy, Default)]
struct SourceNode {
    x: f64,
    y: f64,
    width: f64,
}

struct Layout {
    sources: Vec<SourceNode>,
    width: f64,
    height: f64,
}

impl Layout {
    fn of(drawing: &Drawing<'_>) -> Self {
        let nodes = drawing.description.nodes();
        let row_height = if drawing.statistics.is_some() { ROW_WITH_COUNT } else { ROW };
        let mut sources = vec![SourceNode::default(); nodes.len()];
        let mut depths = vec![0_usize; nodes.len()];
        let mut columns: Vec<f64> = Vec::new();
        for node in nodes {
            let index = node.id.index();
            depths[index] = node.parent.map_or(0, |parent| depths[parent.index()] + 1);
            // Reserve space for the sign of the status at the end.
            sources[index].width = signs(&shown(node)) * SIGN + 26.0;
            let count = drawing.count(node).map_or(0.0, |count| signs(&format!("{count}")) * SMALL_SIGN);
            if columns.len() <= depths[index] {
                columns.push(0.0);
            }
            columns[depths[index]] = columns[depths[index]].max(sources[index].width).max(count);
        }
        let mut left = MARGIN;
        let mut edges = Vec::new();
        for width in &columns {
            edges.push(left);
            left += width + GAP;
        }
        // Children follow their parent, so in reverse order all children of a node have their rows before it.
        let mut children: Vec<Option<(f64, f64)>> = vec![None; nodes.len()];
        let leaves = nodes.iter().filter(|node| is_leaf(nodes, node.id)).count();
        let mut row = f64::from(u32::try_from(leaves).unwrap_or(u32::MAX));
        for node in nodes.iter().rev() {
            let index = node.id.index();
            let middle = children[index].map_or_else(
                || {
                    row -= 1.0;
                    row
                },
                |(first, last)| f64::midpoint(first, last),
            );
            sources[index].x = edges[depths[index]];
            sources[index].y = MARGIN + HIGH / 2.0 + middle * row_height;
            if let Some(parent) = node.parent {
                let last = children[parent.index()].map_or(middle, |(_, last)| last);
                children[parent.index()] = Some((middle, last));
            }
        }
        let leaves = f64::from(u32::try_from(leaves).unwrap_or(u32::MAX));
        Self { sources, width: left - GAP + MARGIN, height: leaves * row_height + MARGIN }
    }

    /// Returns the line from a parent to a child.
    fn branch(&self, parent: NodeId, child: &Described) -> String {
        let dashes = if child.role.is_child() { "" } else { " stroke-dasharray=\"3 3\"" };
        let (parent, child) = (self.sources[parent.index()], self.sources[child.id.index()]);
        let from = parent.x + parent.width;
        let middle = child.x - GAP / 2.0;
        format!("<path d=\"M{from:.1} {:.1}H{middle:.1}V{:.1}H{:.1}\"{dashes}/>\n", parent.y, child.y, child.x)
    }
}

/// Returns `true` if the node has no children: in pre-order, the first child directly follows its parent.
fn is_leaf(nodes: &[Described], id: NodeId) -> bool {
    nodes.get(id.index() + 1).is_none_or(|next| next.parent != Some(id))
}
