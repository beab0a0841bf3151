//! Plan to Rust. Cannot fail.
//!
//! The user's tokens are emitted once, with their own spans, for the errors of rustc and for editors. All other
//! tokens resolve in this crate (`mixed_site`) and have the location of the user's node.

use bt_words::{Flags, Lint};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use bt_syntax::errors::Errors;
use bt_syntax::plan::{Args, Located, Node, Threshold, Tree};
use bt_syntax::{location, text};

use crate::editor::is_in_editor;

mod call;
mod context;
mod left;
mod lifetimes;
#[cfg(feature = "live")]
mod live;
mod machine;
mod place;
mod selection;
mod varying;

#[cfg(feature = "live")]
pub(crate) use live::{generated, live};

/// The maximum number of children in a tuple.
const CHILDREN: usize = 8;
/// The maximum number of states in a tuple. A machine reads the tag of its state in each tick, and a join has a second one.
const STATES: usize = 12;

/// Returns a block that evaluates to the root of the tree.
///
/// If the tree is not a node over its context, its nodes have been reported. It is then replaced by a valid node, which avoids one more error.
pub(crate) fn tree(tree: &Tree, errors: &Errors) -> TokenStream {
    let (root, spot) = (node(&tree.root), place::spot(&tree.root, tree.root.flags));
    let whole = whole();
    block(tree, errors, |cx, known| {
        quote! {
            let #whole = __bt_core::__private::Whole(#cx, #root, #spot);
            #known
        }
    })
}

/// Returns the variable that holds the whole tree.
fn whole() -> Ident {
    Ident::new("__whole", Span::mixed_site())
}

