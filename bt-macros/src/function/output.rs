//! The output of the future of an action.

use proc_macro2::Span;
use syn::{
    GenericArgument, PathArguments, ReturnType, Token, TraitBound, Type, TypeParamBound, parse_quote,
    parse_quote_spanned,
};
use syn::{punctuated::Punctuated, spanned::Spanned};

use bt_syntax::generics::{argument_of, elide, lifetime};

/// The output of a future.
pub(crate) struct Output {
    /// Its type. Functions of the context are boxed in it.
    pub(crate) ty: Type,
    /// The type of its meaning: the result of the function in place of the function.
    pub(crate) meaning: Type,
    /// If there is a function of the context that must be boxed, the number of `Option`s and `Result`s around it.
    pub(crate) boxed_in: Option<usize>,
    /// The context of the function in the output.
    pub(super) applied_to: Option<Type>,
}

pub(super) type Bounds = Punctuated<TypeParamBound, Token![+]>;

impl Output {
    /// Reads the type that the function names.
    pub(super) fn of(written: Type) -> Self {
        let (inner, depth) = inner(&written);
        let Some(function) = FunctionType::of(inner) else {
            return Self { ty: written.clone(), meaning: written, boxed_in: None, applied_to: None };
        };
        let meaning = with_inner(written.clone(), function.result);
        let (ty, boxed_in) = if function.is_boxed {
            (written, None)
        } else {
            let bound = function.bound;
            let boxed = parse_quote!(__bt_core::__private::Box<dyn #bound + ::core::marker::Send>);
            (with_inner(written, boxed), Some(depth))
        };
        Self { ty, meaning, boxed_in, applied_to: function.context }
    }
}

/// Makes the bounds of a returned function explicit: it is called after the tick that has created it.
pub(super) fn bind_function(ty: &mut Type) {
    if let Type::ImplTrait(function) = inner(ty).0
        && FunctionType::among(&function.bounds, false).is_some()
    {
        let mut function = function.clone();
        function.bounds.extend(send_and_static(function.impl_token.span()));
        *ty = with_inner(ty.clone(), Type::ImplTrait(function));
    }
}

/// Returns the bounds of a value that outlives the tick that has created it.
pub(super) fn send_and_static(span: Span) -> [TypeParamBound; 2] {
    let span = Span::mixed_site().located_at(span);
    [parse_quote_spanned!(span=> ::core::marker::Send), parse_quote_spanned!(span=> 'static)]
}

/// The types in which an output can have a function.
const AROUND: [&str; 2] = ["Option", "Result"];

/// Returns the type in all `Option`s and `Result`s, and their number.
fn inner(ty: &Type) -> (&Type, usize) {
    argument_of(ty, &AROUND).map_or((ty, 0), |ty| {
        let (inner, depth) = inner(ty);
        (inner, depth + 1)
    })
}

/// Replaces the [inner](inner) type.
fn with_inner(mut ty: Type, by: Type) -> Type {
    if argument_of(&ty, &AROUND).is_some()
        && let Type::Path(path) = &mut ty
        && let Some(PathArguments::AngleBracketed(arguments)) =
            path.path.segments.last_mut().map(|last| &mut last.arguments)
        && let Some(GenericArgument::Type(first)) = arguments.args.first_mut()
    {
        *first = with_inner(first.clone(), by);
        return ty;
    }
    by
}

/// A function of the context.
struct FunctionType {
    is_boxed: bool,
    /// The trait, with the lifetimes that it declares itself: `for<'w> FnOnce(&mut Ctx<'w>)`.
    bound: TraitBound,
    context: Option<Type>,
    result: Type,
}

impl FunctionType {
    fn of(ty: &Type) -> Option<Self> {
        match (ty, argument_of(ty, &["Box"])) {
            (Type::ImplTrait(ty), _) => Self::among(&ty.bounds, false),
            (_, Some(Type::TraitObject(object))) => Self::among(&object.bounds, true),
            _ => None,
        }
    }

    fn among(bounds: &Bounds, is_boxed: bool) -> Option<Self> {
        bounds.iter().find_map(|bound| {
            let TypeParamBound::Trait(bound) = bound else { return None };
            let last = bound.path.segments.last()?;
            let PathArguments::Parenthesized(signature) = &last.arguments else { return None };
            let context = match signature.inputs.first().map(|argument| &argument.ty) {
                Some(Type::Reference(reference)) => Some(elided(&reference.elem, bound)),
                _ => None,
            };
            let result = match &signature.output {
                ReturnType::Default => parse_quote!(()),
                ReturnType::Type(_, ty) => (**ty).clone(),
            };
            let is_function = ["FnOnce", "FnMut", "Fn"].iter().any(|name| last.ident == name);
            is_function.then(|| Self { is_boxed, bound: bound.clone(), context, result })
        })
    }
}

/// Returns the context of a function, outside the function: the lifetimes that its trait declares are not known there.
fn elided(context: &Type, of: &TraitBound) -> Type {
    let mut context = context.clone();
    let declared: Vec<_> = of.lifetimes.iter().flat_map(|bound| &bound.lifetimes).filter_map(lifetime).collect();
    elide(&mut context, &declared);
    context
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::{Type, parse_quote};

    use super::Output;

    fn check(written: Type, ty: &str, meaning: &str, boxed_in: Option<usize>, context: Option<&str>) {
        let output = Output::of(written);
        let text = |ty: &Type| ty.to_token_stream().to_string();
        assert_eq!((text(&output.ty).as_str(), text(&output.meaning).as_str()), (ty, meaning));
        assert_eq!(output.boxed_in, boxed_in);
        assert_eq!(output.applied_to.as_ref().map(text).as_deref(), context);
    }

    #[test]
    fn functions_of_the_context_mean_their_results() {
        let boxed = "__bt_core :: __private :: Box < dyn FnOnce (& mut Robot) -> bool + :: core :: marker :: Send >";
        check(parse_quote!(bool), "bool", "bool", None, None);
        check(parse_quote!(Option<bool>), "Option < bool >", "Option < bool >", None, None);
        check(parse_quote!(impl FnOnce(&mut Robot) -> bool), boxed, "bool", Some(0), Some("Robot"));
        check(
            parse_quote!(Result<impl FnOnce(&mut Robot) -> bool, String>),
            &format!("Result < {boxed} , String >"),
            "Result < bool , String >",
            Some(1),
            Some("Robot"),
        );
        check(
            parse_quote!(Result<Option<impl FnOnce(&mut Robot)>, String>),
            "Result < Option < __bt_core :: __private :: Box < dyn FnOnce (& mut Robot) + :: core :: marker :: Send > > , String >",
            "Result < Option < () > , String >",
            Some(2),
            Some("Robot"),
        );
        check(
            parse_quote!(Option<impl for<'a, 'w> FnOnce(&'a mut Ctx<'w>) -> bool>),
            "Option < __bt_core :: __private :: Box < dyn for < 'a , 'w > FnOnce (& 'a mut Ctx < 'w >) -> bool + :: core :: marker :: Send > >",
            "Option < bool >",
            Some(1),
            Some("Ctx < '_ >"),
        );
        check(
            parse_quote!(Box<dyn for<'w> FnOnce(&mut Ctx<'w, 'static>) + Send>),
            "Box < dyn for < 'w > FnOnce (& mut Ctx < 'w , 'static >) + Send >",
            "()",
            None,
            Some("Ctx < '_ , 'static >"),
        );
        let own = "Option < Box < dyn FnOnce (& mut Robot) + Send > >";
        check(parse_quote!(Option<Box<dyn FnOnce(&mut Robot) + Send>>), own, "Option < () >", None, Some("Robot"));
    }
}
