//! Reports what is written as in other notations, and parses what it means: names before nodes, arguments without parentheses, times with
//! units, weights behind nodes, cleanups behind bodies.

use bt_words::{Family, ParamType, Word};
use proc_macro2::Delimiter;
use syn::Expr;
use syn::parse::{Parse, ParseStream};

use super::arguments::time;
use super::leaf::plain;
use super::list::{List, at_end, at_separator};
use super::rust::with_syn;
use super::tokens::{found, is_colon, may_precede};
use crate::ast::{Args, Node};
use crate::errors::{Errors, LABEL, REGISTER, REGISTER_VALUE};
use crate::keyword;
use crate::tokens::{Ident, Input, Text, TokenStream};

/// Mistakes that are made at each child of a list, and reported at the first.
#[derive(Default)]
pub(super) struct Reported {
    /// A missing comma.
    pub(super) comma: bool,
    /// A name or a weight.
    pub(super) name: bool,
    /// A sign behind a child.
    sign: bool,
}

impl Reported {
    /// Returns what is not reported in a list that has to be one child: that there are several is another error.
    pub(super) fn in_list_of_one() -> Self {
        Self { comma: true, ..Self::default() }
    }
}

/// Parses a name before a node, `exit: nap` or `a = nap`, and reports it. Returns what is in the place of the node if that is a list.
pub(super) fn name<'t>(input: &Input<'t>, errors: &mut Errors, reported: &mut Reported) -> Option<Node<'t>> {
    let ahead = input.fork();
    let word = ahead.word()?;
    let sign = if is_colon(&ahead) {
        ':'
    } else if ahead.peek("=") && !ahead.peek("==") && !ahead.peek("=>") {
        '='
    } else {
        return None;
    };
    input.skip(2);
    let after = input.after();
    if sign == '=' && input.peek_value() && (after.is_empty() || after.peek(",")) {
        let number = input.take(1).written();
        let help = format!("help: a weight is before its child: `{number} => {word}`");
        if !std::mem::replace(&mut reported.name, true) {
            errors.at(word.span(), format!("expected a node, found `{word} = {number}`\n{help}"));
        }
        return Some(Node::Skipped(word.span()));
    }
    let is_list = input.peek("{");
    if let Some(group) = input.group_in(Delimiter::Brace) {
        errors.salvage(group.stream());
    }
    let list = is_list.then_some(Node::Skipped(word.span()));
    if std::mem::replace(&mut reported.name, true) {
        return list;
    }
    let message = match (word.text(), sign) {
        ("enter", ':') => "`enter:` is only allowed in a state of a `machine`\n\
                           help: write what runs first as the first child of a `mem_sequence`"
            .to_owned(),
        ("exit", ':') => "`exit:` is only allowed in a state of a `machine`\n\
                          help: write `finally { body, cleanup }`, whose cleanup runs when the body has ended"
            .to_owned(),
        (word, ':') if keyword::is_keyword(word) => {
            format!("expected `{{` after `{word}`, found `:`\nhelp: write `{word} {{ … }}`")
        }
        (word, sign) => {
            let space = if sign == '=' { " " } else { "" };
            format!("expected a node, found a name before it, `{word}{space}{sign}`\n{LABEL}")
        }
    };
    errors.at(word.span(), message);
    list
}

/// Parses a weight with a colon or another arrow, as in `3: nap` and `3 -> nap`, and reports it.
pub(super) fn weight<'t>(input: &Input<'t>, errors: &mut Errors, reported: &mut Reported) -> Option<TokenStream<'t>> {
    let ahead = input.fork();
    ahead.eat("-");
    ahead.literal()?;
    let sign = if is_colon(&ahead) { ":" } else { Some("->").filter(|arrow| ahead.peek(arrow))? };
    let (span, weight) = (ahead.span(), input.take_until(&ahead));
    input.skip(sign.len());
    if !std::mem::replace(&mut reported.name, true) {
        let written = weight.written();
        errors.at(span, format!("expected `=>` after `{written}`, found `{sign}`\nhelp: write `{written} => …`"));
    }
    Some(weight)
}

