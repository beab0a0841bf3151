//! Mistakes in a syntactically valid tree, with their messages.

use crate::analysis::message::Message;
use crate::lint::Lint;
use crate::outcomes::Outcomes;
use crate::requirement::Requirement;
use crate::table::Word;

/// A mistake in a syntactically valid tree, with the details for its message.
#[derive(Clone, Copy, Debug)]
pub enum Finding {
    /// A requirement of a decorator that its child does not meet.
    Unmet {
        /// The requirement.
        need: Requirement,
        /// The statuses of the child.
        child: Outcomes,
    },
    /// A number with which a word does nothing.
    Number {
        /// The word.
        word: Word,
        /// The number.
        number: u32,
        /// The effect of the word with this number.
        what: &'static str,
        /// The suggested replacement.
        help: &'static str,
    },
    /// A threshold that can never be reached.
    Threshold {
        /// `true` for the threshold of success, `false` for that of failure.
        success: bool,
        /// The number of children that can return the outcome.
        able: usize,
        /// The number of children.
        children: usize,
        /// The number of children that are needed.
        asked: usize,
    },
    /// A child that is never ticked, because a child before it always stops the composite.
    Stopped {
        /// The keyword of the composite, if it has one.
        keyword: Option<&'static str>,
        /// The index of the first child that is never ticked.
        from: usize,
        /// `true` if this child is the first.
        is_first: bool,
        /// The statuses of the child before the first.
        before: Outcomes,
        /// The outcome after which the composite continues.
        goes_on: Outcomes,
    },
    /// A child that is never ticked, because the children before it always end the composite.
    Decided {
        /// The keyword of the composite, if it has one.
        keyword: Option<&'static str>,
    },
    /// A child that a condition with these statuses never selects.
    Unselected(Outcomes),
    /// The node of a state that is always left before the node is ticked.
    Idle,
    /// A state that is never entered.
    State,
    /// A transition that is never followed, for this reason.
    Transition(&'static str),
}

/// Where a tree is written, which determines the form of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// In Rust. Notes and help are lines of their own.
    Rust,
    /// In a file of the editor. A message is one line.
    File,
    /// As `tree!` syntax in a text that is not compiled. A message is one line.
    Text,
}

impl Form {
    const fn note(self) -> &'static str {
        match self {
            Self::Rust => "\nnote: ",
            Self::File | Self::Text => "; note: ",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::Rust => "\nhelp: ",
            Self::File | Self::Text => "; help: ",
        }
    }
}

impl Finding {
    /// Returns the lint of the mistake.
    pub const fn lint(self) -> Lint {
        match self {
            Self::Unmet { need, .. } => need.lint,
            Self::Number { .. } => Lint::Pointless,
            Self::Threshold { .. } => Lint::Threshold,
            Self::Stopped { .. }
            | Self::Decided { .. }
            | Self::Unselected(_)
            | Self::Idle
            | Self::State
            | Self::Transition(_) => Lint::Unreachable,
        }
    }

    /// Returns the message of the mistake.
    pub const fn message(self, form: Form) -> Message {
        let text = self.reason(form).add(form.help()).add(self.help());
        let (of, unless) = match self {
            Self::Unmet { .. }
            | Self::Number { .. }
            | Self::Threshold { .. }
            | Self::Stopped { .. }
            | Self::Decided { .. }
            | Self::Unselected(_)
            | Self::Idle => ("node", ""),
            Self::State => ("state", " if only your code enters it"),
            Self::Transition(_) => ("transition", ""),
        };
        let lint = self.lint().name();
        match form {
            Form::Rust | Form::Text => {
                text.add(", or write `#[allow(").add(lint).add(")]` before this ").add(of).add(unless)
            }
            Form::File => text.add(", or set the property `allow` of this node to `").add(lint).add("`").add(unless),
        }
    }

    /// Returns the mistake and its cause.
    const fn reason(self, form: Form) -> Message {
        match self {
            Self::Unmet { need, child } => Message::new(need.or)
                .add(": its child never returns ")
                .outcomes(need.any_of)
                .add(form.note())
                .add("the child only returns ")
                .outcomes(child),
            Self::Number { word, number, what, .. } => {
                Message::new("`").add(word.name()).add("(").number(number as usize).add(")` ").add(what)
            }
            Self::Threshold { success, able, children, asked } => unreached(success, able, children, asked),
            Self::Stopped { keyword, from, is_first, before, goes_on } => {
                let text = Message::new("unreachable node").add(form.note());
                let text = if is_first { text.add("the child before it") } else { text.add("child ").number(from) };
                text.add(" only returns ")
                    .outcomes(before)
                    .add(", and ")
                    .keyword(keyword)
                    .add(" continues only after ")
                    .outcomes(goes_on)
            }
            Self::Decided { keyword } => {
                let text = Message::new("unreachable node").add(form.note());
                text.add("the children before it always end ").keyword(keyword)
            }
            Self::Unselected(returns) => {
                Message::new("unreachable node").add(form.note()).add("the condition only returns ").outcomes(returns)
            }
            Self::Idle => Message::new("unreachable node")
                .add(form.note())
                .add("the state is always left before its node is ticked"),
            Self::State => {
                Message::new("unreachable state").add(form.note()).add("no transition that can be followed leads to it")
            }
            Self::Transition(why) => Message::new("unreachable transition").add(form.note()).add(why),
        }
    }

    /// Returns the suggested fix.
    const fn help(self) -> &'static str {
        match self {
            Self::Unmet { need, .. } => need.help,
            Self::Number { help, .. } => help,
            Self::Threshold { .. } => "change the threshold or the children",
            Self::Stopped { .. } | Self::Decided { .. } => "move or remove one of them",
            Self::Unselected(_) => "change the condition or remove the node",
            Self::Idle => "change the transitions, write `run` in place of the node",
            Self::State => "change the transitions",
            Self::Transition(_) => "change or remove it",
        }
    }
}

/// Returns why a threshold can never be reached.
const fn unreached(success: bool, able: usize, children: usize, asked: usize) -> Message {
    let (option, one, many, verb) = if success {
        ("success", " success", " successes", "succeed")
    } else {
        ("failure", " failure", " failures", "fail")
    };
    let text = Message::new("threshold `").add(option).add("` can never be reached: ");
    let expected = text.add("expected ").number(asked).add(if asked == 1 { one } else { many });
    if asked > children {
        let (there, what) =
            if children == 1 { (", but there is only ", " child") } else { (", but there are only ", " children") };
        expected.add(there).number(children).add(what)
    } else if able < asked {
        expected.add(", but only ").number(able).add(" of ").number(children).add(" children can ").add(verb)
    } else {
        text.add("the children always end the node first")
    }
}
