//! Generics: separates the generics of a self type from the generics of the trait alone, and reads the argument of a path.

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{GenericArgument, GenericParam, Generics, Lifetime, PathArguments, PathSegment, Type};

/// Returns the generics for which `keep` returns `true`, and the `where` predicates that mention only these.
pub fn restricted(generics: &Generics, keep: impl Fn(&Ident) -> bool) -> Generics {
    let mut kept = generics.clone();
    kept.params = generics.params.iter().filter(|param| keep(name(param))).cloned().collect();
    if let Some(clause) = &mut kept.where_clause {
        let dropped: Vec<_> = generics.params.iter().map(name).filter(|name| !keep(name)).collect();
        let mentions_only_kept =
            |predicate: &syn::WherePredicate| !dropped.iter().any(|name| mentions(predicate, name));
        clause.predicates =
            clause.predicates.iter().filter(|predicate| mentions_only_kept(predicate)).cloned().collect();
    }
    kept
}

/// Returns the name of a generic parameter; that of a lifetime without its apostrophe.
pub fn name(param: &GenericParam) -> &Ident {
    match param {
        GenericParam::Lifetime(lifetime) => &lifetime.lifetime.ident,
        GenericParam::Type(ty) => &ty.ident,
        GenericParam::Const(constant) => &constant.ident,
    }
}

/// Returns a generic parameter that is a lifetime.
pub fn lifetime(param: &GenericParam) -> Option<Lifetime> {
    match param {
        GenericParam::Lifetime(param) => Some(param.lifetime.clone()),
        GenericParam::Type(_) | GenericParam::Const(_) => None,
    }
}

/// Replaces these lifetimes in a type by `'_`.
pub fn elide(ty: &mut Type, lifetimes: &[Lifetime]) {
    Elide(lifetimes).visit_type_mut(ty);
}

struct Elide<'a>(&'a [Lifetime]);

impl VisitMut for Elide<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if self.0.contains(lifetime) {
            *lifetime = Lifetime::new("'_", lifetime.span());
        }
    }
}

/// Returns `true` if the tokens contain a word, at any depth.
pub fn mentions(tokens: &impl ToTokens, word: &Ident) -> bool {
    tokens.to_token_stream().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *word,
        TokenTree::Group(group) => mentions(&group.stream(), word),
        _ => false,
    })
}

/// Returns the only argument of a path, if it is a type: the `T` of `Option<T>`.
pub fn only_type(segment: &PathSegment) -> Option<Type> {
    match types(segment)[..] {
        [ty] => Some(ty.clone()),
        _ => None,
    }
}

/// Returns the last segment of a type that is a path.
pub fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

/// Returns the first argument of a type with one of these names, if all arguments are types: the `T` of `Result<T, E>`.
pub fn argument_of<'a>(ty: &'a Type, names: &[&str]) -> Option<&'a Type> {
    let segment = last_segment(ty).filter(|last| names.iter().any(|name| last.ident == name))?;
    types(segment).first().copied()
}

/// Returns the type arguments of a path segment; none if it has arguments of another kind.
pub fn types(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Vec::new() };
    let types = arguments.args.iter().map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_quote;

    #[test]
    fn where_clauses_follow_their_generics() {
        let mut generics: syn::Generics = parse_quote!(<'a, T: Copy, C>);
        generics.where_clause = Some(parse_quote!(where T: Send, C: Into<T>));
        let kept = super::restricted(&generics, |name| name != "C");
        assert_eq!(kept.to_token_stream().to_string(), "< 'a , T : Copy >");
        assert_eq!(kept.where_clause.to_token_stream().to_string(), "where T : Send");
    }
}
