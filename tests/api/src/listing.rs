//! The listing of one package.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use public_api::{Builder, PublicItem};

/// Lists the public items in the JSON of rustdoc, one on a line, in a fixed order.
///
/// An implementation of a trait is one line: its members are those of the trait. What is implemented for everything is left out, and so is an
/// implementation of a trait that can be derived (`Debug`, `Clone`, `Eq`, …), also if it is written by hand. So is an implementation for a type,
/// or of a trait, that is hidden from the documentation. An item at a second path is one line, too.
pub(crate) fn of(json: &Path) -> Result<String, Box<dyn Error>> {
    let api = Builder::from_rustdoc_json(json)
        .sorted(true)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| format!("{}: {error}", json.display()))?;
    let items: Vec<_> = api.items().collect();
    let implementations: HashSet<_> =
        items.iter().filter(|item| is_implementation(item)).map(|item| item.id()).collect();
    let modules: HashSet<_> =
        items.iter().filter(|item| item.to_string().starts_with("pub mod ")).map(|item| item.id()).collect();

    // Types and traits of this package by their paths. What is hidden has none.
    let own = format!("{}::", json.file_stem().unwrap_or_default().to_string_lossy());
    let is_member = |item: &PublicItem| item.parent_id().is_some_and(|parent| implementations.contains(&parent));
    let shown: HashSet<_> =
        items.iter().filter(|item| !is_member(item)).filter_map(|item| path(&item.to_string())).collect();
    let is_hidden = |path: &str| path.starts_with(&own) && is_type(path) && !shown.contains(path);

    let mut listing = String::new();
    let mut seen = HashSet::new();
    for item in items {
        let parent = item.parent_id();
        let is_of_trait = is_member(item);
        let is_inner = parent.is_some_and(|parent| !modules.contains(&parent)) || item.to_string().starts_with("impl");
        // A provided member that an implementation has, too, is listed once, at its trait.
        let is_second = !is_of_trait && !seen.insert(item.id()) && is_inner;
        let parts = parts(&item.to_string());
        let is_of_hidden = parts.as_ref().is_some_and(|parts| parts.iter().any(|part| is_hidden(part)));
        let is_derived = parts.is_some_and(|parts| DERIVED.contains(&parts[0].as_str()));
        // The members of an inherent implementation say what it is for.
        let is_header = item.to_string().starts_with("impl ") && !is_implementation(item);
        if !is_of_trait && !is_second && !is_of_hidden && !is_derived && !is_header {
            writeln!(listing, "{item}")?;
        }
    }
    Ok(listing)
}

/// The traits of the standard library that can be derived.
const DERIVED: [&str; 9] = [
    "core::clone::Clone",
    "core::marker::Copy",
    "core::fmt::Debug",
    "core::default::Default",
    "core::cmp::PartialEq",
    "core::cmp::Eq",
    "core::cmp::PartialOrd",
    "core::cmp::Ord",
    "core::hash::Hash",
];

/// Whether an item is an implementation of a trait: `impl<…> Trait for Type`.
fn is_implementation(item: &PublicItem) -> bool {
    let text = item.to_string();
    text.starts_with("impl") && text.contains(" for ")
}

/// The path of a type or trait that a line of the listing declares.
fn path(line: &str) -> Option<String> {
    let rest = ["struct ", "enum ", "union ", "trait ", "type "].iter().find_map(|kind| {
        let rest = line.strip_prefix("#[non_exhaustive] ").unwrap_or(line).strip_prefix("pub ")?;
        rest.strip_prefix("const ").unwrap_or(rest).strip_prefix(kind)
    })?;
    Some(plain(rest))
}

/// The paths in `Trait<…> for Type` of an implementation, the trait first, of the type without its parameters.
fn parts(line: &str) -> Option<Vec<String>> {
    let rest = line.strip_prefix("impl")?;
    let rest = if rest.starts_with('<') { rest.get(closing(rest)? + 1..)? } else { rest };
    let (of, ty) = rest.trim_start().split_once(" for ")?;
    let of = of.split(|sign: char| !(sign.is_alphanumeric() || matches!(sign, '_' | ':')));
    Some(of.chain([ty.trim_start_matches('&')]).map(plain).collect())
}

/// The index of the bracket that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, sign)| {
        depth += match sign {
            '<' => 1,
            // Not that of an arrow.
            '>' if !text[..at].ends_with('-') => -1,
            _ => 0,
        };
        (depth == 0).then_some(at)
    })
}

/// A path without what follows its last segment.
fn plain(text: &str) -> String {
    text.chars()
        .take_while(|sign| sign.is_alphanumeric() || matches!(sign, '_' | ':'))
        .collect::<String>()
        .trim_end_matches(':')
        .to_owned()
}

/// Whether the last segment is the name of a type or trait.
fn is_type(path: &str) -> bool {
    path.rsplit("::").next().is_some_and(|name| name.starts_with(char::is_uppercase))
}
