//! Files of the Behavior3 editor as a notation.

use bt_behavior3::palette::{Entry, entries_of_files};
use bt_behavior3::{Arity, Diagnostic, Project};

use super::entries::follow;
use super::file::File;
use super::head::replaced;
use super::paste::{in_behavior3, node, uses_words};
use super::read::read;
use super::shape::check_disabled;
use super::write::write;
use crate::edit::document::{Document, Facts, New, Parameters, Read, Room};
use crate::edit::gap;
use crate::edit::node::{Node, Style, Tree};
use crate::edit::operation::Operation;
use crate::edit::original::Original;
use crate::edit::print;
use crate::edit::text::TEXT;

/// A file of the Behavior3 editor.
pub(in crate::edit) struct Json;

impl Room for Json {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "json",
            extension: "json",
            new_file: Some("{\n  \"version\": \"0.3.0\",\n  \"scope\": \"project\",\n  \"trees\": []\n}\n"),
            style: Style::Data,
            has_places: false,
            ..TEXT
        }
    }

    fn trees(&self, text: &Original) -> Result<Vec<Tree>, Diagnostic> {
        read(text)
    }

    fn write(&self, document: &Document) -> Result<String, String> {
        write(document)
    }

    fn project(&self, text: &str, _parameters: Parameters<'_>) -> Option<Read> {
        Some(Project::read(text).map_err(|error| vec![Diagnostic::of_tree("", error.to_string())]))
    }

    fn words(&self) -> Vec<Entry> {
        entries_of_files()
    }

    fn declared(&self, text: &str) -> Vec<(String, Arity)> {
        let Ok(project) = Project::read(text) else { return Vec::new() };
        project.declared_names().map(|(name, arity)| (name.to_owned(), arity)).collect()
    }

    fn own_nodes(&self, text: &str) -> Option<Result<Vec<Node>, String>> {
        text.trim_start().starts_with('{').then(|| Ok(vec![node(text)?]))
    }

    fn adopted(&self, document: &Document, nodes: Vec<Node>) -> Result<Vec<Node>, String> {
        let mut nodes = nodes.into_iter().map(of_text).collect::<Result<Vec<_>, _>>()?;
        if !uses_words(document) {
            nodes.iter_mut().for_each(in_behavior3);
        }
        Ok(nodes)
    }

    fn replaced(&self, old: &str, new: String) -> String {
        replaced(old, new)
    }

    fn check_name(&self, _document: &Document, _name: &str) -> Result<(), String> {
        Ok(())
    }

    fn create(&self, document: &mut Document, New { name, root, .. }: New) -> Result<usize, String> {
        // A project names the tree that its file was.
        if let [only] = &mut document.trees[..]
            && only.name.is_empty()
        {
            "main".clone_into(&mut only.name);
        }
        let is_new = |id: &String| !document.trees.iter().any(|tree| tree.name == *id);
        let mut ids = (document.next..u32::MAX).map(|number| format!("tree-{number}"));
        let id = ids.find(is_new).unwrap_or_default();
        Ok(document.push(id, Some(name), root))
    }

    /// Gives a tree another title, which the editor shows at the nodes that use the tree.
    fn rename(&self, document: &mut Document, index: usize, name: &str) -> Result<(), String> {
        let old = document.trees[index].title.replace(name.to_owned());
        for id in document.uses(index) {
            let of = document.node_mut(id)?;
            if of.label.is_some() && of.label == old {
                of.label = Some(name.to_owned());
            }
        }
        Ok(())
    }

    fn check_remove(&self, document: &Document, tree: &Tree) -> Result<(), String> {
        let object = File::of(&document.source).map(|file| &file.outline.object);
        let selected = object.and_then(|object| object.text(&document.source, "selectedTree"));
        if selected.is_some_and(|selected| selected == tree.name && document.trees.len() > 1) {
            return Err("the file names the tree as the selected one, which programs load".to_owned());
        }
        Ok(())
    }

    fn properties(&self, document: &Document, tree: &Tree) -> Vec<String> {
        let project = Project::read(&document.source).unwrap_or_default();
        let spec = project.trees.iter().find(|spec| spec.id == tree.name);
        spec.into_iter().flat_map(|spec| spec.properties.keys().cloned()).collect()
    }

    fn check_disabled(&self, _document: &Document, node: &Node, _was: Option<&str>) -> Result<(), String> {
        check_disabled(node)
    }

    fn follow(&self, before: &Document, now: &mut Document, _by: (&Operation, &[u32])) -> Result<(), String> {
        follow(before, now);
        Ok(())
    }
}

/// Returns a node of a text as one of a file of the editor.
fn of_text(of: Node) -> Result<Node, String> {
    let bare = Node { before: String::new(), above: Vec::new(), behind: String::new(), ..of };
    let text = print::nodes([&bare], Style::Text);
    let read = node(text.trim().trim_end_matches(','))?;
    let above = gap::note(&of.above, Style::Text).lines().map(str::to_owned).collect();
    Ok(Node { above, ..read })
}
