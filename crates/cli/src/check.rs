//! The command `bt check`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use bt_behavior3::bt_words::{did_you_mean, is_file_name, nearest};
use bt_behavior3::{
    ALLOW, Checked, DISABLED, Diagnostic, Fault, Node, NodeKind, NodeNames, Project, Source, TreeSpec, Word, variables,
};
use serde_json::{Map, Value, json};

use crate::command::{CheckArguments, Declared, Deny};
use crate::input::{Read, all_names, checked_trees, help, message, name, read};
use crate::output::Output;

/// The errors and warnings of one tree.
struct Found {
    /// The name of the tree, if the file has several.
    tree: Option<String>,
    nodes: usize,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// The names in a text that are neither words nor declared.
    unchecked: BTreeSet<String>,
}

impl Found {
    /// Returns the errors of a file that belong to no tree.
    const fn of_file(errors: Vec<Diagnostic>) -> Self {
        Self { tree: None, nodes: 0, errors, warnings: Vec::new(), unchecked: BTreeSet::new() }
    }
}

/// Checks files. Returns a line for each file without errors, and all errors of the others.
pub(crate) fn run(arguments: &CheckArguments) -> Result<Output, String> {
    let files: Vec<_> = arguments.files.iter().map(|file| (file, check(file, arguments))).collect();
    let is_good = |found: &Result<Vec<Found>, String>| {
        found.as_ref().is_ok_and(|trees| trees.iter().all(|tree| tree.errors.is_empty()))
    };
    let all_good = files.iter().all(|(_, found)| is_good(found));
    if arguments.json {
        let files: Vec<_> = files.iter().map(|(file, found)| as_json(file, found)).collect();
        let text = serde_json::to_string_pretty(&files).map_err(|error| error.to_string())?;
        return Ok(Output::new(text + "\n", all_good));
    }
    let (mut good, mut bad) = (String::new(), Vec::new());
    for (file, found) in &files {
        match found {
            Err(message) => bad.push(message.clone()),
            Ok(trees) => {
                for tree in trees {
                    bad.extend(tree.errors.iter().map(|error| message(file, tree.tree.as_deref(), "", error)));
                    let warnings = tree.warnings.iter();
                    bad.extend(warnings.map(|warning| message(file, tree.tree.as_deref(), "warning: ", warning)));
                }
                bad.extend(not_checked(file, trees));
                if is_good(found) {
                    let nodes: usize = trees.iter().map(|tree| tree.nodes).sum();
                    let of_trees = if trees.len() > 1 { format!("{} trees, ", trees.len()) } else { String::new() };
                    let plural = if nodes == 1 { "" } else { "s" };
                    let _ = writeln!(good, "{}: OK ({of_trees}{nodes} node{plural})", name(file));
                }
            }
        }
    }
    let found = files.iter().flat_map(|(_, found)| found.iter().flatten());
    bad.extend(help(found.flat_map(|tree| &tree.errors)));
    Ok(Output { text: good, errors: bad, is_good: all_good })
}

/// Returns the note about names that nothing declares, each with the word that may be meant.
fn not_checked(file: &Path, trees: &[Found]) -> Option<String> {
    let names: BTreeSet<_> = trees.iter().flat_map(|tree| &tree.unchecked).collect();
    let meant = |name: &String| match nearest(name, Word::ALL.iter().map(|word| word.name())) {
        Some(word) => format!("`{name}` (did you mean `{word}`?)"),
        None => format!("`{name}`"),
    };
    let all = names.iter().map(|name| meant(name)).collect::<Vec<_>>().join(", ");
    let help = "help: declare what the program registers with `--leaf NAME`, `--decorator NAME`, `--composite NAME` and `--value NAME`";
    (!names.is_empty()).then(|| format!("{}: note: names that are not checked: {all}; {help}", name(file)))
}

