//! Types that are references.

use syn::{Type, TypeReference};

/// Returns `true` for `&mut T`.
pub(super) fn is_mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
}

/// Returns `true` for a reference without a lifetime.
pub(super) fn is_elided(reference: &TypeReference) -> bool {
    reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident == "_")
}

/// Returns `true` for a type that is only used behind a reference: a slice, `str` or a trait object.
pub(super) fn is_unsized(ty: &Type) -> bool {
    matches!(ty, Type::Slice(_) | Type::TraitObject(_)) || is_named(ty, "str")
}

/// Returns `true` for the type that is written as this name.
pub(super) fn is_named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(ty) if ty.qself.is_none() && ty.path.is_ident(name))
}
