//! Texts of trees as a notation.

use std::sync::Arc;

use bt_behavior3::Diagnostic;
use bt_words::Word;

use super::document::{Document, Facts, New, Parameters, Read, Room};
use super::head::Head;
use super::node::{Angles, Node, Style, Tree};
use super::original::Original;
use super::source::of_text;
use super::write;
use super::xml::is_xml;
use crate::file::{self, on_a_thread};

pub(super) const TEXT: Facts = Facts {
    name: "text",
    extension: "bt",
    new_file: Some(""),
    style: Style::Text,
    is_foreign: false,
    has_places: true,
    tells_lists: true,
    not: "!",
};

/// A text of trees, `.bt`.
pub(super) struct Text;

impl Room for Text {
    fn facts(&self) -> &'static Facts {
        &TEXT
    }

    fn trees(&self, text: &Original) -> Result<Vec<Tree>, Diagnostic> {
        of_text(text)
    }

    fn write(&self, document: &Document) -> Result<String, String> {
        on_a_thread(|| write::blocks(document))
    }

    fn project(&self, text: &str, parameters: Parameters<'_>) -> Option<Read> {
        Some(file::read(text, parameters))
    }

    fn own_nodes(&self, text: &str) -> Option<Result<Vec<Node>, String>> {
        not_xml(text)
    }

    fn names_arguments(&self, head: &Head) -> bool {
        head.takes_options() || Word::named(head.last_name()).next().is_none()
    }

    /// Adds a tree. The only tree of a text gets a name.
    fn create(&self, document: &mut Document, New { name, root, .. }: New) -> Result<usize, String> {
        let has_angles = document.trees.first().is_some_and(|tree| tree.around.angles.is_some());
        if let [only] = &mut document.trees[..]
            && only.name.is_empty()
        {
            if let Some(Angles { above, below, are_body }) = &mut only.around.angles {
                *are_body = true;
                if let Some(root) = &mut only.root {
                    Arc::make_mut(root).above.splice(0..0, std::mem::take(above));
                }
                let outside = std::mem::take(above).into_iter().chain(std::mem::take(below));
                only.around.end.extend(outside);
            }
            if only.root.is_none() && only.broken.is_none() {
                (only.name, only.root) = (name, root);
                return Ok(0);
            }
            if only.broken.is_some() {
                return Err("the tree of the file cannot be read".to_owned());
            }
            if name == "main" { "root" } else { "main" }.clone_into(&mut only.name);
        }
        let index = document.push(name, None, root);
        document.trees[index].around.angles = has_angles.then(|| Angles { are_body: true, ..Angles::default() });
        Ok(index)
    }

    fn properties(&self, _document: &Document, tree: &Tree) -> Vec<String> {
        let arguments = Head::of(&format!("tree{}", tree.around.properties)).arguments;
        arguments.into_iter().map(|argument| argument.name.unwrap_or(argument.text)).collect()
    }
}

/// Returns an error for XML, which is not inserted into a source or a text.
pub(super) fn not_xml(text: &str) -> Option<Result<Vec<Node>, String>> {
    let error = || Err("expected nodes of `tree!`, found XML; help: `bt convert` converts files".to_owned());
    is_xml(text).then(error)
}
