//! The parts of the program as what a source can name. Only what places a part knows the types of a tree.

use std::str::FromStr;

use bt_behavior3::Diagnostic;
use bt_core::file::Properties;
use bt_syntax::live::{Literal, Source, Use};
use serde::Deserialize;

use super::list::About;
use super::literal::Literals;
use super::site::{Site, waits};
use crate::error::LoadError;
use crate::flat::code::LeafStep;
use crate::flat::{FlatTree, Follows};
use crate::load::known::Known;
use crate::load::stock::{Has, Stock};
use crate::nodes::shape::Shapes;

/// The nodes of the user in a tree that is built.
pub(super) trait Placing {
    /// Returns the number of parts of the program.
    fn parts(&self) -> u32;
    fn about(&self, part: u32) -> About;
    /// Places a part with these literals, if any was edited, made again if `makes`. Returns its number in the tree, or the literals without a value.
    fn add(&mut self, part: u32, literals: Option<Literals>, makes: bool) -> Result<u32, Vec<String>>;
    fn place(&mut self, leaf: usize, step: LeafStep);
    fn leaves(&self) -> usize;
    fn has(&self) -> Has;
    fn shapes(&self) -> &dyn Shapes;
}

/// The parts that a source uses, by the numbers of their uses.
struct Uses<'s> {
    site: &'static Site,
    placing: &'s mut dyn Placing,
    parts: Vec<About>,
    /// The uses that are nodes or attached to nodes.
    named: Vec<&'s Use>,
    /// The numbers of the values.
    values: Vec<u32>,
}

/// The properties of a part.
#[derive(Deserialize)]
struct Given {
    literals: Option<Vec<String>>,
}

/// Builds a tree from parts.
pub(super) fn build(
    site: &'static Site,
    source: &Source,
    placing: &mut dyn Placing,
) -> Result<FlatTree, Vec<Diagnostic>> {
    let parts = (0..placing.parts()).map(|part| placing.about(part)).collect();
    let mut uses = Uses { site, placing, parts, named: Vec::new(), values: Vec::new() };
    let (mut known, mut errors) = (Known::new(), Vec::new());
    for used in &source.uses {
        let mut report = |reasons: Vec<String>| {
            errors.extend(reasons.into_iter().map(|reason| Diagnostic::at(used.place, reason)));
        };
        match uses.parts.iter().find(|part| part.written.is(used)).map(|part| part.own) {
            Some(Some(own)) => {
                known.add(&used.name, own);
                uses.named.push(used);
            }
            Some(None) => {
                known.add_value(&used.name);
                known.shown.insert(used.name.clone(), used.text.clone());
                match uses.add(used, &used.literals) {
                    Ok(value) => uses.values.push(value),
                    Err(reasons) => report(reasons),
                }
            }
            None => report(vec![waits(used)]),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut flat = known.load(&source.project, None, &mut uses).map_err(|error| match error {
        LoadError::Invalid(errors) => errors,
        LoadError::Read(error) => vec![Diagnostic::of_tree("", error.to_string())],
    })?;
    let attached = source.uses.iter().map(|used| (used.name.clone(), (used.text.clone(), used.place)));
    flat.follows = Some(Follows { file: site.file, attached: attached.collect() });
    Ok(flat)
}

impl About {
    fn literals(&self) -> Vec<Literal> {
        self.written.literals.iter().filter_map(|literal| Literal::from_str(literal).ok()).collect()
    }
}

impl Uses<'_> {
    /// Places the part that a use with these literals is. Returns its number in the tree, or what is wrong with the literals.
    fn add(&mut self, used: &Use, literals: &[Literal]) -> Result<u32, Vec<String>> {
        let all = || (0..).zip(&self.parts).filter(|(_, part)| part.written.is(used));
        if let Some((part, _)) = all().find(|(_, part)| part.literals() == literals) {
            return self.placing.add(part, None, false);
        }
        let Some((number, part)) = all().find(|(_, part)| part.has_maker).or_else(|| all().next()) else {
            return Err(vec![waits(used)]);
        };
        let before = part.literals();
        let faults: Vec<_> = literals.iter().zip(&before).filter_map(|(new, old)| new.fits(old).err()).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut changed = literals.iter().zip(&before).zip(part.written.in_closure);
        let makes = changed.any(|((new, old), inside)| new != old && !inside);
        if makes && !part.has_maker {
            let key = &used.key;
            return Err(vec![format!(
                "`{key}` has a value of the function around the tree: its literals wait for the compiler"
            )]);
        }
        let literals = Literals { site: self.site.id(), part: number, all: literals.into() };
        self.placing.add(number, Some(literals), makes)
    }
}

impl Stock for Uses<'_> {
    fn make(&mut self, maker: usize, properties: &mut Properties<'_>) -> Option<u32> {
        let used = self.named[maker];
        let given: Given = properties.whole()?;
        let literals = match given.literals {
            Some(texts) => texts.iter().filter_map(|text| text.parse().ok()).collect(),
            None => used.literals.clone(),
        };
        self.add(used, &literals)
            .map_err(|reasons| reasons.into_iter().for_each(|reason| properties.report(reason)))
            .ok()
    }

    fn function(&mut self, function: usize) -> u32 {
        self.values[function]
    }

    fn place(&mut self, leaf: usize, step: LeafStep) {
        self.placing.place(leaf, step);
    }

    fn leaves(&self) -> usize {
        self.placing.leaves()
    }

    fn has(&self) -> Has {
        self.placing.has()
    }

    fn shapes(&self) -> &dyn Shapes {
        self.placing.shapes()
    }
}
