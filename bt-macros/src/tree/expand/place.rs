//! The source locations of the nodes of a tree: one constant for all of them, which also runs the checks. Its type is inferred from
//! its use with the tree.

use bt_words::Flags;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::LitStr;

use super::call;
use crate::editor::is_in_editor;
use bt_syntax::plan::{Guard, Located, Node, State, Transition};

/// Returns the source locations of a tree. `allowed` are the lints that are allowed or expected for its root.
pub(super) fn spot(root: &Located, allowed: Flags) -> TokenStream {
    // An editor evaluates no constant, and would show `const` in place of the root.
    if is_in_editor() {
        return quote!(loop {});
    }
    let (site, facts) = (site(), facts());
    let (flags, text) = (literal(allowed.or(kind(root))), &root.text);
    let call = call::function(root.span, &quote!(root), &quote!(#facts, #flags, #text));
    let place = with(&call, root.label.as_ref(), children(root, ""));
    let mut block = Group::new(
        Delimiter::Brace,
        quote! {
            let #site = __bt_core::__private::TreeType::new();
            let #facts = __bt_core::__private::facts(#site);
            __bt_core::__private::CheckedSource { place: &#place, of: #site }
        },
    );
    block.set_span(root.span);
    quote_spanned!(root.span=> const #block)
}

/// Returns `true` if a node or a node below it has checks.
pub(super) fn is_checked(node: &Located) -> bool {
    node.flags.0 != 0
        || !matches!(node.node.written(), Node::Leaf { .. } | Node::Spread(_) | Node::Cfg { .. } | Node::Broken)
}

/// Returns the variable that holds the type of the tree.
fn site() -> Ident {
    Ident::new("__site", Span::mixed_site())
}

/// Returns the variable that holds the facts about the tree.
fn facts() -> Ident {
    Ident::new("__facts", Span::mixed_site())
}

/// Returns a source location with its label and children, if it has any.
fn with(place: &TokenStream, label: Option<&LitStr>, children: Option<TokenStream>) -> TokenStream {
    let label = label.map(|label| quote!(label: __bt_core::__private::Some(#label),));
    let children = children.map(|children| quote!(children: { #children },));
    if label.is_none() && children.is_none() {
        return place.clone();
    }
    quote!(__bt_core::__private::SourceNode { #label #children ..#place })
}

/// Returns the source locations of a node's children. `path` is the path of the node itself.
fn children(node: &Located, path: &str) -> Option<TokenStream> {
    match node.node.written() {
        Node::Composite { children, .. }
        | Node::Random { children, .. }
        | Node::Utility { children, .. }
        | Node::Match { children, .. } => {
            let places = children.iter().enumerate().map(|(index, node)| child(node, &below(path, index)));
            Some(quote!(&[#(#places),*]))
        }
        Node::Decorator { child: node, .. } => {
            let place = child(node, &below(path, 0));
            Some(quote!(&[#place]))
        }
        Node::Service { action, child: node, .. } => {
            let (place, action) = (child(node, &below(path, 0)), attachment(action));
            Some(quote!(&[#place, #action]))
        }
        Node::Machine { states, any, .. } => Some(machine(states, any, path)),
        // A function of the user may wrap its children in any way, so each is a separate tree.
        Node::Own { children, .. } if !children.is_empty() => {
            let facts = facts();
            let count = Literal::usize_unsuffixed(children.len());
            let checks = children.iter().enumerate().map(|(index, node)| {
                let (path, flags) = (below(path, index), flags(node));
                call::function(node.span, &quote!(own_child), &quote!(#facts, #path, #count, #flags))
            });
            Some(quote!(#(#checks;)* &[]))
        }
        Node::Own { .. }
        | Node::Within { .. }
        | Node::Leaf { .. }
        | Node::Spread(_)
        | Node::Cfg { .. }
        | Node::Bound { .. }
        | Node::Broken => None,
    }
}

/// Returns the path of a child.
fn below(path: &str, index: usize) -> String {
    if path.is_empty() { index.to_string() } else { format!("{path}/{index}") }
}

fn child(node: &Located, path: &str) -> TokenStream {
    let (facts, text) = (facts(), &node.text);
    let call = if is_checked(node) {
        let flags = flags(node);
        call::function(node.span, &quote!(child), &quote!(#facts, #path, #flags, #text))
    } else {
        call::function(node.span, &quote!(leaf_at), &quote!(#facts, #path, #text))
    };
    with(&call, node.label.as_ref(), children(node, path))
}

/// Returns the source location of a node that is not a child: a condition, a hook, an action. It has its own checks.
fn attachment(node: &Located) -> TokenStream {
    let text = &node.text;
    call::associated(node.span, &quote!(SourceNode), &quote!(new), &quote!(__bt_core::__private::None, #text))
}

/// Returns the conditions of transitions.
fn guards(transitions: &[Transition]) -> impl Iterator<Item = &Located> {
    transitions.iter().filter_map(|transition| match &transition.guard {
        Guard::Condition(condition) => Some(&**condition),
        Guard::End(_) => None,
    })
}

/// Returns the source locations of a machine's states, after the checks of their transitions and hooks.
fn machine(states: &[State], any: &[Transition], path: &str) -> TokenStream {
    let facts = facts();
    let check = |span, function: TokenStream, arguments: TokenStream| {
        let call = call::function(span, &function, &quote!(#facts, #arguments));
        quote!(#call;)
    };
    let (mut checks, mut places) = (TokenStream::new(), Vec::new());
    for (number, state) in states.iter().enumerate() {
        let path = below(path, number);
        for (number, transition) in state.transitions.iter().enumerate() {
            let (number, flags) = (Literal::usize_unsuffixed(number), literal(transition.flags));
            checks.extend(check(transition.span, quote!(transition), quote!(#path, #number, #flags)));
        }
        for (number, hook) in [&state.enter, &state.exit].into_iter().enumerate() {
            let number = Literal::usize_unsuffixed(number);
            if let Some(hook) = hook {
                checks.extend(check(hook.span, quote!(hook), quote!(#path, #number)));
            }
        }
        let (flags, node) = (literal(state.flags), child(&state.node, &path));
        let call = call::function(state.name.span(), &quote!(state), &quote!(#facts, #path, #flags));
        let asides = guards(&state.transitions).chain(state.enter.as_ref()).chain(state.exit.as_ref()).map(attachment);
        places.push(with(&call, None, Some(quote!(&[#node, #(#asides),*]))));
    }
    places.extend(guards(any).map(attachment));
    for (number, transition) in any.iter().enumerate() {
        let (path, number, flags) = (below(path, 0), Literal::usize_unsuffixed(number), literal(transition.flags));
        checks.extend(check(transition.span, quote!(any_transition), quote!(#path, #number, #flags)));
    }
    quote!(#checks &[#(#places),*])
}

/// Returns the flags of a node.
fn flags(node: &Located) -> Literal {
    literal(node.flags.or(kind(node)))
}

/// Returns the flag of Rust code.
fn kind(node: &Located) -> Flags {
    let is_rust =
        matches!(node.node.written(), Node::Within { .. } | Node::Leaf { .. } | Node::Spread(_) | Node::Cfg { .. });
    if is_rust { Flags::RUST } else { Flags::NONE }
}

fn literal(flags: Flags) -> Literal {
    Literal::u32_unsuffixed(flags.0)
}
