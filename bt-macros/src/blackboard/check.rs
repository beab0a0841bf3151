//! Checks a struct and collects its variables.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, Generics, Path, Type, Visibility};

use bt_syntax::errors::{Errors, did_you_mean};
use bt_syntax::generics::argument_of;

/// A struct whose fields are variables.
pub(crate) struct Board {
    /// The path of `bt-core`.
    pub(crate) krate: TokenStream,
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    pub(crate) variables: Vec<Variable>,
}

/// A field that is a variable.
pub(crate) struct Variable {
    pub(crate) name: Ident,
    pub(crate) vis: Visibility,
    pub(crate) docs: Vec<Attribute>,
    pub(crate) ty: Type,
    /// The type inside `Option`, if the field is optional.
    pub(crate) optional: Option<Type>,
    pub(crate) default: Option<Expr>,
}

/// Checks a struct.
pub(crate) fn board(item: TokenStream, errors: &mut Errors) -> Option<Board> {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => {
            errors.add(error);
            return None;
        }
    };
    let Data::Struct(data) = input.data else {
        errors.on(
            &input.ident,
            "`#[derive(Blackboard)]` is only allowed on a struct\nnote: the fields are the variables",
        );
        return None;
    };
    let Fields::Named(fields) = data.fields else {
        errors.on(&input.ident, "`#[derive(Blackboard)]` is only allowed on a struct with named fields\nnote: the field names are the variable names");
        return None;
    };
    let krate = krate(&input.attrs, errors);
    let variables = fields.named.into_iter().filter_map(|field| variable(field, errors)).collect();
    Some(Board { krate, name: input.ident, generics: input.generics, variables })
}

/// Returns the path of `bt-core`: that in `#[board(crate = path)]` before the struct, or the name of the dependency.
fn krate(attributes: &[Attribute], errors: &mut Errors) -> TokenStream {
    let mut path = None;
    for attr in attributes.iter().filter(|attr| attr.path().is_ident("board")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("crate") {
                path = Some(meta.value()?.call(Path::parse_mod_style)?.into_token_stream());
                return Ok(());
            }
            let word = meta.path.to_token_stream().to_string();
            let message = format!("unknown key `{word}` in `#[board(…)]` before a struct\nnote: expected `crate = …`");
            Err(meta.error(message))
        });
        if let Err(error) = parsed {
            errors.add(error);
        }
    }
    path.unwrap_or_else(|| {
        crate::krate::dependency().unwrap_or_else(|help| {
            errors.at(proc_macro2::Span::call_site(), help);
            TokenStream::new()
        })
    })
}

/// Returns the variable of a field; `None` if the field is skipped.
fn variable(field: Field, errors: &mut Errors) -> Option<Variable> {
    let (mut default, mut skip) = (None, false);
    for attr in field.attrs.iter().filter(|attr| attr.path().is_ident("board")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("default") {
                default = Some(meta.value()?.parse()?);
                return Ok(());
            }
            if meta.path.is_ident("skip") {
                skip = true;
                return Ok(());
            }
            let word = meta.path.to_token_stream().to_string();
            let help = did_you_mean(&word, ["default", "skip"])
                .unwrap_or_else(|| "\nnote: expected `default = …` or `skip`".to_owned());
            Err(meta.error(format!("unknown key `{word}` in `#[board(…)]`{help}")))
        });
        if let Err(error) = parsed {
            errors.add(error);
        }
    }
    if skip {
        return None;
    }
    let docs = field.attrs.into_iter().filter(|attr| attr.path().is_ident("doc")).collect();
    let optional = argument_of(&field.ty, &["Option"]).cloned();
    Some(Variable { name: field.ident?, vis: field.vis, docs, ty: field.ty, optional, default })
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn messages(item: TokenStream) -> Vec<String> {
        let mut errors = Errors::default();
        board(item, &mut errors);
        errors.messages()
    }

    #[test]
    fn fields_are_variables() {
        let item = quote!(
            struct Mind {
                #[board(default = 5.0)]
                pub hunger: f32,
                target: std::option::Option<u32>,
                #[board(skip)]
                other: u8,
            }
        );
        let board = board(item, &mut Errors::default()).expect("the struct is valid");
        let names: Vec<_> = board.variables.iter().map(|variable| variable.name.to_string()).collect();
        assert_eq!(names, ["hunger", "target"]);
        assert!(board.variables[0].default.is_some() && board.variables[0].optional.is_none());
        assert_eq!(board.variables[1].optional.to_token_stream().to_string(), "u32");
    }

    #[test]
    fn errors_are_reported() {
        assert_eq!(
            messages(quote!(
                struct Mind {
                    #[board(defualt = 5)]
                    a: u8,
                    #[board(skipp)]
                    b: u8,
                }
            )),
            [
                "unknown key `defualt` in `#[board(…)]`\nhelp: did you mean `default`?",
                "unknown key `skipp` in `#[board(…)]`\nhelp: did you mean `skip`?",
            ]
        );
        assert_eq!(
            messages(quote!(
                enum Mind {}
            )),
            ["`#[derive(Blackboard)]` is only allowed on a struct\nnote: the fields are the variables"]
        );
        assert_eq!(
            messages(quote!(
                struct Mind(u8);
            )),
            [
                "`#[derive(Blackboard)]` is only allowed on a struct with named fields\nnote: the field names are the variable names"
            ]
        );
    }
}
