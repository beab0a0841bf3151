//! `#[allow(…)]` and `#[expect(…)]` before a node.

use super::super::ast::Allowed;
use super::super::plan::Flags;
use crate::errors::{Errors, nearest};

/// The flags of the names in attributes.
pub(super) fn flags(names: &[Allowed], errors: &mut Errors) -> Flags {
    names.iter().fold(Flags::default(), |flags, Allowed { name, expected }| {
        let word = name.to_string();
        if let Some(bit) = Flags::NAMES.iter().position(|known| *known == word) {
            return flags.or(Flags::named(bit, *expected));
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
        let attribute = if *expected { "expect" } else { "allow" };
        errors.at(name.span(), format!("`#[{attribute}(…)]` before a node does not know `{word}`: {help}"));
        flags
    })
}
