//! Whether a `tree!` can follow its source: the crate depends on `bt-live`, the tree is valid, and its text has the same parts as its tokens.

use bt_syntax::live::{Bound, Literal, PartKind, Place, bind, body, laid_out, text};
use bt_syntax::plan::Tree;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{expand, fixed};
use crate::externs;

/// The place of a tree whose location the compiler does not provide.
const UNKNOWN: Place = Place { line: 1, column: 1 };

/// Expands a `tree!` that follows its source, if the crate depends on `bt-live`.
pub(crate) fn followed(input: TokenStream) -> TokenStream {
    match path() {
        Some(path) => tree(input, &path),
        None => fixed::tree(input),
    }
}

/// Returns the path of what expansions call in `bt-live`; `None` if the crate does not depend on it, and in an editor.
fn path() -> Option<TokenStream> {
    // Unit tests are not part of a crate that uses the macros.
    let externs = if proc_macro::is_available() { externs::all() } else { &[] };
    let found = externs.iter().find(|found| found.own == "bt_live")?;
    let name = Ident::new(&found.name, Span::call_site());
    Some(quote!(::#name::__private))
}

/// Expands a tree: one that follows its source, if it is valid and can. `path` is the path of the functions that the expansion calls.
pub(super) fn tree(input: TokenStream, path: &TokenStream) -> TokenStream {
    let Some(mut tree) = plan(input.clone()) else { return fixed::tree(input) };
    let parts = bind(&mut tree);
    let (laid, start) = laid_out(body(input.clone())).unwrap_or_else(|| (text(input.clone()), UNKNOWN));
    // Fragments of a `macro_rules!` have no text of their own.
    let read = laid.parse().ok().and_then(plan).map(|mut tree| bind(&mut tree));
    if read.is_some_and(|read| known(&parts) == known(&read)) {
        expand::live(&tree, &parts, (&laid, start), path)
    } else {
        expand::generated(&fixed::tree(input), path)
    }
}

fn plan(input: TokenStream) -> Option<Tree> {
    let (plan, errors) = fixed::planned(input);
    errors.is_empty().then_some(plan)
}

/// Returns what identifies parts.
fn known(parts: &[Bound]) -> Vec<(PartKind, bool, &str, &[Literal])> {
    parts.iter().map(|part| (part.kind, part.is_island, &*part.template.key, &*part.template.literals)).collect()
}
