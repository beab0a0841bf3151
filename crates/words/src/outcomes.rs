//! Sets of statuses.

use core::fmt;

/// A set of statuses, such as the statuses that a node can return according to its type.
///
/// ```
/// use bt_words::Outcomes;
///
/// const ENDS: Outcomes = Outcomes::SUCCESS.or(Outcomes::FAILURE);
/// assert!(ENDS.contains(Outcomes::SUCCESS) && !ENDS.contains(Outcomes::RUNNING));
/// assert_eq!(ENDS.to_string(), "Success | Failure");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcomes(u8);

impl Outcomes {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// Only `Success`.
    pub const SUCCESS: Self = Self(1);
    /// Only `Failure`.
    pub const FAILURE: Self = Self(2);
    /// Only `Running`.
    pub const RUNNING: Self = Self(4);
    /// Only `Error`.
    pub const ERROR: Self = Self(8);
    /// Every status.
    pub const ANY: Self = Self(15);

    /// Each status with its name, in the order of messages.
    pub const NAMES: [(Self, &str); 4] =
        [(Self::SUCCESS, "Success"), (Self::FAILURE, "Failure"), (Self::RUNNING, "Running"), (Self::ERROR, "Error")];

    /// Returns the union of both sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns this set without the statuses of the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns `true` if the set contains every status of the other. For one status, pass its set, such as [`Self::RUNNING`].
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns `true` if the two sets share a status.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns `true` if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains exactly one status.
    pub const fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Returns `true` if the set contains `Success`.
    pub const fn succeeds(self) -> bool {
        self.contains(Self::SUCCESS)
    }

    /// Returns `true` if the set contains `Failure`.
    pub const fn fails(self) -> bool {
        self.contains(Self::FAILURE)
    }

    /// Returns `true` if the set contains `Running`.
    pub const fn runs(self) -> bool {
        self.contains(Self::RUNNING)
    }

    /// Returns `true` if the set contains `Error`.
    pub const fn errs(self) -> bool {
        self.contains(Self::ERROR)
    }

    /// Returns this set if `given` is `true`, the empty set otherwise.
    #[must_use]
    pub const fn only_if(self, given: bool) -> Self {
        if given { self } else { Self::NONE }
    }
}

impl fmt::Display for Outcomes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for (_, name) in Self::NAMES.iter().filter(|(status, _)| self.contains(*status)) {
            write!(out, "{before}{name}")?;
            before = " | ";
        }
        if before.is_empty() { out.write_str("nothing") } else { Ok(()) }
    }
}

impl fmt::Debug for Outcomes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Outcomes({self})")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Outcomes {
    fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Outcomes {
    fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        struct Names;

        impl serde::de::Visitor<'_> for Names {
            type Value = Outcomes;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("statuses, such as `Success | Running`")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Outcomes, E> {
                let names = text.split(" | ").filter(|name| *name != "nothing");
                names.into_iter().try_fold(Outcomes::NONE, |set, name| {
                    let known = Outcomes::NAMES.into_iter().find(|(_, known)| *known == name);
                    let (status, _) = known.ok_or_else(|| E::custom(format_args!("unknown status `{name}`")))?;
                    Ok(set.or(status))
                })
            }
        }

        input.deserialize_str(Names)
    }
}
