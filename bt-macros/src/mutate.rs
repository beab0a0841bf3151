//! Broken inputs for tests: half-typed code, and the groups that macros pass on.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Returns every text made from a valid one by removing, doubling or swapping tokens at any depth.
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

/// Returns every text made by putting tokens at any depth into a group without delimiters, as `macro_rules!` does.
pub(crate) fn grouped(tokens: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut all = Vec::new();
    for index in 0..trees.len() {
        let with = |end: usize, delimiter, inner| -> TokenStream {
            [&trees[..index], &[Group::new(delimiter, inner).into()], &trees[end..]].concat().into_iter().collect()
        };
        for end in (index + 1..=trees.len()).filter(|end| end - index <= MAX_GROUPED || *end == trees.len()) {
            all.push(with(end, Delimiter::None, trees[index..end].iter().cloned().collect()));
        }
        if let TokenTree::Group(group) = &trees[index] {
            all.extend(grouped(&group.stream()).into_iter().map(|inner| with(index + 1, group.delimiter(), inner)));
        }
    }
    all
}

/// The largest number of tokens in such a group, unless the group extends to the end.
const MAX_GROUPED: usize = 4;

/// Random changes of texts, the same in each run of the tests.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % end.max(1)
    }

    /// Returns the text after one change at any depth. `others` are tokens that may be inserted.
    pub(crate) fn change(&mut self, text: TokenStream, others: &[TokenTree]) -> TokenStream {
        const DELIMITERS: [Delimiter; 5] =
            [Delimiter::None, Delimiter::None, Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket];
        let mut trees: Vec<TokenTree> = text.into_iter().collect();
        let at = self.below(trees.len());
        match trees.get(at).cloned() {
            Some(TokenTree::Group(group)) if self.below(4) > 0 => {
                let inner = self.change(group.stream(), others);
                trees[at] = Group::new(group.delimiter(), inner).into();
            }
            Some(TokenTree::Group(group)) if self.below(3) == 0 => {
                trees.splice(at..=at, group.stream());
            }
            Some(token) => match self.below(6) {
                0 => drop(trees.remove(at)),
                1 => trees.insert(at, token),
                2 => {
                    let next = (at + 1) % trees.len();
                    trees.swap(at, next);
                }
                3 => trees[at] = others[self.below(others.len())].clone(),
                4 => trees.insert(at, others[self.below(others.len())].clone()),
                _ => {
                    let end = at + 1 + self.below((trees.len() - at).min(8));
                    let inner = trees[at..end].iter().cloned().collect();
                    trees.splice(at..end, [Group::new(DELIMITERS[self.below(DELIMITERS.len())], inner).into()]);
                }
            },
            None => trees.push(others[self.below(others.len())].clone()),
        }
        trees.into_iter().collect()
    }
}

/// Returns all tokens in a text, at any depth.
pub(crate) fn all_tokens(text: TokenStream) -> Vec<TokenTree> {
    let all = text.into_iter().flat_map(|token| {
        let inner = if let TokenTree::Group(group) = &token { all_tokens(group.stream()) } else { Vec::new() };
        [vec![token], inner].concat()
    });
    all.collect()
}

type Macro = fn(TokenStream) -> TokenStream;

/// Attributes on unsuitable items, or half typed, expand to errors and never panic.
#[test]
fn no_macro_panics_on_broken_input() {
    use crate::function::Form;
    use crate::lifecycle::{COMPOSITE, DECORATOR, LEAF};
    use bt_syntax::errors::Errors;

    let action = "/// d
        #[cfg(x)] pub fn near<'a, C: T + 'a, const N: usize>(ctx: &mut Ctx<'_>, #[param(default = 5.0, unit = \"m\")] r: f32, \
        #[open(*n)] n: &mut u32, #[input] p: Option<&str>, #[output] o: &mut Option<P>, s: &str) -> Status where C: U { body(ctx) }";
    let subtree =
        "pub fn f<C>(kinds: &'static [K], (a, b): (u8, u8)) -> impl Node<Ctx<'_>> + Save { let x = 1; tree! { a } }";
    let leaf = "#[cfg(x)] impl<'a, C: T> Leaf<C> for Talk<'a> where C: U { type Open = u8; const RETURNS: X = Y; fn tick(&self) {} }";
    let board = "struct M<T> where T: U { /// d
        #[board(default = 3)] pub a: u8, b: Option<T>, #[board(skip)] c: () }";
    let macros: [(Macro, &str); 7] = [
        (|item| crate::function::function(Form::Action, TokenStream::new(), item, &mut Errors::default()), action),
        (|item| crate::function::function(Form::Condition, TokenStream::new(), item, &mut Errors::default()), action),
        (|item| crate::subtree::subtree(TokenStream::new(), item, &mut Errors::default()), subtree),
        (|item| crate::lifecycle::split(&LEAF, TokenStream::new(), item, &mut Errors::default()), leaf),
        (|item| crate::lifecycle::split(&DECORATOR, TokenStream::new(), item, &mut Errors::default()), leaf),
        (|item| crate::lifecycle::split(&COMPOSITE, TokenStream::new(), item, &mut Errors::default()), leaf),
        (|item| crate::blackboard::blackboard(item).1, board),
    ];
    let mut tried = 0;
    for (expand, valid) in macros {
        let valid: TokenStream = valid.parse().expect("the text is tokens");
        for text in broken(&valid).into_iter().chain(grouped(&valid)).chain([valid.clone(), TokenStream::new()]) {
            // Only a panic fails the test.
            let _ = expand(text);
            tried += 1;
        }
    }
    assert!(tried > 2000, "{tried}");
}
