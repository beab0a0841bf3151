//! The command `bt edit`.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write as _};
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Command, Stdio};

use bt_behavior3::palette::{Entry, Kind, Param, Type};
use bt_behavior3::{Arity, EditXml as _, NodeNames, Project};
use bt_btcpp::XmlNodes;
use bt_core::engine::replace_file;
use bt_inspector::Inspector;
use bt_syntax::edit::{Document, Notation, Numbers, Problem, Tree, command, difference, list};

use crate::Output;
use crate::command::{EditArguments, Names};
use crate::fmt::max_width;
use crate::input::{all_names, name, text};

/// The group of the nodes that options declare.
const DECLARED: &str = "declared";

pub(crate) fn run(arguments: &EditArguments) -> Result<Output, String> {
    if arguments.list {
        return arguments
            .files
            .iter()
            .map(|file| listed(file, arguments.files.len() > 1))
            .collect::<Result<_, _>>()
            .map(Output::text);
    }
    match arguments.files.as_slice() {
        _ if arguments.apply.is_empty() => serve(arguments),
        [file] => apply(file, arguments),
        files => Err(format!("expected one file with `--apply`, found {}", files.len())),
    }
}

/// Reads a document. One that can be created is empty.
fn open(file: &Path) -> Result<(Document, String), String> {
    let notation = Notation::of(file);
    let is_missing = std::fs::symlink_metadata(file).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    let text = match Notation::new_file(file).filter(|_| is_missing) {
        Some(empty) => empty.to_owned(),
        None => text(file)?,
    };
    let mut document = Document::read(notation, &text).map_err(|error| format!("{}:{error}", name(file)))?;
    document.width = width(file);
    Ok((document, text))
}

