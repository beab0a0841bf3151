//! Formats tokens as a person would write them, for descriptions and messages. (The compiler passes only tokens, without spaces.)

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::{Expr, ExprCall, ExprLit, Lit};

/// Returns the name of a leaf that has no name of its own: the last word of a path, or the text of other Rust.
pub fn name(tokens: &TokenStream) -> String {
    let mut all = tokens.clone().into_iter();
    if let (Some(TokenTree::Ident(word)), None) = (all.next(), all.next()) {
        return word.unraw().to_string();
    }
    match syn::parse2::<syn::Path>(tokens.clone()) {
        Ok(path) => path.segments.last().map(|segment| segment.ident.unraw().to_string()).unwrap_or_default(),
        Err(_) => written(tokens.clone()),
    }
}

/// Returns a score as shown in descriptions: a variable as in a file.
pub fn score(score: &TokenStream) -> String {
    let name = match syn::parse2(score.clone()) {
        Ok(Expr::Call(ExprCall { func, args, .. })) => match (&*func, args.first()) {
            (Expr::Path(path), Some(Expr::Lit(ExprLit { lit: Lit::Str(name), .. }))) if args.len() == 1 => {
                let last = path.path.segments.last().is_some_and(|last| last.ident == "variable");
                last.then(|| name.value())
            }
            _ => None,
        },
        _ => None,
    };
    name.map_or_else(|| written(score.clone()), |name| format!("{{{name}}}"))
}

/// Returns the signs around a group.
pub(crate) const fn delimiters(of: Delimiter) -> (&'static str, &'static str) {
    match of {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    }
}

/// Returns tokens as text, with the usual spaces.
pub fn written(tokens: TokenStream) -> String {
    let mut text = String::new();
    let mut before = Before::Start;
    let (mut bars, mut angles) = (0, 0);
    for token in operators(tokens) {
        let (word, this) = match token {
            Token::Word(word) => (word, Before::Word),
            Token::Group(open, inner, close) => {
                let pad = if open == "{" && !inner.is_empty() { " " } else { "" };
                (format!("{open}{pad}{inner}{pad}{close}"), if open == "{" { Before::Block } else { Before::Word })
            }
            Token::Operator(operator) => {
                bars += usize::from(operator == "|");
                let opens = operator == "<" && (matches!(before, Before::Tight) || is_type(&text));
                angles += usize::from(opens);
                let this = match operator.as_str() {
                    "." | "::" | ".." => Before::Tight,
                    "<" if opens => Before::Tight,
                    ">" if angles > 0 => {
                        angles -= 1;
                        Before::Type
                    }
                    "," | ";" | ":" | "?" => Before::Close,
                    "|" if bars == 1 => Before::Prefix,
                    "|" if bars == 2 => Before::Close,
                    "#" => Before::Prefix,
                    "&" | "*" | "-" | "!" if !matches!(before, Before::Word) => Before::Prefix,
                    _ => Before::Operator,
                };
                (operator, this)
            }
        };
        let tight_group = matches!(word.chars().next(), Some('(' | '['));
        let glued = match (before, this) {
            (Before::Start | Before::Tight | Before::Prefix, _) | (_, Before::Tight | Before::Close | Before::Type) => {
                true
            }
            (Before::Word | Before::Type, Before::Word) => tight_group,
            _ => false,
        };
        // Outside generics, `<<` and `>>` are shifts.
        let shifts = angles == 0 && matches!(before, Before::Operator) && (text.ends_with('<') || text.ends_with('>'));
        let glued = glued || (shifts && word.chars().next().is_some_and(|sign| text.ends_with(sign)));
        if !glued {
            text.push(' ');
        }
        text += &word;
        before = this;
    }
    text
}

/// Returns `true` if the text seems to end with a type, so that a `<` after it is not a comparison.
fn is_type(text: &str) -> bool {
    let word = text.rsplit(|sign: char| !sign.is_alphanumeric() && sign != '_').next();
    word.is_some_and(|word| word.starts_with(char::is_uppercase))
}

/// The end of the text so far.
#[derive(Clone, Copy)]
enum Before {
    Start,
    /// A name, a literal, something in parentheses.
    Word,
    /// Something in braces.
    Block,
    /// No space before or after: `.`, `::`.
    Tight,
    /// The end of generic arguments.
    Type,
    /// No space before: `,`, `:`.
    Close,
    /// No space after: `&`, `!`.
    Prefix,
    /// An operator between spaces.
    Operator,
}

enum Token {
    Word(String),
    Group(&'static str, String, &'static str),
    Operator(String),
}

/// Operators of several characters. (`>>` is missing since it may close two lists of generics.)
const OPERATORS: [&str; 16] =
    ["::", ":=", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "..", "..=", "+=", "-=", "*=", "/="];

/// Joins the characters of operators, and lifetimes with their apostrophe.
fn operators(tokens: TokenStream) -> Vec<Token> {
    let mut operators = Vec::new();
    let mut joint = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                joint.push(punct.as_char());
                if !OPERATORS.iter().any(|operator| joint == *operator) && joint.len() > 1 {
                    let last = joint.pop();
                    operators.push(Token::Operator(std::mem::replace(&mut joint, last.into_iter().collect())));
                }
                if punct.spacing() == Spacing::Alone {
                    operators.push(Token::Operator(std::mem::take(&mut joint)));
                }
            }
            TokenTree::Group(group) => {
                let (open, close) = delimiters(group.delimiter());
                operators.push(Token::Group(open, written(group.stream()), close));
            }
            word => operators.push(Token::Word(format!("{}{word}", std::mem::take(&mut joint)))),
        }
    }
    operators
}

#[cfg(test)]
mod tests {
    #[test]
    fn leaves_are_written_as_a_person_would() {
        for text in [
            "|npc: &Npc| npc.hunger > 3 && !npc.asleep",
            "move |ctx: &mut Ctx<'_>| { ctx.world[0].say(\"a\", -1); true }",
            "(if deep { a::b(1) } else { c })",
            "guard.tree",
            "|| fail()",
            "|a: &Vec<Option<u8>>| a.len() < LIMIT",
            "|a: &u8| -> bool { *a == 1 }",
            "|a: &mut u8| { *a >> 2 == 9 && *a << 3 > 4 }",
            "|a: &Vec<Vec<u8>>| a.len() > 1",
            "|a: &mut u8| { *a >>= 2; *a <<= 1 }",
        ] {
            let tokens: proc_macro2::TokenStream = text.parse().expect("the text is Rust");
            assert_eq!(super::written(tokens), text);
        }
    }

    #[test]
    fn a_path_is_named_by_its_last_word() {
        let name = |text: &str| super::name(&text.parse().expect("the text is Rust"));
        assert_eq!(name("self::deep::leaf::<u8>"), "leaf");
        assert_eq!(name("any_around(3, 4.5)"), "any_around(3, 4.5)");
    }
}
