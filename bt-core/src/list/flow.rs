//! The rules by which a composite continues from one child to the next.

use bt_words::Word;

use crate::status::Outcome;

/// The rule by which a composite continues from one child to the next.
pub trait Flow: Copy + Send + Sync + 'static {
    /// The outcome of a child after which the composite ticks the next child.
    const PASS: Outcome;
    /// `true` if the composite resumes at the running child, without ticking the children before it.
    const HAS_MEMORY: bool;
    /// The keyword.
    const WORD: Word;
}

macro_rules! flows {
        ($($(#[$doc:meta])+ $flow:ident, $pass:ident, $remembers:literal;)+) => {$(
            $(#[$doc])+
            #[derive(Clone, Copy, Debug)]
            pub enum $flow {}

            impl Flow for $flow {
                const PASS: Outcome = Outcome::$pass;
                const HAS_MEMORY: bool = $remembers;
                const WORD: Word = Word::$flow;
            }
        )+};
    }

flows! {
    /// The flow of a `selector`.
    Selector, Failure, false;
    /// The flow of a `sequence`.
    Sequence, Success, false;
    /// The flow of a `mem_selector`.
    MemSelector, Failure, true;
    /// The flow of a `mem_sequence`.
    MemSequence, Success, true;
}
