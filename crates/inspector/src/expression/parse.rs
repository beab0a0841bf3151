//! Parsing expressions.

use std::iter::Peekable;
use std::str::CharIndices;

use serde_json::Value;

use super::node::{Node, Operator};
use crate::values::{Path, Step};

/// The maximum number of nested parentheses and negations.
const MAX_DEPTH: usize = 64;

/// A token, and the text that it was read from.
#[derive(Clone, PartialEq, Debug)]
enum Token {
    /// A name, `.name`, `.0` and `["name"]` are read as one path.
    Path(Path),
    Literal(Value),
    Operator(Operator),
    And,
    Or,
    Not,
    Open,
    Close,
}

pub(super) fn parse(text: &str) -> Result<Node, String> {
    let tokens = Lexer { text, chars: text.char_indices().peekable() }.tokens()?;
    let mut parser = Parser { text, tokens: &tokens, depth: 0 };
    let node = parser.or()?;
    match parser.tokens {
        [] => Ok(node),
        [(_, at, end), ..] => Err(format!("expected `&&`, `||` or the end, found `{}`", &text[*at..*end])),
    }
}

struct Lexer<'t> {
    text: &'t str,
    chars: Peekable<CharIndices<'t>>,
}

impl Lexer<'_> {
    /// Returns the tokens with the places of their texts.
    fn tokens(mut self) -> Result<Vec<(Token, usize, usize)>, String> {
        let mut tokens = Vec::new();
        while let Some(at) = self.start() {
            let token = self.token(at)?;
            tokens.push((token, at, self.end()));
        }
        Ok(tokens)
    }

    /// Skips spaces. Returns where the next token starts.
    fn start(&mut self) -> Option<usize> {
        while self.chars.next_if(|(_, char)| char.is_whitespace()).is_some() {}
        self.chars.peek().map(|(at, _)| *at)
    }

    fn end(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |(at, _)| *at)
    }

    fn token(&mut self, at: usize) -> Result<Token, String> {
        let rest = &self.text[at..];
        let fixed = [("&&", Token::And), ("||", Token::Or), ("(", Token::Open), (")", Token::Close)];
        let operators = Operator::ALL.map(|(sign, operator)| (sign, Token::Operator(operator)));
        let not = [("!", Token::Not)];
        if let Some((sign, token)) =
            fixed.into_iter().chain(operators).chain(not).find(|(sign, _)| rest.starts_with(sign))
        {
            self.skip(sign.len());
            return Ok(token);
        }
        match rest.chars().next() {
            Some('"') => Ok(Token::Literal(Value::String(self.string(at)?))),
            Some('0'..='9' | '-') => self.number(at),
            Some(char) if is_in_name(char) || char == '[' => self.path(at),
            Some('=') => Err("expected `==`, found `=`".to_owned()),
            Some(char @ ('&' | '|')) => Err(format!("expected `{char}{char}`, found `{char}`")),
            other => Err(format!("unexpected character `{}`", other.unwrap_or_default())),
        }
    }

    fn skip(&mut self, bytes: usize) {
        let to = self.end() + bytes;
        while self.chars.next_if(|(at, _)| *at < to).is_some() {}
    }

    fn while_matches(&mut self, matches: impl Fn(char) -> bool) {
        while self.chars.next_if(|(_, char)| matches(*char)).is_some() {}
    }

    /// Reads a text in quotes, with the escapes of JSON.
    fn string(&mut self, at: usize) -> Result<String, String> {
        self.chars.next();
        let mut is_escaped = false;
        while let Some((_, char)) = self.chars.next() {
            if char == '"' && !is_escaped {
                let text = &self.text[at..self.end()];
                return serde_json::from_str(text).map_err(|_| format!("invalid text {text}"));
            }
            is_escaped = char == '\\' && !is_escaped;
        }
        Err("expected `\"` at the end of the text".to_owned())
    }

    fn number(&mut self, at: usize) -> Result<Token, String> {
        self.chars.next();
        self.while_matches(|char| char.is_ascii_alphanumeric() || char == '.' || char == '_');
        // The sign of an exponent.
        if self.text[at..self.end()].ends_with(['e', 'E'])
            && self.chars.next_if(|(_, char)| matches!(char, '+' | '-')).is_some()
        {
            self.while_matches(|char| char.is_ascii_digit());
        }
        let text = &self.text[at..self.end()];
        if text == "-inf" {
            return Ok(Token::Literal(text.into()));
        }
        serde_json::from_str(&text.replace('_', "")).map(Token::Literal).map_err(|_| format!("invalid number `{text}`"))
    }

    fn path(&mut self, at: usize) -> Result<Token, String> {
        self.while_matches(is_in_name);
        let name = &self.text[at..self.end()];
        match name {
            "true" => return Ok(Token::Literal(true.into())),
            "false" => return Ok(Token::Literal(false.into())),
            "null" => return Ok(Token::Literal(Value::Null)),
            _ => {}
        }
        // A name that is no identifier is written in brackets: `["my name"]`.
        let mut path = if name.is_empty() { Path::new() } else { vec![Step::from(name)] };
        loop {
            if self.chars.next_if(|(_, char)| *char == '.').is_some() {
                let from = self.end();
                self.while_matches(is_in_name);
                path.push(step(&self.text[from..self.end()])?);
            } else if self.chars.next_if(|(_, char)| *char == '[').is_some() {
                let from = self.end();
                if self.text[from..].starts_with('"') {
                    path.push(Step::Name(self.string(from)?));
                } else {
                    self.while_matches(|char| char.is_ascii_digit());
                    path.push(step(&self.text[from..self.end()])?);
                }
                if self.chars.next_if(|(_, char)| *char == ']').is_none() {
                    return Err("expected `]`".to_owned());
                }
            } else {
                return Ok(Token::Path(path));
            }
        }
    }
}

