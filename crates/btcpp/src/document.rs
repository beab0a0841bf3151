//! A file of BehaviorTree.CPP: its trees, those of the files that it includes, and the declared models of nodes.

use std::collections::BTreeSet;

use bt_behavior3::xml::{self, Attribute, Element};
use bt_behavior3::{Diagnostic, Lost, Place};

use bt_words::did_you_mean;

use crate::builtin::{CONDITIONS, Category};

/// The elements in `<root>`.
const ELEMENTS: [&str; 3] = ["BehaviorTree", "TreeNodesModel", "include"];

/// The element of a port that a node reads.
const INPUT: &str = "input_port";
/// The elements of ports.
const PORTS: [&str; 3] = [INPUT, "output_port", "inout_port"];

/// The attributes that connect all variables of a nested tree, also those of older versions.
pub(crate) const REMAPPING: [&str; 3] = ["_autoremap", "__autoremap", "__shared_blackboard"];

/// The attribute with the description of a node or a tree.
pub(crate) const DESCRIPTION: &str = "_description";

/// The trees of a file and of the files that it includes.
#[derive(Clone, Debug)]
pub struct Document {
    pub(crate) trees: Vec<Tree>,
    /// The tree that the file names as the one to execute.
    main: Option<Attribute>,
    pub(crate) models: Vec<Model>,
    /// The paths of the included files.
    pub(crate) files: Vec<String>,
    lost: Lost,
    /// The place of the outermost element.
    place: Place,
}

/// A tree of a file.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) id: String,
    pub(crate) description: Option<String>,
    pub(crate) place: Place,
    pub(crate) root: Element,
    pub(crate) version: Version,
    /// The index of the file, if it is an included one.
    pub(crate) file: Option<usize>,
}

/// The version of a file's format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    /// Version 3, also of files that state none: the attributes of a `SubTree` are names of variables without braces.
    V3,
    V4,
}

/// The declared ports of a node or tree.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) id: String,
    pub(crate) category: Category,
    pub(crate) ports: Vec<ModelPort>,
}

/// A declared port.
#[derive(Clone, Debug)]
pub(crate) struct ModelPort {
    pub(crate) name: String,
    /// Whether the node writes the variable that the port names.
    pub(crate) is_output: bool,
    pub(crate) default: Option<String>,
}

/// A file that is included, before it is read.
struct Include {
    path: String,
    place: Place,
    /// The index of the file that includes it.
    from: Option<usize>,
}

impl Document {
    /// Reads a file. `include` returns the text of an included file: `path` is relative to the folder of the file, in which
    /// the paths of further included files are resolved.
    ///
    /// # Errors
    ///
    /// Returns the errors in the XML and in the elements outside of trees. Errors of an included file name that file.
    pub fn read(text: &str, mut include: impl FnMut(&str) -> Result<String, String>) -> Result<Self, Vec<Diagnostic>> {
        let mut document = Self {
            trees: Vec::new(),
            main: None,
            models: Vec::new(),
            files: Vec::new(),
            lost: Lost::default(),
            place: Place { line: 1, column: 1 },
        };
        let (mut errors, mut includes) = (Vec::new(), Vec::new());
        document.add(text, None, &mut includes, &mut errors);
        let mut next = 0;
        while let Some(Include { path, place, from }) = includes.get(next) {
            next += 1;
            if document.files.contains(path) {
                continue;
            }
            match include(path) {
                // The file itself.
                Ok(included) if included == text => {}
                Ok(text) => {
                    let file = document.files.len();
                    document.files.push(path.clone());
                    document.add(&text, Some(file), &mut includes, &mut errors);
                }
                Err(reason) => {
                    let error = Diagnostic::at(*place, format!("cannot include `{path}`: {reason}"));
                    errors.push(document.in_file(error, *from));
                }
            }
        }
        document.duplicates(&mut errors);
        if errors.is_empty() { Ok(document) } else { Err(errors) }
    }

    /// Returns the IDs of the trees, in order.
    pub fn trees(&self) -> impl Iterator<Item = &str> {
        self.trees.iter().map(|tree| tree.id.as_str())
    }

    /// Returns the ID of the tree that the file states as the one to execute, or else of the first tree.
    pub fn main(&self) -> Option<&str> {
        self.main.as_ref().map(|main| main.value.as_str()).or_else(|| self.trees().next())
    }

    /// Returns what a [project](Self::to_project) of the file lacks, each with its number: comments, and what only the models of the file state.
    pub fn lost(&self) -> Vec<String> {
        self.lost.clone().shown()
    }

