//! Reading and checking the file.

use std::collections::HashSet;
use std::path::PathBuf;

use bt_behavior3::{Arity, Checked, Fault, Names, NodeKind, Project, Word};
use serde_json::Value;

use super::parse::Input;
use crate::errors::Errors;

/// The file's path, and the tree in it.
pub(super) fn file(input: &Input, source: Option<PathBuf>, errors: &mut Errors) -> Option<(String, Checked)> {
    let (literal, span) = (input.file.value(), input.file.span());
    // As `include_str!` has it, from the folder of the source file; where that is not known, or has no such file, from that of the crate.
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let beside = source.and_then(|source| source.canonicalize().ok()?.parent().map(|folder| folder.join(&literal)));
    let path = beside.filter(|path| path.exists()).unwrap_or_else(|| folder.join(&literal));
    let text = std::fs::read_to_string(&path).map_err(|error| {
        errors.at(
            span,
            format!(
                "{literal}: {error}; a path begins at the folder of this source file, or of the crate, {}",
                folder.display()
            ),
        );
    });
    let project = Project::read(&text.ok()?).map_err(|error| errors.at(span, format!("{literal}: {error}"))).ok()?;
    // Whoever has children in the file is a decorator.
    let nodes = || project.trees.iter().flat_map(|tree| &tree.nodes).map(|(_, node)| node);
    let parents: HashSet<_> = nodes()
        .filter(|node| node.child.is_some() || node.children.as_ref().is_some_and(|children| !children.is_empty()))
        .map(|node| node.name.as_str())
        .collect();
    let takes = |name: &str| if parents.contains(name) { Arity::One } else { Arity::Zero };
    let names = Names::new(input.names.iter().map(|name| (name.name.as_str(), takes(&name.name))));
    let which = input.tree.as_ref().map(syn::LitStr::value);
    let checked = project.check(which.as_deref(), &names).and_then(|file| match properties(&file) {
        faults if faults.is_empty() => Ok(file),
        faults => Err(faults),
    });
    let file = checked.map_err(|faults| {
        for fault in faults {
            errors.at(span, format!("{literal}: {fault}"));
        }
    });
    file.ok().map(|file| (path.display().to_string(), file))
}

/// What Rust has no words for.
fn properties(file: &Checked) -> Vec<Fault> {
    let is_word = |text: &str| syn::parse_str::<syn::Ident>(text).is_ok();
    let mut faults = Vec::new();
    for node in &file.nodes {
        let mut fault = |reason| faults.push(node.fault(reason));
        match &node.kind {
            NodeKind::Word(Word::State, args) if !is_word(args.name()) => {
                fault(format!("a state cannot be called `{}` in Rust", args.name()));
            }
            NodeKind::Word(..) => {}
            NodeKind::Own => {
                if !node.children.is_empty() && node.properties.len() > 1 {
                    fault(format!("a decorator takes one property here, not {}", node.properties.len()));
                }
                for (name, value) in &node.properties {
                    if !is_literal(value) {
                        fault(format!("the property `{name}` is `{value}`, for which there is no literal"));
                    }
                    if !is_word(name) {
                        fault(format!("the property `{name}` cannot be a parameter of a function"));
                    }
                }
            }
        }
    }
    faults
}

fn is_literal(value: &Value) -> bool {
    match value {
        Value::Null | Value::Object(_) => false,
        Value::Array(values) => values.iter().all(is_literal),
        _ => true,
    }
}
