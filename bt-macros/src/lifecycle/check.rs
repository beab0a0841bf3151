//! Checks an impl block that will be split, and the arguments of the attribute.

use proc_macro2::{Ident, TokenStream};
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ItemImpl, RangeLimits, Token};

use super::split::{ALL, Split};
use bt_syntax::errors::Errors;
use bt_syntax::text;

/// The number of children that a composite takes, as written in its attribute.
#[allow(clippy::large_enum_variant, reason = "an attribute has one; the size depends on a feature of proc-macro2")]
pub(crate) enum Count {
    Exactly(Expr),
    AtLeast(Expr),
    Between(Box<Expr>, Box<Expr>),
}

/// Checks the arguments of the attribute: `children = 2` for a composite, none for the others.
pub(crate) fn arguments(split: &Split, arguments: TokenStream, errors: &mut Errors) -> Option<Count> {
    let word = split.word;
    if arguments.is_empty() {
        return None;
    }
    if !split.counts_children {
        errors.on(&arguments, format!("`#[{word}]` takes no arguments"));
        return None;
    }
    let parser = |input: ParseStream<'_>| {
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let count: Expr = input.parse()?;
        let _ = input.parse::<Token![,]>();
        if name == "children" && input.is_empty() { Ok(count) } else { Err(input.error("another argument")) }
    };
    let help =
        format!("help: write `#[{word}(children = 2)]`, `#[{word}(children = 1..=4)]` or `#[{word}(children = 2..)]`");
    let Ok(count) = Parser::parse2(parser, arguments.clone()) else {
        let found = text::written(arguments.clone());
        errors.on(&arguments, format!("expected `children = …`, found `{found}`\n{help}"));
        return None;
    };
    let Expr::Range(range) = count else { return Some(Count::Exactly(count)) };
    match (range.start, range.limits, range.end) {
        (Some(least), RangeLimits::Closed(_), Some(most)) => Some(Count::Between(least, most)),
        (Some(least), RangeLimits::HalfOpen(_), None) => Some(Count::AtLeast(*least)),
        (_, limits, _) => {
            errors.on(&limits, format!("expected a number, `1..=4` or `2..`\n{help}"));
            None
        }
    }
}

/// Checks an impl block. Returns it with its attribute: that of its trait if another one was written.
pub(crate) fn block<'a>(split: &'a Split, item: TokenStream, errors: &mut Errors) -> Option<(&'a Split, ItemImpl)> {
    let Split { word, over, .. } = split;
    let block: ItemImpl = match syn::parse2(item) {
        Ok(block) => block,
        Err(error) => {
            let message = format!(
                "`#[{word}]` is only allowed on an impl block\nnote: {error}\nhelp: write `impl {over}<Context> for Type {{ … }}`"
            );
            errors.add(syn::Error::new(error.span(), message));
            return None;
        }
    };
    let of_trait = block.trait_.as_ref().and_then(|of| of.0.segments.last()).map(|of| &of.ident);
    if of_trait.is_some_and(|of| of == over) {
        return Some((split, block));
    }
    let other = ALL.into_iter().find(|other| of_trait.is_some_and(|of| of == other.over));
    let help = other.map(|other| format!("\nhelp: write `#[{}]`", other.word)).unwrap_or_default();
    errors.on(&block.self_ty, format!("`#[{word}]` is only allowed on `impl {over}<Context> for …`{help}"));
    other.map(|other| (other, block))
}
