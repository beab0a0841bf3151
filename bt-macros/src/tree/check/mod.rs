//! Syntax to plan: everything that is wrong with a tree and that rustc would not say better.

use bt_words::{Family, Flags, nearest, peer};
use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::quote;
use syn::Expr;

use self::arguments::{argument, thresholds};
use super::ast;
use super::keyword::{self, Form, Keyword};
use super::parse::salvage;
use super::plan::{Args, Located, Node, Threshold, Tree};
use crate::errors::{Errors, Left};

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
    Located { node, label: None, text: String::new(), span, flags: Flags::NONE }
}

fn inner(inner: ast::Inner, errors: &mut Errors) -> Located {
    let span = inner.path.span;
    let Some((word, keyword)) = inner.path.word.as_ref().and_then(|word| Some((word.clone(), known(word)?))) else {
        return own(inner, errors);
    };
    let weighted = matches!(keyword.form, Form::Weights);
    let (weights, mut children) = children(inner.children, weighted, errors);
    siblings::reach(keyword.word, &mut children, errors);
    let args = inner.args;
    let is_composite = keyword.word.row().family == Family::Composite;
    if let (Form::Plain | Form::Weights, Some(args)) = (keyword.form, &args) {
        let instead = match (weighted, is_composite) {
            (true, _) => "; weights stand before the children: `3 => child`".to_owned(),
            (false, true) => format!(", only children: `{word} {{ … }}`"),
            (false, false) => format!(": `{word} {{ … }}`"),
        };
        errors.at(args.span(), format!("`{word}` takes no arguments{instead}"));
        leave_args(Some(args), errors);
    }
    let (mut thresholds, mut flags) = (Vec::new(), Flags::NONE);
    if let Form::Options(params) = keyword.form {
        (thresholds, flags) = self::thresholds(&word, args.as_ref(), params, children.len(), errors);
    }
    let node = if is_composite {
        match composite(word, thresholds, children, errors) {
            Node::Composite { keyword, children, .. } if weighted => Node::Random { keyword, weights, children },
            node => node,
        }
    } else {
        let child = only_child(&word, children, errors);
        // The word with an argument may have another function than the one without.
        let (param, function) = match keyword.form {
            Form::Plain | Form::Weights | Form::Options(_) => (None, word.clone()),
            Form::Maybe(_, _) if args.is_none() => (None, word.clone()),
            Form::Maybe(param, other) => (Some(param), Ident::new(other.row().function, word.span())),
            Form::One(param) => (Some(param), word.clone()),
            Form::Action => {
                let located = service(word, args.as_ref(), inner.action.map(|action| *action), child, errors);
                return Located { label: inner.label, ..located };
            }
        };
        let args = match param {
            None => Args::None,
            Some(param) => match argument(&word, args.as_ref(), param, errors) {
                Some(args) => args,
                None => return left(word, args.as_ref(), child, errors),
            },
        };
        decorator(function, args, child)
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

fn known(word: &Ident) -> Option<Keyword> {
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
    let word = inner.path.word.as_ref().map(ToString::to_string);
    let peer = word.as_deref().and_then(peer);
    let meant = match (&peer, &word) {
        (Some(peer), _) => Some(peer.word.name()),
        (None, Some(word)) => nearest(word, keyword::names()),
        (None, None) => None,
    };
    let (_, mut children) = children(inner.children, false, errors);
    let path = inner.path.tokens;
    if let Some(meant) = meant {
        let own = if children.len() == 1 {
            format!(" (a decorator of your own by that name: `self::{path}`)")
        } else {
            String::new()
        };
        let message = match peer.map(|peer| peer.difference) {
            None => format!("no keyword `{path}`; did you mean `{meant}`?{own}"),
            Some("") => format!("no keyword `{path}`: it is called `{meant}` here{own}"),
            Some(difference) => format!("no keyword `{path}`: it is called `{meant}` here; {difference}{own}"),
        };
        errors.on(&path, message);
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
