//! The functions of a source around its trees.

use std::collections::BTreeSet;

use proc_macro2::Delimiter;

use crate::lex::{Token, is_pair, range_of, tokens};

/// A function that contains a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    /// Where it ends in the file as it was read.
    pub(super) end: usize,
    /// The spaces before its line.
    indent: String,
    /// Whether it has the attribute `#[subtree]`.
    is_subtree: bool,
    /// The return type, if it is written.
    returns: Option<String>,
    has_generics: bool,
    place: Place,
    /// Whether it can be called in a tree without arguments, and is nothing but its tree.
    pub(super) is_plain: bool,
    /// The names of its parameters and variables.
    locals: BTreeSet<String>,
}

/// Where a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Module,
    Impl,
    Trait,
}

impl Function {
    /// Returns the innermost function around an index of a source.
    pub(super) fn around(source: &str, tokens: &[Token], at: usize) -> Option<Self> {
        Finder { source, at }.find(tokens, Place::Module)
    }

    /// Returns a new function after this one, for a tree whose nodes are a part of this function's tree. `context` is the text
    /// before the root of the tree.
    pub(super) fn next(&self, name: &str, nodes: &str, context: &str) -> Result<Self, String> {
        let context = context.strip_prefix("for ").and_then(|context| context.strip_suffix(':')).map(str::trim);
        let returns = match (&self.returns, context) {
            (Some(returns), _) if returns.starts_with("impl") && returns.contains("Node<") => returns.clone(),
            (_, Some(context)) if !context.contains(',') => format!("impl ::bt_core::Node<{context}>"),
            _ => {
                let help = "help: write the type before the root, `for Npc: selector { … }`";
                return Err(format!(
                    "the type of the context is not known: `{}` does not return `impl Node<…>`; {help}",
                    self.name
                ));
            }
        };
        if self.has_generics || self.place == Place::Trait {
            return Err(format!("`{}` is generic, or a method of a trait, on which its nodes may depend", self.name));
        }
        let next = Self {
            name: name.to_owned(),
            returns: Some(returns),
            is_plain: true,
            locals: BTreeSet::new(),
            ..self.clone()
        };
        self.check_leave(nodes, Some(&next))?;
        Ok(next)
    }

    /// Returns why nodes of its tree cannot be in another function: they use a variable that only this one has.
    pub(super) fn check_leave(&self, nodes: &str, to: Option<&Self>) -> Result<(), String> {
        let tokens = tokens(nodes).map_err(|_| "the nodes cannot be read".to_owned())?;
        let is_there = |name: &str| to.is_some_and(|to| to.locals.contains(name));
        let is_lost = |name: &&str| self.locals.contains(*name) && !is_there(name);
        match idents(&tokens, nodes).into_iter().find(is_lost) {
            Some(local) => Err(format!("the nodes use `{local}`, a variable of `{}`", self.name)),
            None => Ok(()),
        }
    }

    /// Returns the text before the content of its tree, in a new function.
    pub(super) fn opening(&self) -> String {
        let Self { name, indent, .. } = self;
        let returns = self.returns.as_deref().unwrap_or_default();
        let attribute = if self.is_subtree { format!("{indent}#[subtree]\n") } else { String::new() };
        format!("\n\n{attribute}{indent}fn {name}() -> {returns} {{\n{indent}    tree! {{")
    }

    /// Returns the text after the content of its tree.
    pub(super) fn closing(&self) -> String {
        format!("}}\n{}}}", self.indent)
    }

    /// Returns a call of it.
    pub(super) fn call(&self) -> String {
        let path = if self.place == Place::Impl { "Self::" } else { "" };
        format!("{path}{}()", self.name)
    }
}

/// Returns `true` if a source has a function of this name anywhere.
pub(super) fn has(source: &str, name: &str) -> bool {
    let tokens = tokens(source).unwrap_or_default();
    idents(&tokens, source).windows(2).any(|pair| pair == ["fn", name])
}

struct Finder<'s> {
    source: &'s str,
    at: usize,
}