fn as_json(file: &Path, found: &Result<Vec<Found>, String>) -> serde_json::Value {
    match found {
        Err(message) => json!({ "file": name(file), "error": message }),
        Ok(trees) => {
            let trees: Vec<_> = trees
                .iter()
                .map(|tree| {
                    let all = |found: &[Diagnostic]| found.iter().map(diagnostic).collect::<Vec<_>>();
                    let (errors, warnings) = (all(&tree.errors), all(&tree.warnings));
                    let mut json =
                        json!({ "tree": tree.tree, "nodes": tree.nodes, "errors": errors, "warnings": warnings });
                    if !tree.unchecked.is_empty() {
                        json["unchecked"] = json!(tree.unchecked);
                    }
                    json
                })
                .collect();
            json!({ "file": name(file), "trees": trees })
        }
    }
}

fn diagnostic(found: &Diagnostic) -> Value {
    let mut json = json!({ "id": found.id, "title": found.title, "reason": found.reason });
    if let Some(place) = found.place {
        json["line"] = place.line.into();
        json["column"] = place.column.into();
    }
    if let Some(lint) = found.lint {
        json["lint"] = lint.name().into();
    }
    json
}

/// Checks the selected tree of a file, or all trees.
fn check(file: &Path, arguments: &CheckArguments) -> Result<Vec<Found>, String> {
    let Read { project, text, .. } = read(file, &arguments.names)?;
    let names = all_names(&project, &arguments.names);
    let tree = arguments.tree.as_deref();
    let has_several = tree.is_none() && project.trees.len() > 1;
    let mut declared = declarations(&project);
    for Declared { name, parameters } in arguments.names.all() {
        declared.entry(name).or_default().extend(parameters.iter().flatten().map(String::as_str));
    }
    let found = |(tree, checked): (&TreeSpec, Result<Checked, Vec<Diagnostic>>)| {
        let is_denied =
            |warning: &mut Diagnostic| arguments.deny.iter().any(|Deny(lint)| lint.is_none() || *lint == warning.lint);
        let (nodes, mut errors, mut unchecked, warnings) = match checked {
            Ok(mut checked) => {
                let mut errors = unwritten(&checked, &arguments.variable);
                errors.extend(checked.warnings.extract_if(.., is_denied));
                (checked.nodes.len(), errors, unknown(&checked, &names, &arguments.names.value), checked.warnings)
            }
            Err(errors) => (0, errors, BTreeSet::new(), Vec::new()),
        };
        errors.extend(undeclared(tree, &declared));
        errors.extend(tree.unconnected());
        // In other notations, trees have names of their own.
        if text.is_some() && names.arity(&tree.id).is_some() {
            let reason = format!("`{}` is the name of a node and of a tree; help: rename one of them", tree.id);
            errors.push(Diagnostic::of_tree(&tree.id, reason));
        }
        let known: BTreeSet<_> = errors.iter().map(|error| error.place).collect();
        for (name, error) in tree.misspelled(&names) {
            unchecked.remove(name);
            if !known.contains(&error.place) {
                errors.push(error);
            }
        }
        Found { tree: has_several.then(|| tree.shown_title().to_owned()), nodes, errors, warnings, unchecked }
    };
    let mut found: Vec<_> = checked_trees(&project, tree, &names).map(found).collect();
    if found.is_empty() {
        let errors = project.check(tree, &names).err().unwrap_or_default();
        return Ok(vec![Found::of_file(errors)]);
    }
    if tree.is_none() {
        once(&mut found);
        let errors = of_project(&project);
        if !errors.is_empty() {
            found.insert(0, Found::of_file(errors));
        }
    }
    Ok(found)
}

/// Removes the errors and warnings of nested trees that are those of the trees themselves, or of another use of the same tree.
fn once(found: &mut [Found]) {
    let own = |error: &Diagnostic, tree: &Option<String>| {
        if error.id.is_empty() { tree.as_ref() == Some(&error.title) } else { !error.id.contains('/') }
    };
    let node = |error: &Diagnostic| {
        let (id, title) =
            if error.id.is_empty() { ("", &*error.title) } else { (error.id.rsplit('/').next().unwrap_or(""), "") };
        (id.to_owned(), title.to_owned(), error.reason.clone())
    };
    let mut known: BTreeSet<_> = found
        .iter()
        .flat_map(|of| of.errors.iter().chain(&of.warnings).filter(|error| own(error, &of.tree)).map(node))
        .collect();
    for of in found {
        for errors in [&mut of.errors, &mut of.warnings] {
            errors.retain(|error| own(error, &of.tree) || known.insert(node(error)));
        }
    }
}

