//! The names of custom nodes.

use std::collections::{BTreeMap, BTreeSet};

use bt_words::{Arity, Counterpart, Peer, Word, did_you_mean, is_file_name, nearest, peer};

use crate::diagnostic::{READ, Short};
use crate::own::OwnNode;

/// The custom nodes, by name, and the names of values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeNames {
    nodes: BTreeMap<String, OwnNode>,
    values: BTreeSet<String>,
    /// The properties that are scripts, by the name of the node.
    scripts: BTreeMap<String, &'static [&'static str]>,
    /// Whether any other name is accepted, too.
    is_open: bool,
}

impl NodeNames {
    /// Creates a set of these names, each with the number of children of its node, or with an [`OwnNode`].
    pub fn new<N: Into<String>, T: Into<OwnNode>>(names: impl IntoIterator<Item = (N, T)>) -> Self {
        let nodes = names.into_iter().map(|(name, node)| (name.into(), node.into())).collect();
        Self { nodes, ..Self::default() }
    }

    /// Accepts all other names as well, for a drawing of a file: their nodes can have any number of children.
    ///
    /// ```
    /// use bt_behavior3::{NodeNames, Project};
    ///
    /// let file = r#"{ "root": "1", "nodes": { "1": { "name": "Twice", "child": "2" }, "2": { "name": "Attack" } } }"#;
    /// let project = Project::read(file)?;
    /// assert!(project.check(None, &NodeNames::default()).is_err());
    /// assert!(project.check(None, &NodeNames::default().open()).is_ok());
    /// # Ok::<(), bt_behavior3::ReadError>(())
    /// ```
    #[must_use]
    pub fn open(mut self) -> Self {
        self.is_open = true;
        self
    }

