//! Inputs of the user, in a terminal or in a browser.

/// An input of the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A pressed key.
    Key(Key),
    /// The pointer is at a cell.
    Pointer {
        /// The column of the cell.
        column: u16,
        /// The row of the cell.
        row: u16,
        /// Whether the button is pressed, or a finger is down.
        pressed: bool,
    },
}

/// A key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// A character.
    Char(char),
    /// The left arrow.
    Left,
    /// The right arrow.
    Right,
    /// The up arrow.
    Up,
    /// The down arrow.
    Down,
    /// The Tab key.
    Tab,
}

impl Key {
    /// Returns the key with a name: a character, the name that browsers give it, or that of a [hint](crate::play::Look::keys).
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "ArrowLeft" | "←" => Self::Left,
            "ArrowRight" | "→" => Self::Right,
            "ArrowUp" | "↑" => Self::Up,
            "ArrowDown" | "↓" => Self::Down,
            "Tab" => Self::Tab,
            "space" => Self::Char(' '),
            name => {
                let mut letters = name.chars();
                let letter = letters.next()?;
                if letters.next().is_some() {
                    return None;
                }
                Self::Char(letter)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_names_of_browsers_and_of_hints() {
        assert_eq!(["ArrowLeft", "←"].map(Key::named), [Some(Key::Left); 2]);
        assert_eq!([" ", "space"].map(Key::named), [Some(Key::Char(' ')); 2]);
        assert_eq!(["Tab", "p", "ä"].map(Key::named), [Key::Tab, Key::Char('p'), Key::Char('ä')].map(Some));
        assert_eq!(["", "arrows", "0-4", "Shift"].map(Key::named), [None; 4]);
    }
}
