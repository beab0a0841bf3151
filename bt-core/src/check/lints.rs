//! Lints of a single node, given the statuses of its children.

pub use bt_words::Lint;

use bt_words::{ChildCount, Flags};

use crate::check::text::Text;
use crate::outcomes::Outcomes;

/// Reports an unused `#[expect(…)]`.
#[track_caller]
pub(crate) const fn unused(lint: Lint) -> ! {
    Text::new("unused `#[expect(")
        .add(lint.name())
        .add(")]`: ")
        .add(lint.absence())
        .add("\nhelp: remove `")
        .add(lint.name())
        .add("`, or use `#[allow(…)]`, which is never reported as unused")
        .panic()
}

/// A requirement of a decorator on its child. A child that can return none of these statuses is a compile error.
///
/// ```
/// use bt_core::prelude::*;
///
/// /// Starts its child again in the next tick when it fails.
/// struct Stubborn;
///
/// #[decorator]
/// impl<C: ?Sized> Decorator<C> for Stubborn {
///     type Pause = ();
///     const STATUSES: StatusMap = StatusMap { on_failure: Outcomes::RUNNING, ..StatusMap::SAME };
///     const REQUIRES: &'static [Requirement] =
///         &[Requirement::pointless(Outcomes::FAILURE, "`stubborn` has no effect")];
///     fn end(&self, outcome: Outcome, _: &mut (), _: &mut (), _: &mut C) -> AfterChild<()> {
///         if outcome == Outcome::Failure { AfterChild::Later(()) } else { AfterChild::End(outcome) }
///     }
/// }
///
/// fn stubborn<N>(child: N) -> Decorated<Stubborn, N> { decorate(Stubborn, child) }
///
/// let tree = tree! { for bool: stubborn { |open: &bool| *open } };
/// # assert_eq!(tree.tick(&mut false, &mut tree.memory()), Status::Running);
/// // tree! { for (): stubborn { succeed } } is an error:
/// // `stubborn` has no effect: its child never returns `Failure`
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// The child must be able to return one of these statuses.
    pub any_of: Outcomes,
    /// The lint if it cannot; its name is used in `#[allow(…)]`.
    pub lint: Lint,
    /// The error message, before `: its child never returns …`.
    pub or: &'static str,
    /// What to write instead.
    pub help: &'static str,
}

impl Requirement {
    /// Returns the requirement of a decorator that has no effect on a child that can return none of these statuses.
    pub const fn pointless(any_of: Outcomes, or: &'static str) -> Self {
        Self { any_of, lint: Lint::Pointless, or, help: "remove the decorator or change its child" }
    }

    /// Returns the requirement that the child can end.
    pub(crate) const fn an_end(or: &'static str) -> Self {
        Self::pointless(Outcomes::SUCCESS.or(Outcomes::FAILURE), or)
    }
}

/// The lints of a node.
#[derive(Clone, Copy)]
pub struct Lints {
    /// By kind: `endless`, `pointless`, and a `threshold` for success and one for failure.
    found: [Option<LintDetail>; 4],
    /// An error that cannot be allowed.
    broken: Option<&'static str>,
    /// The number of children that a composite takes, and the number that it has, if they differ.
    children: Option<(ChildCount, usize)>,
}

/// A lint, with the details for its message.
#[derive(Clone, Copy)]
pub(crate) enum LintDetail {
    /// A requirement of a decorator that its child does not meet.
    Unmet { need: Requirement, child: Outcomes },
    /// A threshold that cannot be reached: `able` of the `children` can return the outcome, `asked` are needed.
    Threshold { success: bool, able: usize, children: usize, asked: usize },
}

impl Lints {
    /// No lints.
    pub const NONE: Self = Self { found: [None; 4], broken: None, children: None };

    /// Returns the lints of a decorator with these requirements, around a child that can return `child`.
    pub const fn of(needs: &[Requirement], child: Outcomes) -> Self {
        let mut lints = Self::NONE;
        let mut at = 0;
        while at < needs.len() {
            let need = needs[at];
            if !child.meets(need.any_of) {
                // `Endless` subsumes `Pointless`: report only the former.
                let slot = match need.lint {
                    Lint::Endless => 0,
                    _ => 1,
                };
                if lints.found[0].is_none() && lints.found[slot].is_none() {
                    lints.found[slot] = Some(LintDetail::Unmet { need, child });
                }
            }
            at += 1;
        }
        lints
    }

