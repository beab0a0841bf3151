//! A tree that follows its source: what the compiler makes of each part is a variable, which one of two trees gets: the static one, or
//! the loaded one of `bt-live`.
//!
//! The user's tokens are emitted once, except functions before children, which make a node in each of the two.

use bt_syntax::errors::Errors;
use bt_syntax::live::{Bound, Compiled, PartKind, Place, Template, cases};
use bt_syntax::plan::Function;
use bt_syntax::plan::{Located, Node, Tree};
use bt_syntax::{location, text};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::node::node;
use super::tuple::{CHILDREN, tuple};
use super::{block, call, place, selection, whole};

/// Returns a block that evaluates to the tree: static, or as it is in the source now. `parts` are those of the tree, in which they are bound to variables.
/// `source` is its text with the place where that begins, and `path` the one of what the expansion calls.
pub(crate) fn live(tree: &Tree, parts: &[Bound], source: (&str, Place), path: &TokenStream) -> TokenStream {
    let (source, Place { line, column }) = source;
    let (root, spot) = (node(&tree.root), place::spot(&tree.root, tree.root.flags));
    let (site, whole) = (site(), whole());
    let made: Vec<_> = parts.iter().map(|part| Made::of(part, path)).collect();
    let statements = made.iter().map(|made| &made.statements);
    let list = list(&made.iter().map(|made| made.entry.clone()).collect::<Vec<_>>(), path);
    let own: Vec<_> = made.iter().filter_map(|made| made.is_known.as_ref()).collect();
    let known = own.iter().rev().fold(quote!(()), |rest, own| quote!((#own, #rest)));
    block(tree, &Errors::default(), |cx, context| {
        quote! {
            #[allow(unused_imports)]
            use #path::{Incapable as _, OpaqueNode as _, UnsavedNode as _};
            static #site: #path::Site = #path::Site::new(
                ::core::file!(),
                ::core::line!(),
                ::core::option_env!("CARGO_MANIFEST_DIR"),
                #source,
                (#line, #column),
            );
            #(#statements)*
            let #whole = if !#path::is_live(&#site, &[#(#own.is_known()),*]) {
                #path::Both::Fixed(__bt_core::__private::Whole(#cx, #root, #spot))
            } else {
                // Here, the static tree has determined the context.
                #context
                let __parts = #list;
                let __capable = #path::Capable(#cx);
                let (__clock, __random) = (__capable.clock(), __capable.random());
                #path::Both::Live(#cx, &#site, #path::Store { parts: __parts, clock: __clock, random: __random }, #known)
            };
        }
    })
}

/// Returns a static tree whose tokens come from a macro, so that it cannot follow its source, which is reported.
pub(crate) fn generated(tree: &TokenStream, path: &TokenStream) -> TokenStream {
    let site = site();
    quote! {{
        static #site: #path::Site = #path::Site::new(
            ::core::file!(),
            ::core::line!(),
            ::core::option_env!("CARGO_MANIFEST_DIR"),
            "",
            (::core::line!(), ::core::column!()),
        );
        #path::is_generated(&#site);
        #tree
    }}
}

/// Returns the static that represents the tree in the running program.
fn site() -> Ident {
    Ident::new("__SITE", Span::mixed_site())
}

/// The Rust of a part.
struct Made {
    /// The statements before the tree.
    statements: TokenStream,
    /// The entry of the part in the list of the loaded tree.
    entry: TokenStream,
    /// Of a node of the user: whether its form is known, so that the loaded tree can have it.
    is_known: Option<TokenStream>,
}

impl Made {
    fn of(part: &Bound, path: &TokenStream) -> Self {
        let (variable, value, written) = (&part.variable, value(part, path), written(part, path));
        let present = piece(part, &quote!(#variable), path);
        let (statements, maker) = if part.has_maker() {
            let make = format_ident!("__make{}", part.number, span = variable.span());
            let again = piece(part, &quote!(#make()), path);
            let statements = quote! {
                let #make = move || #value;
                let #variable = #make();
            };
            (statements, quote!(#path::Making(move || #again)))
        } else {
            (quote!(let #variable = #value;), quote!(#path::NoMaker))
        };
        let entry = quote!(#path::Part { written: &#written, piece: #present, maker: #maker });
        let is_known = matches!(part.compiled, Compiled::Own { .. }).then(|| quote!(#variable.1));
        Self { statements, entry, is_known }
    }
}

/// Returns what the compiler makes of a part, with holes for its literals.
fn value(part: &Bound, path: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(part.span);
    let mut holes = holes(part, path).into_iter();
    let mut next = || holes.next().unwrap_or_default();
    match &part.compiled {
        Compiled::Node(written) => match &written.node {
            Node::Leaf { every, .. } => {
                node(&Located { node: Node::Leaf { rust: next(), every: *every }, ..written.clone() })
            }
            _ => node(written),
        },
        Compiled::Policy { keyword } => call::keyword(at, keyword, &next()),
        Compiled::Own { path: function, children } => {
            let args = call::with_comma(&next());
            let annotations = (part.template.parts.len() > 1).then(next).map(|annotations| quote!([#annotations],));
            let child = || call::function(at, &quote!(broken), &TokenStream::new());
            let children = tuple(&(0..*children).map(|_| child()).collect::<Vec<_>>(), CHILDREN);
            let arguments = call::group(part.span, &quote!(#args #annotations #children));
            quote!(#path::OwnNode(#function #arguments).piece())
        }
        Compiled::Score { .. } => next(),
        Compiled::Selection { context, function, patterns } => {
            let tokens = next();
            let closure = function.closure.as_ref().and_then(|_| syn::parse2(tokens.clone()).ok());
            let on = text::name(&function.tokens);
            selection::cases(&on, &Function { tokens, closure }, patterns, context.as_ref(), at)
        }
    }
}

/// Returns a value of a part as what the loaded tree takes.
fn piece(part: &Bound, value: &TokenStream, path: &TokenStream) -> TokenStream {
    let at = Span::mixed_site().located_at(part.span);
    match &part.compiled {
        // It has nodes, which have source locations.
        Compiled::Node(written) if part.is_island => {
            let spot = place::spot(written, written.flags);
            quote!(#path::LeafNode(__bt_core::__private::located(#value, #spot)).piece())
        }
        Compiled::Node(_) => quote!(#path::LeafNode(#value).piece()),
        Compiled::Policy { .. } => quote!(#path::PolicyPiece::new(#value)),
        Compiled::Own { .. } => quote!(#value.0),
        Compiled::Score { context } => {
            let (variable, score) = (&part.variable, part.template.parts.iter().map(|part| part.tokens.clone()));
            let bound = [Some(variable.clone())];
            let scores = selection::scores(&score.collect::<Vec<_>>(), &bound, context.as_ref(), at);
            quote! {
                #path::ScorePiece::new({
                    let #variable = #value;
                    #scores
                })
            }
        }
        Compiled::Selection { patterns, .. } => {
            let cases = cases(patterns);
            quote!(#path::SelectionPiece::new(#value, &[#(#cases),*]))
        }
    }
}

/// Returns the user's expressions of a part, with a call for each literal.
fn holes(part: &Bound, path: &TokenStream) -> Vec<TokenStream> {
    let (site, number) = (site(), unsuffixed(part.number));
    part.template.with_holes(|index, literal| {
        let (at, index) = (location::of(&literal), unsuffixed(index));
        let function = call::group(at, &at_literal(&quote!(#path::Site::literal), at));
        let arguments = call::group(at, &quote!(&#site, #number, #index, #literal));
        quote!(#function #arguments)
    })
}

/// Returns the tokens of a path at the location of a literal, so that the errors of rustc do not show the whole tree.
fn at_literal(path: &TokenStream, at: Span) -> TokenStream {
    let located = path.clone().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(at));
        token
    });
    located.collect()
}

/// Returns the description of a part in the source.
fn written(part: &Bound, path: &TokenStream) -> TokenStream {
    let kind = match part.kind {
        PartKind::Leaf => quote!(Leaf),
        PartKind::Decorator => quote!(Decorator),
        PartKind::Composite => quote!(Composite),
        PartKind::Score => quote!(Score),
        PartKind::Selection => quote!(Selection),
    };
    let (is_island, Template { key, literals, in_closure, .. }) = (part.is_island, &part.template);
    let literals = literals.iter().map(ToString::to_string);
    quote! {
        #path::Written {
            kind: #path::PartKind::#kind,
            is_island: #is_island,
            key: #key,
            literals: &[#(#literals),*],
            in_closure: &[#(#in_closure),*],
        }
    }
}

/// Returns a balanced list.
fn list(entries: &[TokenStream], path: &TokenStream) -> TokenStream {
    match entries {
        [] => quote!(#path::NoParts),
        [only] => only.clone(),
        entries => {
            let (first, second) = entries.split_at(entries.len().div_ceil(2));
            let (first, second) = (list(first, path), list(second, path));
            quote!(#path::Pair(#first, #second))
        }
    }
}

fn unsuffixed(number: usize) -> Literal {
    Literal::usize_unsuffixed(number)
}
