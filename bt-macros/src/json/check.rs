//! Reads and checks the file.

use std::collections::HashMap;
use std::path::PathBuf;

use bt_behavior3::{Arity, Checked, Diagnostic, NodeKind, NodeNames, Project, Word};
use serde_json::Value;

use super::parse::Input;
use bt_syntax::errors::Errors;

/// Returns the path of the file, and the tree in it.
pub(super) fn file(input: &Input, errors: &mut Errors) -> Option<(String, Checked)> {
    let (literal, span) = (input.file.value(), input.file.span());
    // Relative to the source file, as for `include_str!`. If that folder is unknown or has no such file, relative to the package root.
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    // Unit tests have no source file.
    let source = proc_macro::is_available().then(|| span.unwrap().local_file()).flatten();
    let next_to_source =
        source.and_then(|source| source.canonicalize().ok()?.parent().map(|folder| folder.join(&literal)));
    let path = next_to_source.filter(|path| path.exists()).unwrap_or_else(|| folder.join(&literal));
    let text = std::fs::read_to_string(&path).map_err(|error| {
        errors.at(
            span,
            format!(
                "{literal}: {error}\nnote: the path is relative to the folder of this source file, or to the package root {}",
                folder.display()
            ),
        );
    });
    let project = Project::read(&text.ok()?).map_err(|error| errors.at(span, format!("{literal}: {error}"))).ok()?;
    // A custom node with one child is a decorator, and one with several is a composite, unless the file declares it.
    let mut most = HashMap::new();
    for (_, node) in project.trees.iter().flat_map(|tree| &tree.nodes) {
        let count = node.children.as_ref().map_or(0, Vec::len) + usize::from(node.child.is_some());
        let most = most.entry(node.name.as_str()).or_insert(0);
        *most = count.max(*most);
    }
    let declared: HashMap<_, _> =
        project.declared().filter_map(|node| Some((node.name.as_str(), node.category()?))).collect();
    let arity = |name: &str| match (declared.get(name).copied(), most.get(name)) {
        (_, None | Some(0)) => Arity::Zero,
        (Some("composite"), _) => Arity::Many,
        (Some("decorator"), _) | (_, Some(1)) => Arity::One,
        _ => Arity::Many,
    };
    let names = NodeNames::new(input.names.iter().map(|name| (name.name.as_str(), arity(&name.name))));
    let names = names.with_values(input.names.iter().map(|name| name.name.as_str()));
    let which = input.tree.as_ref().map(syn::LitStr::value);
    let checked = project.check(which.as_deref(), &names).and_then(|file| {
        // As in a `tree!`, a mistake is an error. The types of the leaves show more, in the expansion.
        let diagnostics = [properties(&file), file.warnings.clone()].concat();
        if diagnostics.is_empty() { Ok(file) } else { Err(diagnostics) }
    });
    let file = checked.map_err(|diagnostics| {
        for diagnostic in diagnostics {
            errors.at(span, format!("{literal}: {diagnostic}"));
        }
    });
    file.ok().map(|file| (path.display().to_string(), file))
}

/// Returns the errors of names and values that Rust cannot express.
fn properties(file: &Checked) -> Vec<Diagnostic> {
    let is_word = |text: &str| syn::parse_str::<syn::Ident>(text).is_ok();
    let mut diagnostics = Vec::new();
    for node in &file.nodes {
        let mut report = |reason| diagnostics.push(node.diagnostic(reason));
        match &node.kind {
            NodeKind::Word(Word::State, args) if !is_word(args.name()) => {
                report(format!("`{}` is not a valid state name in Rust", args.name()));
            }
            NodeKind::Word(..) | NodeKind::Tree(_) => {}
            NodeKind::Own => {
                if !node.children.is_empty() && node.properties().len() > 1 {
                    report(format!(
                        "expected at most 1 property for a decorator in `tree_from_json!`, found {}",
                        node.properties().len()
                    ));
                }
                for (name, value) in node.properties() {
                    if !is_literal(value) {
                        report(format!("property `{name}`: expected a value with a Rust literal, found `{value}`"));
                    }
                    if !is_word(name) {
                        report(format!("property `{name}` is not a valid parameter name in Rust"));
                    }
                }
            }
        }
    }
    diagnostics
}

fn is_literal(value: &Value) -> bool {
    match value {
        Value::Null | Value::Object(_) => false,
        Value::Array(values) => values.iter().all(is_literal),
        _ => true,
    }
}
