//! Syntax to plan: reports every error in a tree, unless the message of rustc is better.

use bt_words::{Arity, Family, Flags, Param, Peer, Word, nearest, peer};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Expr;

use self::arguments::{argument, thresholds};
use self::plain::{in_sequence, missing, unlabeled};
use crate::ast;
use crate::errors::{Errors, Left};
use crate::keyword::{self, Form};
use crate::plan::{Args, Function, Located, Node, Threshold, Tree};
use crate::{location, tokens};

pub(crate) mod allow;
pub(crate) mod arguments;
mod context;
mod machine;
mod plain;
pub(crate) mod siblings;

/// Checks a tree.
pub fn tree(tree: ast::Tree<'_>, errors: &mut Errors) -> Tree {
    let mut root = tree.root.check(errors);
    let context = tree.context.map(context::context);
    if let Some(context) = &context {
        root.give_context(context);
    }
    if tree.is_saved {
        root.mark_saved();
    }
    Tree { context, root }
}

impl ast::Node<'_> {
    /// Checks the node.
    pub(super) fn check(self, errors: &mut Errors) -> Located {
        self.check_allowing(Flags::NONE, errors)
    }

    /// Checks the node, for which these lints are allowed.
    fn check_allowing(self, flags: Flags, errors: &mut Errors) -> Located {
        let located = match self {
            Self::Inner(inner) => return self::inner(inner, flags, errors),
            Self::Machine(machine) => machine::machine(*machine, errors),
            Self::If(branch) => self::branch(*branch, errors),
            Self::Match(selection) => self::selection(*selection, errors),
            Self::Not { bang, child } => {
                let child = child.check(errors);
                let keyword = tokens::Ident::made("invert", bang).to_macro();
                unlabeled(decorator(keyword, Args::None, child), bang.to_macro())
            }
            Self::Allowing { names, node } => {
                return node.check_allowing(flags.or(allow::flags(&names, errors)), errors);
            }
            Self::Leaf(leaf) => Located {
                text: leaf.tokens.name(),
                label: leaf.label.map(tokens::Text::to_macro),
                ..unlabeled(Node::Leaf { rust: leaf.tokens.to_macro(), every: false }, leaf.span.to_macro())
            },
            Self::Missing(span) | Self::Skipped(span) => unlabeled(Node::Broken, span.to_macro()),
        };
        Located { flags: located.flags.or(flags), ..located }
    }
}

fn inner(inner: ast::Inner<'_>, mut flags: Flags, errors: &mut Errors) -> Located {
    let located = inner_node(inner, &mut flags, errors);
    Located { flags: located.flags.or(flags), ..located }
}

