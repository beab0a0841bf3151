//! Plan to Rust. Cannot fail.
//!
//! The user's tokens are emitted once and with their own spans, so that rustc's errors and an editor's help find them. Whatever
//! else is emitted resolves in this crate (`mixed_site`) and lies where the user's node does.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::LitStr;

use super::plan::{Node, Placed, Threshold, Tree};
use crate::errors::Errors;

mod machine;

/// The longest tuple that is a list of children.
const LONGEST: usize = 8;

/// A block that gives the tree's root.
pub(crate) fn tree(tree: &Tree, errors: &Errors) -> TokenStream {
    let errors = errors.to_tokens();
    let context = tree.context.clone().unwrap_or_else(|| quote!(_));
    let cx = cx();
    let root = placed(&tree.root);
    quote! {{
        #errors
        let #cx = ::bt_core::__private::Context::<#context>::new();
        #root
    }}
}

/// The variable that holds the tree's context type.
fn cx() -> Ident {
    Ident::new("__context", Span::mixed_site())
}

/// A node with its place.
fn placed(child: &Placed) -> TokenStream {
    let (place, node) = (place(child), node(child));
    quote!(::bt_core::__private::Placed::new(const { &#place }, #node))
}

/// The place of a node.
fn place(child: &Placed) -> TokenStream {
    place_at(child.label.as_ref(), &child.text, child.span)
}

/// A place: where it is called, by `Location::caller`.
///
/// A call lies where the user's node does if its path begins and ends there and its parentheses do. No word does, or an editor would
/// take the user's for it.
fn place_at(label: Option<&LitStr>, text: &str, span: Span) -> TokenStream {
    let label = match label {
        Some(label) => quote!(::bt_core::__private::Some(#label)),
        None => quote!(::bt_core::__private::None),
    };
    let (begin, end) = (quote_spanned!(span=> ::), quote_spanned!(span=> ::<>));
    let mut arguments = Group::new(Delimiter::Parenthesis, quote!(#label, #text));
    arguments.set_span(span);
    quote!(#begin bt_core::__private::Place::new #end #arguments)
}

fn node(child: &Placed) -> TokenStream {
    let cx = cx();
    let at = Span::mixed_site().located_at(child.span);
    match &child.node {
        Node::Composite { keyword, args, children } => {
            let args = args.iter().map(threshold);
            let children = list_of(children);
            quote_spanned!(at=> ::bt_core::keywords::#keyword(#(#args,)* #children))
        }
        Node::Random { keyword, weights, children } => {
            let weights = match weights {
                Some(weights) => {
                    quote!(::bt_core::__private::Weighted::new([#(::bt_core::__private::weight(#weights)),*]))
                }
                None => quote!(::bt_core::__private::Alike),
            };
            let children = list_of(children);
            quote_spanned!(at=> ::bt_core::__private::random(#cx, ::bt_core::keywords::#keyword(#weights, #children)))
        }
        Node::Machine { keyword, states, any } => machine::machine(keyword, states, any, at),
        Node::Decorator { keyword, args, child } => {
            let child = placed(child);
            quote_spanned!(at=> ::bt_core::__private::decorated(#cx, ::bt_core::keywords::#keyword(#args), #child))
        }
        Node::Own { path, args, child } => {
            let child = placed(child);
            let args = with_comma(args);
            quote_spanned!(at=> ::bt_core::__private::leaf(#cx, #path(#args #child)))
        }
        Node::Leaf(tokens) => quote_spanned!(at=> ::bt_core::__private::leaf(#cx, #tokens)),
        Node::Broken => quote_spanned!(at=> ::bt_core::__private::broken()),
    }
}

/// The children of a composite with their places.
fn list_of(children: &[Placed]) -> TokenStream {
    let places = children.iter().map(place);
    let list = list(&children.iter().map(node).collect::<Vec<_>>());
    quote!(::bt_core::__private::children(const { &[#(#places),*] }, #list))
}

/// A tuple, or several joined evenly.
fn list(nodes: &[TokenStream]) -> TokenStream {
    if nodes.len() <= LONGEST {
        return quote!((#(#nodes,)*));
    }
    let (first, second) = nodes.split_at(nodes.len().div_ceil(2));
    let (first, second) = (list(first), list(second));
    quote!(::bt_core::__private::Join(#first, #second))
}

fn threshold(threshold: &Threshold) -> TokenStream {
    match threshold {
        Threshold::Word(word) => quote!(::bt_core::keywords::#word),
        Threshold::Number(number) => quote!(::bt_core::__private::Count::<#number>),
        Threshold::Computed(value) => quote!(::bt_core::keywords::at_least(#value)),
    }
}

/// Arguments before one more.
fn with_comma(args: &TokenStream) -> TokenStream {
    let last = args.clone().into_iter().last();
    let needs_comma = last.is_some_and(|last| !matches!(last, TokenTree::Punct(punct) if punct.as_char() == ','));
    let comma = needs_comma.then(|| quote!(,));
    let mut tokens = args.to_token_stream();
    tokens.extend(comma);
    tokens
}
