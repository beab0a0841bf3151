//! Transitions of machines in files: `herded -> obey`.

/// A transition of a machine, `herded -> obey` in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    /// When it may be followed.
    pub on: When,
    /// The name of the target state; `success` or `failure` ends the machine.
    pub to: String,
}

/// When a transition may be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// The state's node has succeeded.
    Success,
    /// The state's node has failed.
    Failure,
    /// A leaf succeeds, or fails if negated.
    Leaf {
        /// Its name.
        name: String,
        /// Whether the outcome is inverted: `!herded -> idle`.
        negated: bool,
    },
}

impl std::str::FromStr for Transition {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (on, to) = text.split_once("->").ok_or(())?;
        let (on, to) = (on.trim(), to.trim());
        let name = on.trim_start_matches('!').trim();
        if name.is_empty() || to.is_empty() || on.len() > name.len() + 1 {
            return Err(());
        }
        let on = match on {
            // The other outcome is meant.
            on if on != name && ENDS.contains(&name) => return Err(()),
            "success" => When::Success,
            "failure" => When::Failure,
            on => When::Leaf { name: name.to_owned(), negated: on.starts_with('!') },
        };
        Ok(Self { on, to: to.to_owned() })
    }
}

impl std::fmt::Display for When {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            When::Success => out.write_str("success"),
            When::Failure => out.write_str("failure"),
            When::Leaf { name, negated } => write!(out, "{}{name}", if *negated { "!" } else { "" }),
        }
    }
}

/// The outcomes: when the state's node has ended with it, or with which a transition ends the machine.
pub(crate) const ENDS: [&str; 2] = ["success", "failure"];

/// Returns `true` if a transition to this name ends the machine.
pub(crate) fn is_end(name: &str) -> bool {
    ENDS.contains(&name)
}
