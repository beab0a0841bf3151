//! Parses nodes.

use bt_words::Word;
use proc_macro2::Delimiter;

use super::arguments::{arguments, variable};
use super::attributes::{allowing, attributes};
use super::closure::closure;
use super::leaf::{borrowed, fragment, in_parentheses, leaf, missing, reported};
use super::left::leave_rest;
use super::list::{List, at_end, begins_node, is_struct};
use super::rust::{angle, begins_path, calls, expression, path};
use super::tokens::is_colon;
use super::{branch, children, cleanup, habit, machine, matching, stray};
use crate::ast::{Args, Inner, Leaf, Node, Path};
use crate::errors::Errors;
use crate::keyword::{self, takes_action};
use crate::tokens::{Ident, Input};

impl<'t> Node<'t> {
    /// Parses a node. Consumes at least one token, unless there is none.
    pub(super) fn parse(input: &Input<'t>, list: List, errors: &mut Errors) -> Self {
        let (begin, names) = (input.span(), attributes(input, errors));
        if at_end(input, list) && !names.is_empty() {
            return missing(begin, "expected a node after the attribute, found nothing", errors);
        }
        let node = Self::parse_bare(input, list, errors);
        allowing(names, node)
    }

    /// Parses a node without attributes.
    pub(super) fn parse_bare(input: &Input<'t>, list: List, errors: &mut Errors) -> Self {
        let mut node = without_label(input, list, errors);
        if let Self::Leaf(leaf) = &mut node
            && leaf.label.is_none()
        {
            leaf.label = matching::label(input);
        }
        node
    }

    /// Parses a node that begins with a path: a keyword or decorator with its children, or a leaf.
    pub(super) fn parse_named(input: &Input<'t>, list: List, errors: &mut Errors) -> Self {
        let (span, begin, path) = (input.span(), input.fork(), path(input));
        if input.peek("!") && (input.peek2("(") || input.peek2("{") || input.peek2("[")) {
            input.skip(2);
            return leaf(input.since(&begin), path.span);
        }
        let args = match path.word {
            Some(word) if !input.peek("(") => habit::bare_argument(word, input, errors),
            word => {
                let args = input.group_in(Delimiter::Parenthesis);
                args.map(|args| arguments(word, stray::closed(args.into(), errors), errors))
            }
        };
        if let Some(args) = args.filter(|args| variable(*args, errors)) {
            let args = Args { stream: input.nothing(), are_reported: true, ..args };
            errors.quietly(|quiet| after_arguments(path, Some(args), input, list, quiet).leave(quiet));
            return Self::Skipped(span);
        }
        after_arguments(path, args, input, list, errors)
    }
}

/// Parses a node without attributes, and without a label after it.
fn without_label<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Node<'t> {
    let span = input.span();
    if let Some(node) = fragment(input) {
        return node;
    }
    if let Some(bang) = input.eat("!") {
        if at_end(input, list) {
            return missing(bang, "expected a node after `!`, found nothing", errors);
        }
        return Node::Not { bang, child: Box::new(Node::parse(input, list, errors)) };
    }
    if input.peek("|") || input.peek("move") {
        return leaf(closure(input, list, errors), span);
    }
    if input.peek("(") {
        return in_parentheses(input, errors);
    }
    if input.peek("&") {
        return borrowed(input, errors);
    }
    if let Some(word) = matching::word(input) {
        return matching::matching(word, input, errors);
    }
    if let Some(word) = branch::word(input) {
        return branch::branch(word, input, list, errors);
    }
    if let Some(node) = habit::switch(input, errors) {
        return node;
    }
    if angle(input).is_some() {
        return stray::in_angles(input, list, errors);
    }
    if begins_path(input) {
        return Node::parse_named(input, list, errors);
    }
    if input.peek("..") {
        let missing = missing(span, "`..` is only allowed before a child in a list", errors);
        children::skip_child(input, list, errors);
        return missing;
    }
    stray::stray(input, list, errors)
}

