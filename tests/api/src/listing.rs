//! The listing of one package.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use public_api::{Builder, PublicItem};

/// Lists the public items in the JSON of rustdoc, one on a line, in a fixed order.
///
/// An implementation of a trait is one line: its members are those of the trait. What is derived, or implemented for everything, is left out.
/// An item at a second path is one line, too.
pub(crate) fn of(json: &Path) -> Result<String, Box<dyn Error>> {
    let api = Builder::from_rustdoc_json(json)
        .sorted(true)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| format!("{}: {error}", json.display()))?;
    let items: Vec<_> = api.items().collect();
    let implementations: HashSet<_> = items.iter().filter(|item| is_of_trait(item)).map(|item| item.id()).collect();
    let modules: HashSet<_> =
        items.iter().filter(|item| item.to_string().starts_with("pub mod ")).map(|item| item.id()).collect();

    let mut listing = String::new();
    let mut seen = HashSet::new();
    for item in items {
        let parent = item.parent_id();
        let is_of_trait = parent.is_some_and(|parent| implementations.contains(&parent));
        let is_member = parent.is_some_and(|parent| !modules.contains(&parent)) || item.to_string().starts_with("impl");
        let is_second = !seen.insert(item.id()) && is_member;
        if !is_of_trait && !is_second {
            writeln!(listing, "{item}")?;
        }
    }
    Ok(listing)
}

/// Whether an item is an implementation of a trait: `impl<…> Trait for Type`.
fn is_of_trait(item: &PublicItem) -> bool {
    let text = item.to_string();
    text.starts_with("impl") && text.contains(" for ")
}
