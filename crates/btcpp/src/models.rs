//! The models of nodes, which editors offer: `<TreeNodesModel>`.

use std::fmt::Write as _;

use bt_behavior3::palette::{Entry, Kind, Type};
use bt_behavior3::xml::{self, escape, not_in_attribute, text};
use bt_behavior3::{Project, is_file_name};

use crate::attribute::{self, id};
use crate::builtin::{Builtin, Category};

/// A port of a model.
struct Port {
    /// The element: `input_port` or `output_port`.
    element: &'static str,
    name: String,
    /// The type, as the program names it; empty if it is not known.
    ty: &'static str,
    default: String,
    doc: String,
}

impl Port {
    fn input(name: &str, default: String) -> Self {
        Self { element: "input_port", name: name.to_owned(), ty: "", default, doc: String::new() }
    }
}

/// Returns the models of the nodes that a project declares, and of the trees whose properties have values or are required.
pub(crate) fn models(project: &Project) -> String {
    let mut out = String::new();
    // In XML, a node of the program can have the name of a word.
    let own = |name| match str::strip_prefix(name, "btcpp::") {
        Some(name) => Some(name).filter(|name| is_file_name(name) && Builtin::named(name).is_none()),
        None => Some(name).filter(|name| !is_file_name(name)),
    };
    for (node, name) in project.declared().filter_map(|node| Some((node, own(&*node.name)?))) {
        let category = match node.category() {
            Some("composite") => Category::Control,
            Some("decorator") => Category::Decorator,
            Some("condition") => Category::Condition,
            _ => Category::Action,
        };
        let default = |value| if not_in_attribute(value).is_some() { String::new() } else { text(value) };
        let ports = node.properties.iter().map(|(name, value)| Port::input(name, default(value)));
        model(&mut out, category, name, "", ports);
    }
    for tree in &project.trees {
        let given = tree.properties.iter().filter(|(name, value)| !attribute::is_own(name, value));
        let mut ports = given.map(|(name, value)| Port::input(name, text(value))).peekable();
        if ports.peek().is_some() {
            model(&mut out, Category::SubTree, id(tree), "", ports);
        }
    }
    if out.is_empty() { out } else { format!("  <TreeNodesModel>\n{out}  </TreeNodesModel>\n") }
}

/// Returns `true` for a node of the program, which is neither a word nor a node of this package.
pub(crate) fn is_own(entry: &Entry) -> bool {
    entry.group != "words" && entry.group.split("::").next() != Some("bt_btcpp")
}

/// Returns a file with the models of a program's own nodes.
pub(crate) fn of_palette(palette: &[Entry]) -> String {
    let mut out = String::new();
    for entry in palette.iter().filter(|entry| is_own(entry)) {
        let category = match entry.kind {
            Kind::Composite | Kind::Choice | Kind::Machine | Kind::State => Category::Control,
            Kind::Decorator => Category::Decorator,
            Kind::Leaf if entry.is_condition => Category::Condition,
            Kind::Leaf => Category::Action,
        };
        let ports = entry.params.iter().map(|param| {
            let default = param.property.as_ref().filter(|_| !param.required).map(text).unwrap_or_default();
            Port {
                element: if param.ty == Type::Variable { "output_port" } else { "input_port" },
                ty: type_name(param.ty),
                default,
                doc: param.doc.clone(),
                ..Port::input(&param.name, String::new())
            }
        });
        let name = entry.name.strip_prefix("btcpp::").unwrap_or(&entry.name);
        model(&mut out, category, name, &entry.doc, ports);
    }
    let models = format!("  <TreeNodesModel>\n{out}  </TreeNodesModel>\n");
    format!("<?xml version=\"1.0\"?>\n<root BTCPP_format=\"4\">\n{models}</root>\n")
}

/// Returns the name of a type in C++, as the editor shows it; empty if there is none.
const fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Integer => "int",
        Type::Number | Type::Probability => "double",
        Type::Boolean => "bool",
        Type::Text | Type::Choice => "std::string",
        Type::Time | Type::Variable | Type::List | Type::Expression => "",
    }
}

/// Adds the model of a node.
fn model(out: &mut String, category: Category, id: &str, doc: &str, ports: impl Iterator<Item = Port>) {
    let (name, id) = (category.name(), escape(id));
    let mut inner = String::new();
    for Port { element, name, ty, default, doc } in ports {
        let more = [("type", ty), ("default", &default)].into_iter().filter(|(_, value)| !value.is_empty());
        let attributes = [("name", &*name)].into_iter().chain(more).map(|(name, value)| xml::attribute(name, value));
        _ = write!(inner, "      <{element}{}", attributes.collect::<String>());
        _ = match doc.as_str() {
            "" => writeln!(inner, "/>"),
            doc => writeln!(inner, ">{}</{element}>", escape(doc)),
        };
    }
    if !doc.is_empty() {
        let field = format!("<Metadata description=\"{}\"/>", escape(doc));
        _ = writeln!(inner, "      <MetadataFields>{field}</MetadataFields>");
    }
    _ = match inner.as_str() {
        "" => writeln!(out, "    <{name} ID=\"{id}\"/>"),
        inner => write!(out, "    <{name} ID=\"{id}\">\n{inner}    </{name}>\n"),
    };
}
