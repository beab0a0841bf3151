//! Tokens to syntax. The parser recovers from errors: it reports an error and resumes at the next child.

use bt_words::nearest;
use quote::ToTokens;
use syn::BoundLifetimes;

#[cfg(feature = "file")]
pub(crate) use self::arguments::arguments;
use self::leaf::missing;
use self::left::leave_rest;
use self::list::{List, at_end, close};
use self::rust::angle;
pub(crate) use self::rust::expression;
#[cfg(feature = "file")]
pub(crate) use self::tokens::found;
use self::tokens::is_colon;
use crate::ast::{Context, Node, Tree};
use crate::errors::Errors;
use crate::tokens::{Input, Span, Tokens};
use crate::{generics, text};

mod arguments;
mod attributes;
mod branch;
mod children;
mod cleanup;
mod closure;
mod condition;
mod habit;
mod leaf;
mod left;
mod list;
mod logic;
mod machine;
mod matching;
mod node;
mod rust;
mod stray;
mod tokens;

/// Parses a `tree!`, or a text that is one.
pub fn tree<'t>(tokens: &'t Tokens, errors: &mut Errors) -> Tree<'t> {
    tree_of(&tokens.all().input(), errors)
}

/// Parses a tree in a part of a text.
pub(crate) fn tree_of<'t>(input: &Input<'t>, errors: &mut Errors) -> Tree<'t> {
    let (context, is_saved) = context(input, errors);
    // A `#[subtree]` function writes the context of its return type before what is in the macro.
    let context = without_for(input, errors).or(context);
    let root = match angle(input) {
        Some(open) => {
            input.skip(1);
            let root = root(input, List::Angles(1), open, errors);
            close(input, open, "node", errors);
            root
        }
        None => root(input, List::Braces, input.span(), errors),
    };
    if !input.is_empty() {
        one_root(input, List::Braces, errors);
    }
    Tree { context, is_saved, root }
}

/// Parses the root of a tree, in a list. An error of an empty tree is at `at`.
fn root<'t>(input: &Input<'t>, list: List, at: Span<'t>, errors: &mut Errors) -> Node<'t> {
    if at_end(input, list) {
        let message = "expected a node, found an empty tree\nhelp: write a node, such as `selector { … }`";
        return missing(at, message, errors);
    }
    let mut reported = habit::Reported::default();
    let named = habit::name(input, errors, &mut reported);
    let root = named.unwrap_or_else(|| Node::parse(input, list, errors));
    if reported.name || matches!(root, Node::Missing(_) | Node::Skipped(_)) {
        // What follows may belong to what has been reported.
        leave_rest(input, list, errors);
    }
    if !at_end(input, list) {
        if logic::negation(&root, input, errors) {
            leave_rest(input, list, errors);
        } else {
            one_root(input, list, errors);
        }
    }
    root
}

/// Reports the nodes after the root.
fn one_root(input: &Input<'_>, list: List, errors: &mut Errors) {
    if habit::behind(input, list, &mut habit::Reported::default(), errors) || logic::operator(input, errors) {
        return leave_rest(input, list, errors);
    }
    let word = input.peek_name();
    let help = if input.peek_literal().is_some_and(|literal| literal.text().starts_with('\'')) {
        "text is in double quotes, such as the label in `sequence \"all\" { … }`"
    } else if word.is_some_and(cleanup::begins_cleanup) {
        "write `finally { body, cleanup }`, where the body is the node before it"
    } else if word.is_some_and(|word| nearest(word.text(), ["else"]).is_some()) && input.peek2("{") {
        "did you mean `else`?"
    } else if (input.peek(",") || input.peek(">")) && at_end(&input.after(), list) {
        "remove it"
    } else {
        "put several nodes in a composite, such as `sequence { … }`"
    };
    errors.at(
        input.span(),
        format!("expected one root node, found {} after it\nhelp: {help}", self::tokens::found(input)),
    );
    leave_rest(input, list, errors);
}

/// The word that `#[subtree]` writes after the context if the tree has to be saved: `for Context, __saved:`.
pub const SAVED: &str = "__saved";