/// Returns the errors of a project that belong to no tree. They do not prevent loading.
fn of_project(project: &Project) -> Vec<Diagnostic> {
    let error = |reason| Diagnostic::of_tree("", reason);
    let selected =
        project.selected.iter().filter(|id| !id.is_empty() && project.trees.iter().all(|tree| tree.id != **id));
    let mut errors: Vec<_> =
        selected.map(|id| error(format!("`selectedTree` is `{id}`, which is not a tree of the file"))).collect();
    // A project repeats the custom nodes that a tree uses.
    for nodes in [&project.custom_nodes].into_iter().chain(project.trees.iter().map(|tree| &tree.custom_nodes)) {
        let mut names = BTreeSet::new();
        let twice = nodes.iter().filter(|node| !names.insert(&*node.name));
        errors.extend(twice.map(|node| error(format!("custom node `{}` is declared twice", node.name))));
    }
    errors
}

/// Returns the names of the properties with which custom nodes are declared.
fn declarations(project: &Project) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut declared = BTreeMap::<_, BTreeSet<_>>::new();
    for node in project.declared().filter(|node| !is_file_name(&node.name)) {
        let older = node.more.get("parameters").and_then(Value::as_object);
        let names = node.properties.keys().chain(older.into_iter().flat_map(Map::keys)).map(String::as_str);
        declared.entry(&*node.name).or_default().extend(names);
    }
    declared
}

/// Returns an error for each property of a custom node that its declaration lacks. A declaration without properties allows any.
fn undeclared(tree: &TreeSpec, declared: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let disabled = tree.disabled();
    for (id, node) in tree.nodes.iter().filter(|(id, _)| !disabled.contains(id.as_str())) {
        let Some(known) = declared.get(&*node.name).filter(|known| !known.is_empty()) else { continue };
        for name in
            node.properties.keys().filter(|name| **name != ALLOW && **name != DISABLED && !known.contains(&***name))
        {
            let meant = did_you_mean(name, known.iter().copied());
            let reason = format!("unknown property `{name}`: the declaration of `{}` lacks it{meant}", node.name);
            errors.push(node.diagnostic(id, Fault::of(name, reason)));
        }
    }
    errors
}

/// Returns the names of nodes and values that are neither words nor declared: all names of a text without options are valid.
fn unknown(checked: &Checked, names: &NodeNames, values: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for node in &checked.nodes {
        let own = (node.kind == NodeKind::Own).then_some(node.name());
        let nodes = own.into_iter().chain(node.kind.attached_leaves().map(|leaf| leaf.name));
        let read = node.kind.args().sources().filter_map(|source| match source {
            Source::Registered(name) if !values.contains(name) => Some(name.as_str()),
            Source::Registered(_) | Source::Number(_) | Source::Variable(_) => None,
        });
        found.extend(nodes.filter(|name| names.arity(name).is_none()).chain(read).map(str::to_owned));
    }
    found
}

/// Returns an error for each word that reads a variable which neither a leaf nor the program writes, and which is no parameter of the tree. Without
/// declared variables, the program may set any.
fn unwritten(checked: &Checked, declared: &[String]) -> Vec<Diagnostic> {
    if declared.is_empty() {
        return Vec::new();
    }
    let is_word = |node: &&Node| matches!(node.kind, NodeKind::Word(..));
    let leaves = checked.nodes.iter().filter(|node| node.kind == NodeKind::Own);
    let mut written: BTreeSet<_> = leaves.flat_map(|node| node.properties().values().flat_map(variables)).collect();
    written.extend(declared.iter().chain(checked.tree.properties.keys()).map(String::as_str));
    let mut errors = Vec::new();
    for node in checked.nodes.iter().filter(is_word) {
        let read: BTreeSet<_> = node.properties().values().flat_map(variables).collect();
        for name in read.into_iter().filter(|name| !written.contains(name)) {
            let meant = did_you_mean(name, written.iter().copied());
            let reason = format!("variable `{{{name}}}` is read, but neither a leaf nor the program writes it{meant}");
            errors.push(node.diagnostic(node.fault_of_variable(name, reason)));
        }
    }
    errors
}
