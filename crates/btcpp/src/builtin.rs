//! The nodes of BehaviorTree.CPP, with one row for each.

use bt_words::Word;

pub use crate::shape::{Category, Like, Needs, Port, Takes};
use crate::shape::{flag, optional, output, required, script, whole, written};

const NONE: Takes = Takes { least: 0, most: 0 };
const ONE: Takes = Takes { least: 1, most: 1 };
const MANY: Takes = Takes { least: 1, most: usize::MAX };
const BRANCHES: Takes = Takes { least: 2, most: 3 };

const fn exactly(count: usize) -> Takes {
    Takes { least: count, most: count }
}

const fn at_least(least: usize) -> Takes {
    Takes { least, most: usize::MAX }
}

macro_rules! like {
    () => {
        None
    };
    ($like:ident($word:ident)) => {
        Some(Like::$like(Word::$word))
    };
}

macro_rules! nodes {
    ($($doc:literal $node:ident, $category:ident, $takes:expr, [$($port:expr),*] $(, $like:ident($word:ident))?;)+) => {
        /// A node of BehaviorTree.CPP.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Builtin {
            $($node),+
        }

        impl Builtin {
            /// All nodes.
            pub const ALL: &'static [Self] = &[$(Self::$node),+];

            /// Returns the name of the node in a file.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$node => stringify!($node)),+
                }
            }

            /// Returns what the node does.
            pub const fn doc(self) -> &'static str {
                match self {
                    $(Self::$node => $doc),+
                }
            }

            /// Returns the category of the node.
            pub const fn category(self) -> Category {
                match self {
                    $(Self::$node => Category::$category),+
                }
            }

            /// Returns the number of its children.
            pub const fn takes(self) -> Takes {
                match self {
                    $(Self::$node => $takes),+
                }
            }

            /// Returns its ports.
            pub const fn ports(self) -> &'static [Port] {
                match self {
                    $(Self::$node => const { &[$($port),*] }),+
                }
            }

            /// Returns the word of this library that is most like it, if there is one.
            pub const fn like(self) -> Option<Like> {
                match self {
                    $(Self::$node => like!($($like($word))?)),+
                }
            }

            /// Returns the name of the node for the registry, in which `Sequence` is the word of Behavior3.
            pub const fn registered(self) -> &'static str {
                match self {
                    $(Self::$node => concat!("btcpp::", stringify!($node))),+
                }
            }
        }
    };
}

