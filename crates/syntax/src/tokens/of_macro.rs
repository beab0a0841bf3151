//! The tokens of a macro.

use proc_macro2::{Spacing, TokenStream, TokenTree};

use super::list::{Kind, Token, Tokens, index};
use crate::text::delimiters;

impl From<TokenStream> for Tokens {
    fn from(stream: TokenStream) -> Self {
        let mut tokens = Self { text: String::new(), list: Vec::new(), of_macro: Vec::new(), lines: Vec::new() };
        tokens.extend(stream);
        tokens
    }
}

impl Tokens {
    fn extend(&mut self, stream: TokenStream) {
        for tree in stream {
            match &tree {
                TokenTree::Group(group) => {
                    let (delimiter, inner) = (group.delimiter(), group.stream());
                    let (opening, closing) = delimiters(delimiter);
                    let open = self.push(Kind::Open(delimiter), opening, tree.clone());
                    self.extend(inner);
                    let close = self.push(Kind::Close(delimiter), closing, tree);
                    self.list[open].other = index(close);
                    self.list[close].other = index(open);
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    self.push(Kind::Word, &word, tree);
                }
                TokenTree::Literal(literal) => {
                    let literal = literal.to_string();
                    self.push(Kind::Literal, &literal, tree);
                }
                TokenTree::Punct(sign) => {
                    let (sign, joint) = (sign.as_char(), sign.spacing() == Spacing::Joint);
                    self.push(Kind::Sign { joint }, sign.encode_utf8(&mut [0; 4]), tree);
                }
            }
        }
    }

    /// Adds a token. Returns its index.
    fn push(&mut self, kind: Kind, text: &str, tree: TokenTree) -> usize {
        let start = index(self.text.len());
        self.text.push_str(text);
        self.list.push(Token { kind, start, end: index(self.text.len()), other: 0 });
        self.of_macro.push(tree);
        self.list.len() - 1
    }
}
