//! Syntax to plan: everything that is wrong with a tree and that rustc would not say better.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::ast;
use super::keyword::{self, Form, Keyword};
use super::plan::{Node, Placed, Threshold, Tree};
use crate::errors::{Errors, did_you_mean};

mod machine;

/// Checks a whole tree.
pub(crate) fn tree(tree: ast::Tree, errors: &mut Errors) -> Tree {
    Tree { context: tree.context, root: node(tree.root, errors) }
}

fn node(node: ast::Node, errors: &mut Errors) -> Placed {
    match node {
        ast::Node::Inner(inner) => self::inner(inner, errors),
        ast::Node::Machine(machine) => machine::machine(*machine, errors),
        ast::Node::Not { bang, child } => {
            let child = self::node(*child, errors);
            let keyword = Ident::new("invert", Span::mixed_site().located_at(bang));
            unlabelled(decorator(keyword, TokenStream::new(), child), bang)
        }
        ast::Node::Leaf(leaf) => {
            Placed { node: Node::Leaf(leaf.tokens), label: None, text: leaf.text, span: leaf.span }
        }
        ast::Node::Missing(span) => unlabelled(Node::Broken, span),
    }
}

fn unlabelled(node: Node, span: Span) -> Placed {
    Placed { node, label: None, text: String::new(), span }
}

fn inner(inner: ast::Inner, errors: &mut Errors) -> Placed {
    let span = inner.path.span;
    let Some((word, keyword)) = inner.path.word.as_ref().and_then(|word| Some((word.clone(), known(word)?))) else {
        return own(inner, errors);
    };
    let random = matches!(keyword.form, Form::Random);
    let (weights, children) = children(inner.children, random, errors);
    let args = inner.args;
    let node = match keyword.form {
        Form::Random => {
            if let Some(args) = &args {
                errors.at(
                    args.span(),
                    format!("`{word}` takes no arguments; weights stand before the children: `3 => child`"),
                );
            }
            match composite(word, Vec::new(), children, errors) {
                Node::Composite { keyword, children, .. } => Node::Random { keyword, weights, children },
                other => other,
            }
        }
        Form::Composite => {
            if let Some(args) = &args {
                errors.at(args.span(), format!("`{word}` takes no arguments, only children: `{word} {{ … }}`"));
            }
            composite(word, Vec::new(), children, errors)
        }
        Form::Parallel => {
            let thresholds = thresholds(&word, args.as_ref(), children.len(), errors);
            composite(word, thresholds, children, errors)
        }
        Form::Plain => {
            let child = only_child(&word, children, errors);
            if let Some(args) = &args {
                errors.at(args.span(), format!("`{word}` takes no arguments: `{word} {{ … }}`"));
            }
            decorator(word, TokenStream::new(), child)
        }
        Form::One(example) => {
            let child = only_child(&word, children, errors);
            match argument(&word, args.as_ref(), example, errors) {
                Some(args) => decorator(word, args, child),
                None => return child,
            }
        }
        Form::Maybe(function, example) => {
            let child = only_child(&word, children, errors);
            if args.is_none() {
                decorator(word, TokenStream::new(), child)
            } else {
                match argument(&word, args.as_ref(), example, errors) {
                    Some(args) => decorator(Ident::new(function, word.span()), args, child),
                    None => return child,
                }
            }
        }
    };
    Placed { node, label: inner.label, text: String::new(), span }
}

