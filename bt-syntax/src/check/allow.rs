//! Checks `#[allow(…)]` and `#[expect(…)]` before a node.

use crate::ast::Allowed;
use crate::errors::{Errors, did_you_mean};
use bt_words::{Flags, Lint};

/// Returns the flags of the names in attributes.
pub(super) fn flags(names: &[Allowed], errors: &mut Errors) -> Flags {
    names.iter().fold(Flags::NONE, |flags, Allowed { name, expected }| {
        let word = name.to_string();
        if let Some(lint) = Lint::ALL.into_iter().find(|lint| lint.name() == word) {
            return flags.or(if *expected { Flags::expects(lint) } else { Flags::allows(lint) });
        }
        let known = Lint::ALL.map(Lint::name);
        let help = did_you_mean(&word, known).unwrap_or_else(|| {
            format!(
                "\nnote: the lints of a node are `{}`\nhelp: for a lint of rustc, put the attribute on the surrounding function",
                known.join("`, `")
            )
        });
        let attribute = if *expected { "expect" } else { "allow" };
        errors.at(name.span(), format!("unknown lint `{word}` in `#[{attribute}(…)]`{help}"));
        flags
    })
}
