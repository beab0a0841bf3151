//! Parses nodes.

use bt_words::Word;
use proc_macro2::{Group, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Ident, LitStr, Token, token};

use super::arguments::arguments;
use super::attributes::{allowing, attributes};
use super::closure::closure;
use super::leaf::{borrowed, fragment, in_parentheses, label, leaf, missing};
use super::left::leave_rest;
use super::list::{List, at_end, begins_node, is_struct};
use super::rust::{angle, begins_path, calls, expression, path};
use super::tokens::{group, take};
use super::{branch, children, cleanup, habit, machine, matching, stray};
use crate::ast::{Inner, Leaf, Node, Path};
use crate::errors::{Errors, Left};
use crate::keyword::{self, takes_action};
use crate::text;

impl Node {
    /// Parses a node. Consumes at least one token, unless there is none.
    pub(super) fn parse(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Self {
        let (begin, names) = (input.span(), attributes(input, errors));
        if at_end(input, list) && !names.is_empty() {
            return missing(begin, "expected a node after the attribute, found nothing", errors);
        }
        let node = Self::parse_bare(input, list, errors);
        allowing(names, node)
    }

    /// Parses a node without attributes.
    pub(super) fn parse_bare(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Self {
        let mut node = without_label(input, list, errors);
        if let Self::Leaf(leaf) = &mut node
            && leaf.label.is_none()
        {
            leaf.label = label(input);
        }
        node
    }

    /// Parses a node that begins with a path: a keyword or decorator with its children, or a leaf.
    pub(super) fn parse_named(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Self {
        let (span, path) = (input.span(), path(input));
        if input.peek(Token![!])
            && (input.peek2(token::Paren) || input.peek2(token::Brace) || input.peek2(token::Bracket))
        {
            let mut tokens = path.tokens;
            tokens.extend(take(input, 2));
            return leaf(tokens, path.span);
        }
        let args = match &path.word {
            Some(word) if !input.peek(token::Paren) => habit::bare_argument(word, input, errors),
            _ if input.peek(token::Paren) => {
                group(input).map(|args| arguments(path.word.as_ref(), stray::closed(args, errors), errors))
            }
            _ => None,
        };
        if args.as_ref().is_some_and(|args| habit::variable(args, errors)) {
            errors.quietly(|quiet| after_arguments(path, None, input, list, quiet).leave(quiet));
            return Self::Skipped(span);
        }
        after_arguments(path, args, input, list, errors)
    }
}

/// Parses a node without attributes, and without a label after it.
fn without_label(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Node {
    let span = input.span();
    if let Some(node) = fragment(input) {
        return node;
    }
    if let Ok(bang) = input.parse::<Token![!]>() {
        if at_end(input, list) {
            return missing(bang.span, "expected a node after `!`, found nothing", errors);
        }
        return Node::Not { bang: bang.span, child: Box::new(Node::parse(input, list, errors)) };
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
        return Node::parse_named(input, list, errors);
    }
    if input.peek(Token![..]) {
        let missing = missing(span, "`..` is only allowed before a child in a list", errors);
        children::skip_child(input, list, errors);
        return missing;
    }
    stray::stray(input, list, errors)
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
    let label = match label(input) {
        None if args.is_none() => match habit::bare(path.word.as_ref(), input, errors) {
            Some(habit::Bare::Label(label)) => Some(label),
            Some(habit::Bare::Child) => {
                Node::parse(input, list, errors).leave(errors);
                return Node::Skipped(path.span);
            }
            None => None,
        },
        label => label,
    };
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
            errors.salvage(args.stream());
        }
        let keyword = Ident::new(Word::Machine.name(), word.span());
        return Node::Machine(Box::new(machine::machine(keyword, label, input, list, errors)));
    }
    let children = if input.peek(token::Brace) {
        if !errors.is_file() && is_struct(input) && !path.word.as_ref().is_some_and(keyword::is_keyword) {
            let name = text::written(path.tokens.clone());
            let message = format!(
                "struct literals are not allowed here\nhelp: surround the struct literal with parentheses: `({name} {{ … }})`"
            );
            errors.on(&path.tokens, message);
            let mut tokens = path.tokens;
            tokens.extend(take(input, 1));
            return leaf(tokens, path.span);
        }
        let mut children = if path.word.as_ref().is_some_and(keyword::takes_one_child) {
            children::only_in_braces(input, errors).map(|(_, children)| children).unwrap_or_default()
        } else {
            children::in_braces(input, errors)
        };
        cleanup::cleanup(path.word.as_ref(), &mut children, input, errors);
        children
    } else if input.peek(Token![<]) {
        children::in_angles(input, list, errors)
    } else if let Some(word) = path.word.as_ref().filter(|word| keyword::is_keyword(word) && input.peek(token::Bracket))
    {
        errors.at(input.span(), format!("expected `{{` after `{word}`, found `[…]`\nhelp: write `{word} {{ … }}`"));
        errors.leave(Left::Keyword(word.clone()));
        let children = group(input).map(|group| group.stream()).unwrap_or_default();
        errors.salvage(children);
        return Node::Skipped(path.span);
    } else if path.word.as_ref().is_some_and(|word| word == Word::State.name()) && input.peek(Ident) {
        let message = "`state` is only allowed inside a `machine`\nhelp: write `machine { state … }`";
        errors.on(&path.tokens, message);
        machine::skip_state(input, list, errors);
        return Node::Skipped(path.span);
    } else if let Some((word, args)) =
        path.word.as_ref().zip(args.as_ref()).filter(|(word, _)| keyword::is_keyword(word))
    {
        without_children(word, args, input, list, errors);
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

/// Reports a keyword with arguments and without children, which may be meant as a function.
fn without_children(word: &Ident, args: &Group, input: ParseStream<'_>, list: List, errors: &mut Errors) {
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
    errors.salvage(args.stream());
    if begins_node(input) {
        let child = Node::parse(input, list, errors);
        child.leave(errors);
    }
}

/// Parses the time and the action of a `service(time, action)`.
fn service(args: &Group, errors: &mut Errors) -> (Option<Group>, Option<Box<Node>>) {
    let parser = |input: ParseStream<'_>| {
        let mut has_name = false;
        name_of_argument(input, &mut has_name, errors);
        let mut time = Group::new(args.delimiter(), expression(input));
        time.set_span(args.span());
        let _ = input.parse::<Token![,]>();
        name_of_argument(input, &mut has_name, errors);
        let action = if input.is_empty() { None } else { Some(Box::new(Node::parse(input, List::Braces, errors))) };
        let _ = input.parse::<Token![,]>();
        if !input.is_empty() {
            errors.at(input.span(), "`service` expects a time and one action, found another argument\nhelp: put several actions in a `sequence { … }`");
            leave_rest(input, List::Braces, errors);
        }
        Ok((Some(time), action))
    };
    Parser::parse2(parser, args.stream()).unwrap_or_default()
}

/// Parses `name =` before an argument of a `service`, and reports the first.
fn name_of_argument(input: ParseStream<'_>, has_name: &mut bool, errors: &mut Errors) {
    if !(input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==])) {
        return;
    }
    let span = input.span();
    let Some(name) = take(input, 2).into_iter().next() else { return };
    if !std::mem::replace(has_name, true) {
        let example = errors.either("secs(1)", "1s");
        let help = format!("help: write `service({example}, look_around) {{ … }}`");
        errors.at(span, format!("the arguments of `service` have no names, found `{name} =`\n{help}"));
    }
}