/// Parses what follows a path and its arguments.
fn after_arguments<'t>(
    path: Path<'t>,
    args: Option<Args<'t>>,
    input: &Input<'t>,
    list: List,
    errors: &mut Errors,
) -> Node<'t> {
    let begin = path.tokens.input();
    let before_children = input.peek("{") || input.peek("<") || input.peek_text();
    let (args, action) = match args {
        Some(args) if path.word.is_some_and(|word| takes_action(word.text())) && before_children => {
            service(args, errors)
        }
        args => (args, None),
    };
    let written = input.since(&begin);
    let label = match matching::label(input) {
        None if args.is_none() => match habit::bare(path.word, input, errors) {
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
        (Some(label), None) if input.peek("(") => {
            let message =
                "a label is not allowed before arguments\nhelp: write it after them: `name(arguments) \"label\"`";
            errors.at(label.span(), message);
            input.group().map(|args| Args { are_reported: true, ..args.into() })
        }
        (_, args) => args,
    };
    if let Some(word) = path.word.filter(|word| machine::is_meant(*word, input)) {
        if word != Word::Machine.name() {
            errors.at(word.span(), format!("unknown keyword `{word}`\nhelp: did you mean `machine`?"));
        }
        if let Some(args) = args {
            errors.at(args.span, "`machine` takes no arguments\nhelp: write `machine { state … }`");
            errors.leave_args(args);
        }
        let keyword = Ident::new(Word::Machine.name(), word.span());
        return Node::Machine(Box::new(machine::machine(keyword, label, input, list, errors)));
    }
    let is_keyword = path.word.is_some_and(|word| keyword::is_keyword(word.text()));
    let children = if input.peek("{") {
        if !errors.is_file() && is_struct(input) && !is_keyword {
            let name = path.tokens.written();
            let message = format!(
                "struct literals are not allowed here\nhelp: surround the struct literal with parentheses: `({name} {{ … }})`"
            );
            errors.at(path.tokens.span(), message);
            input.skip(1);
            let is_plain = args.is_none() && label.is_none();
            return leaf(if is_plain { input.since(&begin) } else { path.tokens }, path.span);
        }
        let mut children = if path.word.is_some_and(|word| keyword::takes_one_child(word.text())) {
            children::only_in_braces(input, errors).map(|(_, children)| children).unwrap_or_default()
        } else {
            children::in_braces(input, errors)
        };
        cleanup::cleanup(path.word, &mut children, input, errors);
        children
    } else if input.peek("<") {
        children::in_angles(input, list, errors)
    } else if let Some(word) = path.word.filter(|_| is_keyword && input.peek("[")) {
        errors.at(input.span(), format!("expected `{{` after `{word}`, found `[…]`\nhelp: write `{word} {{ … }}`"));
        errors.leave_keyword(word);
        if let Some(children) = input.group() {
            errors.salvage(children.stream());
        }
        return Node::Skipped(path.span);
    } else if path.word.is_some_and(|word| word == Word::State.name()) && input.peek_name().is_some() {
        let message = "`state` is only allowed inside a `machine`\nhelp: write `machine { state … }`";
        errors.at(path.tokens.span(), message);
        machine::skip_state(input, list, errors);
        return Node::Skipped(path.span);
    } else if let Some((word, args)) = path.word.zip(args).filter(|_| is_keyword) {
        without_children(word, args, input, list, errors);
        return Node::Skipped(path.span);
    } else {
        let behind = input.fork();
        calls(input);
        let calls = input.since(&behind);
        if args.is_some_and(|args| args.are_reported) {
            return reported(&path, errors);
        }
        if let Some(label) = label.filter(|_| !calls.is_empty()) {
            let (written, code, label) = (written.written(), calls.written(), label.value());
            let help = format!("help: write the label last: `{written}{code} {label:?}`");
            errors.at(calls.begin(), format!("expected `,` after a label, found `{code}`\n{help}"));
        }
        // A label is not part of the Rust.
        let tokens = if label.is_some() { written } else { input.since(&begin) };
        return match leaf(tokens, path.span) {
            Node::Leaf(leaf) => Node::Leaf(Leaf { label, ..leaf }),
            other => other,
        };
    };
    Node::Inner(Inner { path, args, action, label, children })
}

/// Reports a keyword with arguments and without children, which may be meant as a function.
fn without_children<'t>(word: Ident<'t>, args: Args<'t>, input: &Input<'t>, list: List, errors: &mut Errors) {
    let name = word.text();
    let argument = if keyword::takes_argument(name) { "(…)" } else { "" };
    let own = format!("\nhelp: for a function of your own, write `self::{name}(…)`");
    errors.at(
        word.span(),
        format!(
            "expected the children of `{name}` in braces\nhelp: write `{name}{argument} {{ … }}`{}",
            errors.either(&own, "")
        ),
    );
    errors.leave_keyword(word);
    errors.leave_args(args);
    if begins_node(input) {
        let child = Node::parse(input, list, errors);
        child.leave(errors);
    }
}

/// Parses the time and the action of a `service(time, action)`.
fn service<'t>(args: Args<'t>, errors: &mut Errors) -> (Option<Args<'t>>, Option<Box<Node<'t>>>) {
    let input = &args.stream.input();
    let mut has_name = false;
    name_of_argument(input, args, &mut has_name, errors);
    let time = Args { stream: expression(input), ..args };
    input.eat(",");
    name_of_argument(input, args, &mut has_name, errors);
    let action = if input.is_empty() {
        None
    } else if args.are_reported && input.peek_literal().is_some() {
        // A time in the place of the action.
        let span = input.span();
        input.take_before(|input| input.peek(","));
        Some(Box::new(Node::Missing(span)))
    } else {
        Some(Box::new(Node::parse(input, List::Braces, errors)))
    };
    input.eat(",");
    if !input.is_empty() {
        errors.at(input.span(), "`service` expects a time and one action, found another argument\nhelp: put several actions in a `sequence { … }`");
        leave_rest(input, List::Braces, errors);
    }
    (Some(time), action)
}

/// Parses `name =` before an argument of a `service`, and reports the first. A name with a colon has been reported.
fn name_of_argument(input: &Input<'_>, args: Args<'_>, has_name: &mut bool, errors: &mut Errors) {
    let Some(name) = input.peek_name() else { return };
    let sign = input.after();
    let is_equals = sign.peek("=") && !sign.peek("==");
    if !(is_equals || args.are_reported && is_colon(&sign)) {
        return;
    }
    input.skip(2);
    if is_equals && !std::mem::replace(has_name, true) {
        let example = errors.either("secs(1)", "1s");
        let help = format!("help: write `service({example}, look_around) {{ … }}`");
        errors.at(name.span(), format!("the arguments of `service` have no names, found `{name} =`\n{help}"));
    }
}