/// Returns the maximum number of characters in a line of a file.
fn width(file: &Path) -> usize {
    max_width(file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Lists the nodes of a file.
fn listed(file: &Path, is_one_of_several: bool) -> Result<String, String> {
    let (document, _) = open(file)?;
    let list = list(&document, &Numbers::of(&document));
    Ok(if is_one_of_several { format!("{}:\n{list}", name(file)) } else { list })
}

/// Applies operations to a file.
fn apply(file: &Path, arguments: &EditArguments) -> Result<Output, String> {
    let (mut document, before) = open(file)?;
    let mut numbers = Numbers::of(&document);
    let known = problems(file, &document, &before, &arguments.names);
    let mut added = Vec::new();
    for (index, operation) in arguments.apply.iter().enumerate() {
        let result = command(operation, &document, &numbers).and_then(|operation| document.apply(&operation));
        if let Err(reason) = result {
            let which = if arguments.apply.len() > 1 { format!("operation {}: ", index + 1) } else { String::new() };
            return Err(format!("{}: {which}{reason}", name(file)));
        }
        added.extend(numbers.add(&document));
    }
    let after = document.write().map_err(|reason| format!("{}: {reason}", name(file)))?;
    let (errors, is_valid) =
        new_problems(file, &document, &numbers, known, problems(file, &document, &after, &arguments.names));
    let is_good = is_valid || arguments.force;
    if arguments.dry_run {
        let (shown, difference) = (name(file), difference(&before, &after));
        let head = if difference.is_empty() { String::new() } else { format!("--- {shown}\n+++ {shown}\n") };
        return Ok(Output { text: head + &difference, errors, is_good });
    }
    if !is_good {
        let help = format!("{}: nothing is written; help: `--force` writes an invalid tree", name(file));
        return Ok(Output { text: String::new(), errors: errors.into_iter().chain([help]).collect(), is_good });
    }
    replace_file(file, &after).map_err(|error| format!("{}: {error}", name(file)))?;
    let count = arguments.apply.len();
    let numbers = added.iter().filter(|number| numbers_has(&document, &numbers, **number));
    let numbers: Vec<_> = numbers.map(usize::to_string).collect();
    let new = if numbers.is_empty() { String::new() } else { format!("; new nodes: {}", numbers.join(", ")) };
    let done = format!("{}: {count} operation{} applied{new}\n", name(file), if count == 1 { "" } else { "s" });
    Ok(Output { text: done, errors, is_good })
}

/// Returns whether a document has the node with a number.
fn numbers_has(document: &Document, numbers: &Numbers, number: usize) -> bool {
    document.trees.iter().flat_map(Tree::nodes).any(|node| numbers.number(node.id) == Some(number))
}

/// Returns what `bt check` finds in a document, where that can be assigned to nodes.
fn problems(file: &Path, document: &Document, text: &str, names: &Names) -> Vec<Problem> {
    if document.notation == Notation::Xml {
        let read = XmlNodes::of(file).project(text);
        let known = read.as_ref().map(|project| all_names(project, names)).unwrap_or_default();
        return document.check_project(text, &read, &known);
    }
    document.check(text, &known_names(document.notation, text, names), &|name| {
        // Without options, any name is a node.
        if names.is_empty() {
            Some((1..=100).map(|number| number.to_string()).collect())
        } else {
            names.parameters(name)
        }
    })
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

/// Returns the names of nodes: those of the options, and of a file of the editor those that it declares. Without any, any name is one.
fn known_names(notation: Notation, text: &str, names: &Names) -> NodeNames {
    let project = match notation {
        Notation::Json => Project::read(text).unwrap_or_default(),
        Notation::Rust | Notation::Text | Notation::Xml => Project::default(),
    };
    let known = all_names(&project, names);
    if names.is_empty() { known.open() } else { known }
}

/// Serves a page that edits the files.
fn serve(arguments: &EditArguments) -> Result<Output, String> {
    let inspector = Inspector::serve_with_token((Ipv4Addr::LOCALHOST, arguments.port))
        .map_err(|error| format!("port {}: {error}", arguments.port))?;
    inspector.allow_edit();
    for file in &arguments.files {
        let of_file = |error: std::io::Error| format!("{}: {error}", name(file));
        let mut source = bt_inspector::Document::file(file).width(width(file)).xml(XmlNodes::of(file));
        if !arguments.names.is_empty() {
            let text = if file.exists() { text(file)? } else { String::new() };
            let names = known_names(Notation::of(file), &text, &arguments.names);
            let entries = declared(&arguments.names, &names);
            source = source.nodes(names, entries);
        }
        let document = inspector.edit(source).map_err(of_file)?;
        if let Some(folder) = document.path().and_then(Path::parent) {
            inspector.allow_write(folder).map_err(of_file)?;
        }
    }
    let url = inspector.url();
    let mut out = std::io::stdout();
    // Whoever reads it may have gone; the page is served all the same.
    let _ = writeln!(out, "{url}").and_then(|()| out.flush());
    if !arguments.no_open
        && let Err(error) = browse(&url)
    {
        eprintln!("cannot open the browser: {error}; help: open the address above");
    }
    loop {
        std::thread::park();
    }
}

/// Returns what the page offers of the nodes that options declare.
fn declared(names: &Names, known: &NodeNames) -> Vec<Entry> {
    let entry = |(name, parameters): (&str, Option<Vec<String>>)| {
        let kind = match known.arity(name) {
            Some(Arity::One) => Kind::Decorator,
            Some(Arity::Zero) | None => Kind::Leaf,
            Some(_) => Kind::Composite,
        };
        let parameters = parameters.into_iter().flatten();
        Entry::new(name, kind, DECLARED, "", parameters.map(|name| Param::new(&name, Type::Expression)).collect())
    };
    names.all().map(entry).collect()
}

/// Opens an address in the browser.
fn browse(url: &str) -> std::io::Result<()> {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        // The first text in quotes is the title of a window.
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    let child = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    child.map(|mut child| {
        // It is not waited for: some systems end it with the browser.
        std::thread::spawn(move || child.wait());
    })
}
