//! Which generics belong to what an impl is for, and which only to the trait.

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use syn::{GenericParam, Generics};

/// The generics that `keep` wants, and those of the where-clauses that speak of no others.
pub(crate) fn restricted(generics: &Generics, keep: impl Fn(&Ident) -> bool) -> Generics {
    let mut kept = generics.clone();
    kept.params = generics.params.iter().filter(|param| keep(name(param))).cloned().collect();
    if let Some(clause) = &mut kept.where_clause {
        let dropped: Vec<_> = generics.params.iter().map(name).filter(|name| !keep(name)).collect();
        let speaks_of_kept = |predicate: &syn::WherePredicate| !dropped.iter().any(|name| mentions(predicate, name));
        clause.predicates = clause.predicates.iter().filter(|predicate| speaks_of_kept(predicate)).cloned().collect();
    }
    kept
}

/// The name of a generic parameter, a lifetime's without its apostrophe.
pub(crate) fn name(param: &GenericParam) -> &Ident {
    match param {
        GenericParam::Lifetime(lifetime) => &lifetime.lifetime.ident,
        GenericParam::Type(ty) => &ty.ident,
        GenericParam::Const(constant) => &constant.ident,
    }
}

/// Whether a word stands anywhere in some tokens.
pub(crate) fn mentions(tokens: &impl ToTokens, word: &Ident) -> bool {
    tokens.to_token_stream().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *word,
        TokenTree::Group(group) => mentions(&group.stream(), word),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_quote;

    #[test]
    fn where_clauses_go_with_their_generics() {
        let mut generics: syn::Generics = parse_quote!(<'a, T: Copy, C>);
        generics.where_clause = Some(parse_quote!(where T: Send, C: Into<T>));
        let kept = super::restricted(&generics, |name| name != "C");
        assert_eq!(kept.to_token_stream().to_string(), "< 'a , T : Copy >");
        assert_eq!(kept.where_clause.to_token_stream().to_string(), "where T : Send");
    }
}