/// Parses `for Context:` or `for<'w> Context<'w>:`, which is optional. Returns the context, and whether [`SAVED`] follows it.
fn context<'t>(input: &Input<'t>, errors: &mut Errors) -> (Option<Context<'t>>, bool) {
    if stray::is_loop(input) {
        return (None, false);
    }
    let mut lifetimes = Vec::new();
    if input.peek("for") && input.peek2("<") && input.after().peek2("'") {
        if let Some((bound, end)) = input.rust(|input| Ok(input.parse::<BoundLifetimes>().ok())) {
            let bound = bound.map(|bound| bound.lifetimes).unwrap_or_default();
            lifetimes.extend(bound.iter().filter_map(generics::lifetime));
            input.take_until(&end);
        }
    } else if input.eat("for").is_none() {
        return (None, false);
    }
    let (ty, end) = ty(input);
    let at = if end.is_empty() { input.span() } else { end.span() };
    let span = input.take_until(&end).span();
    let Some(ty) = ty else {
        errors.at(at, "expected a context type after `for`\nhelp: write `for Npc: selector { … }`");
        if let Some(colon) = before_colon(input) {
            input.take_until(&colon);
            input.skip(1);
        }
        return (None, false);
    };
    let ty = match ty {
        syn::Type::Reference(reference) if !errors.is_file() => {
            let written = text::written(reference.elem.to_token_stream());
            let help = format!("help: write `for {written}: …`");
            errors.at(span, format!("expected the type of the context, found a reference to it\n{help}"));
            *reference.elem
        }
        ty => ty,
    };
    let ahead = input.fork();
    let is_saved = ahead.eat(",").is_some() && ahead.eat(SAVED).is_some();
    input.skip(if is_saved { 2 } else { 0 });
    if input.eat(":").is_none() {
        errors.at(input.span(), "expected `:` after the context type\nhelp: write `for Npc: selector { … }`");
    }
    (Some(Context { span, lifetimes, ty }), is_saved)
}

/// Returns a type, if there is one, and the reader after it. `syn` copies the tokens that it gets: those before the colon after the type.
fn ty<'t>(input: &Input<'t>) -> (Option<syn::Type>, Input<'t>) {
    let before = before_colon(input).map_or_else(|| input.rest(), |colon| input.fork().take_until(&colon));
    let parsed = before.input().rust(|input| Ok(input.parse::<syn::Type>().is_ok()));
    let (is_type, end) = parsed.unwrap_or_else(|| (false, input.fork()));
    // To be complete, it must be all that is in its groups.
    let ty = syn::parse2(input.fork().take_until(&end).to_macro()).ok();
    (ty.filter(|_| is_type), end)
}

/// Returns the reader at the first colon before the next brace.
fn before_colon<'t>(input: &Input<'t>) -> Option<Input<'t>> {
    let ahead = input.fork();
    while !(ahead.is_empty() || ahead.peek("{") || is_colon(&ahead)) {
        ahead.skip(1 + usize::from(ahead.peek("::")));
    }
    is_colon(&ahead).then_some(ahead)
}

/// Parses a context without `for`, `Npc: …`, and reports it. A file has none.
fn without_for<'t>(input: &Input<'t>, errors: &mut Errors) -> Option<Context<'t>> {
    before_colon(input)?;
    let (ty, end) = ty(input);
    let Some(syn::Type::Path(path)) = &ty else { return None };
    // The names of types begin in upper case.
    let name = path.path.segments.last()?.ident.to_string();
    if !(end.is_empty() && name.starts_with(char::is_uppercase)) {
        return None;
    }
    let span = input.span();
    let tokens = input.take_until(&end);
    let written = tokens.written();
    input.skip(1);
    if errors.is_file() {
        errors.at(span, format!("a file has no context\nhelp: remove `{written}:`"));
        return None;
    }
    errors.at(span, format!("expected `for` before the context type\nhelp: write `for {written}: …`"));
    Some(Context { span: tokens.span(), lifetimes: Vec::new(), ty: ty? })
}