    /// Adds the lints of a parallel, success first.
    pub(crate) const fn thresholds(self, success: Option<LintDetail>, failure: Option<LintDetail>) -> Self {
        Self { found: [None, None, success, failure], ..self }
    }

    /// Adds an error that cannot be allowed.
    pub(crate) const fn broken(self, what: Option<&'static str>) -> Self {
        Self { broken: what, ..self }
    }

    /// Adds an error if a composite does not take this number of children.
    pub(crate) const fn children(self, takes: ChildCount, found: Option<usize>) -> Self {
        match found {
            Some(found) if !takes.contains(found) => Self { children: Some((takes, found)), ..self },
            _ => self,
        }
    }

    /// Returns `true` if there are no lints that can be allowed.
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self.found, [None, None, None, None])
    }

    /// Returns only the errors that cannot be allowed.
    pub(crate) const fn lasting(&self) -> Self {
        Self { broken: self.broken, children: self.children, ..Self::NONE }
    }

    /// Ends the compilation if there is a lint that is not allowed. Returns the flags of the allowed lints that occur.
    #[track_caller]
    pub(crate) const fn check(&self, flags: Flags) -> Flags {
        if let Some(what) = self.broken {
            Text::new(what).panic();
        }
        if let Some((takes, found)) = self.children {
            wrong_children(takes, found);
        }
        let mut excused = Flags::NONE;
        let mut slot = 0;
        while slot < self.found.len() {
            if let Some(found) = self.found[slot] {
                let lint = found.lint();
                let written = match found {
                    LintDetail::Unmet { .. } => true,
                    LintDetail::Threshold { success: true, .. } => flags.has(Flags::SUCCESS_WRITTEN),
                    LintDetail::Threshold { success: false, .. } => flags.has(Flags::FAILURE_WRITTEN),
                };
                if written {
                    if !flags.has(Flags::allows(lint)) {
                        found.text().panic();
                    }
                    excused = excused.or(Flags::allows(lint));
                }
            }
            slot += 1;
        }
        excused
    }
}

/// Reports a wrong number of children.
#[track_caller]
const fn wrong_children(takes: ChildCount, found: usize) -> ! {
    let text = Text::new("expected ");
    let (text, last) = match takes.bounds() {
        (least, None) => (text.add("at least ").number(least), least),
        (least, Some(most)) if least == most => (text.number(most), most),
        (least, Some(most)) => (text.number(least).add(" to ").number(most), most),
    };
    let text = text.add(if last == 1 { " child" } else { " children" }).add(", found ").number(found);
    let note = takes.as_note();
    if note.is_empty() { text.panic() } else { text.add("\nnote: ").add(note).panic() }
}

impl LintDetail {
    const fn lint(self) -> Lint {
        match self {
            Self::Unmet { need, .. } => need.lint,
            Self::Threshold { .. } => Lint::Threshold,
        }
    }

    const fn text(self) -> Text {
        let text = match self {
            Self::Unmet { need, child } => Text::new(need.or)
                .add(": its child never returns ")
                .outcomes(need.any_of)
                .add("\nnote: the child only returns ")
                .outcomes(child)
                .add("\nhelp: ")
                .add(need.help),
            Self::Threshold { success, able, children, asked } => {
                let (option, one, many, verb) = if success {
                    ("success", " success", " successes", "succeed")
                } else {
                    ("failure", " failure", " failures", "fail")
                };
                let text = Text::new("threshold `").add(option).add("` can never be reached: ");
                let text = if able < asked {
                    text.add("expected ")
                        .number(asked)
                        .add(if asked == 1 { one } else { many })
                        .add(", but only ")
                        .number(able)
                        .add(" of ")
                        .number(children)
                        .add(" children can ")
                        .add(verb)
                } else {
                    text.add("the children always end the node first")
                };
                text.add("\nhelp: change the threshold or the children")
            }
        };
        text.add(", or write `#[allow(").add(self.lint().name()).add(")]` before this node")
    }
}