/// Checks a node with children. `flags` are the lints that are allowed for it.
fn inner_node(inner: ast::Inner<'_>, flags: &mut Flags, errors: &mut Errors) -> Located {
    let span = inner.path.span.to_macro();
    if let Some(keyword) = inner.path.word.filter(|word| *word == keyword::WITHIN) {
        return within(keyword.to_macro(), inner, errors);
    }
    let known = inner.path.word.and_then(|word| Some((word.to_macro(), keyword::find(word.text())?)));
    let Some((word, keyword)) = known else { return own(inner, errors) };
    if let Some(message) = missing_feature(keyword.word, cfg!(any(test, feature = "random"))) {
        errors.at(span, message);
        let (_, children) = children(inner.children, true, errors);
        leave_args(inner.args, errors);
        return unlabeled(in_sequence(children, span), span);
    }
    if let Form::Scores(params) = keyword.form {
        return utility(word, params, inner, errors);
    }
    let weighted = matches!(keyword.form, Form::Weights);
    let (weights, mut children) = children(inner.children, weighted, errors);
    siblings::reach(keyword.word, &mut children, errors);
    let args = inner.args;
    let is_composite = keyword.word.row().family == Family::Composite;
    if let (Form::Plain | Form::Weights, Some(args)) = (keyword.form, args) {
        let help = if weighted {
            "write weights before the children: `3 => child`".to_owned()
        } else if keyword.word.row().arity() == Arity::BodyAndCleanup {
            format!("write `{word} {{ body, cleanup }}`")
        } else {
            format!("write `{word} {{ … }}`")
        };
        errors.at(args.span, format!("`{word}` takes no arguments\nhelp: {help}"));
        leave_args(Some(args), errors);
    }
    let mut thresholds = Vec::new();
    if let Form::Options(params) = keyword.form {
        let count = if children.iter().any(Located::varies) { None } else { Some(children.len()) };
        thresholds = self::thresholds(&word, args, params, count, flags, errors);
    }
    let node = if keyword.word.row().arity() == Arity::BodyAndCleanup {
        let children = body_and_cleanup(&word, children, args.is_some(), errors);
        Node::Composite { keyword: word, args: Vec::new(), children }
    } else if is_composite {
        match composite(word, thresholds, children, errors) {
            Node::Composite { keyword, children, .. } if weighted => Node::Random { keyword, weights, children },
            node => node,
        }
    } else {
        let child = only_child(&word, children, errors);
        // With an argument, the word may have another function than without.
        let (param, meant) = match keyword.form {
            Form::Plain | Form::Weights | Form::Scores(_) | Form::Options(_) => (None, keyword.word),
            Form::Maybe(_, _) if args.is_none() => (None, keyword.word),
            Form::Maybe(param, other) => (Some(param), other),
            Form::One(param) => (Some(param), keyword.word),
            Form::Action(_) => {
                let located = service(word, args, inner.action.map(|action| *action), child, errors);
                return Located { label: inner.label.map(tokens::Text::to_macro), ..located };
            }
        };
        let args = match param {
            None => Args::None,
            Some(param) => match argument(&word, meant, args, param, flags, errors) {
                Some(args) => args,
                None => return left(word, args, child, errors),
            },
        };
        decorator(Ident::new(meant.row().function, word.span()), args, child)
    };
    Located { label: inner.label.map(tokens::Text::to_macro), ..unlabeled(node, span) }
}

/// `if condition { node } else { node }`.
fn branch(branch: ast::If<'_>, errors: &mut Errors) -> Located {
    let ast::If { word, span, condition, label, then, otherwise } = branch;
    let span = span.to_macro();
    let nodes = [Some(condition), Some(then), otherwise];
    siblings::labels(nodes.iter().flatten(), errors);
    let mut children: Vec<_> = nodes.into_iter().flatten().map(|child| child.check(errors)).collect();
    children[0].mark_condition();
    let keyword = Ident::new(word.row().function, span);
    Located {
        label: label.map(tokens::Text::to_macro),
        ..unlabeled(Node::Composite { keyword, args: Vec::new(), children }, span)
    }
}

/// `match function { pattern => node, … }`.
fn selection(selection: ast::Match<'_>, errors: &mut Errors) -> Located {
    let ast::Match { word, span, function, label, arms } = selection;
    let span = span.to_macro();
    let is_empty = arms.is_empty();
    siblings::labels(arms.iter().map(|arm| &arm.node), errors);
    // An error in the place of a pattern has been reported.
    let pattern = |of: tokens::TokenStream<'_>| if of.is_empty() { quote!(_) } else { of.to_macro() };
    let (patterns, nodes): (Vec<_>, Vec<_>) = arms.into_iter().map(|arm| (pattern(arm.pattern), arm.node)).unzip();
    let children: Vec<_> = nodes.into_iter().map(|child| child.check(errors)).collect();
    let keyword = Ident::new(word.row().function, span);
    let node = match function {
        Some(ast::Function { tokens, closure }) if !is_empty => {
            let function = Function { tokens: tokens.to_macro(), closure };
            Node::Match { keyword, context: None, function, patterns, bound: None, children }
        }
        Some(function) => {
            let name = word.name();
            let help = format!("help: write `{name} mood {{ Mood::Calm => rest, Mood::Angry => fight }}`");
            errors.at(span, format!("`{name}` expects a pattern and a node, found none\n{help}"));
            errors.leave_rust(function.tokens);
            Node::Broken
        }
        None => in_sequence(children, span),
    };
    Located { label: label.map(tokens::Text::to_macro), ..unlabeled(node, span) }
}