    /// Adds the trees and models of a file.
    fn add(&mut self, text: &str, file: Option<usize>, includes: &mut Vec<Include>, errors: &mut Vec<Diagnostic>) {
        let mut found = Vec::new();
        match xml::read(text) {
            Ok(root) if root.name == "root" => {
                self.count_lost(&root, text);
                self.root(root, file, includes, &mut found);
            }
            Ok(root) => found.push(root.error(format!("expected <root>, found <{}>", root.name))),
            Err(errors) => found = errors,
        }
        errors.extend(found.into_iter().map(|error| self.in_file(error, file)));
    }

    fn root(&mut self, root: Element, file: Option<usize>, includes: &mut Vec<Include>, errors: &mut Vec<Diagnostic>) {
        let version = match root.value("BTCPP_format") {
            Some(format) if format.trim().starts_with('4') => Version::V4,
            Some(format) if format.trim().starts_with('3') => Version::V3,
            None => Version::V3,
            Some(format) => {
                let reason = format!("unknown format `{format}`; help: write `BTCPP_format=\"4\"`");
                errors.push(root.attribute("BTCPP_format").map_or_else(
                    || root.error(reason.clone()),
                    |attribute| Diagnostic::at(attribute.value_place, reason.clone()),
                ));
                Version::V4
            }
        };
        if file.is_none() {
            self.place = root.place;
            self.main = root.attribute("main_tree_to_execute").cloned();
        }
        for mut element in root.children {
            match element.name.as_str() {
                "BehaviorTree" => {
                    let id = element
                        .value("ID")
                        .map_or_else(|| xml::unnamed(|id| self.trees.iter().any(|tree| tree.id == id)), str::to_owned);
                    let description = element.value(DESCRIPTION).map(str::to_owned);
                    let count = element.children.len();
                    match element.children.pop().filter(|_| count == 1) {
                        Some(root) => {
                            self.trees.push(Tree { id, description, place: element.place, root, version, file });
                        }
                        None => errors.push(element.error(format!("expected 1 node in tree `{id}`, found {count}"))),
                    }
                }
                "TreeNodesModel" => self.add_models(&element, errors),
                "include" => match element.required("path") {
                    Ok(path) => {
                        includes.push(Include {
                            path: beside(file.map(|file| &*self.files[file]), &path.value),
                            place: path.value_place,
                            from: file,
                        });
                    }
                    Err(error) => errors.push(error),
                },
                name => {
                    let meant = did_you_mean(name, ELEMENTS);
                    let note = "; note: expected <BehaviorTree>, <TreeNodesModel> or <include>";
                    let reason = format!("unknown element <{name}>{}", if meant.is_empty() { note } else { &meant });
                    errors.push(element.error(reason));
                }
            }
        }
    }

    /// Counts what a project lacks.
    fn count_lost(&mut self, root: &Element, text: &str) {
        let lost = &mut self.lost;
        lost.add("comment", "comments", root.comments);
        add_attributes(lost, root, |name| !["BTCPP_format", "main_tree_to_execute"].contains(&name));
        for element in &root.children {
            match &*element.name {
                "BehaviorTree" => {
                    add_attributes(lost, element, |name| !["ID", DESCRIPTION].contains(&name));
                    let mut nodes: Vec<_> = element.children.iter().collect();
                    while let Some(node) = nodes.pop() {
                        add_attributes(lost, node, is_of_others);
                        nodes.extend(&node.children);
                    }
                }
                "include" => add_attributes(lost, element, |name| name != "path"),
                _ => add_attributes(lost, element, |_| true),
            }
        }
        for model in root.children.iter().filter(|element| element.name == "TreeNodesModel").flat_map(|of| &of.children)
        {
            match Category::named(&model.name) {
                Some(category) => {
                    lost.add("model of a tree", "models of trees", usize::from(category == Category::SubTree));
                    add_attributes(lost, model, |name| name != "ID");
                }
                None => add_element(lost, model),
            }
            for port in &model.children {
                if !PORTS.contains(&&*port.name) {
                    add_element(lost, port);
                    continue;
                }
                let is_described = port.inside.clone().is_some_and(|inside| !text[inside].trim().is_empty());
                lost.add("direction of a port", "directions of ports", usize::from(port.name != INPUT));
                lost.add("type of a port", "types of ports", usize::from(port.value("type").is_some()));
                lost.add("description of a port", "descriptions of ports", usize::from(is_described));
                add_attributes(lost, port, |name| !["name", "type", "default"].contains(&name));
            }
        }
    }

