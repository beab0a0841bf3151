//! Tokens to syntax. The parser recovers from errors: it reports an error and resumes at the next child.

use bt_words::Word;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{BoundLifetimes, Expr, Ident, Lifetime, LitStr, Token, token};

use self::closure::closure;
pub(crate) use self::left::{leave, leave_names, salvage};
use self::left::{leave_rest, leave_state};
use self::rust::{begins_path, calls, path};
use self::tokens::{group, skip, take, take_until};
use crate::ast::{Allowed, Attribute, Context, Inner, Leaf, Node, Path, Tree};
use crate::errors::{Errors, Left};
use crate::keyword::{self, takes_action};
use crate::{generics, text};

mod branch;
mod closure;
mod condition;
mod habit;
mod left;
mod list;
mod machine;
mod matching;
mod rust;
mod stray;
mod tokens;

/// The end of a list of children.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// The end of the tokens: a group in braces, or the whole macro.
    Braces,
    /// A `>`. The number counts this list and the surrounding lists that end with `>`.
    Angles(usize),
    /// The same, in a state of a machine: `->` ends a guard.
    Transitions(usize),
}

impl List {
    /// Returns the number of `>` that end this list and the surrounding lists.
    fn depth(self) -> usize {
        match self {
            Self::Braces => 0,
            Self::Angles(depth) | Self::Transitions(depth) => depth,
        }
    }
}

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
                    list::close(input, open, "node", errors);
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

/// Returns the `<` around a root, as in `< selector < a, b > >`. A path can begin with `<`, too: `<Guard as Leaves>::attack`.
fn angle(input: ParseStream<'_>) -> Option<Span> {
    let open = input.peek(Token![<]).then(|| input.span())?;
    let mut angles = TokenStream::new();
    let ahead = input.fork();
    self::rust::angles(&ahead, &mut angles);
    (!ahead.peek(Token![::])).then_some(open)
}

/// Parses the root of a tree, in a list. An error of an empty tree is at `at`.
fn root(input: ParseStream<'_>, list: List, at: Span, errors: &mut Errors) -> Node {
    if list::at_end(input, list) {
        let message = "expected a node, found an empty tree\nhelp: write a node, such as `selector { … }`";
        return missing(at, message, errors);
    }
    habit::name(input, errors, &mut habit::Reported::default());
    let root = node(input, list, errors);
    if !list::at_end(input, list) {
        one_root(input, list, errors);
    }
    root
}

