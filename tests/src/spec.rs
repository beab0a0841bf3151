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
    Selector {
        remembers: bool,
        children: Vec<Spec>,
    },
    Sequence {
        remembers: bool,
        children: Vec<Spec>,
    },
    Parallel {
        remembers: bool,
        success: usize,
        failure: usize,
        children: Vec<Spec>,
    },
    /// Weights of 1 to 3, by the children's places.
    Random {
        selects: bool,
        weighted: bool,
        children: Vec<Spec>,
    },
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
        match self {
            Spec::Leaf(_) | Spec::Action(_) | Spec::Condition(_) => Vec::new(),
            Spec::Selector { children, .. }
            | Spec::Sequence { children, .. }
            | Spec::Parallel { children, .. }
            | Spec::Random { children, .. } => children.iter().collect(),
            Spec::Invert(child)
            | Spec::ForceSuccess(child)
            | Spec::ForceFailure(child)
            | Spec::Repeat(child)
            | Spec::RepeatTimes(_, child)
            | Spec::Retry(_, child)
            | Spec::UntilFailure(child)
            | Spec::UntilSuccess(child)
            | Spec::WaitUntil(child)
            | Spec::Limit(_, child)
            | Spec::RunOnce(child)
            | Spec::Timeout(_, child)
            | Spec::Delay(_, child)
            | Spec::Cooldown(_, child) => vec![child],
        }
    }

    /// The weight of a random composite's child.
    pub fn weight(weighted: bool, child: usize) -> u8 {
        if weighted { [3, 1, 2][child % 3] } else { 1 }
    }

    /// How many nodes there are.
    pub fn count(&self) -> u32 {
        1 + self.children().into_iter().map(Spec::count).sum::<u32>()
    }
}
