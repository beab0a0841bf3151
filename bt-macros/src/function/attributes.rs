//! The attributes of parameters.

use syn::{Attribute, PatType};

use bt_syntax::errors::Errors;

/// The attributes of parameters that this macro handles.
pub(crate) const ATTRIBUTES: [&str; 6] = ["at", "input", "kept", "open", "output", "param"];

/// The attributes of one parameter that this macro handles.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) at: Option<Attribute>,
    pub(super) input: Option<Attribute>,
    pub(super) kept: Option<Attribute>,
    pub(super) open: Option<Attribute>,
    pub(super) output: Option<Attribute>,
    pub(super) param: Option<Attribute>,
}

impl Attributes {
    /// Removes the attributes from a parameter.
    pub(super) fn take(input: &mut PatType, errors: &mut Errors) -> Self {
        let mut known = Self::default();
        let (ours, theirs) =
            input.attrs.drain(..).partition(|attr| ATTRIBUTES.iter().any(|word| attr.path().is_ident(word)));
        input.attrs = theirs;
        let ours: Vec<Attribute> = ours;
        for attr in ours {
            let slot = match () {
                () if attr.path().is_ident("at") => &mut known.at,
                () if attr.path().is_ident("input") => &mut known.input,
                () if attr.path().is_ident("kept") => &mut known.kept,
                () if attr.path().is_ident("open") => &mut known.open,
                () if attr.path().is_ident("output") => &mut known.output,
                () => &mut known.param,
            };
            if slot.is_some() {
                errors.on(&attr, "duplicate attribute");
            }
            *slot = Some(attr);
        }
        let property = known.input.as_ref().or(known.output.as_ref()).or(known.param.as_ref());
        if let (Some(_), Some(output)) = (&known.input, &known.output) {
            errors.on(
                output,
                "a parameter cannot be `#[input]` and `#[output]`\nhelp: use two parameters with the same key",
            );
        }
        let state = known.open.as_ref().or(known.kept.as_ref());
        if let (Some(_), Some(kept)) = (&known.open, &known.kept) {
            errors.on(kept, "a parameter cannot be `#[open]` and `#[kept]`\nnote: `#[open]` state exists during a run; `#[kept]` state is kept across runs");
        }
        if let (Some(state), Some(attr)) = (state, property) {
            let word = state.path().get_ident().map(ToString::to_string).unwrap_or_default();
            errors.on(attr, format!("this attribute is not allowed on `#[{word}]` state\nnote: state has no properties and is not read from a board"));
        }
        if let (Some(_), Some(attr)) = (&known.at, state.or(property)) {
            errors.on(attr, "this attribute is not allowed with `#[at]`\nnote: `#[at]` passes the id of the node, which is neither a parameter nor state");
        }
        known
    }
}