/// `utility_selector(keep = bonus) { score => child, … }`.
fn utility(word: Ident, params: &'static [Param], inner: ast::Inner<'_>, errors: &mut Errors) -> Located {
    let span = word.span();
    let mut keep = None;
    if params.is_empty() {
        if let Some(args) = inner.args {
            let help = "write scores before the children: `hunger => child`";
            errors.at(args.span, format!("`{word}` takes no arguments\nhelp: {help}"));
            leave_args(Some(args), errors);
        }
    } else {
        keep = arguments::named(&word, inner.args, params, errors).into_iter().next();
    }
    let mut keep = keep.map(|keep| keep.map_or_else(|| quote!(0.0), tokens::TokenStream::to_macro));
    if let Some(Ok(Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), .. }))) =
        keep.as_ref().map(|keep| syn::parse2(keep.clone()))
    {
        errors.on(&keep, "expected a non-negative number for `keep`");
        keep = Some(quote!(0.0));
    }
    let missing = inner.children.iter().all(|child| child.weight.is_none());
    let (scores, children) = annotated(inner.children, errors);
    let node = match scores {
        Some(scores) => {
            let bound = scores.iter().map(|_| None).collect();
            Node::Utility { keyword: word, context: None, keep, scores, bound, children }
        }
        None => {
            if missing {
                let message = if children.is_empty() {
                    format!("`{word}` expects at least 1 child, found 0")
                } else {
                    format!(
                        "`{word}` expects a score before each child\nhelp: write `{word} {{ score => child }}`, where a score is a number or a `fn(&Context) -> f32`"
                    )
                };
                errors.at(span, message);
            }
            errors.leave(Left::Keyword(word));
            in_sequence(children, span)
        }
    };
    Located { label: inner.label.map(tokens::Text::to_macro), ..unlabeled(node, span) }
}

/// Returns the error for a word that needs a feature of `bt-core` which is not enabled.
fn missing_feature(word: Word, has_random: bool) -> Option<String> {
    let is_missing = word.row().needs_random() && !has_random;
    is_missing.then(|| {
        let name = word.name();
        format!("`{name}` requires the feature `random` of `bt-core`\nhelp: run `cargo add bt-core --features random`")
    })
}

/// `within(part) { child }`.
fn within(keyword: Ident, inner: ast::Inner<'_>, errors: &mut Errors) -> Located {
    let span = keyword.span();
    let (_, children) = children(inner.children, false, errors);
    let child = Box::new(only_child(&keyword, children, errors));
    if let Some(label) = &inner.label {
        errors
            .at(label.span(), "`within` cannot have a label\nnote: it is not a node of its own\nhelp: label its child");
    }
    if inner.args.is_some_and(|args| args.are_reported) {
        errors.leave(Left::Keyword(keyword));
        return unlabeled(Node::Broken, span);
    }
    match inner.args.map(|args| args.stream).filter(|part| !part.is_empty()) {
        Some(part) => unlabeled(Node::Within { keyword, part: part.to_macro(), every: false, child }, span),
        None => {
            let help = "help: write `within(|npc: &mut Npc| &mut npc.weapon) { … }`";
            errors.at(span, format!("`within` expects a function that returns a part of the context\n{help}"));
            errors.leave(Left::Keyword(keyword));
            unlabeled(Node::Broken, span)
        }
    }
}

/// `service(time, action) { child }`.
fn service(
    word: Ident,
    args: Option<ast::Args<'_>>,
    action: Option<ast::Node<'_>>,
    child: Located,
    errors: &mut Errors,
) -> Located {
    let span = word.span();
    let action = action.map(|action| action.check(errors));
    match (args.map(|args| args.stream).filter(|time| !time.is_empty()), action) {
        // What is in the place of the time or the action has been reported.
        (Some(_), Some(_)) if args.is_some_and(|args| args.are_reported) => left(word, args, child, errors),
        (Some(_), Some(Located { node: Node::Broken, .. })) => left(word, args, child, errors),
        (Some(every), Some(action)) if is_time(&action) => {
            let (action, time) = (every.written(), &action.text);
            let message = format!(
                "`service` expects a time and then an action, found the action first\nhelp: write `service({time}, {action}) {{ … }}`"
            );
            at_args(args, span, message, errors);
            left(word, args, child, errors)
        }
        (Some(every), Some(action)) => {
            let (every, action, child) = (every.to_macro(), Box::new(action), Box::new(child));
            unlabeled(Node::Service { keyword: word, every, action, child }, span)
        }
        _ => {
            at_args(
                args,
                span,
                "`service` expects a time and an action\nhelp: write `service(secs(1), look_around) { … }`",
                errors,
            );
            left(word, args, child, errors)
        }
    }
}

