//! The parts of the program as what a source can name. Only what places a part knows the types of a tree.

use std::collections::HashMap;
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
    /// The parts of the program with their literals.
    parts: Vec<(About, Vec<Literal>)>,
    /// The numbers of the parts with a key.
    of_key: HashMap<&'static str, Vec<u32>>,
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
    let parts: Vec<_> = (0..placing.parts()).map(|part| placing.about(part).with_literals()).collect();
    let mut of_key: HashMap<_, Vec<u32>> = HashMap::new();
    for (number, (part, _)) in (0..).zip(&parts) {
        of_key.entry(part.written.key).or_default().push(number);
    }
    let mut uses = Uses { site, placing, parts, of_key, named: Vec::new(), values: Vec::new() };
    let (mut known, mut errors) = (Known::new(), Vec::new());
    for used in &source.uses {
        let mut report = |reasons: Vec<String>| {
            errors.extend(reasons.into_iter().map(|reason| Diagnostic::at(used.place, reason)));
        };
        let own = uses.of(used).next().map(|(_, (part, _))| part.own);
        match own {
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
    let mut flat = known.load(&source.project, None, &mut uses).map_err(LoadError::into_diagnostics)?;
    let attached = source.uses.iter().map(|used| (used.name.clone(), (used.text.clone(), used.place)));
    flat.follows = Some(Follows { file: site.file, attached: attached.collect() });
    Ok(flat)
}

impl About {
    fn with_literals(self) -> (Self, Vec<Literal>) {
        let literals = self.written.literals.iter().filter_map(|literal| Literal::from_str(literal).ok()).collect();
        (self, literals)
    }
}

impl Uses<'_> {
    /// Returns the parts that a use can be, with their numbers.
    fn of(&self, used: &Use) -> impl Iterator<Item = (u32, &(About, Vec<Literal>))> {
        let numbers = self.of_key.get(&*used.key).into_iter().flatten();
        let parts = numbers.map(|number| (*number, &self.parts[*number as usize]));
        parts.filter(|(_, (part, _))| part.written.is(used))
    }

    /// Places the part that a use with these literals is. Returns its number in the tree, or the errors in the literals.
    fn add(&mut self, used: &Use, literals: &[Literal]) -> Result<u32, Vec<String>> {
        let as_compiled = self.of(used).find(|(_, (_, compiled))| compiled == literals).map(|(part, _)| part);
        if let Some(part) = as_compiled {
            return self.placing.add(part, None, false);
        }
        let can_be_made = self.of(used).find(|(_, (part, _))| part.has_maker);
        let Some((number, (part, before))) = can_be_made.or_else(|| self.of(used).next()) else {
            return Err(vec![waits(used)]);
        };
        let faults: Vec<_> = literals.iter().zip(before).filter_map(|(new, old)| new.fits(old).err()).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut changed = literals.iter().zip(before).zip(part.written.in_closure);
        let makes = changed.any(|((new, old), inside)| new != old && !inside);
        if makes && !part.has_maker {
            let key = &used.key;
            return Err(vec![format!(
                "`{key}` captures a value of the surrounding function: its literals wait for the compiler"
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
