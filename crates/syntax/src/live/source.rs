//! A tree as the data of a loaded tree, and the parts that it names.

use std::sync::Arc;

use bt_behavior3::{Diagnostic, Place, Project};
use bt_words::Word;
use serde_json::{Map, Value};

use super::literal::Literal;
use super::shape::PartKind;
use crate::errors::Mistake;
use crate::location::place;

/// The property of a part with the texts of its literals.
pub(super) const LITERALS: &str = "literals";

/// A tree as a project with one tree, and the parts that it names.
#[derive(Clone, Debug)]
pub struct Source {
    pub project: Project,
    /// The parts, one for each name.
    pub uses: Vec<Use>,
    /// The mistakes that the macro reports as errors unless `#[allow(…)]` allows them.
    pub mistakes: Vec<Warning>,
    pub(super) fallbacks: Vec<Fallback>,
}

/// A mistake in a valid node.
#[derive(Clone, PartialEq, Debug)]
pub struct Warning {
    pub diagnostic: Diagnostic,
    /// The node at which the analysis of the loaded tree also finds the mistake; `None` if only the text shows the mistake.
    pub node: Option<Place>,
}

/// The use of a part.
#[derive(Clone, PartialEq, Debug)]
pub struct Use {
    /// The name in the project. No word and no Rust item has this name.
    pub name: String,
    pub kind: PartKind,
    /// Whether it is a node that cannot be taken apart.
    pub is_island: bool,
    /// The key of the part.
    pub key: String,
    /// The literals of a part that is not a node: a condition of a transition, a hook, an action, a score, a selection. A node
    /// stores its literals in the property `literals`, as texts.
    pub literals: Vec<Literal>,
    /// The text of a condition of a transition, a hook or an action.
    pub text: String,
    /// The location of the first use.
    pub place: Place,
    /// Whether the part is used as something other than a node.
    pub(super) is_value: bool,
}

/// A leaf that is a word if the program has no leaf of that text.
#[derive(Clone, Debug)]
pub(super) struct Fallback {
    pub(super) name: String,
    pub(super) id: String,
    pub(super) word: Word,
    pub(super) properties: Map<String, Value>,
}

impl Source {
    /// Replaces each leaf that is not a part of the program with the leaf of `bt-core` of the same name: `wait(secs(5))`, `succeed`.
    #[must_use]
    pub fn with_words(mut self, is_part: impl Fn(&Use) -> bool) -> Self {
        for Fallback { name, id, word, properties } in std::mem::take(&mut self.fallbacks) {
            if self.uses.iter().any(|used| used.name == name && is_part(used)) {
                continue;
            }
            let nodes = self.project.trees.iter_mut().flat_map(|tree| &mut tree.nodes);
            if let Some((_, node)) = { nodes }.find(|(other, _)| *other == id) {
                let node = Arc::make_mut(node);
                node.properties.remove(LITERALS);
                node.properties.extend(properties);
                word.name().clone_into(&mut node.name);
            }
            // Its name may be that of a condition, too, which is no node.
            self.uses.retain(|used| used.name != name || used.is_value);
        }
        self
    }
}

impl Warning {
    pub(super) fn of(mistake: Mistake) -> Self {
        let Mistake { lint, span, message, node } = mistake;
        let found = Diagnostic::at(place(span), message.replace('\n', "; "));
        Self { diagnostic: Diagnostic { lint: Some(lint), ..found }, node: node.map(place) }
    }
}
