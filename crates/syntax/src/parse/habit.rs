//! Reports what is written as in other notations, and parses what it means: names before nodes, arguments without parentheses, times with
//! units, weights behind nodes, cleanups behind bodies.

use bt_words::{Family, ParamType, Word};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Lit, LitStr, Token, token};

use super::arguments::time;
use super::leaf::plain;
use super::list::{List, at_separator};
use super::tokens::{found, may_precede, skip, take_until};
use crate::ast::Node;
use crate::errors::{Errors, LABEL, Left, REGISTER, REGISTER_VALUE};
use crate::keyword;
use crate::text;

/// Mistakes that are made at each child of a list, and reported at the first.
#[derive(Default)]
pub(super) struct Reported {
    /// A missing comma.
    pub(super) comma: bool,
    name: bool,
    reversed: bool,
}

impl Reported {
    /// Returns what is not reported in a list that has to be one child: that there are several is another error.
    pub(super) fn in_list_of_one() -> Self {
        Self { comma: true, ..Self::default() }
    }
}

/// Parses a name before a node, `exit: nap` or `a = nap`, and reports it.
pub(super) fn name(input: ParseStream<'_>, errors: &mut Errors, reported: &mut Reported) {
    let ahead = input.fork();
    let Ok(word) = ahead.call(Ident::parse_any) else { return };
    let sign = if is_colon(&ahead) {
        ':'
    } else if ahead.peek(Token![=]) && !ahead.peek(Token![==]) && !ahead.peek(Token![=>]) {
        '='
    } else {
        return;
    };
    skip(input, 2);
    if std::mem::replace(&mut reported.name, true) {
        return;
    }
    let message = match (word.to_string().as_str(), sign) {
        ("enter", ':') => "`enter:` is only allowed in a state of a `machine`\n\
                           help: write what runs first as the first child of a `mem_sequence`"
            .to_owned(),
        ("exit", ':') => "`exit:` is only allowed in a state of a `machine`\n\
                          help: write `finally { body, cleanup }`, whose cleanup runs when the body has ended"
            .to_owned(),
        (word, sign) => {
            let space = if sign == '=' { " " } else { "" };
            format!("expected a node, found a name before it, `{word}{space}{sign}`\n{LABEL}")
        }
    };
    errors.at(word.span(), message);
}

/// Returns `true` if a `:` follows that does not begin a `::`.
pub(super) fn is_colon(input: ParseStream<'_>) -> bool {
    input.peek(Token![:]) && !input.peek(Token![::])
}

