//! A `tree!` of the program: its text, the edited text, and the outcome of the edit.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bt_behavior3::{Diagnostic, NodeNames, OwnNode, Place, is_file_name};
use bt_core::engine::{count_edit, is_identifier};
use bt_syntax::live::{Found, Source, Use, Warning, flat, read};

use super::list::{About, Written};

/// A `tree!` of the program. All trees that it evaluates to follow its text.
pub struct Site {
    /// The source file, as the compiler names it.
    pub file: &'static str,
    /// Where the macro begins.
    pub line: u32,
    /// The folder of the package's `Cargo.toml`.
    pub folder: Option<&'static str>,
    /// The text of the tree, without comments. Lines and columns are those of the source.
    source: &'static str,
    /// Where the text begins: line and column.
    pub start: (u32, u32),
    text: OnceLock<String>,
    /// What cannot change: the parts that were compiled.
    parts: OnceLock<Vec<Compiled>>,
    compiled: OnceLock<Result<Arc<Source>, Vec<Diagnostic>>>,
    edited: Mutex<Edited>,
    /// The errors of an edit that the trees do not follow.
    errors: Mutex<Vec<Diagnostic>>,
    /// Whether a tree was evaluated.
    has_begun: OnceLock<()>,
}

/// A part that was compiled.
struct Compiled {
    written: &'static Written,
    /// What it is as a node; `None` for a function.
    own: Option<OwnNode>,
    /// Whether it is a leaf of `bt-core`, which loaded trees have as a word.
    is_word: bool,
}

/// The text that a tree was edited to.
#[derive(Default)]
struct Edited {
    /// The number of the edit; 0 for the tree as compiled.
    number: u32,
    source: Option<Arc<Source>>,
    /// Called once with the outcome of the edit.
    report: Option<Report>,
}

/// A function that receives the outcome of an edit.
pub type Report = Box<dyn FnOnce(Result<Adopted, Vec<Diagnostic>>) + Send>;

/// An edit that a running tree follows.
#[derive(Debug)]
#[non_exhaustive]
pub struct Adopted {
    /// The mistakes in the new tree that do not prevent the edit.
    pub warnings: Vec<Diagnostic>,
}

impl Site {
    /// Creates the site of a macro. Expansions call it.
    pub const fn new(
        file: &'static str,
        line: u32,
        folder: Option<&'static str>,
        source: &'static str,
        start: (u32, u32),
    ) -> Self {
        let edited = Mutex::new(Edited { number: 0, source: None, report: None });
        Self {
            file,
            line,
            folder,
            source,
            start,
            text: OnceLock::new(),
            parts: OnceLock::new(),
            compiled: OnceLock::new(),
            edited,
            errors: Mutex::new(Vec::new()),
            has_begun: OnceLock::new(),
        }
    }