/// Parses a `match` under its name in other languages, and reports it.
pub(super) fn switch<'t>(input: &Input<'t>, errors: &mut Errors) -> Option<Node<'t>> {
    let word = input.peek_name().filter(|word| ["switch", "case", "select"].contains(&word.text()))?;
    let ahead = input.after();
    ahead.peek_word()?;
    let function = ahead.take_before(|input| input.peek("{") || input.peek(","));
    if !ahead.peek("{") {
        return None;
    }
    let help = format!("help: write `match {} {{ pattern => node, … }}`", function.written());
    errors.at(word.span(), format!("expected `match`, found `{word}`\n{help}"));
    input.take_until(&ahead);
    errors.salvage(input.take(1));
    Some(Node::Skipped(word.span()))
}

/// Parses an argument that is not in parentheses, as in `repeat 3 { … }` and `wait secs(3)`, and reports it.
pub(super) fn bare_argument<'t>(word: Ident<'t>, input: &Input<'t>, errors: &mut Errors) -> Option<Args<'t>> {
    let (name, is_keyword) = (word.text(), keyword::is_keyword(word.text()));
    let is_number = input.peek_value() && !input.peek_text() && !input.peek("-");
    if !(is_number || input.peek_name().is_some()) {
        return None;
    }
    let (argument, ahead) = with_syn(input, Expr::parse_without_eager_brace)?;
    let is_argument = if is_keyword {
        keyword::takes_argument(name) && ahead.peek("{")
    } else {
        // A name may be the next child, and a number the weight of the next child.
        let may_be = is_number || time(name).is_some() && matches!(argument, Expr::Call(_));
        may_be && !ahead.peek("=>") && !ahead.peek("{")
    };
    if !is_argument {
        return None;
    }
    let (span, found) = (input.span(), found(input));
    let argument = input.take_until(&ahead);
    let mut written = argument.written();
    if time(name) == Some(ParamType::Time) && written.parse::<f64>().is_ok() {
        written = format!("secs({written})");
    }
    let body = if is_keyword { " { … }" } else { "" };
    errors.at(span, format!("expected `(` after `{word}`, found {found}\nhelp: write `{word}({written}){body}`"));
    Some(Args { stream: argument, span, are_reported: true })
}

/// What is written between a keyword and the braces that belong there.
pub(super) enum Bare<'t> {
    /// A label without quotes: `sequence fight { … }`.
    Label(Text<'t>),
    /// The only child without braces: `invert near`.
    Child,
}

/// Parses a label without quotes after a composite or a machine, or finds a child without braces after a decorator, and reports it.
pub(super) fn bare<'t>(word: Option<Ident<'t>>, input: &Input<'t>, errors: &mut Errors) -> Option<Bare<'t>> {
    let word = word.filter(|_| input.peek_name().is_some())?;
    let is_machine = word == Word::Machine.name();
    let family = keyword::find(word.text()).map(|keyword| keyword.word.row().family);
    let family = family.or(is_machine.then_some(Family::Machine))?;
    let (span, found) = (input.span(), found(input));
    let (bare, help) = match family {
        Family::Decorator => (Bare::Child, format!("the child is in braces: `{word} {{ … }}`")),
        Family::Composite | Family::Machine if input.peek2("{") || is_machine && input.peek2("<") => {
            let name = input.word()?;
            let help = format!("a label is text in quotes: `{word} \"{name}\" {{ … }}`");
            (Bare::Label(Text::of_name(name)), help)
        }
        Family::Composite | Family::Machine | Family::State | Family::Leaf => return None,
    };
    errors.at(span, format!("expected `{{` after `{word}`, found {found}\nhelp: {help}"));
    Some(bare)
}