    fn add_models(&mut self, element: &Element, errors: &mut Vec<Diagnostic>) {
        for model in &element.children {
            // Models of older files have other elements, such as styles of the editor.
            let Some(category) = Category::named(&model.name) else { continue };
            let id = match model.required("ID") {
                Ok(id) => id.value.clone(),
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            };
            let mut ports = Vec::new();
            for port in &model.children {
                if PORTS.contains(&&*port.name) {
                    match port.required("name") {
                        Ok(name) => ports.push(ModelPort {
                            is_output: port.name != INPUT,
                            name: name.value.clone(),
                            default: port.value("default").filter(|default| !default.is_empty()).map(str::to_owned),
                        }),
                        Err(error) => errors.push(error),
                    }
                }
            }
            self.models.push(Model { id, category, ports });
        }
    }

    /// Reports trees with the same ID.
    fn duplicates(&self, errors: &mut Vec<Diagnostic>) {
        let mut seen = BTreeSet::new();
        for tree in &self.trees {
            if !seen.insert(tree.id.as_str()) {
                let error = Diagnostic::at(tree.place, format!("duplicate tree `{}`", tree.id));
                errors.push(self.in_file(error, tree.file));
            }
        }
    }

    /// Returns an error with the name of the file that it is in, if that is an included one.
    pub(crate) fn in_file(&self, error: Diagnostic, file: Option<usize>) -> Diagnostic {
        error.in_file(file.map(|file| self.files[file].as_str()))
    }

    /// Returns the tree with this ID. `None` selects the tree that the file states as the one to execute, or the only one.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such tree, or if there are several and none is stated.
    pub(crate) fn tree(&self, id: Option<&str>) -> Result<&Tree, Diagnostic> {
        let found = |id: &str| self.trees.iter().find(|tree| tree.id == id);
        let all = || self.trees.iter().map(|tree| format!("`{}`", tree.id)).collect::<Vec<_>>().join(", ");
        match (id, &self.main, self.trees.as_slice()) {
            (Some(id), ..) => found(id)
                .ok_or_else(|| Diagnostic::of_tree("", format!("unknown tree `{id}`; note: the trees are {}", all()))),
            (None, Some(main), _) => found(&main.value).ok_or_else(|| {
                let reason = format!("unknown tree `{}`; note: the trees are {}", main.value, all());
                Diagnostic::at(main.value_place, reason)
            }),
            (None, None, [tree]) => Ok(tree),
            (None, None, []) => Err(Diagnostic::at(self.place, "the file has no <BehaviorTree>".to_owned())),
            (None, None, [..]) => {
                let reason = format!(
                    "the file states no main tree; help: write `main_tree_to_execute` in <root>, or name one of {}",
                    all()
                );
                Err(Diagnostic::at(self.place, reason))
            }
        }
    }

    /// Returns the model of a nested tree.
    pub(crate) fn tree_model(&self, id: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.category == Category::SubTree && model.id == id)
    }

    /// Returns the model of another node.
    pub(crate) fn node_model(&self, id: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.category != Category::SubTree && model.id == id)
    }
}

/// Returns `true` for an attribute that has no meaning here: those with `_` can belong to other programs.
fn is_of_others(attribute: &str) -> bool {
    let known = || CONDITIONS.into_iter().chain(REMAPPING).chain([DESCRIPTION]);
    attribute.starts_with('_') && known().all(|known| known != attribute)
}

/// Adds the attributes of an element whose names are those of lost ones.
fn add_attributes(lost: &mut Lost, element: &Element, is_lost: impl Fn(&str) -> bool) {
    for attribute in element.attributes.iter().filter(|attribute| is_lost(&attribute.name)) {
        let (name, of) = (&attribute.name, &element.name);
        lost.add(&format!("attribute `{name}` of <{of}>"), &format!("attributes `{name}` of <{of}>"), 1);
    }
}

fn add_element(lost: &mut Lost, element: &Element) {
    lost.add(&format!("element <{}>", element.name), &format!("elements <{}>", element.name), 1);
}

/// Returns a path relative to the folder of the file that states it, without `.` and `..` where possible, so that a file has one path.
fn beside(file: Option<&str>, path: &str) -> String {
    let path = match file.and_then(|file| file.rsplit_once('/')) {
        Some((folder, _)) if !path.starts_with('/') => format!("{folder}/{path}"),
        _ => path.to_owned(),
    };
    let mut parts = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            (".", _) => {}
            ("..", Some(last)) if !matches!(*last, "" | "..") => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