/// Reports the nodes after the root.
fn one_root(input: ParseStream<'_>, list: List, errors: &mut Errors) {
    let is_cleanup = input.fork().parse::<Ident>().is_ok_and(|word| habit::begins_cleanup(&word));
    let help = if is_cleanup {
        "write `finally { body, cleanup }`, where the body is the node before it"
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

/// Parses a node. Consumes at least one token, unless there is none.
fn node(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let names = attributes(input, errors);
    let node = bare(input, list, errors);
    allowing(names, node)
}

/// Wraps a node with the lints that are allowed before it.
fn allowing(names: Vec<Allowed>, node: Node) -> Node {
    if names.is_empty() { node } else { Node::Allowing { names, node: Box::new(node) } }
}

/// Parses a node without attributes.
fn bare(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let mut node = without_label(input, list, errors);
    if let Node::Leaf(leaf) = &mut node
        && leaf.label.is_none()
    {
        leaf.label = label(input);
    }
    node
}

/// Parses a label.
fn label(input: ParseStream<'_>) -> Option<LitStr> {
    // A failed attempt would consume another literal.
    if input.peek(LitStr) { input.parse().ok() } else { None }
}

/// Parses a node without attributes, and without a label after it.
fn without_label(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let span = input.span();
    if let Some(node) = fragment(input) {
        return node;
    }
    if let Ok(bang) = input.parse::<Token![!]>() {
        return Node::Not { bang: bang.span, child: Box::new(node(input, list, errors)) };
    }
    if input.peek(Token![|]) || input.peek(Token![||]) || input.peek(Token![move]) {
        return leaf(closure(input, list, errors), span);
    }
    if input.peek(token::Paren) {
        return in_parentheses(input, errors);
    }
    if input.peek(Token![&]) {
        return borrowed(input, errors);
    }
    if let Some(word) = matching::word(input) {
        return matching::matching(word, input, errors);
    }
    if let Some(word) = branch::word(input) {
        return branch::branch(word, input, list, errors);
    }
    if angle(input).is_some() {
        return stray::in_angles(input, list, errors);
    }
    if begins_path(input) {
        return named(input, list, errors);
    }
    if input.peek(Token![..]) {
        let missing = missing(span, "`..` is only allowed before a child in a list", errors);
        list::skip_child(input, list, errors);
        return missing;
    }
    stray::stray(input, list, errors)
}

/// Parses `#[allow(names)]`, `#[expect(names)]` and `#[disabled]` before a node. Returns the names.
fn attributes(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Allowed> {
    let mut names = Vec::new();
    while input.peek(Token![#]) && input.peek2(token::Bracket) {
        let hash = input.span();
        skip(input, 1);
        if let Ok(TokenTree::Group(group)) = input.parse::<TokenTree>() {
            match allowed(group.stream()) {
                Some(allowed) => names.extend(allowed),
                None if is_cfg(group.stream()) => errors.at(
                    hash,
                    "`#[cfg(…)]` is only allowed before a child in a list, before its other attributes",
                ),
                None => errors.at(
                    hash,
                    "expected `#[allow(…)]` or `#[expect(…)]` before a node\nhelp: write, for example, `#[allow(unreachable)]`",
                ),
            }
        }
    }
    names
}

fn is_cfg(attribute: TokenStream) -> bool {
    matches!(attribute.into_iter().next(), Some(TokenTree::Ident(word)) if word == "cfg")
}

/// Parses the names in `allow(a, b)` or `expect(a, b)`, or `disabled`, which is its own name.
fn allowed(attribute: TokenStream) -> Option<Vec<Allowed>> {
    let parser = |input: ParseStream<'_>| {
        let word = input.call(Ident::parse_any)?;
        if word == "disabled" && input.is_empty() {
            return Ok((Punctuated::from_iter([word]), Attribute::Disabled));
        }
        let names;
        syn::parenthesized!(names in input);
        let names = names.parse_terminated(Ident::parse_any, Token![,])?;
        let attribute = match word.to_string().as_str() {
            "allow" => Attribute::Allow,
            "expect" => Attribute::Expect,
            _ => return Err(input.error("another attribute")),
        };
        if names.is_empty() { Err(input.error("a name")) } else { Ok((names, attribute)) }
    };
    let (names, attribute) = Parser::parse2(parser, attribute).ok()?;
    Some(names.into_iter().map(|name| Allowed { name, attribute }).collect())
}

/// Parses an expression fragment of a `macro_rules!`: a node if it has the syntax of one, other Rust otherwise. A path is parsed like written
/// code, since children or arguments may follow it.
fn fragment(input: ParseStream<'_>) -> Option<Node> {
    let TokenTree::Group(group) = input.fork().parse().ok()? else { return None };
    let is_path = syn::parse2::<syn::Path>(group.stream()).is_ok();
    if group.delimiter() != Delimiter::None || is_path || syn::parse2::<Expr>(group.stream()).is_err() {
        return None;
    }
    let span = input.span();
    skip(input, 1);
    if input.peek(Token![.]) || input.peek(Token![?]) {
        let mut tokens = TokenStream::from(TokenTree::Group(group));
        calls(input, &mut tokens);
        return Some(leaf(tokens, span));
    }
    let mut quiet = Errors::default();
    let parser = |input: ParseStream<'_>| Ok((bare(input, List::Braces, &mut quiet), input.is_empty()));
    let node = Parser::parse2(parser, group.stream());
    match node {
        Ok((node, true)) if quiet.is_empty() => Some(node),
        _ => Some(leaf(group.stream(), span)),
    }
}

/// Parses `(expression)`. The expression is passed on without the parentheses.
fn in_parentheses(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let span = input.span();
    let Ok(TokenTree::Group(group)) = input.parse::<TokenTree>() else { return Node::Missing(span) };
    if group.stream().is_empty() {
        return missing(span, "expected an expression in parentheses, found nothing", errors);
    }
    if input.peek(Token![.]) {
        let mut tokens = TokenStream::from(TokenTree::Group(group));
        calls(input, &mut tokens);
        return leaf(tokens, span);
    }
    let several = Punctuated::<Expr, Token![,]>::parse_terminated;
    if Parser::parse2(several, group.stream()).is_ok_and(|found| found.len() > 1 || found.trailing_punct()) {
        salvage(group.stream(), errors);
        let message = "expected one expression in parentheses, found a tuple\nhelp: put several nodes in a composite, such as `sequence { … }`";
        return missing(group.span(), message, errors);
    }
    leaf(group.stream(), span)
}

/// Parses a node that begins with a path: a keyword or decorator with its children, or a leaf.
fn named(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let (span, path) = (input.span(), path(input));
    if input.peek(Token![!]) && (input.peek2(token::Paren) || input.peek2(token::Brace) || input.peek2(token::Bracket))
    {
        let mut tokens = path.tokens;
        tokens.extend(take(input, 2));
        return leaf(tokens, path.span);
    }
    let args = match &path.word {
        Some(word) if !input.peek(token::Paren) => habit::bare_argument(word, input, errors),
        _ if input.peek(token::Paren) => {
            group(input).map(|args| habit::without_units(stray::closed(args, errors), errors))
        }
        _ => None,
    };
    if args.as_ref().is_some_and(|args| habit::variable(args, errors)) {
        errors.quietly(|quiet| leave(after_arguments(path, None, input, list, quiet), quiet));
        return Node::Skipped(span);
    }
    after_arguments(path, args, input, list, errors)
}

/// Parses what follows a path and its arguments.
fn after_arguments(path: Path, args: Option<Group>, input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let before_children =
        |input: ParseStream<'_>| input.peek(token::Brace) || input.peek(Token![<]) || input.peek(LitStr);
    let (args, action) = match args {
        Some(args)
            if path.word.as_ref().is_some_and(|word| takes_action(&word.to_string())) && before_children(input) =>
        {
            service(&args, errors)
        }
        args => (args, None),
    };
    let label = label(input);
    let args = match (&label, args) {
        (Some(label), None) if input.peek(token::Paren) => {
            let message =
                "a label is not allowed before arguments\nhelp: write it after them: `name(arguments) \"label\"`";
            errors.on(label, message);
            group(input)
        }
        (_, args) => args,
    };
    if let Some(word) = path.word.as_ref().filter(|word| machine::is_meant(word, input)) {
        if word != Word::Machine.name() {
            errors.at(word.span(), format!("unknown keyword `{word}`\nhelp: did you mean `machine`?"));
        }
        if let Some(args) = &args {
            errors.at(args.span(), "`machine` takes no arguments\nhelp: write `machine { state … }`");
            salvage(args.stream(), errors);
        }
        let keyword = Ident::new(Word::Machine.name(), word.span());
        return Node::Machine(Box::new(machine::machine(keyword, label, input, list, errors)));
    }
    let children = if input.peek(token::Brace) {
        let Some(braces) = group(input) else { return Node::Missing(path.span) };
        let is_keyword = path.word.as_ref().is_some_and(keyword::is_keyword);
        if list::is_struct(&braces) && !is_keyword && !errors.is_file() {
            let name = text::written(path.tokens.clone());
            let message = format!(
                "struct literals are not allowed here\nhelp: surround the struct literal with parentheses: `({name} {{ … }})`"
            );
            errors.on(&path.tokens, message);
            let mut tokens = path.tokens;
            tokens.extend([TokenTree::Group(braces)]);
            return leaf(tokens, path.span);
        }
        let mut children = list::in_braces(&braces, errors);
        habit::cleanup(path.word.as_ref(), &mut children, input, errors);
        children
    } else if input.peek(Token![<]) {
        list::in_angles(input, list, errors)
    } else if let Some(word) = path.word.as_ref().filter(|word| keyword::is_keyword(word) && input.peek(token::Bracket))
    {
        errors.at(input.span(), format!("expected `{{` after `{word}`, found `[…]`\nhelp: write `{word} {{ … }}`"));
        errors.leave(Left::Keyword(word.clone()));
        let children = group(input).map(|group| group.stream()).unwrap_or_default();
        salvage(children, errors);
        return Node::Skipped(path.span);
    } else if path.word.as_ref().is_some_and(|word| word == Word::State.name()) && input.peek(Ident) {
        let message = "`state` is only allowed inside a `machine`\nhelp: write `machine { state … }`";
        errors.on(&path.tokens, message);
        machine::skip_state(input, list, errors);
        return Node::Skipped(path.span);
    } else if let Some((word, args)) =
        path.word.as_ref().zip(args.as_ref()).filter(|(word, _)| keyword::is_keyword(word))
    {
        let name = word.to_string();
        let argument = if keyword::takes_argument(&name) { "(…)" } else { "" };
        let own = format!("\nhelp: for a function of your own, write `self::{name}(…)`");
        errors.at(
            word.span(),
            format!(
                "expected the children of `{name}` in braces\nhelp: write `{name}{argument} {{ … }}`{}",
                errors.either(&own, "")
            ),
        );
        errors.leave(Left::Keyword(word.clone()));
        salvage(args.stream(), errors);
        if list::begins_node(input) {
            let child = node(input, list, errors);
            leave(child, errors);
        }
        return Node::Skipped(path.span);
    } else {
        let mut tokens = path.tokens;
        tokens.extend(args.map(TokenTree::Group));
        calls(input, &mut tokens);
        return match leaf(tokens, path.span) {
            Node::Leaf(leaf) => Node::Leaf(Leaf { label, ..leaf }),
            other => other,
        };
    };
    Node::Inner(Inner { path, args, action, label, children })
}

/// Parses the time and the action of a `service(time, action)`.
fn service(args: &Group, errors: &mut Errors) -> (Option<Group>, Option<Box<Node>>) {
    let parser = |input: ParseStream<'_>| {
        let mut time = Group::new(args.delimiter(), expression(input));
        time.set_span(args.span());
        let _ = input.parse::<Token![,]>();
        let action = if input.is_empty() { None } else { Some(Box::new(node(input, List::Braces, errors))) };
        let _ = input.parse::<Token![,]>();
        if !input.is_empty() {
            errors.at(input.span(), "`service` expects a time and one action, found another argument\nhelp: put several actions in a `sequence { … }`");
            leave_rest(input, List::Braces, errors);
        }
        Ok((Some(time), action))
    };
    Parser::parse2(parser, args.stream()).unwrap_or_default()
}

/// Parses one argument of a list, up to its comma. An incomplete expression ends at the next comma.
pub(crate) fn expression(input: ParseStream<'_>) -> TokenStream {
    let ahead = input.fork();
    if ahead.parse::<Expr>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,])) {
        return take_until(input, &ahead);
    }
    let mut tokens = TokenStream::new();
    while !(input.is_empty() || input.peek(Token![,])) {
        tokens.extend(take(input, 1));
    }
    tokens
}

/// Parses `&path`: a subtree that is used several times.
fn borrowed(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let span = input.span();
    let mut tokens: TokenStream = take(input, 1).into_iter().collect();
    if !begins_path(input) {
        return missing(span, "expected a name after `&`\nhelp: put any other expression in parentheses", errors);
    }
    tokens.extend(path(input).tokens);
    tokens.extend(if input.peek(token::Paren) { take(input, 1) } else { Vec::new() });
    calls(input, &mut tokens);
    leaf(tokens, span)
}

fn leaf(tokens: TokenStream, span: Span) -> Node {
    let text = text::name(&tokens);
    Node::Leaf(Leaf { tokens, text, label: None, span })
}

fn missing(span: Span, message: impl std::fmt::Display, errors: &mut Errors) -> Node {
    errors.at(span, message);
    Node::Missing(span)
}
