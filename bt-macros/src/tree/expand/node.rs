//! Expands nodes to Rust. Cannot fail.

use bt_syntax::plan::{Args, Guard, Located, Node, State, Target, Threshold, Transition};
use bt_syntax::{location, text};
use bt_words::{Flags, Lint};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::tuple::{CHILDREN, STATES, joined, tuple};
use super::{call, context, lifetimes, place, selection, varying};

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

/// Returns a node without its checks.
pub(super) fn node(child: &Located) -> TokenStream {
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
        Node::Machine { keyword, states, any } => machine(keyword, states, any, at),
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
            let args = call::with_comma(args);
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
pub(super) fn leaf(tokens: &TokenStream, at: Span) -> TokenStream {
    let cx = context::value();
    let leaf = match call::parts(tokens) {
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

fn threshold(threshold: &Threshold) -> TokenStream {
    match threshold {
        Threshold::Word(word) => quote!(__bt_core::keywords::#word),
        Threshold::Number(number) => quote!(__bt_core::__private::ConstThreshold::<#number>),
        Threshold::Computed(value) => quote!(__bt_core::keywords::at_least(#value)),
    }
}

/// Returns `keywords::machine((State, …), transitions, texts)`. Texts come last: an editor that looks for the token at its cursor in the expansion
/// must find the token before a text with the same word.
fn machine(keyword: &Ident, states: &[State], any: &[Transition], at: Span) -> TokenStream {
    let list = tuple(&states.iter().map(state).collect::<Vec<_>>(), STATES);
    let (texts, any) = (texts(any), transitions(any));
    call::keyword(at, keyword, &quote!(#list, #any, #texts))
}

fn state(state: &State) -> TokenStream {
    let at = Span::mixed_site().located_at(state.name.span());
    let name = state.name.unraw().to_string();
    let (texts, transitions) = (texts(&state.transitions), transitions(&state.transitions));
    let (enter, exit) = (hook(state.enter.as_ref()), hook(state.exit.as_ref()));
    let child = node(&state.node);
    let rules = quote!(__bt_core::__private::StateRules { transitions: #transitions, enter: #enter, exit: #exit });
    call::associated(at, &quote!(State<_, _>), &quote!(new), &quote!(#name, #child, #rules, #texts))
}

/// Returns nested transitions: `(first, (second, ()))`.
fn transitions(transitions: &[Transition]) -> TokenStream {
    transitions.iter().rev().fold(quote!(()), |rest, transition| {
        let guard = match &transition.guard {
            Guard::End(success) => quote!(__bt_core::__private::OnEnd::<#success>),
            Guard::Condition(condition) => attached(condition),
        };
        let to = match &transition.target {
            Target::State(index, _) => quote!(__bt_core::__private::To::<#index>),
            Target::Out(success) => quote!(__bt_core::__private::Out::<#success>),
        };
        quote!((__bt_core::__private::Guarded { guard: #guard, to: #to }, #rest))
    })
}

/// Returns transitions as shown in descriptions.
fn texts(transitions: &[Transition]) -> TokenStream {
    let texts = transitions.iter().map(|transition| {
        let on = &transition.text;
        let to = match &transition.target {
            Target::State(_, name) => name.unraw().to_string(),
            Target::Out(true) => "success".to_owned(),
            Target::Out(false) => "failure".to_owned(),
        };
        quote!(__bt_core::__private::TransitionText { on: #on, to: #to })
    });
    quote!(&[#(#texts),*])
}

fn hook(hook: Option<&Located>) -> TokenStream {
    hook.map_or_else(|| quote!(__bt_core::__private::NoHook), attached)
}

/// Returns the condition of a transition, or the action of a state.
fn attached(node: &Located) -> TokenStream {
    let at = Span::mixed_site().located_at(node.span);
    call::associated(at, &quote!(Attached<_>), &quote!(new), &attachment(node))
}
