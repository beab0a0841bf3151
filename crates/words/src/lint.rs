//! The lints of compile-time checks, and the flags that macros pass to the checks.

/// Defines the lints, with a row for each: its name in attributes, and a description of a node without this mistake.
macro_rules! lints {
    ($($(#[doc = $doc:literal])+ $lint:ident $name:literal, $absence:literal;)+) => {
        /// A kind of mistake in a syntactically valid tree. Its name is used in `#[allow(…)]` and `#[expect(…)]` before a node.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Lint { $($(#[doc = $doc])+ $lint),+ }

        impl Lint {
            /// All lints. Of several mistakes of a decorator, the one whose lint is first is reported.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$lint),+];

            /// Returns the name in `#[allow(…)]`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$lint => $name),+ }
            }

            /// Returns a description of a node without this mistake, for the message of an unused `#[expect(…)]`.
            pub const fn absence(self) -> &'static str {
                match self { $(Self::$lint => $absence),+ }
            }
        }
    };
}

lints! {
    /// A node that can never run.
    Unreachable "unreachable", "this is reachable";
    /// A loop that can never end.
    Endless "endless", "this node can end";
    /// A decorator that has no effect.
    Pointless "pointless", "this decorator has an effect";
    /// A threshold that can never be reached.
    Threshold "threshold", "every threshold written here can be reached";
}

impl Lint {
    /// Returns the lint of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lint| lint.name() == name)
    }

    /// Returns the index in [`ALL`](Self::ALL).
    pub(crate) const fn index(self) -> u32 {
        self as u32
    }
}

// A set that does not fit would collide silently.
const _: () =
    assert!(2 * Lint::ALL.len() <= (u32::BITS - Flags::BEFORE_LINTS) as usize, "the lints fit into the flags");

/// Properties of a node's source that macros pass to the checks: the lints allowed or expected, the thresholds written, and whether the node is
/// Rust code or a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags(pub u32);

impl Flags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// The node is Rust code. Its mistakes are reported at its definition.
    pub const RUST: Self = Self(1);
    /// A `parallel` with a written threshold for success.
    pub const SUCCESS_WRITTEN: Self = Self(2);
    /// A `parallel` with a written threshold for failure.
    pub const FAILURE_WRITTEN: Self = Self(4);
    /// The node is a condition, or a part of one, and must not be running.
    pub const CONDITION: Self = Self(8);
    /// The number of bits before the bits of the lints.
    const BEFORE_LINTS: u32 = 4;

    /// Returns the flag of `#[allow(…)]` for a lint. An expected lint is also allowed.
    pub const fn allows(lint: Lint) -> Self {
        Self(1 << (Self::BEFORE_LINTS + 2 * lint.index()))
    }

    /// Returns the flags of `#[expect(…)]` for a lint.
    pub const fn expects(lint: Lint) -> Self {
        Self(0b11 << (Self::BEFORE_LINTS + 2 * lint.index()))
    }

    /// Returns `true` if all of these flags are set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the flags with this lint allowed but not expected.
    #[must_use]
    pub const fn not_expecting(self, lint: Lint) -> Self {
        Self(self.0 & !(Self::expects(lint).0 & !Self::allows(lint).0))
    }
}
