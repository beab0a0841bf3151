//! What files can name, without its context.

use std::collections::{BTreeMap, BTreeSet};

use bt_behavior3::{Diagnostic, NodeNames, OwnNode, Project, Source, is_value_name};
use bt_core::check::Lint;

use crate::error::LoadError;
use crate::flat::FlatTree;
use crate::load::stock::Stock;
use crate::named::Named;

/// The documentation and the path of a node.
#[derive(Clone, Copy, Default)]
pub(crate) struct About {
    /// Its documentation.
    pub(crate) doc: &'static str,
    /// The path of its type, or of the function that makes it.
    pub(crate) path: &'static str,
}

/// What files can name. The numbers of names are those in the [`Stock`] of a registry.
pub(crate) struct Known {
    pub(crate) nodes: Named<OwnNode>,
    /// The documentation and the paths of the nodes, by their numbers, if a registry has them.
    pub(crate) about: Vec<About>,
    pub(crate) values: Named<()>,
    /// The variables that the program sets, if the registry names them.
    pub(crate) declared: Option<BTreeSet<String>>,
    /// The errors of names that were added more than once.
    twice: Vec<String>,
    /// What values are shown as, if not by their names.
    pub(crate) shown: BTreeMap<String, String>,
    /// The properties that are scripts, by the name of the node.
    pub(crate) scripts: BTreeMap<String, &'static [&'static str]>,
    /// The lints that are errors.
    pub(crate) denied: Vec<Lint>,
}

impl Known {
    pub(crate) const fn new() -> Self {
        Self {
            nodes: Named::new(),
            about: Vec::new(),
            values: Named::new(),
            declared: None,
            twice: Vec::new(),
            shown: BTreeMap::new(),
            scripts: BTreeMap::new(),
            denied: Vec::new(),
        }
    }

    /// Adds the next node.
    #[track_caller]
    pub(crate) fn add(&mut self, name: &str, node: OwnNode) {
        self.twice.extend(self.nodes.insert(name, node));
    }

    /// Adds the next value.
    #[track_caller]
    pub(crate) fn add_value(&mut self, name: &str) {
        self.twice.extend(self.values.insert(name, ()));
    }

    /// Returns whether a value is shown as something else than its name. Its cases are then patterns.
    pub(crate) fn is_shown(&self, source: &Source) -> bool {
        matches!(source, Source::Registered(name) if self.shown.contains_key(name))
    }

    /// Returns what a value is shown as.
    pub(crate) fn shown(&self, source: &Source) -> String {
        let text = if let Source::Registered(name) = source { self.shown.get(name) } else { None };
        text.map_or_else(|| source.to_string(), Clone::clone)
    }

    /// Returns the names, and what is known of their nodes.
    pub(crate) fn names(&self) -> NodeNames {
        let nodes = self.nodes.iter().map(|(name, _, node)| (name, *node));
        let scripts = self.scripts.iter().map(|(name, properties)| (name.as_str(), *properties));
        NodeNames::new(nodes).with_values(self.values.iter().map(|(name, ..)| name)).with_scripts(scripts)
    }

    /// Loads a tree of a project.
    pub(crate) fn load(
        &self,
        project: &Project,
        tree: Option<&str>,
        stock: &mut dyn Stock,
    ) -> Result<FlatTree, LoadError> {
        let checked = project.check(tree, &self.names());
        let title = project.tree(tree).map_or("", |tree| tree.title());
        let twice = self.twice.iter().cloned();
        let unusable =
            self.values.iter().filter(|(name, ..)| !is_value_name(name)).map(|(name, ..)| {
                format!("`{name}` cannot be the name of a value; help: use a name such as `Patience`")
            });
        let mut errors: Vec<_> = twice.chain(unusable).map(|reason| Diagnostic::of_tree(title, reason)).collect();
        let mut checked = match checked {
            Ok(checked) => checked,
            Err(diagnostics) => {
                errors.extend(diagnostics);
                return Err(errors.into());
            }
        };
        // A warning without a lint cannot be named.
        let is_denied = |warning: &mut Diagnostic| match warning.lint {
            Some(lint) => self.denied.contains(&lint),
            None => Lint::ALL.iter().all(|lint| self.denied.contains(lint)),
        };
        errors.extend(checked.warnings.extract_if(.., is_denied));
        if !errors.is_empty() {
            return Err(errors.into());
        }
        FlatTree::build(checked, self, stock).map_err(LoadError::Invalid)
    }
}
