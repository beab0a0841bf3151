//! What an `#[action]` or `#[condition]` consists of, in which nothing is wrong any more.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Expr, FnArg, Generics, ItemFn, Type};

use super::Form;

/// A leaf with parameters.
pub(crate) struct Function {
    pub(crate) form: Form,
    /// The function as it was written, but for attributes and `#[open]`.
    pub(crate) body: ItemFn,
    /// For everything that is made of it.
    pub(crate) cfgs: Vec<Attribute>,
    /// For what a user sees.
    pub(crate) docs: Vec<Attribute>,
    /// What the parameter of the context is called.
    pub(crate) ctx: Ident,
    pub(crate) context: Type,
    pub(crate) answer: Type,
    pub(crate) params: Vec<Param>,
    pub(crate) open: Vec<Open>,
    /// The arguments after the context, in order.
    pub(crate) order: Vec<Argument>,
    /// The generics of the type that holds the parameters.
    pub(crate) held: Generics,
}

/// A parameter that the node holds.
pub(crate) struct Param {
    pub(crate) name: Ident,
    /// As what it is held.
    pub(crate) ty: Type,
    /// Whether it is lent to the function rather than copied.
    pub(crate) lent: bool,
}

/// State that lives while the node is open.
pub(crate) struct Open {
    pub(crate) ty: Type,
    /// What it is started from, if not from its default.
    pub(crate) start: Option<Expr>,
}

/// One argument: the index of a parameter or of a state.
pub(crate) enum Argument {
    Param(usize),
    Open(usize),
}

/// The function without the attributes that only we know.
pub(crate) fn without_open(item: TokenStream) -> TokenStream {
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(mut function) => {
            for input in &mut function.sig.inputs {
                if let FnArg::Typed(param) = input {
                    param.attrs.retain(|attr| !attr.path().is_ident("open"));
                }
            }
            function.into_token_stream()
        }
        Err(_) => item,
    }
}
