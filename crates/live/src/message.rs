//! What the watching thread receives.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use bt_behavior3::{Diagnostic, Place};
use bt_dynamic::compiled::Site;

use crate::report::Report;

/// What the watching thread receives.
pub(crate) enum Message {
    /// A macro is evaluated for the first time. Its source file.
    Site(&'static Site, PathBuf),
    /// Files of this name may have changed; all files if it is `None`.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "no system reports changes there"))]
    Changed(Option<OsString>),
    /// A tree has ticked after an edit.
    Outcome(Outcome),
    /// There is something to report.
    Report(Report),
    /// A request for the watched files.
    Sources(Sender<Vec<Watched>>),
    /// A request for the errors of a text in place of a file; if `applies`, trees follow it.
    Text {
        path: PathBuf,
        text: String,
        applies: bool,
        /// Receives the warnings or the errors.
        reply: Sender<Result<Vec<Diagnostic>, Vec<Diagnostic>>>,
    },
}

/// A file that is watched.
pub(crate) struct Watched {
    pub(crate) path: PathBuf,
    /// The trees in it that follow it, and where they begin.
    pub(crate) trees: Vec<(&'static Site, Place)>,
}

/// The outcome of an edit.
pub(crate) struct Outcome {
    pub(crate) site: &'static Site,
    /// The text that the macro was edited to.
    pub(crate) flat: Arc<str>,
    /// The time until a tick followed it, and warnings; or the errors.
    pub(crate) result: Result<(Duration, Vec<Diagnostic>), Vec<Diagnostic>>,
}
