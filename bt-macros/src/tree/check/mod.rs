//! Syntax to plan: everything that is wrong with a tree and that rustc would not say better.

use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::quote;
use syn::Expr;

use self::arguments::{argument, thresholds};
use super::ast;
use super::keyword::{self, Form, Keyword};
use super::parse::salvage;
use super::plan::{Args, Flags, Located, Node, Threshold, Tree};
use crate::errors::{Errors, Left, nearest};

mod allow;
mod arguments;
mod machine;
mod siblings;

/// Checks a whole tree.
pub(crate) fn tree(tree: ast::Tree, errors: &mut Errors) -> Tree {
    Tree { context: tree.context, root: node(tree.root, errors) }
}

fn node(node: ast::Node, errors: &mut Errors) -> Located {
    match node {
        ast::Node::Inner(inner) => self::inner(inner, errors),
        ast::Node::Machine(machine) => machine::machine(*machine, errors),
        ast::Node::Not { bang, child } => {
            let child = self::node(*child, errors);
            let keyword = Ident::new("invert", Span::mixed_site().located_at(bang));
            unlabelled(decorator(keyword, Args::None, child), bang)
        }
        ast::Node::Allowing { names, node } => {
            let flags = allow::flags(&names, errors);
            let node = self::node(*node, errors);
            Located { flags: node.flags.or(flags), ..node }
        }
        ast::Node::Leaf(leaf) => Located { text: leaf.text, ..unlabelled(Node::Leaf(leaf.tokens), leaf.span) },
        ast::Node::Missing(span) => unlabelled(Node::Broken, span),
    }
}

fn unlabelled(node: Node, span: Span) -> Located {
    Located { node, label: None, text: String::new(), span, flags: Flags::default() }
}

fn inner(inner: ast::Inner, errors: &mut Errors) -> Located {
    let span = inner.path.span;
    let Some((word, keyword)) = inner.path.word.as_ref().and_then(|word| Some((word.clone(), known(word)?))) else {
        return own(inner, errors);
    };
    let random = matches!(keyword.form, Form::Random);
    let (weights, mut children) = children(inner.children, random, errors);
    siblings::reach(keyword.word, &mut children, errors);
    let args = inner.args;
    let mut flags = Flags::default();
    let node = match keyword.form {
        Form::Random => {
            if let Some(args) = &args {
                errors.at(
                    args.span(),
                    format!("`{word}` takes no arguments; weights stand before the children: `3 => child`"),
                );
                leave_args(Some(args), errors);
            }
            match composite(word, Vec::new(), children, errors) {
                Node::Composite { keyword, children, .. } => Node::Random { keyword, weights, children },
                other => other,
            }
        }
        Form::Composite => {
            if let Some(args) = &args {
                errors.at(args.span(), format!("`{word}` takes no arguments, only children: `{word} {{ … }}`"));
                leave_args(Some(args), errors);
            }
            composite(word, Vec::new(), children, errors)
        }
        Form::Parallel => {
            let (thresholds, written) = thresholds(&word, args.as_ref(), children.len(), errors);
            flags = written;
            composite(word, thresholds, children, errors)
        }
        Form::Plain => {
            let child = only_child(&word, children, errors);
            if let Some(args) = &args {
                errors.at(args.span(), format!("`{word}` takes no arguments: `{word} {{ … }}`"));
                leave_args(Some(args), errors);
            }
            decorator(word, Args::None, child)
        }
        Form::One(kind) => {
            let child = only_child(&word, children, errors);
            match argument(&word, args.as_ref(), kind, errors) {
                Some(args) => decorator(word, args, child),
                None => return left(word, args.as_ref(), child, errors),
            }
        }
        Form::Maybe(function, kind) => {
            let child = only_child(&word, children, errors);
            if args.is_none() {
                decorator(word, Args::None, child)
            } else {
                match argument(&word, args.as_ref(), kind, errors) {
                    Some(args) => decorator(Ident::new(function, word.span()), args, child),
                    None => return left(word, args.as_ref(), child, errors),
                }
            }
        }
        Form::Service => {
            let child = only_child(&word, children, errors);
            let located = service(word, args.as_ref(), inner.action.map(|action| *action), child, errors);
            return Located { label: inner.label, ..located };
        }
    };
    Located { label: inner.label, flags, ..unlabelled(node, span) }
}

/// `service(time, action) { child }`.
fn service(
    word: Ident,
    args: Option<&Group>,
    action: Option<ast::Node>,
    child: Located,
    errors: &mut Errors,
) -> Located {
    let span = word.span();
    let action = action.map(|action| node(action, errors));
    match (args.map(Group::stream).filter(|time| !time.is_empty()), action) {
        (Some(every), Some(action)) => {
            let (action, child) = (Box::new(action), Box::new(child));
            unlabelled(Node::Service { keyword: word, every, action, child }, span)
        }
        _ => {
            let at = args.map_or(span, Group::span);
            errors.at(at, "`service` takes a time and an action, as in `service(secs(1), look_around) { … }`");
            left(word, args, child, errors)
        }
    }
}

