//! The variables of generated methods.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

use super::ast::Param;
use crate::hidden::hidden;

/// The names of the variables in the methods of a node.
pub(super) struct Names {
    pub(super) this: Ident,
    pub(super) observer: Ident,
    pub(super) at: Ident,
    pub(super) visit: Ident,
    pub(super) ctx: Ident,
    pub(super) state: Ident,
    pub(super) kept: Ident,
    pub(super) fresh: Ident,
    pub(super) error: Ident,
    /// The `AsyncContext` of a future.
    pub(super) handle: Ident,
}

impl Names {
    pub(super) fn new() -> Self {
        let [observer, this] = ["Observer", "self"].map(|name| Ident::new(name, Span::mixed_site()));
        let [at, visit, ctx, state, kept, fresh, error, handle] =
            ["at", "visit", "ctx", "open", "kept", "fresh", "error", "handle"].map(hidden);
        Self { this, observer, at, visit, ctx, state, kept, fresh, error, handle }
    }

    /// Returns the code for a parameter that cannot be read or written.
    pub(super) fn failed(&self, param: &Param) -> TokenStream {
        let Self { observer, at, visit, ctx, error, .. } = self;
        let name = param.name.unraw().to_string();
        quote!({
            #[allow(unused_imports)]
            use __bt_core::__private::Unreported as _;
            let #error = __bt_core::board::ParameterError { parameter: #name, error: #error };
            if __bt_core::__private::explains::<#observer>() {
                __bt_core::__private::explain(#at, &#error, &mut *#visit.observer);
            }
            __bt_core::__private::Reporting(&mut *#ctx).report(#at, #error);
            return __bt_core::__private::Step::Done(__bt_core::Outcome::Error);
        })
    }
}