impl Finder<'_> {
    fn find(&self, tokens: &[Token], place: Place) -> Option<Function> {
        let (index, group) = tokens.iter().enumerate().find(|(_, token)| token.range().contains(&self.at))?;
        let Token::Group { delimiter, inner, .. } = group else { return None };
        if *delimiter != Delimiter::Brace {
            return self.find(inner, place);
        }
        // An item begins behind the one before.
        let begin = tokens[..index].iter().rposition(|token| token.braces().is_some() || token.is(self.source, ";"));
        let head = &tokens[begin.map_or(0, |before| before + 1)..index];
        let has = |word: &str| head.iter().any(|token| token.is(self.source, word));
        let function = head.iter().position(|token| token.is(self.source, "fn"));
        let inside = match () {
            () if function.is_none() && has("impl") => Place::Impl,
            () if function.is_none() && has("trait") => Place::Trait,
            () if has("mod") => Place::Module,
            () => place,
        };
        self.find(inner, inside).or_else(|| self.function(head, function?, group, inner, place))
    }

    fn function(&self, head: &[Token], word: usize, body: &Token, inner: &[Token], place: Place) -> Option<Function> {
        let (source, signature) = (self.source, &head[word + 1..]);
        let name = source[signature.first()?.range()].to_owned();
        let is_parameters = |token: &Token| matches!(token, Token::Group { delimiter: Delimiter::Parenthesis, .. });
        let parameters = signature.iter().position(is_parameters)?;
        let arrow = (parameters..signature.len()).find(|index| is_pair(&signature[*index..], source, "-", ">"));
        let returns = arrow.and_then(|arrow| {
            let end = signature[arrow..].iter().position(|token| token.is(source, "where"));
            range_of(&signature[arrow + 2..end.map_or(signature.len(), |end| arrow + end)])
        });
        let Token::Group { inner: given, .. } = &signature[parameters] else { return None };
        let mut locals = BTreeSet::new();
        bound(given, source, ":", &mut locals);
        variables(inner, source, &mut locals);
        let range = body.range();
        let line = source[..range.end].rfind('\n').map_or(0, |end| end + 1);
        let first = source[..head.first()?.range().start].rfind('\n').map_or(0, |end| end + 1);
        let line = if source[line..range.end].trim() == "}" { line } else { first };
        let is_only_tree = matches!(inner, [path @ .., bang, Token::Group { .. }]
            if bang.is(source, "!") && path.last().is_some_and(|name| name.is(source, "tree"))
                && path.iter().all(|token| token.is(source, ":") || source[token.range()].starts_with(char::is_alphabetic)));
        Some(Function {
            name,
            end: range.end,
            indent: source[line..].chars().take_while(|sign| matches!(sign, ' ' | '\t')).collect(),
            is_subtree: head[..word].iter().any(|token| source[token.range()].starts_with("[subtree")),
            returns: returns.map(|range| source[range].to_owned()),
            has_generics: parameters > 1,
            place,
            is_plain: is_only_tree && given.is_empty() && parameters == 1,
            locals,
        })
    }
}

/// Collects the names before a sign, which are bound.
fn bound(tokens: &[Token], source: &str, sign: &str, names: &mut BTreeSet<String>) {
    for pair in tokens.windows(2) {
        if pair[1].is(source, sign)
            && source[pair[0].range()].starts_with(|first: char| first.is_alphabetic() || first == '_')
        {
            names.insert(source[pair[0].range()].to_owned());
        }
    }
    if tokens.iter().any(|token| token.is(source, "self")) {
        names.insert("self".to_owned());
    }
}

/// Collects the names that `let` and `for` bind.
fn variables(tokens: &[Token], source: &str, names: &mut BTreeSet<String>) {
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        index += 1;
        if let Token::Group { inner, .. } = token {
            // The variables of a tree are its own.
            let is_tree = index > 2 && tokens[index - 2].is(source, "!") && tokens[index - 3].is(source, "tree");
            if !is_tree {
                variables(inner, source, names);
            }
        } else if token.is(source, "let") || token.is(source, "for") {
            let end =
                tokens[index..].iter().position(|token| ["=", ";", ":", "in"].iter().any(|end| token.is(source, end)));
            let pattern = &tokens[index..end.map_or(tokens.len(), |end| index + end)];
            names.extend(
                idents(pattern, source)
                    .into_iter()
                    .filter(|name| !name.starts_with(char::is_uppercase))
                    .map(str::to_owned),
            );
        }
    }
}

/// Returns all names in tokens.
fn idents<'s>(tokens: &[Token], source: &'s str) -> Vec<&'s str> {
    let mut all = Vec::new();
    for token in tokens {
        match token {
            Token::Group { inner, .. } => all.extend(idents(inner, source)),
            Token::Leaf { range, .. } => all.push(&source[range.clone()]),
        }
    }
    all.retain(|text| {
        text.starts_with(|first: char| first.is_alphabetic() || first == '_') && !matches!(*text, "mut" | "ref")
    });
    all
}