/// Reports an error at arguments, or at the word before them if there are none.
fn at_args(args: Option<ast::Args<'_>>, word: Span, message: impl std::fmt::Display, errors: &mut Errors) {
    match args {
        Some(args) => errors.at(args.span, message),
        None => errors.at(word, message),
    }
}

/// Returns `true` for a leaf that is visibly a time.
fn is_time(node: &Located) -> bool {
    let Node::Leaf { rust, .. } = &node.node else { return false };
    let Ok(Expr::Call(call)) = syn::parse2(rust.clone()) else { return false };
    let Expr::Path(function) = &*call.func else { return false };
    let names: Vec<_> = function.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    matches!(names.last().map(String::as_str), Some("secs" | "millis")) || names.iter().any(|name| name == "Duration")
}

/// Returns the children, and their weights if any child has one. A child without a weight has 1.
fn children(
    children: Vec<ast::Child<'_>>,
    random: bool,
    errors: &mut Errors,
) -> (Option<Vec<TokenStream>>, Vec<Located>) {
    siblings::labels(children.iter().map(|child| &child.node), errors);
    let mut weights = Vec::new();
    let mut any = false;
    let mut located = Vec::new();
    for mut child in children {
        match child.weight {
            Some(weight) if !random => {
                errors.at(weight.span(), "an expression is only allowed before a child of a `random_selector`, a `random_sequence`, a `utility_selector` or your own composite");
                errors.salvage(weight);
            }
            Some(weight) => any |= is_weight(weight, errors),
            None => {}
        }
        let weight = child.weight.take().filter(|weight| !weight.is_empty());
        weights.push(weight.map_or_else(|| quote!(1), tokens::TokenStream::to_macro));
        located.push(self::child(child, errors));
    }
    if any && report_varying(&located, errors) {
        return (None, located);
    }
    (any.then_some(weights), located)
}

