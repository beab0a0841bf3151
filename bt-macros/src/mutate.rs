//! Broken inputs for tests: what a person leaves behind in the middle of typing.

use proc_macro2::{Group, TokenStream, TokenTree};

/// Every text that comes of a valid one by leaving out, doubling or swapping tokens at any depth.
pub(crate) fn broken(tokens: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut all = Vec::new();
    for index in 0..trees.len() {
        let with = |replaced: &[TokenTree]| -> TokenStream {
            let (before, after) = (&trees[..index], &trees[(index + replaced.len().max(1)).min(trees.len())..]);
            [before, replaced, after].concat().into_iter().collect()
        };
        all.push(with(&[]));
        all.push([&trees[..index], &trees[index..=index], &trees[index..]].concat().into_iter().collect());
        if index + 1 < trees.len() {
            all.push(with(&[trees[index + 1].clone(), trees[index].clone()]));
        }
        if let TokenTree::Group(group) = &trees[index] {
            for inner in broken(&group.stream()) {
                all.push(with(&[Group::new(group.delimiter(), inner).into()]));
            }
        }
    }
    all
}

type Macro = fn(TokenStream) -> TokenStream;

/// Attributes on what they do not fit, or half typed, give errors and never panic.
#[test]
fn no_macro_panics_on_broken_input() {
    use crate::function::Form;
    use crate::lifecycle::{DECORATOR, LEAF};

    let action = "/// d
        #[cfg(x)] pub fn near<'a, C: T + 'a, const N: usize>(ctx: &mut Ctx<'_>, #[param(default = 5.0, unit = \"m\")] r: f32, \
        #[open(*n)] n: &mut u32, #[input] p: P, s: &str) -> Status where C: U { body(ctx) }";
    let subtree =
        "pub fn f<C>(kinds: &'static [K], (a, b): (u8, u8)) -> impl Node<Ctx<'_>> + Save { let x = 1; tree! { a } }";
    let leaf = "#[cfg(x)] impl<'a, C: T> Leaf<C> for Talk<'a> where C: U { type Open = u8; const CAN: X = Y; fn tick(&self) {} }";
    let board = "struct M<T> where T: U { /// d
        #[board(default = 3)] pub a: u8, b: Option<T>, #[board(skip)] c: () }";
    let macros: [(Macro, &str); 6] = [
        (|item| crate::function::function(Form::Action, TokenStream::new(), item), action),
        (|item| crate::function::function(Form::Condition, TokenStream::new(), item), action),
        (|item| crate::subtree::subtree(TokenStream::new(), item), subtree),
        (|item| crate::lifecycle::split(&LEAF, TokenStream::new(), item), leaf),
        (|item| crate::lifecycle::split(&DECORATOR, TokenStream::new(), item), leaf),
        (crate::blackboard::blackboard, board),
    ];
    let mut tried = 0;
    for (expand, valid) in macros {
        let valid: TokenStream = valid.parse().expect("the text is tokens");
        for text in broken(&valid).into_iter().chain([valid.clone(), TokenStream::new()]) {
            // Whatever comes out, none of what went in may make the macro panic.
            let _ = expand(text);
            tried += 1;
        }
    }
    assert!(tried > 800, "{tried}");
}
