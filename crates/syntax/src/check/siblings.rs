//! Checks the children of one node: duplicate labels, and children after one that visibly always stops the composite.

use std::collections::BTreeSet;

use bt_words::analysis::{ChildFacts, Facts, Form};
use bt_words::{Family, Flags, Outcomes, Word};
use proc_macro2::{TokenStream, TokenTree};

use crate::ast;
use crate::errors::{Errors, Mistake};
use crate::plan::{Located, Node};

/// Reports duplicate labels among the children of one node. Those of disabled children may be the same.
pub(crate) fn labels<'n, 't: 'n>(children: impl IntoIterator<Item = &'n ast::Node<'t>>, errors: &mut Errors) {
    let mut known = BTreeSet::new();
    for label in children.into_iter().filter(|child| !child.is_disabled()).filter_map(ast::Node::label) {
        let text = label.value();
        if known.contains(&text) {
            let message = format!(
                "duplicate label {text:?}\nnote: tools identify children by their labels\nhelp: change or remove one of them"
            );
            errors.at(label.span(), message);
        }
        known.insert(text);
    }
}

/// Reports the first child that is unreachable since one before it is visibly constant. Types are checked later.
pub(super) fn reach(word: Word, children: &mut [Located], errors: &mut Errors) {
    if word.row().family != Family::Composite {
        return;
    }
    let returns = |child: &Located| match constant(child) {
        Some(true) => Outcomes::SUCCESS,
        Some(false) => Outcomes::FAILURE,
        None => Outcomes::ANY,
    };
    let each: Vec<_> = children.iter().map(|child| Facts::leaf(returns(child))).collect();
    let each: Vec<_> = each.iter().collect();
    let facts = word.row().facts(ChildFacts::These(&each));
    let mut reported = false;
    for (index, child) in children.iter_mut().enumerate() {
        let Some(finding) = facts.unreachable(index) else { continue };
        if !child.flags.has(Flags::allows(finding.lint())) && !std::mem::replace(&mut reported, true) {
            let (span, message) = (child.span, finding.message(Form::Rust).to_string());
            errors.mistake(Mistake { lint: finding.lint(), span, message, node: None });
        }
        // The types do not show it, so the check of types would report the `#[expect(…)]` as unused.
        child.flags = child.flags.not_expecting(finding.lint());
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
