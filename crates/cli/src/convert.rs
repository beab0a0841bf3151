//! The commands `bt draw`, `bt to-rust`, `bt convert` and `bt palette`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::path::Path;

use bt_behavior3::bt_words::is_file_name;
use bt_behavior3::{Fault, Lost, Node, NodeKind};
use bt_core::describe::{Description, Kind};
use bt_syntax::edit::{Document, Notation, Tree};
use bt_syntax::format::format_text;
use serde_json::{Map, Value};

use crate::command::{Color, ConvertArguments, DrawArguments, FileArguments};
use crate::input::{Read, all_names, checked, create, is_text, is_xml, message, messages, name, project, read};
use crate::output::Output;

/// The maximum number of characters in a line of a text.
const WIDTH: usize = 100;

/// Draws a tree.
pub(crate) fn draw(arguments: &DrawArguments) -> Result<Output, String> {
    let FileArguments { file, tree, names } = &arguments.file;
    let project = project(file, names)?;
    let names = all_names(&project, names).open();
    let checked = project.check(tree.as_deref(), &names).map_err(|errors| messages(file, &errors))?;
    let description = bt_dynamic::describe(&checked);
    let drawing = description.draw();
    let is_colored = match arguments.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    };
    Ok(Output::text(match arguments.form.0 {
        Some(form) => (form.write)(&drawing),
        None if is_colored => colored(&description),
        None => drawing.to_string(),
    }))
}

/// Returns the drawing with a color for each kind of node. Those of the library itself are for statuses.
fn colored(description: &Description) -> String {
    let mut text = String::new();
    for (node, line) in description.nodes().iter().zip(description.lines()) {
        let ansi = match node.kind {
            Kind::Composite | Kind::Machine | Kind::State => "1",
            Kind::Decorator => "35",
            Kind::Condition => "36",
            Kind::Subtree => "34",
            Kind::Action => "32",
            _ => "0",
        };
        // The branches keep the color of the terminal.
        let branches: String = line.chars().take_while(|sign| " │├└─".contains(*sign)).collect();
        let _ = writeln!(text, "{branches}\u{1b}[{ansi}m{}\u{1b}[0m", &line[branches.len()..]);
    }
    text
}

/// Prints a tree as Rust.
pub(crate) fn to_rust(arguments: &FileArguments) -> Result<Output, String> {
    let Read { project, text, .. } = read(&arguments.file, &arguments.names)?;
    let tree = checked(&project, arguments)?;
    let mut errors = tree.ambiguous();
    let unnamed = |node: &Node| Some(node.diagnostic(unnamed(node.name(), node.properties())?));
    errors.extend(tree.nodes.iter().filter_map(unnamed));
    if !errors.is_empty() {
        return Err(messages(&arguments.file, &errors));
    }
    let of_nodes = tree.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Tree(_))).map(Node::name);
    let trees: BTreeSet<_> = of_nodes.chain([&*tree.tree.id]).collect();
    let mut lost = Lost::default();
    project.trees.iter().filter(|tree| trees.contains(&*tree.id)).for_each(|tree| lost.add_disabled(tree));
    let output = |rust| Output { errors: left_out(&arguments.file, &lost.shown()), ..Output::text(rust) };
    let rust = tree.to_rust();
    let Some(text) = text else { return Ok(output(rust)) };
    // It has the brackets of the text.
    let document = Document::read(Notation::TEXT, &text).map_err(|error| error.to_string())?;
    let is_it = |known: &&Tree| {
        arguments.tree.as_ref().is_none_or(|name| *name == known.name || known.title.as_ref() == Some(name))
    };
    let written = document.trees.iter().find(is_it).map(|known| document.in_brackets_of(known, &rust));
    Ok(output(written.unwrap_or(rust)))
}

/// Returns the message about what a file lacks, if there is any.
fn left_out(file: &Path, lost: &[String]) -> Vec<String> {
    let message = (!lost.is_empty()).then(|| format!("{}: left out: {}", name(file), lost.join(", ")));
    message.into_iter().collect()
}

/// Writes a file in another notation.
pub(crate) fn convert(arguments: &ConvertArguments) -> Result<Output, String> {
    let ConvertArguments { from, to, names } = arguments;
    if to.extension().is_some_and(|extension| extension == "rs") {
        return Err(format!(
            "{}: expected another notation, found Rust; help: `bt to-rust` prints a tree as Rust",
            name(to)
        ));
    }
    let Read { project, lost: unread, text } = read(from, names)?;
    let names = all_names(&project, names);
    let misspelled: Vec<_> =
        project.trees.iter().filter(|_| text.is_some()).flat_map(|tree| tree.misspelled(&names)).collect();
    if !misspelled.is_empty() {
        return Err(misspelled.iter().map(|(_, error)| message(from, None, "", error)).collect::<Vec<_>>().join("\n"));
    }
    let names = names.open();
    let mut lost = Vec::new();
    let nodes = project.trees.iter().flat_map(|tree| &tree.nodes).filter(|_| !is_text(to));
    let errors: Vec<_> =
        nodes.filter_map(|(id, node)| Some(node.diagnostic(id, unnamed(&node.name, &node.properties)?))).collect();
    if !errors.is_empty() {
        return Err(messages(from, &errors));
    }
    let text = if is_text(to) {
        let text = project.to_text(&names).map_err(|errors| messages(from, &errors))?;
        lost = project.lost_in_text();
        format_text(&text, WIDTH).map_err(|error| error.message)?.text
    } else if is_xml(to) {
        lost = bt_btcpp::lost_in_xml(&project);
        bt_btcpp::to_xml(&project, &names).map_err(|errors| messages(from, &errors))?
    } else {
        project.for_editor(&names).map_err(|errors| messages(from, &errors))?.write()
    };
    create(to, &text)?;
    lost.extend(unread);
    Ok(Output { errors: left_out(to, &lost), ..Output::text(String::new()) })
}

/// Returns the fault of a node of the program whose arguments a text has without their names: other notations have places for names alone.
fn unnamed(node: &str, properties: &Map<String, Value>) -> Option<Fault> {
    let is_position = |name: &&String| !name.is_empty() && name.bytes().all(|digit| digit.is_ascii_digit());
    let argument = properties.keys().find(is_position).filter(|_| !is_file_name(node))?;
    let reason = format!(
        "the arguments of `{node}` have no names here; help: name them with `--leaf '{node}(name)'`, or write `name = value`"
    );
    Some(Fault::of(argument, reason))
}

/// Prints the words that the editor does not know, as its custom nodes.
pub(crate) fn palette() -> Result<Output, String> {
    let json = serde_json::to_string_pretty(&bt_behavior3::palette()).map_err(|error| error.to_string())?;
    Ok(Output::text(json + "\n"))
}
