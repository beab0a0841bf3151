//! `#[derive(Blackboard)]`: keys for the fields of a struct.

use proc_macro2::TokenStream;

use bt_syntax::errors::Errors;

mod check;
mod expand;

/// Expands the derive. For an invalid struct, expands only to the errors. Returns the path of `bt-core`, too.
pub(crate) fn blackboard(item: TokenStream) -> (TokenStream, TokenStream) {
    let mut errors = Errors::default();
    match check::board(item, &mut errors) {
        Some(board) if errors.is_empty() => (board.krate.clone(), expand::board(&board)),
        _ => (TokenStream::new(), errors.to_tokens()),
    }
}
