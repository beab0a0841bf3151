//! The receiver of reports.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock};

use crate::report::Report;

type Receiver = Arc<dyn Fn(&Report) + Send + Sync>;

static RECEIVER: RwLock<Option<Receiver>> = RwLock::new(None);

/// Calls a function with each report, in place of a line on stderr: for programs that use the whole terminal, and for tools.
///
/// The function is called on the thread that watches the files, or on a thread that evaluates a tree. It replaces the function of
/// an earlier call.
///
/// ```
/// use std::sync::mpsc;
///
/// let (sender, reports) = mpsc::channel();
/// bt_live::on_report(move |report| drop(sender.send(report.to_string())));
/// // In the loop of the program: `for text in reports.try_iter() { log.push(text) }`
/// # assert_eq!(reports.try_iter().count(), 0);
/// ```
pub fn on_report(receiver: impl Fn(&Report) + Send + Sync + 'static) {
    *RECEIVER.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(receiver));
}

pub(crate) fn announce(report: &Report) {
    let receiver = RECEIVER.read().unwrap_or_else(PoisonError::into_inner).clone();
    match receiver {
        // A panic is shown by its hook. The thread that watches goes on.
        Some(receiver) => drop(catch_unwind(AssertUnwindSafe(|| receiver(report)))),
        // In one piece, between the output of other threads. It is no error if nobody reads it.
        None => drop(io::stderr().write_all(lines(report).as_bytes())),
    }
}

fn lines(report: &Report) -> String {
    report.to_string().lines().fold(String::new(), |text, line| text + "[live] " + line + "\n")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use bt_behavior3::{Diagnostic, Place};

    use super::*;
    use crate::report::ReportKind;

    #[test]
    fn each_line_on_stderr_has_a_prefix() {
        let place = Place { line: 3, column: 1 };
        let errors = vec![Diagnostic::at(place, "wrong; help: fix it".to_owned())];
        let report = Report::new(PathBuf::from("/a.rs"), place, ReportKind::Refused { errors });
        assert_eq!(lines(&report), "[live] /a.rs:3:1: wrong\n[live]     help: fix it\n");
    }
}
