//! The path of `bt-core` in the user's crate, which may rename it or use it through another crate.
//!
//! Expansions are written with a placeholder. It is replaced last, by `$crate` for macros like `tree!`, and by the path of an attribute:
//! `#[action(crate = engine::bt)]`.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Path, Token};

use crate::externs;
use bt_syntax::errors::Errors;

/// The placeholder: `__bt_core::__private::…`.
const PLACEHOLDER: &str = "__bt_core";

/// Replaces the placeholder in an expansion.
pub(crate) fn resolve(tokens: TokenStream, path: &TokenStream) -> TokenStream {
    resolved(&tokens, path).unwrap_or(tokens)
}

/// Returns the tokens with the placeholder replaced; `None` if they do not contain it. The user's groups stay as they are, with their spans.
fn resolved(tokens: &TokenStream, path: &TokenStream) -> Option<TokenStream> {
    let mut found = false;
    let mut replaced = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(word) if word == PLACEHOLDER => {
                found = true;
                replaced.extend(path.clone().into_iter().map(|mut token| {
                    token.set_span(token.span().located_at(word.span()));
                    token
                }));
            }
            TokenTree::Group(group) => match resolved(&group.stream(), path) {
                Some(content) => {
                    found = true;
                    let mut new = Group::new(group.delimiter(), content);
                    new.set_span(group.span());
                    replaced.push(TokenTree::Group(new));
                }
                None => replaced.push(TokenTree::Group(group)),
            },
            token => replaced.push(token),
        }
    }
    found.then(|| replaced.into_iter().collect())
}

/// Splits the input of a macro that `bt-core` calls: `$crate; input`.
pub(crate) fn of_macro(input: TokenStream) -> (TokenStream, TokenStream) {
    let mut tokens = input.into_iter();
    let path = tokens.by_ref().take_while(|token| !matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';'));
    let path = path.collect();
    (path, tokens.collect())
}

/// Removes `crate = path` from the arguments of an attribute. Returns the path, or the name of the dependency if there is none. Reports an error and
/// returns `None` if the crate does not depend on `bt-core`.
pub(crate) fn of_attribute(arguments: TokenStream, errors: &mut Errors) -> (Option<TokenStream>, TokenStream) {
    let mut rest = TokenStream::new();
    let mut given = None;
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if input.peek(Token![crate]) && input.peek2(Token![=]) && given.is_none() {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                // As in serde, the path can be in quotes.
                given = Some(if input.peek(LitStr) {
                    input.parse::<LitStr>()?.parse_with(Path::parse_mod_style)
                } else {
                    input.call(Path::parse_mod_style)
                });
                let _ = input.parse::<Token![,]>();
                continue;
            }
            rest.extend([input.parse::<TokenTree>()?]);
        }
        Ok(())
    };
    let _ = Parser::parse2(parser, arguments);
    let path = match given {
        Some(Ok(path)) => Some(path.into_token_stream()),
        Some(Err(error)) => {
            errors.at(
                error.span(),
                "expected a path to `bt-core` after `crate =`\nhelp: write, for example, `crate = engine::bt`",
            );
            None
        }
        None => dependency().map_err(|help| errors.at(Span::call_site(), help)).ok(),
    };
    (path, rest)
}

/// The packages whose users need no dependency on `bt-core`: the name of the package and of its crate, and the path of `bt-core` in it.
const FACADES: [(&str, &str, &str); 1] = [("bt-bevy", "bt_bevy", "bt_core")];

/// Returns the path of `bt-core` in the user's crate: the name of the dependency, or its path in a facade. Returns an error if the crate depends on neither.
pub(crate) fn dependency() -> Result<TokenStream, &'static str> {
    // Unit tests are not part of a crate that uses the macros.
    if !proc_macro::is_available() {
        return Ok(quote!(::bt_core));
    }
    let externs = externs::all();
    if externs.is_empty() {
        return Ok(in_editor());
    }
    let named = |own: &str| externs.iter().find(|found| found.own == own).map(|found| found.name.as_str());
    if let Some(name) = named("bt_core") {
        return Ok(path(&[name]));
    }
    let facade = FACADES.iter().find_map(|(_, own, inner)| Some(path(&[named(own)?, inner])));
    facade.ok_or(
        "`bt-core` is not a dependency of this crate\n\
         help: write its path: `crate = engine::bt` in an attribute, `#[board(crate = engine::bt)]` for a blackboard",
    )
}

/// Returns the likely path of `bt-core`, where the compiler's arguments are not known: by the packages that the manifest mentions.
fn in_editor() -> TokenStream {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let manifest = std::fs::read_to_string(std::path::Path::new(&folder).join("Cargo.toml")).unwrap_or_default();
    let facade = FACADES.iter().find(|(package, ..)| manifest.contains(package) && !manifest.contains("bt-core"));
    facade.map_or_else(|| quote!(::bt_core), |(_, own, inner)| path(&[own, inner]))
}

fn path(names: &[&str]) -> TokenStream {
    let names = names.iter().map(|name| Ident::new(name, Span::call_site()));
    quote!(#(::#names)*)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_placeholder_is_replaced_at_any_depth() {
        let tokens = quote!(__bt_core::a(f { __bt_core::b }, [c]));
        assert_eq!(
            resolve(tokens, &quote!(engine::bt)).to_string(),
            quote!(engine::bt::a(f { engine::bt::b }, [c])).to_string()
        );
        assert_eq!(resolve(quote!(a(b)), &quote!(engine::bt)).to_string(), quote!(a(b)).to_string());
    }

    #[test]
    fn the_path_is_split_from_the_arguments() {
        let split = |tokens| {
            let mut errors = Errors::default();
            let (path, rest) = of_attribute(tokens, &mut errors);
            (path.unwrap_or_default().to_string(), rest.to_string(), errors.messages().len())
        };
        let expected = |path: TokenStream, rest: TokenStream, errors| (path.to_string(), rest.to_string(), errors);
        assert_eq!(split(quote!(crate = engine::bt)), expected(quote!(engine::bt), quote!(), 0));
        assert_eq!(split(quote!(crate = ::bt, children = 2)), expected(quote!(::bt), quote!(children = 2), 0));
        assert_eq!(
            split(quote!(children = 2, crate = crate::bt)),
            expected(quote!(crate::bt), quote!(children = 2,), 0)
        );
        assert_eq!(split(quote!(crate = "engine::bt")), expected(quote!(engine::bt), quote!(), 0));
        assert_eq!(split(quote!(children = 2)), expected(quote!(::bt_core), quote!(children = 2), 0));
        assert_eq!(split(quote!(crate = 3)).2, 1);
    }
}
