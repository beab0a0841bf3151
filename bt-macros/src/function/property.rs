//! `#[param(default = 5.0, unit = "m")]`: what a parameter is where it is left out, and what it is measured in.

use bt_words::did_you_mean;
use syn::{Attribute, Expr, LitStr};

use crate::errors::Errors;

/// What an attribute says of a parameter.
#[derive(Default)]
pub(crate) struct Property {
    pub(crate) default: Option<Expr>,
    pub(crate) unit: Option<LitStr>,
}

/// Reads an attribute.
pub(crate) fn read(attr: &Attribute, errors: &mut Errors) -> Property {
    const KNOWN: [&str; 2] = ["default", "unit"];
    let mut property = Property::default();
    let parsed = attr.parse_nested_meta(|meta| {
        if meta.path.is_ident("default") {
            property.default = Some(meta.value()?.parse()?);
            return Ok(());
        }
        if meta.path.is_ident("unit") {
            property.unit = Some(meta.value()?.parse()?);
            return Ok(());
        }
        let word = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let meant = did_you_mean(&word, KNOWN);
        Err(meta.error(format!("`#[param]` knows `default = …` and `unit = \"…\"`{meant}")))
    });
    if let Err(error) = parsed {
        errors.add(error);
    }
    property
}
