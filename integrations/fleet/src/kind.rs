//! What a message does.

/// What a message does, the byte of its attachment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Opens a page.
    Open,
    /// Carries texts of a page, separated by line feeds.
    Text,
    /// Closes a page, or a stream of ticks.
    Close,
    /// Opens a stream of ticks. Carries a filter.
    Collect,
}

impl Kind {
    pub(crate) fn byte(self) -> u8 {
        match self {
            Self::Open => 0,
            Self::Text => 1,
            Self::Close => 2,
            Self::Collect => 3,
        }
    }

    /// Returns the kind of an attachment, or `None` for any other one.
    pub(crate) fn of(attachment: &[u8]) -> Option<Self> {
        [Self::Open, Self::Text, Self::Close, Self::Collect].into_iter().find(|kind| attachment == [kind.byte()])
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn a_kind_is_one_byte() {
        for kind in [Kind::Open, Kind::Text, Kind::Close, Kind::Collect] {
            assert_eq!(Kind::of(&[kind.byte()]), Some(kind));
        }
        assert_eq!((Kind::of(&[]), Kind::of(&[4]), Kind::of(&[1, 1])), (None, None, None));
    }
}
