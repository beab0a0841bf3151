//! Reading files.

use std::fs::File;
use std::io;
use std::path::Path;

use bt_behavior3::{Arity, Checked, Diagnostic, Lost, NodeNames, Project, TreeSpec};
use bt_btcpp::{Document, Program};
use bt_files::Before;
use bt_syntax::edit::is_xml as is_xml_text;
use bt_syntax::file::count_attributes_of_transitions;
use bt_syntax::format::count_comments;

use crate::command::{Declared, FileArguments, Names};

/// Returns the name of a file in messages.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// The maximum size of a file in bytes.
const MAX_SIZE: u64 = 64 << 20;

/// How often a command begins again because another program has changed the file meanwhile.
pub(crate) const MAX_ATTEMPTS: usize = 1000;

/// Creates a file.
pub(crate) fn create(path: &Path, text: &str) -> Result<(), String> {
    bt_files::write(path, Before::Nothing, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads a file, or the standard input.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    open(path).and_then(|file| bt_files::read_text(file, MAX_SIZE)).map_err(|error| format!("{}: {error}", name(path)))
}

/// Opens a file, or the standard input. A named pipe is an error, since it could wait for a writer that never comes; a pipe that
/// a shell has opened, as for `<(command)`, has one.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn io::Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let is_opened = ["/dev", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder));
    Ok(Box::new(if is_opened { File::open(path)? } else { bt_files::open(path)? }))
}

/// Reads a project: a file of the editor, XML of BehaviorTree.CPP, or a text. The options can name the parameters of a leaf, for arguments without names.
pub(crate) fn project(path: &Path, names: &Names) -> Result<Project, String> {
    Ok(read(path, names)?.project)
}

/// A file that was read.
pub(crate) struct Read {
    pub(crate) project: Project,
    /// What is in the file but not in the project, each with its number.
    pub(crate) lost: Vec<String>,
    /// The text of trees, if the file contains that.
    pub(crate) text: Option<String>,
}

/// Reads a file that contains a project.
pub(crate) fn read(path: &Path, names: &Names) -> Result<Read, String> {
    let text = text(path)?;
    let is_standard_input = path == Path::new("-");
    let begins = |sign| text.trim_start_matches('\u{feff}').trim_start().starts_with(sign);
    if is_xml(path) || is_standard_input && is_xml_text(&text) {
        return xml(path, &text).map_err(|errors| messages(path, &errors) + &other_kind(path, &text));
    }
    let is_text = is_text(path) || is_standard_input && !begins('{');
    let project =
        project_of(&text, is_text, names).map_err(|errors| messages(path, &errors) + &other_kind(path, &text))?;
    let mut lost = Lost::default();
    if is_text {
        lost.add("comment", "comments", count_comments(&text));
        let of_transitions = count_attributes_of_transitions(&text);
        lost.add(
            "`#[allow(…)]` of a transition, which its state has now",
            "`#[allow(…)]` of transitions, which their states have now",
            of_transitions,
        );
    }
    Ok(Read { project, lost: lost.shown(), text: is_text.then_some(text) })
}

/// Reads the XML of BehaviorTree.CPP with the files that it includes. Without a program, no leaf is known to write variables.
fn xml(path: &Path, text: &str) -> Result<Read, Vec<Diagnostic>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let include = |file: &str| bt_files::read(folder.join(file), MAX_SIZE).map_err(|error| error.to_string());
    let document = Document::read(text, include)?;
    let project = document.to_project(document.main(), &Program::default())?;
    Ok(Read { project, lost: document.lost(), text: None })
}

fn project_of(text: &str, is_text: bool, names: &Names) -> Result<Project, Vec<Diagnostic>> {
    if is_text {
        return bt_syntax::file::read(text, |name| names.parameters(name));
    }
    Project::read(text).map_err(|error| vec![Diagnostic::from(&error)])
}

/// Returns a line of help if a file cannot be read because its name is that of a file of another kind.
fn other_kind(path: &Path, text: &str) -> String {
    let inside = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('{');
    let is_json = inside.is_some_and(|inside| inside.trim_start().starts_with(['"', '}']));
    let help = if path == Path::new("-") {
        return String::new();
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        "the compiler checks the trees in a Rust source; `bt fmt` and `bt edit` read them"
    } else if is_xml_text(text) && !is_xml(path) {
        "it contains XML: its name must end with `.xml`"
    } else if is_json && (is_text(path) || is_xml(path)) {
        "it contains JSON: its name must end with `.json`"
    } else if !is_json && !is_text(path) && !is_xml_text(text) {
        "the name of a text of trees ends with `.bt`, and that of XML of BehaviorTree.CPP with `.xml`"
    } else {
        return String::new();
    };
    format!("\nhelp: {help}")
}

