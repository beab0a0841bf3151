//! A tree of a document in another language: as Rust source, or as a file of the Behavior3 editor.

use bt_behavior3::{Diagnostic, NodeNames, Project};
use bt_syntax::edit::{Document, Notation, Read};
use serde::Deserialize;

/// A language that a tree can be written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Language {
    Rust,
    Json,
}

/// Returns a tree in a language. `read` are the trees as the program reads them.
pub(super) fn translated(
    document: &Document,
    tree: u32,
    language: Language,
    read: Option<&Read>,
) -> Result<String, String> {
    let tree = document.trees.iter().find(|known| known.id == tree).ok_or_else(|| format!("unknown tree {tree}"))?;
    let root = tree.root.as_ref().ok_or("the tree is empty")?;
    match language {
        Language::Rust if document.notation == Notation::RUST => return document.copy(&[root.id]),
        Language::Json if document.notation == Notation::JSON => return document.write(),
        Language::Rust | Language::Json => {}
    }
    let read = match document.notation.project(&document.write()?, &|_| None) {
        Some(read) => read,
        None if document.notation.is_foreign() => read.cloned().ok_or("the program cannot read XML")?,
        None => bt_syntax::file::read(&document.copy(&[root.id])?, |_| None),
    };
    match language {
        Language::Rust => {
            let rust = rust(&read.map_err(|errors| first(&errors))?, &tree.name)?;
            Ok(document.in_brackets_of(tree, &rust))
        }
        Language::Json => for_editor(read),
    }
}

/// Returns a tree of a project as the content of `tree!`.
fn rust(project: &Project, name: &str) -> Result<String, String> {
    let name = Some(name).filter(|name| !name.is_empty());
    let checked = project.check(name, &NodeNames::default().open()).map_err(|errors| first(&errors))?;
    let errors = checked.ambiguous();
    if errors.is_empty() { Ok(checked.to_rust()) } else { Err(first(&errors)) }
}

/// Returns trees as a file of the editor.
fn for_editor(read: Read) -> Result<String, String> {
    let project = read.and_then(|project| project.for_editor(&NodeNames::default().open()));
    project.map(|project| project.write()).map_err(|errors| first(&errors))
}

fn first(errors: &[Diagnostic]) -> String {
    let more = if errors.len() > 1 { format!(" (and {} more errors)", errors.len() - 1) } else { String::new() };
    errors.first().map_or_else(String::new, |error| format!("{error}{more}"))
}
