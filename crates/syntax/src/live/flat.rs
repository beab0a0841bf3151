//! Tokens as text that does not depend on spaces and comments: equal in the compiler and at run time.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use crate::text::delimiters;

/// Returns tokens as text, with spaces only where the text would be ambiguous without them. Groups without delimiters, which the
/// compiler makes of fragments, do not show.
pub fn flat(tokens: TokenStream) -> String {
    let mut text = String::new();
    add(tokens, &mut text);
    text
}

/// Returns the input of a `tree!` as text, without the type of its context: `#[subtree]` adds it.
pub fn text(tokens: TokenStream) -> String {
    flat(body(tokens))
}

/// Returns the input of a `tree!` without the type of its context.
pub fn body(tokens: TokenStream) -> TokenStream {
    let mut rest = tokens.clone().into_iter().peekable();
    if !matches!(rest.next(), Some(TokenTree::Ident(word)) if word == "for") {
        return tokens;
    }
    while let Some(token) = rest.next() {
        if is(&token, ':') {
            // The second of two colons.
            if rest.next_if(|next| is(next, ':')).is_none() {
                return rest.collect();
            }
        }
    }
    tokens
}

pub(super) fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// Words after which parentheses are no arguments.
const BEFORE_EXPRESSIONS: [&str; 9] = ["return", "break", "in", "match", "if", "while", "else", "move", "as"];

fn add(tokens: TokenStream, text: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    let mut after_name = false;
    while let Some(token) = tokens.next() {
        let is_name = matches!(&token, TokenTree::Ident(word) if BEFORE_EXPRESSIONS.iter().all(|other| word != other));
        match token {
            TokenTree::Group(group) => {
                let (open, close) = delimiters(group.delimiter());
                text.push_str(open);
                add(without_last_comma(&group, after_name), text);
                text.push_str(close);
            }
            // A comment of documentation has another text in the compiler.
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                let has_bang = tokens.next_if(|next| is(next, '!')).is_some();
                if tokens.next_if(is_documentation).is_none() {
                    // `a#` begins a literal.
                    word_of(if has_bang { "#!" } else { "#" }, text);
                }
            }
            TokenTree::Punct(sign) if sign.as_char() == '\'' => {
                let name = tokens.next().map(|name| name.to_string()).unwrap_or_default();
                word_of(&format!("'{name}"), text);
            }
            TokenTree::Punct(sign) => {
                text.push(sign.as_char());
                // `a & &b` is not `a && b`, `a < <T>::b` not `a << T`, and `a / *b` is no comment.
                let is_split = tokens.peek().is_some_and(|next| match sign.as_char() {
                    one @ ('&' | '<') => sign.spacing() == Spacing::Alone && is(next, one),
                    '/' => is(next, '*') || is(next, '/'),
                    _ => false,
                });
                if is_split {
                    text.push(' ');
                }
            }
            word @ (TokenTree::Ident(_) | TokenTree::Literal(_)) => word_of(&word.to_string(), text),
        }
        after_name = is_name;
    }
}

/// Returns the tokens in a group. A comma at the end, which formatting adds, is left out unless it makes a tuple.
fn without_last_comma(group: &Group, after_name: bool) -> TokenStream {
    let mut tokens: Vec<_> = group.stream().into_iter().collect();
    let ends = tokens.last().is_some_and(|last| is(last, ','));
    let is_list = match group.delimiter() {
        Delimiter::Brace | Delimiter::Bracket => true,
        Delimiter::Parenthesis => after_name || tokens.iter().filter(|token| is(token, ',')).count() > 1,
        Delimiter::None => false,
    };
    tokens.truncate(tokens.len() - usize::from(ends && is_list));
    tokens.into_iter().collect()
}

/// Adds a word, or a literal, which may have a sign.
fn word_of(word: &str, text: &mut String) {
    let ends_in_word = text.ends_with(|last: char| last.is_alphanumeric() || "_\"'".contains(last));
    if ends_in_word && !word.starts_with('-') {
        text.push(' ');
    }
    text.push_str(word);
}

fn is_documentation(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let mut tokens = group.stream().into_iter();
    group.delimiter() == Delimiter::Bracket
        && matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "doc")
        && tokens.next().is_some_and(|token| is(&token, '='))
        && matches!(tokens.next(), Some(TokenTree::Literal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().expect(text)
    }

    #[test]
    fn the_text_does_not_depend_on_spaces_and_comments() {
        for (one, other) in [
            ("selector { a, b(1, \"x\") }", "selector{a,b( 1,/* c */\n\"x\" )} // d"),
            ("|npc: &mut Npc| -> bool { npc.x >= 3 }", "|npc:&mut Npc|->bool{npc . x>=3}"),
            ("f::<Vec<Vec<u8>>>(&'a mut x)", "f :: < Vec < Vec < u8 > > > ( & 'a mut x )"),
            ("x < -1", "x<-1"),
            ("selector { f(a, (b, c)), [d, e] }", "selector { f(a, (b, c,),), [d, e,], }"),
            ("f(a)", "f(a,)"),
            ("{ /** a */ x }", "{ /// b \n x }"),
        ] {
            assert_eq!(flat(tokens(one)), flat(tokens(other)));
        }
        assert_eq!(flat(tokens("break 'a 'b' return x")), "break 'a 'b' return x");
        assert_ne!(flat(tokens("a & &b")), flat(tokens("a && b")));
        assert_ne!(flat(tokens("f((a,))")), flat(tokens("f((a))")));
        assert_eq!(flat(tokens("x.0.1")), "x.0.1");
    }

    #[test]
    fn groups_of_fragments_do_not_show() {
        let group = proc_macro2::Group::new(Delimiter::None, tokens("1 + 2"));
        assert_eq!(flat(quote::quote!(a(#group))), "a(1+2)");
    }

    #[test]
    fn the_context_of_a_tree_does_not_show() {
        for header in ["", "for Npc:", "for a::B<'_>:", "for<'a, 'b> Ctx<'a, dyn F(x: u8), 'b>:", "for Npc, __saved:"] {
            assert_eq!(text(tokens(&format!("{header} selector {{ a }}"))), "selector{a}", "{header}");
        }
        assert_eq!(text(tokens("for Npc")), "for Npc");
    }
}
