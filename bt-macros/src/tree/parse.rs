//! Tokens to syntax. Never stops at an error: it reports it, skips to the next child and goes on.

use proc_macro2::{Delimiter, Group, Ident, Punct, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Token, token};

use super::ast::{Inner, Leaf, Node, Path, Tree};
use crate::errors::Errors;
use crate::text;

/// What ends a list of children.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// The end of the tokens: a group in braces, or the whole macro.
    Braces,
    /// A `>`.
    Angles,
}

/// Parses a whole `tree!`.
pub(crate) fn tree(input: TokenStream, errors: &mut Errors) -> Tree {
    let parsed = Parser::parse2(
        |input: ParseStream<'_>| {
            let context = context(input, errors);
            let root = if input.is_empty() {
                missing(Span::call_site(), "an empty tree: expected a node, such as `selector { … }`", errors)
            } else {
                node(input, List::Braces, errors)
            };
            if !input.is_empty() {
                errors
                    .at(input.span(), "a tree has one root: put its nodes into a composite, such as `sequence { … }`");
                rest(input);
            }
            Ok(Tree { context, root })
        },
        input,
    );
    parsed.unwrap_or_else(|error| {
        errors.add(error);
        Tree { context: None, root: Node::Missing(Span::call_site()) }
    })
}

/// `for Context:`, if it is there.
fn context(input: ParseStream<'_>, errors: &mut Errors) -> Option<TokenStream> {
    input.parse::<Token![for]>().ok()?;
    let context = match input.parse::<syn::Type>() {
        Ok(context) => Some(context.into_token_stream()),
        Err(error) => {
            errors.at(error.span(), "expected the type of the context after `for`, as in `for Npc: selector { … }`");
            None
        }
    };
    if input.parse::<Token![:]>().is_err() {
        errors.at(input.span(), "expected `:` after the context type, as in `for Npc: selector { … }`");
    }
    context
}

/// One node. Consumes at least one token unless there is none.
fn node(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    attributes(input, errors);
    let span = input.span();
    if let Ok(bang) = input.parse::<Token![!]>() {
        return Node::Not { bang: bang.span, child: Box::new(node(input, list, errors)) };
    }
    if input.peek(Token![|]) || input.peek(Token![||]) || input.peek(Token![move]) {
        return leaf(closure(input, list), span);
    }
    if input.peek(token::Paren) {
        return expression(input, errors);
    }
    if input.peek(Token![&]) {
        return borrowed(input, errors);
    }
    if begins_path(input) {
        return named(input, errors);
    }
    if input.peek(syn::Lit) && input.peek2(Token![=>]) {
        errors.at(span, "a weight belongs to the children of a random composite, not here");
        skip(input, 3);
        return node(input, list, errors);
    }
    let found = found(input);
    let missing = missing(span, format!("expected a node, found {found}"), errors);
    while !at_separator(input, list) {
        skip(input, 1);
    }
    missing
}

