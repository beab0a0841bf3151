//! `#[derive(Blackboard)]`: keys for the fields of a struct.

use proc_macro2::TokenStream;

use crate::errors::Errors;

mod check;
mod expand;

/// Expands the derive. For an invalid struct, expands only to the errors.
pub(crate) fn blackboard(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    match check::board(item, &mut errors) {
        Some(board) if errors.is_empty() => expand::board(&board),
        _ => errors.to_tokens(),
    }
}