    /// Adds the names of values, which `match`, scores, times and counts can read.
    #[must_use]
    pub fn with_values<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.values.extend(names.into_iter().map(Into::into));
        self
    }

    /// Adds the properties of nodes that are scripts. In a nested tree, their names are those of its properties and variables, as `{names}` in other
    /// properties are.
    #[must_use]
    pub fn with_scripts<N: Into<String>>(
        mut self,
        scripts: impl IntoIterator<Item = (N, &'static [&'static str])>,
    ) -> Self {
        self.scripts.extend(scripts.into_iter().map(|(node, properties)| (node.into(), properties)));
        self
    }

    /// Returns `true` if a property of the node with this name is a script.
    pub(crate) fn is_script(&self, node: &str, property: &str) -> bool {
        self.scripts.get(node).is_some_and(|properties| properties.contains(&property))
    }

    /// Returns the error for a name that is not the name of a value. `expected` is what is valid in its place.
    pub(crate) fn no_value(&self, name: &str, expected: Option<&str>) -> Option<String> {
        if self.is_open || self.values.contains(name) {
            return None;
        }
        let help = match did_you_mean(name, self.values.iter().map(String::as_str)) {
            help if !help.is_empty() => help,
            _ if self.arity(name).is_some() => "; note: it is a node".to_owned(),
            _ => expected.map_or_else(String::new, |expected| format!("; note: expected {expected}, a range, {READ}")),
        };
        Some(format!("unknown value `{}`{help}", Short(name)))
    }

    /// Returns the names of the nodes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.nodes.keys().map(String::as_str)
    }

    /// Returns the number of children of the node with this name; `None` if the name is unknown.
    pub fn arity(&self, name: &str) -> Option<Arity> {
        self.nodes.get(name).copied().map(OwnNode::arity)
    }

    /// Returns what is known of the node with this name; `None` if the name is unknown.
    pub(crate) fn node(&self, name: &str) -> Option<OwnNode> {
        self.nodes.get(name).copied()
    }

    /// Returns the arity of a node with this name and this number of children; `None` if the name is unknown.
    pub(crate) fn arity_with(&self, name: &str, children: usize) -> Option<Arity> {
        let of_other = || match children {
            0 => Arity::Zero,
            1 => Arity::One,
            _ => Arity::Many,
        };
        self.arity(name).or_else(|| (self.is_open && !is_file_name(name)).then(of_other))
    }

    /// Returns `true` for the name of a leaf.
    pub(crate) fn is_leaf(&self, name: &str) -> bool {
        self.arity_with(name, 0) == Some(Arity::Zero)
    }

    /// Returns the names that are names of words too.
    pub(crate) fn hiding(&self) -> impl Iterator<Item = &str> {
        self.nodes.keys().map(String::as_str).filter(|name| is_file_name(name))
    }

    /// Returns the note or help for a name that is not the name of a leaf.
    pub(crate) fn no_leaf(&self, name: &str) -> String {
        match self.arity(name) {
            Some(_) => "; note: it takes children".to_owned(),
            None if is_file_name(name) => "; note: it is a keyword".to_owned(),
            None => {
                let leaves = self.nodes.iter().filter(|(_, node)| node.arity() == Arity::Zero);
                did_you_mean(name, leaves.map(|(name, _)| name.as_str()))
            }
        }
    }

    /// Returns the help for an unknown name: the corresponding word for the name of another library, otherwise the nearest known name.
    pub(crate) fn suggestion(&self, name: &str) -> String {
        if ["is_set", "compare", "set", "unset", "copy"].contains(&name) {
            return "; note: keys have types, so a file cannot name one; help: register a leaf with its key, such as \
                    `add_leaf(\"SetAlarm\", set(ALARM, true))`"
                .to_owned();
        }
        let own = self.nodes.keys().map(String::as_str);
        let near = nearest(name, own.chain(Word::file_names().map(|word| -> &str { word })));
        // `priority` is `Priority` of Behavior3; `Parallel` is more than another spelling of `parallel`.
        let is_meant = |near: &str, peer: &Peer| {
            let is_word = matches!(peer.counterpart, Counterpart::Word(_));
            self.nodes.contains_key(near) || is_word && near.eq_ignore_ascii_case(name)
        };
        let peer = peer(name).filter(|peer| !near.is_some_and(|near| is_meant(near, peer)));
        match (peer, near) {
            (Some(Peer { counterpart, difference: "" }), _) => format!("; help: use {counterpart}"),
            (Some(Peer { counterpart, difference }), _) => format!("; note: {difference}; help: use {counterpart}"),
            (None, Some(near)) => format!("; help: did you mean `{near}`?"),
            (None, None) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_nearest_custom_name_or_word_is_suggested() {
        let names = super::NodeNames::new([("AnyAround", super::Arity::Zero)]);
        assert_eq!(names.suggestion("AnyAruond"), "; help: did you mean `AnyAround`?");
        assert_eq!(names.suggestion("priorty"), "; help: did you mean `Priority`?");
        assert_eq!(names.suggestion("Squence"), "; help: did you mean `Sequence`?");
        assert_eq!(names.suggestion("xyz"), "");
        assert!(
            names
                .suggestion("set")
                .ends_with("help: register a leaf with its key, such as `add_leaf(\"SetAlarm\", set(ALARM, true))`")
        );
    }

    #[test]
    fn words_of_other_libraries_are_known() {
        let names = super::NodeNames::default();
        assert_eq!(names.suggestion("ReactiveSequence"), "; help: use `sequence`");
        let fallback = names.suggestion("Fallback");
        assert!(fallback.starts_with("; note: ") && fallback.ends_with("; help: use `mem_selector`"), "{fallback}");
        // Libraries differ in the meaning of the name, so it is more than another spelling of `parallel`.
        let parallel = names.suggestion("Parallel");
        assert!(parallel.ends_with("; help: use `mem_parallel` or `parallel`"), "{parallel}");
        assert_eq!(names.suggestion("AlwaysSuccess"), "; note: the decorator is `force_success`; help: use `succeed`");
        assert_eq!(names.suggestion("RoundRobin"), "; help: use your own composite");
        assert_eq!(names.suggestion("Simple Parallel"), names.suggestion("SimpleParallel"));
    }
}
