//! The headless output: the tree, and a line per simulated minute.

use std::time::Instant;

use bt_core::prelude::*;

use crate::robot::{ACTIVITIES, Robot, Totals};
use crate::simulation::{MINUTE, Simulation, Ticked};

impl<N: Node<Robot>> Simulation<N> {
    /// Returns the tree and its memory size, as lines.
    pub(crate) fn drawing(&self) -> Vec<String> {
        let mut lines = self.herd.tree().description().lines();
        let (nodes, robots) = (self.herd.tree().count(), self.herd.len());
        let bytes = size_of::<Memory<N>>();
        lines.push(format!("{nodes} nodes, {bytes} bytes of memory per robot, {robots} robots"));
        lines
    }

    /// Runs frames. Returns a line per simulated minute, and one about all frames.
    pub(crate) fn trace(&mut self, frames: u32) -> Vec<String> {
        let (start, mut lines) = (Instant::now(), Vec::new());
        for frame in 1..=frames {
            self.frame(Ticked::Due);
            self.watch.pace();
            if frame.is_multiple_of(MINUTE) {
                lines.push(self.line());
            }
        }
        // The time differs from run to run, so it is not a part of the trace.
        eprintln!("{:?} per frame", start.elapsed() / frames.max(1));
        let (saved, percent) = self.saved();
        let Totals { delivered, .. } = self.totals();
        lines.push(format!("{delivered} delivered, {} ticks, {saved} saved ({percent:.2} %)", self.ticks));
        lines
    }

    /// Returns the counts as a line.
    fn line(&self) -> String {
        let shown = ACTIVITIES.iter().zip(self.counts()).filter(|(_, count)| *count > 0);
        let doing: Vec<_> = shown.map(|(activity, count)| format!("{count} {activity:?}").to_lowercase()).collect();
        let Totals { delivered, put_back, failed, timed_out, retried, cancelled } = self.totals();
        format!(
            "{:>2} min  {}; {delivered} delivered, {put_back} put back; drives: {failed} failed, \
             {timed_out} timed out, {retried} retried, {cancelled} cancelled; {} ticks, {:.2} % saved",
            self.now.as_secs() / 60,
            doing.join(", "),
            self.ticks,
            self.saved().1,
        )
    }
}