/// The children, and their weights if any has one; a child without has 1.
fn children(children: Vec<ast::Child>, random: bool, errors: &mut Errors) -> (Option<Vec<TokenStream>>, Vec<Located>) {
    let mut weights = Vec::new();
    let mut any = false;
    let mut located = Vec::new();
    for child in children {
        match &child.weight {
            Some(weight) if !random => {
                errors
                    .on(weight, "a weight stands only before the children of `random_selector` and `random_sequence`");
                salvage(weight.clone(), errors);
            }
            Some(weight) => any |= is_weight(weight, errors),
            None => {}
        }
        weights.push(child.weight.unwrap_or_else(|| quote!(1)));
        located.push(node(child.node, errors));
    }
    siblings::labels(&located, errors);
    (any.then_some(weights), located)
}

/// Whether what stands before `=>` can be a weight, as far as can be seen.
fn is_weight(weight: &TokenStream, errors: &mut Errors) -> bool {
    let number = match syn::parse2::<Expr>(weight.clone()) {
        Ok(Expr::Lit(literal)) => number(&literal.lit),
        Ok(Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. })) => match *expr {
            Expr::Lit(literal) => number(&literal.lit).map(|number| -number),
            _ => None,
        },
        Ok(_) => None,
        Err(error) => {
            errors.add(syn::Error::new(error.span(), format!("expected a number before `=>`: {error}")));
            return false;
        }
    };
    if number.is_some_and(|number| number <= 0.0 || !number.is_finite()) {
        errors.on(weight, "a weight has to be positive and finite: a child that is never drawn can be left out");
        return false;
    }
    true
}

fn number(literal: &syn::Lit) -> Option<f64> {
    match literal {
        syn::Lit::Int(number) => number.base10_parse().ok(),
        syn::Lit::Float(number) => number.base10_parse().ok(),
        _ => None,
    }
}

fn known(word: &Ident) -> Option<&'static Keyword> {
    keyword::find(&word.to_string())
}

fn decorator(keyword: Ident, args: Args, child: Located) -> Node {
    Node::Decorator { keyword, args, child: Box::new(child) }
}

fn composite(keyword: Ident, args: Vec<Threshold>, children: Vec<Located>, errors: &mut Errors) -> Node {
    if children.is_empty() {
        errors.at(keyword.span(), format!("`{keyword}` has no children: a composite needs at least one"));
        errors.leave(Left::Keyword(keyword));
        return Node::Broken;
    }
    Node::Composite { keyword, args, children }
}

/// A list before which no keyword stands: a decorator of the user's, or a keyword misspelt.
fn own(inner: ast::Inner, errors: &mut Errors) -> Located {
    let span = inner.path.span;
    let meant = inner.path.word.as_ref().and_then(|word| nearest(&word.to_string(), keyword::words()));
    let (_, mut children) = children(inner.children, false, errors);
    let path = inner.path.tokens;
    if let Some(meant) = meant {
        let own = if children.len() == 1 {
            format!(" (a decorator of your own by that name: `self::{path}`)")
        } else {
            String::new()
        };
        errors.on(&path, format!("no keyword `{path}`; did you mean `{meant}`?{own}"));
        leave_args(inner.args.as_ref(), errors);
        return unlabelled(in_sequence(children, span), span);
    }
    if let Some(label) = &inner.label {
        errors.at(label.span(), "a label stands after a keyword, not after a decorator of your own");
    }
    if children.len() != 1 {
        let found = children.len();
        let message = format!(
            "`{path}` is not a keyword, and a decorator of your own takes exactly one child: found {found}; \
             the composites are selector, sequence and parallel, with mem_ and random_ forms"
        );
        errors.on(&path, message);
        errors.leave(Left::Rust(path));
        leave_args(inner.args.as_ref(), errors);
        return unlabelled(in_sequence(children, span), span);
    }
    let args = inner.args.as_ref().map(Group::stream).unwrap_or_default();
    let child = Box::new(children.remove(0));
    unlabelled(Node::Own { path, args, child }, span)
}

/// The child of a decorator that is left out, since its arguments are wrong.
fn left(word: Ident, args: Option<&Group>, child: Located, errors: &mut Errors) -> Located {
    errors.leave(Left::Keyword(word));
    leave_args(args, errors);
    child
}

/// Keeps arguments attachment that are wrong or belong nowhere.
fn leave_args(args: Option<&Group>, errors: &mut Errors) {
    salvage(args.map(Group::stream).unwrap_or_default(), errors);
}

/// The one child of a decorator; of several, a sequence, so that all of them are still looked at.
fn only_child(keyword: &Ident, mut children: Vec<Located>, errors: &mut Errors) -> Located {
    if children.len() == 1 {
        return children.remove(0);
    }
    let message = match children.len() {
        0 => format!("`{keyword}` has no child: a decorator takes exactly one"),
        found => format!(
            "`{keyword}` takes exactly one child, found {found}: put them into a composite, such as `{keyword} {{ sequence {{ … }} }}`"
        ),
    };
    errors.at(keyword.span(), message);
    unlabelled(in_sequence(children, keyword.span()), keyword.span())
}

fn in_sequence(children: Vec<Located>, span: Span) -> Node {
    if children.is_empty() {
        return Node::Broken;
    }
    let keyword = Ident::new("sequence", Span::mixed_site().located_at(span));
    Node::Composite { keyword, args: Vec::new(), children }
}
