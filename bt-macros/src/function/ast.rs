//! What an `#[action]` or `#[condition]` consists of, in which nothing is wrong any more.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Expr, FnArg, Generics, ItemFn, LitStr, Type};

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
    /// How the function gets it.
    pub(crate) handed: Handed,
    /// What it is where it is left out.
    pub(crate) default: Option<Expr>,
    /// What it is measured in.
    pub(crate) unit: Option<LitStr>,
}

/// How a function gets a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handed {
    /// As a copy.
    Copied,
    /// As a reference.
    Lent,
    /// As a copy of a value that may stand on a board.
    Read,
}

/// State that lives while the node is open.
pub(crate) struct Open {
    pub(crate) ty: Type,
    /// What it is started from, if not from its default.
    pub(crate) start: Option<Expr>,
}

/// One argument: the index of a parameter or of a state, or what the node is told.
pub(crate) enum Argument {
    Param(usize),
    Open(usize),
    /// The node's id.
    At,
}

/// The attributes of parameters that only we know.
pub(crate) const ATTRIBUTES: [&str; 4] = ["at", "input", "open", "param"];

/// The function without the attributes that only we know.
pub(crate) fn without_attributes(item: TokenStream) -> TokenStream {
    match syn::parse2::<ItemFn>(item.clone()) {
        Ok(mut function) => {
            for input in &mut function.sig.inputs {
                if let FnArg::Typed(param) = input {
                    param.attrs.retain(|attr| !ATTRIBUTES.iter().any(|word| attr.path().is_ident(word)));
                }
            }
            function.into_token_stream()
        }
        Err(_) => item,
    }
}