nodes! {
    "Ticks its children in order until one fails. A running child is resumed in the next tick."
    Sequence, Control, MANY, [], Unskipped(MemSequence);
    "Ticks its children in order until one succeeds. A running child is resumed in the next tick."
    Fallback, Control, MANY, [], Unskipped(MemSelector);
    "A `Sequence` that returns `Running` after each child that succeeds, until the last."
    AsyncSequence, Control, MANY, [];
    "A `Fallback` that returns `Running` after each child that fails, until the last."
    AsyncFallback, Control, MANY, [];
    "Ticks its children in order until one fails. After a failure, it continues with the child that failed."
    SequenceWithMemory, Control, MANY, [], Near(KeptSequence);
    "Ticks its children in order until one does not succeed; starts from the first every tick."
    ReactiveSequence, Control, MANY, [], Unskipped(Sequence);
    "Ticks its children in order until one does not fail; starts from the first every tick."
    ReactiveFallback, Control, MANY, [], Unskipped(Selector);
    "Ticks all children at once until a number of them has succeeded or failed."
    Parallel, Control, MANY, [whole(optional("success_count", "-1")), whole(optional("failure_count", "1"))], Near(MemParallel);
    "Ticks all children at once until each has ended; fails after a number of failures."
    ParallelAll, Control, MANY, [whole(optional("max_failures", "1"))];
    "Ticks its second child if the first succeeds, else the third."
    IfThenElse, Control, BRANCHES, [], Near(MemIf);
    "Ticks its second child while the first succeeds, else the third; asks the first every tick."
    WhileDoElse, Control, BRANCHES, [], Near(If);
    "A `Sequence` that ticks its last child if one of the others fails."
    TryCatch, Control, at_least(2), [flag(optional("catch_on_halt", "false"))];
    "Ticks the child of the case that a variable equals, else the last child."
    Switch2, Control, exactly(3), [required("variable"), required("case_1"), required("case_2")];
    "Ticks the child of the case that a variable equals, else the last child."
    Switch3, Control, exactly(4), [required("variable"), required("case_1"), required("case_2"), required("case_3")];
    "Ticks the child of the case that a variable equals, else the last child."
    Switch4, Control, exactly(5), [
        required("variable"), required("case_1"), required("case_2"), required("case_3"), required("case_4")
    ];
    "Ticks the child of the case that a variable equals, else the last child."
    Switch5, Control, exactly(6), [
        required("variable"), required("case_1"), required("case_2"), required("case_3"), required("case_4"), required("case_5")
    ];
    "Ticks the child of the case that a variable equals, else the last child."
    Switch6, Control, exactly(7), [
        required("variable"), required("case_1"), required("case_2"), required("case_3"), required("case_4"), required("case_5"),
        required("case_6")
    ];
    "Succeeds if its child fails, and fails if it succeeds."
    Inverter, Decorator, ONE, [], Unskipped(Invert);
    "Succeeds when its child ends."
    ForceSuccess, Decorator, ONE, [], Unskipped(ForceSuccess);
    "Fails when its child ends."
    ForceFailure, Decorator, ONE, [], Unskipped(ForceFailure);
    "Starts its child a number of times, as long as it succeeds; -1 has no end."
    Repeat, Decorator, ONE, [whole(required("num_cycles"))], Near(RepeatWhileSuccess);
    "Starts its child until it succeeds, a number of times at most; -1 has no end."
    RetryUntilSuccessful, Decorator, ONE, [whole(required("num_attempts"))], Near(Retry);
    "Starts its child until it fails."
    KeepRunningUntilFailure, Decorator, ONE, [];
    "Halts its child and fails when the time has elapsed."
    Timeout, Decorator, ONE, [required("msec")], Same(Timeout);
    "Waits before it starts its child."
    Delay, Decorator, ONE, [required("delay_msec")], Same(Delay);
    "Runs its child once, and is then skipped or returns the same status."
    RunOnce, Decorator, ONE, [flag(optional("then_skip", "true"))], Near(RunOnce);
    "Ticks its child if a script is true when it starts."
    Precondition, Decorator, ONE, [script("if"), optional("else", "FAILURE")];
    "Runs its child for each item of a list of integers."
    LoopInt, Decorator, ONE, [required("queue"), optional("if_empty", "SUCCESS"), output("value")];
    "Runs its child for each item of a list of booleans."
    LoopBool, Decorator, ONE, [required("queue"), optional("if_empty", "SUCCESS"), output("value")];
    "Runs its child for each item of a list of numbers."
    LoopDouble, Decorator, ONE, [required("queue"), optional("if_empty", "SUCCESS"), output("value")];
    "Runs its child for each item of a list of texts."
    LoopString, Decorator, ONE, [required("queue"), optional("if_empty", "SUCCESS"), output("value")];
    "Is skipped unless a variable has been written since its last run."
    SkipUnlessUpdated, Decorator, ONE, [required("entry")];
    "Is running until a variable is written, and then ticks its child."
    WaitValueUpdate, Decorator, ONE, [required("entry")];
    "Succeeds."
    AlwaysSuccess, Action, NONE, [], Unskipped(Succeed);
    "Fails."
    AlwaysFailure, Action, NONE, [], Unskipped(Fail);
    "Runs a script."
    Script, Action, NONE, [script("code")];
    "Succeeds if a script is true."
    ScriptCondition, Condition, NONE, [script("code")];
    "Sets a variable."
    SetBlackboard, Action, NONE, [required("value"), written("output_key")];
    "Removes a variable."
    UnsetBlackboard, Action, NONE, [written("key")];
    "Is running until the time has elapsed."
    Sleep, Action, NONE, [required("msec")], Unskipped(Wait);
    "Succeeds if a variable has been written since its last run."
    WasEntryUpdated, Action, NONE, [required("entry")];
}

impl Builtin {
    /// Returns the node with this name, of version 4 or older.
    pub fn named(name: &str) -> Option<Self> {
        let name = match name {
            "SequenceStar" => "SequenceWithMemory",
            "FallbackStar" => "Fallback",
            "RetryUntilSuccesful" => "RetryUntilSuccessful",
            name => name,
        };
        Self::ALL.iter().copied().find(|node| node.name() == name)
    }

    /// Returns the node that a word is written as.
    pub fn of(word: Word) -> Option<Self> {
        let is_it = |node: &Self| {
            node.like().is_some_and(|like| match like {
                Like::Same(like) | Like::Unskipped(like) | Like::Near(like) => like == word,
            })
        };
        Self::ALL.iter().copied().find(is_it)
    }

    /// Returns the port for the argument of the word that is written as this node: its only one.
    pub const fn argument(self) -> Option<&'static str> {
        match self.ports() {
            [port] => Some(port.name),
            _ => None,
        }
    }

    /// Returns the port of this name.
    pub fn port(self, name: &str) -> Option<&'static Port> {
        self.ports().iter().find(|port| port.name == name)
    }
}

/// The attributes of any node that are scripts, in the order in which they are evaluated.
pub const CONDITIONS: [&str; 8] =
    ["_failureIf", "_successIf", "_skipIf", "_while", "_onHalted", "_onFailure", "_onSuccess", "_post"];

/// The names of the properties of that decorator, in the same order.
pub const CONDITION_NAMES: [&str; 8] =
    ["failure_if", "success_if", "skip_if", "while_true", "on_halted", "on_failure", "on_success", "post"];

/// The name of the decorator that evaluates them, for the registry.
pub const CONDITIONS_NODE: &str = "btcpp::Conditions";

/// The name of the decorator that sets variables once, for the registry.
pub const INITIAL_NODE: &str = "btcpp::Initial";
