//! The number of children that a custom composite takes.

use core::fmt;

/// The number of children that a composite takes. Another number is a compile error in a `tree!`, and an error when a
/// file is loaded.
///
/// ```
/// use bt_words::ChildCount;
///
/// const TWO: ChildCount = ChildCount::exactly(2).note("the first is the action, the second its recovery");
/// assert!(TWO.contains(2) && !TWO.contains(3));
/// assert_eq!(TWO.to_string(), "2 children");
/// assert_eq!(ChildCount::between(1, 4).to_string(), "1 to 4 children");
/// assert_eq!(ChildCount::ANY.to_string(), "at least 1 child");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChildCount {
    least: usize,
    most: usize,
    note: &'static str,
}

impl ChildCount {
    /// One child or more.
    pub const ANY: Self = Self::at_least(1);

    /// Any number of children, including none: a container of children may be empty.
    pub const ANY_OR_NONE: Self = Self { least: 0, ..Self::ANY };

    /// Returns the range that contains only this number.
    ///
    /// # Panics
    ///
    /// Panics if the number is 0. In the constant of a composite, this is a compile error.
    pub const fn exactly(count: usize) -> Self {
        Self::between(count, count)
    }

    /// Returns the range from this number.
    ///
    /// # Panics
    ///
    /// Panics if the number is 0.
    pub const fn at_least(least: usize) -> Self {
        Self::between(least, usize::MAX)
    }

    /// Returns the range from `least` to `most`, both included.
    ///
    /// # Panics
    ///
    /// Panics if `least` is 0 or larger than `most`.
    pub const fn between(least: usize, most: usize) -> Self {
        assert!(least > 0, "a composite has at least 1 child");
        assert!(least <= most, "the range of the number of children is empty");
        Self { least, most, note: "" }
    }

    /// Adds a note to the error for an invalid number of children.
    #[must_use]
    pub const fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// Returns `true` if a composite can have this number of children.
    pub const fn contains(self, count: usize) -> bool {
        self.least <= count && count <= self.most
    }

    /// Returns the smallest number, and the largest unless there is none.
    pub const fn bounds(self) -> (usize, Option<usize>) {
        (self.least, if self.most == usize::MAX { None } else { Some(self.most) })
    }

    /// Returns the note for the error; empty if there is none.
    pub const fn as_note(self) -> &'static str {
        self.note
    }
}

impl fmt::Display for ChildCount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.bounds();
        match most {
            None => write!(out, "at least {least}")?,
            Some(most) if least == most => write!(out, "{least}")?,
            Some(most) => write!(out, "{least} to {most}")?,
        }
        let last = most.unwrap_or(least);
        out.write_str(if last == 1 { " child" } else { " children" })
    }
}
