//! Rust sources as a notation.

use std::sync::Arc;

use bt_behavior3::Diagnostic;
use bt_behavior3::palette::Entry;

use super::document::{Document, Facts, New, Room};
use super::function;
use super::functions::functions;
use super::head::Head;
use super::node::{Angles, Around, Node, Style, Tree};
use super::operation::Operation;
use super::original::Original;
use super::print;
use super::source::of_rust;
use super::text::{TEXT, not_xml};
use super::write;
use crate::file::on_a_thread;
use crate::live;

/// A Rust source with its `tree!`.
pub(super) struct Rust;

impl Room for Rust {
    fn facts(&self) -> &'static Facts {
        &Facts { name: "rust", extension: "rs", new_file: None, style: Style::Source, ..TEXT }
    }

    fn trees(&self, text: &Original) -> Result<Vec<Tree>, Diagnostic> {
        of_rust(text)
    }

    fn write(&self, document: &Document) -> Result<String, String> {
        on_a_thread(|| write::source(document))
    }

    fn problems(&self, text: &str) -> Vec<(Diagnostic, bool)> {
        let mut all = Vec::new();
        for found in live::find(text).unwrap_or_default().iter().filter(|found| !found.is_in_macro) {
            match live::read(found) {
                Ok(read) => all.extend(read.mistakes.into_iter().map(|found| (found.diagnostic, true))),
                Err(errors) => all.extend(errors.into_iter().map(|error| (error, false))),
            }
        }
        all
    }

    fn functions(&self, text: &str) -> Vec<Entry> {
        functions(text)
    }

    fn own_nodes(&self, text: &str) -> Option<Result<Vec<Node>, String>> {
        not_xml(text)
    }

    fn names_arguments(&self, head: &Head) -> bool {
        head.takes_options()
    }

    fn used(&self, node: &Node, head: &Head) -> Option<String> {
        node.head.ends_with("()").then(|| head.last_name().to_owned())
    }

    fn name_of<'t>(&self, tree: &'t Tree) -> Option<&'t str> {
        tree.around.function.as_ref().filter(|function| function.is_plain).map(|function| &*function.name)
    }

    fn check_name(&self, document: &Document, name: &str) -> Result<(), String> {
        document.check_identifier(name)?;
        if function::has(&document.source, name) {
            return Err(format!("the source already has a function `{name}`"));
        }
        Ok(())
    }

    /// Adds a tree in a function after that of another one.
    fn create(&self, document: &mut Document, New { name, root, beside }: New) -> Result<usize, String> {
        let help = "help: write a function with a tree, `fn guard() -> impl Node<Npc> { tree! { … } }`";
        let first = || document.trees.iter().position(|tree| tree.around.function.is_some());
        let beside = beside.or_else(first).ok_or(format!("the source has no function with a tree; {help}"))?;
        let around = &document.trees[beside].around;
        let function = around.function.as_ref().ok_or("the tree is in no function")?;
        let nodes = root.as_ref().map_or_else(String::new, |root| print::nodes([&**root], Style::Source));
        let function = function.next(&name, &nodes, &around.context)?;
        let angles = around.angles.as_ref().map(|_| Angles::default());
        let end = function.end;
        let is_behind = |tree: &Tree| tree.around.place.as_ref().is_some_and(|place| place.start > end);
        let index = document.trees.iter().position(is_behind).unwrap_or(document.trees.len());
        let id = document.new_id();
        let around = Around { function: Some(Arc::new(function)), angles, ..Around::default() };
        let tree = Tree { id, root, around, ..Tree::new(name, None) };
        document.trees.insert(index, tree);
        Ok(index)
    }

    fn use_of(&self, _document: &Document, tree: &Tree, _node: &Node) -> String {
        tree.around.function.as_ref().map_or_else(String::new, |function| function.call())
    }

    /// A node that moves to another function does not take variables along.
    fn follow(
        &self,
        before: &Document,
        now: &mut Document,
        (operation, _): (&Operation, &[u32]),
    ) -> Result<(), String> {
        let Operation::Move { nodes, .. } = operation else { return Ok(()) };
        for id in nodes {
            let (from, to) = (&before.trees[before.way(*id)?.tree], &now.trees[now.way(*id)?.tree]);
            if let Some(function) = from.around.function.as_ref().filter(|_| from.id != to.id) {
                function
                    .check_leave(&print::nodes([&**now.node(*id)?], Style::Source), to.around.function.as_deref())?;
            }
        }
        Ok(())
    }

    fn check_disabled(&self, _document: &Document, node: &Node, _was: Option<&str>) -> Result<(), String> {
        if node.disabled { print::check_comment(node) } else { Ok(()) }
    }
}
