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
#[cfg(test)]
mod tests;
mod tree;
mod value;

use std::ops::Range;
use std::thread;

use bt_behavior3::{Diagnostic, Project};
use proc_macro2::{LexError, TokenStream};

#[cfg(feature = "edit")]
pub(crate) use self::arguments::{form, of_word};
use self::tree::Parsed;
#[cfg(feature = "live")]
pub(crate) use self::value::value;
#[cfg(feature = "edit")]
pub(crate) use self::value::{Argument, arguments, not_constant, path};
use crate::errors::{DOCUMENTATION, Errors};
use crate::lex::{self, Token};
use crate::location::place;

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
    let (mut found, without) = documentation(text)?;
    let stream = tokens(without.as_deref().unwrap_or(text))?;
    let mut errors = Errors::of_file();
    let parsed = tree::file(stream, &mut errors);
    found.extend(diagnostics(errors));
    found.sort_by_key(|error| error.place);
    if found.is_empty() { Ok(parsed) } else { Err(found) }
}

/// Returns an error for each documentation comment or several in succession, and the text with spaces in their places.
fn documentation(text: &str) -> Result<(Vec<Diagnostic>, Option<String>), Vec<Diagnostic>> {
    fn add(tokens: &[Token], text: &str, all: &mut Vec<Range<usize>>) {
        for token in tokens {
            match token {
                Token::Leaf { range, .. } if text[range.clone()].starts_with(['/']) && range.len() > 1 => {
                    all.push(range.clone());
                }
                Token::Leaf { .. } => {}
                Token::Group { inner, .. } => add(inner, text, all),
            }
        }
    }
    if !["///", "//!", "/**", "/*!"].iter().any(|sign| text.contains(sign)) {
        return Ok((Vec::new(), None));
    }
    let (tokens, mut all) = (limited(text).map_err(|error| vec![error])?, Vec::new());
    add(&tokens, text, &mut all);
    if all.is_empty() {
        return Ok((Vec::new(), None));
    }
    let (mut errors, mut end, mut without) = (Vec::new(), None, text.to_owned());
    for range in all {
        if end.is_none_or(|end: usize| !text[end..range.start].trim().is_empty()) && errors.len() < MAX_ERRORS {
            errors.push(Diagnostic::at(lex::place(text, range.start), DOCUMENTATION.replace('\n', "; ")));
        }
        let blank = |sign: char| if sign == '\n' { "\n".to_owned() } else { " ".repeat(sign.len_utf8()) };
        without.replace_range(range.clone(), &text[range.clone()].chars().map(blank).collect::<String>());
        end = Some(range.end);
    }
    Ok((errors, Some(without)))
}

/// Returns the tokens of a text, as the macro has them. Their depth is limited.
pub(crate) fn tokens(text: &str) -> Result<TokenStream, Vec<Diagnostic>> {
    limited(text).and_then(|_| stream(text)).map_err(|error| vec![error])
}

/// Returns the tokens of a text of any depth.
pub(crate) fn stream(text: &str) -> Result<TokenStream, Diagnostic> {
    text.parse().map_err(|error: LexError| match lex::tokens(text) {
        Err(error) => error.diagnostic(text),
        // An escape, or the digits of a number.
        Ok(_) => literal(text, lex::offset(text, place(error.span()))),
    })
}

/// Returns the error for the invalid literal that begins at an index of a text.
fn literal(text: &str, at: usize) -> Diagnostic {
    let rest = &text[at..];
    if rest.starts_with(|first: char| first.is_ascii_digit()) {
        let end = rest.find(|sign: char| !(sign.is_alphanumeric() || sign == '_')).unwrap_or(rest.len());
        return Diagnostic::at(lex::place(text, at), format!("`{}` is not a number of Rust", &rest[..end]));
    }
    let mut begin = 0;
    while let Some(found) = rest[begin..].find('\\').map(|found| begin + found) {
        let escape = &rest[found..];
        let end = match escape.chars().nth(1) {
            Some('u') => {
                let end = escape.find(|sign: char| !(sign.is_alphanumeric() || r"\{_".contains(sign)));
                end.map_or(2, |end| end + usize::from(escape[end..].starts_with('}')))
            }
            Some('x') => 2 + escape[2..].chars().take(2).take_while(char::is_ascii_hexdigit).count(),
            next => 1 + next.map_or(0, char::len_utf8),
        };
        let escape = &escape[..end];
        if format!("\"{escape}\"").parse::<proc_macro2::Literal>().is_err() {
            let help = "help: write `\\\\` for a backslash";
            return Diagnostic::at(
                lex::place(text, at + found),
                format!("`{escape}` is not an escape of Rust; {help}"),
            );
        }
        begin = found + end;
    }
    Diagnostic::at(lex::place(text, at), "expected a text, a character or a number of Rust".to_owned())
}

/// Returns the tokens of a text. Their depth is limited.
pub(crate) fn limited(text: &str) -> Result<Vec<Token>, Diagnostic> {
    let tokens = lex::tokens(text).map_err(|error| error.diagnostic(text))?;
    depth::check(text, &tokens)?;
    Ok(tokens)
}

/// Returns the message of an error as one line.
pub(crate) fn in_one_line(error: &syn::Error) -> String {
    error.to_string().replace('\n', "; ")
}

/// Returns errors in the order of the text, each as one line.
pub(crate) fn diagnostics(errors: Errors) -> Vec<Diagnostic> {
    let mut found: Vec<_> = errors
        .into_errors()
        .take(MAX_ERRORS)
        .map(|error| Diagnostic::at(place(error.span()), in_one_line(&error)))
        .collect();
    found.sort_by_key(|error| error.place);
    found
}
