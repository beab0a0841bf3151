//! The parts of the program as what a source can name.

use std::str::FromStr;
use std::sync::Arc;

use bt_behavior3::{Diagnostic, OwnNode};
use bt_core::file::Properties;
use bt_syntax::live::{Literal, Source, Use};
use serde::Deserialize;

use super::list::{About, Parts};
use super::literal::{Literals, with};
use super::nodes::{LiveNodes, Placed, PlacedOf, StoreShape, has};
use super::site::{Site, waits};
use crate::error::LoadError;
use crate::flat::code::LeafStep;
use crate::flat::{FlatTree, Follows};
use crate::load::known::Known;
use crate::load::stock::{Has, Stock, add};
use crate::nodes::shape::Shapes;

/// The parts that a source uses, by the numbers of their uses.
struct Uses<'s, S: StoreShape> {
    site: &'static Site,
    nodes: LiveNodes<S>,
    /// The uses that are nodes or attached to nodes, and those that are values.
    named: Vec<&'s Use>,
    values: Vec<&'s Use>,
}

/// The properties of a part.
#[derive(Deserialize)]
struct Given {
    literals: Option<Vec<String>>,
}

/// Builds a tree from the parts of a store.
pub(super) fn build<S: StoreShape>(
    site: &'static Site,
    source: &Source,
    store: &Arc<S>,
) -> Result<(FlatTree, LiveNodes<S>), Vec<Diagnostic>> {
    let mut known = Known::new();
    let (mut named, mut values, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    let all: Vec<_> = (0..S::Parts::COUNT).map(|part| store.parts().about(part)).collect();
    for used in &source.uses {
        match all.iter().find(|part| part.written.is(used)) {
            Some(About { own: Some(own), .. }) => {
                known.add(&used.name, *own);
                named.push(used);
            }
            Some(About { own: None, .. }) => {
                known.add_value(&used.name);
                known.shown.insert(used.name.clone(), used.text.clone());
                values.push(used);
            }
            None => missing.push(Diagnostic::at(used.place, waits(used))),
        }
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    let mut uses = Uses { site, nodes: LiveNodes::new(store), named, values };
    // Loading has no place for the errors of values.
    let faults = uses.values.iter().filter_map(|used| Some((used, uses.placed(used, &used.literals).err()?)));
    let faults =
        faults.flat_map(|(used, reasons)| reasons.into_iter().map(|reason| Diagnostic::at(used.place, reason)));
    let faults: Vec<_> = faults.collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    match known.load(&source.project, None, &mut uses) {
        Ok(mut flat) => {
            let attached = source.uses.iter().map(|used| (used.name.clone(), (used.text.clone(), used.place)));
            flat.follows = Some(Follows { file: site.file, attached: attached.collect() });
            Ok((flat, uses.nodes))
        }
        Err(LoadError::Invalid(errors)) => Err(errors),
        Err(LoadError::Read(error)) => Err(vec![Diagnostic::of_tree("", error.to_string())]),
    }
}

impl<S: StoreShape> Uses<'_, S> {
    /// Returns the part that a use with these literals is, made again if that is needed.
    fn placed(&self, used: &Use, literals: &[Literal]) -> Result<(PlacedOf<S>, Option<OwnNode>), Vec<String>> {
        let parts = self.nodes.store.parts();
        let all = (0..S::Parts::COUNT).map(|part| (part, parts.about(part)));
        let same: Vec<_> = all.filter(|(_, about)| about.written.is(used)).collect();
        let compiled = |about: &About| -> Vec<Literal> {
            about.written.literals.iter().filter_map(|literal| Literal::from_str(literal).ok()).collect()
        };
        let placed = |part, made, literals| Placed { part, made, literals, step: LeafStep::default() };
        if let Some((part, about)) = same.iter().find(|(_, about)| compiled(about) == literals) {
            return Ok((placed(*part, None, None), about.own));
        }
        let Some((part, about)) = same.iter().find(|(_, about)| about.has_maker).or(same.first()) else {
            return Err(vec![waits(used)]);
        };
        let before = compiled(about);
        if before.len() != literals.len() {
            return Err(vec![waits(used)]);
        }
        let faults: Vec<_> = literals.iter().zip(&before).filter_map(|(new, old)| new.fits(old).err()).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let needs_maker = literals
            .iter()
            .zip(&before)
            .zip(about.written.in_closure)
            .any(|((new, old), inside)| new != old && !inside);
        let literals = Literals { site: self.site.id(), part: *part, all: literals.into() };
        let made = match (needs_maker, about.has_maker) {
            (false, _) => None,
            (true, true) => with(&literals, || parts.make(*part))?,
            (true, false) => {
                let reason = format!(
                    "`{}` has a value of the function around the tree: its literals wait for the compiler",
                    used.key
                );
                return Err(vec![reason]);
            }
        };
        Ok((placed(*part, made, Some(literals)), about.own))
    }
}

impl<S: StoreShape> Stock for Uses<'_, S> {
    fn make(&mut self, maker: usize, properties: &mut Properties<'_>) -> Option<u32> {
        let used = self.named[maker];
        let given: Given = properties.whole()?;
        let literals = match given.literals {
            Some(texts) => texts.iter().filter_map(|text| text.parse().ok()).collect(),
            None => used.literals.clone(),
        };
        match self.placed(used, &literals) {
            Ok((placed, own)) => Some(match own {
                Some(OwnNode::Decorator(..)) => add(&mut self.nodes.policies, placed),
                Some(OwnNode::Composite(_)) => add(&mut self.nodes.rules, placed),
                Some(OwnNode::Leaf(_) | OwnNode::Unknown(_)) | None => add(&mut self.nodes.leaves, placed),
            }),
            Err(reasons) => {
                for reason in reasons {
                    properties.report(reason);
                }
                None
            }
        }
    }

    fn function(&mut self, function: usize) -> u32 {
        let used = self.values[function];
        // It was placed before, so there are no errors.
        self.placed(used, &used.literals).map_or(0, |(placed, _)| add(&mut self.nodes.functions, placed))
    }

    fn place(&mut self, leaf: usize, step: LeafStep) {
        self.nodes.leaves[leaf].step = step;
    }

    fn leaves(&self) -> usize {
        self.nodes.leaves.len()
    }

    fn has(&self) -> Has {
        has::<S>()
    }

    fn shapes(&self) -> &dyn Shapes {
        &self.nodes
    }
}
