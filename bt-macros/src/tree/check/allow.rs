//! `#[allow(…)]` and `#[expect(…)]` before a node.

use super::super::ast::Allowed;
use crate::errors::Errors;
use bt_words::{Flags, Lint, nearest};

/// The flags of the names in attributes.
pub(super) fn flags(names: &[Allowed], errors: &mut Errors) -> Flags {
    names.iter().fold(Flags::NONE, |flags, Allowed { name, expected }| {
        let word = name.to_string();
        if let Some(lint) = Lint::ALL.into_iter().find(|lint| lint.name() == word) {
            return flags.or(if *expected { Flags::expects(lint) } else { Flags::allows(lint) });
        }
        let known = Lint::ALL.map(Lint::name);
        let help = nearest(&word, known).map_or_else(
            || {
                format!(
                    "it knows {}; what rustc's lints are told stands on the function around the tree",
                    known.join(", ")
                )
            },
            |meant| format!("did you mean `{meant}`?"),
        );
        let attribute = if *expected { "expect" } else { "allow" };
        errors.at(name.span(), format!("`#[{attribute}(…)]` before a node does not know `{word}`: {help}"));
        flags
    })
}