/// The children, and their weights if any has one; a child without has 1.
fn children(children: Vec<ast::Child>, random: bool, errors: &mut Errors) -> (Option<Vec<TokenStream>>, Vec<Placed>) {
    let mut weights = Vec::new();
    let mut any = false;
    let mut placed = Vec::new();
    for child in children {
        match &child.weight {
            Some(weight) if !random => {
                errors
                    .on(weight, "a weight stands only before the children of `random_selector` and `random_sequence`");
            }
            Some(weight) => any |= is_weight(weight, errors),
            None => {}
        }
        weights.push(child.weight.unwrap_or_else(|| quote!(1)));
        placed.push(node(child.node, errors));
    }
    (any.then_some(weights), placed)
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

fn decorator(keyword: Ident, args: TokenStream, child: Placed) -> Node {
    Node::Decorator { keyword, args, child: Box::new(child) }
}

fn composite(keyword: Ident, args: Vec<Threshold>, children: Vec<Placed>, errors: &mut Errors) -> Node {
    if children.is_empty() {
        errors.at(keyword.span(), format!("`{keyword}` has no children: a composite needs at least one"));
        return Node::Broken;
    }
    Node::Composite { keyword, args, children }
}

/// A list before which no keyword stands: a decorator of the user's, or a keyword misspelt.
fn own(inner: ast::Inner, errors: &mut Errors) -> Placed {
    let span = inner.path.span;
    let meant = inner.path.word.as_ref().and_then(|word| did_you_mean(&word.to_string(), keyword::words()));
    let (_, mut children) = children(inner.children, false, errors);
    let path = inner.path.tokens;
    if let Some(meant) = meant {
        let own = if children.len() == 1 {
            format!(" (a decorator of your own by that name: `self::{path}`)")
        } else {
            String::new()
        };
        errors.on(&path, format!("no keyword `{path}`; did you mean `{meant}`?{own}"));
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
        return unlabelled(in_sequence(children, span), span);
    }
    let args = inner.args.as_ref().map(Group::stream).unwrap_or_default();
    let child = Box::new(children.remove(0));
    unlabelled(Node::Own { path, args, child }, span)
}

/// The one child of a decorator; of several, a sequence, so that all of them are still looked at.
fn only_child(keyword: &Ident, mut children: Vec<Placed>, errors: &mut Errors) -> Placed {
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

fn in_sequence(children: Vec<Placed>, span: Span) -> Node {
    if children.is_empty() {
        return Node::Broken;
    }
    let keyword = Ident::new("sequence", Span::mixed_site().located_at(span));
    Node::Composite { keyword, args: Vec::new(), children }
}

/// The one argument of a decorator.
fn argument(keyword: &Ident, args: Option<&Group>, example: &str, errors: &mut Errors) -> Option<TokenStream> {
    let form = format!("as in `{keyword}({example}) {{ … }}`");
    let Some(args) = args else {
        errors.at(keyword.span(), format!("`{keyword}` takes one argument, {form}"));
        return None;
    };
    let count = match Parser::parse2(Punctuated::<Expr, Token![,]>::parse_terminated, args.stream()) {
        Ok(args) => args.len(),
        // Half typed: rustc says what is wrong with the expression.
        Err(_) => 1,
    };
    if count == 1 && !args.stream().is_empty() {
        return Some(args.stream());
    }
    errors.at(args.span(), format!("`{keyword}` takes one argument, {form}; found {count}"));
    None
}

/// The thresholds of a parallel, success first.
fn thresholds(keyword: &Ident, args: Option<&Group>, children: usize, errors: &mut Errors) -> Vec<Threshold> {
    let mut given: [Option<Threshold>; 2] = [None, None];
    for option in args.map(options).unwrap_or_default() {
        let name = option.name.to_string();
        if name == "_" {
            errors.at(
                option.name.span(),
                format!("`{keyword}` takes options with names: `{keyword}(success = all, failure = one)`"),
            );
            continue;
        }
        match keyword::THRESHOLDS.iter().position(|known| *known == name) {
            Some(index) if given[index].is_some() => {
                errors.at(option.name.span(), format!("`{name}` is given twice"));
            }
            Some(index) => match option.value {
                Some(value) => given[index] = Some(threshold(value, children, errors)),
                None => {
                    let message =
                        format!("`{name}` has no value: `{name} = all`, `{name} = one` or a number of children");
                    errors.at(option.name.span(), message);
                }
            },
            None => {
                let meant = did_you_mean(&name, keyword::THRESHOLDS).map_or_else(
                    || format!("its options are `{keyword}(success = all, failure = one)`"),
                    |meant| format!("did you mean `{meant}`?"),
                );
                errors.at(option.name.span(), format!("`{keyword}` has no option `{name}`; {meant}"));
            }
        }
    }
    let by_default =
        ["all", "one"].map(|word| Threshold::Word(Ident::new(word, Span::mixed_site().located_at(keyword.span()))));
    given.into_iter().zip(by_default).map(|(given, default)| given.unwrap_or(default)).collect()
}

fn threshold(value: TokenStream, children: usize, errors: &mut Errors) -> Threshold {
    if let Ok(word) = syn::parse2::<Ident>(value.clone())
        && (word == "all" || word == "one")
    {
        return Threshold::Word(word);
    }
    let Ok(literal) = syn::parse2::<syn::LitInt>(value.clone()) else {
        return Threshold::Computed(value);
    };
    match literal.base10_parse() {
        Ok(0) => {
            errors.at(literal.span(), "a threshold of 0 would be reached before any child is ticked: the least is 1");
        }
        Ok(number) if number > children && children > 0 => {
            let there = if children == 1 { "is 1 child".to_owned() } else { format!("are {children} children") };
            let message = format!("a threshold of {number} can never be reached: there {there} here");
            errors.at(literal.span(), message);
        }
        Ok(number) => return Threshold::Number(number),
        Err(error) => errors.add(error),
    }
    Threshold::Word(Ident::new("one", Span::mixed_site()))
}

/// `name = value` in an argument list.
struct Opt {
    name: Ident,
    value: Option<TokenStream>,
}

/// The options in an argument list; what is no option at all comes as a name that no option has.
fn options(args: &Group) -> Vec<Opt> {
    let mut options = Vec::new();
    let mut tokens = args.stream().into_iter().peekable();
    while let Some(first) = tokens.next() {
        let name = match first {
            TokenTree::Ident(name) => name,
            other => Ident::new("_", other.span()),
        };
        let mut value: Option<TokenStream> = None;
        for token in tokens.by_ref() {
            match (&token, &mut value) {
                (TokenTree::Punct(punct), _) if punct.as_char() == ',' => break,
                (TokenTree::Punct(punct), None) if punct.as_char() == '=' => value = Some(TokenStream::new()),
                (_, Some(value)) => value.extend([token]),
                (_, None) => {}
            }
        }
        options.push(Opt { name, value: value.filter(|value| !value.is_empty()) });
    }
    options
}
