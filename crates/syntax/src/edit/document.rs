//! A document, and what its notation decides.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use bt_behavior3::palette::{Entry, entries};
use bt_behavior3::{Arity, Diagnostic, Project, is_file_name};
use bt_words::{Word, is_identifier};

use super::head::{Form, Head};
use super::node::{Node, Style, Tree};
use super::operation::Operation;
use super::original::Original;
use super::written::{Written, trees_of};
use crate::format::Plain;

/// A file with its trees. Clones share their nodes.
#[derive(Clone, Debug)]
pub struct Document {
    pub notation: Notation,
    pub trees: Vec<Tree>,
    /// The maximum number of characters in a line of what is written.
    pub width: usize,
    /// The places of removed trees in the file as it was read.
    pub(super) removed: Vec<Range<usize>>,
    /// The file as it was read.
    pub(super) source: Original,
    /// What was written last, for this document or another version of it.
    pub(super) written: Arc<Mutex<Written>>,
    /// The id of the next node or tree.
    pub(super) next: u32,
}

impl Document {
    pub(super) fn room(&self) -> &'static dyn Room {
        self.notation.0
    }

    /// Returns the nodes of all trees, in the order of the text.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &Arc<Node>> {
        self.trees.iter().flat_map(Tree::nodes)
    }

    /// Returns the trees of what this document was written as, without `\r`.
    pub(super) fn written_trees(&self, text: &str) -> Result<Arc<[Tree]>, Diagnostic> {
        trees_of(&self.written, text, |text| self.room().trees(&Original::new(text)))
    }

    pub(super) fn style(&self) -> Style {
        self.room().facts().style
    }

    pub(super) fn new_id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    pub(super) fn numbered(&mut self, node: Node) -> Arc<Node> {
        let mut node = Arc::new(node);
        self.number(&mut node);
        node
    }

    /// Gives new ids to a node and those below it.
    pub(super) fn number(&mut self, node: &mut Arc<Node>) {
        let node = Arc::make_mut(node);
        node.id = self.new_id();
        for list in &mut node.lists {
            for child in &mut list.children {
                self.number(child);
            }
        }
    }
}

/// How a document is written: one of the constants.
#[derive(Clone, Copy)]
pub struct Notation(pub(super) &'static dyn Room);

impl Notation {
    /// Returns the name of the notation in messages of the page.
    pub fn name(self) -> &'static str {
        self.0.facts().name
    }

    /// Returns `true` if what the nodes mean is not known here: another package reads the trees.
    pub fn is_foreign(self) -> bool {
        self.0.facts().is_foreign
    }

    /// Returns `true` for the name of a word.
    pub fn is_word(self, name: &str) -> bool {
        self.0.is_word(name)
    }

    /// Returns the words, as a page offers them, with the names that they have in the notation.
    pub fn words(self) -> Vec<Entry> {
        self.0.words()
    }

    /// Reads a text as data, in which the arguments of a node can be written without the names of its `parameters`; `None` for a Rust source, and if
    /// another package reads the trees.
    pub fn project(self, text: &str, parameters: Parameters<'_>) -> Option<Read> {
        self.0.project(&Plain::of(text).text, parameters)
    }

    /// Returns the nodes that a file declares besides its trees.
    pub fn declared(self, text: &str) -> Vec<(String, Arity)> {
        self.0.declared(text)
    }

    /// Returns the functions of a file that its trees can use.
    pub fn functions(self, text: &str) -> Vec<Entry> {
        self.0.functions(text)
    }
}

impl PartialEq for Notation {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Notation {}

impl fmt::Debug for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The parameters of a leaf, decorator or composite, by its name.
pub type Parameters<'p> = &'p (dyn Fn(&str) -> Option<Vec<String>> + Sync);

/// The trees of a text, or its errors.
pub type Read = Result<Project, Vec<Diagnostic>>;

/// The facts about a notation that need no code.
pub(super) struct Facts {
    pub(super) name: &'static str,
    /// The end of the names of its files.
    pub(super) extension: &'static str,
    /// The content of a new file; `None` if an editor of trees creates none.
    pub(super) new_file: Option<&'static str>,
    pub(super) style: Style,
    pub(super) is_foreign: bool,
    /// Whether nodes have places in the text, by which problems find them. Otherwise they have ids.
    pub(super) has_places: bool,
    /// Whether a node without children says if it takes some.
    pub(super) tells_lists: bool,
    /// The head of a node that inverts its child.
    pub(super) not: &'static str,
}

/// A new tree.
pub(super) struct New {
    pub(super) name: String,
    pub(super) root: Option<Arc<Node>>,
    /// The index of the tree that it comes after, in a notation in which this matters.
    pub(super) beside: Option<usize>,
}

/// A notation: how its documents are read, written and changed. What is not said is as in a text of trees.
pub(super) trait Room: Sync {
    fn facts(&self) -> &'static Facts;

    /// Reads the trees of a text, without ids.
    fn trees(&self, text: &Original) -> Result<Vec<Tree>, Diagnostic>;

