//! The source files of a running program, for editors.

use std::path::{Path, PathBuf};

use bt_behavior3::palette::{Entry, Kind, entries};
use bt_behavior3::{Arity, Diagnostic, EditTree, NodeNames, Place};
use bt_dynamic::compiled::Site;

use crate::message::Message;
use crate::registry::ask;

/// A source file whose trees follow it. An editor can try a text before writing the file.
///
/// ```no_run
/// use bt_live::EditTree;
///
/// for source in bt_live::sources() {
///     let text = std::fs::read_to_string(source.path())?.replace("secs(5)", "secs(7)");
///     match source.check(&text) {
///         Ok(_) => _ = source.apply(&text),  // the file stays as it is
///         Err(errors) => errors.iter().for_each(|error| eprintln!("{error}")),
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    trees: Vec<Place>,
    sites: Vec<&'static Site>,
}

/// Returns the source files of the program whose trees follow them. A file is included once one of its trees was evaluated.
///
/// The function waits up to 10 s for the thread that watches the files. In a function that receives [reports](crate::on_report), which
/// that thread calls, it returns no files.
pub fn sources() -> Vec<Source> {
    let files = ask(Message::Sources).unwrap_or_default().into_iter().filter(|file| !file.trees.is_empty());
    let source = |file: crate::message::Watched| {
        let (sites, trees) = file.trees.into_iter().unzip();
        Source { path: file.path, trees, sites }
    };
    files.map(source).collect()
}

impl Source {
    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the places of the trees that follow the file.
    pub fn trees(&self) -> &[Place] {
        &self.trees
    }

    fn text(&self, text: &str, applies: bool) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let (path, text) = (self.path.clone(), text.to_owned());
        let answer = ask(|reply| Message::Text { path, text, applies, reply });
        answer.unwrap_or_else(|| Err(vec![Diagnostic::of_tree("", "the sources are not watched".to_owned())]))
    }
}

/// The text is that of the whole file.
impl EditTree for Source {
    /// Returns the words, and the nodes that the trees of the file have: only these can be used without the compiler.
    fn palette(&self) -> Vec<Entry> {
        let mut all = entries();
        let words = all.len();
        for (name, text, own) in self.sites.iter().flat_map(|site| site.offered()) {
            let kind = match own.arity() {
                Arity::Zero => Kind::Leaf,
                Arity::One => Kind::Decorator,
                _ => Kind::Composite,
            };
            if all[words..].iter().all(|entry| entry.insert != text) {
                let mut entry = Entry::new(name, kind, &self.path.display().to_string(), "", Vec::new());
                entry.insert = text;
                all.push(entry);
            }
        }
        all
    }

    /// Accepts any name: a source contains Rust.
    fn names(&self) -> NodeNames {
        NodeNames::default().open()
    }

    /// Checks a text in place of the file. What only the compiler can make is an error.
    fn check(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.text(text, false)
    }

    /// Lets the trees follow a text in place of the file, from their next tick until the file changes. Literals without a value of their type are
    /// [errors](Self::errors) then.
    fn apply(&self, text: &str) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.text(text, true)
    }

    fn errors(&self) -> Vec<Diagnostic> {
        self.sites.iter().flat_map(|site| site.errors()).collect()
    }
}
