//! Tokens to syntax. The parser recovers from errors: it reports an error and resumes at the next child.

use bt_words::nearest;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{BoundLifetimes, Ident, Lifetime, Token, token};

use self::leaf::missing;
use self::left::leave_rest;
use self::list::{List, at_end, close};
use self::rust::angle;
pub(crate) use self::rust::expression;
#[cfg(feature = "file")]
pub(crate) use self::tokens::found;
use self::tokens::{ident, skip, take_until};
use crate::ast::{Context, Node, Tree};
use crate::errors::Errors;
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
mod machine;
mod matching;
mod node;
mod rust;
mod stray;
mod tokens;

/// Parses a `tree!`.
pub fn tree(input: TokenStream, errors: &mut Errors) -> Tree {
    let parsed = Parser::parse2(
        |input: ParseStream<'_>| {
            let (context, is_saved) = context(input, errors);
            // A `#[subtree]` function writes the context of its return type before what is in the macro.
            let context = without_for(input, errors).or(context);
            let angle = angle(input);
            let root = match angle {
                Some(open) => {
                    skip(input, 1);
                    let root = root(input, List::Angles(1), open, errors);
                    close(input, open, "node", errors);
                    root
                }
                None => root(input, List::Braces, Span::call_site(), errors),
            };
            if !input.is_empty() {
                one_root(input, List::Braces, errors);
            }
            Ok(Tree { context, is_saved, root })
        },
        input,
    );
    parsed.unwrap_or_else(|error| {
        errors.add(error);
        Tree { context: None, is_saved: false, root: Node::Missing(Span::call_site()) }
    })
}

/// Parses the root of a tree, in a list. An error of an empty tree is at `at`.
fn root(input: ParseStream<'_>, list: List, at: Span, errors: &mut Errors) -> Node {
    if at_end(input, list) {
        let message = "expected a node, found an empty tree\nhelp: write a node, such as `selector { … }`";
        return missing(at, message, errors);
    }
    habit::name(input, errors, &mut habit::Reported::default());
    let root = Node::parse(input, list, errors);
    if !at_end(input, list) {
        one_root(input, list, errors);
    }
    root
}

/// Reports the nodes after the root.
fn one_root(input: ParseStream<'_>, list: List, errors: &mut Errors) {
    let word = ident(input);
    let help = if word.as_ref().is_some_and(cleanup::begins_cleanup) {
        "write `finally { body, cleanup }`, where the body is the node before it"
    } else if word.is_some_and(|word| nearest(&word.to_string(), ["else"]).is_some()) && input.peek2(token::Brace) {
        "did you mean `else`?"
    } else {
        "put several nodes in a composite, such as `sequence { … }`"
    };
    errors.at(input.span(), format!("expected one root node\nhelp: {help}"));
    leave_rest(input, list, errors);
}

/// The word that `#[subtree]` writes after the context if the tree has to be saved: `for Context, __saved:`.
pub const SAVED: &str = "__saved";

/// Parses `for Context:` or `for<'w> Context<'w>:`, which is optional. Returns the context, and whether [`SAVED`] follows it.
fn context(input: ParseStream<'_>, errors: &mut Errors) -> (Option<Context>, bool) {
    if stray::is_loop(input) {
        return (None, false);
    }
    let lifetimes = if input.peek(Token![for]) && input.peek2(Token![<]) && input.peek3(Lifetime) {
        let lifetimes = input.parse::<BoundLifetimes>().map(|bound| bound.lifetimes).unwrap_or_default();
        lifetimes.iter().filter_map(generics::lifetime).collect()
    } else if input.parse::<Token![for]>().is_ok() {
        Vec::new()
    } else {
        return (None, false);
    };
    let context = match input.parse::<syn::Type>() {
        Ok(syn::Type::Reference(reference)) if !errors.is_file() => {
            let written = text::written(reference.elem.to_token_stream());
            let help = format!("help: write `for {written}: …`");
            errors.on(&reference, format!("expected the type of the context, found a reference to it\n{help}"));
            Some(Context { lifetimes, ty: *reference.elem })
        }
        Ok(ty) => Some(Context { lifetimes, ty }),
        Err(error) => {
            errors.at(error.span(), "expected a context type after `for`\nhelp: write `for Npc: selector { … }`");
            let ahead = input.fork();
            while !(ahead.is_empty() || ahead.peek(token::Brace) || habit::is_colon(&ahead)) {
                skip(&ahead, 1 + usize::from(ahead.peek(Token![::])));
            }
            if habit::is_colon(&ahead) {
                take_until(input, &ahead);
                skip(input, 1);
            }
            return (None, false);
        }
    };
    let ahead = input.fork();
    let is_saved = ahead.parse::<Token![,]>().is_ok() && ahead.parse::<Ident>().is_ok_and(|word| word == SAVED);
    skip(input, if is_saved { 2 } else { 0 });
    if input.parse::<Token![:]>().is_err() {
        errors.at(input.span(), "expected `:` after the context type\nhelp: write `for Npc: selector { … }`");
    }
    (context, is_saved)
}

/// Parses a context without `for`, `Npc: …`, and reports it. A file has none.
fn without_for(input: ParseStream<'_>, errors: &mut Errors) -> Option<Context> {
    let (span, ahead) = (input.span(), input.fork());
    let ty = ahead.parse::<syn::Type>().ok()?;
    let syn::Type::Path(path) = &ty else { return None };
    // The names of types begin in upper case.
    let name = path.path.segments.last()?.ident.to_string();
    if !habit::is_colon(&ahead) || !name.starts_with(char::is_uppercase) {
        return None;
    }
    let written = text::written(take_until(input, &ahead));
    skip(input, 1);
    if errors.is_file() {
        errors.at(span, format!("a file has no context\nhelp: remove `{written}:`"));
        return None;
    }
    errors.at(span, format!("expected `for` before the context type\nhelp: write `for {written}: …`"));
    Some(Context { lifetimes: Vec::new(), ty })
}