/// Returns `true` if a file contains text, according to its name.
pub(crate) fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "bt")
}

/// Returns `true` if a file is XML of BehaviorTree.CPP, according to its name.
pub(crate) fn is_xml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "xml")
}

/// Returns `true` if a project was read from text or XML, which declares no nodes.
pub(crate) fn was_text(project: &Project) -> bool {
    project.trees.iter().flat_map(|tree| &tree.nodes).any(|(_, node)| node.place.is_some())
}

impl Names {
    /// Returns `true` if no nodes are declared.
    pub(crate) fn is_empty(&self) -> bool {
        self.all().next().is_none()
    }

    /// Returns the names of the parameters of a node, if they are given.
    pub(crate) fn parameters(&self, name: &str) -> Option<Vec<String>> {
        self.all().filter(|node| node.name == name).find_map(|node| node.parameters.clone())
    }

    /// Returns the declared nodes.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Declared> {
        self.leaf.iter().chain(&self.decorator).chain(&self.composite)
    }
}

/// Checks a tree that was read.
pub(crate) fn checked(project: &Project, arguments: &FileArguments) -> Result<Checked, String> {
    let FileArguments { file, tree, names } = arguments;
    project.check(tree.as_deref(), &all_names(project, names)).map_err(|errors| messages(file, &errors))
}

/// Returns the names of custom nodes: those declared in the file, and those of the options.
pub(crate) fn all_names(project: &Project, names: &Names) -> NodeNames {
    let declared = project.declared_names().map(|(name, arity)| (name.to_owned(), arity));
    let options = [(&names.leaf, Arity::Zero), (&names.decorator, Arity::One), (&names.composite, Arity::Many)];
    let options =
        options.into_iter().flat_map(|(nodes, arity)| nodes.iter().map(move |node| (node.name.clone(), arity)));
    // A file of another notation can contain the nodes of BehaviorTree.CPP too.
    let all = || project.trees.iter().flat_map(|tree| &tree.nodes);
    let is_btcpp = all().any(|(_, node)| node.name.starts_with("btcpp::"));
    let btcpp = bt_btcpp::node_names().filter(|_| is_btcpp).map(|(name, arity)| (name.to_owned(), arity));
    let given = NodeNames::new(options.chain(declared).chain(btcpp)).with_values(names.value.iter().cloned());
    // A text declares nothing: without options, any name is one.
    if was_text(project) && names.is_empty() { given.open() } else { given }
}

/// Checks the tree with this id or title, or all trees. Returns none if there is no such tree.
pub(crate) fn checked_trees<'a>(
    project: &'a Project,
    tree: Option<&'a str>,
    names: &'a NodeNames,
) -> impl Iterator<Item = (&'a TreeSpec, Result<Checked, Vec<Diagnostic>>)> {
    let one = tree.and_then(|_| Some((project.tree(tree)?, project.check(tree, names))));
    let all = tree.is_none().then(|| project.check_all(names));
    one.into_iter().chain(all.into_iter().flatten())
}

/// Returns the messages of errors of one tree, one per line.
pub(crate) fn messages(path: &Path, errors: &[Diagnostic]) -> String {
    let messages = errors.iter().map(|error| message(path, None, "", error));
    messages.chain(help(errors)).collect::<Vec<_>>().join("\n")
}

/// Returns the help for errors about nodes that are neither words nor declared, if there are any.
pub(crate) fn help<'a>(errors: impl IntoIterator<Item = &'a Diagnostic>) -> Option<String> {
    let is_unknown =
        |error: &Diagnostic| error.reason.starts_with("unknown node `") && !error.reason.contains("; help: ");
    errors.into_iter().any(is_unknown).then(|| {
        "help: declare your own nodes with `--leaf NAME`, `--decorator NAME` or `--composite NAME`, or among the `custom_nodes` of the file".to_owned()
    })
}

/// Returns the message of an error, with the name of the tree if the file has several. `kind` is a prefix for messages other than errors.
pub(crate) fn message(path: &Path, tree: Option<&str>, kind: &str, error: &Diagnostic) -> String {
    let of_tree = tree.map_or_else(String::new, |tree| format!("tree {tree:?}: "));
    match error.place {
        // As a compiler writes it, so that an editor finds the place.
        Some(place) => format!("{}:{place}: {kind}{of_tree}{}", name(path), error.reason),
        None => format!("{}: {kind}{of_tree}{}", name(path), shown(tree, error)),
    }
}

fn shown(tree: Option<&str>, error: &Diagnostic) -> String {
    // An error of the tree itself names it, too.
    let is_named = error.title.is_empty() || tree == Some(&*error.title);
    if error.id.is_empty() && is_named { error.reason.clone() } else { error.to_string() }
}
