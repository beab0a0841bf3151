//! Trees in files: converts `tree!` syntax to the same data as files of the editor.
//!
//! A file contains one node, as `tree!` does, or several trees that can contain each other, each as `tree name { node }`. Arguments are
//! constants, names of registered values, or variables, `var(name)`. Leaves are names with arguments.
//!
//! ```
//! use bt_behavior3::{Arity, NodeNames};
//!
//! let text = "selector {\n    sequence \"fight\" { near(10.0), attack }\n    patrol\n}\n";
//! let project = bt_syntax::file::read(text, |name| (name == "near").then(|| vec!["meters".to_owned()])).unwrap();
//! let names = NodeNames::new([("near", Arity::Zero), ("attack", Arity::Zero), ("patrol", Arity::Zero)]);
//! assert!(project.check(None, &names).is_ok());
//!
//! let errors = bt_syntax::file::read("sequence { |npc| npc.attack() }", |_| None).unwrap_err();
//! assert!(errors[0].to_string().starts_with("1:12: a file cannot contain a closure; help: "));
//! ```

mod arguments;
mod depth;
mod machine;
mod names;
mod node;
mod number;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use std::ops::Range;
use std::thread;

use bt_behavior3::{Diagnostic, Project};
#[cfg(any(feature = "format", feature = "live"))]
use proc_macro2::{LexError, TokenStream};

#[cfg(feature = "edit")]
pub(crate) use self::arguments::{form, of_word};
pub use self::machine::count_attributes_of_transitions;
use self::tree::Parsed;
#[cfg(feature = "live")]
pub(crate) use self::value::value;
#[cfg(feature = "edit")]
pub(crate) use self::value::{Argument, arguments, not_constant, path};
use crate::errors::{DOCUMENTATION, Errors, in_one_line};
use crate::lex;
use crate::tokens::Tokens;

/// The maximum number of errors that are reported.
const MAX_ERRORS: usize = 100;
/// The stack that the parser may need, in bytes: the depth of the text is limited.
const STACK: usize = 128 << 20;

/// Reads the trees in a text. The first is the root. `parameters` returns the names of the parameters of a leaf, decorator or composite, for arguments
/// without names; `None` if the name is unknown. Their properties are then `1`, `2` and so on.
///
/// The ids of nodes are their numbers in the file, after a `#`. They do not identify a node across edits of the file.
///
/// # Errors
///
/// Returns the syntax errors, and errors for Rust that a file cannot contain, each with its location.
pub fn read(text: &str, parameters: impl FnMut(&str) -> Option<Vec<String>>) -> Result<Project, Vec<Diagnostic>> {
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Parsed { mut project, unnamed } = on_a_thread(|| parse(text))?;
    let errors = names::name(&mut project, unnamed, parameters);
    if errors.is_empty() { Ok(project) } else { Err(errors) }
}

/// Runs a parser on a separate thread, which has enough stack. It also frees the parsed texts, which `proc_macro2` keeps until the thread ends.
pub(crate) fn on_a_thread<T: Send>(parse: impl Fn() -> T + Sync) -> T {
    thread::scope(|scope| match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &parse) {
        Ok(parsing) => parsing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        // There are systems without threads.
        Err(_) => parse(),
    })
}

fn parse(text: &str) -> Result<Parsed, Vec<Diagnostic>> {
    let (tokens, documentation) = of_text(text).map_err(|error| vec![error])?;
    let mut errors = Errors::of_file();
    let parsed = tree::file(&tokens, &mut errors);
    let mut found = of_documentation(text, documentation);
    found.extend(errors.into_diagnostics().into_iter().take(MAX_ERRORS));
    found.sort_by_key(|error| error.place);
    if found.is_empty() { Ok(parsed) } else { Err(found) }
}

/// Returns an error for each documentation comment or several in succession.
fn of_documentation(text: &str, ranges: Vec<Range<usize>>) -> Vec<Diagnostic> {
    let mut end = None;
    let is_first = |range: &Range<usize>| {
        let before = end.replace(range.end);
        before.is_none_or(|end: usize| !text[end..range.start].trim().is_empty())
    };
    let first = ranges.into_iter().filter(is_first).take(MAX_ERRORS);
    first.map(|range| Diagnostic::at(lex::place(text, range.start), in_one_line(DOCUMENTATION))).collect()
}

/// Returns the tokens of a text without documentation, and the places of that. The depth is limited.
fn of_text(text: &str) -> Result<(Tokens, Vec<Range<usize>>), Diagnostic> {
    let limited = Tokens::of_text(text).and_then(|found| depth::check(found.0.texts()).map(|()| found));
    limited.map_err(|error| error.diagnostic(text))
}

/// Returns the tokens of a text, in which documentation is an attribute, as in a macro. The depth is limited.
#[cfg(feature = "format")]
pub(crate) fn flat(text: &str) -> Result<Tokens, Diagnostic> {
    let (tokens, documentation) = of_text(text)?;
    if documentation.is_empty() { Ok(tokens) } else { stream(text).map(Tokens::from) }
}

/// Returns the tokens of a text, as the macro has them. Their depth is limited.
#[cfg(feature = "live")]
pub(crate) fn tokens(text: &str) -> Result<TokenStream, Vec<Diagnostic>> {
    of_text(text).and_then(|_| stream(text)).map_err(|error| vec![error])
}

/// Returns the tokens of a text of any depth.
#[cfg(any(feature = "format", feature = "live"))]
pub(crate) fn stream(text: &str) -> Result<TokenStream, Diagnostic> {
    text.parse().map_err(|error: LexError| match Tokens::of_text(text) {
        Err(error) => error.diagnostic(text),
        Ok(_) => {
            let reason = "expected a text, a character or a number of Rust".to_owned();
            Diagnostic::at(crate::location::place(error.span()), reason)
        }
    })
}

/// Returns the tokens of a text, whose literals may be invalid. Their depth is limited.
#[cfg(feature = "edit")]
pub(crate) fn limited(text: &str) -> Result<Vec<crate::tokens::Token>, Diagnostic> {
    let limited = lex::list(text).and_then(|list| {
        depth::check(list.iter().map(|flat| (flat.start as usize, &text[flat.range()])))?;
        Ok(list)
    });
    limited.map_err(|error| error.diagnostic(text))
}
