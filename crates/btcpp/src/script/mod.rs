//! The script language of BehaviorTree.CPP, over the variables of a [`Board`](bt_core::board::Board).
//!
//! A [`Script`] is parsed once and can be run by any number of agents.
//!
//! ```
//! use bt_btcpp::script::{Scope, Script, Untyped};
//! use bt_core::prelude::*;
//!
//! const HUNGER: Key<u32> = Key::new("hunger");
//! let mut board = Board::new();
//! board.set(&HUNGER, 3);
//!
//! let (eat, scope) = (Script::parse("hunger -= 2; mood := hunger < 2 ? 'fine' : 'bad'")?, Scope::default());
//! let value = eat.run(&mut board, &scope)?;
//! assert!(matches!(value, Some(Untyped::Text(mood)) if mood == "fine"));
//! assert_eq!(board.get(&HUNGER), Some(&1));
//!
//! let is_fine = Script::parse("mood == 'fine' && hunger < 5")?;
//! assert!(is_fine.holds(&mut board, &scope)?);
//!
//! let error = Script::parse("hunger := (2 + ").unwrap_err();
//! assert_eq!(error.to_string(), "at byte 15: found the end of the script; expected a value or a variable");
//! let error = Script::parse("thirst += 1")?.run(&mut board, &scope).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "script `thirst += 1`: variable `thirst` does not exist; help: `:=` creates a variable"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Language
//!
//! A script is a list of statements. `;` between them is optional. The value of the script is that of the last statement.
//!
//! | syntax | meaning |
//! |---|---|
//! | `3`, `0x1F`, `2.5`, `1e3`, `'text'` | an integer, a hexadecimal integer, real numbers, text |
//! | `true`, `false` | the real numbers 1 and 0 |
//! | `name` | a constant of the [`Scope`], or else a variable |
//! | `@name`, `{any name}` | a variable, also where a constant has the name |
//! | `name := value` | sets a variable, and creates it if it does not exist |
//! | `name = value`, `+=`, `-=`, `*=`, `/=` | change a variable that exists |
//! | `condition ? value : value` | a choice |
//! | `\|\|`, `&&`, `!` | logic; both sides are evaluated |
//! | `==`, `!=`, `<`, `<=`, `>`, `>=` | comparisons; `a < b < c` holds if both comparisons hold |
//! | `\|`, `^`, `&`, `~` | operations on the bits of integers |
//! | `+`, `-`, `*`, `/` | arithmetic; `+` also joins text |
//! | `..` | joins text with text or a number |
//!
//! # Values
//!
//! - The result of arithmetic, of a comparison and of logic is a real number.
//! - A variable keeps its type. A number that the type cannot represent is an error, and so is a number that is
//!   assigned to text.
//! - Two numbers are equal if they differ by at most `f32::EPSILON`.
//! - Text that is compared with a number is `true`, `false`, a constant, or starts with a number.
//! - A value of another type can be copied, and its `Debug` text can be compared with text.
//!
//! # Limits
//!
//! A script has at most 64 KiB. It nests at most 100 deep, and less if each depth has operators of many precedences. A text
//! that it creates has at most 1 MiB.

mod error;
mod evaluate;
mod expression;
mod operate;
mod parse;
mod scope;
#[cfg(test)]
mod tests;
mod token;
mod variable;

use std::fmt;
use std::sync::Arc;

use bt_core::board::{HasBoard, Variable as _};

#[doc(inline)]
pub use bt_core::board::Untyped;

pub use crate::script::error::{RunError, ScriptError};
pub use crate::script::scope::Scope;
pub use crate::script::variable::Access;

use crate::script::evaluate::{Boards, Evaluation};
use crate::script::expression::Expression;
use crate::script::variable::Variable;

/// A parsed script. See the [module](self).
#[derive(Clone)]
pub struct Script(Arc<Parsed>);

struct Parsed {
    text: String,
    /// At least one.
    statements: Vec<Expression>,
    variables: Vec<Variable>,
}

impl Script {
    /// Parses a script.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a script, or is empty.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let (statements, variables) = parse::parse(text)?;
        Ok(Self(Arc::new(Parsed { text: text.to_owned(), statements, variables })))
    }

    /// Returns the text of the script.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns the names of the variables in the order of their first occurrence, and how the script uses them.
    ///
    /// A script does not tell constants from variables: constants are included.
    ///
    /// ```
    /// use bt_btcpp::script::{Access, Script};
    ///
    /// let script = Script::parse("a := @b; {c d} += a")?;
    /// let variables: Vec<_> = script.variables().collect();
    /// assert_eq!(variables, [("a", Access::ReadWrite), ("b", Access::Read), ("c d", Access::ReadWrite)]);
    /// # Ok::<(), bt_btcpp::script::ScriptError>(())
    /// ```
    pub fn variables(&self) -> impl Iterator<Item = (&str, Access)> {
        self.0.variables.iter().map(|variable| (variable.key.name(), variable.access))
    }

    /// Runs the script. Returns the value of the last statement. It has none if that is a variable without a value, or a
    /// number that is joined with a number by `..`.
    ///
    /// Variables are read from the context's own board, or else from the shared one. They are written to the own board.
    ///
    /// # Errors
    ///
    /// Returns an error if a statement cannot be evaluated. The statements before it have been executed.
    pub fn run<C: HasBoard + ?Sized>(&self, ctx: &mut C, scope: &Scope) -> Result<Option<Untyped>, RunError> {
        let mut boards = Boards(ctx);
        let mut evaluation = Evaluation::new(&mut boards, &self.0.variables, scope);
        let mut value = None;
        for statement in &self.0.statements {
            value = evaluation.value(statement).map_err(|reason| self.error(reason))?;
        }
        Ok(value)
    }

    /// Runs the script. Returns `true` if its value is a number other than 0.
    ///
    /// # Errors
    ///
    /// Returns an error if a statement cannot be evaluated, or if the value is not a condition: text, a negative number,
    /// or an integer other than 0 and 1.
    pub fn holds<C: HasBoard + ?Sized>(&self, ctx: &mut C, scope: &Scope) -> Result<bool, RunError> {
        let value = self.run(ctx, scope)?;
        let holds = value.ok_or_else(|| "the script has no value".to_owned()).and_then(|value| value.to_bool());
        holds.map_err(|reason| self.error(reason))
    }

    fn error(&self, reason: String) -> RunError {
        RunError { script: self.0.text.clone(), reason }
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.text.fmt(out)
    }
}
