//! The command `bt`, which checks, draws and converts Behavior3 files, and formats the trees in Rust sources.

#![forbid(unsafe_code)]

mod fmt;
mod format;

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bt_behavior3::{Arity, Diagnostic, NodeNames, Project, is_file_name};
use bt_core::describe::Description;

const USAGE: &str = "\
usage: bt check   FILE [options]                              report all errors in FILE, including unconnected nodes
       bt draw    FILE [options] [--dot | --mermaid | --svg]  draw a tree (default: as text)
       bt to-rust FILE [options]                              print a tree as the content of `tree!`
       bt fmt     [PATH...] [--check] [--rustfmt]             format the trees in Rust sources; see `bt fmt --help`
       bt palette                                             print the keywords that the Behavior3 editor lacks, as custom nodes
options: --tree NAME       select a tree of a project by id or title (default of `check`: all trees)
         --leaf NAME       declare a leaf that is not among the custom nodes of FILE
         --decorator NAME  declare a decorator that is not among the custom nodes of FILE
         --composite NAME  declare a composite that is not among the custom nodes of FILE
         --value NAME      declare a value that the program registers";

fn main() -> ExitCode {
    match run(std::env::args_os().skip(1)) {
        Ok(text) => {
            let mut out = std::io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                Ok(()) => ExitCode::SUCCESS,
                // The reader has closed the pipe, for example `head`.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("cannot write the output: {error}");
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

/// The options of the command line.
#[derive(Default)]
struct Options {
    form: Option<String>,
    tree: Option<String>,
    names: Vec<(String, Arity)>,
    /// The names of values.
    values: Vec<String>,
}

fn run(mut arguments: impl Iterator<Item = OsString>) -> Result<String, String> {
    let Some(command) = arguments.next() else { return Err(USAGE.to_owned()) };
    let command = text(command)?;
    match command.as_str() {
        "-h" | "--help" | "help" => return Ok(format!("{USAGE}\n")),
        "palette" => return palette(arguments.next()),
        "fmt" => return fmt::run(arguments),
        "check" | "draw" | "to-rust" => {}
        other => return Err(format!("unknown command `{other}`\n{USAGE}")),
    }
    let (mut path, mut options) = (None, Options::default());
    while let Some(argument) = arguments.next() {
        // A path may not be valid UTF-8.
        if !argument.as_encoded_bytes().starts_with(b"-") {
            match &path {
                None => path = Some(PathBuf::from(argument)),
                Some(_) => return Err(format!("expected one file, found a second: `{}`\n{USAGE}", argument.display())),
            }
            continue;
        }
        let option = text(argument)?;
        let mut value =
            || arguments.next().map_or_else(|| Err(format!("missing name after `{option}`\n{USAGE}")), text);
        match option.as_str() {
            "-h" | "--help" => return Ok(format!("{USAGE}\n")),
            "--dot" | "--mermaid" | "--svg" if command == "draw" => options.form = Some(option),
            "--tree" => options.tree = Some(value()?),
            "--leaf" => options.names.push((value()?, Arity::Zero)),
            "--value" => options.values.push(value()?),
            "--composite" => options.names.push((value()?, Arity::Many)),
            "--decorator" => options.names.push((value()?, Arity::One)),
            _ => return Err(format!("unknown option `{option}`\n{USAGE}")),
        }
    }
    let Some(path) = path else { return Err(USAGE.to_owned()) };
    let tree = || {
        let project = read(&path)?;
        project
            .check(options.tree.as_deref(), &names(&project, &options))
            .map_err(|errors| messages(&path, "", &errors))
    };
    match command.as_str() {
        "check" => check(&path, &options),
        "to-rust" => {
            let tree = tree()?;
            let errors = tree.ambiguous();
            if errors.is_empty() { Ok(tree.to_rust()) } else { Err(messages(&path, "", &errors)) }
        }
        _ => tree().map(|tree| draw(&bt_dynamic::describe(&tree), options.form.as_deref())),
    }
}

/// The words that the editor does not know, as its custom nodes.
fn palette(option: Option<OsString>) -> Result<String, String> {
    match option {
        None => serde_json::to_string_pretty(&bt_behavior3::palette())
            .map(|json| json + "\n")
            .map_err(|error| error.to_string()),
        Some(option) => Err(format!("unknown option `{}`\n{USAGE}", option.display())),
    }
}

fn text(argument: OsString) -> Result<String, String> {
    argument.into_string().map_err(|argument| format!("argument is not valid UTF-8: {}\n{USAGE}", argument.display()))
}

fn read(path: &Path) -> Result<Project, String> {
    let message = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| message(&error))?;
    Project::read(&text).map_err(|error| message(&error))
}

/// Returns the names of custom nodes: those declared in the file, and those of the options.
fn names(project: &Project, options: &Options) -> NodeNames {
    // Files written from trees also declare keywords that the editor does not know.
    let declared = project.declared().filter(|node| !is_file_name(&node.name)).map(|node| {
        let arity = match node.category() {
            Some("decorator") => Arity::One,
            Some("composite") => Arity::Many,
            _ => Arity::Zero,
        };
        (node.name.clone(), arity)
    });
    NodeNames::new(options.names.iter().cloned().chain(declared)).with_values(options.values.iter().cloned())
}

/// Checks the selected tree of a project, or all trees.
fn check(path: &Path, options: &Options) -> Result<String, String> {
    let project = read(path)?;
    let names = names(&project, options);
    let trees: Vec<_> = match &options.tree {
        Some(name) => project.tree(Some(name)).into_iter().collect(),
        None => project.trees.iter().collect(),
    };
    if trees.is_empty() {
        return project
            .check(options.tree.as_deref(), &names)
            .map(|_| String::new())
            .map_err(|errors| messages(path, "", &errors));
    }
    let (mut errors, mut nodes) = (Vec::new(), 0);
    for tree in &trees {
        let name = if tree.title().is_empty() { &tree.id } else { tree.title() };
        let prefix = if trees.len() > 1 { format!("tree {name:?}: ") } else { String::new() };
        match project.check_tree(tree, &names) {
            Ok(checked) => nodes += checked.nodes.len(),
            Err(found) => errors.push(messages(path, &prefix, &found)),
        }
        let unconnected = tree.unconnected();
        if !unconnected.is_empty() {
            errors.push(messages(path, &prefix, &unconnected));
        }
    }
    if !errors.is_empty() {
        return Err(errors.join("\n"));
    }
    let of_trees = if trees.len() > 1 { format!("{} trees, ", trees.len()) } else { String::new() };
    let plural = if nodes == 1 { "" } else { "s" };
    Ok(format!("{}: OK ({of_trees}{nodes} node{plural})\n", path.display()))
}

fn messages(path: &Path, prefix: &str, errors: &[Diagnostic]) -> String {
    let messages: Vec<_> = errors.iter().map(|error| format!("{}: {prefix}{error}", path.display())).collect();
    messages.join("\n")
}

fn draw(description: &Description, form: Option<&str>) -> String {
    let drawing = description.draw();
    match form {
        Some("--dot") => drawing.dot(),
        Some("--mermaid") => drawing.mermaid(),
        Some("--svg") => drawing.svg(),
        _ => drawing.colored(std::io::stdout().is_terminal()).to_string(),
    }
}