/// Parses what is behind `=>` if it is a number, as in `nap => 3`, and reports it. Returns the node, whose weight becomes the number.
pub(super) fn reversed<'t>(
    weight: &mut Option<TokenStream<'t>>,
    input: &Input<'t>,
    list: List,
    errors: &mut Errors,
    reported: &mut Reported,
) -> Option<Node<'t>> {
    let before = weight.as_mut()?;
    let ahead = input.fork();
    ahead.eat("-");
    let is_number =
        ahead.literal().is_some_and(|literal| literal.text().starts_with(|sign: char| sign.is_ascii_digit()));
    if !(is_number && at_separator(&ahead, list)) {
        return None;
    }
    let (span, found) = (input.span(), found(input));
    let child = std::mem::replace(before, input.take_until(&ahead));
    // A weight that is missing has been reported.
    if !child.is_empty() && !std::mem::replace(&mut reported.name, true) {
        let (weight, child) = (before.written(), child.written());
        errors.at(span, format!("expected a node after `=>`, found {found}\nhelp: write the weight before the child: `{weight} => {child}`"));
    }
    Some(errors.quietly(|quiet| Node::parse(&child.input(), List::Braces, quiet)))
}

/// Parses a weight that is a block, an `if` or a `match` without parentheses, and reports it.
pub(super) fn block_weight<'t>(input: &Input<'t>, errors: &mut Errors) -> Option<TokenStream<'t>> {
    if !(input.peek("{") || input.peek("if") || input.peek("match")) {
        return None;
    }
    // Its last braces are before the `=>`.
    let ahead = input.fork();
    loop {
        ahead.take_before(|input| input.peek("{"));
        ahead.skip(1);
        if ahead.eat("else").is_none() {
            break;
        }
    }
    if !ahead.peek("=>") {
        return None;
    }
    let parser = |input: ParseStream<'_>| Expr::parse_with_earlier_boundary_rule(input);
    let (_, ahead) = with_syn(input, parser)?;
    if !ahead.peek("=>") {
        return None;
    }
    let (span, found) = (input.span(), found(input));
    let weight = input.take_until(&ahead);
    input.skip(2);
    let help = "help: put an expression with braces in parentheses: `(…) => child`";
    errors.at(span, format!("expected a value before `=>`, found {found}\n{}", errors.either(help, REGISTER_VALUE)));
    // A file cannot contain the expression.
    Some(if errors.is_file() { input.nothing() } else { weight })
}

/// Parses a comparison in the place of a child, such as `mood == Mood::Calm`, and reports it. In angle brackets, only `==` and `!=` are
/// visibly one.
pub(super) fn comparison<'t>(input: &Input<'t>, list: List, errors: &mut Errors) -> Option<Node<'t>> {
    if !may_precede("=!<>", input) {
        return None;
    }
    let (span, ahead) = (input.span(), input.fork());
    errors.quietly(|quiet| plain(&ahead, quiet));
    let is_equality = ahead.peek("==") || ahead.peek("!=");
    let is_less = ahead.peek("<") && !ahead.peek("<=") && ahead.after().peek_value();
    let is_order = is_less || ahead.peek("<=") || ahead.peek(">");
    if !(is_equality || is_order && list == List::Braces) {
        return None;
    }
    let (Expr::Binary(_), ahead) = with_syn(input, Expr::parse)? else { return None };
    // A weight begins the children in angle brackets: `random_selector < 3 => a >`.
    if ahead.peek("=>") {
        return None;
    }
    let expression = input.take_until(&ahead);
    let found = expression.written();
    let help = errors.either("help: write a closure: `|npc: &Npc| npc.hp < 3`", REGISTER);
    errors.at(expression.span(), format!("expected a node, found the expression `{found}`\n{help}"));
    errors.leave_rust(expression);
    Some(Node::Missing(span))
}

/// Parses what follows a node in other notations, a semicolon, or the arrow of a transition and its state, and reports it if nothing has been.
/// Returns whether there is one of them.
pub(super) fn behind(input: &Input<'_>, list: List, reported: &mut Reported, errors: &mut Errors) -> bool {
    let span = input.span();
    let message = if input.eat(";").is_some() {
        let is_last = at_end(input, list);
        // The number of children is another error.
        reported.sign |= reported.comma && !is_last;
        let help = if is_last { "remove it" } else { "write `,`" };
        format!("expected `,` between nodes, found `;`\nhelp: {help}")
    } else if input.eat("->").is_some() {
        input.word();
        input.eat(",");
        "a transition is only allowed in a `machine`\n\
         help: write `machine { state a { node, condition -> b } state b { … } }`"
            .to_owned()
    } else {
        return false;
    };
    if !std::mem::replace(&mut reported.sign, true) {
        errors.at(span, message);
    }
    true
}
