//! `#[param(default = 5.0, unit = "m")]`: the default and the unit of a parameter.

use quote::ToTokens;
use syn::{Attribute, Expr, LitStr};

use bt_syntax::errors::{Errors, did_you_mean};

/// The content of an attribute.
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
        let word = meta.path.to_token_stream().to_string();
        let help =
            did_you_mean(&word, KNOWN).unwrap_or_else(|| "\nnote: expected `default = …` or `unit = \"…\"`".to_owned());
        Err(meta.error(format!("unknown key `{word}` in `#[param(…)]`{help}")))
    });
    if let Err(error) = parsed {
        errors.add(error);
    }
    property
}
