//! `bt check guard.b3.json`, `bt draw …`, `bt to-rust …`: for those who only have the file.

#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bt_core::describe::Description;
use bt_dynamic::bt_behavior3::{Arity, Diagnostic, NodeNames, Project, is_file_name};

const USAGE: &str = "\
usage: bt check   FILE [options]              tell all that is wrong with it: with all its trees, and nodes that are not connected
       bt draw    FILE [options] [--dot | --mermaid | --svg]
       bt to-rust FILE [options]              as it stands in a `tree!`
options: --tree NAME      the tree of this id or title, of a project
         --leaf NAME      a leaf that the file does not declare among its custom nodes
         --decorator NAME the same of a decorator";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1)) {
        Ok(text) => {
            let mut out = std::io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Ok(()) => ExitCode::SUCCESS,
                // Whoever reads it has enough.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("the output cannot be written: {error}");
                    ExitCode::FAILURE
                }
            }
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// What is asked for.
#[derive(Default)]
struct Asked {
    form: Option<String>,
    tree: Option<String>,
    names: Vec<(String, Arity)>,
}

fn run(mut arguments: impl Iterator<Item = OsString>) -> Result<String, String> {
    let (Some(command), Some(path)) = (arguments.next(), arguments.next()) else { return Err(USAGE.to_owned()) };
    // A path may be any bytes; words are text.
    let command = text(command)?;
    let path = PathBuf::from(path);
    let mut asked = Asked::default();
    while let Some(option) = arguments.next() {
        let option = text(option)?;
        let mut value = || arguments.next().map_or_else(|| Err(format!("`{option}` needs a name\n{USAGE}")), text);
        match option.as_str() {
            "--dot" | "--mermaid" | "--svg" if command == "draw" => asked.form = Some(option),
            "--tree" => asked.tree = Some(value()?),
            "--leaf" => asked.names.push((value()?, Arity::Zero)),
            "--decorator" => asked.names.push((value()?, Arity::One)),
            _ => return Err(format!("unknown option `{option}`\n{USAGE}")),
        }
    }
    let tree = || {
        let project = read(&path)?;
        project.check(asked.tree.as_deref(), &names(&project, &asked)).map_err(|faults| lines(&path, "", &faults))
    };
    match command.as_str() {
        "check" => check(&path, &asked),
        "to-rust" => {
            let tree = tree()?;
            let faults = tree.ambiguous();
            if faults.is_empty() { Ok(tree.to_rust()) } else { Err(lines(&path, "", &faults)) }
        }
        "draw" => tree().map(|tree| drawn(&bt_dynamic::describe(&tree), asked.form.as_deref())),
        other => Err(format!("unknown command `{other}`\n{USAGE}")),
    }
}

fn text(argument: OsString) -> Result<String, String> {
    argument.into_string().map_err(|argument| format!("{} is no text\n{USAGE}", argument.display()))
}

fn read(path: &Path) -> Result<Project, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    Project::read(&text).map_err(|error| wrong(&error))
}

/// The names of the user's own nodes: those that are declared, and those of the options.
fn names(project: &Project, asked: &Asked) -> NodeNames {
    // (Files that were written from trees declare the words that the editor does not know.)
    let declared = project.declared().filter(|node| !is_file_name(&node.name)).map(|node| {
        let arity = match node.category() {
            Some("decorator") => Arity::One,
            Some("composite") => Arity::Many,
            _ => Arity::Zero,
        };
        (node.name.clone(), arity)
    });
    NodeNames::new(asked.names.iter().cloned().chain(declared))
}

/// Checks one tree of a project, or all.
fn check(path: &Path, asked: &Asked) -> Result<String, String> {
    let project = read(path)?;
    let names = names(&project, asked);
    let trees: Vec<_> = match &asked.tree {
        Some(name) => project.tree(Some(name)).into_iter().collect(),
        None => project.trees.iter().collect(),
    };
    if trees.is_empty() {
        return project
            .check(asked.tree.as_deref(), &names)
            .map(|_| String::new())
            .map_err(|diagnostics| lines(path, "", &diagnostics));
    }
    let (mut errors, mut nodes) = (Vec::new(), 0);
    for tree in &trees {
        let name = if tree.title().is_empty() { &tree.id } else { tree.title() };
        let prefix = if trees.len() > 1 { format!("tree {name:?}: ") } else { String::new() };
        match project.check_tree(tree, &names) {
            Ok(checked) => nodes += checked.nodes.len(),
            Err(found) => errors.push(lines(path, &prefix, &found)),
        }
        let loose = tree.unconnected();
        if !loose.is_empty() {
            errors.push(lines(path, &prefix, &loose));
        }
    }
    if !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    let of =
        if trees.len() > 1 { format!("{} trees with {nodes} nodes", trees.len()) } else { format!("{nodes} nodes") };
    Ok(format!("{}: nothing is wrong with its {of}\n", path.display()))
}

fn lines(path: &Path, prefix: &str, diagnostics: &[Diagnostic]) -> String {
    let lines: Vec<_> =
        diagnostics.iter().map(|diagnostic| format!("{}: {prefix}{diagnostic}", path.display())).collect();
    lines.join("\n")
}

fn drawn(description: &Description, form: Option<&str>) -> String {
    let drawing = description.draw();
    match form {
        Some("--dot") => drawing.dot(),
        Some("--mermaid") => drawing.mermaid(),
        Some("--svg") => drawing.svg(),
        _ => drawing.coloured(std::io::stdout().is_terminal()).to_string(),
    }
}
