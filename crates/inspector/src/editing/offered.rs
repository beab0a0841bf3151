//! What pages offer to insert in a document that no program follows: words, and the nodes that it declares or contains.

use std::collections::BTreeMap;

use bt_behavior3::palette::{Entry, Kind, entries};
use bt_behavior3::{Arity, EditTree, EditXml, NodeNames, is_file_name};
use bt_syntax::edit::{Document, Node, Notation, Tree};

/// The group of nodes that no program describes.
const OWN: &str = "this file";
/// The number of arguments that a node can have of which nothing is known.
const MAX_PARAMETERS: usize = 100;

/// Nodes of the user that were declared.
pub(super) struct Nodes {
    pub(super) names: NodeNames,
    pub(super) entries: Vec<Entry>,
}

/// Returns words and other nodes.
pub(super) fn palette_of(
    document: &Document,
    text: &str,
    nodes: Option<&Nodes>,
    xml: Option<&dyn EditXml>,
) -> Vec<Entry> {
    let mut own: BTreeMap<String, Arity> = found(document);
    let xml = xml.filter(|_| document.notation.is_foreign());
    let words = xml.map_or_else(|| document.notation.words(), EditXml::palette);
    own.retain(|name, _| !words.iter().any(|entry| entry.name == *name));
    own.extend(document.notation.declared(text));
    let mut given = nodes.map_or_else(Vec::new, |nodes| nodes.entries.clone());
    given.extend(document.notation.functions(text));
    own.retain(|name, _| !given.iter().any(|entry| entry.name == *name));
    let of_own = own.into_iter().map(|(name, arity)| {
        let kind = match arity {
            Arity::Zero => Kind::Leaf,
            Arity::One => Kind::Decorator,
            _ => Kind::Composite,
        };
        Entry::new(&name, kind, OWN, "", Vec::new())
    });
    words.into_iter().chain(given).chain(of_own).collect()
}

/// Returns the palette of a program for a document: words have other names in files of the editor, and in XML.
pub(super) fn palette_in(notation: Notation, program: &dyn EditTree) -> Vec<Entry> {
    let of_program = program.palette();
    if notation.is_foreign() {
        return program.xml().map_or(of_program, EditXml::palette);
    }
    let words = notation.words();
    if words == entries() {
        return of_program;
    }
    let is_word = |entry: &Entry| is_file_name(&entry.name);
    words.into_iter().chain(of_program.into_iter().filter(|entry| !is_word(entry))).collect()
}

/// Returns the nodes that are known without a program. If none are declared but in the file, any name is one.
pub(super) fn names_in(document: &Document, text: &str, nodes: Option<&Nodes>) -> NodeNames {
    let open = || NodeNames::new(document.notation.declared(text)).open();
    nodes.map_or_else(open, |nodes| nodes.names.clone())
}

/// Returns the names of the parameters of a node, of which none are known: of any number.
pub(super) fn any_parameters() -> Vec<String> {
    (1..=MAX_PARAMETERS).map(|number| number.to_string()).collect()
}

/// Returns the nodes of a document that are neither words nor trees.
fn found(document: &Document) -> BTreeMap<String, Arity> {
    let mut found = BTreeMap::new();
    for node in document.trees.iter().flat_map(Tree::nodes) {
        let Some(name) = name_of(node) else { continue };
        let is_tree = document.trees.iter().any(|tree| tree.name == name);
        if is_tree || document.notation.is_word(name) || matches!(name, "if" | "match") {
            continue;
        }
        let arity = match node.children().count() {
            0 => Arity::Zero,
            1 => Arity::One,
            _ => Arity::Many,
        };
        // A node with one child here and several there is a composite.
        let known = found.entry(name.to_owned()).or_insert(arity);
        if arity == Arity::Many {
            *known = arity;
        }
    }
    found
}

/// Returns the name at the begin of a head, if it is one: `near` of `near(10.0)`.
fn name_of(node: &Node) -> Option<&str> {
    let end = node.head.find(|sign: char| !(sign.is_alphanumeric() || "_:".contains(sign)));
    let (name, rest) = node.head.split_at(end.unwrap_or(node.head.len()));
    let is_call = rest.is_empty() || rest.trim_start().starts_with('(');
    (is_call && name.starts_with(|first: char| first.is_alphabetic() || first == '_')).then_some(name)
}
