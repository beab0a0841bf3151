//! The tokens of a text, which are those of Rust, with their places. Nothing is copied.

mod literal;
#[cfg(feature = "format")]
mod nested;
#[cfg(all(test, feature = "format"))]
mod tests;

use std::ops::Range;

use bt_behavior3::{Diagnostic, Place};
use bt_words::{MAX_LEVELS, TOO_DEEP};
use proc_macro2::Delimiter;
use unicode_ident::{is_xid_continue, is_xid_start};

#[cfg(feature = "edit")]
pub(crate) use self::nested::nested;
#[cfg(feature = "format")]
pub(crate) use self::nested::{Token, is_pair, range_of, tokens};
use crate::tokens::{Kind, Token as Flat, Tokens, index};

/// The maximum depth of delimiters in each other: those of a tree, of the function around it, and of the arguments of a leaf.
pub(crate) const MAX_DELIMITERS: usize = MAX_LEVELS + 56;
/// The characters of which operators consist.
const SIGNS: &str = "~!@#$%^&*-=+|;:,<.>/?'";

/// Why a text has no tokens, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NoTokens {
    pub(crate) at: usize,
    pub(crate) reason: String,
}

impl NoTokens {
    pub(crate) fn diagnostic(self, text: &str) -> Diagnostic {
        Diagnostic::at(place(text, self.at), self.reason)
    }
}

/// Returns the place of an index of a text.
pub(crate) fn place(text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX - 1) + 1;
    Place { line: number(before.matches('\n').count()), column: number(before[line..].chars().count()) }
}

/// Returns the index of a place.
#[cfg(feature = "format")]
pub(crate) fn offset(text: &str, place: Place) -> usize {
    let before: usize = text.split_inclusive('\n').take(place.line as usize - 1).map(str::len).sum();
    let line = text[before..].chars().take(place.column as usize - 1);
    before + line.map(char::len_utf8).sum::<usize>()
}

impl Tokens {
    /// Returns the tokens of a text. Documentation is left out, and its places are returned, too.
    ///
    /// # Errors
    ///
    /// Returns an error if a delimiter, a text or a comment is not closed, for a character that Rust does not have, for an invalid literal, and for
    /// delimiters that are nested deeper than [`MAX_DELIMITERS`], since all other functions visit them recursively.
    pub(crate) fn of_text(text: &str) -> Result<(Self, Vec<Range<usize>>), NoTokens> {
        let mut list = list(text)?;
        let mut documentation = Vec::new();
        for flat in &list {
            let range = flat.range();
            match flat.kind {
                Kind::Documentation => documentation.push(range),
                Kind::Literal => literal::check(&text[range.clone()])
                    .map_err(|(at, reason)| NoTokens { at: range.start + at, reason })?,
                Kind::Word | Kind::Sign { .. } | Kind::Open(_) | Kind::Close(_) => {}
            }
        }
        if !documentation.is_empty() {
            list.retain(|flat| flat.kind != Kind::Documentation);
            pair(&mut list);
        }
        let ends = text.match_indices('\n').map(|(end, _)| end + 1);
        Ok((Self::new(text.to_owned(), list, Vec::new(), std::iter::once(0).chain(ends).collect()), documentation))
    }
}

/// Gives each delimiter the index of the other one.
fn pair(list: &mut [Flat]) {
    let mut open = Vec::new();
    for at in 0..list.len() {
        match list[at].kind {
            Kind::Open(_) => open.push(at),
            Kind::Close(_) => {
                if let Some(begin) = open.pop() {
                    (list[begin].other, list[at].other) = (index(at), index(begin));
                }
            }
            Kind::Word | Kind::Literal | Kind::Documentation | Kind::Sign { .. } => {}
        }
    }
}

/// Returns the place of each token and each delimiter of a text, in order.
#[cfg(feature = "format")]
pub(crate) fn ranges(text: &str) -> Result<impl Iterator<Item = Range<usize>> + use<>, NoTokens> {
    Ok(list(text)?.into_iter().map(Flat::range))
}

