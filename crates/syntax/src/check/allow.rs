//! Checks `#[allow(…)]` and `#[expect(…)]` before a node.

use crate::ast::{Allowed, Attribute};
use crate::errors::{Errors, did_you_mean};
use crate::tokens::Ident;
use bt_words::{Flags, Lint};

const DISABLED: &str = "`#[disabled]` is for trees in files\nhelp: put the node in a comment: `/* node, */`";

/// Returns the flags of the names in attributes.
pub(super) fn flags(names: &[Allowed<'_>], errors: &mut Errors) -> Flags {
    names.iter().fold(Flags::NONE, |flags, Allowed { name, attribute }| {
        let word = name.to_string();
        let lint = Lint::named(&word);
        let attribute = match (attribute, lint) {
            (Attribute::Allow, Some(lint)) => return flags.or(Flags::allows(lint)),
            (Attribute::Expect, Some(lint)) => return flags.or(Flags::expects(lint)),
            (Attribute::Disabled, _) => {
                errors.at(name.span(), DISABLED);
                return flags;
            }
            (Attribute::Allow, None) => "allow",
            (Attribute::Expect, None) => "expect",
        };
        unknown(*name, attribute, errors);
        flags
    })
}

/// Reports a name that is not that of a lint.
pub(crate) fn unknown(name: Ident<'_>, attribute: &str, errors: &mut Errors) {
    let (word, known) = (name.to_string(), Lint::ALL.map(Lint::name));
    let help = did_you_mean(&word, known).unwrap_or_else(|| {
        let of_rustc = "\nhelp: for a lint of rustc, put the attribute on the surrounding function";
        format!("\nnote: the lints of a node are `{}`{}", known.join("`, `"), errors.either(of_rustc, ""))
    });
    errors.at(name.span(), format!("unknown lint `{word}` in `#[{attribute}(…)]`{help}"));
}
