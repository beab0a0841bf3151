//! Trees of a Rust source, whose leaves need not exist.

use std::sync::Arc;

use bt_dynamic::bt_behavior3::Diagnostic;
use bt_dynamic::{LoadedTree, Registry};
use bt_syntax::live::{PartKind, Source, find, read};
use serde_json::{Map, Value};

use crate::stage::Stage;

/// The property of a leaf with the texts of its literals, of which its name has a hole each.
const LITERALS: &str = "literals";

/// Loads the largest tree of a source: a file, or statements as in an example of documentation. Returns the stage with its leaves.
///
/// # Errors
///
/// Returns an error if there is no tree, or if it has parts that only the compiler can make.
pub(crate) fn load(source: &str) -> Result<(LoadedTree<Stage>, Stage), String> {
    let mut found = find(source).map_err(|error| error.to_string())?;
    // What a `tree!` contains is in the lines of one.
    let lines_before = u32::from(found.is_empty());
    if found.is_empty() {
        found = find(&format!("tree! {{\n{source}\n}}")).map_err(|error| error.to_string())?;
    }
    let size = |source: &Source| source.project.trees.iter().map(|tree| tree.nodes.len()).sum::<usize>();
    let largest = found.iter().map(read).reduce(|one, other| match (&one, &other) {
        (Ok(first), Ok(second)) if size(second) > size(first) => other,
        (Err(_), Ok(_)) => other,
        _ => one,
    });
    let lines = |mut errors: Vec<Diagnostic>| {
        let places = errors.iter_mut().filter_map(|error| error.place.as_mut());
        places.for_each(|place| place.line = place.line.saturating_sub(lines_before).max(1));
        errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let mut source = largest.ok_or("the source contains no tree")?.map_err(lines)?.with_words(|_| false);
    if let Some(part) = source.uses.iter().find(|part| part.kind != PartKind::Leaf) {
        return Err(format!("`{}` has to be compiled", part.name));
    }
    let leaves = fill_in(&mut source);
    // The conditions of transitions are no nodes, and keep their names.
    let names: Vec<_> = leaves.iter().chain(source.uses.iter().map(|part| &part.name)).collect();
    let shown = leaves.iter().map(String::as_str).chain(source.uses.iter().map(|part| short(&part.name)));
    let mut registry = Registry::<Stage>::new().with_clock().with_random();
    for (leaf, name) in names.into_iter().enumerate() {
        registry.add_with(name, move |_: Map<String, Value>| move |stage: &mut Stage| stage.tick(leaf));
    }
    let tree = registry.load_from(&source.project, None).map_err(|error| error.to_string())?;
    Ok((tree, Stage::new(shown.map(str::to_owned))))
}

/// Returns the text of a part.
fn short(part: &str) -> &str {
    part.split_once(':').map_or(part, |(_, text)| text)
}

/// Gives each leaf its text with its literals as its name, and removes it from the parts: `walk_to(2)` in place of `leaf:walk_to(_)`. Returns the names.
fn fill_in(source: &mut Source) -> Vec<String> {
    let mut names = Vec::new();
    let mut filled = Vec::new();
    for (_, node) in source.project.trees.iter_mut().flat_map(|tree| &mut tree.nodes) {
        if !source.uses.iter().any(|part| part.name == node.name) {
            continue;
        }
        let node = Arc::make_mut(node);
        let literals = node.properties.remove(LITERALS).unwrap_or_default();
        let literals: Vec<_> = literals.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let name = with_literals(short(&node.name), &literals);
        filled.push(std::mem::replace(&mut node.name, name.clone()));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    source.uses.retain(|part| !filled.contains(&part.name));
    names
}

/// Replaces the holes of a text, `_`, by its literals.
fn with_literals(text: &str, literals: &[&str]) -> String {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let is_hole = |at: &usize| {
        let (before, after) = (&text[..*at], &text[at + 1..]);
        !is_word(before.chars().next_back()) && !is_word(after.chars().next())
    };
    let holes: Vec<_> = text.match_indices('_').map(|(at, _)| at).filter(is_hole).collect();
    // A closure can have a `_` of its own.
    if holes.len() != literals.len() {
        return text.to_owned();
    }
    let mut filled = text.to_owned();
    for (at, literal) in holes.into_iter().zip(literals).rev() {
        filled.replace_range(at..=at, literal);
    }
    filled
}
