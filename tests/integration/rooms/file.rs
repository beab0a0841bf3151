//! What the code of a file says of others.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The names of a module, or of what is in it, from the root of the package on.
pub(super) type Names = Vec<String>;

/// What the code of a file says of others.
#[derive(Default)]
pub(super) struct File {
    /// What it exports: a name, and what that stands for.
    pub(super) exports: BTreeMap<String, Names>,
    /// The modules of which it exports all.
    pub(super) globs: Vec<Names>,
    /// What it imports, exports included: a name, and what that stands for.
    pub(super) imports: BTreeMap<String, Names>,
    /// What it imports for itself.
    pub(super) own: Vec<Names>,
    /// The paths in its code as written, each with its module: some modules in the file have no file.
    pub(super) paths: Vec<(Names, Names)>,
    /// The words of its code, among which are the names that it defines.
    pub(super) words: BTreeSet<String>,
}

impl File {
    /// Reads the code of a module.
    pub(super) fn read(code: &str, module: &Names) -> Self {
        let mut file = Self::default();
        file.add(code.parse().expect("it is Rust"), module);
        file
    }

    fn add(&mut self, code: TokenStream, module: &Names) {
        let tokens = Tokens(code.into_iter().collect());
        let mut at = 0;
        while let Some(token) = tokens.0.get(at) {
            let before = at.checked_sub(1);
            match token {
                TokenTree::Group(group) if tokens.is(before, '#') && group.to_string().contains("cfg (test)") => {
                    // What is only in tests ends with its braces, or without any.
                    let ends = |at: &usize| tokens.is(Some(*at), ';') || tokens.group(*at, Delimiter::Brace).is_some();
                    at = (at..tokens.0.len()).find(ends).unwrap_or(tokens.0.len());
                }
                // `pub(in path)` uses nothing.
                TokenTree::Group(_) if before.and_then(|at| tokens.word(at)).as_deref() == Some("pub") => {}
                TokenTree::Group(group) => self.add(group.stream(), module),
                TokenTree::Ident(word) if word == "use" && !tokens.is(Some(at + 1), '<') => {
                    let end = (at..tokens.0.len()).find(|end| tokens.is(Some(*end), ';')).unwrap_or(tokens.0.len());
                    let is_pub = |before: usize| tokens.word(before).as_deref() == Some("pub");
                    let is_export = (1..=2).filter_map(|back| at.checked_sub(back)).any(is_pub);
                    for (path, name) in imports(&tokens.0[at + 1..end], &[]) {
                        let path = rooted(&path, module).unwrap_or_else(|| [&module[..], &path].concat());
                        self.import(path, name, is_export);
                    }
                    at = end;
                }
                TokenTree::Ident(word) if word == "mod" && tokens.group(at + 2, Delimiter::Brace).is_some() => {
                    let inside: Names = module.iter().cloned().chain(tokens.word(at + 1)).collect();
                    self.add(tokens.group(at + 2, Delimiter::Brace).unwrap_or_default(), &inside);
                    at += 2;
                }
                TokenTree::Ident(_) => at = self.path(&tokens, at, module),
                // Attributes of other packages name functions in texts.
                TokenTree::Literal(text) => {
                    let text = text.to_string();
                    let path: Names = text.trim_matches('"').split("::").map(str::to_owned).collect();
                    if text.starts_with('"') && path.len() > 1 && rooted(&path, module).is_some() {
                        self.paths.push((path, module.clone()));
                    }
                }
                TokenTree::Punct(_) => {}
            }
            at += 1;
        }
    }

    /// Reads a path in code. Returns where its last word is.
    fn path(&mut self, tokens: &Tokens, first: usize, module: &Names) -> usize {
        let before = first.checked_sub(1);
        let mut path: Names = tokens.word(first).into_iter().collect();
        let mut at = first;
        while tokens.is_path(at + 1)
            && let Some(next) = tokens.word(at + 3)
        {
            path.push(next);
            at += 3;
        }
        self.words.extend(path.first().cloned());
        // What follows a value, a path or `fn` is in what that is.
        let is_member = tokens.is(before, '.') && !tokens.is(first.checked_sub(2), '.');
        let is_named = before.and_then(|at| tokens.word(at)).as_deref() == Some("fn");
        let is_inner = is_member || is_named || first > 1 && tokens.is_path(first - 2);
        // What an exported macro names in the package of a user is no use.
        let is_of_user = path.starts_with(&["crate".to_owned(), "__private".to_owned()]);
        let is_called = tokens.group(at + 1, Delimiter::Parenthesis).is_some();
        let is_name = path.len() > 1 || is_called || tokens.is_path(at + 1) || path[0].starts_with(char::is_uppercase);
        if is_name && !is_inner && !is_of_user {
            self.paths.push((path, module.clone()));
        }
        at
    }

    fn import(&mut self, path: Names, name: String, is_export: bool) {
        match (is_export, &*name) {
            (true, "*") => self.globs.push(path.clone()),
            (true, _) => drop(self.exports.insert(name.clone(), path.clone())),
            (false, _) => self.own.push(path.clone()),
        }
        self.imports.insert(name, path);
    }
}

struct Tokens(Vec<TokenTree>);

impl Tokens {
    fn word(&self, at: usize) -> Option<String> {
        if let TokenTree::Ident(word) = self.0.get(at)? { Some(word.to_string()) } else { None }
    }

    fn group(&self, at: usize, delimiter: Delimiter) -> Option<TokenStream> {
        let Some(TokenTree::Group(group)) = self.0.get(at) else { return None };
        (group.delimiter() == delimiter).then(|| group.stream())
    }

    fn is(&self, at: Option<usize>, sign: char) -> bool {
        let token = at.and_then(|at| self.0.get(at));
        matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
    }

    /// Returns `true` if `::` is here.
    fn is_path(&self, at: usize) -> bool {
        self.is(Some(at), ':') && self.is(Some(at + 1), ':')
    }
}

/// A path from the root of the package on, if it says where it begins.
pub(super) fn rooted(path: &[String], module: &Names) -> Option<Names> {
    let supers = path.iter().take_while(|name| *name == "super").count();
    let base = match &*path[0] {
        "crate" => &[],
        "self" | "super" => &module[..module.len().saturating_sub(supers)],
        _ => return None,
    };
    Some([base, &path[supers.max(1)..]].concat())
}

/// The paths of a `use`, each with the name that stands for it.
fn imports(tree: &[TokenTree], before: &[String]) -> Vec<(Names, String)> {
    let (mut path, mut name) = (before.to_vec(), None);
    for (at, token) in tree.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "as" => {
                name = tree.get(at + 1).map(ToString::to_string);
                break;
            }
            TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Punct(sign) if sign.as_char() == '*' => name = Some("*".to_owned()),
            TokenTree::Group(group) => {
                let inside: Vec<_> = group.stream().into_iter().collect();
                let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',');
                return inside
                    .split(is_comma)
                    .filter(|part| !part.is_empty())
                    .flat_map(|part| imports(part, &path))
                    .collect();
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
    vec![(path, name)]
}