/// `#[allow(…)]` before a node.
fn attributes(input: ParseStream<'_>, errors: &mut Errors) {
    while input.peek(Token![#]) && input.peek2(token::Bracket) {
        let hash = input.span();
        skip(input, 1);
        if let Ok(TokenTree::Group(group)) = input.parse::<TokenTree>() {
            let first = group.stream().into_iter().next();
            if !matches!(&first, Some(TokenTree::Ident(ident)) if ident == "allow") {
                errors.at(hash, "a node can bear only `#[allow(…)]`");
            }
        }
    }
}

/// `(expression)`: the expression is passed on without the parentheses.
fn expression(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let span = input.span();
    let Ok(TokenTree::Group(group)) = input.parse::<TokenTree>() else { return Node::Missing(span) };
    if group.stream().is_empty() {
        return missing(span, "expected an expression that gives a node between the parentheses", errors);
    }
    if input.peek(Token![.]) {
        let mut tokens = TokenStream::from(TokenTree::Group(group));
        calls(input, &mut tokens);
        return leaf(tokens, span);
    }
    leaf(group.stream(), span)
}

/// A node that begins with a path: a keyword or decorator and its children, or a leaf.
fn named(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let path = path(input);
    if input.peek(Token![!]) && (input.peek2(token::Paren) || input.peek2(token::Brace) || input.peek2(token::Bracket))
    {
        let mut tokens = path.tokens;
        tokens.extend(take(input, 2));
        return leaf(tokens, path.span);
    }
    let args = if input.peek(token::Paren) { group(input) } else { None };
    let label: Option<LitStr> = input.parse().ok();
    let children = if input.peek(token::Brace) {
        let Some(braces) = group(input) else { return Node::Missing(path.span) };
        if is_struct(&braces) {
            let message = "a struct literal has to stand in parentheses here, as in `(Talk { … })`";
            errors.on(&path.tokens, message);
            let mut tokens = path.tokens;
            tokens.extend([TokenTree::Group(braces)]);
            return leaf(tokens, path.span);
        }
        in_braces(&braces, errors)
    } else if input.peek(Token![<]) {
        in_angles(input, errors)
    } else {
        if let Some(label) = label {
            errors.at(label.span(), "a label stands between a keyword and its children; a leaf has none");
        }
        let mut tokens = path.tokens;
        tokens.extend(args.map(TokenTree::Group));
        calls(input, &mut tokens);
        return leaf(tokens, path.span);
    };
    Node::Inner(Inner { path, args, label, children })
}

/// `&path`: a subtree that stands in several places.
fn borrowed(input: ParseStream<'_>, errors: &mut Errors) -> Node {
    let span = input.span();
    let mut tokens: TokenStream = take(input, 1).into_iter().collect();
    if !begins_path(input) {
        return missing(span, "expected a name after `&`; any other expression stands in parentheses", errors);
    }
    tokens.extend(path(input).tokens);
    tokens.extend(if input.peek(token::Paren) { take(input, 1) } else { Vec::new() });
    calls(input, &mut tokens);
    leaf(tokens, span)
}

fn begins_path(input: ParseStream<'_>) -> bool {
    input.peek(Token![<]) || input.peek(Token![::]) || input.peek(Ident::peek_any)
}

/// A path, perhaps half typed: `a`, `a::b`, `a::<T>`, `<T as Trait>::a`, `a::`.
fn path(input: ParseStream<'_>) -> Path {
    let span = input.span();
    let mut tokens = TokenStream::new();
    let mut words = Vec::new();
    if input.peek(Token![<]) {
        angles(input, &mut tokens);
    }
    loop {
        if input.peek(Token![::]) {
            tokens.extend(take(input, 2));
            words.push(None);
            if input.peek(Token![<]) {
                angles(input, &mut tokens);
            }
        }
        // What begins the next child is not part of this path: `a::` may stand before a comma.
        match input.call(Ident::parse_any) {
            Ok(ident) => {
                ident.to_tokens(&mut tokens);
                words.push(Some(ident));
            }
            Err(_) => break,
        }
        if !input.peek(Token![::]) {
            break;
        }
    }
    let word = match words.as_mut_slice() {
        [Some(word)] => Some(word.clone()),
        _ => None,
    };
    Path { tokens, word, span }
}

/// Generic arguments, up to the matching `>`.
fn angles(input: ParseStream<'_>, tokens: &mut TokenStream) {
    let mut depth = 0_usize;
    let mut arrow = false;
    while let Ok(next) = input.parse::<TokenTree>() {
        if let TokenTree::Punct(punct) = &next {
            match punct.as_char() {
                '<' => depth += 1,
                '>' if !arrow => depth = depth.saturating_sub(1),
                _ => {}
            }
            arrow = punct.as_char() == '-';
        }
        tokens.extend([next]);
        if depth == 0 {
            break;
        }
    }
}

/// What may follow an expression: `.field`, `.method(…)`, `?`, also half typed.
fn calls(input: ParseStream<'_>, tokens: &mut TokenStream) {
    while input.peek(Token![.]) || input.peek(Token![?]) {
        let dot = input.peek(Token![.]);
        tokens.extend(take(input, 1));
        if dot && (input.peek(Ident::peek_any) || input.peek(syn::LitInt)) {
            tokens.extend(take(input, 1));
        }
        if input.peek(Token![::]) {
            tokens.extend(take(input, 2));
            angles(input, tokens);
        }
        if input.peek(token::Paren) || input.peek(token::Bracket) {
            tokens.extend(take(input, 1));
        }
    }
}

/// A closure. Between braces it reaches as far as Rust says; between angle brackets up to the next `,` or `>`.
fn closure(input: ParseStream<'_>, list: List) -> TokenStream {
    let ahead = input.fork();
    if list == List::Braces && ahead.parse::<syn::ExprClosure>().is_ok() {
        let left = |input: ParseStream<'_>| input.cursor().token_stream().into_iter().count();
        return take(input, left(input) - left(&ahead)).into_iter().collect();
    }
    let mut tokens = TokenStream::new();
    let mut bars = 0;
    let mut depth = 0_usize;
    let mut before = Before::default();
    let mut returns = false;
    while let Ok(next) = input.fork().parse::<TokenTree>() {
        if let TokenTree::Punct(punct) = &next {
            let inside = bars < 2 || depth > 0;
            match punct.as_char() {
                '|' => bars += 1,
                ',' if !inside => break,
                '<' if bars < 2 || returns || before.colon => depth += 1,
                '>' if before.arrow => returns = bars == 2,
                '>' if input.peek(Token![>=]) => {}
                '>' if depth > 0 => depth -= 1,
                '>' if list == List::Angles && !inside => break,
                _ => {}
            }
        } else if let TokenTree::Group(_) = &next {
            returns = false;
        }
        before = Before::of(&next);
        tokens.extend(take(input, 1));
    }
    tokens
}

/// What stood before a token.
#[derive(Default)]
struct Before {
    arrow: bool,
    colon: bool,
}

impl Before {
    fn of(token: &TokenTree) -> Self {
        let punct = if let TokenTree::Punct(punct) = token { Some(punct.as_char()) } else { None };
        Self { arrow: matches!(punct, Some('-' | '=')), colon: punct == Some(':') }
    }
}

/// Children between braces.
fn in_braces(braces: &Group, errors: &mut Errors) -> Vec<Node> {
    let parsed = Parser::parse2(|input: ParseStream<'_>| Ok(children(input, List::Braces, errors)), braces.stream());
    parsed.unwrap_or_default()
}

/// Children between angle brackets.
fn in_angles(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Node> {
    let open = input.span();
    skip(input, 1);
    let children = children(input, List::Angles, errors);
    if input.peek(Token![>]) {
        angle(input);
    } else {
        errors.at(open, "this `<` is not closed: expected `>` after its last child");
    }
    children
}

/// Children up to the end of their list, which is not consumed.
fn children(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Vec<Node> {
    let mut children = Vec::new();
    while !at_end(input, list) {
        if input.peek(Token![,]) {
            errors.at(input.span(), "expected a node, found `,`");
            skip(input, 1);
            continue;
        }
        children.push(node(input, list, errors));
        let braced = ends_with_brace(children.last());
        if input.peek(Token![,]) {
            skip(input, 1);
        } else if !at_end(input, list) && !braced {
            let found = found(input);
            errors.at(input.span(), format!("expected `,` before the next child, found {found}"));
            if !begins_node(input) {
                while !at_separator(input, list) {
                    skip(input, 1);
                }
                let _ = input.parse::<Token![,]>();
            }
        }
    }
    children
}

/// Whether a child may stand without a comma after it. Lists in angle brackets are parsed from single tokens, so they need one.
fn ends_with_brace(node: Option<&Node>) -> bool {
    match node {
        Some(Node::Inner(_)) => true,
        Some(Node::Not { child, .. }) => ends_with_brace(Some(child)),
        _ => false,
    }
}

fn at_end(input: ParseStream<'_>, list: List) -> bool {
    input.is_empty() || list == List::Angles && input.peek(Token![>])
}

fn at_separator(input: ParseStream<'_>, list: List) -> bool {
    at_end(input, list) || input.peek(Token![,])
}

/// Whether a node may begin here, rather than something to skip.
fn begins_node(input: ParseStream<'_>) -> bool {
    input.peek(Ident::peek_any)
        || input.peek(Token![::])
        || input.peek(Token![!])
        || input.peek(Token![|])
        || input.peek(Token![&])
}

/// Whether the braces after a path hold a struct's fields rather than children.
fn is_struct(braces: &Group) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let tokens: Vec<_> = braces.stream().into_iter().take(3).collect();
    match tokens.as_slice() {
        [TokenTree::Ident(_), colon, next] => is_colon(colon) && !is_colon(next),
        _ => false,
    }
}

fn leaf(tokens: TokenStream, span: Span) -> Node {
    let text = text::name(&tokens);
    Node::Leaf(Leaf { tokens, text, span })
}

fn missing(span: Span, message: impl std::fmt::Display, errors: &mut Errors) -> Node {
    errors.at(span, message);
    Node::Missing(span)
}

/// What is next, for a message.
fn found(input: ParseStream<'_>) -> String {
    match input.fork().parse::<TokenTree>() {
        Ok(TokenTree::Group(group)) => match group.delimiter() {
            Delimiter::Parenthesis => "`(…)`".to_owned(),
            Delimiter::Brace => "`{…}`".to_owned(),
            Delimiter::Bracket => "`[…]`".to_owned(),
            Delimiter::None => group.to_string(),
        },
        Ok(token) => format!("`{token}`"),
        Err(_) => "nothing".to_owned(),
    }
}

fn group(input: ParseStream<'_>) -> Option<Group> {
    match input.parse() {
        Ok(TokenTree::Group(group)) => Some(group),
        _ => None,
    }
}

/// Takes one `>`, also of a `>>`.
fn angle(input: ParseStream<'_>) -> Option<Punct> {
    input.parse().ok()
}

fn take(input: ParseStream<'_>, count: usize) -> Vec<TokenTree> {
    (0..count).map_while(|_| input.parse().ok()).collect()
}

fn skip(input: ParseStream<'_>, count: usize) {
    take(input, count);
}

fn rest(input: ParseStream<'_>) {
    skip(input, usize::MAX);
}