/// Returns the block of a tree. `statements` bind the whole tree. They get its context, and a statement that reports if the nodes of the tree do not
/// determine it.
fn block(
    tree: &Tree,
    errors: &Errors,
    statements: impl FnOnce(&TokenStream, Option<TokenStream>) -> TokenStream,
) -> TokenStream {
    let left = errors.left().iter().map(left::left);
    let context = tree.context.as_ref().map_or_else(|| quote!(_), |context| context.ty.clone());
    let (binding, cx) = context::binding(&context);
    let every = tree.context.as_ref().and_then(|context| context.family.as_ref()).and_then(lifetimes::every);
    let is_inferred = tree.context.is_none() && errors.is_empty() && !is_in_editor();
    let known = is_inferred.then(|| {
        let at = Span::mixed_site().located_at(tree.root.span);
        let known = call::of_trait(at, &quote!(HasContext), &quote!(check), &quote!(#cx.known()));
        quote!(#known;)
    });
    let (methods, statements, whole) = (varying::methods(), statements(&cx, known), whole());
    let (states, errors) = (errors.left().iter().filter_map(left::states), errors.to_tokens());
    // An editor compares the expansions with and without the word at its cursor up to that word, which the texts of errors and states can contain.
    let (first, last) = if is_in_editor() { (None, Some(quote!(#(#states)* #errors))) } else { (Some(errors), None) };
    quote! {{
        #methods
        #binding
        #every
        #(#left)*
        #first
        #statements
        #last
        #whole.or_broken()
    }}
}

/// Returns a tree with its source locations and its compile-time checks.
fn rooted(root: &Located) -> TokenStream {
    located(root, root.flags)
}

fn located(root: &Located, flags: Flags) -> TokenStream {
    let (node, spot) = (node(root), place::spot(root, flags));
    quote!(__bt_core::__private::located(#node, #spot))
}

/// Returns a child of the user's node. The check of that node knows whether the child is reachable.
fn own_child(child: &Located) -> TokenStream {
    located(child, child.flags.not_expecting(Lint::Unreachable))
}

/// Returns a node that is not a child, such as a condition or a hook. A plain leaf needs no checks.
fn attachment(root: &Located) -> TokenStream {
    if place::is_checked(root) { rooted(root) } else { node(root) }
}

fn node(child: &Located) -> TokenStream {
    let cx = context::value();
    let at = Span::mixed_site().located_at(child.span);
    match &child.node {
        Node::Composite { keyword, args, children } => {
            let args = args.iter().map(threshold);
            let list = list_of(children);
            call::keyword(at, keyword, &quote!(#(#args,)* #list))
        }
        Node::Random { keyword, weights, children } => {
            let weights = match weights {
                Some(weights) => {
                    let weights = weights.iter().map(weight);
                    call::associated(at, &quote!(Weighted<_>), &quote!(new), &quote!([#(#weights),*]))
                }
                None => call::function(at, &quote!(uniform), &TokenStream::new()),
            };
            let list = list_of(children);
            let weights = call::of_trait(at, &quote!(DrawnOver<_>), &quote!(over), &quote!(#cx, #weights));
            call::keyword(at, keyword, &quote!(#weights, #list))
        }
        Node::Utility { keyword, context, keep, scores, bound, children } => {
            let (keep, list) = (keep.iter().map(selection::number), list_of(children));
            let scores = selection::scores(scores, bound, context.as_ref(), at);
            call::keyword(at, keyword, &quote!(#(#keep,)* #scores, #list))
        }
        Node::Match { keyword, context, function, patterns, bound, children } => {
            let cases = match bound {
                Some(variable) => variable.to_token_stream(),
                None => {
                    let on = text::name(&function.tokens);
                    selection::cases(&on, function, patterns, context.as_ref(), at)
                }
            };
            let list = list_of(children);
            call::keyword(at, keyword, &quote!(#cases, #list))
        }
        Node::Machine { keyword, states, any } => machine::machine(keyword, states, any, at),
        Node::Service { keyword, every, action, child } => {
            let (text, action, child) = (&action.text, attachment(action), node(child));
            let service = call::keyword(at, keyword, &quote!(#every, #action, #text, #child));
            call::of_trait(at, &quote!(NodeOver<_>), &quote!(over), &quote!(#cx, #service))
        }
        Node::Decorator { keyword, args, child } => {
            let (policy, child) = (policy(keyword, args, at), node(child));
            call::of_trait(at, &quote!(PolicyOver<_>), &quote!(decorate), &quote!(#cx, #policy, #child))
        }
        Node::Own { path, args, annotations, children } => {
            let children = list(children, own_child);
            let annotations = annotations.as_ref().map(|annotations| quote!([#(#annotations),*],));
            let args = with_comma(args);
            let arguments = call::group(child.span, &quote!(#args #annotations #children));
            let own = varying::given(&quote!(#path #arguments), at, |own| {
                call::of_trait(at, &quote!(FromChildren<_, _>), &quote!(node), &quote!(#cx, #own))
            });
            let own = call::of_trait(at, &quote!(NodeOver<_>), &quote!(over), &quote!(#cx, #own));
            if child.is_saved { saved(&own, at) } else { own }
        }
        Node::Within { keyword, part, every, child } => {
            let part = if *every { lifetimes::part(part, at) } else { part.clone() };
            // The context in the braces is that of the part.
            let (child, inner) = (rooted(child), context::parameter());
            call::keyword(at, keyword, &quote!(#cx, #part, |#inner| #child))
        }
        Node::Leaf { rust, every } => {
            let leaf = leaf(rust, at);
            let leaf = if *every { lifetimes::checked(&leaf, at) } else { leaf };
            if child.is_saved { saved(&leaf, at) } else { leaf }
        }
        // `list` expands them.
        Node::Spread(_) | Node::Cfg { .. } => spread(child),
        Node::Bound { variable, .. } => variable.to_token_stream(),
        Node::Broken => call::function(at, &quote!(broken), &TokenStream::new()),
    }
}

/// Returns the user's Rust as a node: first as `IntoNode`, then as a node over the context, so that each bound has its own error.
fn leaf(tokens: &TokenStream, at: Span) -> TokenStream {
    let cx = context::value();
    let leaf = match call_of(tokens) {
        // A call without arguments is the same as the function alone.
        Some((path, arguments)) if arguments.stream().is_empty() => {
            let function = call::function(at, &quote!(Called), &quote!(&#path));
            let arguments = call::group(at, &TokenStream::new());
            call::of_trait(at, &quote!(IntoNode<_, _>), &quote!(leaf), &quote!(#cx, #function.called #arguments))
        }
        called => {
            let of = if called.is_some() { quote!(FromCall<_, _>) } else { quote!(IntoNode<_, _>) };
            varying::given(tokens, at, |given| call::of_trait(at, &of, &quote!(leaf), &quote!(#cx, #given)))
        }
    };
    call::of_trait(at, &quote!(NodeOver<_>), &quote!(over), &quote!(#cx, #leaf))
}

/// Returns the path and the arguments of a call; `None` for other Rust.
fn call_of(tokens: &TokenStream) -> Option<(TokenStream, Group)> {
    let mut path: Vec<_> = tokens.clone().into_iter().collect();
    let TokenTree::Group(arguments) = path.pop()? else { return None };
    let is_path = path.iter().all(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    });
    let is_call = !path.is_empty() && is_path && arguments.delimiter() == Delimiter::Parenthesis;
    is_call.then(|| (path.into_iter().collect(), arguments))
}

/// Returns a node whose state has to be saved. One that cannot be is reported and replaced.
fn saved(node: &TokenStream, at: Span) -> TokenStream {
    let open = call::of_trait(at, &quote!(OpenSaved), &quote!(saved), node);
    let open = quote!(__bt_core::__private::OpenOr(#open).or_broken());
    let kept = call::of_trait(at, &quote!(KeptSaved), &quote!(saved), &open);
    quote!(__bt_core::__private::KeptOr(#kept).or_broken())
}

/// Returns a weight as a float.
fn weight(weight: &TokenStream) -> TokenStream {
    call::of_trait(location::for_names(weight), &quote!(Weight), &quote!(into_f64), weight)
}

/// Returns the policy of a decorator of the vocabulary.
fn policy(keyword: &Ident, args: &Args, at: Span) -> TokenStream {
    let args = match args {
        Args::None => TokenStream::new(),
        Args::Times(times, span) => {
            let mut times = Literal::u32_unsuffixed(*times);
            times.set_span(*span);
            quote!(__bt_core::__private::Fixed::<#times>)
        }
        Args::Rust(tokens) => tokens.clone(),
        Args::Bound(variable) => return variable.to_token_stream(),
    };
    call::keyword(at, keyword, &args)
}

fn list_of(children: &[Located]) -> TokenStream {
    list(children, node)
}

/// Returns a list of children: tuples and containers, joined.
fn list(children: &[Located], node: impl Fn(&Located) -> TokenStream) -> TokenStream {
    let parts = children.chunk_by(|one, other| !one.varies() && !other.varies());
    let parts: Vec<_> = parts
        .map(|part| match part {
            [only] if only.varies() => spread(only),
            nodes => tuple(&nodes.iter().map(&node).collect::<Vec<_>>(), CHILDREN),
        })
        .collect();
    joined(&parts)
}

/// Returns a container of children.
fn spread(child: &Located) -> TokenStream {
    let (cx, at) = (context::value(), Span::mixed_site().located_at(child.span));
    let container = match &child.node {
        Node::Spread(tokens) => tokens.clone(),
        Node::Cfg { cfgs, child } => {
            let some = match &child.node {
                Node::Spread(tokens) => tokens.clone(),
                _ => {
                    let child = rooted(child);
                    quote!(__bt_core::__private::Some(#child))
                }
            };
            let absent = call::function(at, &quote!(broken), &TokenStream::new());
            let variable = Ident::new("__child", Span::mixed_site());
            quote!({
                #[cfg(all(#(#cfgs),*))]
                let #variable = #some;
                #[cfg(not(all(#(#cfgs),*)))]
                let #variable = if false { __bt_core::__private::Some(#absent) } else { __bt_core::__private::None };
                #variable
            })
        }
        _ => node(child),
    };
    call::of_trait(at, &quote!(IntoSpread<_, _>), &quote!(spread), &quote!(#cx, #container))
}

/// Returns a tuple, or a balanced join of several tuples with at most this many elements.
fn tuple(nodes: &[TokenStream], most: usize) -> TokenStream {
    if nodes.len() <= most {
        return quote!((#(#nodes,)*));
    }
    let (first, second) = nodes.split_at(nodes.len().div_ceil(2));
    let (first, second) = (tuple(first, most), tuple(second, most));
    quote!(__bt_core::__private::Join(#first, #second))
}

/// Returns a balanced join of lists.
fn joined(lists: &[TokenStream]) -> TokenStream {
    match lists {
        [only] => only.clone(),
        lists => {
            let (first, second) = lists.split_at(lists.len().div_ceil(2));
            let (first, second) = (joined(first), joined(second));
            quote!(__bt_core::__private::Join(#first, #second))
        }
    }
}

fn threshold(threshold: &Threshold) -> TokenStream {
    match threshold {
        Threshold::Word(word) => quote!(__bt_core::keywords::#word),
        Threshold::Number(number) => quote!(__bt_core::__private::ConstThreshold::<#number>),
        Threshold::Computed(value) => quote!(__bt_core::keywords::at_least(#value)),
    }
}

/// Returns arguments with a trailing comma.
fn with_comma(args: &TokenStream) -> TokenStream {
    let last = args.clone().into_iter().last();
    let needs_comma = last.is_some_and(|last| !matches!(last, TokenTree::Punct(punct) if punct.as_char() == ','));
    let comma = needs_comma.then(|| quote!(,));
    let mut tokens = args.to_token_stream();
    tokens.extend(comma);
    tokens
}
