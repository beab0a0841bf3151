//! `#[allow(…)]` before a node.

use proc_macro2::Ident;

use super::super::plan::Flags;
use crate::errors::{Errors, nearest};

/// The flags of the names in an `#[allow(…)]`.
pub(super) fn flags(names: &[Ident], errors: &mut Errors) -> Flags {
    names.iter().fold(Flags::default(), |flags, name| {
        let word = name.to_string();
        if let Some(bit) = Flags::NAMES.iter().position(|known| *known == word) {
            return flags.or(Flags(1 << bit));
        }
        let help = nearest(&word, Flags::NAMES).map_or_else(
            || {
                format!(
                    "it knows {}; what rustc's lints are told stands on the function around the tree",
                    Flags::NAMES.join(", ")
                )
            },
            |meant| format!("did you mean `{meant}`?"),
        );
        errors.at(name.span(), format!("`#[allow(…)]` before a node does not know `{word}`: {help}"));
        flags
    })
}
