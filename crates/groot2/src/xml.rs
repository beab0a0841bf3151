//! The XML of a model, as BehaviorTree.CPP writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bt_core::describe::Kind;

use crate::row::{Row, uid_of};
use bt_btcpp::builtin::{Builtin, Category};

/// Returns the XML of a tree with this ID.
pub(crate) fn write(id: &str, rows: &[Row]) -> String {
    let mut writer = Writer { rows, out: "<root BTCPP_format=\"4\">\n".to_owned() };
    writer.tree(id, "", 0);
    for row in rows {
        if let (Some(tree), Some(child)) = (&row.tree, row.children.first()) {
            writer.tree(&row.element, &tree.path, *child);
        }
    }
    writer.models();
    writer.out + "</root>\n"
}

struct Writer<'w> {
    rows: &'w [Row],
    out: String,
}

impl Writer<'_> {
    fn tree(&mut self, id: &str, path: &str, root: usize) {
        _ = writeln!(self.out, "    <BehaviorTree ID=\"{}\" _fullpath=\"{}\">", escape(id), escape(path));
        self.node(root, 2);
        self.out += "    </BehaviorTree>\n";
    }

    fn node(&mut self, row: usize, level: usize) {
        let Some(node) = self.rows.get(row) else { return };
        let indent = "    ".repeat(level);
        let name = if node.tree.is_some() { Category::SubTree.name() } else { &node.element };
        _ = write!(self.out, "{indent}<{name}");
        match &node.tree {
            Some(tree) => self.attributes([("ID", &*node.element), ("_fullpath", &*tree.path)]),
            None => self.attributes([("name", &*node.title)]),
        }
        self.attributes([("_uid", &*uid_of(row).to_string())]);
        let ports = node.attributes.iter().chain(&node.scripts);
        self.attributes(ports.map(|(name, value)| (name.as_str(), value.as_str())));
        if node.tree.is_some() || node.children.is_empty() {
            self.out += "/>\n";
            return;
        }
        self.out += ">\n";
        for child in &node.children {
            self.node(*child, level + 1);
        }
        _ = writeln!(self.out, "{indent}</{name}>");
    }

    fn attributes<'a>(&mut self, attributes: impl IntoIterator<Item = (&'a str, &'a str)>) {
        for (name, value) in attributes {
            _ = write!(self.out, " {name}=\"{}\"", escape(value));
        }
    }

    /// Writes the models of the nodes, in the order of their names.
    fn models(&mut self) {
        let mut models = BTreeMap::<&str, (Category, BTreeSet<&str>)>::new();
        for row in self.rows.iter().filter(|row| row.tree.is_none()) {
            let (_, ports) = models.entry(&row.element).or_insert_with(|| (category(row), BTreeSet::new()));
            ports.extend(row.attributes.iter().map(|(name, _)| name.as_str()));
        }
        self.out += "    <TreeNodesModel>\n";
        for (id, (category, ports)) in models {
            let category = category.name();
            _ = write!(self.out, "        <{category} ID=\"{}\"", escape(id));
            if ports.is_empty() {
                self.out += "/>\n";
                continue;
            }
            self.out += ">\n";
            for port in ports {
                _ = writeln!(self.out, "            <inout_port name=\"{}\"/>", escape(port));
            }
            _ = writeln!(self.out, "        </{category}>");
        }
        self.out += "    </TreeNodesModel>\n";
    }
}

/// Returns the category of a node. A decorator has one child: a node with more is a control node for Groot2.
fn category(row: &Row) -> Category {
    if let Some(builtin) = Builtin::named(&row.element) {
        return builtin.category();
    }
    match (row.kind, row.children.len()) {
        (Kind::Condition, 0) => Category::Condition,
        (Kind::Action, 0) => Category::Action,
        (Kind::Decorator | Kind::State, 1) => Category::Decorator,
        _ => Category::Control,
    }
}

/// Returns the value of an attribute with escapes.
fn escape(value: &str) -> String {
    bt_behavior3::xml::escape(value).replace('\'', "&apos;")
}
