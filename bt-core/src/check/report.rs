//! Messages of the compiler about mistakes in a tree.

use bt_words::analysis::{Finding, Form, Lints, Message};
use bt_words::{ChildCount, Flags, Lint};

/// Ends the compilation with this message, at the caller's location.
#[track_caller]
pub(crate) const fn stop(message: &Message) -> ! {
    panic!("{}", message.as_str())
}

/// Ends the compilation if the lint of a finding is not allowed. Returns the flag of the allowed lint; none without a finding.
#[track_caller]
pub(super) const fn found(finding: Option<Finding>, flags: Flags) -> Flags {
    let Some(finding) = finding else { return Flags::NONE };
    let allows = Flags::allows(finding.lint());
    if !flags.has(allows) {
        stop(&finding.message(Form::Rust));
    }
    allows
}

/// Ends the compilation if a node has a mistake that is not allowed. Returns the flags of the allowed lints that occur.
#[track_caller]
pub(super) const fn lints(lints: &Lints, flags: Flags) -> Flags {
    if let Some(what) = lints.broken {
        stop(&Message::new(what));
    }
    if let Some((takes, found)) = lints.children {
        wrong_children(takes, found);
    }
    let mut allowed = Flags::NONE;
    let mut at = 0;
    while at < lints.found.len() {
        let is_written = match lints.found[at] {
            Some(Finding::Threshold { success: true, .. }) => flags.has(Flags::SUCCESS_WRITTEN),
            Some(Finding::Threshold { success: false, .. }) => flags.has(Flags::FAILURE_WRITTEN),
            _ => true,
        };
        if is_written {
            allowed = allowed.or(found(lints.found[at], flags));
        }
        at += 1;
    }
    allowed
}

/// Reports an invalid number of children.
#[track_caller]
const fn wrong_children(takes: ChildCount, found: usize) -> ! {
    let text = Message::new("expected ");
    let (text, last) = match takes.bounds() {
        (least, None) => (text.add("at least ").number(least), least),
        (least, Some(most)) if least == most => (text.number(most), most),
        (least, Some(most)) => (text.number(least).add(" to ").number(most), most),
    };
    let text = text.add(if last == 1 { " child" } else { " children" }).add(", found ").number(found);
    let note = takes.as_note();
    stop(&if note.is_empty() { text } else { text.add("\nnote: ").add(note) })
}

/// Reports an unused `#[expect(…)]`.
#[track_caller]
pub(super) const fn unused(lint: Lint) -> ! {
    stop(
        &Message::new("unused `#[expect(")
            .add(lint.name())
            .add(")]`: ")
            .add(lint.absence())
            .add("\nhelp: remove `")
            .add(lint.name())
            .add("`, or use `#[allow(…)]`, which is never reported as unused"),
    )
}