pub(crate) fn list(text: &str) -> Result<Vec<Flat>, NoTokens> {
    let lexer = Lexer { text };
    let error = |at, reason: String| Err(NoTokens { at, reason });
    let (mut at, mut list, mut open) = (0, Vec::<Flat>::new(), Vec::<usize>::new());
    loop {
        at = lexer.skip(at)?;
        let Some(first) = text[at..].chars().next() else { break };
        let start = at;
        at = start + first.len_utf8();
        let flat = |kind, end| Flat { kind, start: index(start), end: index(end), other: 0 };
        if let Some((delimiter, ..)) = DELIMITERS.iter().find(|(_, opening, _)| *opening == first) {
            if open.len() == MAX_DELIMITERS {
                return error(start, TOO_DEEP.to_owned());
            }
            open.push(list.len());
            list.push(flat(Kind::Open(*delimiter), at));
        } else if let Some((delimiter, ..)) = DELIMITERS.iter().find(|(.., closing)| *closing == first) {
            let Some(begin) = open.pop() else {
                return error(start, format!("`{first}` closes nothing"));
            };
            if list[begin].kind != Kind::Open(*delimiter) {
                let (opening, closing) = signs(list[begin].kind);
                let begin = place(text, list[begin].start as usize);
                return error(start, format!("expected `{closing}` for the `{opening}` at {begin}, found `{first}`"));
            }
            list[begin].other = index(list.len());
            list.push(Flat { other: index(begin), ..flat(Kind::Close(*delimiter), at) });
        } else {
            at = lexer.leaf(start, first)?;
            let is_lifetime = first == '\'' && !text[start + 1..at].contains('\'');
            let end = if is_lifetime { start + 1 } else { at };
            list.push(flat(
                match first {
                    '\'' if is_lifetime => Kind::Sign { joint: true },
                    '/' if at - start > 1 => Kind::Documentation,
                    _ if at - start == 1 && SIGNS.contains(first) => Kind::Sign { joint: lexer.is_sign(at) },
                    _ if is_word_start(first) && Quoted::of(&text[start..at]).is_none() => Kind::Word,
                    _ => Kind::Literal,
                },
                end,
            ));
            if is_lifetime {
                list.push(Flat { kind: Kind::Word, start: index(end), end: index(at), other: 0 });
            }
        }
    }
    // The innermost one is where what is missing was last expected.
    match open.last() {
        Some(begin) => {
            let (opening, closing) = signs(list[*begin].kind);
            error(list[*begin].start as usize, format!("`{opening}` is not closed; help: add `{closing}`"))
        }
        None => Ok(list),
    }
}

const DELIMITERS: [(Delimiter, char, char); 3] =
    [(Delimiter::Parenthesis, '(', ')'), (Delimiter::Bracket, '[', ']'), (Delimiter::Brace, '{', '}')];

fn signs(opening: Kind) -> (char, char) {
    let found = DELIMITERS.iter().find(|(of, ..)| Kind::Open(*of) == opening);
    found.map_or((' ', ' '), |(_, opening, closing)| (*opening, *closing))
}

struct Lexer<'t> {
    text: &'t str,
}

