//! The command `bt edit --apply`.

use std::collections::BTreeMap;
use std::path::Path;

use bt_behavior3::bt_words::did_you_mean;
use bt_behavior3::{Arity, EditXml as _};
use bt_btcpp::XmlNodes;
use bt_files::{Before, WriteError, write};
use bt_syntax::edit::{Document, Numbers, Operation, Problem, Tree, command, difference, rebase};

use crate::command::{EditArguments, Names};
use crate::input::{MAX_ATTEMPTS, all_names, name, text};
use crate::opened::{Opened, known_names, open};
use crate::output::Output;

const CHANGED: &str = "nothing is written: another program has changed the file at the same time";

/// A file with operations applied to it.
struct Edited {
    opened: Opened,
    document: Document,
    numbers: Numbers,
    /// The numbers of the nodes that the operations have made, also of those that were removed again.
    new: Vec<usize>,
}

/// Applies operations to a file. They are repeated on what another program saves at the same time.
pub(crate) fn apply(file: &Path, arguments: &EditArguments) -> Result<Output, String> {
    let opened = open(file)?;
    let base = opened.document.clone();
    let (mut edited, operations) = first(file, opened, &arguments.apply)?;
    for _ in 0..MAX_ATTEMPTS {
        if let Some(output) = written(file, &edited, arguments)? {
            return Ok(output);
        }
        edited = again(file, &base, &operations)?;
    }
    Err(format!("{}: {CHANGED}, again and again", name(file)))
}

/// Applies operations as they are written.
fn first(file: &Path, opened: Opened, texts: &[String]) -> Result<(Edited, Vec<Operation>), String> {
    let mut document = opened.document.clone();
    let mut numbers = Numbers::of(&document);
    let (mut new, mut operations) = (Vec::new(), Vec::new());
    for (index, text) in texts.iter().enumerate() {
        let result = command(text, &document, &numbers).and_then(|operation| {
            document.apply(&operation)?;
            operations.push(operation);
            Ok(())
        });
        if let Err(reason) = result {
            let which = if texts.len() > 1 { format!("operation {}: ", index + 1) } else { String::new() };
            return Err(format!("{}: {which}{reason}", name(file)));
        }
        new.extend(numbers.add(&document));
    }
    Ok((Edited { opened, document, numbers, new }, operations))
}

/// Repeats the operations on what the file contains now, with the nodes of `base`.
fn again(file: &Path, base: &Document, operations: &[Operation]) -> Result<Edited, String> {
    let failed = |reason: String| format!("{}: {CHANGED}: {reason}", name(file));
    let text = text(file).map_err(|_| failed("it cannot be read any longer".to_owned()))?;
    let start = base.reread(&text).map_err(|error| failed(error.to_string()))?;
    let (document, _) = rebase(base, operations, &start).map_err(|reasons| failed(reasons.join("; ")))?;
    let mut numbers = Numbers::of(&start);
    let new = numbers.add(&document).collect();
    Ok(Edited { opened: Opened { document: start, text, is_new: false }, document, numbers, new })
}

/// Writes a file. Returns none if it is not what was read any longer.
fn written(file: &Path, edited: &Edited, arguments: &EditArguments) -> Result<Option<Output>, String> {
    let Edited { opened: Opened { document: start, text: before, is_new }, document, numbers, new } = edited;
    let known = problems(file, start, before, &arguments.names);
    let after = document.write().map_err(|reason| format!("{}: {reason}", name(file)))?;
    let found = problems(file, document, &after, &arguments.names);
    let (errors, is_valid) = new_problems(file, document, numbers, known, found);
    let is_good = is_valid || arguments.force;
    if arguments.dry_run {
        let (shown, difference) = (name(file), difference(before, &after));
        let head = if difference.is_empty() { String::new() } else { format!("--- {shown}\n+++ {shown}\n") };
        return Ok(Some(Output { text: head + &difference, errors, is_good }));
    }
    if !is_good {
        let help = format!("{}: nothing is written; help: `--force` writes an invalid tree", name(file));
        let errors = errors.into_iter().chain([help]).collect();
        return Ok(Some(Output { text: String::new(), errors, is_good }));
    }
    match write(file, if *is_new { Before::Nothing } else { Before::Text(before) }, &after) {
        Ok(()) => {}
        Err(WriteError::Changed | WriteError::Exists) => return Ok(None),
        Err(error) => return Err(format!("{}: {error}", name(file))),
    }
    let count = arguments.apply.len();
    let left = new.iter().filter(|number| numbers_has(document, numbers, **number));
    let left: Vec<_> = left.map(usize::to_string).collect();
    let new = if left.is_empty() { String::new() } else { format!("; new nodes: {}", left.join(", ")) };
    let declared = declared(document.notation.declared(before), document.notation.declared(&after));
    let plural = if count == 1 { "" } else { "s" };
    let done = format!("{}: {count} operation{plural} applied{new}{declared}\n", name(file));
    Ok(Some(Output { text: done, errors, is_good }))
}

/// Returns the names that a file declares now, and did not before.
fn declared(before: Vec<(String, Arity)>, after: Vec<(String, Arity)>) -> String {
    let known: Vec<_> = before.into_iter().map(|(name, _)| name).collect();
    let new = after.into_iter().map(|(name, _)| name).filter(|name| !known.contains(name));
    let shown = new.map(|name| format!("`{name}`{}", did_you_mean(&name, known.iter().map(String::as_str))));
    let shown: Vec<_> = shown.collect();
    if shown.is_empty() { String::new() } else { format!("; declared: {}", shown.join(", ")) }
}

/// Returns whether a document has the node with a number.
fn numbers_has(document: &Document, numbers: &Numbers, number: usize) -> bool {
    document.trees.iter().flat_map(Tree::nodes).any(|node| numbers.number(node.id) == Some(number))
}

/// Returns what `bt check` finds in a document, where that can be assigned to nodes.
fn problems(file: &Path, document: &Document, text: &str, names: &Names) -> Vec<Problem> {
    if document.notation.is_foreign() {
        let read = XmlNodes::of(file).project(text);
        let known = read.as_ref().map(|project| all_names(project, names)).unwrap_or_default();
        return document.check(text, Some(&read), &known);
    }
    let read = document.notation.project(text, &|name| {
        // Without options, any name is a node.
        if names.is_empty() {
            Some((1..=100).map(|number| number.to_string()).collect())
        } else {
            names.parameters(name)
        }
    });
    document.check(text, read.as_ref(), &known_names(read.as_ref(), names))
}

/// Returns the problems that were not there before, as messages, and whether none of them is an error.
fn new_problems(
    file: &Path,
    document: &Document,
    numbers: &Numbers,
    before: Vec<Problem>,
    after: Vec<Problem>,
) -> (Vec<String>, bool) {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for problem in before {
        *known.entry(problem.message).or_default() += 1;
    }
    let nodes: Vec<_> = document.trees.iter().flat_map(Tree::nodes).collect();
    let (mut messages, mut is_valid) = (Vec::new(), true);
    for Problem { node, message, is_warning, .. } in after {
        if let Some(count) = known.get_mut(&message).filter(|count| **count > 0) {
            *count -= 1;
            continue;
        }
        let kind = if is_warning { "warning: " } else { "error: " };
        is_valid &= is_warning;
        let node = nodes.iter().find(|known| Some(known.id) == node);
        let place = node.map_or_else(String::new, |node| {
            let number = numbers.number(node.id).unwrap_or_default();
            format!("node {number} (`{}`): ", node.head)
        });
        messages.push(format!("{}: {kind}{place}{message}", name(file)));
    }
    (messages, is_valid)
}
