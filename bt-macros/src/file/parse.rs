//! Parses the input: `"file" as "tree", for Context: Name(parameter, …) => path, …`.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Path, Token, Type, parenthesized, token};

use bt_syntax::errors::Errors;

/// The input of the macro.
pub(crate) struct Input {
    pub(super) file: LitStr,
    /// The tree of a project, by id or title.
    pub(super) tree: Option<LitStr>,
    pub(super) context: Option<Type>,
    pub(super) names: Vec<Known>,
}

/// A name in the file, and the path of its function.
pub(crate) struct Known {
    pub(super) name: String,
    /// The names of its parameters, for arguments without names in a text.
    pub(super) parameters: Option<Vec<Ident>>,
    pub(super) path: Path,
}

pub(super) fn input(tokens: TokenStream, errors: &mut Errors) -> Option<Input> {
    syn::parse2(tokens).map_err(|error| errors.add(error)).ok()
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let file = input.parse()?;
        let tree = if input.parse::<Option<Token![as]>>()?.is_some() { Some(input.parse()?) } else { None };
        let (mut context, mut names) = (None, Vec::new());
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.parse::<Option<Token![for]>>()?.is_some() {
                context = Some(input.parse()?);
                if input.is_empty() {
                    return Ok(Self { file, tree, context, names });
                }
                input.parse::<Token![:]>()?;
            }
            names = input.parse_terminated(Known::parse, Token![,])?.into_iter().collect();
        }
        Ok(Self { file, tree, context, names })
    }
}

impl Parse for Known {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (name, own) = if input.peek(LitStr) {
            (input.parse::<LitStr>()?.value(), None)
        } else {
            let path = Path::parse_mod_style(input)?;
            let words: Vec<_> = path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
            (words.join("::"), Some(path))
        };
        let parameters = if input.peek(token::Paren) {
            let names;
            parenthesized!(names in input);
            Some(names.parse_terminated(Ident::parse_any, Token![,])?.into_iter().collect())
        } else {
            None
        };
        if input.peek(Token![:]) {
            return Err(input.error(format!("expected `=>`, found `:`\nhelp: write `{name} => function`")));
        }
        let path = match (input.parse::<Option<Token![=>]>>()?, own) {
            (None, Some(own)) => own,
            (None, None) => return Err(input.error("expected `=>` and a path to a function")),
            (Some(_), _) => {
                input.parse().map_err(|error| syn::Error::new(error.span(), "expected a path to a function"))?
            }
        };
        Ok(Self { name, parameters, path })
    }
}
