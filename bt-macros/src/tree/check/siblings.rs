//! What is wrong among the children of one node: labels given twice, children behind one that visibly always stops the flow.

use bt_words::{Flags, Lint, Outcomes, Returns, Word};
use proc_macro2::{TokenStream, TokenTree};

use super::super::plan::{Located, Node};
use crate::errors::Errors;

/// Reports labels that two of these children bear.
pub(super) fn labels(children: &[Located], errors: &mut Errors) {
    for (index, child) in children.iter().enumerate() {
        let Some(label) = &child.label else { continue };
        let same = |before: &Located| before.label.as_ref().is_some_and(|other| other.value() == label.value());
        if children[..index].iter().any(same) {
            let message = format!(
                "there is a child {label:?} already: tools tell children apart by their labels",
                label = label.value()
            );
            errors.at(label.span(), message);
        }
    }
}

/// Reports the first child behind one that is visibly constant and does not let a composite go on. What the types say is checked later.
pub(super) fn reach(word: Word, children: &mut [Located], errors: &mut Errors) {
    let Returns::InOrder(pass) = word.row().returns else { return };
    let (goes_on, keyword) = (pass == Outcomes::SUCCESS, word.name());
    let Some(stop) = children.iter().position(|child| constant(child) == Some(!goes_on)) else { return };
    let mut reported = false;
    for child in &mut children[stop + 1..] {
        if !child.flags.has(Flags::allows(Lint::Unreachable)) && !std::mem::replace(&mut reported, true) {
            let (gives, after) = if goes_on { ("fails", "Success") } else { ("succeeds", "Failure") };
            let message = format!(
                "this can never run: the child before it always {gives}, and a `{keyword}` goes on only after {after}; \
                 move or remove one of them, or write `#[allow(unreachable)]` before this one if it is meant"
            );
            errors.at(child.span, message);
        }
        // The types do not know it, so to them there would be nothing to expect.
        child.flags = child.flags.not_expecting(Lint::Unreachable);
    }
}

/// What a condition always answers, if that can be seen: `|_: &Npc| true`.
pub(super) fn constant(node: &Located) -> Option<bool> {
    match &node.node {
        Node::Leaf(tokens) => closure(tokens),
        Node::Decorator { keyword, child, .. } if keyword == "invert" => constant(child).map(|answer| !answer),
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
