//! Leaves that may depend on a parameter of the surrounding function. The macro does not see the function, so the compiler decides
//! for each leaf that contains a possible variable.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::call;

/// Returns the import of the methods that method resolution selects in expansions, and of the words that editors complete.
pub(super) fn methods() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use __bt_core::__private::{KnownContext as _, Parametric as _, Uncalled as _, words::*};
    }
}

/// Returns the node that `node` makes from a leaf, marked if the leaf depends on a parameter.
pub(super) fn given(tokens: &TokenStream, at: Span, node: impl FnOnce(&TokenStream) -> TokenStream) -> TokenStream {
    if !may_vary(tokens) {
        return node(tokens);
    }
    let (leaf, mark) = (Ident::new("__leaf", Span::mixed_site()), Ident::new("__mark", Span::mixed_site()));
    let written = call::function(at, &quote!(Written), &quote!(&#leaf));
    let node = node(&quote!(#leaf));
    quote! {
        match (#tokens,) {
            (#leaf,) => {
                let #mark = #written.mark();
                #mark.node(#node)
            }
        }
    }
}

/// Returns `true` if the tokens may contain a variable. A closure's return type does not depend on a parameter.
fn may_vary(tokens: &TokenStream) -> bool {
    let is_closure = |token: TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == '|',
        TokenTree::Ident(word) => word == "move",
        _ => false,
    };
    !tokens.clone().into_iter().next().is_some_and(is_closure) && mentions_variable(tokens.clone())
}

fn mentions_variable(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_sign = |token: Option<&TokenTree>, signs: &str| match token {
        Some(TokenTree::Punct(punct)) => signs.contains(punct.as_char()),
        _ => false,
    };
    tokens.iter().enumerate().any(|(index, token)| match token {
        TokenTree::Ident(word) => {
            let begins_small = word.to_string().starts_with(|sign: char| sign.is_lowercase() || sign == '_');
            let of_another = index > 0 && is_sign(tokens.get(index - 1), ":.");
            let called = matches!(tokens.get(index + 1), Some(TokenTree::Group(_)));
            begins_small && !of_another && !called && !is_sign(tokens.get(index + 1), ":!")
        }
        TokenTree::Group(group) => mentions_variable(group.stream()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_possible_variables_mark_a_leaf() {
        let may_vary = |text: &str| super::may_vary(&text.parse().expect("the text is tokens"));
        for text in ["child", "&child", "wrap(child)", "f(1, &[child])", "self.child", "(if x { y } else { z })"] {
            assert!(may_vary(text), "{text}");
        }
        for text in ["near(3)", "a::b", "T::<A>::f", "wait(secs(1))", "look(KINDS, 5.0)", "|x: &T| y", "move || y"] {
            assert!(!may_vary(text), "{text}");
        }
    }
}
