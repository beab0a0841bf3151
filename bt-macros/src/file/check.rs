//! Checks the file with the names that the macro has.

use std::collections::HashMap;

use bt_behavior3::{Arity, Checked, Diagnostic, Fault, NodeKind, NodeNames, Project, TreeSpec, Word};
use serde_json::Value;

use super::parse::Input;
use bt_syntax::errors::Errors;

/// Returns the tree that the macro names.
pub(super) fn tree(input: &Input, project: &Project, errors: &mut Errors) -> Option<Checked> {
    // A custom node with one child is a decorator, and one with several is a composite, unless the file declares it.
    let mut most = HashMap::new();
    let trees: Vec<_> = project.trees.iter().map(TreeSpec::without_disabled).collect();
    for (_, node) in trees.iter().flat_map(|tree| &tree.nodes) {
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
    checked.map_err(|diagnostics| report(input, diagnostics, errors)).ok()
}

/// Reports errors of the file at its name.
pub(super) fn report(input: &Input, diagnostics: Vec<Diagnostic>, errors: &mut Errors) {
    let (literal, span) = (input.file.value(), input.file.span());
    for diagnostic in diagnostics {
        // As a compiler writes a place.
        let colon = if diagnostic.place.is_some() { ":" } else { ": " };
        errors.at(span, format!("{literal}{colon}{diagnostic}"));
    }
}

/// Returns the errors of names and values that Rust cannot express.
fn properties(file: &Checked) -> Vec<Diagnostic> {
    let is_word = |text: &str| syn::parse_str::<syn::Ident>(text).is_ok();
    let mut diagnostics = Vec::new();
    for node in &file.nodes {
        let mut report = |fault: Fault| diagnostics.push(node.diagnostic(fault));
        match &node.kind {
            NodeKind::Word(Word::State, args) if !is_word(args.name()) => {
                report(format!("`{}` is not a valid state name in Rust", args.name()).into());
            }
            NodeKind::Word(..) | NodeKind::Tree(_) => {}
            NodeKind::Own => {
                if !node.children.is_empty() && node.properties().len() > 1 {
                    let found = node.properties().len();
                    report(
                        format!("expected at most 1 property for a decorator in a built-in tree, found {found}").into(),
                    );
                }
                for (name, value) in node.properties() {
                    if !is_literal(value) {
                        let reason =
                            format!("property `{name}`: expected a value with a Rust literal, found `{value}`");
                        report(Fault::of(name, reason));
                    }
                    if node.spec.place.is_some() && name.parse::<usize>().is_ok() {
                        let node = node.name();
                        let help = format!("help: write `name = value`, or `{node}(name, …)` in the macro");
                        report(Fault::of(name, format!("an argument of `{node}` needs a name; {help}")));
                    } else if !is_word(name) {
                        report(Fault::of(name, format!("property `{name}` is not a valid parameter name in Rust")));
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
