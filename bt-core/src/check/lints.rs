//! What can be wrong with a node in itself, given what its children can give.

pub use bt_words::Lint;

use bt_words::Flags;

use crate::check::text::Text;
use crate::outcomes::Outcomes;

/// The error of an `#[expect(…)]` where nothing is wrong.
#[track_caller]
pub(crate) const fn in_vain(lint: Lint) -> ! {
    Text::new("nothing to expect: ")
        .add(lint.absence())
        .add("; remove `")
        .add(lint.name())
        .add("` from `#[expect(…)]`, or write `#[allow(…)]`, which is silent")
        .panic()
}

/// What a decorator needs of its child to be of use: a compile error where the child can give none of these statuses.
///
/// ```
/// use bt_core::prelude::*;
///
/// /// Starts its child again when it fails, in the next tick.
/// struct Stubborn;
///
/// #[decorator]
/// impl<C: ?Sized> Decorator<C> for Stubborn {
///     type Pause = ();
///     const STATUSES: StatusMap = StatusMap { on_failure: Outcomes::RUNNING, ..StatusMap::SAME };
///     const REQUIRES: &'static [Requirement] =
///         &[Requirement { any_of: Outcomes::FAILURE, lint: Lint::Pointless, or: "`stubborn` has nothing to be stubborn about" }];
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
/// // `stubborn` has nothing to be stubborn about: its child can only give Success; …
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// The child has to be able to give one of these.
    pub any_of: Outcomes,
    /// What is wrong if it cannot: what `#[allow(…)]` calls it.
    pub lint: Lint,
    /// What the error says of it, before what the child can give.
    pub or: &'static str,
}

impl Requirement {
    /// What needs a child that can end.
    pub(crate) const fn an_end(or: &'static str) -> Self {
        Self { any_of: Outcomes::SUCCESS.or(Outcomes::FAILURE), lint: Lint::Pointless, or }
    }
}

/// What is wrong with a node.
#[derive(Clone, Copy)]
pub struct Lints {
    /// By kind: `endless`, `pointless`, and a `threshold` for success and one for failure.
    found: [Option<LintDetail>; 4],
    /// What cannot be allowed.
    broken: Option<&'static str>,
}

/// A lint that was found.
#[derive(Clone, Copy)]
pub(crate) enum LintDetail {
    /// A decorator's child does not do what it needs.
    Unmet { need: Requirement, child: Outcomes },
    /// So many of these children can end as a threshold asks for.
    Threshold { success: bool, able: usize, children: usize, asked: usize },
}

impl Lints {
    /// Nothing is wrong.
    pub const NONE: Self = Self { found: [None; 4], broken: None };

    /// What is wrong with a decorator of these needs around a child that can give `child`.
    pub const fn of(needs: &[Requirement], child: Outcomes) -> Self {
        let mut lints = Self::NONE;
        let mut at = 0;
        while at < needs.len() {
            let need = needs[at];
            if !child.meets(need.any_of) {
                // What can never end need not be told that it does nothing else either.
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

    /// What is wrong with a parallel, success first.
    pub(crate) const fn thresholds(success: Option<LintDetail>, failure: Option<LintDetail>) -> Self {
        Self { found: [None, None, success, failure], broken: None }
    }

    /// The same, and this, which cannot be allowed.
    pub(crate) const fn broken(self, what: Option<&'static str>) -> Self {
        Self { broken: what, ..self }
    }

    /// Whether there is none that can be allowed.
    pub(crate) const fn is_empty(&self) -> bool {
        matches!(self.found, [None, None, None, None])
    }

    /// Those that cannot be allowed.
    pub(crate) const fn lasting(&self) -> Self {
        Self { broken: self.broken, ..Self::NONE }
    }

    /// Ends the compilation if there is one that is not allowed. Returns those that were there, as if they were allowed.
    #[track_caller]
    pub(crate) const fn check(&self, flags: Flags) -> Flags {
        if let Some(what) = self.broken {
            Text::new(what).panic();
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

impl LintDetail {
    const fn lint(self) -> Lint {
        match self {
            Self::Unmet { need, .. } => need.lint,
            Self::Threshold { .. } => Lint::Threshold,
        }
    }

    const fn text(self) -> Text {
        let text = match self {
            Self::Unmet { need, child } => Text::new(need.or).add(": its child can only give ").outcomes(child),
            Self::Threshold { success, able, children, asked } => {
                let (option, able_to) = if success { ("success", "succeed") } else { ("failure", "fail") };
                let text = Text::new("the threshold `").add(option).add("` can never be reached: ");
                if able < asked {
                    text.add("of ")
                        .number(children)
                        .add(" children ")
                        .number(able)
                        .add(" can ")
                        .add(able_to)
                        .add(", it takes ")
                        .number(asked)
                } else {
                    text.add("the children end it otherwise before")
                }
            }
        };
        text.add("; mend it, or write `#[allow(").add(self.lint().name()).add(")]` before this node if it is meant")
    }
}
