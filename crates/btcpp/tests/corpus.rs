//! Loads all trees of the folders that the environment variable `BT_XML` names, separated by `:`. Nodes that are not known are simulated, and so are
//! nested trees that no file of the folder defines. Prints how many files load, and why others do not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use bt_btcpp::{Document, Nav2Nodes, Nodes, XmlRegistry};
use bt_core::board::HasBoard;
use bt_core::composite::{Children, Several};
use bt_core::prelude::*;
use bt_dynamic::Registry;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Map, Value};

#[derive(Default)]
struct Robot(Board);

impl HasBoard for Robot {
    fn board(&self) -> &Board {
        &self.0
    }

    fn board_mut(&mut self) -> &mut Board {
        &mut self.0
    }
}

impl Clock for Robot {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A decorator that passes the status of its child on.
struct Pass;

#[decorator]
impl<C: ?Sized> Decorator<C> for Pass {}

/// A control node that ticks all children.
struct Each;

#[composite]
impl<C: ?Sized> Composite<C> for Each {
    type Running = Several;

    fn tick(&self, children: &mut impl Children<C>, (): &mut (), (): &mut (), ctx: &mut C) -> Status {
        (0..children.len()).map(|child| children.tick(child, ctx)).last().unwrap_or(Status::Success)
    }
}

/// What a file contains.
#[derive(Clone, Default)]
struct Contents {
    trees: Vec<String>,
    nested: BTreeSet<String>,
    includes: Vec<String>,
    /// The least and the greatest number of children of each node.
    nodes: BTreeMap<String, (usize, usize)>,
}

/// The elements that are no nodes.
const OTHERS: [&str; 4] = ["root", "BehaviorTree", "include", "TreeNodesModel"];

/// Reads a file as far as it is well-formed.
fn contents(text: &str) -> Contents {
    let (mut found, mut open) = (Contents::default(), Vec::<(String, usize)>::new());
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(start) => {
                if let Some((_, children)) = open.last_mut() {
                    *children += 1;
                }
                open.push((found.element(&start), 0));
            }
            Event::End(_) => {
                let Some((name, children)) = open.pop() else { continue };
                let is_model = open.iter().any(|(name, _)| name == "TreeNodesModel");
                if !name.is_empty() && !is_model && !OTHERS.contains(&name.as_str()) {
                    let (least, most) = found.nodes.entry(name).or_insert((children, children));
                    (*least, *most) = ((*least).min(children), (*most).max(children));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    found
}

impl Contents {
    /// Adds an element. Returns the name of its node.
    fn element(&mut self, start: &BytesStart<'_>) -> String {
        let attribute = |name: &str| {
            let attribute = start.try_get_attribute(name).ok().flatten()?;
            Some(attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).ok()?.into_owned())
        };
        let (name, id) = (start.name().as_ref().to_owned(), attribute("ID"));
        match (name.as_str(), id) {
            ("BehaviorTree", id) => self.trees.push(id.unwrap_or_else(|| name.clone())),
            ("SubTree" | "SubTreePlus", Some(id)) => {
                self.nested.insert(id);
                return String::new();
            }
            ("include", _) => self.includes.extend(attribute("path")),
            ("Action" | "Condition" | "Control" | "Decorator", Some(id)) => return id,
            _ => {}
        }
        name
    }
}

/// The files of a folder.
struct Corpus {
    files: BTreeMap<PathBuf, Contents>,
}

impl Corpus {
    fn read(folder: &Path) -> Self {
        let (mut files, mut left) = (BTreeMap::new(), vec![folder.to_owned()]);
        while let Some(folder) = left.pop() {
            for entry in fs::read_dir(&folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    left.push(path);
                } else if path.extension().is_some_and(|extension| extension == "xml") {
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    if text.contains("<root") {
                        files.insert(path, contents(&text));
                    }
                }
            }
        }
        Self { files }
    }

    /// Returns the nearest other file that defines a tree.
    fn nearest(&self, from: &Path, tree: &str, defined: &BTreeSet<String>) -> Option<&PathBuf> {
        let shared = |path: &Path| path.components().zip(from.components()).take_while(|(a, b)| a == b).count();
        let defines = |(path, contents): &(&PathBuf, &Contents)| {
            *path != from
                && contents.trees.iter().any(|id| id == tree)
                && contents.trees.iter().all(|id| !defined.contains(id))
        };
        self.files.iter().filter(defines).map(|(path, _)| path).max_by_key(|path| shared(path))
    }

    /// Loads all trees of a file, with the files that define its nested trees. Returns their number and the number of nested trees that are simulated.
    fn load(&self, path: &Path) -> Result<(usize, usize), String> {
        let (mut files, mut missing) = (vec![path.to_owned()], BTreeSet::new());
        let (mut nodes, mut defined) = (BTreeMap::<String, (usize, usize)>::new(), BTreeSet::new());
        let mut next = 0;
        while let Some(file) = files.get(next).cloned() {
            next += 1;
            let Some(contents) = self.files.get(&file) else { continue };
            defined.extend(contents.trees.iter().cloned());
            for (name, (least, most)) in &contents.nodes {
                let all = nodes.entry(name.clone()).or_insert((*least, *most));
                *all = (all.0.min(*least), all.1.max(*most));
            }
            let folder = file.parent().unwrap_or(Path::new(""));
            let included = contents.includes.iter().map(|include| folder.join(include));
            let mut others: Vec<_> = included.filter_map(|path| path.canonicalize().ok()).collect();
            let known = |tree: &str, others: &[PathBuf]| {
                let has =
                    |file: &PathBuf| self.files.get(file).is_some_and(|file| file.trees.iter().any(|id| id == tree));
                files.iter().chain(others).any(has)
            };
            for tree in &contents.nested {
                if known(tree, &others) {
                    continue;
                }
                match self.nearest(&file, tree, &defined) {
                    Some(other) => others.push(other.clone()),
                    None => _ = missing.insert(tree.clone()),
                }
            }
            others.retain(|other| !files.contains(other));
            files.extend(others);
        }
        missing.retain(|tree| !defined.contains(tree));
        let mut text = String::from("<root BTCPP_format=\"4\">");
        for file in &files {
            _ = write!(text, "<include path=\"{}\"/>", file.display());
        }
        for tree in &missing {
            _ = write!(text, "<BehaviorTree ID=\"{tree}\"><AlwaysSuccess/></BehaviorTree>");
        }
        let registry = registry(&nodes);
        let read = |path: &str| fs::read_to_string(path).map_err(|error| error.to_string());
        let shown = |errors: Vec<bt_behavior3::Diagnostic>| errors[0].to_string();
        let document = Document::read(&(text + "</root>"), read).map_err(shown)?;
        let trees = &self.files[path].trees;
        for tree in trees {
            registry.load_document(&document, Some(tree)).map_err(|error| error.to_string())?;
        }
        Ok((trees.len(), missing.len()))
    }
}

/// Returns the nodes of BehaviorTree.CPP and Nav2, and simulated ones for all others.
fn registry(nodes: &BTreeMap<String, (usize, usize)>) -> Registry<Robot> {
    let mut registry = Registry::<Robot>::new().with_clock().with_board::<Board>();
    Nodes::new().add_to(&mut registry);
    Nav2Nodes::add_to(&mut registry);
    let known: BTreeSet<_> = registry.palette().into_iter().map(|entry| entry.name).collect();
    for (name, (least, most)) in nodes {
        let own = if bt_words::is_file_name(name) { format!("btcpp::{name}") } else { name.clone() };
        if known.contains(&own) || known.contains(&format!("btcpp::{name}")) {
            continue;
        }
        match (least, most) {
            (_, 0) => registry.add_with(&own, |_: Map<String, Value>| succeed()),
            (1, 1) => registry.add_decorator(&own, |_: Map<String, Value>| Pass),
            _ => registry.add_composite(&own, |_: Map<String, Value>| Each),
        };
    }
    registry
}

/// Removes what differs between the same errors in two files.
fn kind(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let mut kind = String::new();
    for (index, part) in first.split('`').enumerate() {
        kind += if index % 2 == 0 { part } else { "`…`" };
    }
    let start = kind.find(|letter: char| letter.is_ascii_alphabetic() || letter == '<').unwrap_or(0);
    kind.split_off(start)
}

#[test]
fn all_trees_of_other_projects_load() {
    let Ok(folders) = std::env::var("BT_XML") else {
        println!("`BT_XML` names no folders");
        return;
    };
    for folder in folders.split(':') {
        let folder = Path::new(folder).canonicalize().expect("a folder");
        let corpus = Corpus::read(&folder);
        let (mut loaded, mut trees, mut simulated) = (0, 0, 0);
        let mut reasons = BTreeMap::<String, Vec<String>>::new();
        for path in corpus.files.keys() {
            match corpus.load(path) {
                Ok((count, missing)) => {
                    (loaded, trees, simulated) = (loaded + 1, trees + count, simulated + usize::from(missing > 0));
                }
                Err(error) => {
                    let name = path.strip_prefix(&folder).unwrap_or(path).display();
                    reasons.entry(kind(&error)).or_default().push(format!("{name}: {error}"));
                }
            }
        }
        let (all, folder) = (corpus.files.len(), folder.display());
        println!("{folder}: {loaded} of {all} files load, with {trees} trees; {simulated} with simulated nested trees");
        for (kind, files) in reasons {
            println!("  {} × {kind}", files.len());
            for file in files {
                println!("      {file}");
            }
        }
    }
}
