//! Documents as sources and texts.

use super::document::Document;
use super::edits::Edits;
use super::lines::Writer;
use super::node::{Style, Tree};
use super::print;
use crate::format::{self, Plain};

/// Returns a source with its trees and functions, written from the last to the first, so that places stay. Lines that have not changed stay as they
/// are, and so does everything outside of trees.
pub(super) fn source(document: &Document) -> Result<String, String> {
    let plain = Plain::of(&document.source);
    let (mut text, mut writer) = (plain.text.clone().into_owned(), Writer::new(document, &plain.text));
    let mut edits = Edits::default();
    for tree in document.trees.iter().rev().filter(|tree| !tree.is_as_read()) {
        if let Some(of_tree) = writer.edits(tree) {
            edits.extend(of_tree);
            continue;
        }
        text = std::mem::take(&mut edits).apply(&text, 0..text.len());
        let printed = print::tree(tree, Style::Source);
        // The formatter keeps the tabs that it finds.
        let has_tabs = tree.around.place.clone().is_some_and(|place| plain.text[place].contains("\n\t"));
        let tab = if has_tabs { "\t" } else { "" };
        let content = if printed.is_empty() { printed } else { format!("\n{tab}{printed}") };
        let start = match (&tree.around.place, &tree.around.function) {
            (Some(place), _) => {
                text.replace_range(place.clone(), &content);
                place.start
            }
            (None, Some(function)) => {
                let (opening, closing) = (function.opening(), function.closing());
                text.insert_str(function.end, &format!("{opening}{content}{closing}"));
                function.end + opening.len()
            }
            (None, None) => continue,
        };
        text = format::format_at(&text, document.width, start).map_err(|error| error.message)?.text;
    }
    Ok(plain.restore(edits.apply(&text, 0..text.len())))
}

/// Returns a text with its trees, in the same way.
pub(super) fn blocks(document: &Document) -> Result<String, String> {
    let plain = Plain::of(&document.source);
    let (mut edits, mut writer) = (Edits::default(), Writer::new(document, &plain.text));
    // A tree without lines of its own is indented as the others.
    let has_tabs = |tree: &str| {
        let is_indented = |text: &&str| text.contains("\n ") || text.contains("\n\t");
        [tree, &plain.text].into_iter().find(is_indented).is_some_and(|text| text.contains("\n\t"))
    };
    for place in &document.removed {
        let behind = &plain.text[place.end..];
        let space = behind.len() - behind.trim_start().len();
        edits.replace(place.start..place.end + space, String::new());
    }
    for tree in document.trees.iter().filter(|tree| !tree.is_as_read()) {
        let Some(place) = tree.around.place.clone() else { continue };
        if let Some(of_tree) = writer.edits(tree) {
            edits.extend(of_tree);
            continue;
        }
        let block = formatted(tree, document.width, has_tabs(&plain.text[place.clone()]))?;
        let is_whole = place.end == plain.text.len();
        edits.replace(place, if is_whole { block } else { block.trim_end().to_owned() });
    }
    let mut text = edits.apply(&plain.text, 0..plain.text.len());
    for tree in document.trees.iter().filter(|tree| tree.around.place.is_none()) {
        let block = formatted(tree, document.width, has_tabs(""))?;
        text = format!("{}\n{}{block}", text.trim_end(), if text.trim().is_empty() { "" } else { "\n" });
    }
    text.replace_range(..text.len() - text.trim_start_matches('\n').len(), "");
    Ok(plain.restore(text))
}

/// Returns a tree of a text, formatted.
fn formatted(tree: &Tree, width: usize, has_tabs: bool) -> Result<String, String> {
    let printed = print::tree(tree, Style::Text);
    // The formatter keeps the tabs that it finds.
    let tab = if has_tabs { "\t" } else { "" };
    let text = match &tree.around.angles {
        _ if tree.name.is_empty() => format!("{tab}{printed}"),
        Some(angles) if angles.are_body => {
            format!("{} {}", print::header(tree), printed.replacen("<\n", &format!("<\n{tab}"), 1))
        }
        _ => format!("{} {{\n{tab}{printed}}}\n", print::header(tree)),
    };
    Ok(format::format_edited(&text, width).map_err(|error| error.message)?.text)
}
