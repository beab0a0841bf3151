//! A tree as data.

/// A tree as data: what both the reference interpreter and the library run.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants are the vocabulary")]
pub enum Spec {
    /// A leaf with the full lifecycle.
    Leaf(u32),
    /// A plain action.
    Action(u32),
    /// A condition.
    Condition(u32),
    Selector { remembers: bool, children: Vec<Spec> },
    Sequence { remembers: bool, children: Vec<Spec> },
    Parallel { remembers: bool, success: usize, failure: usize, children: Vec<Spec> },
    Invert(Box<Spec>),
    ForceSuccess(Box<Spec>),
    ForceFailure(Box<Spec>),
    Repeat(Box<Spec>),
    RepeatTimes(u32, Box<Spec>),
    Retry(u32, Box<Spec>),
    UntilFailure(Box<Spec>),
    UntilSuccess(Box<Spec>),
    WaitUntil(Box<Spec>),
    Limit(u32, Box<Spec>),
    RunOnce(Box<Spec>),
    Timeout(u64, Box<Spec>),
    Delay(u64, Box<Spec>),
    Cooldown(u64, Box<Spec>),
}

impl Spec {
    /// The children, in order.
    pub fn children(&self) -> Vec<&Spec> {
        use Spec::*;
        match self {
            Leaf(_) | Action(_) | Condition(_) => Vec::new(),
            Selector { children, .. } | Sequence { children, .. } | Parallel { children, .. } => children.iter().collect(),
            Invert(child) | ForceSuccess(child) | ForceFailure(child) | Repeat(child) => vec![child],
            UntilFailure(child) | UntilSuccess(child) | WaitUntil(child) | RunOnce(child) => vec![child],
            RepeatTimes(_, child) | Retry(_, child) | Limit(_, child) => vec![child],
            Timeout(_, child) | Delay(_, child) | Cooldown(_, child) => vec![child],
        }
    }

    /// How many nodes there are.
    pub fn count(&self) -> u32 {
        1 + self.children().into_iter().map(Spec::count).sum::<u32>()
    }
}