fn is_in_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Returns the step of a path that a text names.
fn step(text: &str) -> Result<Step, String> {
    if text.is_empty() {
        return Err("expected the name of a field or the index of an element".to_owned());
    }
    Ok(text.parse().map_or_else(|_| Step::from(text), Step::Index))
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [(Token, usize, usize)],
    depth: usize,
}

impl Parser<'_> {
    /// Takes the next token if it is this one.
    fn take(&mut self, token: &Token) -> bool {
        let found = self.tokens.split_first().filter(|((found, ..), _)| found == token);
        found.inspect(|(_, rest)| self.tokens = rest).is_some()
    }

    fn or(&mut self) -> Result<Node, String> {
        let mut left = self.and()?;
        while self.take(&Token::Or) {
            left = Node::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Node, String> {
        let mut left = self.comparison()?;
        while self.take(&Token::And) {
            left = Node::And(Box::new(left), Box::new(self.comparison()?));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Node, String> {
        let left = self.operand()?;
        let Some(((Token::Operator(operator), ..), rest)) = self.tokens.split_first() else { return Ok(left) };
        self.tokens = rest;
        let right = self.operand()?;
        if let [(Token::Operator(_), at, end), ..] = self.tokens {
            return Err(format!("comparisons cannot be chained: expected `&&` before `{}`", &self.text[*at..*end]));
        }
        Ok(Node::Compare(Box::new(left), *operator, Box::new(right)))
    }

    fn operand(&mut self) -> Result<Node, String> {
        let Some(((token, at, end), rest)) = self.tokens.split_first() else {
            return Err("expected a value, found the end".to_owned());
        };
        self.tokens = rest;
        match token {
            Token::Path(path) => Ok(Node::Path(path.clone())),
            Token::Literal(value) => Ok(Node::Literal(value.clone())),
            Token::Not => Ok(Node::Not(Box::new(self.nested(Self::operand)?))),
            Token::Open => {
                let inner = self.nested(Self::or)?;
                if self.take(&Token::Close) { Ok(inner) } else { Err("expected `)`".to_owned()) }
            }
            Token::Operator(_) | Token::And | Token::Or | Token::Close => {
                Err(format!("expected a value, found `{}`", &self.text[*at..*end]))
            }
        }
    }

    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Result<Node, String>) -> Result<Node, String> {
        if self.depth == MAX_DEPTH {
            return Err(format!("too deeply nested (limit: {MAX_DEPTH} levels)"));
        }
        self.depth += 1;
        let node = parse(self);
        self.depth -= 1;
        node
    }
}

#[cfg(test)]
mod tests {
    use super::super::Expression;

    #[test]
    fn invalid_expressions_are_rejected_with_what_was_expected() {
        let error = |text: &str| Expression::parse(text).expect_err("it is invalid");
        assert_eq!(error(""), "expected a value, found the end");
        assert_eq!(error("hp >"), "expected a value, found the end");
        assert_eq!(error("hp = 3"), "expected `==`, found `=`");
        assert_eq!(error("hp < 3 & x"), "expected `&&`, found `&`");
        assert_eq!(error("hp < 3 x"), "expected `&&`, `||` or the end, found `x`");
        assert_eq!(error("0 < hp < 3"), "comparisons cannot be chained: expected `&&` before `<`");
        assert_eq!(error("(hp < 3"), "expected `)`");
        assert_eq!(error("hp < 3)"), "expected `&&`, `||` or the end, found `)`");
        assert_eq!(error("&& hp"), "expected a value, found `&&`");
        assert_eq!(error("name == \"Ann"), "expected `\"` at the end of the text");
        assert_eq!(error("name == 'Ann'"), "unexpected character `'`");
        assert_eq!(error("hp < 3x"), "invalid number `3x`");
        assert_eq!(error("hp."), "expected the name of a field or the index of an element");
        assert_eq!(error("path[0"), "expected `]`");
        assert_eq!(error(&format!("{}true", "!".repeat(100))), "too deeply nested (limit: 64 levels)");
        assert_eq!(error(&"(".repeat(400)), "too deeply nested (limit: 64 levels)");
        assert_eq!(error(&"x".repeat(501)), "too long: 501 bytes (limit: 500)");
    }
}
