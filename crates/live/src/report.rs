//! What is reported of a tree that follows its source.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bt_behavior3::{Diagnostic, Place};

/// A report about a tree in a source file.
///
/// As text, it has one line per error, each with its place: `src/tree.rs:12:9: …`. The path is relative to the current directory.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The source file.
    pub file: PathBuf,
    /// The place of the tree in it, or of the error if the file has no trees at the moment.
    pub place: Place,
    /// What is reported.
    pub kind: ReportKind,
}

/// What is reported of a tree in a source file.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ReportKind {
    /// The file is watched. The place is that of its first tree in the running program.
    Watching,
    /// The running tree follows an edit.
    #[non_exhaustive]
    Followed {
        /// The time between the first sign of the edit and the tick that followed it.
        took: Duration,
        /// The mistakes in the new tree that do not prevent the edit, such as a child that is never ticked.
        warnings: Vec<Diagnostic>,
    },
    /// An edit has errors. The tree continues as it was.
    #[non_exhaustive]
    Refused {
        /// All errors.
        errors: Vec<Diagnostic>,
    },
    /// An edit has parts that are not in the running program. The tree continues as it was.
    #[non_exhaustive]
    Waiting {
        /// The parts that only the compiler can make.
        parts: Vec<Diagnostic>,
    },
    /// The errors that were reported before are fixed.
    Fixed,
    /// The tree is not in its file anymore. It continues as it was.
    Lost,
    /// The tree does not follow its source: it stays as it was compiled.
    #[non_exhaustive]
    Unseen {
        /// The reason.
        reason: &'static str,
    },
}

impl Report {
    pub(crate) const fn new(file: PathBuf, place: Place, kind: ReportKind) -> Self {
        Self { file, place, kind }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, place, kind } = self;
        let file = relative(file);
        let mut lines = Vec::new();
        let mut line = |text: &str| lines.push(format!("{}:{place}: {text}", file.display()));
        match kind {
            ReportKind::Watching => {
                return write!(out, "edit {}:{place}, and the running tree follows", file.display());
            }
            ReportKind::Followed { took, warnings } => {
                line(&format!("followed in {} ms", took.as_millis()));
                lines.extend(warnings.iter().map(|warning| of(file, *place, "warning: ", warning)));
            }
            ReportKind::Refused { errors } | ReportKind::Waiting { parts: errors } => {
                lines.extend(errors.iter().map(|error| of(file, *place, "", error)));
            }
            ReportKind::Fixed => line("fixed"),
            ReportKind::Lost => line("the tree is not in the file anymore: it continues as it was"),
            ReportKind::Unseen { reason } => line(reason),
        }
        out.write_str(&lines.join("\n"))
    }
}

/// Returns a diagnostic with its place; notes and help are on separate lines.
fn of(file: &Path, tree: Place, level: &str, diagnostic: &Diagnostic) -> String {
    let reason = match diagnostic.place {
        Some(_) => diagnostic.reason.clone(),
        // It has the node.
        None => diagnostic.to_string(),
    };
    let reason = reason.replace("; note: ", "\n    note: ").replace("; help: ", "\n    help: ");
    format!("{}:{}: {level}{reason}", file.display(), diagnostic.place.unwrap_or(tree))
}

/// Returns a path as a terminal shows it.
fn relative(file: &Path) -> &Path {
    let folder = env::current_dir().ok();
    folder.and_then(|folder| file.strip_prefix(folder).ok()).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: ReportKind) -> String {
        let file = env::current_dir().expect("there is one").join("src/tree.rs");
        Report::new(file, Place { line: 12, column: 9 }, kind).to_string()
    }

    #[test]
    fn reports_are_lines_with_places() {
        assert_eq!(text(ReportKind::Watching), "edit src/tree.rs:12:9, and the running tree follows");
        assert_eq!(text(ReportKind::Fixed), "src/tree.rs:12:9: fixed");
        assert!(text(ReportKind::Lost).starts_with("src/tree.rs:12:9: "));
        assert_eq!(text(ReportKind::Unseen { reason: "no" }), "src/tree.rs:12:9: no");
        let place = Place { line: 14, column: 3 };
        let warning = Diagnostic::at(place, "unreachable node; note: why".to_owned());
        let followed = ReportKind::Followed { took: Duration::from_micros(31_900), warnings: vec![warning] };
        assert_eq!(
            text(followed),
            "src/tree.rs:12:9: followed in 31 ms\nsrc/tree.rs:14:3: warning: unreachable node\n    note: why"
        );
    }

    #[test]
    fn errors_are_lines_of_their_own() {
        let place = Place { line: 14, column: 3 };
        let errors = vec![
            Diagnostic::at(place, "unknown keyword `cooldwn`; help: did you mean `cooldown`?".to_owned()),
            Diagnostic::of_tree("", "empty".to_owned()),
        ];
        assert_eq!(
            text(ReportKind::Refused { errors }),
            "src/tree.rs:14:3: unknown keyword `cooldwn`\n    help: did you mean `cooldown`?\nsrc/tree.rs:12:9: tree: empty"
        );
    }

    #[test]
    fn files_elsewhere_have_their_whole_path() {
        let report = Report::new(PathBuf::from("/elsewhere/a.rs"), Place { line: 1, column: 1 }, ReportKind::Fixed);
        assert_eq!(report.to_string(), "/elsewhere/a.rs:1:1: fixed");
    }
}