/// Parses an argument that is not in parentheses, as in `repeat 3 { … }` and `wait secs(3)`, and reports it.
pub(super) fn bare_argument(word: &Ident, input: ParseStream<'_>, errors: &mut Errors) -> Option<Group> {
    let next = input.cursor();
    if next.literal().is_none() && next.ident().is_none() {
        return None;
    }
    let (name, ahead) = (word.to_string(), input.fork());
    let (is_number, is_keyword) = (ahead.peek(Lit) && !ahead.peek(LitStr), keyword::is_keyword(word));
    if !(is_number || ahead.peek(Ident)) {
        return None;
    }
    let argument = ahead.call(Expr::parse_without_eager_brace).ok()?;
    let is_argument = if is_keyword {
        keyword::takes_argument(&name) && ahead.peek(token::Brace)
    } else {
        // A name may be the next child, and a number the weight of the next child.
        let may_be = is_number || time(&name).is_some() && matches!(argument, Expr::Call(_));
        may_be && !ahead.peek(Token![=>]) && !ahead.peek(token::Brace)
    };
    if !is_argument {
        return None;
    }
    let (span, found) = (input.span(), found(input));
    let mut argument = take_until(input, &ahead);
    let is_plain = |text: &str| text.parse::<f64>().is_ok();
    let mut written = text::written(argument.clone());
    if time(&name) == Some(ParamType::Time) && is_plain(&written) {
        (written, argument) = (format!("secs({written})"), quote!(__bt_core::secs(#argument)));
    }
    let body = if is_keyword { " { … }" } else { "" };
    errors.at(span, format!("expected `(` after `{word}`, found {found}\nhelp: write `{word}({written}){body}`"));
    let mut group = Group::new(Delimiter::Parenthesis, argument);
    group.set_span(span);
    Some(group)
}

/// What is written between a keyword and the braces that belong there.
pub(super) enum Bare {
    /// A label without quotes: `sequence fight { … }`.
    Label(LitStr),
    /// The only child without braces: `invert near`.
    Child,
}

/// Parses a label without quotes after a composite or a machine, or finds a child without braces after a decorator, and reports it.
pub(super) fn bare(word: Option<&Ident>, input: ParseStream<'_>, errors: &mut Errors) -> Option<Bare> {
    let word = word.filter(|_| input.peek(Ident))?;
    let is_machine = word == Word::Machine.name();
    let family = keyword::find(&word.to_string()).map(|keyword| keyword.word.row().family);
    let family = family.or(is_machine.then_some(Family::Machine))?;
    let (span, found) = (input.span(), found(input));
    let (bare, help) = match family {
        Family::Decorator => (Bare::Child, format!("the child is in braces: `{word} {{ … }}`")),
        Family::Composite | Family::Machine if input.peek2(token::Brace) || is_machine && input.peek2(Token![<]) => {
            let name = input.call(Ident::parse_any).ok()?;
            let help = format!("a label is text in quotes: `{word} \"{name}\" {{ … }}`");
            (Bare::Label(LitStr::new(&name.to_string(), name.span())), help)
        }
        Family::Composite | Family::Machine | Family::State | Family::Leaf => return None,
    };
    errors.at(span, format!("expected `{{` after `{word}`, found {found}\nhelp: {help}"));
    Some(bare)
}

/// Reports a variable as it is written in files, `var(hp)`, among the arguments of a macro. Returns whether there is one.
pub(super) fn variable(arguments: &Group, errors: &mut Errors) -> bool {
    let tokens: Vec<_> = arguments.stream().into_iter().collect();
    let is_end = |token: Option<&TokenTree>| {
        token.is_none_or(|token| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ','))
    };
    for index in 0..tokens.len() {
        let [TokenTree::Ident(word), TokenTree::Group(name), rest @ ..] = &tokens[index..] else { continue };
        let is_alone = is_end(index.checked_sub(1).map(|before| &tokens[before])) && is_end(rest.first());
        let names: Vec<_> = name.stream().into_iter().collect();
        let [name] = &*names else { continue };
        if errors.is_file() || word != "var" || !is_alone {
            continue;
        }
        let name = name.to_string();
        let (name, constant) = (name.trim_matches('"'), name.trim_matches('"').to_uppercase().replace(' ', "_"));
        let help = format!(
            "help: write the key of the variable, `{constant}`, where `const {constant}: Key<_> = Key::new(\"{name}\")`"
        );
        errors.at(word.span(), format!("`var({name})` is only allowed in a file\n{help}"));
        return true;
    }
    false
}

/// Parses what is behind `=>` if it is a number, as in `nap => 3`, and reports it. Returns the node, whose weight becomes the number.
pub(super) fn reversed(
    weight: &mut Option<TokenStream>,
    input: ParseStream<'_>,
    list: List,
    errors: &mut Errors,
    reported: &mut Reported,
) -> Option<Node> {
    let before = weight.as_mut()?;
    let ahead = input.fork();
    let _ = ahead.parse::<Token![-]>();
    let is_number = ahead.parse::<Lit>().is_ok_and(|literal| matches!(literal, Lit::Int(_) | Lit::Float(_)));
    if !(is_number && at_separator(&ahead, list)) {
        return None;
    }
    let (span, found) = (input.span(), found(input));
    let child = std::mem::replace(before, take_until(input, &ahead));
    if !std::mem::replace(&mut reported.reversed, true) {
        let (weight, child) = (text::written(before.clone()), text::written(child.clone()));
        errors.at(span, format!("expected a node after `=>`, found {found}\nhelp: write the weight before the child: `{weight} => {child}`"));
    }
    errors.quietly(|quiet| {
        Parser::parse2(|input: ParseStream<'_>| Ok(Node::parse(input, List::Braces, quiet)), child).ok()
    })
}

/// Parses a weight that is a block, an `if` or a `match` without parentheses, and reports it.
pub(super) fn block_weight(input: ParseStream<'_>, errors: &mut Errors) -> Option<TokenStream> {
    if !(input.peek(token::Brace) || input.peek(Token![if]) || input.peek(Token![match])) {
        return None;
    }
    let ahead = input.fork();
    Expr::parse_with_earlier_boundary_rule(&ahead).ok()?;
    if !ahead.peek(Token![=>]) {
        return None;
    }
    let (span, found) = (input.span(), found(input));
    let weight = take_until(input, &ahead);
    skip(input, 2);
    let help = "help: put an expression with braces in parentheses: `(…) => child`";
    errors.at(span, format!("expected a value before `=>`, found {found}\n{}", errors.either(help, REGISTER_VALUE)));
    // A file cannot contain the expression.
    Some(if errors.is_file() { quote!(1) } else { weight })
}

/// Parses a comparison in the place of a child, such as `mood == Mood::Calm`, and reports it. In angle brackets, only `==` and `!=` are
/// visibly one.
pub(super) fn comparison(input: ParseStream<'_>, list: List, errors: &mut Errors) -> Option<Node> {
    if !may_precede("=!<>", input) {
        return None;
    }
    let (span, ahead) = (input.span(), input.fork());
    errors.quietly(|quiet| plain(&ahead, quiet));
    let is_equality = ahead.peek(Token![==]) || ahead.peek(Token![!=]);
    let is_less = ahead.peek(Token![<]) && !ahead.peek(Token![<=]) && ahead.peek2(syn::Lit);
    let is_order = is_less || ahead.peek(Token![<=]) || ahead.peek(Token![>]);
    if !(is_equality || is_order && list == List::Braces) {
        return None;
    }
    let ahead = input.fork();
    let Ok(Expr::Binary(_)) = ahead.parse::<Expr>() else { return None };
    // A weight begins the children in angle brackets: `random_selector < 3 => a >`.
    if ahead.peek(Token![=>]) {
        return None;
    }
    let expression = take_until(input, &ahead);
    let found = text::written(expression.clone());
    let help = errors.either("help: write a closure: `|npc: &Npc| npc.hp < 3`", REGISTER);
    errors.on(&expression, format!("expected a node, found the expression `{found}`\n{help}"));
    errors.leave(Left::Rust(expression));
    Some(Node::Missing(span))
}