    /// Calls a function the first time.
    #[inline]
    pub fn begin(&'static self, watch: impl FnOnce(&'static Self)) {
        if self.has_begun.get().is_none() && self.has_begun.set(()).is_ok() {
            watch(self);
        }
    }

    /// Returns whether a tree of this macro exists or has existed, so that its parts are known.
    pub fn is_built(&self) -> bool {
        self.parts.get().is_some()
    }

    /// Returns a number that no other macro has.
    pub fn id(&'static self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Returns the text of the tree without spaces, as it was compiled.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| self.source.parse().map_or_else(|_| self.source.to_owned(), flat))
    }

    /// Replaces the source of all trees of this macro. They follow in their next tick; the first that does calls `report`.
    pub fn edit(&self, source: Source, report: Report) {
        let mut edited = self.edited();
        edited.number += 1;
        edited.source = Some(Arc::new(source));
        edited.report = Some(report);
        drop(edited);
        count_edit();
    }

    /// Replaces the leaves of `bt-core` in a source by words, unless the program has other leaves of their names.
    #[must_use]
    pub fn with_words(&self, source: Source) -> Source {
        let is_own = |used: &Use| {
            let mut parts = self.parts.get().into_iter().flatten();
            parts.any(|part| !part.is_word && part.written.is(used))
        };
        source.with_words(is_own)
    }

    /// Returns what the source names and the program does not have.
    pub fn missing(&self, source: &Source) -> Vec<Diagnostic> {
        let Some(parts) = self.parts.get() else { return Vec::new() };
        let has = |used: &Use| parts.iter().any(|part| part.written.is(used));
        let missing = source.uses.iter().filter(|used| !has(used));
        missing.map(|used| Diagnostic::at(used.place, waits(used))).collect()
    }

    /// Checks a source in which nothing is [missing](Self::missing). Returns the warnings. Whether its literals have values is checked only by a tree that
    /// follows the source.
    ///
    /// # Errors
    ///
    /// Returns all errors that can be determined.
    pub fn check(&self, source: &Source) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let parts = self.parts.get().map_or(&[][..], Vec::as_slice);
        let of = |used: &Use| parts.iter().find(|part| part.written.is(used)).map(|part| part.own);
        let nodes = source.uses.iter().filter_map(|used| Some((used.name.as_str(), of(used)??)));
        let values = source.uses.iter().filter(|used| of(used) == Some(None)).map(|used| used.name.as_str());
        let checked = source.project.check(None, &NodeNames::new(nodes).with_values(values))?;
        Ok(warnings(source, &checked.warnings))
    }

    /// Returns the nodes of the user that can be used again in the trees of this macro: the name of each, its text as it was compiled, and what it is.
    pub fn offered(&self) -> Vec<(&'static str, String, OwnNode)> {
        let offered = |part: &Compiled| {
            let name = part.written.key.split('(').next()?;
            let is_path = name.split("::").all(is_identifier) && !is_file_name(name);
            (is_path && !part.written.is_island).then_some((name, part.written.text(), part.own?))
        };
        self.parts.get().into_iter().flatten().filter_map(offered).collect()
    }

    /// Stores the parts that were compiled.
    pub(super) fn compiled_as(&self, parts: impl Iterator<Item = About>) {
        let compiled =
            |About { written, own, type_name, .. }| Compiled { written, own, is_word: type_name.starts_with(READY) };
        self.parts.get_or_init(|| parts.map(compiled).collect());
    }

    /// Returns the source as it was compiled.
    ///
    /// # Errors
    ///
    /// Returns errors if the text is not a tree.
    pub fn compiled(&self) -> Result<Arc<Source>, Vec<Diagnostic>> {
        let read = || {
            let (line, column) = self.start;
            let found = Found {
                source: self.source.to_owned(),
                flat: self.text().to_owned(),
                place: Place { line: self.line, column: 1 },
                start: Place { line, column },
                root: Place { line, column },
                path: String::new(),
                ordinal: 0,
                is_in_macro: false,
            };
            let source = read(&found)?;
            Ok(Arc::new(self.with_words(source)))
        };
        self.compiled.get_or_init(read).clone()
    }

    /// Returns the present source and its number.
    pub(super) fn present(&self) -> (u32, Option<Arc<Source>>) {
        let edited = self.edited();
        (edited.number, edited.source.clone())
    }

    /// Shows the errors of a rejected edit in the descriptions of the trees, in place of earlier errors.
    pub fn show(&self, errors: Vec<Diagnostic>) {
        *self.errors.lock().unwrap_or_else(PoisonError::into_inner) = errors;
        // Observers describe their trees again.
        count_edit();
    }

    /// Returns the errors of an edit that the trees do not follow.
    pub fn errors(&self) -> Vec<Diagnostic> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reports the outcome of an edit, once.
    pub(super) fn report(&self, number: u32, outcome: Result<Adopted, Vec<Diagnostic>>) {
        let mut edited = self.edited();
        let report = if edited.number == number { edited.report.take() } else { None };
        drop(edited);
        if let Some(report) = report {
            report(outcome);
        }
    }

    fn edited(&self) -> MutexGuard<'_, Edited> {
        self.edited.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.start.0, self.start.1)
    }
}

impl Written {
    /// Returns the text of the part: its key has a `_` for each literal.
    fn text(&self) -> String {
        let is_word = |sign: Option<char>| sign.is_some_and(|sign| sign.is_alphanumeric() || sign == '_');
        let (mut text, mut literals) = (String::new(), self.literals.iter());
        let mut signs = self.key.chars().peekable();
        while let Some(sign) = signs.next() {
            let is_literal = sign == '_' && !is_word(text.chars().next_back()) && !is_word(signs.peek().copied());
            match if is_literal { literals.next() } else { None } {
                Some(literal) => text += literal,
                None => text.push(sign),
            }
        }
        text
    }

    /// Returns whether this is a part that a source uses.
    pub(super) fn is(&self, used: &Use) -> bool {
        (self.kind, self.is_island, self.key) == (used.kind, used.is_island, &*used.key)
    }
}

/// How the names of the types of leaves of `bt-core` begin.
const READY: &str = "bt_dynamic::compiled::piece::LeafPiece<bt_core::leaf::ready::";

/// Returns the error for what only the compiler can make.
pub(super) fn waits(used: &Use) -> String {
    if used.is_island {
        let text = if used.text.is_empty() { &used.key } else { &used.text };
        let shown: String = text.chars().take(SHOWN).collect();
        let dots = if shown.len() < text.len() { "…" } else { "" };
        return format!("`{shown}{dots}` is compiled as a whole: its change waits for the compiler");
    }
    format!("`{}` is not in this tree of the running program: it waits for the compiler", used.key)
}

/// Returns what the analysis of a tree has found, and what only its text shows, in the order of the source.
pub(super) fn warnings(source: &Source, found: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_known = |mistake: &&Warning| {
        let lint = mistake.diagnostic.lint;
        mistake.node.is_some() && found.iter().any(|found| (found.lint, found.place) == (lint, mistake.node))
    };
    let rest = source.mistakes.iter().filter(|mistake| !is_known(mistake)).map(|mistake| &mistake.diagnostic);
    let mut warnings: Vec<_> = found.iter().chain(rest).cloned().collect();
    warnings.sort_by_key(|warning| warning.place);
    warnings
}

/// The maximum number of characters of a text in an error.
const SHOWN: usize = 60;
