//! Reports about trees that follow their source, in the last lines of the terminal.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bt_live::Report;
use ratatui::Frame;

use crate::play::draw_line;

/// How long a report is shown.
const SHOWN: Duration = Duration::from_secs(15);
/// The maximum number of lines.
const LINES: usize = 6;

/// The last lines of reports, each with the time until which it is shown.
#[derive(Clone)]
pub(crate) struct Edits(Arc<Mutex<VecDeque<(Instant, String)>>>);

impl Edits {
    /// Receives all reports from now on.
    pub(crate) fn receive() -> Self {
        let edits = Self(Arc::default());
        let receiver = edits.clone();
        bt_live::on_report(move |report| receiver.add(report));
        edits
    }

    fn add(&self, report: &Report) {
        let until = Instant::now() + SHOWN;
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The errors of the edit before are gone.
        lines.clear();
        lines.extend(report.to_string().lines().map(|line| (until, line.to_owned())));
        let old = lines.len().saturating_sub(LINES);
        lines.drain(..old);
    }

    /// Draws the lines above the last line.
    pub(crate) fn draw(&self, frame: &mut Frame<'_>) {
        let now = Instant::now();
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|(until, _)| *until > now);
        for ((_, line), above) in lines.iter().rev().zip(1..) {
            let width = usize::from(frame.area().width);
            draw_line(frame, above, &format!(" {line:width$}"));
        }
    }
}