/// Reports children whose number is not known beside expressions, of which each belongs to one child. Returns whether there are any.
fn report_varying(children: &[Located], errors: &mut Errors) -> bool {
    let varying = children.iter().find(|child| child.varies());
    if let Some(child) = varying {
        let message = "the number of children is not known here, but each child needs an expression before it\n\
                       help: put the children of `..` or `#[cfg(…)]` in a composite of their own";
        let span = if let Node::Cfg { cfgs, .. } = &child.node { location::of(&quote!(#(#cfgs)*)) } else { child.span };
        errors.at(span, message);
    }
    varying.is_some()
}

/// Checks a child in a list.
fn child(child: ast::Child<'_>, errors: &mut Errors) -> Located {
    let node = child.node.check(errors);
    let located = match (child.dots, node) {
        (None, node) => node,
        (Some(dots), Located { node: Node::Leaf { rust: tokens, .. }, text, label, .. }) => {
            if let Some(label) = label {
                errors.at(label.span(), "`..` cannot have a label\nnote: its children have their own");
            }
            Located { text, ..unlabeled(Node::Spread(tokens), dots.to_macro()) }
        }
        (Some(_), node @ Located { node: Node::Broken, .. }) => node,
        (Some(dots), node) => {
            errors.at(dots, "expected an expression after `..`, found a node\nhelp: remove `..`");
            node
        }
    };
    if child.cfgs.is_empty() {
        return located;
    }
    let (span, flags) = (located.span, located.flags);
    let cfgs = child.cfgs.into_iter().map(tokens::TokenStream::to_macro).collect();
    Located { flags, ..unlabeled(Node::Cfg { cfgs, child: Box::new(located) }, span) }
}

/// Returns `false` if the tokens before `=>` are visibly not a weight, and reports it.
fn is_weight(weight: tokens::TokenStream<'_>, errors: &mut Errors) -> bool {
    if weight.is_empty() {
        return false;
    }
    let number = match syn::parse2::<Expr>(weight.to_macro()) {
        Ok(Expr::Lit(literal)) => number(&literal.lit),
        Ok(Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. })) => match *expr {
            Expr::Lit(literal) => number(&literal.lit).map(|number| -number),
            _ => None,
        },
        Ok(_) => None,
        Err(error) => {
            errors.add(syn::Error::new(error.span(), format!("expected a number before `=>`\nnote: {error}")));
            return false;
        }
    };
    if number.is_some_and(|number| number <= 0.0 || !number.is_finite()) {
        let found = weight.written();
        errors.at(
            weight.span(),
            format!(
                "expected a positive, finite weight, found `{found}`\nhelp: remove a child that must never be drawn"
            ),
        );
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

fn decorator(keyword: Ident, args: Args, child: Located) -> Node {
    Node::Decorator { keyword, args, child: Box::new(child) }
}

fn composite(keyword: Ident, args: Vec<Threshold>, children: Vec<Located>, errors: &mut Errors) -> Node {
    if children.is_empty() {
        errors.at(keyword.span(), format!("`{keyword}` expects at least 1 child, found 0"));
        let children = vec![missing(keyword.span())];
        return Node::Composite { keyword, args, children };
    }
    Node::Composite { keyword, args, children }
}

/// Checks a list of children without a known keyword: a custom decorator, or a misspelled keyword.
fn own(inner: ast::Inner<'_>, errors: &mut Errors) -> Located {
    let span = inner.path.span.to_macro();
    let word = inner.path.word.map(tokens::Ident::text);
    let hint = match (word.and_then(peer), word) {
        (Some(Peer { counterpart, difference: "" }), _) => Some(format!("help: use {counterpart}")),
        (Some(Peer { counterpart, difference }), _) => Some(format!("note: {difference}\nhelp: use {counterpart}")),
        (None, Some(word)) => nearest(word, keyword::names()).map(|meant| format!("help: did you mean `{meant}`?")),
        (None, None) => None,
    };
    let label = inner.label.map(tokens::Text::to_macro);
    let (annotations, children) = annotated(inner.children, errors);
    let (at, path) = (inner.path.tokens.span(), inner.path.tokens.to_macro());
    if let Some(hint) = hint {
        let own = format!("help: for a decorator or composite of your own, write `self::{path}`");
        errors.at(at, format!("unknown keyword `{path}`\n{hint}\n{own}"));
        leave_args(inner.args, errors);
        return unlabeled(in_sequence(children, span), span);
    }
    if children.is_empty() {
        errors.at(at, format!("`{path}` expects at least 1 child, found 0"));
        // It may be a word that is no function.
        errors.leave(Left::Unbound(Box::new(Left::Rust(path))));
        leave_args(inner.args, errors);
        return unlabeled(Node::Broken, span);
    }
    if inner.args.is_some_and(|args| args.are_reported) {
        errors.leave(Left::Rust(path));
        return unlabeled(in_sequence(children, span), span);
    }
    let args = inner.args.map(|args| args.stream.to_macro()).unwrap_or_default();
    Located { label, ..unlabeled(Node::Own { path, args, annotations, children }, span) }
}

/// Returns the children of a custom node, and the expressions before them: before all of them or before none.
fn annotated(children: Vec<ast::Child<'_>>, errors: &mut Errors) -> (Option<Vec<TokenStream>>, Vec<Located>) {
    siblings::labels(children.iter().map(|child| &child.node), errors);
    let mut annotations = Vec::new();
    let mut located = Vec::new();
    let (mut bare, mut is_broken) = (None, false);
    for mut child in children {
        let annotation = child.weight.take();
        let node = self::child(child, errors);
        match annotation {
            Some(annotation) => annotations.push(annotation),
            // An error in the place of a child has been reported.
            None if matches!(node.node, Node::Broken) => is_broken = true,
            None => bare = bare.or(Some(node.span)),
        }
        located.push(node);
    }
    // An error in the place of an expression has been reported.
    if annotations.is_empty() || annotations.iter().any(|annotation| annotation.is_empty()) {
        return (None, located);
    }
    if report_varying(&located, errors) || is_broken {
        return (None, located);
    }
    if let Some(span) = bare {
        let found = annotations.len();
        let message = format!(
            "expected an expression before each child, found {found} for {} children\nhelp: write `expression => child`",
            located.len()
        );
        errors.at(span, message);
        for annotation in annotations {
            errors.salvage(annotation);
        }
        return (None, located);
    }
    (Some(annotations.into_iter().map(tokens::TokenStream::to_macro).collect()), located)
}

/// Returns the child of a decorator that is omitted, since its arguments are invalid.
fn left(word: Ident, args: Option<ast::Args<'_>>, child: Located, errors: &mut Errors) -> Located {
    errors.leave(Left::Keyword(word));
    leave_args(args, errors);
    child
}

/// Keeps arguments that are invalid or not expected.
fn leave_args(args: Option<ast::Args<'_>>, errors: &mut Errors) {
    if let Some(args) = args {
        errors.leave_args(args);
    }
}

/// Returns the only child of a decorator. Puts several children in a sequence, so that all of them are still checked.
fn only_child(keyword: &Ident, mut children: Vec<Located>, errors: &mut Errors) -> Located {
    if let [child] = children.as_slice()
        && child.varies()
    {
        let found = if matches!(child.node, Node::Cfg { .. }) { "#[cfg(…)]" } else { ".." };
        let message = format!(
            "`{keyword}` expects 1 child, found `{found}`, which may have none\nhelp: put it in a composite, such as `sequence {{ … }}`"
        );
        errors.at(child.span, message);
        return unlabeled(in_sequence(children, keyword.span()), keyword.span());
    }
    if children.len() == 1 {
        return children.remove(0);
    }
    let message = match children.len() {
        0 => format!("`{keyword}` expects 1 child, found 0"),
        found => format!(
            "`{keyword}` expects 1 child, found {found}\nhelp: put the children in a composite, such as `sequence {{ … }}`"
        ),
    };
    errors.at(keyword.span(), message);
    if children.is_empty() {
        return missing(keyword.span());
    }
    unlabeled(in_sequence(children, keyword.span()), keyword.span())
}

/// Returns the two children of a `finally`. Puts further children in a sequence, so that all of them are still checked.
/// Their number is not reported beside arguments, which have been: one of them may be the other child.
fn body_and_cleanup(
    keyword: &Ident,
    mut children: Vec<Located>,
    has_arguments: bool,
    errors: &mut Errors,
) -> Vec<Located> {
    if let Some(child) = children.iter().find(|child| child.varies()) {
        let found = if matches!(child.node, Node::Cfg { .. }) { "#[cfg(…)]" } else { ".." };
        let help = "help: put it in a composite, such as `sequence { … }`";
        errors.at(child.span, format!("`{keyword}` expects a body and a cleanup, found `{found}`\n{help}"));
    } else if children.len() != 2 {
        let help = match children.len() {
            0 | 1 => format!("help: write `{keyword} {{ body, cleanup }}`"),
            _ => "help: put the nodes of the body, or of the cleanup, in a composite, such as `sequence { … }`"
                .to_owned(),
        };
        let found = children.len();
        let nodes = if found == 1 { "node" } else { "nodes" };
        if !has_arguments {
            let message = format!("`{keyword}` expects a body and a cleanup, found {found} {nodes}\n{help}");
            errors.at(keyword.span(), message);
        }
    } else {
        return children;
    }
    let cleanup = children.split_off(children.len().min(1));
    let span = keyword.span();
    let one = |children: Vec<Located>| {
        if children.is_empty() { missing(span) } else { unlabeled(in_sequence(children, span), span) }
    };
    vec![one(children), one(cleanup)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_the_feature_that_they_require() {
        for word in Word::ALL {
            assert_eq!(missing_feature(*word, true), None);
            assert_eq!(missing_feature(*word, false).is_some(), word.row().needs_random(), "{}", word.name());
        }
        let message = missing_feature(Word::Chance, false).expect("it needs random numbers");
        assert!(message.starts_with("`chance` requires the feature `random` of `bt-core`"), "{message}");
    }
}
