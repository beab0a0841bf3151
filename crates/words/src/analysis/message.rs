//! Messages that constants build.

use core::fmt;

use crate::outcomes::Outcomes;

/// The maximum length of a message, in bytes.
const MAX_LEN: usize = 600;

/// A message, which constants can build. Text beyond the maximum length is cut off.
#[derive(Clone, Copy)]
pub struct Message {
    bytes: [u8; MAX_LEN],
    len: usize,
}

impl Message {
    /// Returns a message of this text.
    pub const fn new(text: &str) -> Self {
        Self { bytes: [0; MAX_LEN], len: 0 }.add(text)
    }

    /// Adds text.
    #[must_use]
    pub const fn add(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        let mut at = 0;
        while at < text.len() && self.len < MAX_LEN {
            self.bytes[self.len] = text[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    /// Adds a number.
    #[must_use]
    pub const fn number(self, number: usize) -> Self {
        self.digits(number as u128)
    }

    /// Adds a number that may be negative.
    #[must_use]
    pub const fn integer(self, number: i128) -> Self {
        let text = if number < 0 { self.add("-") } else { self };
        text.digits(number.unsigned_abs())
    }

    const fn digits(self, number: u128) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let before = if number > 9 { self.digits(number / 10) } else { self };
        before.add(DIGITS[(number % 10) as usize])
    }

    /// Adds the keyword of a composite, if it has one.
    pub(super) const fn keyword(self, keyword: Option<&str>) -> Self {
        match keyword {
            Some(keyword) => self.add("`").add(keyword).add("`"),
            None => self.add("the composite"),
        }
    }

    /// Adds a list of statuses: `` `Success` or `Running` ``.
    #[must_use]
    pub const fn outcomes(mut self, returns: Outcomes) -> Self {
        let mut left = returns;
        let mut at = 0;
        while at < Outcomes::NAMES.len() {
            let (status, name) = Outcomes::NAMES[at];
            if left.contains(status) {
                left = left.without(status);
                self = self.add("`").add(name).add("`");
                self = if left.is_empty() {
                    self
                } else if left.is_one() {
                    self.add(" or ")
                } else {
                    self.add(", ")
                };
            }
            at += 1;
        }
        if returns.is_empty() { self.add("nothing") } else { self }
    }

    /// Returns the text.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "invalid tree (the message is too long)",
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_concatenated() {
        const TEXT: Message = Message::new("can return ")
            .outcomes(Outcomes::ANY.without(Outcomes::FAILURE))
            .add(", ")
            .outcomes(Outcomes::SUCCESS.or(Outcomes::ERROR))
            .add(", ")
            .outcomes(Outcomes::NONE)
            .add(" ")
            .number(1070);
        assert_eq!(TEXT.as_str(), "can return `Success`, `Running` or `Error`, `Success` or `Error`, nothing 1070");
    }

    #[test]
    fn numbers_have_a_sign() {
        let numbers =
            Message::new("").integer(i128::from(i64::MIN)).add(" ").integer(u64::MAX.into()).add(" ").integer(0);
        assert_eq!(numbers.as_str(), "-9223372036854775808 18446744073709551615 0");
    }

    #[test]
    fn a_text_that_is_too_long_is_cut() {
        let text = (0..100).fold(Message::new(""), |text, _| text.add("0123456789"));
        assert_eq!(text.as_str().len(), MAX_LEN);
    }
}
