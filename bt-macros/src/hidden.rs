//! Variables of expansions.

use proc_macro2::{Ident, Span};

/// Returns the name of a variable in an expansion. Hygiene hides it from the user's variables, but a pattern of that name would match a user's
/// constant.
pub(crate) fn hidden(name: &str) -> Ident {
    Ident::new(&format!("__bt_{name}"), Span::mixed_site())
}
