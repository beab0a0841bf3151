//! A tree of a source file as the data of a loaded tree.

use bt_behavior3::{Diagnostic, Place};

use super::find::Found;
use super::source::{Source, Warning};
use super::write::{first, write};
use crate::errors::Errors;
use crate::{check, file, parse};

/// Reads a tree. Unreachable nodes and similar mistakes are not errors.
///
/// # Errors
///
/// Returns the other errors that the macro reports, each with its place in the file.
pub fn read(found: &Found) -> Result<Source, Vec<Diagnostic>> {
    // The parser counts lines and columns from the beginning of the text.
    let (lines, columns) = first(found.start);
    let text = format!("{}{}{}", "\n".repeat(lines), " ".repeat(columns), found.source);
    file::on_a_thread(|| {
        let tokens = file::tokens(&text)?.into();
        let mut errors = Errors::with_mistakes();
        let tree = parse::tree(&tokens, &mut errors);
        let plan = check::tree(tree, &mut errors);
        let mistakes = errors.take_mistakes();
        if !errors.is_empty() {
            return Err(at_tree(errors.into_diagnostics(), found.start));
        }
        Ok(Source { mistakes: mistakes.into_iter().map(Warning::of).collect(), ..write(&plan) })
    })
}

/// Moves errors without a location, such as the error of an empty tree, to the beginning of the tree.
fn at_tree(mut errors: Vec<Diagnostic>, start: Place) -> Vec<Diagnostic> {
    for error in &mut errors {
        error.place = error.place.map(|place| place.max(start));
    }
    errors
}
