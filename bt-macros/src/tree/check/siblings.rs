//! Checks the children of one node: duplicate labels, and children after one that visibly always stops the composite.

use bt_words::{Flags, Lint, Outcomes, Returns, Word};
use proc_macro2::{TokenStream, TokenTree};

use super::super::plan::{Located, Node};
use crate::errors::Errors;

/// Reports duplicate labels among these children.
pub(super) fn labels(children: &[Located], errors: &mut Errors) {
    for (index, child) in children.iter().enumerate() {
        let Some(label) = &child.label else { continue };
        let same = |before: &Located| before.label.as_ref().is_some_and(|other| other.value() == label.value());
        if children[..index].iter().any(same) {
            let message = format!(
                "duplicate label {label:?}\nnote: tools identify children by their labels\nhelp: change or remove one of them",
                label = label.value()
            );
            errors.at(label.span(), message);
        }
    }
}

/// Reports the first child after one that is visibly constant and stops the composite. Types are checked later.
pub(super) fn reach(word: Word, children: &mut [Located], errors: &mut Errors) {
    let Returns::InOrder(pass) = word.row().returns else { return };
    let (passes_on, keyword) = (pass == Outcomes::SUCCESS, word.name());
    let Some(stop) = children.iter().position(|child| constant(child) == Some(!passes_on)) else { return };
    let mut reported = false;
    for child in &mut children[stop + 1..] {
        if !child.flags.has(Flags::allows(Lint::Unreachable)) && !std::mem::replace(&mut reported, true) {
            let (returned, needed) = if passes_on { ("Failure", "Success") } else { ("Success", "Failure") };
            let message = format!(
                "unreachable node\nnote: the child before it only returns `{returned}`, \
                 and `{keyword}` continues only after `{needed}`\n\
                 help: move or remove one of them, or write `#[allow(unreachable)]` before this node"
            );
            errors.at(child.span, message);
        }
        // The types do not show it, so the check of types would report the `#[expect(…)]` as unused.
        child.flags = child.flags.not_expecting(Lint::Unreachable);
    }
}

/// Returns the result of a visibly constant condition: `|_: &Npc| true`.
pub(super) fn constant(node: &Located) -> Option<bool> {
    match &node.node {
        Node::Leaf { rust, .. } => closure(rust),
        Node::Decorator { keyword, child, .. } if keyword == "invert" => constant(child).map(|holds| !holds),
        _ => None,
    }
}

fn closure(tokens: &TokenStream) -> Option<bool> {
    let mut tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let last = tokens.pop()?;
    let is_bar = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '|');
    if !(is_bar(tokens.first()?) && tokens.iter().filter(|token| is_bar(token)).count() == 2 && is_bar(tokens.last()?))
    {
        return None;
    }
    last.to_string().parse().ok()
}
