//! The variables of trees: which of them a tree uses, and which it writes.

use std::collections::{BTreeMap, BTreeSet};

use bt_behavior3::variable;
use bt_behavior3::xml::Element;

use crate::builtin::CONDITIONS;
use crate::document::{Document, REMAPPING, Tree};
use crate::node::{Meaning, is_true, meaning, ports, registered};
use crate::script::{Access, Script};

/// The variables of a tree.
#[derive(Clone, Default, Debug)]
pub(crate) struct Names {
    /// The variables that it uses, without those of the outermost tree.
    pub(crate) used: BTreeSet<String>,
    /// Those that it may write.
    pub(crate) written: BTreeSet<String>,
    /// Those in scripts, which cannot contain every text.
    pub(crate) scripted: BTreeSet<String>,
}

impl Names {
    /// Adds a name: of a variable that is written, or in a script.
    fn add(&mut self, name: &str, is_written: bool, is_scripted: bool) {
        if name.starts_with('@') {
            return;
        }
        for (names, is_one) in
            [(&mut self.used, true), (&mut self.written, is_written), (&mut self.scripted, is_scripted)]
        {
            if is_one && !names.contains(name) {
                names.insert(name.to_owned());
            }
        }
    }

    fn add_script(&mut self, text: &str) {
        // An invalid script is reported with its node.
        let Ok(script) = Script::parse(text) else { return };
        for (name, access) in script.variables() {
            self.add(name, access != Access::Read, true);
        }
    }

    /// Returns the number of names.
    fn count(&self) -> usize {
        self.used.len() + self.written.len() + self.scripted.len()
    }
}

/// The variables of all trees of a document, by their IDs. `is_output` returns whether a leaf writes the variable that a port names.
pub(crate) fn of_trees<'d>(document: &'d Document, is_output: &dyn Fn(&str, &str) -> bool) -> BTreeMap<&'d str, Names> {
    let mut all: BTreeMap<&str, Names> =
        document.trees.iter().map(|tree| (tree.id.as_str(), own(tree, is_output))).collect();
    // Names of nested trees become names of the trees that contain them.
    loop {
        let mut has_changed = false;
        for tree in &document.trees {
            let mut names = all.get(tree.id.as_str()).cloned().unwrap_or_default();
            let before = names.count();
            nested(tree, &tree.root, &all, &mut names);
            has_changed |= names.count() > before;
            all.insert(&tree.id, names);
        }
        if !has_changed {
            return all;
        }
    }
}

/// Returns the names in a tree, without those of the trees in it.
fn own(tree: &Tree, is_output: &dyn Fn(&str, &str) -> bool) -> Names {
    let mut names = Names::default();
    let mut left = vec![&tree.root];
    while let Some(element) = left.pop() {
        left.extend(&element.children);
        for attribute in &element.attributes {
            if CONDITIONS.contains(&attribute.name.as_str()) {
                names.add_script(&attribute.value);
            }
        }
        let meaning = meaning(element);
        for port in ports(tree, element) {
            let of_builtin = if let Meaning::Builtin(builtin) = meaning { builtin.port(port.name) } else { None };
            if of_builtin.is_some_and(|port| port.is_script) {
                names.add_script(&port.value);
                continue;
            }
            let is_written = match meaning {
                Meaning::Builtin(_) => of_builtin.is_some_and(|port| port.is_written),
                Meaning::Tree(_) => false,
                Meaning::Own(name) => is_output(&registered(name), port.name),
            };
            match variable(&port.value) {
                Some(name) => names.add(name, is_written, false),
                // Without braces, it is the name as well.
                None if names_variable(meaning, port.name) => names.add(&port.value, is_written, false),
                None => {}
            }
        }
    }
    names
}

/// Returns `true` if a port is the name of a variable also without braces.
pub(crate) fn names_variable(meaning: Meaning<'_>, port: &str) -> bool {
    match meaning {
        Meaning::Builtin(builtin) => builtin.port(port).is_some_and(|port| port.is_written) || port == "entry",
        Meaning::Tree(_) | Meaning::Own(_) => false,
    }
}

/// Adds the names that nested trees share with their parents.
fn nested(tree: &Tree, element: &Element, all: &BTreeMap<&str, Names>, names: &mut Names) {
    for child in &element.children {
        nested(tree, child, all, names);
    }
    let Meaning::Tree(id) = meaning(element) else { return };
    let Some(inner) = all.get(id) else { return };
    let given = ports(tree, element);
    for port in &given {
        if let Some(name) = variable(&port.value) {
            names.add(name, inner.written.contains(port.name), inner.scripted.contains(port.name));
        }
    }
    if REMAPPING.iter().any(|name| is_true(element, name)) {
        for name in inner.used.iter().filter(|name| !name.starts_with('_')) {
            if given.iter().all(|port| port.name != name) {
                names.add(name, inner.written.contains(name), inner.scripted.contains(name));
            }
        }
    }
}