impl Lexer<'_> {
    /// Returns the index after spaces and comments. The documentation of an item is a token.
    fn skip(&self, mut at: usize) -> Result<usize, NoTokens> {
        loop {
            at += self.text.as_bytes()[at..].iter().take_while(|sign| matches!(sign, b' ' | b'\n' | b'\t')).count();
            let rest = &self.text[at..];
            let Some(first) = rest.chars().next() else { return Ok(at) };
            let is_mark = first == '\u{feff}' && at == 0;
            if first.is_whitespace() || is_mark || matches!(first, '\u{200e}' | '\u{200f}') {
                at += first.len_utf8();
            } else if first == '/'
                && !is_documentation(rest)
                && let Some(end) = self.comment(at)?
            {
                at = end;
            } else {
                return Ok(at);
            }
        }
    }

    /// Returns the end of the comment that begins at an index, if one does.
    fn comment(&self, begin: usize) -> Result<Option<usize>, NoTokens> {
        let bytes = self.text.as_bytes();
        match bytes.get(begin + 1) {
            Some(b'/') => {
                let end = self.text[begin..].find('\n').map_or(bytes.len(), |end| begin + end);
                return Ok(Some(end));
            }
            Some(b'*') => {}
            _ => return Ok(None),
        }
        let (mut depth, mut at) = (1_usize, begin + 2);
        while depth > 0 {
            match bytes.get(at..at + 2) {
                Some(b"/*") => (depth, at) = (depth + 1, at + 2),
                Some(b"*/") => (depth, at) = (depth - 1, at + 2),
                Some(_) => at += 1,
                None => {
                    return Err(NoTokens { at: begin, reason: "the comment is not closed; help: add `*/`".to_owned() });
                }
            }
        }
        Ok(Some(at))
    }

    /// Returns the end of the token that begins at an index with a character.
    fn leaf(&self, at: usize, first: char) -> Result<usize, NoTokens> {
        let rest = &self.text[at..];
        if first == '/' && is_documentation(rest) {
            let end = self.comment(at)?.unwrap_or(at);
            return Ok(at + self.text[at..end].trim_end_matches('\r').len());
        }
        if let Some(text) = Quoted::of(rest) {
            let hashes = "#".repeat(text.hashes.unwrap_or_default());
            let reason = || NoTokens { at, reason: format!("the text is not closed; help: add `\"{hashes}`") };
            let end = at + text.end(rest).ok_or_else(reason)?;
            return Ok(self.word(end));
        }
        if first.is_ascii_digit() {
            return Ok(self.number(at));
        }
        if first == '\'' {
            return self.character(at);
        }
        if is_word_start(first) {
            let raw = at + 2;
            let end = if rest.starts_with("r#") { self.word(raw) } else { raw };
            return Ok(if end > raw { end } else { self.word(at) });
        }
        if SIGNS.contains(first) {
            return Ok(at + 1);
        }
        Err(NoTokens { at, reason: format!("unexpected character `{}`", first.escape_debug()) })
    }

    /// Returns the end of the word that begins at an index, or the index if none does.
    fn word(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        if !rest.starts_with(is_word_start) {
            return at;
        }
        rest.find(|sign| !is_xid_continue(sign)).map_or(self.text.len(), |end| at + end)
    }

    /// Returns the end of a number with its type or unit.
    fn number(&self, begin: usize) -> usize {
        let digits = |at: usize| {
            let rest = &self.text[at..];
            rest.find(|sign: char| !(sign.is_ascii_digit() || sign == '_')).map_or(self.text.len(), |end| at + end)
        };
        let mut at = digits(begin);
        let rest = &self.text[at..];
        if &self.text[begin..at] == "0" && rest.starts_with(['x', 'o', 'b']) {
            return self.word(at);
        }
        // `1..2` is a range, and `1.max(2)` a call.
        let after = rest.strip_prefix('.').map(|rest| rest.chars().next());
        if after.is_some_and(|next| !next.is_some_and(|next| next == '.' || is_word_start(next))) {
            at = digits(at + 1);
        }
        if let Some(power) = self.text[at..].strip_prefix(['e', 'E']) {
            let power = power.strip_prefix(['+', '-']).unwrap_or(power);
            if power.trim_start_matches('_').starts_with(|sign: char| sign.is_ascii_digit()) {
                at = digits(self.text.len() - power.len());
            }
        }
        self.word(at)
    }

    /// Returns the end of a character, `'a'`, or of a lifetime, `'a`.
    fn character(&self, at: usize) -> Result<usize, NoTokens> {
        let rest = &self.text[at + 1..];
        let mut signs = rest.char_indices();
        let (first, second) = (signs.next(), signs.next());
        if let Some((_, '\\')) = first {
            // What is escaped cannot end it.
            let end =
                rest.char_indices().skip(2).find(|(_, sign)| *sign == '\'').map(|(end, _)| self.word(at + 1 + end + 1));
            return end.ok_or(NoTokens { at, reason: "the character is not closed; help: add `'`".to_owned() });
        }
        if let Some((end, '\'')) = second {
            return Ok(self.word(at + 1 + end + 1));
        }
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        let end = self.word(at + 1 + raw);
        if end == at + 1 + raw || self.text[end..].starts_with('\'') {
            return Err(NoTokens { at, reason: "unexpected `'`; help: write text in double quotes".to_owned() });
        }
        Ok(end)
    }

    /// Returns `true` if a sign, and no comment, begins at an index.
    fn is_sign(&self, at: usize) -> bool {
        let rest = &self.text[at..];
        rest.starts_with(|sign| SIGNS.contains(sign)) && !rest.starts_with("//") && !rest.starts_with("/*")
    }
}

fn is_word_start(sign: char) -> bool {
    sign == '_' || is_xid_start(sign)
}

/// Returns `true` for the documentation of an item, which is not a mere comment.
fn is_documentation(text: &str) -> bool {
    let is_outer = |sign: &str, more: &str| text.starts_with(sign) && !text.starts_with(more);
    text.starts_with("//!")
        || text.starts_with("/*!")
        || is_outer("///", "////")
        || is_outer("/**", "/***") && !text.starts_with("/**/")
}

/// How the text or the byte literal begins that a text begins with.
struct Quoted {
    /// The length of what is before the quote.
    prefix: usize,
    /// The number of `#` of a raw text.
    hashes: Option<usize>,
    quote: u8,
}

impl Quoted {
    fn of(text: &str) -> Option<Self> {
        if !text.starts_with(['"', 'b', 'c', 'r']) {
            return None;
        }
        let letters = ["br", "cr", "r", "b", "c", ""].into_iter().find(|letters| {
            let after = text.strip_prefix(letters).unwrap_or_default().trim_start_matches('#');
            after.starts_with('"') || *letters == "b" && after.starts_with('\'')
        })?;
        let rest = text.get(letters.len()..)?;
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let is_raw = letters.ends_with('r');
        let quote = *rest.as_bytes().get(hashes)?;
        (hashes == 0 || is_raw).then_some(Self {
            prefix: letters.len() + hashes,
            hashes: is_raw.then_some(hashes),
            quote,
        })
    }

    /// Returns the end of the text.
    fn end(&self, text: &str) -> Option<usize> {
        let (bytes, mut at) = (text.as_bytes(), self.prefix + 1);
        loop {
            let sign = *bytes.get(at)?;
            at += 1;
            match self.hashes {
                None if sign == b'\\' => at += 1,
                Some(hashes) if sign == self.quote => {
                    let after = &bytes[at..];
                    if after.iter().take_while(|sign| **sign == b'#').count() >= hashes {
                        return Some(at + hashes);
                    }
                }
                None if sign == self.quote => return Some(at),
                _ => {}
            }
        }
    }
}
