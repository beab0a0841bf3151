//! Where the nodes of a tree stand: one constant for all of them, which also finds what can never happen. It knows the tree's type from
//! being used with it.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::LitStr;

use super::super::plan::{Arrow, Flags, Node, Placed, State};

/// The place of a whole tree.
pub(super) fn spot(root: &Placed) -> TokenStream {
    let (site, facts) = (site(), facts());
    let (flags, text) = (flags(root), &root.text);
    let call = at(root.span, &quote!(root), &quote!(#facts, #flags, #text));
    let place = with(&call, root.label.as_ref(), children(root));
    let mut block = Group::new(
        Delimiter::Brace,
        quote! {
            let #site = ::bt_core::__private::Site::new();
            let #facts = ::bt_core::__private::facts(#site);
            ::bt_core::__private::Spot { place: &#place, of: #site }
        },
    );
    block.set_span(root.span);
    quote_spanned!(root.span=> const #block)
}

/// Whether there is something to check in a node or below it.
pub(super) fn is_checked(node: &Placed) -> bool {
    node.flags.0 != 0 || !matches!(node.node, Node::Leaf(_) | Node::Broken)
}

/// The variable that stands for the tree.
fn site() -> Ident {
    Ident::new("__site", Span::mixed_site())
}

/// The variable that holds what is known of a node.
fn facts() -> Ident {
    Ident::new("__facts", Span::mixed_site())
}

/// A place with a label and the places of children, if it has them.
fn with(place: &TokenStream, label: Option<&LitStr>, children: Option<TokenStream>) -> TokenStream {
    let label = label.map(|label| quote!(label: ::bt_core::__private::Some(#label),));
    let children = children.map(|children| quote!(children: { #children },));
    if label.is_none() && children.is_none() {
        return place.clone();
    }
    quote!(::bt_core::__private::Place { #label #children ..#place })
}

/// The places of a node's children.
fn children(node: &Placed) -> Option<TokenStream> {
    match &node.node {
        Node::Composite { children, .. } | Node::Random { children, .. } => {
            let places = children.iter().enumerate().map(|(index, node)| child(index, node));
            Some(quote!(&[#(#places),*]))
        }
        Node::Decorator { child: node, .. } => {
            let place = child(0, node);
            Some(quote!(&[#place]))
        }
        Node::Machine { states, any, .. } => Some(machine(states, any)),
        // What an own decorator makes of its child is not known: that is a tree of its own.
        Node::Own { .. } | Node::Leaf(_) | Node::Broken => None,
    }
}

fn child(index: usize, node: &Placed) -> TokenStream {
    let (facts, index) = (facts(), Literal::usize_unsuffixed(index));
    let (flags, text) = (flags(node), &node.text);
    let call = at(node.span, &quote!(child), &quote!(#facts, #index, #flags, #text));
    let children = children(node).map(|children| {
        quote! {
            let #facts = ::bt_core::__private::below(#facts, #index);
            #children
        }
    });
    with(&call, node.label.as_ref(), children)
}

/// The places of a machine's states, after a look at their arrows and hooks.
fn machine(states: &[State], any: &[Arrow]) -> TokenStream {
    let facts = facts();
    let check = |span, function: TokenStream, arguments: TokenStream| {
        let call = at(span, &function, &quote!(#facts, #arguments));
        quote!(#call;)
    };
    let (mut checks, mut places) = (TokenStream::new(), Vec::new());
    for (number, state) in states.iter().enumerate() {
        let index = Literal::usize_unsuffixed(number);
        for (number, arrow) in state.arrows.iter().enumerate() {
            let (number, flags) = (Literal::usize_unsuffixed(number), literal(arrow.flags));
            checks.extend(check(arrow.span, quote!(arrow), quote!(#index, #number, #flags)));
        }
        for (number, hook) in [&state.enter, &state.exit].into_iter().enumerate() {
            let number = Literal::usize_unsuffixed(number);
            if let Some(hook) = hook {
                checks.extend(check(hook.span, quote!(hook), quote!(#index, #number)));
            }
        }
        let (flags, node) = (literal(state.flags), child(number, &state.node));
        let call = at(state.name.span(), &quote!(state), &quote!(#facts, #index, #flags));
        places.push(with(&call, None, Some(quote!(&[#node]))));
    }
    for (number, arrow) in any.iter().enumerate() {
        let (number, flags) = (Literal::usize_unsuffixed(number), literal(arrow.flags));
        checks.extend(check(arrow.span, quote!(any_arrow), quote!(#number, #flags)));
    }
    quote!(#checks &[#(#places),*])
}

/// The call of a function of ours that lies where the user's node does, for errors and for `Location::caller`.
///
/// It does if its path begins and ends there and its parentheses do. No word does, or an editor would take the user's for it.
fn at(span: Span, function: &TokenStream, arguments: &TokenStream) -> TokenStream {
    let (begin, end) = (quote_spanned!(span=> ::), quote_spanned!(span=> ::<>));
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments.clone());
    arguments.set_span(span);
    quote!(#begin bt_core::__private::#function #end #arguments)
}

/// The flags of a node.
fn flags(node: &Placed) -> Literal {
    let rust = if matches!(node.node, Node::Leaf(_)) { Flags::RUST } else { Flags::default() };
    literal(node.flags.or(rust))
}

fn literal(flags: Flags) -> Literal {
    Literal::u8_unsuffixed(flags.0)
}
