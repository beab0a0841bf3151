//! The user's names that are not part of the tree: code that an error discarded, and the states of machines.
//!
//! An editor gets all of it. The compiler gets the paths in discarded code, so that an import that only a half-typed tree needs does not count as unused.

use bt_syntax::errors::{Left, Names};
use bt_syntax::keyword::OUTCOMES;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::node::leaf;
use crate::editor::is_in_editor;

/// Returns a statement with the names.
pub(super) fn left(left: &Left) -> TokenStream {
    if !is_in_editor() {
        return mentioned(left);
    }
    let expression = match left {
        Left::Leaf(tokens) => leaf(tokens, Span::mixed_site()),
        Left::Rust(tokens) => quote!((#tokens)),
        Left::Keyword(word) => quote!(__bt_core::keywords::#word),
        Left::Unknown(word, known) => {
            // Words of Rust are neither.
            let known = known.iter().filter_map(|word| syn::parse_str::<Ident>(word).ok());
            let word = word.as_ref().filter(|word| is_name(word));
            quote!({ #(enum #known {})* #word })
        }
        Left::Unbound(inner) => return self::left(inner),
        Left::States(_) => return TokenStream::new(),
    };
    quote!({ let _ = #expression; })
}

/// Returns the states of a machine as an item, and each target as a mention of one. The texts of an item come after all names.
pub(super) fn states(left: &Left) -> Option<TokenStream> {
    let Left::States(Names { declared, targets }) = left else { return None };
    // A state can be named like a word of Rust, which no item can.
    let declared = declared.iter().filter(|(name, _)| is_name(name)).map(|(name, doc)| quote!(#[doc = #doc] #name,));
    let outcomes = OUTCOMES.map(|outcome| Ident::new(outcome, Span::mixed_site()));
    let is_state = |to: &&Ident| is_name(to) && !outcomes.contains(to);
    // A target that is missing has a place too, since an editor looks for the scope of the word at its cursor in the expansion without it.
    let targets = targets.iter().map(|to| to.as_ref().filter(is_state).unwrap_or(&outcomes[0]));
    Some(quote!({
        let _ = [#(State::#targets),*];
        #[allow(non_camel_case_types)]
        enum State {
            #(#declared)*
            #(#outcomes,)*
        }
    }))
}

/// Returns `true` if the word is not a word of Rust.
fn is_name(word: &Ident) -> bool {
    syn::parse_str::<Ident>(&word.to_string()).is_ok()
}

/// Returns a mention of each path in Rust that an error discarded.
fn mentioned(left: &Left) -> TokenStream {
    let (Left::Leaf(tokens) | Left::Rust(tokens)) = left else { return TokenStream::new() };
    let mut paths = TokenStream::new();
    let expressions = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone());
    expressions.iter().flatten().for_each(|expression| mention(expression, &mut paths));
    paths
}

/// Adds a mention of each path in an expression, except in closures and blocks, which have names of their own.
fn mention(expression: &Expr, paths: &mut TokenStream) {
    match expression {
        Expr::Path(path) => paths.extend(quote!(let _ = #path;)),
        Expr::Call(call) => {
            mention(&call.func, paths);
            call.args.iter().for_each(|argument| mention(argument, paths));
        }
        Expr::Reference(reference) => mention(&reference.expr, paths),
        Expr::Paren(paren) => mention(&paren.expr, paths),
        _ => {}
    }
}
