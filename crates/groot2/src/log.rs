//! Logs for Groot2.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use bt_core::observe::Tick;
use bt_core::{End, NodeId, Observer, Status};

use crate::model::Model;
use crate::tracker::{Change, Tracker};

/// What a log starts with.
pub(crate) const MAGIC: &[u8; 18] = b"BTCPP4-FileLogger2";

/// The version of the format.
pub(crate) const VERSION: u8 = 1;

/// The bytes of a change.
pub(crate) const CHANGE: usize = 9;

/// An observer that writes the changes of nodes' statuses to a `.btlog`, as the `FileLogger2` of BehaviorTree.CPP does. Groot2 plays the file back.
///
/// A log is of one agent. The times are those of the ticks: pass them with [`for_agent`](Observer::for_agent). [The crate](crate) says which
/// changes are written.
///
/// ```
/// use bt_groot2::{BtLog, LogFile, Model};
/// use bt_core::prelude::*;
///
/// let tree = tree! { for (): mem_sequence { succeed, run } };
/// let mut log = BtLog::new(Vec::new(), &Model::new(&tree), secs(1000))?;
/// let mut memory = tree.memory();
/// for second in 1000..1003 {
///     tree.tick_with(&mut (), &mut memory, &mut log.for_agent(0, secs(second)));
/// }
/// tree.halt_with(&mut (), &mut memory, &mut log.for_agent(0, secs(1003)));
///
/// let written = log.finish()?;
/// let file = LogFile::read(&*written).unwrap();
/// let changes: Vec<_> = file.map(|change| change.unwrap().to_string()).collect();
/// assert_eq!(changes, [
///     "0.000000 1 RUNNING",
///     "0.000000 2 SUCCESS",
///     "0.000000 3 RUNNING",
///     "3.000000 2 IDLE",
///     "3.000000 3 IDLE",
///     "3.000000 1 IDLE",
/// ]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct BtLog<W> {
    out: W,
    first: Duration,
    now: Duration,
    tracker: Tracker,
    error: Option<io::Error>,
}

impl<W: Write> BtLog<W> {
    /// Creates a log of a tree, and writes its header. `first` is the time at which it begins, by the clock of the ticks; Groot2 takes it as the time since
    /// 1970.
    ///
    /// # Errors
    ///
    /// Returns an error if the header cannot be written, or if the XML has 2 GiB or more.
    pub fn new(mut out: W, model: &Model, first: Duration) -> io::Result<Self> {
        let length =
            i32::try_from(model.xml().len()).map_err(|_| io::Error::other("the XML of the tree is too long"))?;
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION])?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(model.xml().as_bytes())?;
        out.write_all(&i64::try_from(first.as_micros()).unwrap_or(i64::MAX).to_le_bytes())?;
        Ok(Self { out, first, now: first, tracker: Tracker::new(model.clone()), error: None })
    }

    /// Flushes and returns the writer. After an error, nothing more is written.
    ///
    /// # Errors
    ///
    /// Returns the first error of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| self.out),
        }
    }

    fn write(&mut self) {
        let time = self.now.saturating_sub(self.first);
        for change in self.tracker.changes() {
            if self.error.is_none() {
                self.error = self.out.write_all(&bytes(time, change)).err();
            }
        }
    }
}

/// Returns the bytes of a change. The time has 6 bytes, which are 8 years.
pub(crate) fn bytes(time: Duration, change: Change) -> [u8; CHANGE] {
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX).to_le_bytes();
    let uid = change.uid.to_le_bytes();
    [micros[0], micros[1], micros[2], micros[3], micros[4], micros[5], uid[0], uid[1], change.to.number()]
}

impl<W: Write> Observer for BtLog<W> {
    const INLINE: bool = false;

    fn begin(&mut self, tick: Tick) {
        self.now = tick.now;
        self.tracker.begin();
        self.write();
    }

    fn end(&mut self, _: Tick, status: Option<Status>) {
        self.tracker.end(status);
        self.write();
    }

    fn enter(&mut self, at: NodeId) {
        self.tracker.enter(at, false);
        self.write();
    }

    fn tick(&mut self, at: NodeId, status: Status) {
        self.tracker.tick(at, status);
        self.write();
    }

    fn close(&mut self, at: NodeId, end: End) {
        self.tracker.close(at, end);
    }
}

impl<W> fmt::Debug for BtLog<W> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BtLog").field("now", &self.now).finish_non_exhaustive()
    }
}