    fn write(&self, document: &Document) -> Result<String, String>;

    /// Returns nodes as text for the clipboard, if it is not that of `tree!`.
    fn copy(&self, _document: &Document, _nodes: &[&Arc<Node>]) -> Option<Result<String, String>> {
        None
    }

    /// Reads a text as data; `None` if it has to be read in another way.
    fn project(&self, _text: &str, _parameters: Parameters<'_>) -> Option<Read> {
        None
    }

    /// Returns the errors of a text that is not read as data, and its warnings with `true`, as the macro reports them.
    fn problems(&self, _text: &str) -> Vec<(Diagnostic, bool)> {
        Vec::new()
    }

    /// Returns the argument of a node at an index of the text, in which its head begins at `head`.
    fn argument_at(&self, node: &Node, head: usize, at: usize) -> Option<usize> {
        Head::argument_at(&node.head, at.checked_sub(head)?)
    }

    fn words(&self) -> Vec<Entry> {
        entries()
    }

    fn is_word(&self, name: &str) -> bool {
        Word::named(name).next().is_some() || is_file_name(name)
    }

    fn declared(&self, _text: &str) -> Vec<(String, Arity)> {
        Vec::new()
    }

    fn functions(&self, _text: &str) -> Vec<Entry> {
        Vec::new()
    }

    /// Reads nodes that are inserted, if the text is not in the notation of `tree!`, which all read.
    fn own_nodes(&self, text: &str) -> Option<Result<Vec<Node>, String>>;

    /// Returns nodes of a text of `tree!` as those of this notation.
    fn adopted(&self, _document: &Document, nodes: Vec<Node>) -> Result<Vec<Node>, String> {
        Ok(nodes)
    }

    /// Returns a head that replaces another one.
    fn replaced(&self, _old: &str, new: String) -> String {
        new
    }

    /// Returns whether a new argument is written with its name.
    fn names_arguments(&self, _head: &Head) -> bool {
        true
    }

    /// Returns an argument as it is written in a head.
    fn argument(&self, value: &str) -> String {
        value.to_owned()
    }

    /// Returns the name of the tree that a node uses, as `name_of` returns it.
    fn used(&self, _node: &Node, head: &Head) -> Option<String> {
        Some(head.last_name().to_owned())
    }

    /// Returns the name by which nodes use a tree.
    fn name_of<'t>(&self, tree: &'t Tree) -> Option<&'t str> {
        Some(&tree.name)
    }

    /// Returns why a new tree cannot have a name that no other has.
    fn check_name(&self, document: &Document, name: &str) -> Result<(), String> {
        document.check_identifier(name)
    }

    /// Adds a tree, whose name is valid. Returns its index.
    fn create(&self, document: &mut Document, new: New) -> Result<usize, String> {
        Ok(document.push(new.name, None, new.root))
    }

    /// Gives a tree a name, which is valid.
    fn rename(&self, document: &mut Document, index: usize, name: &str) -> Result<(), String> {
        document.rename_uses(index, name, |head| {
            let mut head = Head::of(head);
            name.clone_into(&mut head.name);
            head.text()
        })
    }

    fn check_remove(&self, _document: &Document, _tree: &Tree) -> Result<(), String> {
        Ok(())
    }

    /// Returns the names of the properties of a tree, which its nodes can read.
    fn properties(&self, _document: &Document, _tree: &Tree) -> Vec<String> {
        Vec::new()
    }

    /// Returns why a node cannot become a tree.
    fn check_extract(&self, node: &Node) -> Result<(), String> {
        let head = Head::of(&node.head);
        if matches!(head.form, Form::Transition | Form::Hook) || head.name == Word::State.name() {
            return Err("a state, or a part of it, is no tree; help: extract the node in the state".to_owned());
        }
        Ok(())
    }

    /// Returns the head of a node that uses a tree, in the place of `node`.
    fn use_of(&self, _document: &Document, tree: &Tree, _node: &Node) -> String {
        // A name that is no path of Rust is in quotes.
        let is_path = tree.name.split("::").all(is_identifier);
        if is_path { tree.name.clone() } else { format!("{:?}", tree.name) }
    }

    /// Returns what prevents a tree from being inlined where a node uses it.
    fn inline_obstacle(&self, document: &Document, tree: &Tree, node: &Node) -> Option<&'static str> {
        let is_fixed = self.properties(document, tree).is_empty() && Head::of(&node.head).arguments.is_empty();
        (!is_fixed).then_some("arguments")
    }

    /// Returns why a node cannot be as disabled as it is. `was` is its head before, if it was disabled.
    fn check_disabled(&self, _document: &Document, _node: &Node, _was: Option<&str>) -> Result<(), String> {
        Ok(())
    }

    /// Completes a changed document, or returns why a file cannot contain the `nodes` that an operation has returned.
    fn follow(&self, _before: &Document, _now: &mut Document, _by: (&Operation, &[u32])) -> Result<(), String> {
        Ok(())
    }
}
